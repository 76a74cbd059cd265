import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { Period } from "./Quota.ts"
import type { SubscriptionId } from "../ids/Ids.ts"

/** Stripe's statuses of a subscription. https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
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

/** How long a subscription with a failed payment keeps its plan. */
export const gracePeriod = Duration.days(7)

/** Whether the subscription grants access. */
export const grantsAccess = (
  { status, pastDueSince }: Pick<Subscription, "status" | "pastDueSince">,
  now: Date,
): boolean => {
  if (status === "active" || status === "trialing") return true
  if (status !== "past_due") return false
  return pastDueSince === undefined || now.getTime() - pastDueSince.getTime() < Duration.toMillis(gracePeriod)
}

/** A subscription as the payment service knows it. */
export interface BilledSubscription extends Subscription {
  readonly subscriptionId: SubscriptionId
  readonly createdAt: Date
  readonly trialUsed: boolean
  /** When it ends at the subscriber's request. */
  readonly cancelAt: Date | undefined
}

/** When the plan ends by itself, unless a payment comes first. */
export const graceEnd = ({ status, pastDueSince }: Pick<Subscription, "status" | "pastDueSince">): Date | undefined =>
  status === "past_due" && pastDueSince !== undefined
    ? new Date(pastDueSince.getTime() + Duration.toMillis(gracePeriod))
    : undefined

/**
 * Of several subscriptions of one subscriber, the one that counts: one that grants access before one that does not,
 * then the latest. The result does not depend on their order.
 */
export const prevailing = (
  subscriptions: ReadonlyArray<BilledSubscription>,
  now: Date,
): BilledSubscription | undefined => {
  const rank = (one: BilledSubscription): readonly [number, number, string] => [
    grantsAccess(one, now) ? 1 : 0,
    one.createdAt.getTime(),
    one.subscriptionId,
  ]
  return subscriptions.toSorted((a, b) => {
    const [accessA, createdA, idA] = rank(a)
    const [accessB, createdB, idB] = rank(b)
    return accessB - accessA || createdB - createdA || (idA < idB ? 1 : -1)
  })[0]
}
