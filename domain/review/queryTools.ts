import * as Schema from "effect/Schema"
import { argumentDescriptions, toolDescriptions } from "../detection/ask/toolDescriptions.ts"
import type { ToolSpec } from "./Conversation.ts"

const functionName = Schema.Struct({
  function: Schema.String.annotate({ description: argumentDescriptions.function }),
})

const query = (name: keyof typeof toolDescriptions, parameters: Schema.Codec<unknown, unknown>): ToolSpec => ({
  name,
  description: toolDescriptions[name],
  parameters,
})

/** The queries that a model can make during a hunt; each has one argument, and none changes anything. */
export const queryTools: ReadonlyArray<ToolSpec> = [
  query("list_entry_points", Schema.Struct({ contract: Schema.optionalKey(Schema.String) })),
  {
    name: "read_function",
    description: "The code of a function with its visibility, modifiers, accounts and line numbers.",
    parameters: functionName,
  },
  query("callers_of", functionName),
  query(
    "writers_of",
    Schema.Struct({ variable: Schema.String.annotate({ description: argumentDescriptions.variable }) }),
  ),
  query("checks_before", functionName),
  query("external_calls_of", functionName),
  query("state_of", Schema.Struct({ contract: Schema.String })),
  query("search", Schema.Struct({ text: Schema.String })),
  {
    name: "findings_at",
    description: "The problems already reported in a file: do not report them again.",
    parameters: Schema.Struct({ file: Schema.String }),
  },
]
