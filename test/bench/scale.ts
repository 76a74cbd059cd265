import { loadavg } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../../adapters/sql/migrate.ts"
import { AnalysisStore, type ListFilter } from "../../application/ports/AnalysisStore.ts"
import { RepositoryStore } from "../../application/ports/RepositoryStore.ts"
import { analysisOf, newUser, resultOf, type Stores, stores } from "../contract/stores.ts"
import { postgresClient } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * What each operation costs over a database of many analyses against one of a thousand, in turn on one Postgres:
 * `node test/bench/scale.ts [analyses [rounds]]`. Ten million analyses of a hundred thousand tenants, ten thousand of
 * them queued, by default; that takes 8 GB of disk and a quarter of an hour to fill.
 */

const many = Number(process.argv[2] ?? 10_000_000)
const rounds = Number(process.argv[3] ?? 40)
const few = 1_000

/** Tenants, each with a synced repository and analyses of it; a share of the analyses waits, the others are finished. */
const fill = (analyses: number, tenants: number, queued: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET statement_timeout = 0`
    yield* sql`
      CREATE TEMP TABLE tenants AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, ${tenants}::int) AS n`
    yield* sql`
      INSERT INTO pools (id, plan, seats, period_start, period_end)
      SELECT id, 'pro', 1000, now() - interval '1 day', now() + interval '29 days' FROM tenants`
    yield* sql`INSERT INTO users (id, email) SELECT id, 'tenant-' || n || '@example.com' FROM tenants`
    yield* sql`
      INSERT INTO repositories (
        user_id, github_id, name, full_name, url, default_branch, is_private, is_archived, host_updated_at, last_synced_at)
      SELECT id, n, 'vault', 'example/vault', 'https://github.com/example/vault', 'main', false, false, now(), now()
      FROM tenants`
    yield* sql`
      INSERT INTO repository_urls (user_id, url_key, repository_id)
      SELECT user_id, 'https://github.com/example/vault', id FROM repositories`
    yield* sql`
      INSERT INTO analyses (
        id, user_id, pool_id, repository_url, framework, analysis_type, status, stage, created_at, completed_at,
        analysed_branch, total_findings, analysis_time)
      SELECT
        gen_random_uuid(), id, id, 'https://github.com/example/vault', 'evm', 'full',
        CASE WHEN a % 20 = 0 THEN 'failed' ELSE 'completed' END, 'completed',
        now() - a * interval '1 hour', now() - a * interval '1 hour', 'main', 3, 1000
      FROM generate_series(1, ${Math.ceil(analyses / tenants)}::int) AS a, tenants`
    yield* sql`
      INSERT INTO analyses (id, user_id, pool_id, repository_url, framework, analysis_type)
      SELECT gen_random_uuid(), id, id, 'https://github.com/example/vault', 'evm', 'full'
      FROM tenants WHERE n <= ${queued}::int`
    yield* sql`UPDATE pools SET waiting = 1, used = 1 WHERE id IN (SELECT id FROM tenants WHERE n <= ${queued}::int)`
    yield* sql`VACUUM ANALYZE`
  }).pipe(Effect.scoped)

interface Tenant {
  readonly userId: string
  readonly analysisId: string
  readonly repositoryId: string
}

/** One tenant of the filled database, in the middle of the others. */
const someTenant = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<Tenant>`
    SELECT analyses.user_id AS "userId", analyses.id AS "analysisId", repositories.id AS "repositoryId"
    FROM analyses JOIN repositories ON repositories.user_id = analyses.user_id
    WHERE status = 'completed' LIMIT 1`
  return row!
})

const list = (userId: string, filter: Partial<ListFilter> = {}) =>
  AnalysisStore.use((store) =>
    store.list(userId, {
      limit: 100,
      after: undefined,
      status: undefined,
      framework: undefined,
      repositoryUrl: undefined,
      ...filter,
    }),
  )

type Operation = (tenant: Tenant) => Effect.Effect<unknown, unknown, Stores>

const operations: Readonly<Record<string, Operation>> = {
  status: ({ userId, analysisId }) => AnalysisStore.use((store) => store.progress(userId, analysisId)),
  list: ({ userId }) => list(userId),
  "list, failed ones": ({ userId }) => list(userId, { status: "failed" }),
  "list, of one repository": ({ userId }) => list(userId, { repositoryUrl: "https://github.com/example/vault" }),
  badge: ({ analysisId }) => AnalysisStore.use((store) => store.badge(analysisId)),
  statistics: ({ userId }) => RepositoryStore.use((store) => store.statistics(userId)),
  "scan history": ({ userId, repositoryId }) => RepositoryStore.use((store) => store.scans(userId, repositoryId)),
  "create and remove": ({ userId }) =>
    AnalysisStore.use((store) =>
      Effect.flatMap(store.create(analysisOf(userId), undefined), ({ analysisId }) => store.remove(userId, analysisId)),
    ),
  "create with a key": ({ userId }) =>
    AnalysisStore.use((store) =>
      Effect.flatMap(
        store.create(analysisOf(userId), { key: crypto.randomUUID(), requestHash: "same" }),
        ({ analysisId }) => store.remove(userId, analysisId),
      ),
    ),
  "create, claim, compare, complete": ({ userId }) =>
    AnalysisStore.use((store) =>
      Effect.gen(function* () {
        yield* store.create(analysisOf(userId), undefined)
        const job = Option.getOrThrow(yield* store.claim("bench"))
        yield* store.heartbeat(job, "static_analysis", 50)
        yield* store.compare(job, "main", ["f_0123456789abcdef"])
        yield* store.complete(job, resultOf())
      }),
    ),
  "new user": () => newUser("pro"),
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const server = await startPostgres([
  "max_wal_size=8GB",
  "maintenance_work_mem=512MB",
  "synchronous_commit=off",
  "fsync=off",
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
    // One connection: the tenants are listed in a temporary table.
    await Effect.runPromise(
      Effect.andThen(migrate, fill(analyses, tenants, queued)).pipe(Effect.provide(postgresClient(url, 1))),
    )
    console.log(
      `${analyses} analyses of ${tenants} tenants: filled in ${Math.round((performance.now() - begun) / 1000)} s`,
    )
    const runtime = ManagedRuntime.make(stores.pipe(Layer.provideMerge(postgresClient(url))))
    return { runtime, tenant: await runtime.runPromise(someTenant) }
  }),
)

console.log(`load average ${loadavg()[0]!.toFixed(1)}; milliseconds, median of ${rounds}`)
for (const [name, operation] of Object.entries(operations)) {
  const times: ReadonlyArray<Array<number>> = databases.map(() => [])
  // Ten more at first: statements are prepared, and planned for good after five executions.
  for (let round = -10; round < rounds; round++) {
    for (const [index, { runtime, tenant }] of databases.entries()) {
      const begun = performance.now()
      await runtime.runPromise(operation(tenant))
      if (round >= 0) times[index]!.push(performance.now() - begun)
    }
  }
  const [small, large] = times.map(median)
  console.log(`${name}: ${small!.toFixed(2)} → ${large!.toFixed(2)}, ${(large! / small!).toFixed(2)} times`)
}
for (const { runtime } of databases) await runtime.dispose()
await server.stop()
