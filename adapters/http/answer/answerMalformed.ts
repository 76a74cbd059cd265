import { randomUUID } from "node:crypto"
import { type IncomingMessage, type OutgoingMessage, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { clientAddress } from "../request/clientAddress.ts"
import { errorStatus } from "../contract/errors.ts"
import { count } from "../limits/count.ts"
import { Exchange, windowHeaders } from "../request/Exchange.ts"
import { everyMethod } from "../request/methods.ts"
import { envelope, type Problem, rateLimited, requestTimeout, validationProblem } from "../request/Problem.ts"
import { RequestLog } from "../telemetry/RequestLog.ts"

const problemOf = (code: string | undefined): Problem => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return validationProblem("The request line and headers are larger than 16 kB.")
    case "ERR_HTTP_REQUEST_TIMEOUT":
      // Nothing is wrong with it: the client may be slow, and so may we have been, or stopped altogether.
      return requestTimeout("The request did not arrive in time.")
    default:
      return validationProblem("This is not a valid HTTP/1.1 request.")
  }
}

const noTunnel: Problem = {
  code: "METHOD_NOT_ALLOWED",
  message: "CONNECT is not allowed: this is not a proxy.",
  headers: { allow: everyMethod },
}

/** Node's response on a connection, which its own handler of such errors asks as well. */
interface Answering {
  readonly _httpMessage?: OutgoingMessage | null
}

/**
 * Answers requests that never reach the routes because Node's parser rejects or diverts them, like every other error.
 */
export const answerMalformed = Effect.fnUntraced(function* (server: Server) {
  const limiter = yield* RateLimiter
  const log = yield* RequestLog
  const run = Effect.runForkWith(yield* Effect.context())

  const respond = (wrong: Problem, socket: Duplex & { readonly remoteAddress?: string }) =>
    Effect.gen(function* () {
      const exchange = new Exchange(randomUUID(), clientAddress(socket.remoteAddress, undefined, 0), performance.now())
      const allowed = yield* count(limiter.consume, exchange, "public", exchange.address, "basic")
      const problem = allowed ? wrong : rateLimited(exchange)
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
    // In the middle of a response, such as a stream whose request never ends, no other one may begin.
    const responding = (socket as Answering)._httpMessage?.headersSent === true
    if (error.code === "ECONNRESET" || !socket.writable || responding) {
      socket.destroy()
      return
    }
    run(respond(problemOf(error.code), socket))
  }
  const onConnect = (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy())
    run(respond(noTunnel, socket))
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => server.on("clientError", onClientError).on("connect", onConnect)),
    () => Effect.sync(() => server.off("clientError", onClientError).off("connect", onConnect)),
  )
})
