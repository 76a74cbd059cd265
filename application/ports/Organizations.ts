import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Role } from "../../domain/identity/Organization.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "./AnalysisStore.ts"

export interface Member {
  readonly userId: string
  readonly email: string | undefined
  readonly role: Role
  readonly joinedAt: Date
}

export interface Organization {
  readonly organizationId: string
  readonly name: string
  readonly plan: PlanId
  readonly seats: number
  readonly createdAt: Date
  /** The caller's. */
  readonly role: Role
  /** In the order in which they joined. */
  readonly members: ReadonlyArray<Member>
}

/** Unknown, or the caller is no member of it: which of the two is not told. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {}) {}

export class OwnerRequired extends Schema.TaggedError<OwnerRequired>()("OwnerRequired", {}) {}

export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {}) {}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {}) {}

/** The user belongs to an organization, this one or another: one at a time. */
export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {}) {}

export class SeatsExhausted extends Schema.TaggedError<SeatsExhausted>()("SeatsExhausted", { seats: Schema.Int }) {}

/** An organization without an owner could not be administered. */
export class OwnerStays extends Schema.TaggedError<OwnerStays>()("OwnerStays", {}) {}

/**
 * Members share the organization's scans: 60 for each seat. Analyses belong to whoever created them, before, during
 * and after a membership.
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /**
     * The owner's subscription, plan and usage of the running period move to the organization. `seats` is for
     * administrators: so many on the pro plan, whatever the owner pays for.
     */
    readonly create: (
      ownerId: string,
      name: string,
      seats: number | undefined,
    ) => Effect.Effect<string, UserNotFound | AlreadyMember | StoreUnavailable>
    readonly find: (
      userId: string,
      organizationId: string,
    ) => Effect.Effect<Organization, OrganizationNotFound | StoreUnavailable>
    /** `actorId` must be an owner; undefined for an administrator. Never more members than seats. */
    readonly addMember: (
      actorId: string | undefined,
      organizationId: string,
      userId: string,
    ) => Effect.Effect<
      Member,
      OrganizationNotFound | OwnerRequired | UserNotFound | AlreadyMember | SeatsExhausted | StoreUnavailable
    >
    /** By an owner, or by the member itself. */
    readonly removeMember: (
      actorId: string,
      organizationId: string,
      userId: string,
    ) => Effect.Effect<void, OrganizationNotFound | OwnerRequired | MemberNotFound | OwnerStays | StoreUnavailable>
  }
>()("assay/application/Organizations") {}
