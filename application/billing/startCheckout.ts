import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Caller } from "../../domain/identity/Caller.ts"
import { OwnerRequired } from "../../domain/identity/Membership.ts"
import type { SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Billing } from "../ports/Billing.ts"
import { BillingAccounts } from "../ports/BillingAccounts.ts"
import { anew } from "./anew.ts"
import { withCustomer } from "./withCustomer.ts"

/** There is a subscription that another checkout would double; the portal changes it. */
export class AlreadySubscribed extends Schema.TaggedError<AlreadySubscribed>()("AlreadySubscribed", {
  status: Schema.String,
}) {}

/** Subscriptions that go on, or can be resumed by paying. */
const lasting: ReadonlyArray<SubscriptionStatus> = ["active", "trialing", "past_due", "unpaid", "paused"]

/** The pool that the caller pays for: their own, or that of the organization they own. */
export const payingPool = Effect.fnUntraced(function* (caller: Caller) {
  const view = yield* BillingAccounts.use((accounts) => accounts.view(caller.userId))
  if (view.role === "member") return yield* new OwnerRequired()
  return view
})

/** The page of before, while it is open or paid; of two requests at once the second one finds the first one's. */
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
    // Paid, and word of the subscription is on its way: recording it forgets the page.
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

/** A payment page for the pro plan. Asked for again before it is paid, the same page. */
export const startCheckout = Effect.fn("startCheckout")(function* (caller: Caller, planId: string) {
  if (planId !== "pro") {
    const message =
      planId === "basic"
        ? "is the free plan: cancel pro with POST /api/subscriptions/portal"
        : "is not a plan: GET /api/subscriptions/plans lists them"
    return yield* new InvalidInput({ fields: [{ field: "planId", message }] })
  }
  return yield* anew(checkoutPage(caller))
})
