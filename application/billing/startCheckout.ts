import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Caller } from "../../domain/identity/Caller.ts"
import type { SubscriptionStatus } from "../../domain/plan/Subscription.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Billing, type Checkout } from "../ports/Billing.ts"
import { type BillingAccount, BillingAccounts } from "../ports/BillingAccounts.ts"
import { OwnerRequired } from "../ports/Organizations.ts"

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

/** The account's customer at the payment service, made when there is none. */
export const ensureCustomer = Effect.fnUntraced(function* (account: BillingAccount, requests: number) {
  if (account.customerId !== undefined) return account.customerId
  const billing = yield* Billing
  return yield* billing.createCustomer(account.poolId, account.email, `customer:${account.poolId}:${requests}`)
})

/** A payment page for the pro plan. Asked for again before it is paid, the same page. */
export const startCheckout = Effect.fn("startCheckout")(function* (caller: Caller, planId: string) {
  if (planId !== "pro") {
    const message =
      planId === "basic" ? "Basic costs nothing. POST /api/subscriptions/portal cancels pro." : "There is no such plan."
    return yield* new InvalidInput({ fields: [{ field: "planId", message }] })
  }
  const billing = yield* Billing
  const accounts = yield* BillingAccounts
  const { poolId } = yield* payingPool(caller)

  const create = Effect.fnUntraced(function* (account: BillingAccount, requests: number) {
    const customerId = yield* Effect.provideService(ensureCustomer(account, requests), Billing, billing)
    const checkout: Checkout = yield* billing.createCheckout(
      { poolId, customerId, seats: account.members, trial: !account.trialUsed },
      `checkout:${poolId}:${requests}`,
    )
    return [checkout.url, { customerId, checkoutId: checkout.checkoutId, requests: requests + 1 }] as const
  })

  return yield* accounts.withAccount(
    poolId,
    Effect.fnUntraced(function* (account) {
      if (account.status !== undefined && lasting.includes(account.status)) {
        return yield* new AlreadySubscribed({ status: account.status })
      }
      if (account.checkoutId !== undefined) {
        const before = yield* billing.checkoutState(account.checkoutId)
        if (before.state === "open") return [before.url, {}] as const
        // Paid, and word of the subscription is on its way: recording it forgets the page.
        if (before.state === "complete") return yield* new AlreadySubscribed({ status: "incomplete" })
      }
      return yield* create(account, account.requests).pipe(
        // The customer was deleted at the payment service: begin anew with another one, once.
        Effect.catchTag("CustomerGone", () => create({ ...account, customerId: undefined }, account.requests + 1)),
        Effect.catchTag("CustomerGone", (error) => Effect.die(error)),
      )
    }),
  )
})
