import { PgClient } from "@effect/sql-pg"
import { loadavg } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlBillingAccounts from "../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlSessions from "../../adapters/sql/identity/SqlSessions.ts"
import * as SqlQueueProbe from "../../adapters/sql/SqlQueueProbe.ts"
import { stores } from "../support/stores.ts"
import { postgresClient } from "../support/databases.ts"
import { generateRows } from "../support/generatedRows.ts"
import { pagesOf, recorded } from "../support/pages.ts"
import { type Operation, someTenant, storeOperations, type Tenant } from "../support/storeOperations.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * The cost of each operation in a database of many analyses compared with one of a thousand, in turn on one Postgres:
 * `node test/bench/scale.ts [analyses [rounds]]`. By default ten million analyses of a hundred thousand tenants, ten thousand
 * of them queued, and a million expired rows of each kind that expires, which takes 8 GB of disk and five minutes to fill.
 * `test/adapters/postgres/plans.test.ts` tests the plans.
 */

const many = Number(process.argv[2] ?? 10_000_000)
const rounds = Number(process.argv[3] ?? 40)
const few = 1_000

/** Pages that the operation's statements touch under the generic plan, to which connections switch eventually. */
const pages = (operation: Operation, tenant: Tenant) =>
  Effect.gen(function* () {
    const touched = yield* pagesOf(yield* recorded(operation(tenant)), "force_generic_plan")
    return touched.reduce((sum, [pages]) => sum + pages, 0)
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const services = Layer.mergeAll(stores, SqlBillingAccounts.layer, SqlSessions.layer, SqlQueueProbe.layer)

const server = await startPostgres([
  "shared_buffers=2GB",
  "max_wal_size=8GB",
  "maintenance_work_mem=1GB",
  "synchronous_commit=off",
  "fsync=off",
  "full_page_writes=off",
  // Writes to a new table need no log.
  "wal_level=minimal",
  "max_wal_senders=0",
])
if (server === undefined) throw new Error("it takes Postgres")
const sizes = [
  { analyses: few, tenants: 10, queued: 10 },
  { analyses: many, tenants: Math.max(10, many / 100), queued: Math.max(10, many / 1_000) },
]
const databases = await Promise.all(
  sizes.map(async ({ analyses, tenants, queued }) => {
    const url = await server.createDatabase()
    const begun = performance.now()
    await Effect.runPromise(migrate.pipe(Effect.provide(postgresClient(url))))
    // Without the service's statement deadlines.
    const patient = PgClient.layer({ url: Redacted.make(url) })
    await Effect.runPromise(
      generateRows({ analyses, tenants, queued, expired: analyses / 10 }).pipe(Effect.provide(patient)),
    )
    console.log(
      `${analyses} analyses of ${tenants} tenants: filled in ${Math.round((performance.now() - begun) / 1000)} s`,
    )
    const runtime = ManagedRuntime.make(services.pipe(Layer.provideMerge(postgresClient(url))))
    return { runtime, tenant: await runtime.runPromise(someTenant) }
  }),
)

console.log(
  `load average ${loadavg()[0]!.toFixed(1)}; milliseconds, median and fastest of ${rounds}, and pages that are touched`,
)
for (const [name, operation] of Object.entries(storeOperations)) {
  const times: ReadonlyArray<Array<number>> = databases.map(() => [])
  // Ten more at first, since statements are prepared and get their final plan after five executions.
  for (let round = -10; round < rounds; round++) {
    for (const [index, { runtime, tenant }] of databases.entries()) {
      const begun = performance.now()
      await runtime.runPromise(operation(tenant))
      if (round >= 0) times[index]!.push(performance.now() - begun)
    }
  }
  const [small, large] = times.map(median)
  const [fastSmall, fastLarge] = times.map((each) => Math.min(...each))
  const touched = await Promise.all(
    databases.map(({ runtime, tenant }) => runtime.runPromise(pages(operation, tenant))),
  )
  console.log(
    `${name}: ${small!.toFixed(2)} → ${large!.toFixed(2)}, ${(large! / small!).toFixed(2)} times; fastest ${fastSmall!.toFixed(2)} → ${fastLarge!.toFixed(2)}, ${(fastLarge! / fastSmall!).toFixed(2)} times; pages ${touched.join(" → ")}`,
  )
}
for (const { runtime } of databases) await runtime.dispose()
await server.stop()
