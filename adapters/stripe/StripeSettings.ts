import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"

export interface StripeSettings {
  readonly secretKey: Redacted.Redacted
  readonly webhookSecret: Redacted.Redacted
  /** Price of one seat of the pro plan for a month. */
  readonly pricePro: string
  /** Base URL of the API, for a test server; Stripe's own if undefined. */
  readonly apiBase: URL | undefined
  /** Our URL as seen by browsers, without a trailing slash: the payment pages return there. */
  readonly publicUrl: string
  /** How long a first subscription is free, in whole days; zero for not at all. */
  readonly trial: Duration.Duration
}

const isLoopback = (hostname: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname)

/** Why the secret key must not be sent there; undefined if it may be. */
export const objectionToApiBase = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return `${JSON.stringify(text)} is not a URL`
  if (url.pathname !== "/" || url.search !== "" || url.username !== "") return "give a scheme, a host and a port only"
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
    ? undefined
    : "http is for loopback addresses only"
}
