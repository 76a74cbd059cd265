import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { OwnerRequired } from "../../domain/identity/Membership.ts"
import { Billing } from "../ports/billing/Billing.ts"
import { BillingAccounts } from "../ports/billing/BillingAccounts.ts"
import { anew } from "./anew.ts"
import { payingPool } from "./startCheckout.ts"
import { withCustomer } from "./withCustomer.ts"
import { PoolId } from "../../domain/ids/Ids.ts"

/**
 * The pool whose payments the caller manages: for a member, their own, whose subscription continues regardless of an
 * organization's.
 */
const paidByCaller = (caller: Caller) =>
  payingPool(caller).pipe(
    Effect.map(({ poolId }) => ({ poolId, own: false })),
    Effect.catchTag("OwnerRequired", () => Effect.succeed({ poolId: PoolId.make(caller.userId), own: true })),
  )

const portalPage = Effect.fnUntraced(function* (caller: Caller) {
  const billing = yield* Billing
  const { poolId, own } = yield* paidByCaller(caller)
  const account = yield* BillingAccounts.use((accounts) => accounts.account(poolId))
  if (own && account.customerId === undefined) return yield* new OwnerRequired()
  return yield* withCustomer(account, ({ customerId }) => billing.createPortal(customerId))
})

/** A page on which the caller changes the payment method, views invoices and cancels. */
export const openPortal = Effect.fn("openPortal")((caller: Caller) => anew(portalPage(caller)))
