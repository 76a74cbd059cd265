import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { TokenKind } from "../../../domain/repository/HostingToken.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

export interface StoredHostingToken {
  /** Encrypted by the vault for the purpose `hosting-token:<user id>`. */
  readonly encrypted: string
  readonly kind: TokenKind
  readonly account: string | undefined
  /** Undefined if the hosting service does not say. */
  readonly scopes: ReadonlyArray<string> | undefined
  /** Origin of the repositories that it is for. */
  readonly origin: string
  readonly updatedAt: Date
}

/** One token of the code hosting service for each user, encrypted. */
export class HostingTokens extends Context.Service<
  HostingTokens,
  {
    readonly find: (userId: UserId) => Effect.Effect<Option.Option<StoredHostingToken>, StoreUnavailable>
    /** Replaces the existing one; the next quick sync reads everything. */
    readonly put: (
      userId: UserId,
      token: Omit<StoredHostingToken, "updatedAt">,
    ) => Effect.Effect<StoredHostingToken, StoreUnavailable>
    /** Keeps the records of repositories. */
    readonly remove: (userId: UserId) => Effect.Effect<void, StoreUnavailable>
  }
>()("assay/application/HostingTokens") {}
