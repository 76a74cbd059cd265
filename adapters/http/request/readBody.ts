import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpSettings } from "../HttpSettings.ts"
import { type Problem, Refusal, requestTimeout, validationProblem } from "./Problem.ts"

const bodyLimit = ByteSize.mebibytes(1)

const tooLarge: Problem = {
  code: "PAYLOAD_TOO_LARGE",
  message: "The body must not be larger than 1 MB (1,048,576 bytes).",
  headers: { connection: "close" },
}

const fail = (problem: Problem) => new Refusal({ problem })

/**
 * Reads a body of at most 1 MB within 15 seconds. A fiber of its own reads it and ends with the connection: an
 * interrupted reader would destroy the connection without telling anybody why.
 */
export const readBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (Number(request.headers["content-length"] ?? 0) > ByteSize.toNumberUnsafe(bodyLimit)) return yield* fail(tooLarge)
  const { bodyTimeout } = yield* HttpSettings
  const reading = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimit),
    Effect.mapError((error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? fail(tooLarge)
        : fail(validationProblem("The body could not be read.")),
    ),
    Effect.forkDetach,
  )
  const body = yield* Fiber.join(reading).pipe(
    Effect.timeoutOrElse({
      duration: bodyTimeout,
      orElse: () => fail(requestTimeout(`The body did not arrive within ${Duration.toSeconds(bodyTimeout)} seconds.`)),
    }),
  )
  return new Uint8Array(body)
})
