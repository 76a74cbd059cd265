import { PgClient } from "@effect/sql-pg"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { onOwnConnection } from "../../../adapters/sql/Lane.ts"
import * as SqlHealthProbe from "../../../adapters/sql/SqlHealthProbe.ts"
import { CurrentWaitingTime, WaitingTime } from "../../../application/ports/Deadline.ts"
import { HealthProbe } from "../../../application/ports/HealthProbe.ts"
import { postgresClient } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

/** Of 16 connections 12 are for long statements, three of which one caller may have. */
const connections = 16
const share = 3
const lock = 7

const by = (caller: string) => {
  const time = new WaitingTime()
  time.caller = caller
  return Effect.provideService(CurrentWaitingTime, time)
}

/** Waits for a lock that the test holds. */
const stuck = SqlClient.use((sql) => sql`SELECT pg_advisory_xact_lock(${lock})`)

const ways: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown, SqlClient>]> = [
  ["statements of their own", onOwnConnection(stuck)],
  ["statements that proved slow", stuck],
  ["transactions", SqlClient.use((sql) => sql.withTransaction(stuck))],
  ["streams", SqlClient.use((sql) => Stream.runDrain(sql`SELECT pg_advisory_xact_lock(${lock})`.stream))],
]

describe.runIf(server !== undefined)("the connections for long statements", () => {
  it.live.each(ways)("are held by one caller up to a quarter through %s, and others get theirs", ([, way]) =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => server!.createDatabase())
      const context = yield* Layer.build(postgresClient(url, connections))
      const held = Effect.provide(way, context)
      const client = Effect.map(Layer.build(Layer.fresh(PgClient.layer({ url: Redacted.make(url) }))), (built) =>
        Context.get(built, PgClient.PgClient),
      )
      // A transaction sees the sessions as of its first query.
      const [holder, observer] = [yield* client, yield* client]
      const stuckSessions = Effect.map(
        observer<{ count: number }>`
          SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
        ([row]) => row!.count,
      )
      const until = (count: number) => Effect.repeat(stuckSessions, { until: (stuck) => stuck >= count })

      yield* holder.withTransaction(
        Effect.gen(function* () {
          yield* holder`SELECT pg_advisory_xact_lock(${lock})`
          const heavy = yield* Effect.forEach(
            Array.from({ length: 4 * share }, () => held),
            (one) => Effect.forkChild(by("heavy")(one)),
          )
          yield* until(way === stuck ? 1 : share)
          // Later than all of the heavy caller's, which therefore have got all they will get.
          const answered = by("light")(onOwnConnection(SqlClient.use((sql) => sql`SELECT 1`)))
          for (let turn = 0; turn < 5; turn++) yield* Effect.provide(answered, context)
          assert.isAtMost(yield* stuckSessions, share)
          yield* Effect.forEach(heavy, (fiber) => Fiber.interrupt(fiber), { concurrency: "unbounded" })
        }),
      )
      // Shares are returned: without competition the same caller continues.
      yield* by("heavy")(held)
    }).pipe(Effect.scoped),
  )

  it.live("report whether the database is available while many statements wait for a lock on the shared ones", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => server!.createDatabase())
      const context = yield* Layer.build(postgresClient(url, connections))
      const holder = Context.get(
        yield* Layer.build(Layer.fresh(PgClient.layer({ url: Redacted.make(url) }))),
        PgClient.PgClient,
      )
      const probe = Context.get(yield* Effect.provide(Layer.build(SqlHealthProbe.layer), context), HealthProbe)
      yield* holder.withTransaction(
        Effect.gen(function* () {
          yield* holder`SELECT pg_advisory_xact_lock(${lock})`
          const waiting = yield* Effect.forEach(
            Array.from({ length: 10 * connections }, (_, caller) => by(String(caller))(Effect.provide(stuck, context))),
            (one) => Effect.forkChild(one),
          )
          yield* Effect.sleep(50)
          assert.deepEqual(yield* Effect.all([probe.database, probe.writes]), ["connected", "possible"])
          yield* Effect.forEach(waiting, (fiber) => Fiber.interrupt(fiber), { concurrency: "unbounded" })
        }),
      )
    }).pipe(Effect.scoped),
  )
})
