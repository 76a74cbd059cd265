import * as Schema from "effect/Schema"
import type { ToolSpec } from "./Conversation.ts"

const functionName = Schema.Struct({
  function: Schema.String.annotate({
    description: "Vault.withdraw, Vault.withdraw(uint256), withdraw, or a message: ExecuteMsg::Withdraw",
  }),
})

const tool = (name: string, description: string, parameters: Schema.Codec<unknown, unknown>): ToolSpec => ({
  name,
  description,
  parameters,
})

/** What a model may ask of the program while it hunts; each has one argument, and nothing changes anything. */
export const queryTools: ReadonlyArray<ToolSpec> = [
  tool(
    "list_entry_points",
    "Who can do what: each function that can be called and changes something, what it can do, and the conditions on the caller.",
    Schema.Struct({ contract: Schema.optionalKey(Schema.String) }),
  ),
  tool(
    "read_function",
    "The code of a function with its visibility, modifiers, accounts and line numbers.",
    functionName,
  ),
  tool("callers_of", "Who calls a function, and from which entry points it is reached.", functionName),
  tool(
    "writers_of",
    "Which functions write a state variable, and from which entry points they are reached.",
    Schema.Struct({ variable: Schema.String.annotate({ description: "Vault.owner, CONFIG.owner or owner" }) }),
  ),
  tool("checks_before", "What is asked of the caller before each thing that an entry point does.", functionName),
  tool(
    "external_calls_of",
    "The calls and messages that leave the contract, in a function and in those that it calls.",
    functionName,
  ),
  tool(
    "state_of",
    "The state variables of a contract, inherited ones first; the state and account types of a program.",
    Schema.Struct({ contract: Schema.String }),
  ),
  tool("search", "The lines of the sources that hold a text.", Schema.Struct({ text: Schema.String })),
  tool(
    "findings_at",
    "What is reported already in a file: do not report it again.",
    Schema.Struct({ file: Schema.String }),
  ),
]
