import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import type { AiError } from "effect/ai"
import type { Reply } from "../../domain/review/Conversation.ts"

const requests = Metric.counter("assay_model_requests_total", {
  description: "Requests to the review model, counting each attempt, by outcome.",
  incremental: true,
})

const seconds = Metric.histogram("assay_model_request_duration_seconds", {
  description: "How long the model took for a request, whatever its outcome.",
  boundaries: [0.3, 1, 3, 10, 30, 60, 120, 300],
})

const tokens = Metric.counter("assay_model_tokens_total", {
  description: "Tokens of answered requests, as the model counts them, by direction.",
  incremental: true,
})

/** The kind of failure, with few distinct values, because each is a series. */
const outcomeOf = ({ reason }: AiError.AiError): string => {
  switch (reason._tag) {
    case "NetworkError":
      return "network"
    case "RateLimitError":
    case "QuotaExhaustedError":
      return "rate_limited"
    case "AuthenticationError":
      return "key_refused"
    case "InternalProviderError":
      return "server_error"
    case "InvalidResponseError":
    case "InvalidOutputError":
      return "unreadable"
    default:
      return "refused"
  }
}

/** Counts a request to the model; an interrupted one is paid for as well. */
export const measured = (ask: Effect.Effect<Reply, AiError.AiError>): Effect.Effect<Reply, AiError.AiError> =>
  Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    let outcome = "interrupted"
    return yield* ask.pipe(
      Effect.tapError((error) => Effect.sync(() => (outcome = outcomeOf(error)))),
      Effect.onExit(
        Effect.fnUntraced(function* (exit) {
          if (Exit.isSuccess(exit)) {
            outcome = "answered"
            const { inputTokens, outputTokens } = exit.value.usage
            yield* Metric.update(Metric.withAttributes(tokens, { direction: "input" }), inputTokens)
            yield* Metric.update(Metric.withAttributes(tokens, { direction: "output" }), outputTokens)
          }
          yield* Metric.update(Metric.withAttributes(requests, { outcome }), 1)
          yield* Metric.update(seconds, ((yield* Clock.currentTimeMillis) - from) / 1_000)
        }),
      ),
    )
  })
