import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { Stage } from "../../../domain/analysis/Stage.ts"
import { decodeRows } from "../decodeRows.ts"
import { makeLookup } from "../lookup.ts"
import { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    analysisId: AnalysisId,
    userId: UserId,
    status: AnalysisStatus,
    progress: Schema.Int,
    currentStage: Stage,
  }),
)

/** The progress of an analysis, by id, with the user it belongs to. */
export const lookupProgress = (sql: SqlClient) =>
  makeLookup({
    find: (ids) =>
      decode(sql`
        SELECT id AS "analysisId", user_id AS "userId", status, progress, stage AS "currentStage"
        FROM analyses WHERE id = ANY(${[...ids]}::uuid[])`),
    keyOf: (found) => found.analysisId,
  })
