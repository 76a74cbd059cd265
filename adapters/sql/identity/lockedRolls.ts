import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  InvitationNotFound,
  OrganizationNotFound,
  UserNotFound,
} from "../../../application/ports/identity/Organizations.ts"
import * as Membership from "../../../domain/identity/Membership.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { isUuid } from "../../../domain/ids/uuid.ts"
import { readInvitation, readInvitations, readMembers, removeInvitations } from "./roll.ts"
import { type UserId, OrganizationId, type InvitationId } from "../../../domain/ids/Ids.ts"

const decodeOrganizations = decodeRows(
  Schema.Struct({
    organizationId: OrganizationId,
    name: Schema.String,
    plan: PlanId,
    seats: Schema.Int,
    createdAt: Schema.Date,
    role: Schema.NullOr(Role),
    sharing: Schema.Boolean,
  }),
)

/** Shared by the operations on organizations: rolls under the lock of the organization's pool, and who joins them. */
export const lockedRolls = (sql: SqlClient) => {
  const seen = (userId: UserId | undefined, organizationId: OrganizationId) =>
    decodeOrganizations(sql`
      SELECT
        organizations.id AS "organizationId", name, ${effectivePlan(sql)} AS plan, pools.seats,
        organizations.created_at AS "createdAt", memberships.role, sharing
      FROM organizations
      JOIN pools ON pools.id = organizations.id
      LEFT JOIN memberships ON memberships.organization_id = organizations.id
        AND memberships.user_id = ${userId ?? null}::uuid
      WHERE organizations.id = ${organizationId}::uuid`)

  /** Within a transaction: locks the organization, unless it no longer exists. */
  const lockedRoll = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    if (!isUuid(organizationId)) return yield* new OrganizationNotFound()
    yield* sql`SELECT FROM pools WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`
    const [found] = yield* seen(undefined, organizationId)
    if (found === undefined) return yield* new OrganizationNotFound()
    const members = yield* readMembers(sql, organizationId)
    const invited = (yield* readInvitations(sql, organizationId)).map(({ userId }) => userId)
    return { seats: found.plan === "pro" ? found.seats : 0, members, invited }
  })

  /** The same, for callers who may know that the organization exists. */
  const rollFor = Effect.fnUntraced(function* (actorId: UserId, organizationId: OrganizationId) {
    const roll = yield* lockedRoll(organizationId)
    return roll.members.some(({ userId }) => userId === actorId) ? roll : yield* new OrganizationNotFound()
  })

  const existing = Effect.fnUntraced(function* (userId: UserId) {
    const users = isUuid(userId) ? yield* sql`SELECT 1 AS one FROM users WHERE id = ${userId}::uuid` : []
    if (users.length === 0) return yield* new UserNotFound()
  })

  /** Joining uses up an invitation, by whichever route. */
  const join = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
    const joined = yield* sql`
      INSERT INTO memberships (organization_id, user_id, role, created_at)
      VALUES (${organizationId}::uuid, ${userId}::uuid, 'member', clock_timestamp())
      ON CONFLICT DO NOTHING RETURNING 1 AS one`
    if (joined.length === 0) return yield* new Membership.AlreadyMember()
    yield* removeInvitations(sql, organizationId, [userId])
  })

  const upsertInvitation = (organizationId: OrganizationId, userId: UserId) => sql`
    INSERT INTO invitations (organization_id, user_id, created_at, expires_at)
    SELECT
      ${organizationId}::uuid, ${userId}::uuid, made,
      made + ${Duration.toMillis(Membership.invitationLifetime)}::float8 * interval '1 millisecond'
    FROM clock_timestamp() AS made
    ON CONFLICT (organization_id, user_id) DO UPDATE SET expires_at = excluded.expires_at`

  /** Within a transaction: locks the invitation and reads it. */
  const lockedInvitation = Effect.fnUntraced(function* (invitationId: InvitationId) {
    const found = isUuid(invitationId) ? yield* readInvitation(sql, invitationId) : undefined
    if (found === undefined) return yield* new InvitationNotFound()
    const roll = yield* Effect.mapError(lockedRoll(found.organizationId), (error) =>
      error._tag === "OrganizationNotFound" ? new InvitationNotFound() : error,
    )
    const invitation = yield* readInvitation(sql, invitationId)
    return invitation === undefined ? yield* new InvitationNotFound() : { invitation, roll }
  })

  return { seen, lockedRoll, rollFor, existing, join, upsertInvitation, lockedInvitation }
}
