import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

/** Deletes the result as well; a worker on it notices at its next heartbeat. The scan remains charged. */
export const removeAnalysis = (sql: SqlClient, userId: UserId, analysisId: AnalysisId) =>
  sql`
    WITH gone AS (
      DELETE FROM analyses WHERE id = ${analysisId}::uuid AND user_id = ${userId}::uuid RETURNING pool_id, status
    ),
    counted AS (
      UPDATE pools SET
        waiting = pools.waiting - (gone.status = 'pending')::int,
        running = pools.running - (gone.status = 'running')::int
      FROM gone WHERE pools.id = gone.pool_id AND gone.status IN ('pending', 'running')
    )
    SELECT status FROM gone`.pipe(
    Effect.flatMap((rows) => (rows.length === 0 ? Effect.fail(new AnalysisNotFound({ analysisId })) : Effect.void)),
  )
