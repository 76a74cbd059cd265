import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

export interface StoredWebhookSecret {
  /** Encrypted by the vault for the purpose `webhook-secret:<user id>`. */
  readonly encrypted: string
  readonly createdAt: Date
  /** The previous secret, while it still signs. */
  readonly previous: { readonly encrypted: string; readonly validUntil: Date } | undefined
}

/** The secrets that sign each user's notifications, encrypted. */
export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    readonly find: (userId: UserId) => Effect.Effect<Option.Option<StoredWebhookSecret>, StoreUnavailable>
    /** Makes it the current secret; the previous one keeps signing for 24 hours. */
    readonly rotate: (userId: UserId, encrypted: string) => Effect.Effect<StoredWebhookSecret, StoreUnavailable>
    /** The current secret, which is this one if there was none. */
    readonly ensure: (userId: UserId, encrypted: string) => Effect.Effect<StoredWebhookSecret, StoreUnavailable>
  }
>()("assay/application/WebhookSecrets") {}
