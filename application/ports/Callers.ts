import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Caller } from "../../domain/identity/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { UserId, SignInId } from "../../domain/ids/Ids.ts"

/**
 * Who makes a request, by what a verified credential says. Plan and organization are read anew each time, so that
 * whoever left an organization has left it at once. All scopes are granted, for the user is there in person, but for a
 * session that was opened with a key.
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
    /** Whom a trusted issuer's subject stands for: a user on the basic plan, made when first seen. */
    readonly ofExternal: (issuer: string, subject: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
  }
>()("assay/application/Callers") {}
