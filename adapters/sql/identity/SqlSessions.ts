import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { RefreshRefused, Sessions } from "../../../application/ports/identity/Sessions.ts"
import { decodeRows } from "../decodeRows.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { UserId, SignInId } from "../../../domain/ids/Ids.ts"

const decodeIds = decodeRows(Schema.Struct({ id: SignInId }))

const decodeToken = decodeRows(
  Schema.Struct({
    familyId: SignInId,
    userId: UserId,
    used: Schema.Boolean,
    revoked: Schema.Boolean,
    expired: Schema.Boolean,
  }),
)

const statements = (sql: SqlClient) => {
  const after = (lifetime: Duration.Duration) =>
    sql`now() + ${Duration.toMillis(lifetime)}::float8 * interval '1 millisecond'`

  const forgetSessions = sql`
    DELETE FROM sessions WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM sessions WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED))`

  /** A minute after they are rejected, because of clock skew between machines. */
  const forgetSignIns = sql`
    DELETE FROM used_sign_ins WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM used_sign_ins WHERE expires_at <= now() - interval '1 minute'
      LIMIT 10 FOR UPDATE SKIP LOCKED))`

  /** A family is deleted with its last token; a used token stays until it expires, so that its reuse is noticed. */
  const forgetTokens = sql`
    WITH gone AS (
      DELETE FROM refresh_tokens WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM refresh_tokens WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED))
      RETURNING hash, family_id
    )
    DELETE FROM refresh_families WHERE id IN (SELECT family_id FROM gone) AND NOT EXISTS (
      SELECT FROM refresh_tokens
      WHERE family_id = refresh_families.id AND hash NOT IN (SELECT hash FROM gone))`

  /** The family's lock serializes exchanges of its tokens. */
  const find = (hash: string) =>
    decodeToken(sql`
      SELECT
        families.id AS "familyId", families.user_id AS "userId", families.revoked_at IS NOT NULL AS revoked,
        tokens.used_at IS NOT NULL AS used, tokens.expires_at <= now() AS expired
      FROM refresh_families families JOIN refresh_tokens tokens ON tokens.family_id = families.id
      WHERE tokens.hash = ${hash}`)

  return { after, forgetSessions, forgetSignIns, forgetTokens, find }
}

/** Exchanges a token for its successor, once: reusing it revokes the family. */
const exchange = (sql: SqlClient, { find, after, forgetTokens }: ReturnType<typeof statements>) =>
  Effect.fnUntraced(
    function* (hash: string, successorHash: string, lifetime: Duration.Duration) {
      const [known] = yield* find(hash)
      if (known === undefined) return yield* new RefreshRefused({ reused: false })
      yield* sql`SELECT FROM refresh_families WHERE id = ${known.familyId}::uuid FOR UPDATE`
      const [token] = yield* find(hash)
      if (token === undefined || token.revoked || token.expired) {
        return yield* new RefreshRefused({ reused: token?.used ?? false })
      }
      if (token.used) {
        yield* sql`UPDATE refresh_families SET revoked_at = now() WHERE id = ${token.familyId}::uuid`
        return undefined
      }
      yield* sql`UPDATE refresh_tokens SET used_at = now() WHERE hash = ${hash}`
      yield* sql`
        INSERT INTO refresh_tokens (hash, family_id, expires_at)
        VALUES (${successorHash}, ${token.familyId}::uuid, ${after(lifetime)})`
      return { userId: token.userId, signInId: token.familyId }
    },
    sql.withTransaction,
    // Outside of the transaction, because a failure would roll back the revocation.
    Effect.flatMap((found) =>
      found === undefined ? Effect.fail(new RefreshRefused({ reused: true })) : Effect.succeed(found),
    ),
    Effect.tap(() => forgetTokens),
  )

/** Sessions and refresh tokens on a migrated database. Each new row removes a few expired ones. */
export const layer = Layer.effect(
  Sessions,
  Effect.map(SqlClient, (sql) => {
    const known = statements(sql)
    const { after, forgetSessions, forgetSignIns, forgetTokens } = known
    const exchangeToken = exchange(sql, known)

    return Sessions.of({
      open: Effect.fn("Sessions.open")((userId, hash, lifetime, apiKeyId) =>
        whileAvailable(
          Effect.gen(function* () {
            yield* forgetSessions
            yield* sql`
              INSERT INTO sessions (hash, user_id, expires_at, api_key_id)
              VALUES (${hash}, ${userId}::uuid, ${after(lifetime)}, ${apiKeyId ?? null}::uuid)`
          }),
        ),
      ),
      close: Effect.fn("Sessions.close")((hash) =>
        whileAvailable(
          Effect.gen(function* () {
            yield* sql`DELETE FROM sessions WHERE hash = ${hash}`
            yield* sql`
              UPDATE refresh_families SET revoked_at = now() WHERE session_hash = ${hash} AND revoked_at IS NULL`
          }).pipe(sql.withTransaction),
        ),
      ),
      startRefresh: Effect.fn("Sessions.startRefresh")((userId, sessionHash, hash, lifetime) =>
        whileAvailable(
          Effect.gen(function* () {
            yield* forgetTokens
            const [family] = yield* decodeIds(sql`
              WITH family AS (
                INSERT INTO refresh_families (user_id, session_hash) VALUES (${userId}::uuid, ${sessionHash ?? null})
                RETURNING id
              )
              INSERT INTO refresh_tokens (hash, family_id, expires_at) SELECT ${hash}, id, ${after(lifetime)} FROM family
              RETURNING family_id AS id`)
            return family === undefined ? yield* Effect.die(new Error("An insert returned no row")) : family.id
          }),
        ),
      ),
      exchangeRefresh: Effect.fn("Sessions.exchangeRefresh")((hash, successorHash, lifetime) =>
        whileAvailable(exchangeToken(hash, successorHash, lifetime)),
      ),
      revokeRefresh: Effect.fn("Sessions.revokeRefresh")((hash) =>
        whileAvailable(
          Effect.asVoid(sql`
            UPDATE refresh_families SET revoked_at = now()
            WHERE revoked_at IS NULL AND id = (SELECT family_id FROM refresh_tokens WHERE hash = ${hash})`),
        ),
      ),
      useOnce: Effect.fn("Sessions.useOnce")((hash, expiresAt) =>
        whileAvailable(
          Effect.gen(function* () {
            yield* forgetSignIns
            const first = yield* sql`
              INSERT INTO used_sign_ins (hash, expires_at) VALUES (${hash}, ${expiresAt}::timestamptz)
              ON CONFLICT DO NOTHING RETURNING 1 AS one`
            return first.length === 1
          }),
        ),
      ),
    })
  }),
)
