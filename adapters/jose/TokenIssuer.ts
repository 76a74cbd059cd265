import * as Schema from "effect/Schema"

/** Another issuer of access tokens: its name in `iss`, the required `aud`, and the location of its keys. */
export const TrustedIssuer = Schema.Struct({
  issuer: Schema.NonEmptyString,
  audience: Schema.NonEmptyString,
  jwksUrl: Schema.NonEmptyString,
})
export type TrustedIssuer = typeof TrustedIssuer.Type

/** Issuer and audience of our own tokens. */
export interface OwnIssuer {
  readonly issuer: string
  readonly audience: string
}

const isLoopback = (hostname: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname)

/** Why these issuers cannot be trusted together with our own one; undefined if they can. */
export const checkTrustedIssuers = (own: string, trusted: ReadonlyArray<TrustedIssuer>): string | undefined => {
  const seen = new Set([own])
  for (const { issuer, jwksUrl } of trusted) {
    if (/\s/.test(issuer)) return `the issuer ${JSON.stringify(issuer)} contains a space`
    if (seen.has(issuer)) return `the issuer ${issuer} occurs twice, or is this service's own`
    seen.add(issuer)
    const url = URL.canParse(jwksUrl) ? new URL(jwksUrl) : undefined
    if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLoopback(url.hostname))) {
      return `the jwksUrl of ${issuer} must be an https URL`
    }
  }
  return undefined
}

/** Asymmetric only, so that a public key can never serve as a shared secret. */
export const algorithms = ["EdDSA", "Ed25519", "ES256"]

/** RFC 9068: an ID token or a logout token of the same issuer is not an access token. */
export const tokenType = "at+jwt"

/** Maximum clock skew in seconds between two machines. */
export const clockTolerance = 5
