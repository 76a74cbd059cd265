import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Caller, Scope } from "../../domain/identity/Caller.ts"
import { scopesBeyond } from "../../domain/identity/KeyGrant.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Accounts } from "../ports/identity/Accounts.ts"
import { newApiKey } from "./secret.ts"
import type { ApiKeyId } from "../../domain/ids/Ids.ts"

/** How long a rotated key keeps working. */
export const rotationOverlap = Duration.hours(24)

const longestLifetime = Duration.days(3 * 366)

/**
 * Creates a key for the caller, shown only once. Its rights and lifetime cannot exceed those of the credentials used.
 */
export const createApiKey = Effect.fn("createApiKey")(function* (
  caller: Caller,
  request: {
    readonly name: string
    readonly scopes: ReadonlyArray<Scope>
    readonly expiresAt: Date | undefined
  },
) {
  const now = yield* Clock.currentTimeMillis
  const beyond = scopesBeyond(request, caller)
  const fields = []
  if (beyond.length > 0) fields.push({ field: "scopes", message: `These credentials lack ${beyond.join(", ")}.` })
  const lifetime = request.expiresAt === undefined ? undefined : request.expiresAt.getTime() - now
  if (lifetime !== undefined && lifetime <= 0) fields.push({ field: "expiresAt", message: "must be in the future" })
  if (lifetime !== undefined && lifetime > Duration.toMillis(longestLifetime)) {
    fields.push({ field: "expiresAt", message: "must be within three years" })
  }
  if (fields.length > 0) return yield* new InvalidInput({ fields })
  const { apiKey, hash, prefix } = yield* newApiKey
  const key = yield* Accounts.use((accounts) =>
    accounts.createApiKey(
      { ...request, scopes: [...new Set(request.scopes)], userId: caller.userId, hash, prefix },
      caller.apiKeyId,
    ),
  ).pipe(
    Effect.catchTag("GrantExceeded", ({ endsAt }) => {
      const message = `must not exceed the lifetime of the key making the request: until ${endsAt?.toISOString() ?? "it is revoked"}`
      return new InvalidInput({ fields: [{ field: "expiresAt", message }] })
    }),
  )
  return { ...key, apiKey }
})

/**
 * Creates a successor with the same name, scopes and lifetime; the old key works for at most 24 more hours. A key can
 * rotate itself and any key that does not exceed it; the successor ends no later than the requesting key, so that no
 * key extends its own life.
 */
export const rotateApiKey = Effect.fn("rotateApiKey")(function* (caller: Caller, apiKeyId: ApiKeyId) {
  const { apiKey, hash, prefix } = yield* newApiKey
  const rotated = yield* Accounts.use((accounts) =>
    accounts.rotateApiKey(caller.userId, apiKeyId, { hash, prefix }, rotationOverlap, caller.apiKeyId),
  )
  return { ...rotated.key, apiKey, previousExpiresAt: rotated.previousExpiresAt }
})
