import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  type AnalysisQueue,
  type ClaimedAnalysis,
  LeaseLost,
} from "../../../application/ports/analysis/AnalysisQueue.ts"
import { reportForms } from "../../../application/ports/analysis/PackedReport.ts"
import { insertFindings } from "../finding/indexFindings.ts"
import { enqueueDelivery, notifyDispatchers } from "../notification/enqueueDelivery.ts"
import { holdsLease } from "./lease.ts"
import { pack } from "./packReport.ts"

type CompletedResult = Parameters<AnalysisQueue["Service"]["complete"]>[1]

/** The terminal state, the result in all forms, the pool's counter and the notification, in one statement. */
export const completeAnalysis = Effect.fnUntraced(function* (
  sql: SqlClient,
  job: ClaimedAnalysis,
  result: CompletedResult,
) {
  const { reports, summary } = result
  const packed = yield* Effect.forEach(
    reportForms,
    (form) => ("packed" in reports ? Effect.succeed(reports.packed[form]) : pack(reports[form])),
    { concurrency: "unbounded" },
  )
  const rows = yield* sql`
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
      -- The text is for processes of the release before, which read nothing else.
      INSERT INTO analysis_results (analysis_id, json, fingerprints, indexed)
      SELECT id, ${reports.json}::text, ${[...result.fingerprints]}::text[], true FROM completed
    ),
    listed AS (${insertFindings(sql, result.findings, sql`(SELECT id FROM completed)`)}),
    kept AS (
      INSERT INTO reports (analysis_id, form, gzip, size)
      SELECT completed.id, packed.form, packed.gzip, packed.size
      FROM completed, (VALUES ${sql.csv(
        packed.map(({ gzip, size }, at) => sql`(${reportForms[at]!}::text, ${gzip}::bytea, ${size}::integer)`),
      )}) AS packed (form, gzip, size)
    ),
    counted AS (
      UPDATE pools SET running = pools.running - 1 FROM completed WHERE pools.id = completed.pool_id
    ),
    enqueued AS (${enqueueDelivery(sql, "completed")})
    SELECT id, (SELECT ${notifyDispatchers(sql)} FROM enqueued) AS notified FROM completed`
  if (rows.length !== 1) return yield* new LeaseLost({ analysisId: job.analysisId })
})
