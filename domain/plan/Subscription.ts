import * as Schema from "effect/Schema"
import type { PlanId } from "./Plan.ts"
import type { Period } from "./Quota.ts"

/** Stripe's words for a subscription. https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
export const SubscriptionStatus = Schema.Literals([
  "incomplete",
  "incomplete_expired",
  "trialing",
  "active",
  "past_due",
  "canceled",
  "unpaid",
  "paused",
])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export interface Subscription {
  readonly status: SubscriptionStatus
  readonly seats: number
  readonly currentPeriod: Period
  /** When a payment first failed; set while `past_due`. */
  readonly pastDueSince: Date | undefined
}

/** How long a subscription with a failed payment keeps its plan, in milliseconds. */
export const gracePeriod = 7 * 24 * 3_600_000

/** Whether what was subscribed to may be used. */
export const grantsAccess = (
  { status, pastDueSince }: Pick<Subscription, "status" | "pastDueSince">,
  now: Date,
): boolean => {
  if (status === "active" || status === "trialing") return true
  if (status !== "past_due") return false
  return pastDueSince === undefined || now.getTime() - pastDueSince.getTime() < gracePeriod
}

/** The tier of a subscriber, or of somebody without a subscription. */
export const tierOf = (subscription: Subscription | undefined, now: Date): PlanId =>
  subscription !== undefined && grantsAccess(subscription, now) ? "pro" : "basic"
