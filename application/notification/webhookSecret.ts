import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Caller } from "../../domain/identity/Caller.ts"
import { formatWebhookSecret, webhookSecretEntropy } from "../../domain/notification/Signature.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import { type StoredWebhookSecret, WebhookSecrets } from "../ports/notification/WebhookSecrets.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** What the settings show of a secret; never the secret. */
export interface WebhookSecretView {
  readonly createdAt: Date
  /** The end of the period in which the previous secret signs as well. */
  readonly previousValidUntil: Date | undefined
}

const view = ({ createdAt, previous }: StoredWebhookSecret): WebhookSecretView => ({
  createdAt,
  previousValidUntil: previous?.validUntil,
})

const purpose = (userId: UserId): string => `webhook-secret:${userId}`

const newSecret = Effect.fnUntraced(function* (userId: UserId) {
  const secret = yield* Effect.sync(() =>
    formatWebhookSecret(crypto.getRandomValues(new Uint8Array(webhookSecretEntropy))),
  )
  return { secret, encrypted: yield* SecretVault.use((vault) => vault.encrypt(secret, purpose(userId))) }
})

export const getWebhookSecret = (caller: Caller) =>
  Effect.map(
    WebhookSecrets.use((secrets) => secrets.find(caller.userId)),
    Option.map(view),
  )

/** A new secret, returned only here. For 24 hours, notifications carry the signatures of the new and the old one. */
export const rotateWebhookSecret = Effect.fn("rotateWebhookSecret")(function* (caller: Caller) {
  const { secret, encrypted } = yield* newSecret(caller.userId)
  const stored = yield* WebhookSecrets.use((secrets) => secrets.rotate(caller.userId, encrypted))
  return { secret, ...view(stored) }
})

/**
 * The secrets that sign a user's notifications now, current one first. A user who never created one gets one that
 * nobody knows, because Standard Webhooks requires a signature.
 */
export const signingSecrets = Effect.fn("signingSecrets")(function* (userId: UserId) {
  const secrets = yield* WebhookSecrets
  const vault = yield* SecretVault
  const stored =
    Option.getOrUndefined(yield* secrets.find(userId)) ??
    (yield* secrets.ensure(userId, (yield* newSecret(userId)).encrypted))
  const encrypted = [stored.encrypted, ...(stored.previous === undefined ? [] : [stored.previous.encrypted])]
  return yield* Effect.forEach(encrypted, (each) => vault.decrypt(each, purpose(userId)))
})
