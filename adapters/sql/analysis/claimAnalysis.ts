import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisType } from "../../../domain/analysis/Analysis.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { progressOf } from "../../../domain/analysis/Stage.ts"
import { decodeRows } from "../decodeRows.ts"
import { runningLimit } from "../pool.ts"
import { recoverLost } from "./endAttempt.ts"
import { lease } from "./lease.ts"
import { withoutDiskWait } from "../withoutDiskWait.ts"
import { UserId, AnalysisId, type WorkerId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const decode = decodeRows(
  Schema.Struct({
    poolChosen: Schema.Boolean,
    leaseLost: Schema.Boolean,
    analysisId: Schema.NullOr(AnalysisId),
    attemptToken: Schema.NullOr(Schema.String),
    attempt: Schema.NullOr(Schema.Int),
    userId: Schema.NullOr(UserId),
    repositoryUrl: Schema.NullOr(RepositoryUrl),
    branch: Schema.NullOr(Schema.String),
    commit: Schema.NullOr(Schema.String),
    path: Schema.NullOr(Schema.String),
    framework: Schema.NullOr(Framework),
    analysisType: Schema.NullOr(AnalysisType),
    traceParent: Schema.NullOr(Schema.String),
  }),
)

/**
 * Why the analysis row is the job. Enqueueing is the insert that the client's 201 answers, so nothing can be lost or
 * doubled between a table and a queue, and the terminal state, the charge and the queue change in one transaction.
 * The available queues were measured against it (2026-11): pg-boss hangs on PGlite; graphile-worker holds a crashed
 * worker's job for a hard-coded 4 hours; Effect's PersistedQueue has no fairness between tenants.
 *
 * The pool's row is locked first, and its counters decide fairness and the cap: an analysis counted
 * by another worker's commit is seen, because a locked row's conditions are rechecked on its latest version, whereas
 * counting running rows would read this statement's older snapshot and break the cap. SKIP LOCKED lets workers pass
 * each other; a pool passed over because a create holds it is announced by that create's notification.
 *
 * Fewest running first, then the longest without a turn: with a single worker a tenant of one is not kept waiting by
 * a tenant of a thousand. Both picks read an index in order, however many analyses are waiting or finished.
 */
export const claimStatement = (sql: SqlClient, workerId: WorkerId) => sql`
    WITH chosen AS (
      SELECT id FROM pools
      WHERE waiting > 0 AND running < ${runningLimit(sql)}
        AND EXISTS (
          SELECT FROM analyses
          WHERE analyses.pool_id = pools.id AND analyses.status = 'pending' AND analyses.available_at <= now())
      ORDER BY running, turn
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ),
    next AS (
      SELECT id, pool_id FROM analyses
      WHERE pool_id = (SELECT id FROM chosen) AND status = 'pending' AND available_at <= now()
      ORDER BY available_at, id
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ),
    counted AS (
      UPDATE pools SET waiting = pools.waiting - 1, running = pools.running + 1, turn = clock_timestamp()
      FROM next WHERE pools.id = next.pool_id
    ),
    claimed AS (
      UPDATE analyses SET
        status = 'running', stage = 'fetching_source', progress = ${progressOf("fetching_source", 0)}::int,
        attempts = analyses.attempts + 1, attempt_token = gen_random_uuid(), worker = ${workerId}::text,
        lease_expires_at = now() + ${lease(sql)}
      FROM next WHERE analyses.id = next.id
      RETURNING analyses.*
    )
    SELECT
      EXISTS (SELECT FROM chosen) AS "poolChosen",
      EXISTS (SELECT FROM analyses WHERE status = 'running' AND lease_expires_at <= now()) AS "leaseLost",
      claimed.id AS "analysisId", attempt_token AS "attemptToken", attempts AS attempt, user_id AS "userId",
      repository_url AS "repositoryUrl", branch, asked_commit AS commit, path, framework, analysis_type AS "analysisType",
      trace_parent AS "traceParent", ${withoutDiskWait(sql)}
    FROM (VALUES (1)) AS always LEFT JOIN claimed ON true`

/** Retries if a chosen pool's only analysis was claimed or deleted in the meantime. */
const racesLost = 5

export const claimAnalysis = (sql: SqlClient, workerId: WorkerId) =>
  Effect.gen(function* () {
    for (let again = 0; again < racesLost; again++) {
      const [row] = yield* decode(claimStatement(sql, workerId))
      if (row === undefined) return yield* Effect.die(new Error("The claim returned no row"))
      if (row.leaseLost) yield* recoverLost(sql)
      const { analysisId, attemptToken, attempt, userId, repositoryUrl, framework, analysisType } = row
      if (
        analysisId !== null &&
        attemptToken !== null &&
        attempt !== null &&
        userId !== null &&
        repositoryUrl !== null &&
        framework !== null &&
        analysisType !== null
      ) {
        const branch = row.branch ?? undefined
        const traceParent = row.traceParent ?? undefined
        return Option.some<ClaimedAnalysis>({
          analysisId,
          attemptToken,
          attempt,
          userId,
          repositoryUrl,
          branch,
          commit: row.commit ?? undefined,
          path: row.path ?? undefined,
          framework,
          analysisType,
          traceParent,
        })
      }
      if (!row.poolChosen && !row.leaseLost) break
    }
    return Option.none<ClaimedAnalysis>()
  })
