import { PgClient } from "@effect/sql-pg"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { WorkerId, BillingEventId } from "../../../domain/ids/Ids.ts"
import * as SqlBillingAccounts from "../../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlSessions from "../../../adapters/sql/identity/SqlSessions.ts"
import { migrate } from "../../../adapters/sql/migrate.ts"
import * as SqlQueueProbe from "../../../adapters/sql/SqlQueueProbe.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { BillingAccounts } from "../../../application/ports/billing/BillingAccounts.ts"
import { Sessions } from "../../../application/ports/identity/Sessions.ts"
import { analysisOf, stores } from "../../support/stores.ts"
import { postgresClient } from "../../support/databases.ts"
import { generateRows } from "../../support/generatedRows.ts"
import { pagesOf, recorded } from "../../support/pages.ts"
import { startPostgres } from "../../support/postgresServer.ts"
import { someTenant, storeOperations } from "../../support/storeOperations.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

/** Enough rows per tenant that reading all of them means reading every page of the table. */
const volume = { analyses: 150_000, tenants: 3, queued: 3, expired: 30_000 }

const services = Layer.mergeAll(stores, SqlBillingAccounts.layer, SqlSessions.layer, SqlQueueProbe.layer)

describe.runIf(server !== undefined)("with a table in which each tenant has rows on every page", async () => {
  const url = await server!.createDatabase()
  // Without the service's statement deadlines.
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

  it.live("expired rows are deleted ten at a time, and nobody waits for the rest", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tenant = yield* someTenant
      const tables = [
        "idempotency_keys",
        "sessions",
        "refresh_tokens",
        "refresh_families",
        "billing_events",
        "used_sign_ins",
        "limit_failures",
      ]
      yield* sql`
        INSERT INTO billing_events (id, received_at)
        SELECT 'evt_' || n, now() - interval '1 year' FROM generate_series(1, 30000) AS n`
      yield* sql`
        INSERT INTO used_sign_ins (hash, expires_at)
        SELECT 'used' || n, now() - interval '1 year' FROM generate_series(1, 30000) AS n`
      yield* sql`
        INSERT INTO limit_failures (pool_id, subject, attempt_token, refunded_at)
        SELECT ${tenant.userId}::uuid, n::text::bytea, gen_random_uuid(), now() - interval '1 year'
        FROM generate_series(1, 30000) AS n`
      const rowsOf = (skipLocked: string) =>
        Effect.forEach(tables, (table) =>
          SqlClient.use((client) =>
            client.unsafe<{ count: number }>(
              `SELECT count(*)::int AS count FROM (SELECT FROM ${table} FOR UPDATE ${skipLocked}) AS rows`,
            ),
          ),
        ).pipe(
          Effect.map((counts) => counts.map(([row]) => row!.count)),
          Effect.provide(Layer.fresh(patient)),
        )
      const all = yield* rowsOf("NOWAIT")
      const forgetting = Effect.gen(function* () {
        yield* storeOperations["create with a key, forget others"]!(tenant)
        yield* storeOperations["sign in, forget others"]!(tenant)
        yield* (yield* BillingAccounts).record(BillingEventId.make("evt_new"), undefined)
        yield* (yield* Sessions).useOnce("new", new Date(Date.now() + 60_000))
        const store = yield* AnalysisStore
        const queue = yield* AnalysisQueue
        yield* store.create(analysisOf(tenant.userId), undefined)
        const job = Option.getOrThrow(yield* queue.claim(WorkerId.make("test")))
        yield* queue.fail(job, { stage: "static_analysis", message: "too large", byLimit: true }, false)
        return yield* Effect.fail(yield* rowsOf("SKIP LOCKED"))
      })
      const free = yield* Effect.flip(sql.withTransaction(forgetting))
      assert.deepEqual(
        free,
        all.map((count) => count - 10),
      )
    }).pipe(Effect.provide(database)),
  )
})
