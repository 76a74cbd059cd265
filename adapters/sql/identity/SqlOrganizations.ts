import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import {
  InvitationNotFound,
  OrganizationNotFound,
  Organizations,
  UserNotFound,
  type Member,
} from "../../../application/ports/Organizations.ts"
import * as Membership from "../../../domain/identity/Membership.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { isUuid } from "../uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { createOrganization } from "./createOrganization.ts"
import { readInvitation, readInvitations, readMembers, readReceived, removeInvitations, removeMembers } from "./roll.ts"

const decodeOrganizations = decodeRows(
  Schema.Struct({
    organizationId: Schema.String,
    name: Schema.String,
    plan: PlanId,
    seats: Schema.Int,
    createdAt: Schema.Date,
    role: Schema.NullOr(Role),
    sharing: Schema.Boolean,
  }),
)

type MemberRow = Effect.Success<ReturnType<typeof readMembers>>[number]
const memberOf = (row: MemberRow): Member => ({ ...row, email: row.email ?? undefined })

/** A user's invitations that are shown: owners that a user does not know may make as many as they like. */
const mostShown = 100

/**
 * Organizations on a migrated database. Whoever changes members or invitations holds the lock on the organization's
 * pool, as does whoever changes its seats: what `Membership` decides on the roll holds until it is written.
 */
export const layer = Layer.effect(
  Organizations,
  Effect.map(SqlClient, (sql) => {
    const seen = (userId: string | undefined, organizationId: string) =>
      decodeOrganizations(sql`
        SELECT
          organizations.id AS "organizationId", name, ${effectivePlan(sql)} AS plan, pools.seats,
          organizations.created_at AS "createdAt", memberships.role, sharing
        FROM organizations
        JOIN pools ON pools.id = organizations.id
        LEFT JOIN memberships ON memberships.organization_id = organizations.id
          AND memberships.user_id = ${userId ?? null}::uuid
        WHERE organizations.id = ${organizationId}::uuid`)

    /** Within a transaction: locks the organization, unless it is there no more. */
    const lockedRoll = Effect.fnUntraced(function* (organizationId: string) {
      if (!isUuid(organizationId)) return yield* new OrganizationNotFound()
      yield* sql`SELECT FROM pools WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`
      const [found] = yield* seen(undefined, organizationId)
      if (found === undefined) return yield* new OrganizationNotFound()
      const members = yield* readMembers(sql, organizationId)
      const invited = (yield* readInvitations(sql, organizationId)).map(({ userId }) => userId)
      return { seats: found.plan === "pro" ? found.seats : 0, members, invited }
    })

    /** The same, for whom the organization exists. */
    const rollFor = Effect.fnUntraced(function* (actorId: string, organizationId: string) {
      const roll = yield* lockedRoll(organizationId)
      return roll.members.some(({ userId }) => userId === actorId) ? roll : yield* new OrganizationNotFound()
    })

    const existing = Effect.fnUntraced(function* (userId: string) {
      const users = isUuid(userId) ? yield* sql`SELECT 1 AS one FROM users WHERE id = ${userId}::uuid` : []
      if (users.length === 0) return yield* new UserNotFound()
    })

    /** An invitation is used up by joining, whichever way that happens. */
    const join = Effect.fnUntraced(function* (organizationId: string, userId: string) {
      const joined = yield* sql`
        INSERT INTO memberships (organization_id, user_id, role, created_at)
        VALUES (${organizationId}::uuid, ${userId}::uuid, 'member', clock_timestamp())
        ON CONFLICT DO NOTHING RETURNING 1 AS one`
      if (joined.length === 0) return yield* new Membership.AlreadyMember()
      yield* removeInvitations(sql, organizationId, [userId])
    })

    const upsertInvitation = (organizationId: string, userId: string) => sql`
      INSERT INTO invitations (organization_id, user_id, created_at, expires_at)
      SELECT
        ${organizationId}::uuid, ${userId}::uuid, made,
        made + ${Membership.invitationLifetime}::float8 * interval '1 millisecond'
      FROM clock_timestamp() AS made
      ON CONFLICT (organization_id, user_id) DO UPDATE SET expires_at = excluded.expires_at`

    /** Within a transaction: the invitation as it is once nobody else can change it. */
    const lockedInvitation = Effect.fnUntraced(function* (invitationId: string) {
      const found = isUuid(invitationId) ? yield* readInvitation(sql, invitationId) : undefined
      if (found === undefined) return yield* new InvitationNotFound()
      const roll = yield* Effect.mapError(lockedRoll(found.organizationId), (error) =>
        error._tag === "OrganizationNotFound" ? new InvitationNotFound() : error,
      )
      const invitation = yield* readInvitation(sql, invitationId)
      return invitation === undefined ? yield* new InvitationNotFound() : { invitation, roll }
    })

    return Organizations.of({
      create: Effect.fn("Organizations.create")((ownerId, name, seats) =>
        isUuid(ownerId)
          ? whileAvailable(sql.withTransaction(createOrganization(sql, ownerId, name, seats)))
          : Effect.fail(new UserNotFound()),
      ),
      find: Effect.fn("Organizations.find")(function* (userId, organizationId) {
        const [found] = isUuid(organizationId) ? yield* whileAvailable(seen(userId, organizationId)) : []
        if (found === undefined || found.role === null) return yield* new OrganizationNotFound()
        const members = yield* whileAvailable(readMembers(sql, organizationId))
        const invitations =
          found.role === "owner" ? yield* whileAvailable(readInvitations(sql, organizationId)) : undefined
        return { ...found, role: found.role, members: members.map(memberOf), invitations }
      }),
      share: Effect.fn("Organizations.share")((actorId, organizationId, sharing) =>
        whileAvailable(
          Effect.gen(function* () {
            const roll = yield* rollFor(actorId, organizationId)
            if (!Membership.isOwner(roll, actorId)) return yield* new Membership.OwnerRequired()
            yield* sql`UPDATE organizations SET sharing = ${sharing} WHERE id = ${organizationId}::uuid`
          }).pipe(sql.withTransaction),
        ),
      ),
      addMember: Effect.fn("Organizations.addMember")((organizationId, userId) =>
        whileAvailable(
          Effect.gen(function* () {
            const roll = yield* lockedRoll(organizationId)
            yield* existing(userId)
            const id = userId.toLowerCase()
            yield* Effect.fromResult(Membership.admit(roll, id))
            yield* join(organizationId, id)
            const member = (yield* readMembers(sql, organizationId)).find((one) => one.userId === id)
            return member === undefined ? yield* Effect.die(new Error("A new member is not there")) : memberOf(member)
          }).pipe(sql.withTransaction),
        ),
      ),
      removeMember: Effect.fn("Organizations.removeMember")((actorId, organizationId, userId) =>
        whileAvailable(
          Effect.gen(function* () {
            const roll = yield* rollFor(actorId, organizationId)
            const id = userId.toLowerCase()
            yield* Effect.fromResult(Membership.remove(roll, actorId, id))
            yield* removeMembers(sql, organizationId, [id])
          }).pipe(sql.withTransaction),
        ),
      ),
      invite: Effect.fn("Organizations.invite")((actorId, organizationId, userId) =>
        whileAvailable(
          Effect.gen(function* () {
            const roll = yield* rollFor(actorId, organizationId)
            const id = userId.toLowerCase()
            yield* Effect.fromResult(Membership.invite(roll, actorId, id))
            yield* existing(id)
            yield* sql`DELETE FROM invitations WHERE organization_id = ${organizationId}::uuid AND expires_at <= now()`
            yield* upsertInvitation(organizationId, id)
            const invitation = (yield* readInvitations(sql, organizationId)).find((one) => one.userId === id)
            return invitation ?? (yield* Effect.die(new Error("A new invitation is not there")))
          }).pipe(sql.withTransaction),
        ),
      ),
      invitations: Effect.fn("Organizations.invitations")((userId) =>
        whileAvailable(readReceived(sql, userId, mostShown)),
      ),
      accept: Effect.fn("Organizations.accept")((userId, invitationId) =>
        whileAvailable(
          Effect.gen(function* () {
            const { invitation, roll } = yield* lockedInvitation(invitationId)
            if (invitation.userId !== userId) return yield* new InvitationNotFound()
            yield* Effect.fromResult(Membership.accept(roll))
            yield* join(invitation.organizationId, userId)
            return invitation.organizationId
          }).pipe(sql.withTransaction),
        ),
      ),
      endInvitation: Effect.fn("Organizations.endInvitation")((actorId, invitationId) =>
        whileAvailable(
          Effect.gen(function* () {
            const { invitation, roll } = yield* lockedInvitation(invitationId)
            if (!Membership.mayEndInvitation(roll, actorId, invitation.userId)) return yield* new InvitationNotFound()
            yield* removeInvitations(sql, invitation.organizationId, [invitation.userId])
          }).pipe(sql.withTransaction),
        ),
      ),
    })
  }),
)
