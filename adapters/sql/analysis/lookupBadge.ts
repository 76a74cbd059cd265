import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { decodeRows } from "../decodeRows.ts"
import { makeLookup } from "../lookup.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    analysisId: AnalysisId,
    status: AnalysisStatus,
    totalFindings: Schema.Int,
    criticalFindings: Schema.Int,
    highFindings: Schema.Int,
    mediumFindings: Schema.Int,
    lowFindings: Schema.Int,
    informationalFindings: Schema.Int,
  }),
)

/** The counts on badges, by analysis id. Zeros until completed: only completion writes the counts. */
export const lookupBadge = (sql: SqlClient) =>
  makeLookup({
    find: (ids) =>
      decode(sql`
        SELECT
          id AS "analysisId", status, total_findings AS "totalFindings", critical_findings AS "criticalFindings",
          high_findings AS "highFindings", medium_findings AS "mediumFindings", low_findings AS "lowFindings",
          informational_findings AS "informationalFindings"
        FROM analyses WHERE id = ANY(${[...ids]}::uuid[])`),
    keyOf: (found) => found.analysisId,
  })
