import * as Duration from "effect/Duration"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type BilledSubscription,
  graceEnd,
  gracePeriod,
  grantsAccess,
  prevailing,
  SubscriptionStatus,
} from "../../../domain/plan/Subscription.ts"
import { SubscriptionId } from "../../../domain/ids/Ids.ts"

const now = new Date("2026-06-15T12:00:00Z")
const day = 86_400_000

const subscription: fc.Arbitrary<BilledSubscription> = fc.record({
  subscriptionId: fc.string({ minLength: 1, maxLength: 4 }).map((id) => SubscriptionId.make(id)),
  status: fc.constantFrom(...SubscriptionStatus.literals),
  seats: fc.integer({ min: 1, max: 9 }),
  currentPeriod: fc.constant({ start: now, end: new Date(now.getTime() + day) }),
  pastDueSince: fc.option(fc.date({ min: new Date(now.getTime() - 20 * day), max: now, noInvalidDate: true }), {
    nil: undefined,
  }),
  createdAt: fc.integer({ min: 0, max: 5 }).map((days) => new Date(now.getTime() - days * day)),
  trialUsed: fc.boolean(),
  cancelAt: fc.constant(undefined),
})
const subscriptions = fc.uniqueArray(subscription, { selector: (one) => one.subscriptionId, maxLength: 6 })

describe("the prevailing one of several subscriptions", () => {
  it("does not depend on their order", () => {
    fc.assert(
      fc.property(
        subscriptions.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => assert.strictEqual(prevailing(all, now), prevailing(shuffled, now)),
      ),
    )
  })

  it("is the same if they are compared two at a time in any order, as events do", () => {
    fc.assert(
      fc.property(subscriptions, (all) => {
        const pairwise = all.reduce<BilledSubscription | undefined>(
          (known, next) => prevailing(known === undefined ? [next] : [known, next], now),
          undefined,
        )
        assert.strictEqual(pairwise, prevailing(all, now))
      }),
    )
  })

  it("grants access whenever any does", () => {
    fc.assert(
      fc.property(subscriptions, (all) => {
        const chosen = prevailing(all, now)
        assert.strictEqual(
          chosen !== undefined && grantsAccess(chosen, now),
          all.some((one) => grantsAccess(one, now)),
        )
      }),
    )
  })
})

describe("the grace after a failed payment", () => {
  it("ends seven days after it, exactly when access does", () => {
    const since = new Date("2026-06-01T00:00:00Z")
    const end = graceEnd({ status: "past_due", pastDueSince: since })
    assert.strictEqual(end?.getTime(), since.getTime() + Duration.toMillis(gracePeriod))
    assert.isTrue(grantsAccess({ status: "past_due", pastDueSince: since }, new Date(end!.getTime() - 1)))
    assert.isFalse(grantsAccess({ status: "past_due", pastDueSince: since }, end!))
  })

  it("has no end if no payment is overdue", () => {
    for (const status of SubscriptionStatus.literals.filter((one) => one !== "past_due")) {
      assert.isUndefined(graceEnd({ status, pastDueSince: now }))
    }
  })
})
