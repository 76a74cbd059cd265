import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../../../adapters/sql/migrate.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import { claim, complete, create, newUser, stores, type Stores } from "../../support/stores.ts"
import { postgresClient } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

const analyses = 100
const findings = 3_000

const fingerprints = (from: number) =>
  Array.from({ length: findings }, (_, index) => (from + index).toString(16).padStart(16, "0"))

/** A hundred completed analyses with the same findings, and a running one. */
const history = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* create(yield* newUser())
  const first = yield* claim
  yield* complete(first, { fingerprints: fingerprints(0) })
  yield* sql`
    WITH copied AS (
      INSERT INTO analyses (
        id, user_id, pool_id, repository_url, framework, analysis_type, status, completed_at, analysed_branch)
      SELECT
        gen_random_uuid(), user_id, pool_id, repository_url, framework, analysis_type, status,
        completed_at - make_interval(mins => n), analysed_branch
      FROM analyses, generate_series(1, ${analyses - 1}) AS n WHERE id = ${first.analysisId}::uuid
      RETURNING id
    )
    INSERT INTO analysis_results (analysis_id, json, fingerprints)
    SELECT copied.id, '{}', fingerprints FROM copied, analysis_results`
  yield* sql`ANALYZE`
  yield* create(first.userId)
  return yield* claim
})

/** Milliseconds of the fastest of three comparisons in which half of the findings are known. */
const fastest = Effect.fnUntraced(function* (job: ClaimedAnalysis) {
  const queue = yield* AnalysisQueue
  const times: Array<number> = []
  for (let run = 0; run < 3; run++) {
    const since = performance.now()
    const statuses = yield* queue.compare(job, "main", fingerprints(findings / 2))
    times.push(performance.now() - since)
    assert.deepEqual([...new Set(statuses.slice(0, findings / 2))], ["unchanged"])
    assert.deepEqual([...new Set(statuses.slice(findings / 2))], ["new"])
  }
  return Math.min(...times)
})

describe("fingerprints of a hundred analyses", () => {
  it.live.runIf(server !== undefined)(
    "are compared as fast under a generic plan as under a custom one",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => server!.createDatabase())
        const on = <A, E>(mode: string, effect: Effect.Effect<A, E, Stores>) => {
          const planned = new URL(url)
          planned.searchParams.set("options", `-c plan_cache_mode=${mode}`)
          return effect.pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresClient(planned.href)))))
        }
        const job = yield* on("auto", Effect.andThen(migrate, history))
        const custom = yield* on("force_custom_plan", fastest(job))
        assert.isBelow(yield* on("force_generic_plan", fastest(job)), 4 * custom)
      }),
    60_000,
  )
})
