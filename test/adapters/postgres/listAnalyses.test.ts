import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { listStatement } from "../../../adapters/sql/analysis/readAnalysis.ts"
import { claim, complete, create, newUser, stores } from "../../support/stores.ts"
import { postgresDatabase } from "../../support/databases.ts"
import { startPostgres } from "../../support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

const analyses = 20_000

describe("a list of a few out of many analyses", () => {
  it.live.runIf(server !== undefined)(
    "reads few pages under the generic plan",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const userId = yield* newUser()
        yield* create(userId)
        const job = yield* claim
        yield* complete(job)
        yield* sql`
          INSERT INTO analyses (
            id, user_id, pool_id, repository_url, framework, analysis_type, status, completed_at, created_at)
          SELECT
            gen_random_uuid(), user_id, pool_id, repository_url, framework, analysis_type, status, completed_at,
            created_at - make_interval(mins => n)
          FROM analyses, generate_series(1, ${analyses}::integer) AS n WHERE id = ${job.analysisId}::uuid`
        yield* sql`VACUUM ANALYZE analyses`

        const everything = { limit: 10, after: undefined, framework: undefined, repositoryUrl: undefined }
        for (const status of ["pending", "running", "completed", undefined] as const) {
          const [text, parameters] = listStatement(sql, userId, { ...everything, status }).compile()
          const values = parameters.map((value) => `'${String(value)}'`).join(", ")
          const explained = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
              yield* sql.unsafe(`PREPARE listing AS ${text}`)
              const plan = yield* sql.unsafe<Record<string, string>>(
                `EXPLAIN (ANALYZE, BUFFERS) EXECUTE listing (${values})`,
              )
              yield* sql`DEALLOCATE listing`
              return plan.map((line) => line["QUERY PLAN"]).join("\n")
            }),
          )
          // The first line is that of the whole statement.
          const pages = Number(/Buffers: shared hit=(\d+)/.exec(explained)?.[1] ?? 0)
          assert.isBelow(pages, 50, explained)
        }
      }).pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresDatabase(server!))))),
    60_000,
  )
})
