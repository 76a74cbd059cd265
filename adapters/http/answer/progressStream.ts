import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { getStatus } from "../../../application/analysis/getStatus.ts"
import { type AnalysisProgress, AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { stillMay } from "../session/stillMay.ts"
import { Draining } from "../Draining.ts"
import { CurrentExchange } from "../request/Exchange.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { OpenStreams } from "../limits/OpenStreams.ts"
import { Refusal } from "../request/Problem.ts"
import { empty, opaque } from "./answer.ts"
import { statusView } from "./statusView.ts"
import type { AnalysisId } from "../../../domain/ids/Ids.ts"

/** A client reconnects after it. */
const longestStream = "30 minutes"

/** How often the credentials are looked at again: a revoked key must not go on reading for half an hour. */
const recheck = "2 seconds"

/** What was sent last, how many readings ago, and whether it was the last there is. */
interface Sent {
  readonly last: string
  readonly silent: number
  readonly ended: boolean
}

const encoder = new TextEncoder()

const isTerminal = ({ status }: AnalysisProgress): boolean => status === "completed" || status === "failed"

/** Identifies a reading, so that a reconnecting client is sent only what is new to it. */
const eventId = ({ status, currentStage, progress }: AnalysisProgress): string =>
  `${status}.${currentStage}.${progress}`

const event = (progress: AnalysisProgress): Uint8Array =>
  encoder.encode(`id: ${eventId(progress)}\ndata: ${JSON.stringify(statusView(progress))}\n\n`)
const heartbeat = encoder.encode(": still here\n\n")

/**
 * The status of an analysis as server-sent events: one at once, one for each change, and the end with the terminal
 * state, the analysis's deletion, the end of the caller's credentials, or the server's shutdown. A client that
 * reconnects after the terminal state gets 204, which tells an `EventSource` to stop.
 */
export const progressStream = Effect.fnUntraced(function* (
  caller: Caller,
  analysisId: AnalysisId,
  request: HttpServerRequest.HttpServerRequest,
) {
  const first = yield* getStatus(caller, analysisId)
  if (isTerminal(first) && request.headers["last-event-id"] === eventId(first)) {
    return empty(204)
  }
  const settings = yield* HttpSettings
  const exchange = yield* CurrentExchange
  const store = yield* AnalysisStore
  const draining = yield* Draining

  if (!(yield* (yield* OpenStreams).acquire(caller.userId, settings.streamsPerUser))) {
    exchange.window = {
      name: "streams",
      length: 10_000,
      limit: settings.streamsPerUser,
      remaining: 0,
      resetsAt: Date.now() + 10_000,
      allowed: false,
    }
    return yield* new Refusal({
      problem: {
        code: "RATE_LIMIT_EXCEEDED",
        message: `At most ${settings.streamsPerUser} progress streams can be open at a time. Close one, or poll the status instead.`,
        headers: { "retry-after": "10" },
      },
    })
  }

  const beats = Math.max(
    1,
    Math.round(Duration.toMillis(settings.streamHeartbeat) / Duration.toMillis(settings.streamInterval)),
  )
  type Next = readonly [ReadonlyArray<Uint8Array>, Sent]
  const step = (state: Sent): Effect.Effect<Next | undefined> =>
    state.ended
      ? Effect.undefined
      : Effect.sleep(settings.streamInterval).pipe(
          Effect.andThen(store.progress(caller.userId, analysisId)),
          Effect.map((progress): Next => {
            const id = eventId(progress)
            if (id !== state.last) {
              return [[event(progress)], { last: id, silent: 0, ended: isTerminal(progress) }]
            }
            return state.silent + 1 >= beats
              ? [[heartbeat], { ...state, silent: 0 }]
              : [[], { ...state, silent: state.silent + 1 }]
          }),
          // Deleted, or the store is down: the stream ends, and a client that reconnects learns which.
          Effect.catch(() => Effect.undefined),
        )

  const may = yield* stillMay(caller, "analysis:read", request)
  const refused = Effect.repeat(Effect.delay(may, recheck), { until: (allowed) => !allowed })

  const news = Stream.unfold({ last: eventId(first), silent: 0, ended: isTerminal(first) }, step).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.interruptWhen(Effect.raceAllFirst([draining.await, Effect.sleep(longestStream), Effect.asVoid(refused)])),
  )
  const events = Stream.concat(Stream.make(encoder.encode("retry: 5000\n\n"), event(first)), news)
  return opaque(
    HttpServerResponse.stream(events, { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } }),
  )
})
