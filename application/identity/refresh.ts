import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AccessTokens } from "../ports/identity/AccessTokens.ts"
import { RefreshRefused, Sessions } from "../ports/identity/Sessions.ts"
import { hashSecret, newSecret } from "./secret.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

export const refreshLifetime = Duration.days(30)

const prefix = "assay_rt_"
const shape = /^assay_rt_[A-Za-z0-9_-]{43}$/

/** An access token and a refresh token for a user who has signed in. */
export const issueTokens = Effect.fn("issueTokens")(function* (userId: UserId, sessionHash: string | undefined) {
  const sessions = yield* Sessions
  const tokens = yield* AccessTokens
  const { secret, hash } = yield* newSecret(prefix)
  const signInId = yield* sessions.startRefresh(userId, sessionHash, hash, refreshLifetime)
  return { ...(yield* tokens.issue(userId, signInId)), refreshToken: secret }
})

/** Exchanges a refresh token for a new pair, once. Using it again revokes everything derived from it. */
export const refreshTokens = Effect.fn("refreshTokens")(function* (refreshToken: string) {
  if (!shape.test(refreshToken)) return yield* new RefreshRefused({ reused: false })
  const sessions = yield* Sessions
  const tokens = yield* AccessTokens
  const successor = yield* newSecret(prefix)
  const { userId, signInId } = yield* sessions.exchangeRefresh(
    hashSecret(refreshToken),
    successor.hash,
    refreshLifetime,
  )
  return { ...(yield* tokens.issue(userId, signInId)), refreshToken: successor.secret }
})

/** Revokes everything from the same sign-in, including access tokens. An invalid token counts as revoked. */
export const revokeRefreshToken = Effect.fn("revokeRefreshToken")(function* (refreshToken: string) {
  if (!shape.test(refreshToken)) return
  const sessions = yield* Sessions
  yield* sessions.revokeRefresh(hashSecret(refreshToken))
})
