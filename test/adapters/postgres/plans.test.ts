import { PgClient } from "@effect/sql-pg"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlBillingAccounts from "../../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlSessions from "../../../adapters/sql/identity/SqlSessions.ts"
import { migrate } from "../../../adapters/sql/migrate.ts"
import * as SqlQueueProbe from "../../../adapters/sql/SqlQueueProbe.ts"
import { stores } from "../../contract/stores.ts"
import { postgresClient } from "../../support/databases.ts"
import { generateRows } from "../../support/generatedRows.ts"
import { pagesOf, recorded } from "../../support/pages.ts"
import { startPostgres } from "../../support/postgresServer.ts"
import { someTenant, storeOperations } from "../../support/storeOperations.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

/** Of each tenant enough that to read all of them is to read every page of the table. */
const volume = { analyses: 150_000, tenants: 3, queued: 3, expired: 30_000 }

const services = Layer.mergeAll(stores, SqlBillingAccounts.layer, SqlSessions.layer, SqlQueueProbe.layer)

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
