import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTVerifyGetKey } from "jose"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccessTokens, type TokenSubject } from "../../application/ports/identity/AccessTokens.ts"
import type { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import { SecretVault } from "../../application/ports/identity/SecretVault.ts"
import { SigningKeys } from "../../application/ports/identity/SigningKeys.ts"
import { ownKeys } from "./OwnKeys.ts"
import { remoteKeys } from "./RemoteKeys.ts"
import { algorithms, clockTolerance, type OwnIssuer, tokenType, type TrustedIssuer } from "./TokenIssuer.ts"
import { SignInId } from "../../domain/ids/Ids.ts"

/** Seconds. */
const lifetime = 15 * 60

/**
 * Milliseconds for which a verified token is accepted without verifying it again, and the maximum number of such
 * tokens.
 */
const verifiedFor = 60_000
const mostVerified = 10_000

/** Maximum length in characters of a token that is parsed. Our own have some 400. */
const longestToken = 8_192
const longestSubject = 255

/** Headers that supply or name a key chosen by the token, or change what is signed. */
const refusedHeaders = ["jku", "jwk", "x5u", "x5c", "crit", "b64"]

interface Verifier {
  readonly issuer: string
  readonly audience: string
  readonly own: boolean
  readonly current: Effect.Effect<JWTVerifyGetKey | undefined, StoreUnavailable>
  readonly refresh: Effect.Effect<boolean, StoreUnavailable>
}

/** The issuer that a token claims to be from; nothing has been verified yet. */
const claimedIssuer = (token: string): string | undefined => {
  if (token.length > longestToken) return undefined
  try {
    const header = decodeProtectedHeader(token)
    if (refusedHeaders.some((name) => name in header)) return undefined
    const { iss } = decodeJwt(token)
    return typeof iss === "string" ? iss : undefined
  } catch {
    return undefined
  }
}

/** A verified token and when it expires, in milliseconds. */
interface Verified {
  readonly subject: TokenSubject
  readonly expiresAt: number
}
type Verdict = Verified | "unknown key" | "invalid"

const check = (token: string, keys: JWTVerifyGetKey, verifier: Verifier, now: number): Effect.Effect<Verdict> =>
  Effect.promise(async () => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        issuer: verifier.issuer,
        audience: verifier.audience,
        typ: tokenType,
        requiredClaims: ["sub", "exp"],
        clockTolerance,
        currentDate: new Date(now),
      })
      // The library checks none of these: a number, or a text that databases cannot store, may be signed as well.
      const subject: unknown = payload.sub
      if (typeof subject !== "string" || subject === "" || subject.length > longestSubject) return "invalid"
      if (subject.includes("\0") || !subject.isWellFormed()) return "invalid"
      return {
        subject: {
          issuer: verifier.own ? undefined : verifier.issuer,
          subject,
          ...(verifier.own && typeof payload["sid"] === "string" ? { signInId: SignInId.make(payload["sid"]) } : {}),
        },
        expiresAt: (payload.exp ?? 0) * 1000,
      }
    } catch (error) {
      return error instanceof errors.JWKSNoMatchingKey ? "unknown key" : "invalid"
    }
  })

const make = Effect.fnUntraced(function* (own: OwnIssuer, trusted: ReadonlyArray<TrustedIssuer>) {
  const keys = ownKeys(yield* SigningKeys, yield* SecretVault)
  const verifiers = new Map<string, Verifier>()
  for (const { issuer, audience, jwksUrl } of trusted) {
    verifiers.set(issuer, { issuer, audience, own: false, ...remoteKeys(jwksUrl) })
  }
  verifiers.set(own.issuer, { ...own, own: true, current: keys.current, refresh: keys.refresh })

  const verifyAnew = Effect.fnUntraced(function* (token: string) {
    const issuer = claimedIssuer(token)
    const verifier = issuer === undefined ? undefined : verifiers.get(issuer)
    if (verifier === undefined) return Option.none<Verified>()
    const now = yield* Clock.currentTimeMillis
    const known = yield* verifier.current
    if (known === undefined) return Option.none<Verified>()
    let verdict = yield* check(token, known, verifier, now)
    if (verdict === "unknown key" && (yield* verifier.refresh)) {
      const renewed = yield* verifier.current
      if (renewed !== undefined) verdict = yield* check(token, renewed, verifier, now)
    }
    return typeof verdict === "string" ? Option.none<Verified>() : Option.some(verdict)
  })

  // Verifying takes 0.1 to 0.4 ms on a separate thread, and a client sends the same token many times.
  const verified = new Map<string, { readonly subject: Option.Option<TokenSubject>; readonly until: number }>()
  const verify = (token: string): Effect.Effect<Option.Option<TokenSubject>, StoreUnavailable> =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const before = verified.get(token)
      if (before !== undefined && before.until > now) return Effect.succeed(before.subject)
      return Effect.map(verifyAnew(token), (found) => {
        const subject = Option.map(found, (one) => one.subject)
        if (Option.isSome(found)) {
          if (verified.size >= mostVerified) verified.clear()
          verified.set(token, { subject, until: Math.min(found.value.expiresAt, now + verifiedFor) })
        }
        return subject
      })
    })

  return AccessTokens.of({
    issue: Effect.fn("AccessTokens.issue")(function* (userId, signInId) {
      const { keyId, key } = yield* keys.signer
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const accessToken = yield* Effect.promise(() =>
        new SignJWT(signInId === undefined ? {} : { sid: signInId })
          .setProtectedHeader({ alg: "EdDSA", typ: tokenType, kid: keyId })
          .setIssuer(own.issuer)
          .setAudience(own.audience)
          .setSubject(userId)
          .setIssuedAt(now)
          .setExpirationTime(now + lifetime)
          .setJti(crypto.randomUUID())
          .sign(key),
      )
      return { accessToken, expiresIn: lifetime }
    }),
    verify,
    publicKeys: Effect.map(keys.publicKeys, (publicKeys) => ({ keys: publicKeys })),
    rotate: keys.rotate.pipe(Effect.withSpan("AccessTokens.rotate")),
  })
})

/** Tokens of our own issuer and of other trusted ones. */
export const layer = (own: OwnIssuer, trusted: ReadonlyArray<TrustedIssuer> = []) =>
  Layer.effect(AccessTokens, make(own, trusted))
