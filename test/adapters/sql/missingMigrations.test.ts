import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate, migrations } from "../../../adapters/sql/migrate.ts"
import { missingMigrations } from "../../../adapters/sql/missingMigrations.ts"
import { emptyEmbeddedDatabase } from "../../support/databases.ts"

describe("missing migrations", () => {
  it.effect(
    "are all of them before the first one is applied, those not recorded later, and never a newer release's",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const all = Object.keys(migrations).map((name) => Number(name.slice(0, 4)))
        assert.deepEqual(yield* missingMigrations, all)
        yield* migrate
        assert.deepEqual(yield* missingMigrations, [])
        yield* sql`INSERT INTO migrations (migration_id, name) VALUES (9999, 'of_a_newer_release')`
        assert.deepEqual(yield* missingMigrations, [])
        yield* sql`DELETE FROM migrations WHERE migration_id = 2`
        assert.deepEqual(yield* missingMigrations, [2])
      }).pipe(Effect.provide(emptyEmbeddedDatabase)),
    60_000,
  )
})
