import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  type Accounts,
  type ApiKeyItem,
  ApiKeyNotFound,
  ApiKeyRotated,
  CredentialsEnded,
  GrantExceeded,
  type NewApiKey,
  TooManyApiKeys,
} from "../../../application/ports/Accounts.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { endWithin, exceeds } from "../../../domain/identity/KeyGrant.ts"
import { decodeRows } from "../decodeRows.ts"
import { isUuid } from "../uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { revokeApiKey } from "./revokeApiKey.ts"

/** Usable keys of one user. */
const mostKeys = 100

const decode = decodeRows(
  Schema.Struct({
    apiKeyId: Schema.String,
    name: Schema.String,
    prefix: Schema.String,
    scopes: Schema.Array(Schema.Literals(scopes)),
    createdAt: Schema.Date,
    expiresAt: Schema.NullOr(Schema.Date),
    lastUsedAt: Schema.NullOr(Schema.Date),
    parentId: Schema.NullOr(Schema.String),
  }),
)

const decodeSuccessor = decodeRows(Schema.Struct({ successorId: Schema.NullOr(Schema.String) }))

const itemOf = (row: Effect.Success<ReturnType<typeof decode>>[number]): ApiKeyItem => ({
  ...row,
  expiresAt: row.expiresAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
  parentId: row.parentId ?? undefined,
})

/** The keys that asked for one, and for the rotation that it came of. */
interface Lineage {
  readonly parentId: string | undefined
  readonly rotatedBy: string | undefined
}

/** What `Accounts` does with keys. */
export const manageKeys = (sql: SqlClient) => {
  const columns = sql`
      id AS "apiKeyId", name, prefix, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt", parent_id AS "parentId"`
  const usable = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

  const usableOf = (userId: string) =>
    decode(sql`
        SELECT ${columns} FROM api_keys WHERE user_id = ${userId}::uuid AND ${usable}
        ORDER BY created_at DESC, id`)

  /** Within a transaction: keys of one user are made, rotated and revoked one after the other. */
  const lockUser = (userId: string) => sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`

  const usableKey = (userId: string, apiKeyId: string) =>
    Effect.map(
      decode(sql`
          SELECT ${columns} FROM api_keys WHERE id = ${apiKeyId}::uuid AND user_id = ${userId}::uuid AND ${usable}`),
      ([row]) => (row === undefined ? undefined : itemOf(row)),
    )

  /** The key that asks, if one does, as it is now. */
  const makerOf = Effect.fnUntraced(function* (userId: string, by: string | undefined) {
    if (by === undefined) return undefined
    return (yield* usableKey(userId, by)) ?? (yield* new CredentialsEnded())
  })

  const insert = Effect.fnUntraced(function* (key: NewApiKey, lineage: Lineage) {
    const existing = yield* usableOf(key.userId)
    if (existing.length >= mostKeys) return yield* new TooManyApiKeys({ limit: mostKeys })
    const [row] = yield* decode(sql`
        INSERT INTO api_keys (user_id, name, hash, prefix, scopes, expires_at, parent_id, rotated_by)
        VALUES (
          ${key.userId}::uuid, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.scopes]}::text[],
          ${key.expiresAt ?? null}::timestamptz, ${lineage.parentId ?? null}::uuid, ${lineage.rotatedBy ?? null}::uuid)
        RETURNING ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("An insert returned no row")) : itemOf(row)
  })

  return {
    apiKeys: Effect.fn("Accounts.apiKeys")((userId) =>
      whileAvailable(Effect.map(usableOf(userId), (rows) => rows.map(itemOf))),
    ),
    createApiKey: Effect.fn("Accounts.createApiKey")((key, by) =>
      whileAvailable(
        Effect.gen(function* () {
          yield* lockUser(key.userId)
          const maker = yield* makerOf(key.userId, by)
          const expiresAt = key.expiresAt ?? maker?.expiresAt
          if (maker !== undefined && exceeds({ ...key, expiresAt }, maker)) {
            return yield* new GrantExceeded({ endsAt: maker.expiresAt })
          }
          return yield* insert({ ...key, expiresAt }, { parentId: by, rotatedBy: undefined })
        }).pipe(sql.withTransaction),
      ),
    ),
    revokeApiKey: Effect.fn("Accounts.revokeApiKey")(function* (userId, apiKeyId, by) {
      if (!isUuid(apiKeyId)) return yield* new ApiKeyNotFound()
      const revoked = yield* whileAvailable(
        Effect.andThen(lockUser(userId), revokeApiKey(sql, userId, apiKeyId, by)).pipe(sql.withTransaction),
      )
      if (revoked.length === 0) return yield* new ApiKeyNotFound()
    }),
    rotateApiKey: Effect.fn("Accounts.rotateApiKey")(function* (userId, apiKeyId, successor, overlap, by) {
      if (!isUuid(apiKeyId)) return yield* new ApiKeyNotFound()
      return yield* whileAvailable(
        Effect.gen(function* () {
          yield* lockUser(userId)
          const maker = yield* makerOf(userId, by)
          const old = yield* usableKey(userId, apiKeyId)
          if (old === undefined) return yield* new ApiKeyNotFound()
          const [before] = yield* decodeSuccessor(sql`
              SELECT successor_id AS "successorId" FROM api_keys WHERE id = ${apiKeyId}::uuid`)
          if (before?.successorId != null) return yield* new ApiKeyRotated({ successorId: before.successorId })
          if (maker !== undefined && exceeds(old, maker)) {
            return yield* new GrantExceeded({ endsAt: maker.expiresAt })
          }
          const [ended] = yield* decode(sql`
              UPDATE api_keys
              SET expires_at = least(expires_at, now() + ${overlap}::float8 * interval '1 millisecond')
              WHERE id = ${apiKeyId}::uuid RETURNING ${columns}`)
          const lifetime = old.expiresAt === undefined ? undefined : old.expiresAt.getTime() - old.createdAt.getTime()
          const [clock] = yield* decodeRows(Schema.Struct({ now: Schema.Date }))(sql`SELECT now() AS now`)
          if (ended?.expiresAt == null || clock === undefined) {
            return yield* Effect.die(new Error("A rotated key has an end"))
          }
          const renewed = lifetime === undefined ? undefined : new Date(clock.now.getTime() + lifetime)
          const key = yield* insert(
            { userId, name: old.name, scopes: old.scopes, expiresAt: endWithin(renewed, maker), ...successor },
            { parentId: old.parentId, rotatedBy: by },
          )
          yield* sql`UPDATE api_keys SET successor_id = ${key.apiKeyId}::uuid WHERE id = ${apiKeyId}::uuid`
          return { key, previousExpiresAt: ended.expiresAt }
        }).pipe(sql.withTransaction),
      )
    }),
  } satisfies Partial<Accounts["Service"]>
}
