import type * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { WindowState } from "../../../application/ports/RateLimiter.ts"
import { rateLimitHeaders, type RateWindow, type WindowName } from "../../../domain/plan/RateLimit.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

/** The window in which a request was counted, as described by its response's headers. */
export interface CountedWindow extends WindowState {
  readonly name: WindowName
  /** The length of the window, in milliseconds. */
  readonly length: number
}

/** What a request was charged to, so that it can be refunded. */
export interface Charge {
  readonly window: RateWindow
  readonly subject: string
  readonly limit: number
}

export const windowHeaders = (window: CountedWindow): Readonly<Record<string, string>> =>
  rateLimitHeaders(window.name, window, Date.now(), window.length)

/** What is known about one request and its response while it is being answered. */
export class Exchange {
  readonly requestId: string
  /** The client's address as the limiter counts it. */
  readonly address: string
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number
  window: CountedWindow | undefined = undefined
  charge: Charge | undefined = undefined
  /** The request fails through a fault that is neither the client's nor that of an external service. */
  ourFault = false
  userId: UserId | undefined = undefined
  /** The secret of the session in which the request was made, if there is one. */
  session: string | undefined = undefined
  /** The path's pattern, once routed. */
  route: string | undefined = undefined
  /** The id of the request's trace, if it is traced. */
  traceId: string | undefined = undefined
  /** Answered even if its window is used up. */
  exempt = false

  constructor(requestId: string, address: string, startedAt: number) {
    this.requestId = requestId
    this.address = address
    this.startedAt = startedAt
  }
}

/** Kept on the transport's request, which all views of it share; a service in the context costs three times as much. */
const key = Symbol("assay/http/Exchange")
interface Carrier {
  [key]?: Exchange
}

/** Where the transport keeps a request: a Node object with its headers in lower case. */
export const attachExchange = (request: HttpServerRequest.HttpServerRequest, exchange: Exchange): void => {
  ;(request.source as Carrier)[key] = exchange
}

export const findExchange = (request: HttpServerRequest.HttpServerRequest): Exchange | undefined =>
  (request.source as Carrier)[key]

export const exchangeOf = (request: HttpServerRequest.HttpServerRequest): Exchange => {
  const exchange = findExchange(request)
  if (exchange === undefined) throw new Error("a request did not pass the edge")
  return exchange
}

/** The exchange of the request that the fiber is answering. */
export const CurrentExchange: Effect.Effect<Exchange, never, HttpServerRequest.HttpServerRequest> =
  HttpServerRequest.HttpServerRequest.useSync(exchangeOf)
