import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { BillingAccounts } from "../ports/BillingAccounts.ts"

/** What the caller's pool may use and has used; whoever never subscribed is `active` on basic. */
export const getSubscription = Effect.fn("getSubscription")(function* (caller: Caller) {
  const { plan, status, usage } = yield* BillingAccounts.use((accounts) => accounts.view(caller.userId))
  return {
    tier: plan,
    status: status ?? "active",
    currentPeriodEnd: usage.resetsAt,
    monthlyAnalysesUsed: usage.used,
    monthlyAnalysesLimit: usage.limit,
  }
})
