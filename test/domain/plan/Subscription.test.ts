import * as Duration from "effect/Duration"
import { describe, expect, it } from "vitest"
import { grantsAccess, gracePeriod, SubscriptionStatus } from "../../../domain/plan/Subscription.ts"

const failedAt = new Date("2026-11-01T00:00:00Z")
const after = (milliseconds: number): Date => new Date(failedAt.getTime() + milliseconds)

describe("subscription", () => {
  it("grants access while active, trialing or newly past due, and in no other of Stripe's eight states", () => {
    const granting = SubscriptionStatus.literals.filter((status) =>
      grantsAccess({ status, pastDueSince: failedAt }, after(1_000)),
    )
    expect(SubscriptionStatus.literals).toHaveLength(8)
    expect(granting.toSorted()).toEqual(["active", "past_due", "trialing"])
  })

  it("keeps a past due one for seven days to the millisecond", () => {
    const pastDue = { status: "past_due", pastDueSince: failedAt } as const
    const grace = Duration.toMillis(gracePeriod)
    expect(grace).toBe(7 * 24 * 60 * 60 * 1000)
    expect(grantsAccess(pastDue, after(grace - 1))).toBe(true)
    expect(grantsAccess(pastDue, after(grace))).toBe(false)
  })
})
