import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "../../../domain/identity/Caller.ts"
import type { Role } from "../../../domain/identity/Organization.ts"
import type { PlanId } from "../../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { type UserId, type OrganizationId, ApiKeyId } from "../../../domain/ids/Ids.ts"

/** A person that an issuer has identified. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** An address verified by the issuer. */
  readonly email: string | undefined
}

export interface Profile {
  readonly userId: UserId
  readonly email: string | undefined
  readonly plan: PlanId
  readonly organization: { readonly id: OrganizationId; readonly name: string; readonly role: Role } | undefined
}

export interface NewApiKey {
  readonly userId: UserId
  readonly name: string
  /** Hex SHA-256 of the whole key. The key itself is never stored. */
  readonly hash: string
  /** The key's first characters, to tell keys apart in a list. */
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}

export interface ApiKeyItem {
  readonly apiKeyId: ApiKeyId
  readonly name: string
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  /** The key that created it; undefined if a person did. */
  readonly parentId: ApiKeyId | undefined
}

/** Unknown, revoked, expired, or someone else's. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {}) {}

/** The key was already rotated. Its successor can be. */
export class ApiKeyRotated extends Schema.TaggedError<ApiKeyRotated>()("ApiKeyRotated", {
  successorId: ApiKeyId,
}) {}

/** The requesting key has fewer rights than the affected key, or ends earlier. */
export class GrantExceeded extends Schema.TaggedError<GrantExceeded>()("GrantExceeded", {
  /** When the requesting key ends. */
  endsAt: Schema.UndefinedOr(Schema.Date),
}) {}

/** The requesting key was revoked or expired while the request was being processed. */
export class CredentialsEnded extends Schema.TaggedError<CredentialsEnded>()("CredentialsEnded", {}) {}

export class TooManyApiKeys extends Schema.TaggedError<TooManyApiKeys>()("TooManyApiKeys", { limit: Schema.Int }) {}

/**
 * Users and their keys, as managed by users and the administrator. `by` is the requesting key, if any: keys that it
 * creates cannot exceed it and are revoked with it. To identify the caller of a request, see `Callers`.
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** The new user's id. */
    readonly createUser: (email: string, plan: PlanId) => Effect.Effect<UserId, StoreUnavailable>
    readonly userByEmail: (email: string) => Effect.Effect<Option.Option<UserId>, StoreUnavailable>
    /**
     * The user that the identity belongs to. A new identity is linked to the user with the same verified email who has
     * no identity of this issuer yet; otherwise, it becomes a new user on the basic plan.
     */
    readonly signIn: (identity: ExternalIdentity) => Effect.Effect<UserId, StoreUnavailable>
    readonly profile: (userId: UserId) => Effect.Effect<Option.Option<Profile>, StoreUnavailable>
    /** Usable keys, newest first. */
    readonly apiKeys: (userId: UserId) => Effect.Effect<ReadonlyArray<ApiKeyItem>, StoreUnavailable>
    /** Unless an end is given, it ends with the requesting key. */
    readonly createApiKey: (
      key: NewApiKey,
      by: ApiKeyId | undefined,
    ) => Effect.Effect<ApiKeyItem, GrantExceeded | CredentialsEnded | TooManyApiKeys | StoreUnavailable>
    /**
     * Takes effect at once, also for the keys that it or its predecessors created, and so on. A successor that revokes
     * the key which it replaces remains.
     */
    readonly revokeApiKey: (
      userId: UserId,
      apiKeyId: ApiKeyId,
      by: ApiKeyId | undefined,
    ) => Effect.Effect<void, ApiKeyNotFound | StoreUnavailable>
    /**
     * A successor with the same name, scopes, lifetime and parent. The old key remains valid for at most `overlap` and
     * has a single successor: a second one would have to end with it.
     */
    readonly rotateApiKey: (
      userId: UserId,
      apiKeyId: ApiKeyId,
      successor: Pick<NewApiKey, "hash" | "prefix">,
      overlap: Duration.Duration,
      by: ApiKeyId | undefined,
    ) => Effect.Effect<
      { readonly key: ApiKeyItem; readonly previousExpiresAt: Date },
      ApiKeyNotFound | ApiKeyRotated | GrantExceeded | CredentialsEnded | TooManyApiKeys | StoreUnavailable
    >
  }
>()("assay/application/Accounts") {}
