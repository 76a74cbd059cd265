import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Billing, BillingUnavailable } from "../../application/ports/billing/Billing.ts"

// Without a cause: there is nothing to log about it.
const refused = Effect.fail(new BillingUnavailable({ cause: undefined }))

/** Without a payment service, all plans stay as they are. Apart from the adapter, which loads 220 modules of Stripe's. */
export const unconfigured = Layer.succeed(Billing, {
  createCustomer: () => refused,
  createCheckout: () => refused,
  checkoutState: () => refused,
  createPortal: () => refused,
  subscription: () => refused,
  readEvent: () => refused,
})
