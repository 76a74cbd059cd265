import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RepositoryScan, RepositoryStatistics } from "../../../application/ports/repositories/RepositoryStore.ts"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { sharedWith } from "../readers.ts"
import { decodeRows } from "../decodeRows.ts"
import { inSpan } from "./inSpan.ts"
import { urlKey } from "./urlKey.ts"
import { type UserId, AnalysisId, type RepositoryId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const ScanRow = Schema.Struct({
  analysisId: AnalysisId,
  repositoryUrl: RepositoryUrl,
  branch: Schema.NullOr(Schema.String),
  framework: Framework,
  status: AnalysisStatus,
  createdAt: Schema.Date,
  completedAt: Schema.NullOr(Schema.Date),
  totalFindings: Schema.Int,
  criticalFindings: Schema.Int,
  highFindings: Schema.Int,
  mediumFindings: Schema.Int,
  lowFindings: Schema.Int,
  analysisTime: Schema.NullOr(Schema.Int),
  commit: Schema.NullOr(Schema.String),
  path: Schema.NullOr(Schema.String),
})
type ScanRow = typeof ScanRow.Type
const decodeScans = decodeRows(ScanRow)

/** Limit: scans of one repository in a response: one a day for almost three years. */
const maxScans = 1_000

const scanColumns = (sql: SqlClient) =>
  sql.literal(`
    analyses.id AS "analysisId", repository_url AS "repositoryUrl", coalesce(analysed_branch, branch) AS branch,
    framework, status, created_at AS "createdAt", completed_at AS "completedAt",
    coalesce(commit_id, asked_commit) AS commit, path,
    total_findings AS "totalFindings", critical_findings AS "criticalFindings", high_findings AS "highFindings",
    medium_findings AS "mediumFindings", low_findings AS "lowFindings", analysis_time AS "analysisTime"`)

const toScan = ({
  totalFindings,
  criticalFindings,
  highFindings,
  mediumFindings,
  lowFindings,
  analysisTime,
  ...item
}: ScanRow): RepositoryScan => ({
  ...item,
  branch: item.branch ?? undefined,
  completedAt: item.completedAt ?? undefined,
  commit: item.commit ?? undefined,
  path: item.path ?? undefined,
  summary:
    item.status === "completed"
      ? { totalFindings, criticalFindings, highFindings, mediumFindings, lowFindings, analysisTime: analysisTime ?? 0 }
      : undefined,
})

/** A user's latest analyses, newest first. */
export const recentScans = (sql: SqlClient, userId: UserId, limit: number) =>
  Effect.map(
    decodeScans(sql`
      SELECT ${scanColumns(sql)} FROM analyses WHERE user_id = ${userId}::uuid
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
    (rows) => rows.map(toScan),
  )

/** As the API formats times: in UTC, with milliseconds. */
const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The same as `scanView` of a row; verified by `test/contract`. */
const scanJson = (sql: SqlClient) =>
  sql.literal(`
    json_strip_nulls(json_build_object(
      'analysisId', id, 'repositoryUrl', repository_url, 'branch', coalesce(analysed_branch, branch, 'HEAD'),
      'framework', framework, 'status', status, 'createdAt', ${iso("created_at")}, 'completedAt', ${iso("completed_at")},
      'path', path, 'commit', coalesce(commit_id, asked_commit),
      'summary', CASE WHEN status = 'completed' THEN json_build_object(
        'totalFindings', total_findings, 'criticalFindings', critical_findings, 'highFindings', high_findings,
        'mediumFindings', medium_findings, 'lowFindings', low_findings, 'analysisTime', coalesce(analysis_time, 0))
      END))::text`)

const decodeText = decodeRows(Schema.Struct({ scans: Schema.String }))

/**
 * For each of its URLs, as many as for all together: the index has them in this order, so older ones are not read.
 * Returned as one text, which a response uses unchanged: 1,000 rows of 15 columns would keep the thread of all requests
 * busy for 12 ms.
 */
export const scansOf = (sql: SqlClient, userId: UserId, repositoryId: RepositoryId) => {
  const most = sql.literal(String(maxScans))
  return decodeText(sql`
    SELECT '[' || coalesce(string_agg(${scanJson(sql)}, ',' ORDER BY created_at, id), '') || ']' AS scans
    FROM (
      SELECT analyses.*
      FROM repository_url_spans AS urls
      CROSS JOIN LATERAL (
        SELECT * FROM analyses
        WHERE analyses.user_id = urls.user_id AND ${urlKey(sql, "analyses.repository_url")} = urls.url_key
          AND ${inSpan(sql)}
        ORDER BY created_at DESC, id DESC LIMIT ${most}
      ) AS analyses
      WHERE urls.repository_id = ${repositoryId}::uuid AND urls.user_id IN ${sharedWith(sql, userId)}
      ORDER BY created_at DESC, analyses.id DESC LIMIT ${most}
    ) AS latest`).pipe(Effect.map((rows) => rows[0]!.scans))
}

const decodeTotals = decodeRows(
  Schema.Struct({
    totalRepositories: Schema.Int,
    scannedRepositories: Schema.Int,
    critical: Schema.Int,
    high: Schema.Int,
    medium: Schema.Int,
    low: Schema.Int,
    informational: Schema.Int,
    pending: Schema.Int,
    running: Schema.Int,
    completed: Schema.Int,
    failed: Schema.Int,
  }),
)

/** `synced`, and the `latest` completed analysis of each that has one, with one lookup per URL. */
export const latestScans = (sql: SqlClient, userId: UserId) => sql`
    synced AS (SELECT id FROM repositories WHERE user_id = ${userId}::uuid AND vanished_at IS NULL),
    latest AS (
      SELECT DISTINCT ON (synced.id) synced.id AS repository_id, scan.*
      FROM synced
      JOIN repository_url_spans AS urls ON urls.repository_id = synced.id
      CROSS JOIN LATERAL (
        SELECT * FROM analyses
        WHERE analyses.user_id = urls.user_id AND ${urlKey(sql, "analyses.repository_url")} = urls.url_key
          AND ${inSpan(sql)}
          AND analyses.status = 'completed'
        ORDER BY completed_at DESC, id LIMIT 1
      ) AS scan
      ORDER BY synced.id, completed_at DESC, scan.id
    )`

/** The latest result of each repository, and the maintained counts. */
const statisticsStatement = (sql: SqlClient, userId: UserId) => sql`
    WITH ${latestScans(sql, userId)},
    counts AS (SELECT * FROM analysis_counts WHERE user_id = ${userId}::uuid)
    SELECT
      (SELECT count(*)::int FROM synced) AS "totalRepositories", count(*)::int AS "scannedRepositories",
      coalesce(sum(critical_findings), 0)::int AS critical, coalesce(sum(high_findings), 0)::int AS high,
      coalesce(sum(medium_findings), 0)::int AS medium, coalesce(sum(low_findings), 0)::int AS low,
      coalesce(sum(informational_findings), 0)::int AS informational,
      coalesce((SELECT pending FROM counts), 0) AS pending, coalesce((SELECT running FROM counts), 0) AS running,
      coalesce((SELECT completed FROM counts), 0) AS completed, coalesce((SELECT failed FROM counts), 0) AS failed
    FROM latest`

export const statisticsOf = Effect.fnUntraced(function* (sql: SqlClient, userId: UserId) {
  const [totals] = yield* decodeTotals(statisticsStatement(sql, userId))
  if (totals === undefined) return yield* Effect.die(new Error("An aggregate returned no row"))
  const { totalRepositories, scannedRepositories, pending, running, completed, failed, ...scanResults } = totals
  const statistics: RepositoryStatistics = {
    totalRepositories,
    scannedRepositories,
    scanResults,
    analysesByStatus: { pending, running, completed, failed },
  }
  return statistics
})
