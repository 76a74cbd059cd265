import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrations } from "./migrate.ts"

const released = Object.keys(migrations).map((name) => Number(name.slice(0, name.indexOf("_"))))

/**
 * The ids of this release's migrations that the database lacks, found with read permission alone. Those of a newer
 * release do no harm, because a migration keeps the previous release working.
 */
export const missingMigrations: Effect.Effect<ReadonlyArray<number>, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [table] = yield* sql<{ exists: boolean }>`SELECT to_regclass('migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return released
  const applied = yield* sql<{ id: number }>`SELECT migration_id::int AS id FROM migrations`
  const ids = new Set(applied.map(({ id }) => id))
  return released.filter((id) => !ids.has(id))
}).pipe(Effect.withSpan("missingMigrations"))
