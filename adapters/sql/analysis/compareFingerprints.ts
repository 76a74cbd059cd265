import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import type { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import { sameRepositoryKey } from "../../../domain/repository/Repository.ts"
import { decodeRows } from "../decodeRows.ts"
import { inSpan } from "../repositories/inSpan.ts"
import { urlKey } from "../repositories/urlKey.ts"

const decode = decodeRows(Schema.Struct({ fingerprint: Schema.String, unchanged: Schema.Boolean }))

/** How many completed analyses back a finding counts as seen. */
const history = 100

/**
 * Of each URL's completed analyses that meet the condition, and looked at all that the job looks at, the latest, which an
 * index has in this order.
 */
const latest = (sql: SqlClient, { userId, path = "" }: ClaimedAnalysis, condition: Fragment): Fragment => sql`
  SELECT scan.* FROM urls CROSS JOIN LATERAL (
    SELECT id, completed_at FROM analyses
    WHERE user_id = ${userId}::uuid AND ${urlKey(sql, "repository_url")} = urls.url_key AND status = 'completed'
      AND ${inSpan(sql)} AND ${condition}
      AND (path IS NULL OR starts_with(${`${path}/`}::text, path || '/'))
    ORDER BY completed_at DESC, id LIMIT ${history}
  ) AS scan`

/**
 * The previous analysis is the latest completed one of the same user, repository and branch that was of all, or of this
 * job's folder or one around it: what another folder's did not look at is not new for that; a branch analyzed for
 * the first time is compared with the default branch, which is what an analysis without a requested branch read, or
 * what the synced record names. A synced repository is the same one under all the names that it had.
 * In the previous one: unchanged. In an older one only: reopened. In none: new.
 *
 * What was seen and what is asked for are grouped together, which takes one pass under every plan. Asking for `= ANY`
 * of a parameter is hashed only while the planner sees its values: under the generic plan, which a connection comes to
 * after five executions, every fingerprint is compared with every other, 30 s for 3,000 in 100 analyses.
 */
export const compareFingerprints = (
  sql: SqlClient,
  job: ClaimedAnalysis,
  branch: string,
  fingerprints: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<FindingStatus>, SqlError> =>
  fingerprints.length === 0
    ? Effect.succeed([])
    : decode(sql`
        WITH names AS (
          SELECT spans.url_key, spans.since, spans.until
          FROM repository_urls AS owner
          JOIN repository_url_spans AS spans
            ON spans.user_id = owner.user_id AND spans.repository_id = owner.repository_id
          WHERE owner.user_id = ${job.userId}::uuid AND owner.url_key = ${sameRepositoryKey(job.repositoryUrl)}
        ),
        urls AS (
          SELECT * FROM names
          UNION ALL
          SELECT ${sameRepositoryKey(job.repositoryUrl)}::text, '-infinity'::timestamptz, 'infinity'::timestamptz
          WHERE NOT EXISTS (SELECT FROM names)
        ),
        same_branch AS (${latest(sql, job, sql`analysed_branch = ${branch}`)}),
        default_branch AS (${latest(
          sql,
          job,
          sql`NOT EXISTS (SELECT FROM same_branch) AND (branch IS NULL OR analysed_branch = (
            SELECT repositories.default_branch
            FROM repository_urls JOIN repositories ON repositories.id = repository_urls.repository_id
            WHERE repository_urls.user_id = ${job.userId}::uuid
              AND repository_urls.url_key = ${sameRepositoryKey(job.repositoryUrl)}))`,
        )}),
        past AS (
          SELECT id, row_number() OVER (ORDER BY completed_at DESC, id) AS age
          FROM (SELECT * FROM same_branch UNION ALL SELECT * FROM default_branch) AS latest
          ORDER BY completed_at DESC, id LIMIT ${history}
        )
        SELECT fingerprint, bool_or(unchanged) AS unchanged
        FROM (
          SELECT unnest(analysis_results.fingerprints) AS fingerprint, past.age = 1 AS unchanged
          FROM past JOIN analysis_results ON analysis_results.analysis_id = past.id
          UNION ALL
          SELECT unnest(${[...fingerprints]}::text[]), NULL
        ) AS seen
        GROUP BY fingerprint HAVING bool_or(unchanged IS NULL) AND count(unchanged) > 0`).pipe(
        Effect.map((rows) => {
          const seen = new Map(rows.map((row) => [row.fingerprint, row.unchanged]))
          return fingerprints.map((fingerprint): FindingStatus => {
            const unchanged = seen.get(fingerprint)
            if (unchanged === undefined) return "new"
            return unchanged ? "unchanged" : "reopened"
          })
        }),
      )
