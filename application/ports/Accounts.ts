import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Role } from "../../domain/identity/Organization.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Somebody that an issuer has identified. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** An address that the issuer has verified. */
  readonly email: string | undefined
}

export interface Profile {
  readonly userId: string
  readonly email: string | undefined
  readonly plan: PlanId
  readonly organization: { readonly id: string; readonly name: string; readonly role: Role } | undefined
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * The user that the identity belongs to. One not seen before is linked to the user with the same verified email
     * that has no identity of this issuer yet; otherwise it becomes a new user on the basic plan.
     */
    readonly signIn: (identity: ExternalIdentity) => Effect.Effect<string, StoreUnavailable>
    readonly profile: (userId: string) => Effect.Effect<Option.Option<Profile>, StoreUnavailable>
  }
>()("assay/application/Accounts") {}
