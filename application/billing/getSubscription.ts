import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { BillingAccounts } from "../ports/billing/BillingAccounts.ts"

/**
 * What the caller's pool may use and has used. The basic tier is always `active`, because it is free; `lastStatus` is
 * what became of a subscription that no longer provides more than that.
 */
export const getSubscription = Effect.fn("getSubscription")(function* (caller: Caller) {
  const { plan, status, usage } = yield* BillingAccounts.use((accounts) => accounts.view(caller.userId))
  return {
    tier: plan,
    status: plan === "basic" || status === undefined ? ("active" as const) : status,
    ...(plan === "basic" && status !== undefined ? { lastStatus: status } : {}),
    currentPeriodEnd: usage.resetsAt,
    monthlyAnalysesUsed: usage.used,
    monthlyAnalysesLimit: usage.limit,
  }
})
