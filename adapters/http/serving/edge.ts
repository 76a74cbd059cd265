import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { nativeTracer, ParentSpan } from "effect/Tracer"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { clientAddress } from "../request/clientAddress.ts"
import { uncharge } from "../limits/count.ts"
import { strayCounter } from "../limits/countStray.ts"
import { Draining } from "../Draining.ts"
import { attachExchange, Exchange, windowHeaders } from "../request/Exchange.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { allowedMethods } from "../request/methods.ts"
import { internalError, problemResponse, rateLimited, validationProblem } from "../request/Problem.ts"
import { RequestLog } from "../telemetry/RequestLog.ts"
import { transportObjection } from "../request/transportObjection.ts"

/** A request id that a client may choose: it goes into headers and log lines as it is. */
const acceptableRequestId = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

const single = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.join(",")

const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const unrouted = (exchange: Exchange, request: HttpServerRequest.HttpServerRequest) => {
  const allow = allowedMethods(pathOf(request.url))
  if (allow === undefined) {
    return problemResponse(exchange, { code: "NOT_FOUND", message: "No such endpoint. See GET /docs for a list." })
  }
  if (allow.split(", ").includes(request.method === "OPTIONS" ? "" : request.method)) {
    return problemResponse(
      exchange,
      validationProblem("The path is not valid: a segment is too long or incorrectly encoded."),
    )
  }
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: { allow } })
  return problemResponse(exchange, {
    code: "METHOD_NOT_ALLOWED",
    message: `${request.method} is not supported by this path. Supported methods: ${allow}.`,
    headers: { allow },
  })
}

const isUnknownRoute = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      reason._tag === "Fail" &&
      HttpServerError.isHttpServerError(reason.error) &&
      reason.error.reason._tag === "RouteNotFound",
  )

/** The response to a request that ended without one. Client errors are not logged. */
const failureResponse = (
  exchange: Exchange,
  request: HttpServerRequest.HttpServerRequest,
  cause: Cause.Cause<unknown>,
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (HttpServerError.isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return Effect.succeed(unrouted(exchange, request))
      if (error.reason._tag === "RequestParseError") {
        return Effect.succeed(problemResponse(exchange, validationProblem("The request could not be read.")))
      }
    }
  }
  return Effect.logError("request failed", cause).pipe(
    Effect.annotateLogs({ requestId: exchange.requestId }),
    Effect.as(problemResponse(exchange, internalError)),
  )
}

/**
 * The response with these headers, all in lower case, instead of its own. `HttpServerResponse.setHeaders` goes through
 * them three times, which took 1.5 µs per request.
 */
const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Headers.Headers,
): HttpServerResponse.HttpServerResponse =>
  Object.assign(Object.create(Object.getPrototypeOf(response)), response, { headers })

/** A request as it arrives, with its id and its address. */
const opened = (
  context: Context.Context<never>,
  { trustedProxies }: Pick<HttpSettings, "trustedProxies">,
  tracing: boolean,
) => {
  const request = Context.getUnsafe(
    context as Context.Context<HttpServerRequest.HttpServerRequest>, // the server provides it
    HttpServerRequest.HttpServerRequest,
  )
  // Served by Node alone, whose headers are in lower case: a copy of them costs 1 µs per request.
  const source = request.source as IncomingMessage
  const proposed = single(source.headers["x-request-id"])
  const exchange = new Exchange(
    proposed !== undefined && acceptableRequestId.test(proposed) ? proposed : randomUUID(),
    clientAddress(source.socket.remoteAddress, single(source.headers["x-forwarded-for"]), trustedProxies),
    performance.now(),
  )
  attachExchange(request, exchange)
  if (tracing)
    exchange.traceId = Context.getOrUndefined(
      context as Context.Context<ParentSpan>, // the server's span
      ParentSpan,
    )?.traceId
  return { request, source, exchange }
}

/**
 * Every request and every response passes through here: the request gets its id and address, and the response its
 * headers, whether a handler, a refusal, an unknown route or a defect produced it.
 */
export const edge = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const settings = yield* HttpSettings
    const log = yield* RequestLog
    const draining = yield* Draining
    const countStray = yield* strayCounter
    const tracing = (yield* Effect.tracer) !== nativeTracer

    const finish = (
      exchange: Exchange,
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse,
    ) => {
      log.metrics.inFlight--
      log.write(exchange, request.method, pathOf(request.url), response.status)
      const headers: Record<string, string> = Object.create(Headers.empty)
      headers["cache-control"] = "no-store"
      Object.assign(headers, response.headers)
      headers["x-request-id"] = exchange.requestId
      headers["x-content-type-options"] = "nosniff"
      if (exchange.window !== undefined) Object.assign(headers, windowHeaders(exchange.window))
      if (draining.begun) headers["connection"] = "close"
      // Made from the empty headers, it is what it says.
      return withHeaders(response, headers as Headers.Headers)
    }

    /** Files of the site carry the public window's headers and do not consume it. */
    const served = (
      exchange: Exchange,
      request: HttpServerRequest.HttpServerRequest,
      cause: Cause.Cause<unknown>,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      const file = isUnknownRoute(cause) ? settings.site?.respond(request, pathOf(request.url)) : undefined
      if (file === undefined) return failureResponse(exchange, request, cause)
      exchange.route = "site"
      return Effect.as(uncharge(limiter, exchange), file)
    }

    const complete = (
      exchange: Exchange,
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      if (exchange.ourFault) return Effect.map(uncharge(limiter, exchange), () => finish(exchange, request, response))
      if (exchange.window !== undefined) return Effect.succeed(finish(exchange, request, response))
      return Effect.map(countStray(exchange, request), (allowed) =>
        finish(exchange, request, allowed ? response : problemResponse(exchange, rateLimited(exchange))),
      )
    }

    return Effect.withFiber<HttpServerResponse.HttpServerResponse, never, R>((fiber) => {
      const { request, source, exchange } = opened(fiber.context, settings, tracing)
      log.metrics.inFlight++
      const objection = transportObjection(source, pathOf(request.url))
      if (objection !== undefined) return complete(exchange, request, problemResponse(exchange, objection))
      return Effect.matchCauseEffect(app, {
        onSuccess: (response) => complete(exchange, request, response),
        onFailure: (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.suspend(() => {
                log.metrics.inFlight--
                return Effect.interrupt
              })
            : Effect.flatMap(served(exchange, request, cause), (response) => complete(exchange, request, response)),
      })
    })
  })
