import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import { HttpSettings } from "./HttpSettings.ts"
import { type Problem, Refusal, requestTimeout, validationProblem } from "./Problem.ts"

/** Bytes. */
const bodyLimit = 1_048_576

const tooLarge: Problem = {
  code: "PAYLOAD_TOO_LARGE",
  message: "The body must not be larger than 1 MB (1,048,576 bytes).",
  headers: { connection: "close" },
}

const broken = validationProblem("The body could not be read.")

/**
 * Reads a body of at most 1 MB within 15 seconds. From Node's request itself: the platform's reader destroys the
 * connection when it is interrupted, so that nobody would hear why.
 */
export const readBody = (source: IncomingMessage): Effect.Effect<Uint8Array, Refusal> =>
  Effect.flatMap(HttpSettings, ({ bodyTimeout }) =>
    Effect.callback((resume) => {
      const chunks: Array<Buffer> = []
      let size = 0
      const leave = () => {
        clearTimeout(timer)
        source.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
        // What still comes is not kept.
        source.resume()
      }
      const fail = (problem: Problem) => {
        leave()
        resume(Effect.fail(new Refusal({ problem })))
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > bodyLimit) fail(tooLarge)
        else chunks.push(chunk)
      }
      const onEnd = () => {
        leave()
        resume(Effect.succeed(Buffer.concat(chunks)))
      }
      const onBroken = () => fail(broken)
      const timer = setTimeout(
        () => fail(requestTimeout(`The body did not arrive within ${bodyTimeout / 1000} seconds.`)),
        bodyTimeout,
      )
      if (Number(source.headers["content-length"] ?? 0) > bodyLimit) fail(tooLarge)
      else source.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken)
      return Effect.sync(leave)
    }),
  )
