import {
  HostingTokenRefused,
  HostingUnavailable,
  type HostingError,
} from "../../application/ports/repositories/CodeHost.ts"

/** Seconds before a retry if the service does not say. */
const outageRetry = 30
/** GitHub's own advice for a secondary rate limit without `retry-after`. */
const limitRetry = 60
const longestRetry = 3_600

const seconds = (text: string | number | undefined): number | undefined => {
  const value = Number(text)
  return text !== undefined && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined
}

const bounded = (wait: number): number => Math.min(longestRetry, Math.max(1, wait))

type Headers = Readonly<Record<string, string | number | undefined>>

/**
 * Seconds until a rate limit ends; undefined if the response is not one.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
const limitEnds = (status: number, headers: Headers, message: string, now: number): number | undefined => {
  if (status !== 403 && status !== 429) return undefined
  const after = seconds(headers["retry-after"])
  if (after !== undefined) return bounded(after)
  const reset = seconds(headers["x-ratelimit-reset"])
  if (seconds(headers["x-ratelimit-remaining"]) === 0) {
    return reset === undefined ? limitRetry : bounded(reset - Math.floor(now / 1000))
  }
  return status === 429 || /rate limit|abuse/i.test(message) ? limitRetry : undefined
}

const list = (header: string | number | undefined): ReadonlyArray<string> =>
  String(header ?? "")
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "")

const refusal = (headers: Headers): string => {
  const [needed, has] = [list(headers["x-accepted-oauth-scopes"]), list(headers["x-oauth-scopes"])]
  if (headers["x-github-sso"] !== undefined) {
    return "The hosting token is not authorized for single sign-on of an organization. Authorize it on the hosting service, or set another one in the settings."
  }
  return needed.length === 0
    ? "The hosting token is not allowed to list repositories: grant it read access to repositories, or set another one in the settings."
    : `The hosting token lacks a scope: one of ${needed.join(", ")} is needed, and it has ${has.length === 0 ? "none" : has.join(", ")}. Set another one in the settings.`
}

/** A response that octokit turned into an error (`RequestError`). */
interface RefusedRequest extends Error {
  readonly status: number
  readonly response: { readonly headers: Headers }
}

/** Recognized by its shape, because octokit is loaded lazily. */
const isRefused = (error: unknown): error is RefusedRequest =>
  error instanceof Error &&
  error.name === "HttpError" &&
  "status" in error &&
  "response" in error &&
  error.response !== undefined

export const isNotModified = (error: unknown): boolean => isRefused(error) && error.status === 304

/** What a failed request means for the user. `now` in milliseconds; the service's own words are not passed on. */
export const explainHostFailure = (error: unknown, host: string, now: number): HostingError => {
  const unavailable = (message: string, retryAfter: number) => new HostingUnavailable({ message, retryAfter })
  if (!isRefused(error)) {
    return unavailable(`${host} is unreachable or did not respond in time. Try again later.`, outageRetry)
  }
  const { status } = error
  const { headers } = error.response
  const limited = limitEnds(status, headers, error.message, now)
  if (limited !== undefined) {
    return new HostingUnavailable({
      message: `The rate limit of ${host} is exceeded. Try again in ${limited} seconds.`,
      retryAfter: limited,
      limited: true,
    })
  }
  if (status === 401) {
    return new HostingTokenRefused({
      message: `${host} rejected the hosting token: it was revoked, has expired or is wrong. Set a new one in the settings.`,
    })
  }
  if (status === 403 || status === 404) return new HostingTokenRefused({ message: refusal(headers) })
  const after = seconds(headers["retry-after"])
  return unavailable(
    status >= 500
      ? `${host} responded with a server error. Try again later.`
      : `${host} responded with an unexpected status (${status}). Try again later.`,
    after === undefined ? outageRetry : bounded(after),
  )
}
