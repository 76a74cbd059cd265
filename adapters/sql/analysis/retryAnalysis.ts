import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound, InvalidState, QuotaExceeded } from "../../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { statesBefore } from "../../../domain/analysis/Transition.ts"
import { decodeRows } from "../decodeRows.ts"
import { chargePool, poolOf, scanLimit } from "../pool.ts"
import { notifyQueue } from "../queueChannel.ts"
import type { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    status: AnalysisStatus,
    retriedAt: Schema.NullOr(Schema.Date),
    limit: Schema.Int,
    periodEnd: Schema.Date,
  }),
)

/**
 * The row lock decides between two simultaneous requests: the second waits at `found`, reads `pending` there, and
 * charges nothing. The scan is charged to the pool that the user belongs to now.
 */
export const retryAnalysis = Effect.fnUntraced(function* (
  sql: SqlClient,
  userId: UserId,
  analysisId: AnalysisId,
  traceParent: string | undefined,
) {
  const [row] = yield* decode(sql`
    WITH found AS (
      SELECT id, status FROM analyses WHERE id = ${analysisId}::uuid AND user_id = ${userId}::uuid FOR NO KEY UPDATE
    ),
    target AS (${poolOf(sql, userId)}),
    retriable AS (SELECT target.pool_id FROM target, found WHERE ${sql.in("found.status", statesBefore("retry"))}),
    charged AS (${chargePool(sql, sql.literal("retriable AS target"))}),
    retried AS (
      UPDATE analyses SET
        status = 'pending', stage = 'queued', progress = 0, failure = NULL, attempts = 0, worker = NULL,
        available_at = now(), retried_at = now(), trace_parent = ${traceParent ?? null}::text, pool_id = charged.id, charged_period = charged.period_start
      FROM charged, found
      WHERE analyses.id = found.id
      RETURNING analyses.retried_at
    )
    SELECT
      found.status, retried.retried_at AS "retriedAt", ${scanLimit(sql)} AS "limit", pools.period_end AS "periodEnd",
      CASE WHEN retried.retried_at IS NOT NULL THEN ${notifyQueue(sql)} END AS notified
    FROM found CROSS JOIN target JOIN pools ON pools.id = target.pool_id LEFT JOIN retried ON true`)
  if (row === undefined) return yield* new AnalysisNotFound({ analysisId })
  if (row.retriedAt !== null) return row.retriedAt
  if (!statesBefore("retry").includes(row.status)) return yield* new InvalidState({ analysisId, status: row.status })
  return yield* new QuotaExceeded({ limit: row.limit, resetsAt: row.periodEnd })
})
