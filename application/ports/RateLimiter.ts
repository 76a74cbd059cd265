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

/** Counts requests in fixed windows. It never fails: an unavailable limiter must not make the service unavailable. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts one request of `subject` (a user id or an IP address) in `window`. */
    readonly consume: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** Counts only in this process, for requests that must not wait for anything. */
    readonly consumeHere: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** Refunds one counted request that failed because of a fault of ours. */
    readonly giveBack: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
    /** The state, without counting a request. */
    readonly peek: (window: RateWindow, subject: string, limit: number) => Effect.Effect<WindowState>
  }
>()("assay/application/RateLimiter") {}

/** A counter of a window that has not ended. */
export interface LocalCounter {
  /** `<window>:<subject>` */
  readonly key: string
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly resetsAt: number
}

/** A limiter of one process that substitutes for the shared one, continuing from its counts. */
export class LocalRateLimiter extends Context.Service<
  LocalRateLimiter,
  RateLimiter["Service"] & {
    /** Takes over the shared limiter's counts, and returns the state of the window. */
    readonly adopt: (
      window: RateWindow,
      subject: string,
      limit: number,
      used: number,
      resetsAt: number,
    ) => Effect.Effect<WindowState>
    /** The counts of windows that have not ended. */
    readonly known: (window: RateWindow, subject: string) => Omit<LocalCounter, "key"> | undefined
    readonly counters: Effect.Effect<ReadonlyArray<LocalCounter>>
  }
>()("assay/application/LocalRateLimiter") {}
