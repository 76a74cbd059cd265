import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { claimStatement } from "../../../adapters/sql/analysis/claimAnalysis.ts"
import { claimStatement as claimDeliveryStatement } from "../../../adapters/sql/notification/claimDelivery.ts"
import { Notifications } from "../../../adapters/sql/Notifications.ts"
import { migrate, migrateUpTo } from "../../../adapters/sql/migrate.ts"
import * as SqlHealthProbe from "../../../adapters/sql/SqlHealthProbe.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { Deadline } from "../../../application/ports/Deadline.ts"
import { DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import { HealthProbe } from "../../../application/ports/HealthProbe.ts"
import { analysisOf, claim, complete, create, newUser, statusOf, type Stores, stores } from "../../support/stores.ts"
import { postgresClient, postgresDatabase } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"
import { startProxy } from "../../support/tcpProxy.ts"
import { UserId, AnalysisId, WorkerId } from "../../../domain/ids/Ids.ts"

/** Nothing listens on this port, which is reserved and requires privileges. */
const nowhere = "postgres://postgres@127.0.0.1:1/assay"

const databaseState = HealthProbe.use((probe) => probe.database).pipe(Effect.provide(SqlHealthProbe.layer))

describe("an unreachable Postgres", () => {
  const away = stores.pipe(Layer.provideMerge(postgresClient(nowhere)))

  it.effect("lets the service start, and is reported as unavailable by every operation", () =>
    Effect.gen(function* () {
      const store = yield* AnalysisStore
      const queue = yield* AnalysisQueue
      const callers = yield* Callers
      const id = crypto.randomUUID()
      const operations: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        store.progress(UserId.make(id), AnalysisId.make(id)),
        store.find(UserId.make(id), AnalysisId.make(id)),
        queue.claim(WorkerId.make("worker")),
        callers.ofKey("hash"),
      ]
      for (const operation of operations) {
        const error: { readonly _tag: string } = yield* Effect.flip(operation)
        assert.strictEqual(error._tag, "StoreUnavailable")
      }
      assert.strictEqual(yield* databaseState, "disconnected")
    }).pipe(Effect.provide(away)),
  )
})

const server = await startPostgres()
afterAll(() => server?.stop())

/** Without Postgres, `startPostgres` has said so, and has failed in CI. */
const onPostgres = <A, E>(effect: Effect.Effect<A, E, Stores>) =>
  server === undefined
    ? Effect.void
    : effect.pipe(Effect.provide(stores.pipe(Layer.provideMerge(Layer.fresh(postgresDatabase(server))))))

const Plan = Schema.Struct({ "QUERY PLAN": Schema.String })

describe("a Postgres", () => {
  it.effect("rejects a key whose first request is still in progress, and replays it afterwards", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* AnalysisStore
        const userId = yield* newUser()
        const keyed = store.create(analysisOf(userId), { key: "k", requestHash: "h" })
        const outside = yield* Effect.context<never>()
        const first = yield* sql.withTransaction(
          Effect.gen(function* () {
            const first = yield* keyed
            const second = yield* Effect.flip(Effect.setContext(keyed, outside))
            assert.strictEqual(second._tag, "IdempotencyKeyInFlight")
            return first
          }),
        )
        assert.deepEqual(yield* keyed, first)
      }),
    ),
  )

  it.effect("is usable again immediately after closing every connection", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const userId = yield* newUser()
        const analysisId = yield* create(userId)
        const others = sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
        const reads = Array.from({ length: 50 }, () => Effect.result(statusOf(userId, analysisId)))
        const reading = yield* Effect.forkChild(Effect.all(reads, { concurrency: "unbounded" }))
        yield* sql.withTransaction(others)
        for (const read of yield* Fiber.join(reading)) {
          if (read._tag === "Failure") assert.strictEqual(read.failure._tag, "StoreUnavailable")
        }
        const recovered = yield* Effect.retry(statusOf(userId, analysisId), { times: 10 })
        assert.strictEqual(recovered, "pending")
        assert.strictEqual(yield* databaseState, "connected")
      }),
    ),
  )

  it.live("does not delay the end of a process that listens on it if it hangs", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const url = new URL(yield* Effect.promise(() => server.createDatabase()))
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => startProxy(Number(url.port))),
        (proxy) => Effect.promise(() => proxy.close()),
      )
      url.port = String(proxy.port)
      const listening = Effect.gen(function* () {
        const listens = yield* Deferred.make<void>()
        const { listen } = yield* Notifications
        yield* Effect.forkScoped(listen("anything", () => Deferred.doneUnsafe(listens, Effect.void)))
        yield* Deferred.await(listens)
        proxy.slowDown(60_000)
      })
      const [ended] = yield* Effect.timed(Effect.provide(Effect.scoped(listening), postgresClient(url.href)))
      assert.isBelow(Duration.toSeconds(ended), 10)
    }).pipe(Effect.scoped),
  )

  it.live("can be listened to and queried through a pool of one connection", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const url = yield* Effect.promise(() => server.createDatabase())
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient
        const { listen } = yield* Notifications
        const heard = yield* Deferred.make<void>()
        let ready = 0
        const both = yield* Deferred.make<void>()
        const begun = () => void (++ready === 2 && Deferred.doneUnsafe(both, Effect.void))
        yield* Effect.forkScoped(listen("idle", begun))
        yield* Effect.forkScoped(
          listen("busy", () => (ready < 2 ? begun() : void Deferred.doneUnsafe(heard, Effect.void))),
        )
        yield* Deferred.await(both)
        yield* sql.withTransaction(sql`SELECT pg_notify('busy', '')::text`)
        yield* Deferred.await(heard)
      })
      yield* Effect.provide(Effect.scoped(work), postgresClient(url, 1))
    }),
  )

  it.effect("ends a statement that takes too long", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [timeout] = yield* sql.withTransaction(sql<{ statement_timeout: string }>`SHOW statement_timeout`)
        assert.strictEqual(timeout?.statement_timeout, "10s")
        const error = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 50`, sql`SELECT pg_sleep(5)::text`)),
        )
        assert.strictEqual(error.reason._tag, "StatementTimeoutError")
      }),
    ),
  )

  it.live("gets a new connection if a statement is past its deadline, even in the middle of a transaction", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const [before] = yield* sql.withTransaction(pid)
        const late = sql
          .withTransaction(sql`SELECT pg_sleep(8)::text`)
          .pipe(Effect.provideService(Deadline, performance.now() + 300))
        const [time, exit] = yield* Effect.timed(Effect.exit(late))
        assert.isBelow(Duration.toSeconds(time), 4)
        // Only this failure: a ROLLBACK on the closed connection is not a defect.
        assert.deepEqual(Exit.isFailure(exit) ? exit.cause.reasons.map(({ _tag }) => _tag) : [], ["Fail"])
        const [after] = yield* sql.withTransaction(pid)
        assert.notStrictEqual(after?.pid, before?.pid)
      }),
    ),
  )

  it.live("runs a slow statement on a separate connection, so that nothing waits behind it", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ended: Array<string> = []
        const note = (name: string) => Effect.sync(() => ended.push(name))
        // More than there are shared connections, and each takes longer than those allow.
        const slow = Effect.andThen(sql`SELECT pg_sleep(1.5)::text`, note("slow"))
        const quick = Effect.andThen(sql`SELECT 1`, note("quick"))
        yield* Effect.all([slow, slow, slow, quick, quick, quick, quick], { concurrency: "unbounded" })
        assert.deepEqual(ended.slice(0, 4), ["quick", "quick", "quick", "quick"])
        assert.lengthOf(ended, 7)
      }),
    ),
  )

  it.live("is migrated by statements that release a table after a second, so that others get access", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const url = yield* Effect.promise(() => server.createDatabase())
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrateUpTo(8)
        const others = yield* Deferred.make<void>()
        const holds = yield* Deferred.make<void>()
        const write = sql`UPDATE deliveries SET attempts = 0 WHERE false`
        const holding = Effect.all([write, Deferred.done(holds, Exit.void), Deferred.await(others)])
        const holder = yield* Effect.forkChild(sql.withTransaction(holding))
        yield* Deferred.await(holds)
        const migration = yield* Effect.forkChild(migrate)
        const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'deliveries'::regclass`
        yield* Effect.repeat(waiting, { until: ({ length }) => length > 0, schedule: Schedule.spaced("5 millis") })
        yield* write
        assert.isUndefined(holder.pollUnsafe())
        yield* Deferred.done(others, Exit.void)
        assert.deepEqual((yield* Fiber.join(migration)).slice(0, 1), [9])
      }).pipe(Effect.provide(postgresClient(url)))
    }),
  )

  it.effect("claims through indexes alone, however many analyses are finished or waiting", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const userId = yield* newUser()
        yield* sql`
          INSERT INTO pools (plan, period_start, period_end)
          SELECT 'basic', now(), now() + interval '1 day' FROM generate_series(1, 5000)`
        yield* sql`
          INSERT INTO analyses (id, user_id, pool_id, repository_url, framework, analysis_type, status)
          SELECT gen_random_uuid(), ${userId}::uuid, ${userId}::uuid, 'https://github.com/example/vault', 'evm', 'full',
            CASE n % 100 WHEN 0 THEN 'pending' ELSE 'completed' END
          FROM generate_series(1, 20000) AS n`
        yield* sql`UPDATE pools SET waiting = 200 WHERE id = ${userId}::uuid`
        yield* sql`ANALYZE`
        const rows = yield* sql`EXPLAIN ${claimStatement(sql, WorkerId.make("worker"))}`
        const plan = Schema.decodeUnknownSync(Schema.Array(Plan))(rows).map((row) => row["QUERY PLAN"])
        assert.deepEqual(
          plan.filter((line) => line.includes("Seq Scan")),
          [],
        )
        for (const index of ["pools_queue", "analyses_waiting", "analyses_running"]) {
          assert.isTrue(plan.some((line) => line.includes(index)))
        }
        assert.strictEqual((yield* claim).userId, userId)
      }),
    ),
  )

  it.effect("claims a delivery by reading indexes in order, past the backlog of a busy receiver", () =>
    onPostgres(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const userId = yield* newUser()
        const analysisId = yield* create(userId, { webhookUrl: "https://quick.example.com/" })
        yield* sql`
          INSERT INTO deliveries (analysis_id, type, url, receiver, payload, status, due_at)
          SELECT ${analysisId}::uuid, 'analysis.completed', 'https://slow.example.com/', 'slow', '{}',
            CASE n % 4 WHEN 0 THEN 'pending' ELSE 'delivered' END, now() - interval '1 hour'
          FROM generate_series(1, 20000) AS n`
        yield* complete(yield* claim)
        yield* sql`ANALYZE`
        const rows =
          yield* sql`EXPLAIN (ANALYZE, TIMING OFF) ${claimDeliveryStatement(sql, WorkerId.make("worker"), ["slow"])}`
        const plan = Schema.decodeUnknownSync(Schema.Array(Plan))(rows).map((row) => row["QUERY PLAN"])
        assert.deepEqual(
          plan.filter((line) =>
            /Seq Scan on deliveries|rows=\d{4}|Removed by Filter: \d{4}/.test(line.replace(/\(cost=[^)]*\)/, "")),
          ),
          [],
        )
        for (const index of ["deliveries_due", "deliveries_receiver"]) {
          assert.isTrue(plan.some((line) => line.includes(index)))
        }
        const [delivery] = yield* DeliveryStore.use((store) => store.list(userId, analysisId))
        assert.strictEqual(delivery?.status, "sending")
      }),
    ),
  )
})
