import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "../../domain/identity/Caller.ts"
import type { StoreUnavailable } from "./AnalysisStore.ts"
import type { NewApiKey } from "./Identities.ts"

export interface ApiKeyItem {
  readonly apiKeyId: string
  readonly name: string
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly lastUsedAt: Date | undefined
}

/** Unknown, revoked, expired, or somebody else's. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {}) {}

/** The key was rotated before. Its successor can be. */
export class ApiKeyRotated extends Schema.TaggedError<ApiKeyRotated>()("ApiKeyRotated", {
  successorId: Schema.String,
}) {}

export class TooManyApiKeys extends Schema.TaggedError<TooManyApiKeys>()("TooManyApiKeys", { limit: Schema.Int }) {}

/** The keys of a user that can be used now. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Newest first. */
    readonly list: (userId: string) => Effect.Effect<ReadonlyArray<ApiKeyItem>, StoreUnavailable>
    readonly create: (key: NewApiKey) => Effect.Effect<ApiKeyItem, TooManyApiKeys | StoreUnavailable>
    /** From this moment the key is nobody's. */
    readonly revoke: (userId: string, apiKeyId: string) => Effect.Effect<void, ApiKeyNotFound | StoreUnavailable>
    /**
     * A successor with the same name, scopes and lifetime. The old key goes on for `overlap` milliseconds at most, and
     * has one successor: a second one would have to end with it.
     */
    readonly rotate: (
      userId: string,
      apiKeyId: string,
      successor: Pick<NewApiKey, "hash" | "prefix">,
      overlap: number,
    ) => Effect.Effect<
      { readonly key: ApiKeyItem; readonly previousExpiresAt: Date },
      ApiKeyNotFound | ApiKeyRotated | TooManyApiKeys | StoreUnavailable
    >
  }
>()("assay/application/ApiKeys") {}
