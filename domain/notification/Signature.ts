import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { DeliveryId } from "../ids/Ids.ts"

const prefix = "whsec_"

/** Random bytes in a secret; Standard Webhooks requires 24 to 64. */
export const webhookSecretEntropy = 32

/** The shared secret derived from `webhookSecretEntropy` random bytes, as receivers configure it. */
export const formatWebhookSecret = (random: Uint8Array): string => {
  if (random.length !== webhookSecretEntropy) {
    throw new RangeError(`a webhook secret takes ${webhookSecretEntropy} random bytes`)
  }
  return prefix + btoa(String.fromCharCode(...random))
}

const keyOf = (secret: string): Uint8Array =>
  Uint8Array.from(atob(secret.slice(prefix.length)), (character) => character.charCodeAt(0))

const signature = (secret: string, signed: Uint8Array): string =>
  `v1,${btoa(String.fromCharCode(...hmac(sha256, keyOf(secret), signed)))}`

/**
 * The Standard Webhooks headers of one attempt; `timestamp` in whole seconds since the epoch. One signature per secret,
 * so that a receiver may know either one during a rotation.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const signatureHeaders = (
  deliveryId: DeliveryId,
  timestamp: number,
  payload: string,
  secrets: ReadonlyArray<string>,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> => {
  const signed = utf8ToBytes(`${deliveryId}.${timestamp}.${payload}`)
  return {
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signature(secret, signed)).join(" "),
  }
}
