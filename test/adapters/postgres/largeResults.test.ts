import { gunzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { claim, complete, create, newUser, statusOf, stores } from "../../support/stores.ts"
import { postgresDatabase } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

/** More than the client accepts in one Postgres message, which is 64 MiB. */
const characters = 70_000_000

describe("a result of an earlier release that exceeds the limit of a message", () => {
  it.live.runIf(server !== undefined)(
    "reaches its reader without failing what others do on the same connections",
    () =>
      Effect.gen(function* () {
        const store = yield* AnalysisStore
        const sql = yield* SqlClient
        const [owner, other] = [yield* newUser(), yield* newUser()]
        const analysisId = yield* create(owner)
        yield* complete(yield* claim)
        const theirs = yield* create(other)
        yield* sql`DELETE FROM reports`
        yield* sql`UPDATE analysis_results SET json = '"' || repeat('x', ${characters}::integer) || '"'`

        const reading = yield* Effect.forkChild(
          Effect.andThen(store.find(owner, analysisId), store.report(analysisId, "json", Effect.succeed)),
        )
        const statuses: Array<string> = []
        while (reading.pollUnsafe() === undefined) {
          statuses.push(
            ...(yield* Effect.all(
              Array.from({ length: 40 }, () => statusOf(other, theirs)),
              { concurrency: "unbounded" },
            )),
          )
          yield* Effect.yieldNow
        }
        const report = Option.getOrThrow(yield* Fiber.join(reading))
        assert.strictEqual(report.size, characters + 2)
        assert.strictEqual(gunzipSync(report.gzip).length, characters + 2)
        assert.isAtLeast(statuses.length, 40)
        assert.deepEqual([...new Set(statuses)], ["pending"])
      }).pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresDatabase(server!))))),
    60_000,
  )
})
