import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { FindingScope } from "../../../application/ports/finding/FindingStore.ts"
import { decodeRows } from "../decodeRows.ts"
import { urlKey } from "../repositories/urlKey.ts"
import { sharedWith } from "../readers.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    analysisId: AnalysisId,
    branch: Schema.String,
    foundIn: Schema.Date,
    completedAt: Schema.Date,
    indexed: Schema.Boolean,
  }),
)

/** Maximum number of branches read together, the most recently analyzed ones. */
const mostBranches = 100

/** The URLs of a scope as rows. */
export const urlsOf = (sql: SqlClient, { urls }: Pick<FindingScope, "urls">): Fragment => sql`
  SELECT * FROM unnest(
    ${urls.map((url) => url.urlKey)}::text[], ${urls.map((url) => url.since)}::timestamptz[],
    ${urls.map((url) => url.until)}::timestamptz[]) AS urls (url_key, since, until)`

/** An analysis of a folder counts until all of its branch is analyzed. */
export const reportingAnalyses = (sql: SqlClient, scope: FindingScope, analysisId: AnalysisId | undefined) =>
  decode(sql`
    WITH urls AS (${urlsOf(sql, scope)}),
    completed AS (
      SELECT analyses.id, coalesce(analysed_branch, branch, '') AS branch, coalesce(path, '') AS path,
        coalesce(retried_at, created_at) AS found_in, completed_at
      FROM urls JOIN analyses ON analyses.user_id IN ${sharedWith(sql, scope.userId)} AND status = 'completed'
        AND ${urlKey(sql, "analyses.repository_url")} = urls.url_key
        AND created_at >= urls.since AND created_at < urls.until
      ${analysisId === undefined ? sql`` : sql`WHERE analyses.id = ${analysisId}::uuid`}
    ),
    latest AS (
      SELECT DISTINCT ON (branch, path) * FROM completed ORDER BY branch, path, completed_at DESC, id
    )
    SELECT latest.id AS "analysisId", branch, found_in AS "foundIn", completed_at AS "completedAt", indexed
    FROM latest JOIN analysis_results ON analysis_results.analysis_id = latest.id
    WHERE path = '' OR NOT EXISTS (
      SELECT FROM latest AS whole
      WHERE whole.path = '' AND whole.branch = latest.branch AND whole.completed_at > latest.completed_at)
    ORDER BY completed_at DESC, latest.id LIMIT ${mostBranches}`)
