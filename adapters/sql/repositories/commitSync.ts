import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  RecordsDiffer,
  type RepositoryStore,
  type RunningSync,
  SyncLost,
} from "../../../application/ports/repositories/RepositoryStore.ts"
import type { SyncResult } from "../../../domain/repository/Repository.ts"
import { decodeRows } from "../decodeRows.ts"
import { urlKey } from "./urlKey.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

type Ending = Parameters<RepositoryStore["Service"]["commitSync"]>[1]

const decodeHeld = decodeRows(Schema.Struct({ etag: Schema.NullOr(Schema.String) }))
const decodeCounts = decodeRows(
  Schema.Struct({ synced: Schema.Int, added: Schema.Int, updated: Schema.Int, syncedAt: Schema.Date }),
)
const decodeTotal = decodeRows(Schema.Struct({ total: Schema.Int }))

/** The counts compare with the previous records: all parts of a statement see the same snapshot. */
const merge = (sql: SqlClient, userId: UserId) =>
  decodeCounts(sql`
    WITH staged AS (SELECT * FROM staged_repositories WHERE user_id = ${userId}::uuid),
    compared AS (
      SELECT
        repositories.id IS NULL AS is_added,
        repositories.id IS NOT NULL AND (repositories.vanished_at IS NOT NULL OR
          (repositories.name, repositories.full_name, repositories.url, repositories.default_branch,
            repositories.language, repositories.is_private, repositories.is_archived, repositories.host_updated_at)
          IS DISTINCT FROM
          (staged.name, staged.full_name, staged.url, staged.default_branch,
            staged.language, staged.is_private, staged.is_archived, staged.host_updated_at)) AS is_updated
      FROM staged LEFT JOIN repositories
        ON repositories.user_id = staged.user_id AND repositories.github_id = staged.github_id
    ),
    written AS (
      INSERT INTO repositories (
        user_id, github_id, name, full_name, url, default_branch, language, is_private, is_archived, host_updated_at,
        last_synced_at)
      SELECT staged.*, now() FROM staged
      ON CONFLICT (user_id, github_id) DO UPDATE SET
        name = excluded.name, full_name = excluded.full_name, url = excluded.url,
        default_branch = excluded.default_branch, language = excluded.language, is_private = excluded.is_private,
        is_archived = excluded.is_archived, host_updated_at = excluded.host_updated_at,
        last_synced_at = excluded.last_synced_at, vanished_at = NULL
    )
    SELECT
      count(*)::int AS synced, (count(*) FILTER (WHERE is_added))::int AS added,
      (count(*) FILTER (WHERE is_updated))::int AS updated, now()::timestamptz(3) AS "syncedAt"
    FROM compared`)

/**
 * A URL belongs to the repository that has it now. Analyses created while another repository had it remain that one's.
 * Two have the same URL if one was read before it was renamed and the other after it took the name: the later change
 * wins.
 */
const claimUrls = (sql: SqlClient, userId: UserId) => sql`
  WITH claimed AS (
    SELECT DISTINCT ON (${urlKey(sql, "staged.url")})
      staged.user_id, ${urlKey(sql, "staged.url")} AS url_key, repositories.id AS repository_id
    FROM staged_repositories AS staged
    JOIN repositories ON repositories.user_id = staged.user_id AND repositories.github_id = staged.github_id
    WHERE staged.user_id = ${userId}::uuid
    ORDER BY ${urlKey(sql, "staged.url")}, staged.host_updated_at DESC, staged.github_id DESC
  ),
  lost AS (
    INSERT INTO former_repository_urls (user_id, url_key, repository_id, since, until)
    SELECT urls.user_id, urls.url_key, urls.repository_id, urls.since, now()
    FROM repository_urls AS urls JOIN claimed USING (user_id, url_key)
    WHERE urls.repository_id <> claimed.repository_id
  )
  INSERT INTO repository_urls (user_id, url_key, repository_id)
  SELECT user_id, url_key, repository_id FROM claimed
  ON CONFLICT (user_id, url_key) DO UPDATE SET repository_id = excluded.repository_id, since = now()
  WHERE repository_urls.repository_id <> excluded.repository_id`

export const commitSync = (sql: SqlClient, { userId, syncId }: RunningSync, ending: Ending) =>
  Effect.gen(function* () {
    const [held] = yield* decodeHeld(sql`
      SELECT etag FROM repository_syncs WHERE user_id = ${userId}::uuid AND running = ${syncId}::uuid FOR UPDATE`)
    if (held === undefined) return yield* new SyncLost()
    const [counts] = yield* merge(sql, userId)
    if (counts === undefined) return yield* Effect.die(new Error("An aggregate returned no row"))
    if (ending.isWholeList) {
      yield* sql`
        UPDATE repositories SET vanished_at = now()
        WHERE user_id = ${userId}::uuid AND vanished_at IS NULL AND NOT EXISTS (
          SELECT FROM staged_repositories AS staged
          WHERE staged.user_id = repositories.user_id AND staged.github_id = repositories.github_id)`
    }
    if (ending.total !== undefined) {
      const [present] = yield* decodeTotal(sql`
        SELECT count(*)::int AS total FROM repositories WHERE user_id = ${userId}::uuid AND vanished_at IS NULL`)
      if (present?.total !== ending.total) return yield* new RecordsDiffer()
    }
    const { added, updated, syncedAt } = counts
    // A quick sync reads some unchanged ones, to be sure not to miss a change.
    const result: SyncResult = { ...counts, synced: ending.kind === "quick" ? added + updated : counts.synced }
    yield* claimUrls(sql, userId)
    yield* sql`DELETE FROM staged_repositories WHERE user_id = ${userId}::uuid`
    yield* sql`
      UPDATE repository_syncs SET
        running = NULL, lease_expires_at = NULL, etag = ${ending.etag ?? null}::text,
        changes_since = ${ending.changesSince ?? null}::timestamptz, finished = ${syncId}::uuid,
        finished_kind = ${ending.kind}::text, synced = ${result.synced}, added = ${added},
        updated = ${updated}, synced_at = ${syncedAt}::timestamptz
      WHERE user_id = ${userId}::uuid`
    return result
  }).pipe(sql.withTransaction)
