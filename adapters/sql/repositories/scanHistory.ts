import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RepositoryScan, RepositoryStatistics } from "../../../application/ports/RepositoryStore.ts"
import { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { decodeRows } from "../decodeRows.ts"
import { urlKey } from "./urlKey.ts"

const decodeScans = decodeRows(
  Schema.Struct({
    analysisId: Schema.String,
    repositoryUrl: Schema.String,
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
  }),
)

/** Scans of one repository that are answered with: as many as one a day in almost three years. */
const maxScans = 1_000

export const scansOf = (sql: SqlClient, userId: string, repositoryId: string) =>
  decodeScans(sql`
    SELECT
      analyses.id AS "analysisId", repository_url AS "repositoryUrl", coalesce(analysed_branch, branch) AS branch,
      framework, status, created_at AS "createdAt", completed_at AS "completedAt",
      total_findings AS "totalFindings", critical_findings AS "criticalFindings", high_findings AS "highFindings",
      medium_findings AS "mediumFindings", low_findings AS "lowFindings", analysis_time AS "analysisTime"
    FROM repository_url_spans AS urls
    JOIN analyses ON analyses.user_id = urls.user_id AND ${urlKey(sql, "analyses.repository_url")} = urls.url_key
      AND analyses.created_at >= urls.since AND analyses.created_at < urls.until
    WHERE urls.repository_id = ${repositoryId}::uuid AND urls.user_id = ${userId}::uuid
    ORDER BY created_at DESC, analyses.id DESC LIMIT ${maxScans}`).pipe(
    Effect.map((rows) =>
      rows
        .toReversed()
        .map(
          ({
            totalFindings,
            criticalFindings,
            highFindings,
            mediumFindings,
            lowFindings,
            analysisTime,
            ...item
          }): RepositoryScan => ({
            ...item,
            branch: item.branch ?? undefined,
            completedAt: item.completedAt ?? undefined,
            summary:
              item.status === "completed"
                ? {
                    totalFindings,
                    criticalFindings,
                    highFindings,
                    mediumFindings,
                    lowFindings,
                    analysisTime: analysisTime ?? 0,
                  }
                : undefined,
          }),
        ),
    ),
  )

const decodeTotals = decodeRows(
  Schema.Struct({
    totalRepositories: Schema.Int,
    scannedRepositories: Schema.Int,
    critical: Schema.Int,
    high: Schema.Int,
    medium: Schema.Int,
    low: Schema.Int,
    informational: Schema.Int,
  }),
)
const decodeStatuses = decodeRows(Schema.Struct({ status: AnalysisStatus, count: Schema.Int }))

export const statisticsOf = Effect.fnUntraced(function* (sql: SqlClient, userId: string) {
  const [totals] = yield* decodeTotals(sql`
    WITH synced AS (SELECT id FROM repositories WHERE user_id = ${userId}::uuid AND vanished_at IS NULL),
    latest AS (
      SELECT DISTINCT ON (synced.id)
        critical_findings, high_findings, medium_findings, low_findings, informational_findings
      FROM synced
      JOIN repository_url_spans AS urls ON urls.repository_id = synced.id
      JOIN analyses ON analyses.user_id = urls.user_id AND ${urlKey(sql, "analyses.repository_url")} = urls.url_key
        AND analyses.created_at >= urls.since AND analyses.created_at < urls.until
      WHERE analyses.status = 'completed'
      ORDER BY synced.id, completed_at DESC, analyses.id
    )
    SELECT
      (SELECT count(*)::int FROM synced) AS "totalRepositories", count(*)::int AS "scannedRepositories",
      coalesce(sum(critical_findings), 0)::int AS critical, coalesce(sum(high_findings), 0)::int AS high,
      coalesce(sum(medium_findings), 0)::int AS medium, coalesce(sum(low_findings), 0)::int AS low,
      coalesce(sum(informational_findings), 0)::int AS informational
    FROM latest`)
  if (totals === undefined) return yield* Effect.die(new Error("An aggregate returned no row"))
  const statuses = yield* decodeStatuses(sql`
    SELECT status, count(*)::int AS count FROM analyses WHERE user_id = ${userId}::uuid GROUP BY status`)
  const { totalRepositories, scannedRepositories, ...scanResults } = totals
  const counted = { pending: 0, running: 0, completed: 0, failed: 0 }
  for (const { status, count } of statuses) counted[status] = count
  const statistics: RepositoryStatistics = {
    totalRepositories,
    scannedRepositories,
    scanResults,
    analysesByStatus: counted,
  }
  return statistics
})
