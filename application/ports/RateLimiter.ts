import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RateWindow } from "../../domain/plan/RateLimit.ts"

/** The state of a window after a request was counted. */
export interface WindowState {
  readonly limit: number
  /** Never negative. */
  readonly remaining: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetsAt: number
  readonly allowed: boolean
}

/** Counts requests in fixed windows. It never fails: a limiter that is down must not take the service with it. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts one request of `subject` (a user id or an IP address) in `window`. */
    readonly consume: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** Counts in this process alone: for what must wait for nothing. */
    readonly consumeHere: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** Takes back one request that was counted, because it failed by a fault of ours. */
    readonly giveBack: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** The state without counting. */
    readonly peek: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
  }
>()("assay/application/RateLimiter") {}

/** One counter of a window that has not ended. */
export interface LocalCounter {
  /** `<window>:<subject>` */
  readonly key: string
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly resetsAt: number
}

/** A limiter of one process that stands in for the one which all processes share, and goes on where that one stood. */
export class LocalRateLimiter extends Context.Service<
  LocalRateLimiter,
  RateLimiter["Service"] & {
    /** Takes over what the shared limiter counted, and answers with the state of the window. */
    readonly adopt: (
      window: RateWindow,
      subject: string,
      limit: number,
      used: number,
      resetsAt: number,
    ) => Effect.Effect<WindowState>
    /** What was counted in a window that has not ended. */
    readonly known: (window: RateWindow, subject: string) => Omit<LocalCounter, "key"> | undefined
    readonly counters: Effect.Effect<ReadonlyArray<LocalCounter>>
  }
>()("assay/application/LocalRateLimiter") {}
