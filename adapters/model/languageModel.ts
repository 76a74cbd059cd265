import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AiError, LanguageModel } from "effect/ai"
import { anthropic } from "./anthropic.ts"
import type { ModelOptions, Provider } from "./ModelOptions.ts"
import { openAiCompatible } from "./openAiCompatible.ts"
import { postJson } from "./postJson.ts"
import type { Protocol } from "./Protocol.ts"

const protocols: Readonly<Record<Provider, Protocol>> = { "openai-compatible": openAiCompatible, anthropic }

/**
 * Effect's language model over a provider's own protocol. The AI SDK with both providers takes 33 MB of `node_modules`
 * and the vendors' clients take 52 (2026-11), for one request that is a JSON object each way. To add a provider, supply
 * another `LanguageModel`.
 */
export const languageModel = (options: ModelOptions): Effect.Effect<LanguageModel.LanguageModel> => {
  const { path, headers, body, read } = protocols[options.provider]
  const url = `${options.baseUrl}${path}`
  return LanguageModel.make({
    generateText: (asked) =>
      postJson(url, headers(options.apiKey), body(asked, options), options.timeout).pipe(
        Effect.flatMap(read),
        Effect.catchTag("SchemaError", () =>
          Effect.fail(
            AiError.make({
              module: "Model",
              method: "read",
              reason: new AiError.InvalidResponseError({
                description: "the answer does not match the protocol",
              }),
            }),
          ),
        ),
      ),
    streamText: () =>
      Stream.fail(
        AiError.make({
          module: "Model",
          method: "streamText",
          reason: new AiError.InvalidRequestError({ description: "nothing is streamed" }),
        }),
      ),
  })
}
