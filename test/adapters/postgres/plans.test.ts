import { PgClient } from "@effect/sql-pg"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import * as SqlBillingAccounts from "../../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlSessions from "../../../adapters/sql/identity/SqlSessions.ts"
import { migrate } from "../../../adapters/sql/migrate.ts"
import * as SqlQueueProbe from "../../../adapters/sql/SqlQueueProbe.ts"
import { stores } from "../../contract/stores.ts"
import { postgresClient } from "../../support/databases.ts"
import { generateRows } from "../../support/generatedRows.ts"
import { startPostgres } from "../../support/postgresServer.ts"
import { someTenant, storeOperations } from "../../support/storeOperations.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

/** Of each tenant enough that to read all of them is to read every page of the table. */
const volume = { analyses: 150_000, tenants: 3, queued: 3, expired: 30_000 }

const services = Layer.mergeAll(stores, SqlBillingAccounts.layer, SqlSessions.layer, SqlQueueProbe.layer)

type Recorded = readonly [text: string, parameters: ReadonlyArray<unknown>]

/** What the effect asks the database, which keeps nothing of it. */
const recorded = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const statements: Array<Recorded> = []
    yield* effect.pipe(
      Effect.provideService(CurrentTransformer, (statement) => {
        statements.push(statement.compile())
        return Effect.succeed(statement)
      }),
      Effect.andThen(Effect.fail("undone" as const)),
      sql.withTransaction,
      Effect.catch((error) => (error === "undone" ? Effect.void : Effect.die(error))),
    )
    return statements
  })

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `'{${value.map((one) => JSON.stringify(String(one))).join(",")}}'`
  return `'${String(value).replaceAll("'", "''")}'`
}

interface Explained {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** Pages that the statements touch together, in a transaction that is undone. */
const pagesOf = (statements: ReadonlyArray<Recorded>, mode: "force_custom_plan" | "force_generic_plan") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const counted = Effect.gen(function* () {
      yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
      const pages: Array<readonly [number, string]> = []
      for (const [text, parameters] of statements) {
        yield* sql.unsafe(`PREPARE examined AS ${text}`)
        const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
        const [row] = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<Explained> }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE examined${values}`,
        )
        yield* sql`DEALLOCATE examined`
        const { Plan: plan } = row!["QUERY PLAN"][0]!
        pages.push([plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], text])
      }
      return yield* Effect.fail({ pages })
    })
    return yield* Effect.flip(sql.withTransaction(counted)).pipe(
      Effect.flatMap((outcome) => ("pages" in outcome ? Effect.succeed(outcome.pages) : Effect.die(outcome))),
    )
  })

describe.runIf(server !== undefined)("over a table of which each tenant has rows on every page", async () => {
  const url = await server!.createDatabase()
  // Without the deadlines that the service gives its statements.
  const patient = PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
  await Effect.runPromise(migrate.pipe(Effect.provide(postgresClient(url))))
  await Effect.runPromise(generateRows(volume).pipe(Effect.provide(patient)))
  const database = services.pipe(Layer.provideMerge(postgresClient(url)))

  it.live.each(Object.entries(storeOperations))("%s reads few pages, whatever the plan", ([, operation]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [table] = yield* sql<{ pages: number }>`
        SELECT (pg_relation_size('analyses') / 8192)::int AS pages`
      const statements = yield* recorded(operation(yield* someTenant))
      assert.isNotEmpty(statements)
      for (const mode of ["force_custom_plan", "force_generic_plan"] as const) {
        for (const [pages, text] of yield* pagesOf(statements, mode)) {
          assert.isBelow(pages, table!.pages / 8, `${mode}: ${text}`)
        }
      }
    }).pipe(Effect.provide(database)),
  )
})
