import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, ApiKeyId, SignInId } from "../../../domain/ids/Ids.ts"

/** The refresh token is unknown, expired or revoked; `reused` if it had already been exchanged. */
export class RefreshRefused extends Schema.TaggedError<RefreshRefused>()("RefreshRefused", {
  reused: Schema.Boolean,
}) {}

/** The dashboard's sessions and the refresh tokens. Secrets arrive as hex SHA-256 hashes. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** With `apiKeyId`, the session has the rights of that key and ends with it. */
    readonly open: (
      userId: UserId,
      hash: string,
      lifetime: Duration.Duration,
      apiKeyId?: ApiKeyId | undefined,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Ends the session and revokes the refresh tokens issued to it. */
    readonly close: (hash: string) => Effect.Effect<void, StoreUnavailable>
    /** Starts a family of refresh tokens, one per sign-in, and returns the sign-in's id. */
    readonly startRefresh: (
      userId: UserId,
      sessionHash: string | undefined,
      hash: string,
      lifetime: Duration.Duration,
    ) => Effect.Effect<SignInId, StoreUnavailable>
    /** Exchanges a token for its successor, once; a second time revokes the whole family. */
    readonly exchangeRefresh: (
      hash: string,
      successorHash: string,
      lifetime: Duration.Duration,
    ) => Effect.Effect<{ readonly userId: UserId; readonly signInId: SignInId }, RefreshRefused | StoreUnavailable>
    /** Revokes the family that a refresh token belongs to. */
    readonly revokeRefresh: (hash: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Whether a sign-in returns for the first time. It is remembered until `expiresAt`, when it becomes invalid anyway.
     */
    readonly useOnce: (hash: string, expiresAt: Date) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("assay/application/Sessions") {}
