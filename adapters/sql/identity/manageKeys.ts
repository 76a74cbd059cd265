import * as Duration from "effect/Duration"
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
} from "../../../application/ports/identity/Accounts.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { endWithin, exceeds } from "../../../domain/identity/KeyGrant.ts"
import { decodeRows } from "../decodeRows.ts"
import { isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { revokeApiKey } from "./revokeApiKey.ts"
import { type UserId, ApiKeyId } from "../../../domain/ids/Ids.ts"

/** Usable keys of one user. */
const mostKeys = 100

const decode = decodeRows(
  Schema.Struct({
    apiKeyId: ApiKeyId,
    name: Schema.String,
    prefix: Schema.String,
    scopes: Schema.Array(Schema.Literals(scopes)),
    createdAt: Schema.Date,
    expiresAt: Schema.NullOr(Schema.Date),
    lastUsedAt: Schema.NullOr(Schema.Date),
    parentId: Schema.NullOr(ApiKeyId),
  }),
)

const decodeSuccessor = decodeRows(Schema.Struct({ successorId: Schema.NullOr(ApiKeyId) }))

const itemOf = (row: Effect.Success<ReturnType<typeof decode>>[number]): ApiKeyItem => ({
  ...row,
  expiresAt: row.expiresAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
  parentId: row.parentId ?? undefined,
})

/** The keys that created this one and requested the rotation that produced it. */
interface Lineage {
  readonly parentId: ApiKeyId | undefined
  readonly rotatedBy: string | undefined
}

/** The statements shared by creating, rotating and revoking keys. */
class Keys {
  readonly sql: SqlClient

  constructor(sql: SqlClient) {
    this.sql = sql
  }

  readonly columns = () => this.sql`
    id AS "apiKeyId", name, prefix, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt", parent_id AS "parentId"`

  private readonly isUsable = () => this.sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

  readonly usable = (userId: UserId) =>
    decode(this.sql`
      SELECT ${this.columns()} FROM api_keys WHERE user_id = ${userId}::uuid AND ${this.isUsable()}
      ORDER BY created_at DESC, id`)

  readonly usableKey = (userId: UserId, apiKeyId: ApiKeyId) =>
    Effect.map(
      decode(this.sql`
        SELECT ${this.columns()} FROM api_keys
        WHERE id = ${apiKeyId}::uuid AND user_id = ${userId}::uuid AND ${this.isUsable()}`),
      ([row]) => (row === undefined ? undefined : itemOf(row)),
    )

  /** Within a transaction: serializes changes to the keys of one user. */
  readonly lockUser = (userId: UserId) => this.sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`

  /** The current state of the requesting key, if any. */
  readonly makerOf = (userId: UserId, by: ApiKeyId | undefined) =>
    by === undefined
      ? Effect.undefined
      : Effect.flatMap(this.usableKey(userId, by), (key) =>
          key === undefined ? Effect.fail(new CredentialsEnded()) : Effect.succeed(key),
        )

  readonly insert = (key: NewApiKey, lineage: Lineage) =>
    Effect.gen({ self: this }, function* () {
      const existing = yield* this.usable(key.userId)
      if (existing.length >= mostKeys) return yield* new TooManyApiKeys({ limit: mostKeys })
      const [row] = yield* decode(this.sql`
        INSERT INTO api_keys (user_id, name, hash, prefix, scopes, expires_at, parent_id, rotated_by)
        VALUES (
          ${key.userId}::uuid, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.scopes]}::text[],
          ${key.expiresAt ?? null}::timestamptz, ${lineage.parentId ?? null}::uuid, ${lineage.rotatedBy ?? null}::uuid)
        RETURNING ${this.columns()}`)
      return row === undefined ? yield* Effect.die(new Error("An insert returned no row")) : itemOf(row)
    })
}

const create = Effect.fnUntraced(function* (keys: Keys, key: NewApiKey, by: ApiKeyId | undefined) {
  yield* keys.lockUser(key.userId)
  const maker = yield* keys.makerOf(key.userId, by)
  const expiresAt = key.expiresAt ?? maker?.expiresAt
  if (maker !== undefined && exceeds({ ...key, expiresAt }, maker)) {
    return yield* new GrantExceeded({ endsAt: maker.expiresAt })
  }
  return yield* keys.insert({ ...key, expiresAt }, { parentId: by, rotatedBy: undefined })
})

/** Ends a key at most `overlap` from now; returns that time and the current time. */
const endSoon = Effect.fnUntraced(function* ({ sql, columns }: Keys, apiKeyId: ApiKeyId, overlap: Duration.Duration) {
  const [ended] = yield* decode(sql`
    UPDATE api_keys SET expires_at = least(expires_at, now() + ${Duration.toMillis(overlap)}::float8 * interval '1 millisecond')
    WHERE id = ${apiKeyId}::uuid RETURNING ${columns()}`)
  const [clock] = yield* decodeRows(Schema.Struct({ now: Schema.Date }))(sql`SELECT now() AS now`)
  if (ended?.expiresAt == null || clock === undefined) return yield* Effect.die(new Error("A rotated key has an end"))
  return { endsAt: ended.expiresAt, now: clock.now }
})

interface Rotation {
  readonly userId: UserId
  readonly apiKeyId: ApiKeyId
  readonly successor: Pick<NewApiKey, "hash" | "prefix">
  readonly overlap: Duration.Duration
  readonly by: ApiKeyId | undefined
}

const rotate = Effect.fnUntraced(function* (keys: Keys, { userId, apiKeyId, successor, overlap, by }: Rotation) {
  const { sql } = keys
  yield* keys.lockUser(userId)
  const maker = yield* keys.makerOf(userId, by)
  const old = yield* keys.usableKey(userId, apiKeyId)
  if (old === undefined) return yield* new ApiKeyNotFound()
  const [before] = yield* decodeSuccessor(sql`
    SELECT successor_id AS "successorId" FROM api_keys WHERE id = ${apiKeyId}::uuid`)
  if (before?.successorId != null) return yield* new ApiKeyRotated({ successorId: before.successorId })
  if (maker !== undefined && exceeds(old, maker)) return yield* new GrantExceeded({ endsAt: maker.expiresAt })
  const { endsAt, now } = yield* endSoon(keys, apiKeyId, overlap)
  const lifetime = old.expiresAt === undefined ? undefined : old.expiresAt.getTime() - old.createdAt.getTime()
  const renewed = lifetime === undefined ? undefined : new Date(now.getTime() + lifetime)
  const key = yield* keys.insert(
    { userId, name: old.name, scopes: old.scopes, expiresAt: endWithin(renewed, maker), ...successor },
    { parentId: old.parentId, rotatedBy: by },
  )
  yield* sql`UPDATE api_keys SET successor_id = ${key.apiKeyId}::uuid WHERE id = ${apiKeyId}::uuid`
  return { key, previousExpiresAt: endsAt }
})

/** The part of `Accounts` that manages keys. */
export const manageKeys = (sql: SqlClient) => {
  const keys = new Keys(sql)
  return {
    apiKeys: Effect.fn("Accounts.apiKeys")((userId: UserId) =>
      whileAvailable(Effect.map(keys.usable(userId), (rows) => rows.map(itemOf))),
    ),
    createApiKey: Effect.fn("Accounts.createApiKey")((key: NewApiKey, by: ApiKeyId | undefined) =>
      whileAvailable(sql.withTransaction(create(keys, key, by))),
    ),
    revokeApiKey: Effect.fn("Accounts.revokeApiKey")(function* (
      userId: UserId,
      apiKeyId: ApiKeyId,
      by: ApiKeyId | undefined,
    ) {
      if (!isUuid(apiKeyId)) return yield* new ApiKeyNotFound()
      const revoked = yield* whileAvailable(
        sql.withTransaction(Effect.andThen(keys.lockUser(userId), revokeApiKey(sql, userId, apiKeyId, by))),
      )
      if (revoked.length === 0) return yield* new ApiKeyNotFound()
    }),
    rotateApiKey: Effect.fn("Accounts.rotateApiKey")((userId, apiKeyId, successor, overlap, by) =>
      isUuid(apiKeyId)
        ? whileAvailable(sql.withTransaction(rotate(keys, { userId, apiKeyId, successor, overlap, by })))
        : Effect.fail(new ApiKeyNotFound()),
    ),
  } satisfies Partial<Accounts["Service"]>
}
