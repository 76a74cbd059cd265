import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type BilledSubscription, prevailing } from "../../domain/plan/Subscription.ts"
import { Billing } from "../ports/billing/Billing.ts"
import { type BillingAccount, BillingAccounts } from "../ports/billing/BillingAccounts.ts"
import { anew } from "./anew.ts"

/**
 * Events that may change a subscription. Refunds do not: a customer who should lose access is canceled as well, which
 * is a separate event.
 */
const relevant = (type: string): boolean =>
  type.startsWith("customer.subscription.") ||
  ["checkout.session.completed", "invoice.paid", "invoice.payment_failed", "customer.deleted"].includes(type)

/**
 * An event says only that something changed. The subscription that it names and the one that we know are fetched again,
 * and the current one is recorded, so events may arrive late, twice and in any order.
 */
export const receiveEvent = Effect.fn("receiveEvent")(function* (body: Uint8Array, signature: string) {
  const billing = yield* Billing
  const accounts = yield* BillingAccounts
  const event = yield* billing.readEvent(body, signature)
  if (!relevant(event.type)) return { received: true, applied: false }

  const fetch = Effect.fnUntraced(function* (account: BillingAccount) {
    if (event.customerDeleted) return { subscription: undefined, customerDeleted: true }
    const ids = new Set([event.subscriptionId, account.subscriptionId].filter((id) => id !== undefined))
    const found: Array<BilledSubscription> = []
    for (const id of ids) {
      const subscription = yield* billing.subscription(id)
      if (subscription !== undefined && subscription.customerId === account.customerId) found.push(subscription)
    }
    const now = new Date(yield* Clock.currentTimeMillis)
    return { subscription: prevailing(found, now), customerDeleted: false }
  })

  const apply = Effect.gen(function* () {
    if (yield* accounts.isRecorded(event.eventId)) return false
    const account = event.customerId === undefined ? undefined : yield* accounts.ofCustomer(event.customerId)
    return yield* accounts.record(
      event.eventId,
      account === undefined ? undefined : { account, ...(yield* fetch(account)) },
    )
  })
  return { received: true, applied: yield* anew(apply) }
})
