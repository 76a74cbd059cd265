import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import {
  InvitationNotFound,
  OrganizationNotFound,
  Organizations,
  UserNotFound,
  type Member,
} from "../../../application/ports/identity/Organizations.ts"
import * as Membership from "../../../domain/identity/Membership.ts"
import { canonicalId, isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { createOrganization } from "./createOrganization.ts"
import { lockedRolls } from "./lockedRolls.ts"
import { readInvitations, readMembers, readReceived, removeInvitations, removeMembers } from "./roll.ts"
import type { UserId, OrganizationId } from "../../../domain/ids/Ids.ts"

type MemberRow = Effect.Success<ReturnType<typeof readMembers>>[number]
const memberOf = (row: MemberRow): Member => ({ ...row, email: row.email ?? undefined })

/** Limit on a user's invitations that are shown: unknown owners may create as many as they like. */
const mostShown = 100

/** Membership changes. Each runs in its own transaction. */
const changes = (sql: SqlClient, rolls: ReturnType<typeof lockedRolls>) => {
  const { lockedRoll, rollFor, existing, join, upsertInvitation } = rolls
  return {
    addMember: Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
      const roll = yield* lockedRoll(organizationId)
      yield* existing(userId)
      const id = canonicalId(userId)
      yield* Effect.fromResult(Membership.admit(roll, id))
      yield* join(organizationId, id)
      const member = (yield* readMembers(sql, organizationId)).find((one) => one.userId === id)
      return member === undefined ? yield* Effect.die(new Error("A new member is not there")) : memberOf(member)
    }, sql.withTransaction),
    removeMember: Effect.fnUntraced(function* (actorId: UserId, organizationId: OrganizationId, userId: UserId) {
      const roll = yield* rollFor(actorId, organizationId)
      const id = canonicalId(userId)
      yield* Effect.fromResult(Membership.remove(roll, actorId, id))
      yield* removeMembers(sql, organizationId, [id])
    }, sql.withTransaction),
    invite: Effect.fnUntraced(function* (actorId: UserId, organizationId: OrganizationId, userId: UserId) {
      const roll = yield* rollFor(actorId, organizationId)
      const id = canonicalId(userId)
      yield* Effect.fromResult(Membership.invite(roll, actorId, id))
      yield* existing(id)
      yield* sql`DELETE FROM invitations WHERE organization_id = ${organizationId}::uuid AND expires_at <= now()`
      yield* upsertInvitation(organizationId, id)
      const invitation = (yield* readInvitations(sql, organizationId)).find((one) => one.userId === id)
      return invitation ?? (yield* Effect.die(new Error("A new invitation is not there")))
    }, sql.withTransaction),
  }
}

/**
 * Organizations on a migrated database. Every change of members, invitations or seats holds the lock on the
 * organization's pool, so a decision of `Membership` on the roll remains valid until it is written.
 */
export const layer = Layer.effect(
  Organizations,
  Effect.map(SqlClient, (sql) => {
    const rolls = lockedRolls(sql)
    const { seen, rollFor, join, lockedInvitation } = rolls
    const { addMember, removeMember, invite } = changes(sql, rolls)

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
        whileAvailable(addMember(organizationId, userId)),
      ),
      removeMember: Effect.fn("Organizations.removeMember")((actorId, organizationId, userId) =>
        whileAvailable(removeMember(actorId, organizationId, userId)),
      ),
      invite: Effect.fn("Organizations.invite")((actorId, organizationId, userId) =>
        whileAvailable(invite(actorId, organizationId, userId)),
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
