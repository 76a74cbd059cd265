import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type { Scope } from "../../domain/identity/Caller.ts"
import { apiKeyEntropy, apiKeyPrefix, formatApiKey } from "../../domain/identity/ApiKey.ts"
import { Accounts } from "../ports/identity/Accounts.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** Hex SHA-256 of a key: all that is stored of it. A key has 178 random bits, so a plain hash is enough. */
export const hashApiKey = (key: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))),
    (digest) => Hex.encode(new Uint8Array(digest)),
  )

/** Creates an API key for a user. The key itself is returned only here and stored nowhere. */
export const issueApiKey = Effect.fn("issueApiKey")(function* (options: {
  readonly userId: UserId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}) {
  const accounts = yield* Accounts
  const key = formatApiKey(crypto.getRandomValues(new Uint8Array(apiKeyEntropy)))
  const hash = yield* hashApiKey(key)
  const { apiKeyId } = yield* Effect.catchTags(
    accounts.createApiKey({ ...options, hash, prefix: apiKeyPrefix(key) }, undefined),
    // For keys that another key requests.
    { GrantExceeded: Effect.die, CredentialsEnded: Effect.die },
  )
  return { apiKeyId, apiKey: key }
})
