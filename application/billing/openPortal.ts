import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { Billing } from "../ports/Billing.ts"
import { type BillingAccount, BillingAccounts } from "../ports/BillingAccounts.ts"
import { ensureCustomer, payingPool } from "./startCheckout.ts"

/** A page where the caller changes how they pay, sees invoices and cancels. */
export const openPortal = Effect.fn("openPortal")(function* (caller: Caller) {
  const billing = yield* Billing
  const accounts = yield* BillingAccounts
  const { poolId } = yield* payingPool(caller)

  const open = Effect.fnUntraced(function* (account: BillingAccount, requests: number) {
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
