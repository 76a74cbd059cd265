import { fork } from "node:child_process"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { WorkerId } from "../../domain/ids/Ids.ts"
import { migrate } from "../../adapters/sql/migrate.ts"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { create, newUser, resultOf, type Stores, stores } from "../support/stores.ts"
import { postgresClient } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * Empty jobs through claim, heartbeat and completion on one Postgres with default durability, with two worker processes:
 * in a table without others and in one with 100,000 finished analyses, in turn, so that other load on the machine affects
 * both: `node test/bench/queue.ts [slots of each worker [rounds]]`.
 */

const slots = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 3)
const workers = 2
const users = 100
const each = 20
const finished = 100_000

interface Job {
  readonly claim: number
  readonly endedAt: number
}

const on = <A, E>(url: string, effect: Effect.Effect<A, E, Stores>) =>
  effect.pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresClient(url)))))

/** Works until the queue is empty; returns the milliseconds of each claim and when, since the epoch, each job ended. */
const work = Effect.gen(function* () {
  const queue = yield* AnalysisQueue
  const done: Array<Job> = []
  const slot = Effect.gen(function* () {
    while (true) {
      const begun = performance.now()
      const job = yield* queue.claim(WorkerId.make(`bench-${process.pid}`))
      if (Option.isNone(job)) return
      const claim = performance.now() - begun
      yield* queue.heartbeat(job.value, "static_analysis", 50)
      yield* queue.complete(job.value, resultOf())
      done.push({ claim, endedAt: performance.timeOrigin + performance.now() })
    }
  })
  // Connections are opened and statements prepared before the clock starts.
  yield* queue.claim(WorkerId.make("warm-up"))
  process.send!("ready")
  yield* Effect.promise(() => new Promise((resolve) => process.once("message", resolve)))
  yield* Effect.all(
    Array.from({ length: slots }, () => slot),
    { concurrency: "unbounded", discard: true },
  )
  process.send!(done)
})

const enqueue = Effect.gen(function* () {
  const owners = yield* Effect.forEach(Array.from({ length: users }), () => newUser("pro"), { concurrency: 8 })
  yield* Effect.forEach(
    owners.flatMap((owner) => Array.from({ length: each }, () => owner)),
    (owner) => create(owner),
    { concurrency: 16, discard: true },
  )
})

/** Finished analyses, in addition to those in the queue. */
const fill = Effect.gen(function* () {
  const userId = yield* newUser("pro")
  yield* SqlClient.use(
    (sql) => sql`
      INSERT INTO analyses (
        id, user_id, pool_id, repository_url, framework, analysis_type, status, stage, created_at, completed_at)
      SELECT
        gen_random_uuid(), ${userId}::uuid, ${userId}::uuid, 'https://github.com/example/vault', 'evm', 'full',
        'completed', 'completed', now() - n * interval '1 second', now() - n * interval '1 second'
      FROM generate_series(1, ${finished}) AS n`,
  )
  yield* SqlClient.use((sql) => sql`VACUUM ANALYZE analyses`)
})

const startWorker = async (url: string) => {
  const child = fork(fileURLToPath(import.meta.url), [String(slots), String(rounds), url])
  const next = <A>() => new Promise<A>((resolve) => child.once("message", (message) => resolve(message as A))) // ours
  await next()
  return {
    run: () => {
      const result = next<ReadonlyArray<Job>>()
      child.send("go")
      return result
    },
    ended: new Promise((resolve) => child.once("exit", resolve)),
  }
}

/** Jobs per second, and the claims' milliseconds, over the length of one queue. */
const measure = async (url: string) => {
  // The warm-up would take jobs.
  const running = await Promise.all(Array.from({ length: workers }, () => startWorker(url)))
  await Effect.runPromise(on(url, enqueue))
  const begun = performance.timeOrigin + performance.now()
  const jobs = (await Promise.all(running.map((worker) => worker.run()))).flat()
  await Promise.all(running.map((worker) => worker.ended))
  if (jobs.length !== users * each) throw new Error(`${jobs.length} of ${users * each} jobs ended`)
  const seconds = (Math.max(...jobs.map(({ endedAt }) => endedAt)) - begun) / 1000
  return { rate: jobs.length / seconds, claims: jobs.map(({ claim }) => claim) }
}

const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(2)

const main = async () => {
  const server = await startPostgres([])
  if (server === undefined) throw new Error("it takes Postgres")
  const tables = await Promise.all(
    (["no other", `${finished} finished`] as const).map(async (name, index) => {
      const url = await server.createDatabase()
      await Effect.runPromise(on(url, Effect.andThen(migrate, index === 0 ? Effect.void : fill)))
      return { name, url, rates: [] as Array<number>, claims: [] as Array<number> }
    }),
  )
  console.log(`${workers} worker processes, ${slots} at a time each, load average ${loadavg()[0]!.toFixed(1)}`)
  for (let round = 0; round < rounds; round++) {
    for (const table of tables) {
      const { rate, claims } = await measure(table.url)
      table.rates.push(rate)
      table.claims.push(...claims)
    }
  }
  for (const { name, rates, claims } of tables) {
    const shown = rates.map((rate) => rate.toFixed(0)).join(", ")
    console.log(`${name}: ${shown} jobs/s, claim p50 ${percentile(claims, 0.5)} ms, p99 ${percentile(claims, 0.99)} ms`)
  }
  const [empty, full] = tables.map(({ rates }) => Math.max(...rates))
  console.log(`with ${finished} finished analyses ${(full! / empty!).toFixed(2)} of the rate without`)
  await server.stop()
}

const url = process.argv[4]
await (url === undefined ? main() : Effect.runPromise(on(url, work)))
