import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "../../domain/identity/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { NewApiKey } from "./Identities.ts"

export interface ApiKeyItem {
  readonly apiKeyId: string
  readonly name: string
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  /** The key that asked for it; undefined where a person did. */
  readonly parentId: string | undefined
}

/** Unknown, revoked, expired, or somebody else's. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {}) {}

/** The key was rotated before. Its successor can be. */
export class ApiKeyRotated extends Schema.TaggedError<ApiKeyRotated>()("ApiKeyRotated", {
  successorId: Schema.String,
}) {}

/** The key that asks may do less than what it asks about, or ends before it. */
export class GrantExceeded extends Schema.TaggedError<GrantExceeded>()("GrantExceeded", {
  /** When the key that asks ends. */
  endsAt: Schema.UndefinedOr(Schema.Date),
}) {}

/** The key that asks was revoked, or expired, after the request had been let in. */
export class CredentialsEnded extends Schema.TaggedError<CredentialsEnded>()("CredentialsEnded", {}) {}

export class TooManyApiKeys extends Schema.TaggedError<TooManyApiKeys>()("TooManyApiKeys", { limit: Schema.Int }) {}

/**
 * The keys of a user that can be used now. `by` is the key that asks, if one does: what it makes is no more than itself,
 * and is revoked with it.
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Newest first. */
    readonly list: (userId: string) => Effect.Effect<ReadonlyArray<ApiKeyItem>, StoreUnavailable>
    /** Without an end of its own it ends with the key that asks. */
    readonly create: (
      key: NewApiKey,
      by: string | undefined,
    ) => Effect.Effect<ApiKeyItem, GrantExceeded | CredentialsEnded | TooManyApiKeys | StoreUnavailable>
    /**
     * From this moment the key is nobody's, nor are those that it or its predecessors asked for, and so on. A successor
     * that revokes the key which it replaces stays.
     */
    readonly revoke: (
      userId: string,
      apiKeyId: string,
      by: string | undefined,
    ) => Effect.Effect<void, ApiKeyNotFound | StoreUnavailable>
    /**
     * A successor with the same name, scopes, lifetime and parent. The old key goes on for `overlap` milliseconds at
     * most, and has one successor: a second one would have to end with it.
     */
    readonly rotate: (
      userId: string,
      apiKeyId: string,
      successor: Pick<NewApiKey, "hash" | "prefix">,
      overlap: number,
      by: string | undefined,
    ) => Effect.Effect<
      { readonly key: ApiKeyItem; readonly previousExpiresAt: Date },
      ApiKeyNotFound | ApiKeyRotated | GrantExceeded | CredentialsEnded | TooManyApiKeys | StoreUnavailable
    >
  }
>()("assay/application/ApiKeys") {}
