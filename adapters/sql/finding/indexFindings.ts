import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { severityRank } from "../../../domain/finding/severityRank.ts"
import { decodeRows } from "../decodeRows.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const decodeIds = decodeRows(Schema.Struct({ analysisId: AnalysisId }))

/** The text in a form that a column can store: without NUL and unpaired surrogates. */
const storable = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed()

/** Inserts the findings of the analysis whose id is the first column of `from`. */
export const insertFindings = (sql: SqlClient, findings: ReadonlyArray<Finding>, from: Fragment): Fragment => {
  const texts = (of: (finding: Finding) => string) => sql`${findings.map((finding) => storable(of(finding)))}::text[]`
  const numbers = (of: (finding: Finding) => number) => sql`${findings.map(of)}::integer[]`
  return sql`
    INSERT INTO findings (
      analysis_id, fingerprint, rule_id, title, severity, confidence, category, file, line_start, line_end, status)
    SELECT analysis.id, listed.*
    FROM ${from} AS analysis (id), unnest(
      ${texts((finding) => finding.fingerprint)}, ${texts((finding) => finding.ruleId)},
      ${texts((finding) => finding.title)}, ${numbers((finding) => severityRank(finding.severity))},
      ${texts((finding) => finding.confidence)}, ${texts((finding) => finding.category)},
      ${texts((finding) => finding.location.file)}, ${numbers((finding) => finding.location.lineStart)},
      ${numbers((finding) => finding.location.lineEnd)}, ${texts((finding) => finding.status ?? "new")}) AS listed
    ON CONFLICT DO NOTHING`
}

export const unindexedOf = (sql: SqlClient, analysisIds: ReadonlyArray<AnalysisId>) =>
  Effect.map(
    decodeIds(sql`
      SELECT analysis_id AS "analysisId" FROM analysis_results
      WHERE analysis_id = ANY(${[...analysisIds]}::uuid[]) AND NOT indexed`),
    (rows) => rows.map(({ analysisId }) => analysisId),
  )

/** Nothing is kept for an analysis that was deleted in the meantime. */
export const indexFindings = (sql: SqlClient, analysisId: AnalysisId, findings: ReadonlyArray<Finding>) =>
  Effect.asVoid(sql`
    WITH result AS (
      UPDATE analysis_results SET indexed = true WHERE analysis_id = ${analysisId}::uuid RETURNING analysis_id
    )
    ${insertFindings(sql, findings, sql`(SELECT analysis_id FROM result)`)}`)
