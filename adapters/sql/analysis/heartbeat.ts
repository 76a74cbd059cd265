import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { LeaseLost, type ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import type { Stage } from "../../../domain/analysis/Stage.ts"
import { holdsLease, lease } from "./lease.ts"
import { withoutDiskWait } from "../withoutDiskWait.ts"

/** Touches no indexed column: the lease can be extended any number of times without growing an index. */
export const heartbeat = (sql: SqlClient, job: ClaimedAnalysis, stage: Stage, progress: number) =>
  sql`
    UPDATE analyses SET
      lease_expires_at = now() + ${lease(sql)}, stage = ${stage}, progress = greatest(progress, ${progress}::int)
    WHERE ${holdsLease(sql, job)}
    RETURNING id, ${withoutDiskWait(sql)}`.pipe(
    Effect.flatMap((rows) =>
      rows.length === 1 ? Effect.void : Effect.fail(new LeaseLost({ analysisId: job.analysisId })),
    ),
  )
