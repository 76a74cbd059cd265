import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Caller, Scope } from "../../domain/identity/Caller.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface NewApiKey {
  readonly userId: string
  readonly name: string
  /** Hex SHA-256 of the whole key. The key itself is never stored. */
  readonly hash: string
  /** The key's first characters, to tell keys apart in a list. */
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}

/** Users and their keys. */
export class Identities extends Context.Service<
  Identities,
  {
    /** The owner of an unexpired, unrevoked key. */
    readonly callerByKeyHash: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    readonly createUser: (email: string, plan: PlanId) => Effect.Effect<string, StoreUnavailable>
    readonly userByEmail: (email: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
    readonly createApiKey: (key: NewApiKey) => Effect.Effect<string, StoreUnavailable>
  }
>()("assay/application/Identities") {}
