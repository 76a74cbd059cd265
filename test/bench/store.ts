/**
 * Costs of the queue and of the hot reads on Postgres, with 100,000 finished analyses in the table and the server's
 * default durability: `node test/bench/store.ts`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { Callers } from "../../application/ports/identity/Callers.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { create, newUser, resultOf, stores } from "../support/stores.ts"
import { embeddedDatabase, postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { type UserId, AnalysisId, WorkerId } from "../../domain/ids/Ids.ts"

const percentile = (sorted: ReadonlyArray<number>, share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)

const fillTable = Effect.fnUntraced(function* (userId: UserId, count: number) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO analyses (id, user_id, pool_id, repository_url, framework, analysis_type, status, stage, created_at, completed_at)
    SELECT gen_random_uuid(), ${userId}::uuid, ${userId}::uuid, 'https://github.com/example/vault', 'evm', 'full',
      'completed', 'completed', now() - n * interval '1 second', now() - n * interval '1 second'
    FROM generate_series(1, ${count}) AS n`
  yield* sql`ANALYZE`
})

/** The readers' analyses would be part of the queue. */
const cancelWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient
  const waiting = yield* sql<{
    id: string
    userId: UserId
  }>`SELECT id, user_id AS "userId" FROM analyses WHERE status = 'pending'`
  const store = yield* AnalysisStore
  yield* Effect.forEach(waiting, ({ id, userId }) => store.remove(userId, AnalysisId.make(id)), { discard: true })
})

/** Empty jobs through claim, heartbeat and completion. */
const jobs = Effect.fnUntraced(function* (label: string, users: number, each: number, workers: number) {
  const queue = yield* AnalysisQueue
  const owners = yield* Effect.forEach(Array.from({ length: users }), () => newUser("pro"), { concurrency: 8 })
  yield* Effect.forEach(
    owners.flatMap((owner) => Array.from({ length: each }, () => owner)),
    (owner) => create(owner),
    { concurrency: 16, discard: true },
  )
  const claims: Array<number> = []
  let done = 0
  const work = Effect.gen(function* () {
    while (done < users * each) {
      const begun = performance.now()
      const job = yield* queue.claim(WorkerId.make("bench"))
      if (Option.isNone(job)) continue
      claims.push(performance.now() - begun)
      yield* queue.heartbeat(job.value, "static_analysis", 50)
      yield* queue.complete(job.value, resultOf())
      done++
    }
  })
  const begun = performance.now()
  yield* Effect.all(
    Array.from({ length: workers }, () => work),
    { concurrency: "unbounded" },
  )
  const seconds = (performance.now() - begun) / 1000
  const sorted = claims.toSorted((a, b) => a - b)
  console.log(
    `${label}: ${(done / seconds).toFixed(0)} jobs/s with ${workers} workers, ` +
      `claim p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms`,
  )
})

/** What an authenticated status request requires of the stores; every reader has a separate user, key and analysis. */
const reads = Effect.fnUntraced(function* (label: string, concurrency: number, total: number) {
  const store = yield* AnalysisStore
  const [accounts, callers] = [yield* Accounts, yield* Callers]
  const newReader = Effect.gen(function* () {
    const userId = yield* newUser("pro")
    const hash = `bench-${userId}`
    const key = {
      userId,
      name: "bench",
      hash,
      prefix: "assay_",
      scopes: ["analysis:read"],
      expiresAt: undefined,
    } as const
    yield* accounts.createApiKey(key, undefined)
    const analysisId = yield* create(userId)
    const read = Effect.flatMap(callers.ofKey(hash), (caller) =>
      store.progress(Option.getOrThrow(caller).userId, analysisId),
    )
    return Effect.gen(function* () {
      for (let n = 0; n < total / concurrency; n++) yield* read
    })
  })
  const readers = yield* Effect.forEach(Array.from({ length: concurrency }), () => newReader)
  const run = Effect.all(readers, { concurrency: "unbounded", discard: true })
  yield* run
  const begun = performance.now()
  const cpu = process.cpuUsage()
  yield* run
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${label}: ${(total / seconds).toFixed(0)} authenticated reads/s at ${concurrency}, ` +
      `${((user + system) / total).toFixed(1)} µs CPU of this process each`,
  )
})

const program = Effect.gen(function* () {
  yield* reads("reads", 32, 60_000)
  yield* reads("reads", 1, 3_000)
  yield* cancelWaiting
  yield* jobs("empty table", 20, 50, 2)
  yield* fillTable(yield* newUser("pro"), 100_000)
  yield* jobs("100,000 finished", 20, 50, 2)
  yield* jobs("100,000 finished, 500 tenants", 500, 2, 2)
  yield* reads("reads, 100,000 finished", 32, 60_000)
})

const server = await startPostgres([])
if (server !== undefined) {
  await Effect.runPromise(
    program.pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresDatabase(server))))),
  ).finally(() => server.stop())
}
console.log("embedded:")
await Effect.runPromise(
  Effect.gen(function* () {
    yield* reads("reads", 32, 20_000)
    yield* cancelWaiting
    yield* jobs("jobs", 20, 20, 2)
  }).pipe(Effect.provide(stores.pipe(Layer.provideMerge(embeddedDatabase)))),
)
