import * as Schema from "effect/Schema"
import { Tool, Toolkit } from "effect/ai"
import { argumentDescriptions, toolDescriptions } from "../../domain/detection/ask/toolDescriptions.ts"
import { severities } from "../../domain/finding/Severity.ts"

const success = Schema.Record(Schema.String, Schema.Unknown)

const asking = <const Name extends string, const Fields extends Schema.Struct.Fields>(
  name: Name,
  description: string,
  fields: Fields,
) =>
  Tool.make(name, { description, parameters: Schema.Struct(fields), success })
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.OpenWorld, false)

const query = <const Name extends keyof typeof toolDescriptions, const Fields extends Schema.Struct.Fields>(
  name: Name,
  fields: Fields,
) => asking(name, toolDescriptions[name], fields)

const functionName = Schema.String.annotate({ description: argumentDescriptions.function })
const path = Schema.String.annotate({ description: "Path relative to the server's folder." })

/** The tools of a coding agent. None of them changes anything or reads outside the server's folder. */
export const tools = Toolkit.make(
  asking("scan", "Runs every rule on the folder or part of it, and keeps the findings for the other tools.", {
    path: Schema.optionalKey(path),
  }),
  asking("findings", "The findings of the last scan, most severe first. Runs a scan if there was none.", {
    severity: Schema.optionalKey(Schema.Literals(severities)),
    rule: Schema.optionalKey(Schema.String),
    offset: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  }),
  asking("findings_at", "The findings of the last scan in a file, or on one of its lines.", {
    file: path,
    line: Schema.optionalKey(Schema.Int),
  }),
  asking(
    "explain_rule",
    "What a rule looks for, how the flaw is exploited and how to fix it, with examples of flagged and safe code.",
    {
      rule: Schema.String,
    },
  ),
  query("list_entry_points", { contract: Schema.optionalKey(Schema.String) }),
  asking("read_function", "The code of a function with its visibility, modifiers and accounts.", {
    function: functionName,
  }),
  query("callers_of", { function: functionName }),
  query("writers_of", { variable: Schema.String.annotate({ description: argumentDescriptions.variable }) }),
  query("checks_before", { function: functionName }),
  query("external_calls_of", { function: functionName }),
  query("state_of", { contract: Schema.String }),
  query("search", { text: Schema.String }),
)
