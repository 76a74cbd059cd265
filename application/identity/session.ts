import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Sessions } from "../ports/identity/Sessions.ts"
import { hashSecret, newSecret } from "./secret.ts"
import type { UserId, ApiKeyId } from "../../domain/ids/Ids.ts"

export const sessionLifetime = Duration.days(7)

const shape = /^[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of a session secret. */
export const isSessionSecret = (text: string): boolean => shape.test(text)

/**
 * The token that a session's state-changing requests must send. It can be derived only from the session's secret,
 * but the secret not from it, so pages may keep it where scripts can read it.
 */
export const csrfTokenOf = (secret: string): string => hashSecret(`csrf:${secret}`)

/** Opens a session with a new secret; the browser's previous session, if any, ends. */
export const openSession = Effect.fn("openSession")(function* (
  userId: UserId,
  previous: string | undefined,
  apiKeyId?: ApiKeyId,
) {
  const sessions = yield* Sessions
  if (previous !== undefined && isSessionSecret(previous)) yield* sessions.close(hashSecret(previous))
  const { secret, hash } = yield* newSecret()
  yield* sessions.open(userId, hash, sessionLifetime, apiKeyId)
  return secret
})

export const closeSession = Effect.fn("closeSession")(function* (secret: string) {
  const sessions = yield* Sessions
  if (isSessionSecret(secret)) yield* sessions.close(hashSecret(secret))
})
