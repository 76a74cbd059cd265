import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import {
  ApiKeyNotFound,
  ApiKeyRotated,
  ApiKeys,
  TooManyApiKeys,
  type ApiKeyItem,
} from "../../../application/ports/ApiKeys.ts"
import type { NewApiKey } from "../../../application/ports/Identities.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { decodeRows } from "../decodeRows.ts"
import { isUuid } from "../uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"

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
  }),
)

const decodeSuccessor = decodeRows(Schema.Struct({ successorId: Schema.NullOr(Schema.String) }))

const itemOf = (row: Effect.Success<ReturnType<typeof decode>>[number]): ApiKeyItem => ({
  ...row,
  expiresAt: row.expiresAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
})

/** Management of keys on a migrated database; `SqlIdentities` looks them up. */
export const layer = Layer.effect(
  ApiKeys,
  Effect.map(SqlClient, (sql) => {
    const columns = sql`
      id AS "apiKeyId", name, prefix, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt"`
    const usable = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

    const usableOf = (userId: string) =>
      decode(sql`
        SELECT ${columns} FROM api_keys WHERE user_id = ${userId}::uuid AND ${usable}
        ORDER BY created_at DESC, id`)

    /** Within a transaction: the user's row is locked, so that parallel creates keep the limit. */
    const insert = Effect.fnUntraced(function* (key: NewApiKey) {
      yield* sql`SELECT FROM users WHERE id = ${key.userId}::uuid FOR NO KEY UPDATE`
      const existing = yield* usableOf(key.userId)
      if (existing.length >= mostKeys) return yield* new TooManyApiKeys({ limit: mostKeys })
      const [row] = yield* decode(sql`
        INSERT INTO api_keys (user_id, name, hash, prefix, scopes, expires_at)
        VALUES (
          ${key.userId}::uuid, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.scopes]}::text[],
          ${key.expiresAt ?? null}::timestamptz)
        RETURNING ${columns}`)
      return row === undefined ? yield* Effect.die(new Error("An insert returned no row")) : itemOf(row)
    })

    return ApiKeys.of({
      list: Effect.fn("ApiKeys.list")((userId) =>
        whileAvailable(Effect.map(usableOf(userId), (rows) => rows.map(itemOf))),
      ),
      create: Effect.fn("ApiKeys.create")((key) => whileAvailable(sql.withTransaction(insert(key)))),
      revoke: Effect.fn("ApiKeys.revoke")(function* (userId, apiKeyId) {
        const revoked = isUuid(apiKeyId)
          ? yield* whileAvailable(sql`
              UPDATE api_keys SET revoked_at = now()
              WHERE id = ${apiKeyId}::uuid AND user_id = ${userId}::uuid AND ${usable} RETURNING 1 AS one`)
          : []
        if (revoked.length === 0) return yield* new ApiKeyNotFound()
      }),
      rotate: Effect.fn("ApiKeys.rotate")(function* (userId, apiKeyId, successor, overlap) {
        if (!isUuid(apiKeyId)) return yield* new ApiKeyNotFound()
        return yield* whileAvailable(
          Effect.gen(function* () {
            yield* sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
            const [old] = yield* decode(sql`
              SELECT ${columns} FROM api_keys
              WHERE id = ${apiKeyId}::uuid AND user_id = ${userId}::uuid AND ${usable} FOR UPDATE`)
            if (old === undefined) return yield* new ApiKeyNotFound()
            const [before] = yield* decodeSuccessor(sql`
              SELECT successor_id AS "successorId" FROM api_keys WHERE id = ${apiKeyId}::uuid`)
            if (before?.successorId != null) return yield* new ApiKeyRotated({ successorId: before.successorId })
            const [ended] = yield* decode(sql`
              UPDATE api_keys
              SET expires_at = least(expires_at, now() + ${overlap}::float8 * interval '1 millisecond')
              WHERE id = ${apiKeyId}::uuid RETURNING ${columns}`)
            const lifetime = old.expiresAt === null ? undefined : old.expiresAt.getTime() - old.createdAt.getTime()
            const [clock] = yield* decodeRows(Schema.Struct({ now: Schema.Date }))(sql`SELECT now() AS now`)
            if (ended?.expiresAt == null || clock === undefined) {
              return yield* Effect.die(new Error("A rotated key has an end"))
            }
            const key = yield* insert({
              userId,
              name: old.name,
              scopes: old.scopes,
              expiresAt: lifetime === undefined ? undefined : new Date(clock.now.getTime() + lifetime),
              ...successor,
            })
            yield* sql`UPDATE api_keys SET successor_id = ${key.apiKeyId}::uuid WHERE id = ${apiKeyId}::uuid`
            return { key, previousExpiresAt: ended.expiresAt }
          }).pipe(sql.withTransaction),
        )
      }),
    })
  }),
)
