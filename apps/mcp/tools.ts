import * as Schema from "effect/Schema"
import { Tool, Toolkit } from "effect/ai"
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

const functionName = Schema.String.annotate({
  description: "Vault.withdraw, Vault.withdraw(uint256), withdraw, or a message: ExecuteMsg::Withdraw",
})
const path = Schema.String.annotate({ description: "Path relative to the server's folder." })

/** What a coding agent may ask. Nothing changes anything, and nothing outside of the server's folder is read. */
export const tools = Toolkit.make(
  asking("scan", "Runs every rule on the folder, or on part of it, and keeps the findings for the other tools.", {
    path: Schema.optionalKey(path),
  }),
  asking("findings", "The findings of the last scan, most severe first; runs a scan if there was none.", {
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
    "What a rule looks for, how the flaw is attacked and how to fix it, with examples of flagged and safe code.",
    {
      rule: Schema.String,
    },
  ),
  asking(
    "list_entry_points",
    "Who may do what: each function that can be called and changes something, what it can do, and the conditions on the caller.",
    {
      contract: Schema.optionalKey(Schema.String),
    },
  ),
  asking("read_function", "The code of a function with its visibility, modifiers and accounts.", {
    function: functionName,
  }),
  asking("callers_of", "Who calls a function, and from which entry points it is reached.", { function: functionName }),
  asking("writers_of", "Which functions write a state variable, and from which entry points they are reached.", {
    variable: Schema.String.annotate({ description: "Vault.owner, CONFIG.owner or owner" }),
  }),
  asking("checks_before", "What is asked of the caller before each thing that an entry point does.", {
    function: functionName,
  }),
  asking(
    "external_calls_of",
    "The calls and messages that leave the contract, in a function and in those that it calls.",
    {
      function: functionName,
    },
  ),
  asking(
    "state_of",
    "The state variables of a contract, inherited ones first; the state and account types of a program.",
    { contract: Schema.String },
  ),
  asking("search", "The lines of the sources that hold a text, in any case.", { text: Schema.String }),
)
