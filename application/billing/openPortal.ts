import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { Billing } from "../ports/Billing.ts"
import { type BillingAccount, BillingAccounts } from "../ports/BillingAccounts.ts"
import { OwnerRequired } from "../ports/Organizations.ts"
import { ensureCustomer, payingPool } from "./startCheckout.ts"

/**
 * The pool whose payments are the caller's: a member's own one, whose subscription goes on however an organization
 * pays for others.
 */
const paidByCaller = (caller: Caller) =>
  payingPool(caller).pipe(
    Effect.map(({ poolId }) => ({ poolId, own: false })),
    Effect.catchTag("OwnerRequired", () => Effect.succeed({ poolId: caller.userId, own: true })),
  )

/** A page where the caller changes how they pay, sees invoices and cancels. */
export const openPortal = Effect.fn("openPortal")(function* (caller: Caller) {
  const billing = yield* Billing
  const accounts = yield* BillingAccounts
  const { poolId, own } = yield* paidByCaller(caller)

  const open = Effect.fnUntraced(function* (account: BillingAccount, requests: number) {
    if (own && account.customerId === undefined) return yield* new OwnerRequired()
    const customerId = yield* Effect.provideService(ensureCustomer(account, requests), Billing, billing)
    const url = yield* billing.createPortal(customerId)
    return [url, { customerId, requests: account.customerId === customerId ? account.requests : requests + 1 }] as const
  })

  return yield* accounts.withAccount(poolId, (account) =>
    open(account, account.requests).pipe(
      Effect.catchTag("CustomerGone", () => open({ ...account, customerId: undefined }, account.requests + 1)),
      Effect.catchTag("CustomerGone", (error) => Effect.die(error)),
    ),
  )
})
