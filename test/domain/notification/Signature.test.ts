import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { formatWebhookSecret, signatureHeaders, webhookSecretEntropy } from "../../../domain/notification/Signature.ts"
import { DeliveryId } from "../../../domain/ids/Ids.ts"

const entropy = fc.uint8Array({ minLength: webhookSecretEntropy, maxLength: webhookSecretEntropy })
const now = () => Math.floor(Date.now() / 1000)

describe("signatureHeaders", () => {
  it("agree with the Standard Webhooks library, for any payload and secret", () => {
    fc.assert(
      fc.property(entropy, fc.json({ maxDepth: 2 }), fc.uuid(), (random, payload, id) => {
        const secret = formatWebhookSecret(random)
        const at = now()
        const headers = signatureHeaders(DeliveryId.make(id), at, payload, [secret])
        expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(id, new Date(at * 1000), payload))
        expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload))
      }),
    )
  })

  it("are valid for the new and the old secret during a rotation, and for no others", () => {
    const [current, previous, other] = [1, 2, 3].map((byte) => formatWebhookSecret(new Uint8Array(32).fill(byte)))
    const headers = signatureHeaders(DeliveryId.make("id"), now(), "{}", [current!, previous!])
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2)
    for (const secret of [current!, previous!]) expect(new Webhook(secret).verify("{}", headers)).toEqual({})
    expect(() => new Webhook(other!).verify("{}", headers)).toThrow("No matching signature")
  })

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"] as const)(
    "are not valid with another %s",
    (name) => {
      const secret = formatWebhookSecret(new Uint8Array(32))
      const at = now()
      const headers = signatureHeaders(DeliveryId.make("id"), at, "{}", [secret])
      const changed = { "webhook-id": "other", "webhook-timestamp": String(at - 1), "webhook-signature": "v1,AAAA" }
      expect(() => new Webhook(secret).verify("{}", { ...headers, [name]: changed[name] })).toThrow("signature")
      expect(() => new Webhook(secret).verify("{ }", headers)).toThrow("signature")
    },
  )

  it("require a secret of 32 bytes", () => {
    expect(formatWebhookSecret(new Uint8Array(32))).toBe(`whsec_${"A".repeat(43)}=`)
    expect(() => formatWebhookSecret(new Uint8Array(31))).toThrow(RangeError)
  })
})
