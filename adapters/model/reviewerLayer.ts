import { connect } from "node:net"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AiError, type LanguageModel, type Prompt, Tool, type Toolkit } from "effect/ai"
import { ModelFailed, type ModelRequest, Reviewer } from "../../application/ports/finding/Reviewer.ts"
import type { RenderedMessage, Reply, ToolSpec } from "../../domain/review/Conversation.ts"
import { languageModel } from "./languageModel.ts"
import { measured } from "./modelMetrics.ts"
import type { ModelOptions } from "./ModelOptions.ts"

/** Attempts per request, and the longest delay between two that a server may request. */
const attempts = 4
const longestPause = Duration.seconds(60)

/** After this many consecutive failures, requests pause for a while, because others use the model, too. */
const breaker = { failures: 3, milliseconds: 30_000 } as const

const messageOf = (message: RenderedMessage): Prompt.MessageEncoded => {
  if (message.role === "assistant") {
    const content = message.calls.map(({ id, name, arguments: params }) => ({
      type: "tool-call" as const,
      id,
      name,
      params,
    }))
    return { role: "assistant", content }
  }
  if (message.role === "tool") {
    const { id, name } = message.call
    return { role: "tool", content: [{ type: "tool-result", id, name, isFailure: false, result: message.text }] }
  }
  return message.role === "system"
    ? { role: "system", content: message.text }
    : { role: "user", content: [{ type: "text", text: message.text }] }
}

const toolOf = ({ name, description, parameters }: ToolSpec) => Tool.dynamic(name, { description, parameters })

/** The tools as described to a model; nothing runs them here. */
const toolkitOf = ({ tools }: ModelRequest): Toolkit.WithHandler<Record<string, ReturnType<typeof toolOf>>> => ({
  tools: Object.fromEntries(tools.map((tool) => [tool.name, toolOf(tool)])),
  handle: () => Effect.die(new Error("tools are answered by whoever asks")),
})

const characters = (request: ModelRequest): number => JSON.stringify(request.messages).length

const ask = (model: LanguageModel.LanguageModel, request: ModelRequest): Effect.Effect<Reply, AiError.AiError> =>
  model
    .generateText({
      prompt: request.messages.map(messageOf),
      toolkit: toolkitOf(request),
      toolChoice: request.only === undefined ? "auto" : { tool: request.only },
      disableToolCallResolution: true,
      toolCallValidation: "deferred",
    })
    .pipe(
      Effect.map(({ text, toolCalls, usage }): Reply => ({
        text,
        calls: toolCalls.map(({ id, name, params }) => ({ id, name, arguments: params })),
        usage: {
          // For servers that do not count: four characters are a token.
          inputTokens: usage.inputTokens.total ?? Math.ceil(characters(request) / 4),
          outputTokens: usage.outputTokens.total ?? Math.ceil((text.length + JSON.stringify(toolCalls).length) / 4),
        },
      })),
    )

const mayPass = ({ reason }: AiError.AiError): boolean => reason.isRetryable || reason._tag === "InvalidResponseError"

/** Requests that this model rejects or answers invalidly; it may answer others. */
const isAboutRequest = ({ reason }: AiError.AiError): boolean =>
  reason._tag === "InvalidRequestError" ||
  reason._tag === "InvalidResponseError" ||
  reason._tag === "InvalidOutputError" ||
  reason._tag === "ContentPolicyError"

const explained = ({ reason }: AiError.AiError): string => {
  switch (reason._tag) {
    case "NetworkError":
      return `the model at ${reason.url} cannot be used (${reason.description ?? "no reason given"})`
    case "AuthenticationError":
      return "the model rejected the key"
    case "RateLimitError":
      return "the model rejected the request because of its rate limit (429)"
    default:
      return `the model gave no answer (${"description" in reason ? reason.description : reason._tag})`
  }
}

/** Fails if nothing listens at a model's address; sends no data. */
const reachable = (baseUrl: string, timeout: Duration.Duration): Effect.Effect<void, ModelFailed> => {
  const { hostname, port, protocol, host } = new URL(baseUrl)
  const unavailable = (why: string) =>
    new ModelFailed({ reason: "unavailable", message: `the model at ${host} cannot be reached (${why})` })
  return Effect.callback<void, ModelFailed>((resume) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || (protocol === "http:" ? 80 : 443)),
    })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.once("error", (error) =>
      resume(Effect.fail(unavailable("code" in error ? String(error.code) : error.message))),
    )
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(unavailable(`no connection within ${Duration.format(timeout)}`)),
    }),
  )
}

/** A model at a provider's address, with retries where they can help and a pause where they cannot. */
export const reviewerLayer = (options: ModelOptions): Layer.Layer<Reviewer> =>
  Layer.effect(
    Reviewer,
    Effect.gen(function* () {
      const model = yield* languageModel(options)
      const first = options.retryAfter ?? Duration.seconds(1)
      let [failures, restsUntil] = [0, 0]

      const again = (request: ModelRequest, attempt: number): Effect.Effect<Reply, AiError.AiError> =>
        Effect.catch(measured(ask(model, request)), (error) => {
          // The second attempt is for a lost packet; nobody waits minutes for an unavailable server.
          const most =
            error.reason._tag === "RateLimitError" || error.reason._tag === "InternalProviderError" ? attempts : 2
          if (attempt >= most || !mayPass(error)) return Effect.fail(error)
          const asked = error.retryAfter
          if (asked !== undefined && Duration.isGreaterThan(asked, longestPause)) return Effect.fail(error)
          const pause = asked ?? Duration.times(first, 2 ** (attempt - 1))
          return Effect.andThen(Effect.sleep(pause), again(request, attempt + 1))
        })

      return Reviewer.of({
        model: options.model,
        reach: reachable(options.baseUrl, options.connectTimeout ?? Duration.seconds(3)),
        ask: Effect.fn("Reviewer.ask")(function* (request) {
          if ((yield* Clock.currentTimeMillis) < restsUntil) {
            return yield* new ModelFailed({ reason: "unavailable", message: "the model did not respond a moment ago" })
          }
          return yield* again(request, 1).pipe(
            Effect.tap(Effect.sync(() => (failures = 0))),
            Effect.catch(
              Effect.fnUntraced(function* (error: AiError.AiError) {
                if (isAboutRequest(error)) {
                  return yield* new ModelFailed({ reason: "refused", message: explained(error) })
                }
                failures++
                if (failures >= breaker.failures) {
                  failures = 0
                  restsUntil = (yield* Clock.currentTimeMillis) + breaker.milliseconds
                }
                return yield* new ModelFailed({ reason: "unavailable", message: explained(error) })
              }),
            ),
          )
        }),
      })
    }),
  )
