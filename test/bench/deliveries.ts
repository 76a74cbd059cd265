import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { WorkerId } from "../../domain/ids/Ids.ts"
import { migrate } from "../../adapters/sql/migrate.ts"
import { DeliveryStore } from "../../application/ports/notification/DeliveryStore.ts"
import { claim, complete, create, newUser, stores } from "../support/stores.ts"
import { postgresClient } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * Claiming a delivery next to 100,000 finished ones: with nothing else due, and behind 50,000 due ones of 200 hanging
 * receivers, without and with 10,000 more receivers whose next attempt is later: `node test/bench/deliveries.ts`.
 */

const rounds = 100
const hanging = Array.from({ length: 200 }, (_, n) => `hangs-${n}`)

const fill = (sql: SqlClient, count: number, receiver: string, status: string, due: string) => sql`
  INSERT INTO deliveries (analysis_id, type, url, receiver, payload, status, due_at)
  SELECT analyses.id, 'analysis.completed', 'https://hooks.example.com/', ${sql.literal(receiver)}, repeat('x', 400),
    ${status}, now() + ${due}::interval + n * interval '1 millisecond'
  FROM analyses, generate_series(1, ${count}::int) AS n`

const measure = Effect.fnUntraced(function* (what: string) {
  const sql = yield* SqlClient
  const store = yield* DeliveryStore
  yield* sql`VACUUM ANALYZE deliveries`
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    yield* sql`
      UPDATE deliveries SET status = 'pending', due_at = now(), attempt_token = NULL, attempts = 0
      WHERE status = 'sending' OR receiver LIKE '%quick.example.com'`
    const begun = performance.now()
    const claimed = yield* store.claim(WorkerId.make("bench"), hanging)
    times.push(performance.now() - begun)
    if (claimed._tag === "None") throw new Error("nothing was claimed")
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(rounds * share)]!.toFixed(2)
  console.log(`${what}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms`)
})

const bench = Effect.gen(function* () {
  yield* migrate
  const sql = yield* SqlClient
  yield* create(yield* newUser(), { webhookUrl: "https://quick.example.com/" })
  yield* complete(yield* claim)
  yield* fill(sql, 100_000, "'over-' || n % 500", "delivered", "-1 day")
  yield* measure("nothing in its way")
  yield* fill(sql, 50_000, "'hangs-' || n % 200", "pending", "-1 hour")
  yield* measure("behind 50,000 of 200 receivers that hang")
  yield* fill(sql, 10_000, "'later-' || n", "pending", "5 hours")
  yield* measure("and with 10,000 receivers whose next attempt is later")
})

const server = await startPostgres([])
if (server === undefined) throw new Error("this needs Postgres")
const url = await server.createDatabase()
await Effect.runPromise(bench.pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresClient(url))))))
await server.stop()
