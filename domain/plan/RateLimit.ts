import { plans, type PlanId } from "./Plan.ts"

/** Which requests are counted together. */
export const rateWindows = [
  "read",
  "session",
  "create",
  "administration",
  "decisions",
  "sync",
  "billing",
  "authentication",
  "public",
] as const
export type RateWindow = (typeof rateWindows)[number]

/** Length of every window, in milliseconds. */
export const windowLength = 3_600_000

/**
 * Requests per hour that a window allows; only `read` depends on the plan. The dashboard's reads in a browser session
 * are `session`, so that its pages work on every plan.
 */
export const windowLimit = (window: RateWindow, plan: PlanId): number => {
  switch (window) {
    case "read":
      return plans[plan].readsPerHour
    case "session":
      return 1500
    case "create":
    case "administration":
      return 60
    case "decisions":
      return 1000
    case "sync":
      return 10
    case "billing":
      return 20
    case "authentication":
      return 30
    case "public":
      return 600
  }
}

/** A caller's state in a window or in the month's quota. */
export interface WindowReading {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds since the epoch. */
  readonly resetsAt: number
}

/** Whole seconds until a window resets, at least 1: a caller that waits this long finds it reset. */
export const retryAfter = (resetsAt: number, now: number): number => Math.max(1, Math.ceil((resetsAt - now) / 1000))

/** `scans` is the month's quota; `streams` and `downloads` are what one user may have open at a time. */
export type WindowName = RateWindow | "scans" | "streams" | "downloads"

/**
 * The rate-limit headers of a response: the three of the API, and the IETF's two
 * (draft-ietf-httpapi-ratelimit-headers-10). `length` and `now` are in milliseconds.
 */
export const rateLimitHeaders = (
  name: WindowName,
  { limit, remaining, resetsAt }: WindowReading,
  now: number,
  length: number = windowLength,
): Readonly<Record<string, string>> => {
  const left = Math.max(0, remaining)
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": String(Math.ceil(resetsAt / 1000)),
    ratelimit: `"${name}";r=${left};t=${Math.max(0, Math.ceil((resetsAt - now) / 1000))}`,
    "ratelimit-policy": `"${name}";q=${limit};w=${Math.ceil(length / 1000)}`,
  }
}
