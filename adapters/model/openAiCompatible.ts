import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import type { ModelOptions } from "./ModelOptions.ts"
import type { Protocol } from "./Protocol.ts"

/**
 * https://platform.openai.com/docs/api-reference/chat/create, to the extent that Ollama, vLLM and llama.cpp support it.
 */
const Completion = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      finish_reason: Schema.optional(Schema.NullOr(Schema.String)),
      message: Schema.Struct({
        content: Schema.optional(Schema.NullOr(Schema.String)),
        tool_calls: Schema.optional(
          Schema.NullOr(
            Schema.Array(
              Schema.Struct({
                id: Schema.optional(Schema.String),
                function: Schema.Struct({ name: Schema.String, arguments: Schema.Unknown }),
              }),
            ),
          ),
        ),
      }),
    }),
  ).check(Schema.isMinLength(1)),
  usage: Schema.optional(
    Schema.NullOr(Schema.Struct({ prompt_tokens: Schema.Int, completion_tokens: Schema.optional(Schema.Int) })),
  ),
})

/** Newer OpenAI models reject `max_tokens`; most others support nothing else. */
const limitName = (baseUrl: string): string =>
  /(?:^|\.)openai(?:\.azure)?\.com$/.test(new URL(baseUrl).hostname) ? "max_completion_tokens" : "max_tokens"

const textOf = (content: ReadonlyArray<{ readonly type: string }>): string =>
  content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n")

const messagesOf = (message: Prompt.Message): ReadonlyArray<object> => {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }]
    case "user":
      return [{ role: "user", content: textOf(message.content) }]
    case "assistant": {
      const calls = message.content.flatMap((part) =>
        part.type === "tool-call"
          ? [
              {
                id: part.id,
                type: "function",
                function: { name: part.name, arguments: JSON.stringify(part.params ?? {}) },
              },
            ]
          : [],
      )
      return [{ role: "assistant", content: textOf(message.content), tool_calls: calls }]
    }
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result" ? [{ role: "tool", tool_call_id: part.id, content: String(part.result) }] : [],
      )
  }
}

const argumentsOf = (given: unknown): unknown => {
  if (typeof given !== "string") return given
  try {
    // The tool's schema describes it.
    return JSON.parse(given === "" ? "{}" : given) as unknown
  } catch {
    return given
  }
}

const body = ({ prompt, tools, toolChoice }: LanguageModel.ProviderOptions, options: ModelOptions): object => {
  const only = typeof toolChoice === "object" && "tool" in toolChoice ? toolChoice.tool : undefined
  // For servers without tool choice, it is then the only tool.
  const offered = tools.filter(({ name }) => only === undefined || name === only)
  return {
    model: options.model,
    [limitName(options.baseUrl)]: options.maxOutputTokens,
    messages: prompt.content.flatMap(messagesOf),
    tools: offered.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: Tool.getDescription(tool), parameters: Tool.getJsonSchema(tool) },
    })),
    tool_choice: only === undefined ? "auto" : { type: "function", function: { name: only } },
  }
}

const read = (answer: unknown) =>
  Effect.map(Schema.decodeUnknownEffect(Completion)(answer), ({ choices, usage }): Array<Response.PartEncoded> => {
    const { message, finish_reason } = choices[0]!
    return [
      ...(message.content ? [{ type: "text" as const, text: message.content }] : []),
      ...(message.tool_calls ?? []).map((call, index) => ({
        type: "tool-call" as const,
        id: call.id ?? `call_${index}`,
        name: call.function.name,
        params: argumentsOf(call.function.arguments),
      })),
      {
        type: "finish" as const,
        reason: finish_reason === "length" ? ("length" as const) : ("stop" as const),
        usage: {
          inputTokens: { total: usage?.prompt_tokens },
          outputTokens: { total: usage?.completion_tokens },
        },
      },
    ]
  })

export const openAiCompatible: Protocol = {
  path: "/chat/completions",
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` }),
  body,
  read,
}
