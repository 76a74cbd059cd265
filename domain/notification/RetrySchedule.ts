import * as Duration from "effect/Duration"

/** How long to wait after the first, second and each further failed attempt: about three days in total. */
export const retryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24),
]

/** Attempts since the event, or since the last redelivery, after which a delivery is given up. */
export const maxDeliveryAttempts = retryDelays.length + 1

/** No receiver can delay an attempt longer than this. */
const longestDelay = Duration.hours(24)

/** A receiver's response. */
export interface Reply {
  readonly statusCode: number
  /** The raw `Retry-After` header. */
  readonly retryAfter: string | undefined
}

/** The consequence of an attempt. */
export type Verdict =
  | { readonly outcome: "delivered" }
  | { readonly outcome: "given_up" }
  | {
      readonly outcome: "retried"
      readonly delay: Duration.Duration
    }

/**
 * The delay requested by a `Retry-After`, as seconds or as a date (RFC 9110 §10.2.3); undefined if it is neither.
 */
export const retryAfterDelay = (header: string, now: number): Duration.Duration | undefined => {
  const text = header.trim()
  if (/^\d+$/.test(text)) return Duration.min(longestDelay, Duration.seconds(Number(text)))
  if (!/^[A-Za-z]+, .*GMT$/.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Duration.min(longestDelay, Duration.millis(Math.max(0, date - now)))
}

/**
 * The decision after attempt number `attempt` (1 for the first); `reply` is undefined if there was none. 2xx is success
 * and 410 the end; everything else, including redirects, is retried while attempts remain. `Retry-After` can lengthen a
 * delay but never shorten it: a short outage must not use up three days of attempts.
 */
export const verdictOn = (reply: Reply | undefined, attempt: number, now: number): Verdict => {
  if (reply !== undefined && reply.statusCode >= 200 && reply.statusCode < 300) return { outcome: "delivered" }
  const delay = retryDelays[attempt - 1]
  if (reply?.statusCode === 410 || delay === undefined) return { outcome: "given_up" }
  const asked = reply?.retryAfter === undefined ? undefined : retryAfterDelay(reply.retryAfter, now)
  return { outcome: "retried", delay: asked === undefined ? delay : Duration.max(delay, asked) }
}
