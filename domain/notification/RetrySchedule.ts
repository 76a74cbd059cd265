const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds to wait after the first, second and each further failed attempt: about three days in total. */
export const retryDelays: ReadonlyArray<number> = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Attempts since the event, or since the last redelivery, after which a delivery is given up. */
export const maxDeliveryAttempts = retryDelays.length + 1

/** No receiver can delay an attempt longer than this. */
const longestDelay = 24 * hour

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
      /** Milliseconds from now. */
      readonly delay: number
    }

/**
 * Milliseconds requested by a `Retry-After`, as seconds or as a date (RFC 9110 §10.2.3); undefined if it is neither.
 */
export const retryAfterDelay = (header: string, now: number): number | undefined => {
  const text = header.trim()
  if (/^\d+$/.test(text)) return Math.min(longestDelay, Number(text) * second)
  if (!/^[A-Za-z]+, .*GMT$/.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.min(longestDelay, Math.max(0, date - now))
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
  return { outcome: "retried", delay: Math.max(delay, asked ?? 0) }
}
