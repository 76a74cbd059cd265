import * as Effect from "effect/Effect"
import type { Scope } from "../../domain/identity/Caller.ts"
import { Accounts } from "../ports/identity/Accounts.ts"
import { newApiKey } from "./secret.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** Creates an API key for a user. The key itself is returned only here and stored nowhere. */
export const issueApiKey = Effect.fn("issueApiKey")(function* (options: {
  readonly userId: UserId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}) {
  const accounts = yield* Accounts
  const { apiKey, hash, prefix } = yield* newApiKey
  const { apiKeyId } = yield* Effect.catchTags(
    accounts.createApiKey({ ...options, hash, prefix }, undefined),
    // For keys that another key requests.
    { GrantExceeded: Effect.die, CredentialsEnded: Effect.die },
  )
  return { apiKeyId, apiKey }
})
