import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "../../domain/identity/Caller.ts"
import type { Role } from "../../domain/identity/Organization.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { type UserId, type OrganizationId, ApiKeyId } from "../../domain/ids/Ids.ts"

/** Somebody that an issuer has identified. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** An address that the issuer has verified. */
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

/** Unknown, revoked, expired, or somebody else's. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {}) {}

/** The key was rotated before. Its successor can be. */
export class ApiKeyRotated extends Schema.TaggedError<ApiKeyRotated>()("ApiKeyRotated", {
  successorId: ApiKeyId,
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
 * Users and their keys, as they and the administrator manage them. `by` is the key that asks, if one does: what it makes
 * is no more than itself, and is revoked with it. Who makes a request is what `Callers` say.
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** The new user's id. */
    readonly createUser: (email: string, plan: PlanId) => Effect.Effect<UserId, StoreUnavailable>
    readonly userByEmail: (email: string) => Effect.Effect<Option.Option<UserId>, StoreUnavailable>
    /**
     * The user that the identity belongs to. One not seen before is linked to the user with the same verified email
     * that has no identity of this issuer yet; otherwise it becomes a new user on the basic plan.
     */
    readonly signIn: (identity: ExternalIdentity) => Effect.Effect<UserId, StoreUnavailable>
    readonly profile: (userId: UserId) => Effect.Effect<Option.Option<Profile>, StoreUnavailable>
    /** Usable keys, newest first. */
    readonly apiKeys: (userId: UserId) => Effect.Effect<ReadonlyArray<ApiKeyItem>, StoreUnavailable>
    /** Without an end of its own it ends with the key that asks. */
    readonly createApiKey: (
      key: NewApiKey,
      by: ApiKeyId | undefined,
    ) => Effect.Effect<ApiKeyItem, GrantExceeded | CredentialsEnded | TooManyApiKeys | StoreUnavailable>
    /**
     * From this moment the key is nobody's, nor are those that it or its predecessors asked for, and so on. A successor
     * that revokes the key which it replaces stays.
     */
    readonly revokeApiKey: (
      userId: UserId,
      apiKeyId: ApiKeyId,
      by: ApiKeyId | undefined,
    ) => Effect.Effect<void, ApiKeyNotFound | StoreUnavailable>
    /**
     * A successor with the same name, scopes, lifetime and parent. The old key goes on for `overlap` at
     * most, and has one successor: a second one would have to end with it.
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
