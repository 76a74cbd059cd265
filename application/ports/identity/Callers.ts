import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Caller } from "../../../domain/identity/Caller.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, SignInId } from "../../../domain/ids/Ids.ts"

/**
 * The caller behind a verified credential. Plan and organization are read each time, so that someone who leaves an
 * organization loses access at once. A signed-in user has every scope, except in a session opened with a key.
 */
export class Callers extends Context.Service<
  Callers,
  {
    /** The owner of an unexpired, unrevoked key, by its hex SHA-256. */
    readonly ofKey: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    readonly ofUser: (userId: UserId) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** Whoever signed in, until they sign out. */
    readonly ofSignIn: (signInId: SignInId) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** By the hex SHA-256 of the session's secret. */
    readonly ofSession: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** The user for a trusted issuer's subject: on the basic plan, and created when first seen. */
    readonly ofExternal: (issuer: string, subject: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
  }
>()("assay/application/Callers") {}
