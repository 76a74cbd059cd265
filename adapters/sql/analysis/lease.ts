import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"

/** How long an unresponsive worker keeps its analysis, by the database's clock alone. */
export const lease = (sql: SqlClient): Fragment => sql.literal("interval '30 seconds'")

/** The condition under which a worker may write: its attempt is the current one and its lease has not expired. */
export const holdsLease = (sql: SqlClient, job: ClaimedAnalysis): Fragment => sql`
  analyses.id = ${job.analysisId}::uuid AND analyses.attempt_token = ${job.attemptToken}::uuid
  AND analyses.status = 'running' AND analyses.lease_expires_at > now()`
