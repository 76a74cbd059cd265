import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SigningKeys } from "../../../application/ports/identity/SigningKeys.ts"
import { decodeRows } from "../decodeRows.ts"
import { whileAvailable } from "../whileAvailable.ts"

const decode = decodeRows(Schema.Struct({ keyId: Schema.String, publicKey: Schema.String, privateKey: Schema.String }))

/** The issuer's keys on a migrated database; a unique index ensures a single current key. */
export const layer = Layer.effect(
  SigningKeys,
  Effect.map(SqlClient, (sql) =>
    SigningKeys.of({
      valid: whileAvailable(
        decode(sql`
          SELECT id AS "keyId", public_key AS "publicKey", private_key AS "privateKey" FROM signing_keys
          WHERE valid_until IS NULL OR valid_until > now()
          ORDER BY valid_until DESC NULLS FIRST, created_at DESC`),
      ),
      addFirst: Effect.fn("SigningKeys.addFirst")(({ keyId, publicKey, privateKey }) =>
        whileAvailable(
          Effect.asVoid(sql`
            INSERT INTO signing_keys (id, public_key, private_key) VALUES (${keyId}, ${publicKey}, ${privateKey})
            ON CONFLICT DO NOTHING`),
        ),
      ),
      replace: Effect.fn("SigningKeys.replace")(({ keyId, publicKey, privateKey }, verifyFor) =>
        whileAvailable(
          Effect.gen(function* () {
            // Serializes concurrent rotations.
            yield* sql`LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`
            yield* sql`DELETE FROM signing_keys WHERE valid_until <= now()`
            yield* sql`
              UPDATE signing_keys SET valid_until = now() + ${verifyFor}::float8 * interval '1 millisecond'
              WHERE valid_until IS NULL`
            yield* sql`
              INSERT INTO signing_keys (id, public_key, private_key) VALUES (${keyId}, ${publicKey}, ${privateKey})`
          }).pipe(sql.withTransaction),
        ),
      ),
    }),
  ),
)
