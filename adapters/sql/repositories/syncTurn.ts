import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  type RunningSync,
  SyncLost,
  type SyncOutcome,
  type SyncTurn,
} from "../../../application/ports/repositories/RepositoryStore.ts"
import type { HostedRepository } from "../../../domain/repository/Repository.ts"
import { decodeRows } from "../decodeRows.ts"
import { type UserId, SyncId } from "../../../domain/ids/Ids.ts"

/** How long the next sync waits for a process that died. A running one renews it every 5 s. */
const lease = "interval '15 seconds'"

const decodeTurn = decodeRows(Schema.Struct({ etag: Schema.NullOr(Schema.String) }))
const decodeSince = decodeRows(Schema.Struct({ since: Schema.NullOr(Schema.Date) }))
const decodeHeld = decodeRows(Schema.Struct({ held: Schema.Int }))
const decodeOutcome = decodeRows(
  Schema.Struct({
    isRunning: Schema.Boolean,
    running: Schema.NullOr(SyncId),
    finished: Schema.NullOr(SyncId),
    kind: Schema.NullOr(Schema.Literals(["full", "quick"])),
    synced: Schema.NullOr(Schema.Int),
    added: Schema.NullOr(Schema.Int),
    updated: Schema.NullOr(Schema.Int),
    syncedAt: Schema.NullOr(Schema.Date),
  }),
)

const readState = (sql: SqlClient, userId: UserId) =>
  decodeOutcome(sql`
    SELECT
      running IS NOT NULL AND lease_expires_at > now() AS "isRunning", running, finished, finished_kind AS kind,
      synced, added, updated, synced_at AS "syncedAt"
    FROM repository_syncs WHERE user_id = ${userId}::uuid`)

/** The insert waits for a concurrent one of the same user, so that one of two finds the other running. */
export const beginSync = (sql: SqlClient, userId: UserId) =>
  Effect.gen(function* () {
    const syncId = SyncId.make(globalThis.crypto.randomUUID())
    const [taken] = yield* decodeTurn(sql`
      INSERT INTO repository_syncs (user_id, running, lease_expires_at)
      VALUES (${userId}::uuid, ${syncId}::uuid, now() + ${sql.literal(lease)})
      ON CONFLICT (user_id) DO UPDATE SET running = excluded.running, lease_expires_at = excluded.lease_expires_at
      WHERE repository_syncs.running IS NULL OR repository_syncs.lease_expires_at <= now()
      RETURNING etag`)
    if (taken === undefined) {
      const [state] = yield* readState(sql, userId)
      const busy: SyncTurn = { type: "busy", syncId: state?.running ?? syncId }
      return busy
    }
    // The remains of a sync whose process died.
    yield* sql`DELETE FROM staged_repositories WHERE user_id = ${userId}::uuid`
    const [latest] = yield* decodeSince(sql`
      SELECT least(
        max(host_updated_at), (SELECT changes_since FROM repository_syncs WHERE user_id = ${userId}::uuid)) AS since
      FROM repositories WHERE user_id = ${userId}::uuid AND vanished_at IS NULL`)
    const instant = latest?.since ?? undefined
    const sync: RunningSync = {
      userId,
      syncId,
      since: instant === undefined ? undefined : { instant, etag: taken.etag ?? undefined },
    }
    const started: SyncTurn = { type: "started", sync }
    return started
  }).pipe(sql.withTransaction)

export const outcomeOf = (sql: SqlClient, userId: UserId, syncId: SyncId) =>
  Effect.map(readState(sql, userId), ([state]): SyncOutcome => {
    if (state === undefined) return { type: "failed" }
    const { kind, synced, added, updated, syncedAt } = state
    if (state.finished === syncId && kind !== null && syncedAt !== null) {
      return {
        type: "finished",
        kind,
        result: { synced: synced ?? 0, added: added ?? 0, updated: updated ?? 0, syncedAt },
      }
    }
    return state.running === syncId && state.isRunning ? { type: "running" } : { type: "failed" }
  })

/** One statement per page: a sync that lost the lease writes nothing. */
export const stagePage = (sql: SqlClient, { userId, syncId }: RunningSync, page: ReadonlyArray<HostedRepository>) => {
  const rows = page.map((one) => ({
    github_id: one.githubId,
    name: one.name,
    full_name: one.fullName,
    url: one.url,
    default_branch: one.defaultBranch,
    language: one.language ?? null,
    is_private: one.isPrivate,
    is_archived: one.isArchived,
    host_updated_at: one.updatedAt.toISOString(),
  }))
  return decodeHeld(sql`
    WITH held AS (
      UPDATE repository_syncs SET lease_expires_at = now() + ${sql.literal(lease)}
      WHERE user_id = ${userId}::uuid AND running = ${syncId}::uuid RETURNING user_id
    ),
    staged AS (
      INSERT INTO staged_repositories
      SELECT DISTINCT ON (page.github_id) held.user_id, page.*
      FROM held CROSS JOIN jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS page (
        github_id bigint, name text, full_name text, url text, default_branch text, language text,
        is_private boolean, is_archived boolean, host_updated_at timestamptz)
      ON CONFLICT (user_id, github_id) DO UPDATE SET
        name = excluded.name, full_name = excluded.full_name, url = excluded.url,
        default_branch = excluded.default_branch, language = excluded.language, is_private = excluded.is_private,
        is_archived = excluded.is_archived, host_updated_at = excluded.host_updated_at
    )
    SELECT count(*)::int AS held FROM held`).pipe(
    Effect.flatMap(([row]) => (row?.held === 1 ? Effect.void : Effect.fail(new SyncLost()))),
  )
}

export const abandonSync = (sql: SqlClient, { userId, syncId }: RunningSync) =>
  Effect.asVoid(sql`
    WITH ended AS (
      UPDATE repository_syncs SET running = NULL, lease_expires_at = NULL
      WHERE user_id = ${userId}::uuid AND running = ${syncId}::uuid RETURNING user_id
    )
    DELETE FROM staged_repositories USING ended WHERE staged_repositories.user_id = ended.user_id`)
