import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type Counts, Overviews } from "../../../application/ports/finding/Overviews.ts"
import { severities } from "../../../domain/finding/Severity.ts"
import { decodeRows } from "../decodeRows.ts"
import { latestScans, recentScans } from "../repositories/scanHistory.ts"
import { urlKey } from "../repositories/urlKey.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { effectiveDecision } from "./effectiveSql.ts"
import { reportedColumns } from "./reportedColumns.ts"
import { canonicalId } from "../../../domain/ids/uuid.ts"
import { type UserId, PoolId, AnalysisId, RepositoryId } from "../../../domain/ids/Ids.ts"

const decodeOpen = decodeRows(
  Schema.Struct({ severity: Schema.Int, open: Schema.Int, fresh: Schema.Int, since: Schema.Date }),
)
const decodeStandings = decodeRows(
  Schema.Struct({
    repositoryId: RepositoryId,
    analysisId: AnalysisId,
    completedAt: Schema.Date,
    openFindings: Schema.Int,
  }),
)
const decodeIds = decodeRows(Schema.Struct({ analysisId: AnalysisId }))
const decodeTrend = decodeRows(
  Schema.Struct({
    weekEnd: Schema.Date,
    critical: Schema.Int,
    high: Schema.Int,
    medium: Schema.Int,
    low: Schema.Int,
    informational: Schema.Int,
  }),
)
const decodeCompared = decodeRows(
  Schema.Struct({
    kind: Schema.Literals(["new", "fixed", "unchanged"]),
    total: Schema.Int,
    ...reportedColumns,
  }),
)

const weeks = 12
const recentAnalyses = 10
/** Limit: findings in each part of a comparison. */
const mostListed = 1_000
/** Limit: results of an earlier release that one request indexes. */
const mostUnindexed = 20

const countsOf = (rows: ReadonlyArray<readonly [rank: number, count: number]>): Counts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 }
  for (const [rank, count] of rows) counts[severities[rank]!] += count
  return counts
}

/** The completed analyses of a user, by repository: a synced one is the same under all the URLs that it has had. */
const completed = (sql: SqlClient, userId: UserId) => sql`
  SELECT
    analyses.*, ${urlKey(sql, "repository_url")} AS url_key,
    coalesce(spans.repository_id::text, ${urlKey(sql, "repository_url")}) AS repository,
    coalesce(analysed_branch, branch, '') AS on_branch, coalesce(path, '') AS in_path,
    coalesce(retried_at, analyses.created_at) AS found_in
  FROM analyses LEFT JOIN repository_url_spans AS spans ON spans.user_id = analyses.user_id
    AND spans.url_key = ${urlKey(sql, "repository_url")}
    AND analyses.created_at >= spans.since AND analyses.created_at < spans.until
  WHERE analyses.user_id = ${userId}::uuid AND status = 'completed'`

/** As in `reportingAnalyses`: an analysis of a folder counts until all of its branch is analyzed. */
const latest = (sql: SqlClient) =>
  sql.literal(`
    SELECT * FROM (
      SELECT DISTINCT ON (repository, on_branch, in_path)
        *, max(completed_at) FILTER (WHERE in_path = '') OVER (PARTITION BY repository, on_branch) AS whole_at
      FROM completed
      ORDER BY repository, on_branch, in_path, completed_at DESC, id) AS each
    WHERE in_path = '' OR whole_at IS NULL OR completed_at > whole_at`)

const openFindings = (sql: SqlClient, userId: UserId, ownerId: PoolId) =>
  decodeOpen(sql`
    WITH completed AS MATERIALIZED (${completed(sql, userId)}),
    latest AS (${latest(sql)}),
    reported AS (
      SELECT DISTINCT ON (repository, findings.fingerprint) repository, findings.fingerprint, severity, found_in
      FROM latest JOIN findings ON findings.analysis_id = latest.id
      ORDER BY repository, findings.fingerprint, completed_at DESC
    ),
    decided AS (
      SELECT DISTINCT ON (repository, fingerprint) repository, made.*
      FROM (SELECT DISTINCT repository, url_key FROM completed) AS known
      JOIN finding_decisions AS made ON made.owner_id = ${ownerId}::uuid AND made.url_key = known.url_key
      ORDER BY repository, fingerprint, made.id DESC
    ),
    before AS (
      SELECT DISTINCT ON (repository, on_branch, in_path) id, repository FROM completed
      WHERE completed_at <= now() - interval '7 days'
      ORDER BY repository, on_branch, in_path, completed_at DESC, id
    ),
    known AS (
      SELECT DISTINCT repository, unnest(fingerprints) AS fingerprint
      FROM before JOIN analysis_results ON analysis_results.analysis_id = before.id
    )
    SELECT
      severity::integer AS severity, count(*)::integer AS open,
      (count(*) FILTER (WHERE known.fingerprint IS NULL))::integer AS fresh, now() - interval '7 days' AS since
    FROM reported
    LEFT JOIN decided ON decided.repository = reported.repository AND decided.fingerprint = reported.fingerprint
    LEFT JOIN known ON known.repository = reported.repository AND known.fingerprint = reported.fingerprint
    WHERE ${sql.literal(effectiveDecision)} = 'open'
    GROUP BY severity`)

/** For results of an earlier release that nobody has viewed since, the count from that time. */
const standingsOf = (sql: SqlClient, userId: UserId, ownerId: PoolId) =>
  decodeStandings(sql`
    WITH ${latestScans(sql, userId)},
    reported AS (
      SELECT latest.repository_id, findings.fingerprint, coalesce(retried_at, created_at) AS found_in
      FROM latest JOIN findings ON findings.analysis_id = latest.id
    ),
    decided AS (
      SELECT DISTINCT ON (repository_id, fingerprint) urls.repository_id, made.*
      FROM latest JOIN repository_url_spans AS urls ON urls.repository_id = latest.repository_id
      JOIN finding_decisions AS made ON made.owner_id = ${ownerId}::uuid AND made.url_key = urls.url_key
      ORDER BY repository_id, fingerprint, made.id DESC
    ),
    counts AS (
      SELECT repository_id, count(*)::integer AS open
      FROM reported LEFT JOIN decided USING (repository_id, fingerprint)
      WHERE ${sql.literal(effectiveDecision)} = 'open'
      GROUP BY repository_id
    )
    SELECT latest.repository_id AS "repositoryId", latest.id AS "analysisId", completed_at AS "completedAt",
      CASE WHEN indexed THEN coalesce(open, 0) ELSE total_findings END AS "openFindings"
    FROM latest JOIN analysis_results ON analysis_results.analysis_id = latest.id
    LEFT JOIN counts ON counts.repository_id = latest.repository_id`)

const trendOf = (sql: SqlClient, userId: UserId) =>
  decodeTrend(sql`
    WITH completed AS MATERIALIZED (${completed(sql, userId)})
    SELECT
      now() - back * interval '7 days' AS "weekEnd", coalesce(sum(critical_findings), 0)::integer AS critical,
      coalesce(sum(high_findings), 0)::integer AS high, coalesce(sum(medium_findings), 0)::integer AS medium,
      coalesce(sum(low_findings), 0)::integer AS low,
      coalesce(sum(informational_findings), 0)::integer AS informational
    FROM generate_series(0, ${weeks - 1}::integer) AS back LEFT JOIN LATERAL (
      SELECT DISTINCT ON (repository) * FROM completed WHERE completed_at <= now() - back * interval '7 days'
      ORDER BY repository, completed_at DESC, id) AS latest ON true
    GROUP BY back ORDER BY back DESC`)

const unindexedOf = (sql: SqlClient, userId: UserId) =>
  decodeIds(sql`
    WITH completed AS MATERIALIZED (${completed(sql, userId)}), latest AS (${latest(sql)})
    SELECT latest.id AS "analysisId" FROM latest JOIN analysis_results ON analysis_results.analysis_id = latest.id
    WHERE NOT indexed ORDER BY completed_at DESC LIMIT ${mostUnindexed}`)

const compare = (sql: SqlClient, analysisId: AnalysisId, otherId: AnalysisId) =>
  decodeCompared(sql`
    WITH own AS (SELECT analysis_id, fingerprint FROM findings WHERE analysis_id = ${analysisId}::uuid),
    old AS (SELECT analysis_id, fingerprint FROM findings WHERE analysis_id = ${otherId}::uuid),
    compared AS (
      SELECT
        fingerprint, coalesce(own.analysis_id, old.analysis_id) AS analysis_id,
        CASE WHEN old.analysis_id IS NULL THEN 'new' WHEN own.analysis_id IS NULL THEN 'fixed'
          ELSE 'unchanged' END AS kind
      FROM own FULL JOIN old USING (fingerprint)
    ),
    ranked AS (
      SELECT
        kind, findings.*, (count(*) OVER (PARTITION BY kind))::integer AS total,
        row_number() OVER (PARTITION BY kind ORDER BY severity, file, line_start, fingerprint) AS place
      FROM compared JOIN findings USING (analysis_id, fingerprint)
    )
    SELECT kind, total, fingerprint, rule_id AS "ruleId", title, severity::integer AS severity, confidence, category,
      file, line_start AS "lineStart", line_end AS "lineEnd"
    FROM ranked WHERE place <= ${mostListed} ORDER BY kind, place`).pipe(
    Effect.map((rows) => {
      const of = (kind: "new" | "fixed" | "unchanged") =>
        rows
          .filter((row) => row.kind === kind)
          .map(({ fingerprint, ruleId, title, severity, confidence, category, file, lineStart, lineEnd }) => {
            const place = { file, lineStart, lineEnd }
            return { fingerprint, ruleId, title, severity: severities[severity]!, confidence, category, ...place }
          })
      const total = (kind: "new" | "fixed" | "unchanged") => rows.find((row) => row.kind === kind)?.total ?? 0
      return {
        counts: { new: total("new"), fixed: total("fixed"), unchanged: total("unchanged") },
        new: of("new"),
        fixed: of("fixed"),
        unchanged: of("unchanged"),
      }
    }),
  )

/** Figures on a migrated database, embedded or not. */
export const layer = Layer.effect(
  Overviews,
  Effect.map(SqlClient, (sql) =>
    Overviews.of({
      overview: Effect.fn("Overviews.overview")(function* ({ userId, organizationId }) {
        const open = yield* whileAvailable(openFindings(sql, userId, PoolId.make(organizationId ?? userId)))
        const trend = yield* whileAvailable(trendOf(sql, userId))
        const recent = yield* whileAvailable(recentScans(sql, userId, recentAnalyses))
        const now = trend.at(-1)!.weekEnd
        return {
          openFindings: countsOf(open.map((row) => [row.severity, row.open])),
          newFindings: countsOf(open.map((row) => [row.severity, row.fresh])),
          since: new Date(now.getTime() - 7 * 24 * 3_600_000),
          trend: trend.map(({ weekEnd, ...counts }) => ({ weekEnd, counts })),
          recent,
        }
      }),
      standings: Effect.fn("Overviews.standings")(({ userId, organizationId }) =>
        whileAvailable(standingsOf(sql, userId, PoolId.make(organizationId ?? userId))),
      ),
      unindexed: Effect.fn("Overviews.unindexed")(({ userId }) =>
        whileAvailable(Effect.map(unindexedOf(sql, userId), (rows) => rows.map(({ analysisId }) => analysisId))),
      ),
      compare: Effect.fn("Overviews.compare")((analysisId, otherId) =>
        whileAvailable(compare(sql, canonicalId(analysisId), canonicalId(otherId))),
      ),
    }),
  ),
)
