import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

/** What was wrong: no credentials, an unknown key, access token or session, or a change without its CSRF token. */
const kinds = ["missing", "api_key", "access_token", "session", "csrf"] as const
export type FailureKind = (typeof kinds)[number]

const failures = Metric.counter("assay_authentication_failures_total", {
  description: "Requests with rejected credentials, by kind.",
  incremental: true,
})

const series = Object.fromEntries(kinds.map((kind) => [kind, Metric.withAttributes(failures, { kind })]))

/** Counts one request; into the default registry, which needs no context. */
export const authenticationFailed = (kind: FailureKind): void => series[kind]!.updateUnsafe(1, Context.empty())

/** Every series at zero: a rate over a counter that begins with its first event misses that event. */
export const announceAuthenticationFailures = (): void => {
  for (const one of Object.values(series)) one.updateUnsafe(0, Context.empty())
}
