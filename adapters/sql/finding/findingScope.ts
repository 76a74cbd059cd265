import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { FindingScope, Reader } from "../../../application/ports/finding/FindingStore.ts"
import { RepositoryNotFound } from "../../../application/ports/repositories/RepositoryStore.ts"
import { sameRepositoryKey } from "../../../domain/repository/Repository.ts"
import { decodeRows } from "../decodeRows.ts"
import { sharedWith } from "../readers.ts"
import { UserId, PoolId, type AnalysisId, type RepositoryId } from "../../../domain/ids/Ids.ts"

const decodeUrl = decodeRows(Schema.Struct({ userId: UserId, url: Schema.String }))
const decodeSpans = decodeRows(Schema.Struct({ urlKey: Schema.String, since: Schema.String, until: Schema.String }))

const scopeOf = (
  { userId, organizationId }: Reader,
  url: string,
  spans: ReadonlyArray<FindingScope["urls"][number]>,
): FindingScope => {
  const urlKey = sameRepositoryKey(url)
  const always = [{ urlKey, since: "-infinity", until: "infinity" }]
  return { userId, ownerId: PoolId.make(organizationId ?? userId), urlKey, urls: spans.length === 0 ? always : spans }
}

const spans = (sql: SqlClient) => sql.literal(`url_key AS "urlKey", since::text AS since, until::text AS until`)

export const scopeOfRepository = Effect.fnUntraced(function* (
  sql: SqlClient,
  reader: Reader,
  repositoryId: RepositoryId,
) {
  const [found] = yield* decodeUrl(sql`
    SELECT user_id AS "userId", url FROM repositories
    WHERE id = ${repositoryId}::uuid AND user_id IN ${sharedWith(sql, reader.userId)}`)
  if (found === undefined) return yield* new RepositoryNotFound()
  const urls = yield* decodeSpans(sql`
    SELECT ${spans(sql)} FROM repository_url_spans WHERE repository_id = ${repositoryId}::uuid`)
  return scopeOf(reader, found.url, urls)
})

/** By the synced repository, if the URL belonged to one when the analysis was created. */
export const scopeOfAnalysis = Effect.fnUntraced(function* (sql: SqlClient, reader: Reader, analysisId: AnalysisId) {
  const [found] = yield* decodeUrl(sql`
    SELECT user_id AS "userId", repository_url AS url FROM analyses
    WHERE id = ${analysisId}::uuid AND user_id IN ${sharedWith(sql, reader.userId)}`)
  if (found === undefined) return yield* new AnalysisNotFound({ analysisId })
  const [repository] = yield* decodeUrl(sql`
    SELECT repositories.user_id AS "userId", repositories.url
    FROM repository_url_spans AS spans JOIN repositories ON repositories.id = spans.repository_id
    JOIN analyses ON analyses.id = ${analysisId}::uuid
      AND analyses.created_at >= spans.since AND analyses.created_at < spans.until
    WHERE spans.user_id = ${found.userId}::uuid AND spans.url_key = ${sameRepositoryKey(found.url)}`)
  if (repository === undefined) return scopeOf(reader, found.url, [])
  const urls = yield* decodeSpans(sql`
    SELECT ${spans(sql)} FROM repository_url_spans WHERE repository_id = (
      SELECT id FROM repositories WHERE user_id = ${repository.userId}::uuid AND url = ${repository.url} LIMIT 1)`)
  return scopeOf(reader, repository.url, urls)
})
