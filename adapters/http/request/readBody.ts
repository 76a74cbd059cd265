import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { HttpSettings } from "../HttpSettings.ts"
import { type Problem, Refusal, requestTimeout, validationProblem } from "./Problem.ts"

const bodyLimit = 1_048_576

const tooLarge: Problem = {
  code: "PAYLOAD_TOO_LARGE",
  message: "The body must not be larger than 1 MB (1,048,576 bytes).",
  headers: { connection: "close" },
}

const fail = (problem: Problem) => new Refusal({ problem })

/**
 * Collects the body in one array. Keeping a million chunks of one byte until the end took 100 MB, and some bodies are
 * read without credentials. What exceeds the limit is discarded, as the connection would be reset otherwise.
 */
const collect = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const overflow = yield* Deferred.make<never, Refusal>()
  let bytes = new Uint8Array(4_096)
  let length = 0
  const append = (chunk: Uint8Array): void => {
    if (length + chunk.length > bodyLimit) {
      length = Infinity
      bytes = new Uint8Array()
      Deferred.doneUnsafe(overflow, Effect.fail(fail(tooLarge)))
      return
    }
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.max(length + chunk.length, 2 * bytes.length))
      larger.set(bytes)
      bytes = larger
    }
    bytes.set(chunk, length)
    length += chunk.length
  }
  // A fiber of its own, which ends with the connection: an interrupted reader would destroy it without saying why.
  const reading = yield* request.stream.pipe(
    Stream.runForEach((chunk) => Effect.sync(() => append(chunk))),
    Effect.mapError(() => fail(validationProblem("The body could not be read."))),
    Effect.forkDetach,
  )
  yield* Effect.raceFirst(Fiber.join(reading), Deferred.await(overflow))
  return bytes.subarray(0, length)
})

/** Reads a body of at most 1 MB within 15 seconds. */
export const readBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) return yield* fail(tooLarge)
  const { bodyTimeout } = yield* HttpSettings
  return yield* collect(request).pipe(
    Effect.timeoutOrElse({
      duration: bodyTimeout,
      orElse: () => fail(requestTimeout(`The body did not arrive within ${Duration.toSeconds(bodyTimeout)} seconds.`)),
    }),
  )
})
