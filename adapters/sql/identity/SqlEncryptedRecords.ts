import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { EncryptedRecords } from "../../../application/ports/identity/EncryptedRecords.ts"
import { decodeRows } from "../decodeRows.ts"
import { whileAvailable } from "../whileAvailable.ts"

/** Every column with encrypted values, and its table's primary key. */
const encryptedColumns = [
  { table: "signing_keys", key: "id", column: "private_key" },
  { table: "hosting_tokens", key: "user_id", column: "token" },
  { table: "webhook_secrets", key: "user_id", column: "secret" },
  { table: "webhook_secrets", key: "user_id", column: "previous" },
] as const

const decode = decodeRows(Schema.Struct({ key: Schema.String, encrypted: Schema.String }))

/** Rows per read. */
const batch = 500

/** All encrypted columns of a migrated database. */
export const layer = Layer.effect(
  EncryptedRecords,
  Effect.map(SqlClient, (sql) =>
    EncryptedRecords.of({
      replaceAll: Effect.fn("EncryptedRecords.replaceAll")(function* (change) {
        let replaced = 0
        for (const { table, key, column } of encryptedColumns) {
          let after = ""
          for (;;) {
            const rows = yield* whileAvailable(
              decode(sql`
                SELECT ${sql(key)}::text AS key, ${sql(column)} AS encrypted FROM ${sql(table)}
                WHERE ${sql(column)} IS NOT NULL AND ${sql(key)}::text > ${after}
                ORDER BY ${sql(key)}::text LIMIT ${batch}`),
            )
            for (const row of rows) {
              const changed = yield* change(row.encrypted)
              if (changed === undefined) continue
              const written = yield* whileAvailable(sql`
                UPDATE ${sql(table)} SET ${sql(column)} = ${changed}
                WHERE ${sql(key)}::text = ${row.key} AND ${sql(column)} = ${row.encrypted} RETURNING 1 AS one`)
              replaced += written.length
            }
            const last = rows.at(-1)
            if (last === undefined || rows.length < batch) break
            after = last.key
          }
        }
        return replaced
      }),
    }),
  ),
)
