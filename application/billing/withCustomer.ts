import * as Effect from "effect/Effect"
import { Billing, type CustomerGone } from "../ports/billing/Billing.ts"
import { type BillingAccount, BillingAccounts } from "../ports/billing/BillingAccounts.ts"
import type { CustomerId } from "../../domain/ids/Ids.ts"

/** An account that has a customer at the payment service. */
export type CustomerAccount = BillingAccount & { readonly customerId: CustomerId }

/** Simultaneous requests create the same customer, and the first one records it. */
const ensureCustomer = Effect.fnUntraced(function* (account: BillingAccount) {
  const { poolId, email, requests } = account
  const customerId =
    account.customerId ??
    (yield* Billing.use((billing) => billing.createCustomer(poolId, email, `customer:${poolId}:${requests}`)))
  const customer: CustomerAccount = {
    ...(customerId === account.customerId
      ? account
      : yield* BillingAccounts.use((accounts) => accounts.update(account, { customerId }))),
    customerId,
  }
  return customer
})

/** Runs a request for the account's customer. A customer that was deleted at the payment service is replaced, once. */
export const withCustomer = Effect.fnUntraced(function* <A, E, R>(
  account: BillingAccount,
  ask: (customer: CustomerAccount) => Effect.Effect<A, E | CustomerGone, R>,
) {
  const customer = yield* ensureCustomer(account)
  return yield* Effect.catchTag(ask(customer), "CustomerGone", () =>
    BillingAccounts.use((accounts) =>
      accounts.update(customer, { customerId: undefined, checkoutId: undefined, requests: customer.requests + 1 }),
    ).pipe(
      Effect.flatMap(ensureCustomer),
      Effect.flatMap(ask),
      Effect.catchTag("CustomerGone", (error) => Effect.die(error)),
    ),
  )
})
