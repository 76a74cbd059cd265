import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { LeaseLost, type AnalysisStore, type Job } from "../../../application/ports/AnalysisStore.ts"
import { enqueueDelivery, notifyDispatchers } from "../notification/enqueueDelivery.ts"
import { holdsLease } from "./lease.ts"

type CompletedResult = Parameters<AnalysisStore["Service"]["complete"]>[1]

/** The terminal state, the result, the pool's counter and the notification, in one statement. */
export const completeAnalysis = (sql: SqlClient, job: Job, result: CompletedResult) => {
  const { summary } = result
  return sql`
    WITH completed AS (
      UPDATE analyses SET
        status = 'completed', stage = 'completed', progress = 100, completed_at = now(),
        attempt_token = NULL, lease_expires_at = NULL,
        analysed_branch = ${result.branch}, framework = ${result.framework}, commit_id = ${result.commit ?? null}::text,
        total_findings = ${summary.totalFindings}, critical_findings = ${summary.criticalFindings},
        high_findings = ${summary.highFindings}, medium_findings = ${summary.mediumFindings},
        low_findings = ${summary.lowFindings}, informational_findings = ${result.informational},
        analysis_time = ${summary.analysisTime}
      WHERE ${holdsLease(sql, job)}
      RETURNING analyses.*
    ),
    stored AS (
      INSERT INTO analysis_results (analysis_id, json, fingerprints)
      SELECT id, ${result.json}::text, ${[...result.fingerprints]}::text[] FROM completed
    ),
    counted AS (
      UPDATE pools SET running = pools.running - 1 FROM completed WHERE pools.id = completed.pool_id
    ),
    enqueued AS (${enqueueDelivery(sql, "completed")})
    SELECT id, (SELECT ${notifyDispatchers(sql)} FROM enqueued) AS notified FROM completed`.pipe(
    Effect.flatMap((rows) =>
      rows.length === 1 ? Effect.void : Effect.fail(new LeaseLost({ analysisId: job.analysisId })),
    ),
  )
}
