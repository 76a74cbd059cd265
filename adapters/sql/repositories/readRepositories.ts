import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { RepositoryNotFound, type RepositoryRecord } from "../../../application/ports/repositories/RepositoryStore.ts"
import { sameRepositoryKey } from "../../../domain/repository/Repository.ts"
import { sharedWith } from "../readers.ts"
import { decodeRows } from "../decodeRows.ts"
import { type UserId, RepositoryId } from "../../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const Row = Schema.Struct({
  id: RepositoryId,
  /** Postgres returns bigint as text, because 64 bits do not fit into a number; GitHub's ids do. */
  githubId: Schema.Union([Schema.Int, Schema.NumberFromString]),
  name: Schema.String,
  fullName: Schema.String,
  url: Schema.String,
  defaultBranch: Schema.String,
  language: Schema.NullOr(Schema.String),
  isPrivate: Schema.Boolean,
  isArchived: Schema.Boolean,
  lastSyncedAt: Schema.Date,
  vanishedAt: Schema.NullOr(Schema.Date),
})

const decode = decodeRows(Row)
const decodeCount = decodeRows(Schema.Struct({ count: Schema.Int }))

const columns = (sql: SqlClient) =>
  sql.literal(`
    id, github_id::text AS "githubId", name, full_name AS "fullName", url, default_branch AS "defaultBranch", language,
    is_private AS "isPrivate", is_archived AS "isArchived", last_synced_at AS "lastSyncedAt",
    vanished_at AS "vanishedAt"`)

const toRecord = (row: typeof Row.Type): RepositoryRecord => ({
  ...row,
  language: row.language ?? undefined,
  vanishedAt: row.vanishedAt ?? undefined,
})

export const listRepositories = (sql: SqlClient, userId: UserId, shared: boolean) =>
  decode(sql`
    SELECT ${columns(sql)} FROM repositories
    WHERE ${shared ? sql`user_id IN ${sharedWith(sql, userId)}` : sql`user_id = ${userId}::uuid`} AND vanished_at IS NULL
    ORDER BY lower(full_name), id`).pipe(Effect.map((rows) => rows.map(toRecord)))

export const findRepository = (sql: SqlClient, userId: UserId, id: RepositoryId) =>
  decode(sql`
    SELECT ${columns(sql)} FROM repositories WHERE id = ${id}::uuid AND user_id IN ${sharedWith(sql, userId)}`).pipe(
    Effect.flatMap(([row]) =>
      row === undefined ? Effect.fail(new RepositoryNotFound()) : Effect.succeed(toRecord(row)),
    ),
  )

export const isSynced = (sql: SqlClient, userId: UserId, url: RepositoryUrl) =>
  decodeCount(sql`
    SELECT count(*)::int AS count
    FROM repository_urls JOIN repositories ON repositories.id = repository_urls.repository_id
    WHERE repository_urls.user_id = ${userId}::uuid AND url_key = ${sameRepositoryKey(url)}
      AND vanished_at IS NULL`).pipe(Effect.map(([row]) => row !== undefined && row.count > 0))
