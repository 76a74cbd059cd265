import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { HostingTokens, type StoredHostingToken } from "../../../application/ports/identity/HostingTokens.ts"
import { TokenKind } from "../../../domain/repository/HostingToken.ts"
import { decodeRows } from "../decodeRows.ts"
import { whileAvailable } from "../whileAvailable.ts"

const Row = Schema.Struct({
  encrypted: Schema.String,
  kind: TokenKind,
  account: Schema.NullOr(Schema.String),
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  origin: Schema.String,
  updatedAt: Schema.Date,
})
const decode = decodeRows(Row)

const toToken = (row: typeof Row.Type): StoredHostingToken => ({
  ...row,
  account: row.account ?? undefined,
  scopes: row.scopes ?? undefined,
})

/** The tokens on a migrated database, embedded or not. */
export const layer = Layer.effect(
  HostingTokens,
  Effect.map(SqlClient, (sql) => {
    const columns = sql.literal(`token AS encrypted, kind, account, scopes, origin, updated_at AS "updatedAt"`)
    return HostingTokens.of({
      find: Effect.fn("HostingTokens.find")((userId) =>
        whileAvailable(
          Effect.map(
            decode(sql`SELECT ${columns} FROM hosting_tokens WHERE user_id = ${userId}::uuid`),
            ([row]): Option.Option<StoredHostingToken> =>
              row === undefined ? Option.none() : Option.some(toToken(row)),
          ),
        ),
      ),
      put: Effect.fn("HostingTokens.put")((userId, token) =>
        whileAvailable(
          Effect.gen(function* () {
            const [row] = yield* decode(sql`
              INSERT INTO hosting_tokens (user_id, token, kind, account, scopes, origin)
              VALUES (
                ${userId}::uuid, ${token.encrypted}, ${token.kind}, ${token.account ?? null}::text,
                ${token.scopes === undefined ? null : [...token.scopes]}::text[], ${token.origin})
              ON CONFLICT (user_id) DO UPDATE SET
                token = excluded.token, kind = excluded.kind, account = excluded.account, scopes = excluded.scopes,
                origin = excluded.origin, updated_at = now()
              RETURNING ${columns}`)
            // The entity tag reflects what another token saw.
            yield* sql`UPDATE repository_syncs SET etag = NULL WHERE user_id = ${userId}::uuid`
            return row === undefined ? yield* Effect.die(new Error("An insert returned no row")) : toToken(row)
          }).pipe(sql.withTransaction),
        ),
      ),
      remove: Effect.fn("HostingTokens.remove")((userId) =>
        whileAvailable(Effect.asVoid(sql`DELETE FROM hosting_tokens WHERE user_id = ${userId}::uuid`)),
      ),
    })
  }),
)
