import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import {
  AlreadyMember,
  MemberNotFound,
  OrganizationNotFound,
  Organizations,
  OwnerRequired,
  OwnerStays,
  SeatsExhausted,
  UserNotFound,
  type Member,
} from "../../../application/ports/Organizations.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { isUuid } from "../uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { createOrganization } from "./createOrganization.ts"

const decodeOrganizations = decodeRows(
  Schema.Struct({
    organizationId: Schema.String,
    name: Schema.String,
    plan: PlanId,
    seats: Schema.Int,
    createdAt: Schema.Date,
    role: Schema.NullOr(Role),
  }),
)
const decodeMembers = decodeRows(
  Schema.Struct({
    userId: Schema.String,
    email: Schema.NullOr(Schema.String),
    role: Role,
    joinedAt: Schema.Date,
  }),
)

const memberOf = (row: Effect.Success<ReturnType<typeof decodeMembers>>[number]): Member => ({
  ...row,
  email: row.email ?? undefined,
})

/**
 * Organizations on a migrated database. Whoever changes members holds the lock on the organization's pool, as does
 * whoever changes its seats: parallel invitations cannot overfill it.
 */
export const layer = Layer.effect(
  Organizations,
  Effect.map(SqlClient, (sql) => {
    const seen = (userId: string | undefined, organizationId: string) =>
      decodeOrganizations(sql`
        SELECT
          organizations.id AS "organizationId", name, ${effectivePlan(sql)} AS plan, pools.seats,
          organizations.created_at AS "createdAt", memberships.role
        FROM organizations
        JOIN pools ON pools.id = organizations.id
        LEFT JOIN memberships ON memberships.organization_id = organizations.id
          AND memberships.user_id = ${userId ?? null}::uuid
        WHERE organizations.id = ${organizationId}::uuid`)

    const membersOf = (organizationId: string) =>
      decodeMembers(sql`
        SELECT users.id AS "userId", email, role, memberships.created_at AS "joinedAt"
        FROM memberships JOIN users ON users.id = memberships.user_id
        WHERE organization_id = ${organizationId}::uuid ORDER BY memberships.created_at, users.id`)

    /** Within a transaction: locks the organization and checks that the actor, if there is one, belongs to it. */
    const locked = Effect.fnUntraced(function* (actorId: string | undefined, organizationId: string) {
      if (!isUuid(organizationId)) return yield* new OrganizationNotFound()
      yield* sql`SELECT FROM pools WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`
      const [found] = yield* seen(actorId, organizationId)
      if (found === undefined || (actorId !== undefined && found.role === null)) {
        return yield* new OrganizationNotFound()
      }
      return found
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
        const members = yield* whileAvailable(membersOf(organizationId))
        return { ...found, role: found.role, members: members.map(memberOf) }
      }),
      addMember: Effect.fn("Organizations.addMember")((actorId, organizationId, userId) =>
        whileAvailable(
          Effect.gen(function* () {
            const organization = yield* locked(actorId, organizationId)
            if (actorId !== undefined && organization.role !== "owner") return yield* new OwnerRequired()
            const users = isUuid(userId) ? yield* sql`SELECT 1 AS one FROM users WHERE id = ${userId}::uuid` : []
            if (users.length === 0) return yield* new UserNotFound()
            const before = yield* membersOf(organizationId)
            if (before.some((member) => member.userId === userId.toLowerCase())) return yield* new AlreadyMember()
            // Without a paid plan there are no seats to give.
            const seats = organization.plan === "pro" ? organization.seats : 0
            if (before.length >= seats) return yield* new SeatsExhausted({ seats })
            const added = yield* sql`
              INSERT INTO memberships (organization_id, user_id, role, created_at)
              VALUES (${organizationId}::uuid, ${userId}::uuid, 'member', clock_timestamp())
              ON CONFLICT DO NOTHING RETURNING 1 AS one`
            if (added.length === 0) return yield* new AlreadyMember()
            const member = (yield* membersOf(organizationId)).find((one) => one.userId === userId.toLowerCase())
            return member === undefined ? yield* Effect.die(new Error("A new member is not there")) : memberOf(member)
          }).pipe(sql.withTransaction),
        ),
      ),
      removeMember: Effect.fn("Organizations.removeMember")((actorId, organizationId, userId) =>
        whileAvailable(
          Effect.gen(function* () {
            const organization = yield* locked(actorId, organizationId)
            const id = userId.toLowerCase()
            if (organization.role !== "owner" && actorId.toLowerCase() !== id) return yield* new OwnerRequired()
            const member = (yield* membersOf(organizationId)).find((one) => one.userId === id)
            if (member === undefined) return yield* new MemberNotFound()
            if (member.role === "owner") return yield* new OwnerStays()
            yield* sql`
              DELETE FROM memberships WHERE organization_id = ${organizationId}::uuid AND user_id = ${id}::uuid`
          }).pipe(sql.withTransaction),
        ),
      ),
    })
  }),
)
