import { randomUUID } from "node:crypto"
import { type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { clientAddress } from "./clientAddress.ts"
import { errorStatus } from "./contract/errors.ts"
import { count } from "./count.ts"
import { Exchange, windowHeaders } from "./Exchange.ts"
import { envelope, type Problem, rateLimited, validationProblem } from "./Problem.ts"
import { RequestLog } from "./RequestLog.ts"

const problemOf = (code: string | undefined): Problem => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return validationProblem("The request line and headers are larger than 16 kB.")
    case "ERR_HTTP_REQUEST_TIMEOUT":
      // Nothing is wrong with it: the client may be slow, and so may we have been, or stopped altogether.
      return { code: "REQUEST_TIMEOUT", message: "The request did not arrive in time. Send it again." }
    default:
      return validationProblem("This is not a valid HTTP/1.1 request.")
  }
}

/** Answers what Node's parser refuses, which never reaches the routes, like every other error. */
export const answerMalformed = Effect.fnUntraced(function* (server: Server) {
  const limiter = yield* RateLimiter
  const log = yield* RequestLog
  const run = Effect.runForkWith(yield* Effect.context())

  const respond = (error: NodeJS.ErrnoException, socket: Duplex & { readonly remoteAddress?: string }) =>
    Effect.gen(function* () {
      const exchange = new Exchange(randomUUID(), clientAddress(socket.remoteAddress, undefined, 0), performance.now())
      const allowed = yield* count(limiter.consume, exchange, "public", exchange.address, "basic")
      const problem = allowed ? problemOf(error.code) : rateLimited(exchange)
      const status = errorStatus[problem.code]
      const body = JSON.stringify(envelope(exchange.requestId, problem))
      const headers = {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "x-request-id": exchange.requestId,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        ...windowHeaders(exchange.window!),
        ...problem.headers,
        connection: "close",
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      log.write(exchange, "-", "malformed", status)
      if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`)
    })

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    run(respond(error, socket))
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => server.on("clientError", onClientError)),
    () => Effect.sync(() => server.off("clientError", onClientError)),
  )
})
