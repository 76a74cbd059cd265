import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import type { ModelOptions } from "./ModelOptions.ts"
import type { Protocol } from "./Protocol.ts"

const Count = Schema.optional(Schema.NullOr(Schema.Int))

/** https://docs.anthropic.com/en/api/messages */
const Message = Schema.Struct({
  stop_reason: Schema.optional(Schema.NullOr(Schema.String)),
  content: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      text: Schema.optional(Schema.String),
      id: Schema.optional(Schema.String),
      name: Schema.optional(Schema.String),
      input: Schema.optional(Schema.Unknown),
    }),
  ),
  usage: Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    cache_creation_input_tokens: Count,
    cache_read_input_tokens: Count,
  }),
})

interface Turn {
  readonly role: "user" | "assistant"
  readonly content: Array<object>
}

const blocksOf = (message: Prompt.Message): Turn | undefined => {
  switch (message.role) {
    case "system":
      return undefined
    case "user":
      return {
        role: "user",
        content: message.content.flatMap((part) => (part.type === "text" ? [{ type: "text", text: part.text }] : [])),
      }
    case "assistant":
      return {
        role: "assistant",
        content: message.content.flatMap((part) =>
          part.type === "tool-call"
            ? [{ type: "tool_use", id: part.id, name: part.name, input: part.params ?? {} }]
            : [],
        ),
      }
    case "tool":
      return {
        role: "user",
        content: message.content.flatMap((part) =>
          part.type === "tool-result"
            ? [{ type: "tool_result", tool_use_id: part.id, content: String(part.result) }]
            : [],
        ),
      }
  }
}

/** Turns alternate, so all tool results of one turn are one message. */
const turnsOf = (prompt: Prompt.Prompt): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const message of prompt.content) {
    const turn = blocksOf(message)
    if (turn === undefined) continue
    const last = turns.at(-1)
    if (last?.role === turn.role) last.content.push(...turn.content)
    else turns.push(turn)
  }
  return turns
}

const body = ({ prompt, tools, toolChoice }: LanguageModel.ProviderOptions, options: ModelOptions): object => ({
  model: options.model,
  max_tokens: options.maxOutputTokens,
  system: prompt.content.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n\n"),
  messages: turnsOf(prompt),
  tools: tools.map((tool) => ({
    name: tool.name,
    description: Tool.getDescription(tool),
    input_schema: Tool.getJsonSchema(tool),
  })),
  tool_choice:
    typeof toolChoice === "object" && "tool" in toolChoice ? { type: "tool", name: toolChoice.tool } : { type: "auto" },
})

const read = (answer: unknown) =>
  Effect.map(Schema.decodeUnknownEffect(Message)(answer), ({ content, stop_reason, usage }) => {
    const parts: Array<Response.PartEncoded> = content.flatMap(
      ({ type, text, id, name, input }): ReadonlyArray<Response.PartEncoded> => {
        if (type === "text" && text !== undefined) return [{ type, text }]
        return type === "tool_use" && id !== undefined && name !== undefined
          ? [{ type: "tool-call" as const, id, name, params: input ?? {} }]
          : []
      },
    )
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
    parts.push({
      type: "finish",
      reason: stop_reason === "max_tokens" ? "length" : "stop",
      usage: {
        inputTokens: { total: usage.input_tokens + cached },
        outputTokens: { total: usage.output_tokens },
      },
    })
    return parts
  })

export const anthropic: Protocol = {
  path: "/v1/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key === undefined ? {} : { "x-api-key": Redacted.value(key) }),
  }),
  body,
  read,
}
