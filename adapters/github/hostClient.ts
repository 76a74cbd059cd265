import { hash } from "node:crypto"
import type { Octokit } from "@octokit/core"
import * as Duration from "effect/Duration"
import { boundedFetch } from "./boundedFetch.ts"

export interface ClientSettings {
  /** Base of the REST API, such as `https://api.github.com` or `https://ghe.example.com/api/v3`. */
  readonly apiUrl: string
  readonly userAgent: string
  /** For one attempt of a request, including its body. */
  readonly requestTime: Duration.Duration
  /** Before the first retry; the second waits four times as long. */
  readonly retryDelay: Duration.Duration
}

/** Retries if the service responds with 5xx or not at all. */
const retries = 2

/** Maximum rate-limit delay in seconds that is waited for; longer ones are reported to the caller. */
const longestWait = 2

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Sends requests with one token until `signal` aborts. Throttled separately, so that no user waits for another's
 * requests. Octokit is loaded on first use: most processes never query the hosting service.
 */
export const hostClient = async (settings: ClientSettings, token: string, signal: AbortSignal): Promise<Octokit> => {
  const [{ Octokit }, { retry }, { throttling }] = await Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-throttling"),
  ])
  const wait = (retryAfter: number, _options: object, _octokit: object, retryCount: number): boolean =>
    retryAfter <= longestWait && retryCount < 1
  return new (Octokit.plugin(retry, throttling))({
    auth: token,
    baseUrl: settings.apiUrl,
    userAgent: settings.userAgent,
    log: silent,
    request: { fetch: boundedFetch(settings.requestTime, signal) },
    retry: {
      retries,
      retryAfterBaseValue: Duration.toMillis(settings.retryDelay),
      // The throttling plugin handles 429.
      doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
    },
    throttle: { id: hash("sha256", token), onRateLimit: wait, onSecondaryRateLimit: wait },
  })
}
