import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Caller } from "../../domain/identity/Caller.ts"
import { OwnerRequired } from "../../domain/identity/Membership.ts"
import type { SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Billing } from "../ports/billing/Billing.ts"
import { BillingAccounts } from "../ports/billing/BillingAccounts.ts"
import { anew } from "./anew.ts"
import { withCustomer } from "./withCustomer.ts"

/** There is a subscription that another checkout would duplicate; use the portal to change it. */
export class AlreadySubscribed extends Schema.TaggedError<AlreadySubscribed>()("AlreadySubscribed", {
  status: Schema.String,
}) {}

/** Subscriptions that continue, or can be resumed by paying. */
const lasting: ReadonlyArray<SubscriptionStatus> = ["active", "trialing", "past_due", "unpaid", "paused"]

/** The pool that the caller pays for: their own, or that of the organization they own. */
export const payingPool = Effect.fnUntraced(function* (caller: Caller) {
  const view = yield* BillingAccounts.use((accounts) => accounts.view(caller.userId))
  if (view.role === "member") return yield* new OwnerRequired()
  return view
})

/** The previous page, while it is open or paid; of two simultaneous requests, the second finds the first one's page. */
const checkoutPage = Effect.fnUntraced(function* (caller: Caller) {
  const billing = yield* Billing
  const accounts = yield* BillingAccounts
  const { poolId } = yield* payingPool(caller)
  const account = yield* accounts.account(poolId)
  if (account.status !== undefined && lasting.includes(account.status)) {
    return yield* new AlreadySubscribed({ status: account.status })
  }
  if (account.checkoutId !== undefined) {
    const before = yield* billing.checkoutState(account.checkoutId)
    if (before.state === "open") return before.url
    // Paid, with the subscription's event on its way: recording it forgets the page.
    if (before.state === "complete") return yield* new AlreadySubscribed({ status: "incomplete" })
  }
  const { checkout, customer } = yield* withCustomer(account, (customer) =>
    Effect.map(
      billing.createCheckout(
        { poolId, customerId: customer.customerId, seats: account.members, trial: !account.trialUsed },
        `checkout:${poolId}:${customer.requests}`,
      ),
      (checkout) => ({ checkout, customer }),
    ),
  )
  yield* accounts.update(customer, { checkoutId: checkout.checkoutId, requests: customer.requests + 1 })
  return checkout.url
})

/** A payment page for the pro plan. Requested again before payment, it returns the same page. */
export const startCheckout = Effect.fn("startCheckout")(function* (caller: Caller, planId: string) {
  if (planId !== "pro") {
    const message =
      planId === "basic"
        ? "is the free plan: to cancel pro, use POST /api/subscriptions/portal"
        : "is not a plan: see GET /api/subscriptions/plans"
    return yield* new InvalidInput({ fields: [{ field: "planId", message }] })
  }
  return yield* anew(checkoutPage(caller))
})
