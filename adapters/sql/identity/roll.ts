import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { Role } from "../../../domain/identity/Organization.ts"
import { decodeRows } from "../decodeRows.ts"
import { UserId, OrganizationId, InvitationId } from "../../../domain/ids/Ids.ts"

const decodeMembers = decodeRows(
  Schema.Struct({ userId: UserId, email: Schema.NullOr(Schema.String), role: Role, joinedAt: Schema.Date }),
)
const decodeInvitations = decodeRows(
  Schema.Struct({
    invitationId: InvitationId,
    organizationId: OrganizationId,
    organizationName: Schema.String,
    userId: UserId,
    createdAt: Schema.Date,
    expiresAt: Schema.Date,
  }),
)

/** In the order in which they joined. */
export const readMembers = (sql: SqlClient, organizationId: OrganizationId) =>
  decodeMembers(sql`
    SELECT users.id AS "userId", email, role, memberships.created_at AS "joinedAt"
    FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE organization_id = ${organizationId}::uuid ORDER BY memberships.created_at, users.id`)

/** Rows of `invitations` that are open. */
const openInvitations = (sql: SqlClient) => sql`
  SELECT
    invitations.id AS "invitationId", organization_id AS "organizationId", organizations.name AS "organizationName",
    user_id AS "userId", invitations.created_at AS "createdAt", expires_at AS "expiresAt"
  FROM invitations JOIN organizations ON organizations.id = organization_id
  WHERE expires_at > now()`

/** An organization's open invitations, in order of creation. */
export const readInvitations = (sql: SqlClient, organizationId: OrganizationId) =>
  decodeInvitations(sql`
    ${openInvitations(sql)} AND organization_id = ${organizationId}::uuid ORDER BY invitations.created_at, invitations.id`)

/** A user's open invitations, newest first. */
export const readReceived = (sql: SqlClient, userId: UserId, most: number) =>
  decodeInvitations(sql`
    ${openInvitations(sql)} AND user_id = ${userId}::uuid
    ORDER BY invitations.created_at DESC, invitations.id LIMIT ${most}`)

export const readInvitation = (sql: SqlClient, invitationId: InvitationId) =>
  Effect.map(
    decodeInvitations(sql`${openInvitations(sql)} AND invitations.id = ${invitationId}::uuid`),
    ([found]) => found,
  )

export const removeMembers = (sql: SqlClient, organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
  userIds.length === 0
    ? Effect.void
    : sql`
        DELETE FROM memberships
        WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${[...userIds]}::uuid[])`

export const removeInvitations = (sql: SqlClient, organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
  userIds.length === 0
    ? Effect.void
    : sql`
        DELETE FROM invitations
        WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${[...userIds]}::uuid[])`
