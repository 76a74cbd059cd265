import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import {
  type FindingFilter,
  type FindingScope,
  findingOrders,
  type ReportingAnalysis,
  type TrackedFinding,
} from "../../../application/ports/finding/FindingStore.ts"
import { effectiveDecision, statusOf } from "../../../domain/finding/Decision.ts"
import { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import { severities } from "../../../domain/finding/Severity.ts"
import { severityRank } from "../../../domain/finding/severityRank.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectiveDecision as effectiveSql, effectiveStatus } from "./effectiveSql.ts"
import { decisionColumns, latestDecisions, recordOf, selectDecision } from "./latestDecisions.ts"
import { reportedColumns } from "./reportedColumns.ts"
import { urlsOf } from "./reportingAnalyses.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    ...reportedColumns,
    status: FindingStatus,
    branches: Schema.Array(Schema.String),
    analysisId: AnalysisId,
    foundIn: Schema.Date,
    foundAt: Schema.Date,
    now: Schema.Date,
    ...decisionColumns,
  }),
)

const columnOf: Readonly<Record<string, string>> = {
  "-age": "(-round(extract(epoch FROM reported.found_at)))::bigint",
}
const orderColumns = (order: FindingFilter["order"]): ReadonlyArray<string> =>
  findingOrders[order].map((name) => columnOf[name] ?? `reported.${name}`)

const typeOf = (column: string): string =>
  column.endsWith("bigint") ? "bigint" : /severity|line_start/.test(column) ? "integer" : "text"

/** Everything that the analyses report, each finding once, as in the latest of them. */
export const reported = (sql: SqlClient, analyses: ReadonlyArray<ReportingAnalysis>): Fragment => sql`
  SELECT DISTINCT ON (findings.fingerprint)
    findings.*, given.found_in, given.found_at,
    array_agg(given.branch) OVER (PARTITION BY findings.fingerprint) AS branches
  FROM unnest(
    ${analyses.map((one) => one.analysisId)}::uuid[], ${analyses.map((one) => one.branch)}::text[],
    ${analyses.map((one) => one.foundIn.toISOString())}::timestamptz[],
    ${analyses.map((one) => one.completedAt.toISOString())}::timestamptz[]
  ) AS given (analysis_id, branch, found_in, found_at) JOIN findings USING (analysis_id)
  ORDER BY findings.fingerprint, given.found_at DESC, findings.analysis_id`

const conditionsOf = (sql: SqlClient, filter: FindingFilter): ReadonlyArray<Fragment> => {
  const { after, path } = filter
  const among = (column: string, values: ReadonlyArray<string | number> | undefined, type = "text") =>
    values === undefined ? [] : [sql`${sql.literal(column)} = ANY(${[...values]}::${sql.literal(type)}[])`]
  const columns = orderColumns(filter.order)
  return [
    sql`true`,
    ...among("reported.severity", filter.severities?.map(severityRank), "integer"),
    ...among("reported.category", filter.categories),
    ...among("reported.rule_id", filter.rules),
    ...among("reported.fingerprint", filter.fingerprints),
    ...among(effectiveStatus, filter.statuses),
    ...among(effectiveSql, filter.decisions),
    ...(filter.branch === undefined ? [] : [sql`${filter.branch} = ANY(reported.branches)`]),
    ...(path === undefined ? [] : [sql`(reported.file = ${path} OR starts_with(reported.file, ${`${path}/`}))`]),
    ...(after === undefined
      ? []
      : [
          sql`(${sql.literal(columns.join(", "))}) > (${sql.csv(
            after.map((value, at) => sql`${value}::${sql.literal(typeOf(columns[at]!))}`),
          )})`,
        ]),
  ]
}

export const listFindings = (
  sql: SqlClient,
  scope: FindingScope,
  analyses: ReadonlyArray<ReportingAnalysis>,
  filter: FindingFilter,
) =>
  decode(sql`
    WITH urls AS (${urlsOf(sql, scope)}),
    reported AS (${reported(sql, analyses)}),
    decided AS (${latestDecisions(sql, sql`${scope.ownerId}::uuid`)})
    SELECT
      reported.fingerprint, rule_id AS "ruleId", title, severity::integer AS severity, confidence, category, file,
      line_start AS "lineStart", line_end AS "lineEnd", reported.status, branches, analysis_id AS "analysisId",
      found_in AS "foundIn", found_at AS "foundAt", now() AS now, ${selectDecision(sql)}
    FROM reported LEFT JOIN decided ON decided.fingerprint = reported.fingerprint
    WHERE ${sql.and(conditionsOf(sql, filter))}
    ORDER BY ${sql.literal(orderColumns(filter.order).join(", "))} LIMIT ${filter.limit}`).pipe(
    Effect.map((rows) =>
      rows.map((row): TrackedFinding => {
        const record = recordOf(row)
        const decision = effectiveDecision(record, row.foundIn, row.now)
        return {
          fingerprint: row.fingerprint,
          ruleId: row.ruleId,
          title: row.title,
          severity: severities[row.severity]!,
          confidence: row.confidence,
          category: row.category,
          file: row.file,
          lineStart: row.lineStart,
          lineEnd: row.lineEnd,
          status: statusOf(row.status, decision),
          branches: [...new Set(row.branches)].toSorted(),
          analysisId: row.analysisId,
          foundAt: row.foundAt,
          decision,
          version: record?.version ?? 0,
        }
      }),
    ),
  )
