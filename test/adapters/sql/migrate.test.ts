import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate, migrateUpTo, migrations } from "../../../adapters/sql/migrate.ts"
import { emptyEmbeddedDatabase, postgresClient } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

const all = Object.keys(migrations).map((name) => Number(name.slice(0, 4)))

/** Every column of all our tables, with its type. */
const schema = SqlClient.use(
  (sql) => sql`
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> 'migrations' ORDER BY table_name, column_name`,
)

describe("migrations", () => {
  it("are numbered without gaps", () => {
    assert.deepEqual(
      all,
      all.map((_, index) => index + 1),
    )
  })

  it.effect.runIf(server !== undefined)(
    "keep indexes that the operator has built beforehand",
    () =>
      Effect.gen(function* () {
        const text = readFileSync(join(import.meta.dirname, "../../../docs/operations.md"), "utf8")
        const statements = text.match(/^CREATE INDEX CONCURRENTLY [^;]+;$/gm) ?? []
        assert.lengthOf(statements, 3)
        const sql = yield* SqlClient
        const built = sql`
          SELECT relname, pg_get_indexdef(pg_class.oid) AS definition, pg_class.oid FROM pg_class
          WHERE relname IN ('analyses_by_status', 'analyses_by_repository', 'analyses_latest') ORDER BY relname`
        yield* migrateUpTo(12)
        for (const statement of statements) yield* sql.unsafe(statement)
        const before = yield* built
        yield* migrate
        assert.deepEqual(yield* built, before)
        // The same index as the migration would create.
        yield* sql`DROP INDEX analyses_by_status, analyses_by_repository, analyses_latest`
        for (const statement of migrations["0013_statistics"]!.filter((each) => each.startsWith("CREATE INDEX"))) {
          yield* sql.unsafe(statement)
        }
        const definitions = (rows: ReadonlyArray<object>) => rows.map((row) => ({ ...row, oid: 0 }))
        assert.deepEqual(definitions(yield* built), definitions(before))
      }).pipe(Effect.provide(Layer.unwrap(Effect.promise(async () => postgresClient(await server!.createDatabase()))))),
    60_000,
  )

  it.effect(
    "are applied once and recorded, on the embedded database",
    () =>
      Effect.gen(function* () {
        assert.deepEqual(yield* migrate, all)
        assert.deepEqual(yield* migrate, [])
      }).pipe(Effect.provide(emptyEmbeddedDatabase)),
    60_000,
  )

  it.effect(
    "create the same schema on both databases",
    () =>
      Effect.gen(function* () {
        const columns = Effect.andThen(migrate, schema)
        const embedded = yield* columns.pipe(Effect.provide(emptyEmbeddedDatabase))
        assert.isAbove(embedded.length, 40)
        if (server === undefined) return
        const url = yield* Effect.promise(() => server.createDatabase())
        assert.deepEqual(yield* columns.pipe(Effect.provide(postgresClient(url))), embedded)
      }),
    60_000,
  )

  // On the real clock: on a busy machine, some wait a second for the lock, and then try again.
  it.live("are applied by one of six processes that start simultaneously", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const url = yield* Effect.promise(() => server.createDatabase())
      const started = Array.from({ length: 6 }, () => migrate.pipe(Effect.provide(Layer.fresh(postgresClient(url)))))
      const applied = yield* Effect.all(started, { concurrency: "unbounded" })
      assert.deepEqual(
        applied.filter((ids) => ids.length > 0),
        [all],
      )
    }),
  )
})
