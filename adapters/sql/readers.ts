import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { UserId } from "../../domain/ids/Ids.ts"

/** Users whose analyses and repositories a user can read: the user, and fellow members if the organization shares. */
export const sharedWith = (sql: SqlClient, userId: UserId): Fragment => sql`(
  SELECT ${userId}::uuid
  UNION
  SELECT fellow.user_id
  FROM memberships AS own
  JOIN organizations ON organizations.id = own.organization_id AND organizations.sharing
  JOIN memberships AS fellow ON fellow.organization_id = own.organization_id
  WHERE own.user_id = ${userId}::uuid)`

/** Whether a user can read what belongs to another. */
export const isShared = (sql: SqlClient, userId: UserId, ownerId: UserId) =>
  Effect.map(sql`SELECT 1 AS one WHERE ${ownerId}::uuid IN ${sharedWith(sql, userId)}`, (rows) => rows.length > 0)
