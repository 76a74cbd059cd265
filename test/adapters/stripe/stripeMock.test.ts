import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as StripeBilling from "../../../adapters/stripe/StripeBilling.ts"
import { Billing } from "../../../application/ports/billing/Billing.ts"
import { startStripeMock } from "../../support/stripeMock.ts"
import { PoolId, CustomerId, SubscriptionId, CheckoutId } from "../../../domain/ids/Ids.ts"

const mock = await startStripeMock()

if (mock === undefined) {
  describe("requests to Stripe", () => {
    it("are not checked against Stripe's own description, because this machine has no go", () => {
      assert.notStrictEqual(process.env["CI"], "true")
    })
  })
} else {
  afterAll(mock.stop)
  const stripe = StripeBilling.layer({
    secretKey: Redacted.make("sk_test_123"),
    webhookSecret: Redacted.make("whsec_test"),
    pricePro: "price_pro",
    apiBase: mock.url,
    publicUrl: "https://assay.example",
    trial: Duration.days(14),
  })
  const billing = <A, E>(use: (billing: Billing["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Billing.use(use), stripe)

  describe("requests to Stripe, as its OpenAPI document has them", () => {
    it.live("create a customer", () =>
      Effect.map(
        billing((billing) => billing.createCustomer(PoolId.make("pool"), "ada@example.com", "customer:pool:0")),
        (customerId) => assert.isString(customerId),
      ),
    )

    it.live("create a checkout session with a trial", () =>
      Effect.map(
        billing((billing) =>
          billing.createCheckout(
            { poolId: PoolId.make("pool"), customerId: CustomerId.make("cus_1"), seats: 3, trial: true },
            "checkout:pool:0",
          ),
        ),
        ({ checkoutId, url }) => {
          assert.isNotEmpty(checkoutId)
          assert.match(url, /^https:/)
        },
      ),
    )

    it.live("read a checkout session", () =>
      Effect.map(
        billing((billing) => billing.checkoutState(CheckoutId.make("cs_1"))),
        ({ state }) => assert.include(["open", "complete", "expired"], state),
      ),
    )

    it.live("create a portal session", () =>
      Effect.map(
        billing((billing) => billing.createPortal(CustomerId.make("cus_1"))),
        (url) => assert.match(url, /^https:/),
      ),
    )

    it.live("read a subscription, which can be decoded", () =>
      Effect.map(
        billing((billing) => billing.subscription(SubscriptionId.make("sub_1"))),
        // The mock's subscription is to a price of its own.
        (subscription) => assert.isUndefined(subscription),
      ),
    )
  })
}
