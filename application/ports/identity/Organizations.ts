import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type {
  AlreadyMember,
  MemberNotFound,
  OwnerRequired,
  OwnerStays,
  SeatsExhausted,
} from "../../../domain/identity/Membership.ts"
import type { Role } from "../../../domain/identity/Organization.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, OrganizationId, InvitationId } from "../../../domain/ids/Ids.ts"

export interface Member {
  readonly userId: UserId
  readonly email: string | undefined
  readonly role: Role
  readonly joinedAt: Date
}

/** An open invitation. It contains no e-mail addresses, because neither side has agreed yet to share theirs. */
export interface Invitation {
  readonly invitationId: InvitationId
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly userId: UserId
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface Organization {
  readonly organizationId: OrganizationId
  readonly name: string
  readonly plan: PlanId
  readonly seats: number
  readonly createdAt: Date
  /** The caller's. */
  readonly role: Role
  /** Whether members read each other's analyses and repositories. */
  readonly sharing: boolean
  /** In the order in which they joined. */
  readonly members: ReadonlyArray<Member>
  /** Open invitations in order of creation; undefined for anybody but owners. */
  readonly invitations: ReadonlyArray<Invitation> | undefined
}

/** Unknown, or the caller is not a member; the error does not reveal which. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {}) {}

export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {}) {}

/** Unknown, expired, accepted, withdrawn, or not the caller's; the error does not reveal which. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {}) {}

/**
 * Members share the organization's scans: 60 per seat. Analyses belong to whoever created them, before, during and
 * after a membership. Members and open invitations never exceed the seats.
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /**
     * The owner's subscription, plan and usage of the current period move to the organization. `seats` is for
     * administrators: the organization gets that many on the pro plan, whatever the owner pays for.
     */
    readonly create: (
      ownerId: UserId,
      name: string,
      seats: number | undefined,
    ) => Effect.Effect<OrganizationId, UserNotFound | AlreadyMember | StoreUnavailable>
    readonly find: (
      userId: UserId,
      organizationId: OrganizationId,
    ) => Effect.Effect<Organization, OrganizationNotFound | StoreUnavailable>
    /** Owners only: whether members can read each other's analyses and repositories. */
    readonly share: (
      actorId: UserId,
      organizationId: OrganizationId,
      sharing: boolean,
    ) => Effect.Effect<void, OrganizationNotFound | OwnerRequired | StoreUnavailable>
    /** For administrators of the service, who do not need the user's consent. */
    readonly addMember: (
      organizationId: OrganizationId,
      userId: UserId,
    ) => Effect.Effect<Member, OrganizationNotFound | UserNotFound | AlreadyMember | SeatsExhausted | StoreUnavailable>
    /** By an owner, or by the member. */
    readonly removeMember: (
      actorId: UserId,
      organizationId: OrganizationId,
      userId: UserId,
    ) => Effect.Effect<void, OrganizationNotFound | OwnerRequired | MemberNotFound | OwnerStays | StoreUnavailable>
    /** Owners only. Inviting somebody again extends the same invitation to the full period. */
    readonly invite: (
      actorId: UserId,
      organizationId: OrganizationId,
      userId: UserId,
    ) => Effect.Effect<
      Invitation,
      OrganizationNotFound | OwnerRequired | UserNotFound | AlreadyMember | SeatsExhausted | StoreUnavailable
    >
    /** A user's open invitations, newest first. */
    readonly invitations: (userId: UserId) => Effect.Effect<ReadonlyArray<Invitation>, StoreUnavailable>
    /** Makes the invited user a member; returns the organization's id. */
    readonly accept: (
      userId: UserId,
      invitationId: InvitationId,
    ) => Effect.Effect<OrganizationId, InvitationNotFound | AlreadyMember | SeatsExhausted | StoreUnavailable>
    /** The invited user declines, or an owner withdraws. */
    readonly endInvitation: (
      actorId: UserId,
      invitationId: InvitationId,
    ) => Effect.Effect<void, InvitationNotFound | StoreUnavailable>
  }
>()("assay/application/Organizations") {}
