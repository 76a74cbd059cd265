import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import type { Role } from "./Organization.ts"
import type { UserId } from "../ids/Ids.ts"

/** How long an invitation can be accepted. */
export const invitationLifetime = Duration.days(7)

/** The members of an organization, and those invited. */
export interface Roll {
  /** None without a paid plan. */
  readonly seats: number
  /** In the order in which they joined. */
  readonly members: ReadonlyArray<{ readonly userId: UserId; readonly role: Role }>
  /** The people with an open invitation, in the order in which they were invited. */
  readonly invited: ReadonlyArray<UserId>
}

export class OwnerRequired extends Data.TaggedError("OwnerRequired") {}

export class MemberNotFound extends Data.TaggedError("MemberNotFound") {}

/** The user belongs to an organization, this one or another: one at a time. */
export class AlreadyMember extends Data.TaggedError("AlreadyMember") {}

/** Members and open invitations occupy all seats. */
export class SeatsExhausted extends Data.TaggedError("SeatsExhausted")<{ readonly seats: number }> {}

/** An organization without an owner could not be administered. */
export class OwnerStays extends Data.TaggedError("OwnerStays") {}

const memberOf = ({ members }: Roll, userId: UserId) => members.find((member) => member.userId === userId)

export const isOwner = (roll: Roll, userId: UserId): boolean => memberOf(roll, userId)?.role === "owner"

/** Admits somebody if a seat is free, or if they already hold one through an invitation. */
export const admit = (roll: Roll, userId: UserId): Result.Result<void, AlreadyMember | SeatsExhausted> => {
  if (memberOf(roll, userId) !== undefined) return Result.fail(new AlreadyMember())
  const taken = roll.members.length + roll.invited.filter((invited) => invited !== userId).length
  return taken < roll.seats ? Result.succeed(undefined) : Result.fail(new SeatsExhausted({ seats: roll.seats }))
}

/** Owners invite. Whether the person belongs to another organization is not revealed: it prevents accepting. */
export const invite = (
  roll: Roll,
  actorId: UserId,
  userId: UserId,
): Result.Result<void, OwnerRequired | AlreadyMember | SeatsExhausted> =>
  isOwner(roll, actorId) ? admit(roll, userId) : Result.fail(new OwnerRequired())

/** The invitation reserved the seat; since then, there may be fewer of them, or no plan. */
export const accept = (roll: Roll): Result.Result<void, SeatsExhausted> =>
  roll.members.length < roll.seats ? Result.succeed(undefined) : Result.fail(new SeatsExhausted({ seats: roll.seats }))

/** The invitee declines, or an owner withdraws. */
export const mayEndInvitation = (roll: Roll, actorId: UserId, invitedId: UserId): boolean =>
  actorId === invitedId || isOwner(roll, actorId)

/** Owners remove members; members leave. */
export const remove = (
  roll: Roll,
  actorId: UserId,
  userId: UserId,
): Result.Result<void, OwnerRequired | MemberNotFound | OwnerStays> => {
  if (actorId !== userId && !isOwner(roll, actorId)) return Result.fail(new OwnerRequired())
  const member = memberOf(roll, userId)
  if (member === undefined) return Result.fail(new MemberNotFound())
  return member.role === "owner" ? Result.fail(new OwnerStays()) : Result.succeed(undefined)
}

/**
 * Who leaves if there are fewer seats than are taken: the latest invitations first, then whoever joined last. Never an
 * owner.
 */
export const beyondSeats = ({
  seats,
  members,
  invited,
}: Roll): { readonly leaving: ReadonlyArray<UserId>; readonly uninvited: ReadonlyArray<UserId> } => {
  const owners = members.filter(({ role }) => role === "owner").length
  const others = members.filter(({ role }) => role !== "owner").map(({ userId }) => userId)
  const room = Math.max(0, seats - owners)
  return { leaving: others.slice(room), uninvited: invited.slice(Math.max(0, room - others.length)) }
}
