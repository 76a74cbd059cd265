import { assert } from "@effect/vitest"
import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlBillingAccounts from "../../../adapters/sql/billing/SqlBillingAccounts.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { BillingAccounts } from "../../../application/ports/billing/BillingAccounts.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { granted, type PoolUse, usedNow, withdrawn } from "../../../domain/plan/PoolUse.ts"
import { calendarMonth, type Period, quotaPeriod, scanLimit } from "../../../domain/plan/Quota.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import { PoolId, type AnalysisId, SubscriptionId, WorkerId, BillingEventId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const services = Layer.mergeAll(
  SqlBillingAccounts.layer,
  SqlAnalysisStore.layer,
  SqlAnalysisQueue.layer,
  SqlAccounts.layer,
)

const day = 86_400_000
const later = (date: Date, by: number): Date => new Date(date.getTime() + by)

/** What somebody who wants more scans than they pay for might do. */
type Step =
  | { readonly do: "scan"; readonly times: number }
  | { readonly do: "fail" | "cancel" | "subscribe" | "resume" | "renew" }
  | { readonly do: "wait"; readonly days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("scan" as const), times: fc.constantFrom(1, 7, 30) }),
  fc.record({ do: fc.constantFrom("fail", "cancel", "subscribe", "resume", "renew") }),
  fc.record({ do: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 40 }) }),
)

interface Charge {
  readonly analysisId: AnalysisId
  readonly period: Period
  readonly billed: boolean
}
interface State {
  readonly pool: PoolUse
  readonly plan: "basic" | "pro"
  readonly subscription: { readonly id: string; readonly period: Period } | undefined
  /** The scans that were not refunded, oldest first. */
  readonly charges: ReadonlyArray<Charge>
}

/** Shifts everything back in time by this many days. */
const aged = (state: State, by: number): State => {
  const back = (date: Date) => later(date, -by)
  const period = ({ start, end }: Period): Period => ({ start: back(start), end: back(end) })
  const { carried } = state.pool
  return {
    ...state,
    pool: {
      ...state.pool,
      period: period(state.pool.period),
      carried: carried && { ...carried, since: back(carried.since), until: back(carried.until) },
    },
    subscription: state.subscription && { ...state.subscription, period: period(state.subscription.period) },
    charges: state.charges.map((charge) => ({ ...charge, period: period(charge.period) })),
  }
}
const age = (by: number) =>
  SqlClient.use((sql) => {
    const back = sql`${by}::float8 * interval '1 millisecond'`
    return Effect.andThen(
      sql`UPDATE pools SET period_start = period_start - ${back}, period_end = period_end - ${back},
        carried_since = carried_since - ${back}, carried_until = carried_until - ${back}`,
      sql`UPDATE analyses SET charged_period = charged_period - ${back}`,
    )
  })

/** The pool's period at a charge: one that is over has been followed by the next. */
const current = (pool: PoolUse, now: Date): PoolUse =>
  now < pool.period.end
    ? pool
    : { ...pool, used: 0, period: pool.billed ? quotaPeriod(pool.period, now) : calendarMonth(now) }

let serial = 0

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const [accounts, store, queue] = [yield* BillingAccounts, yield* AnalysisStore, yield* AnalysisQueue]
  const userId = yield* Accounts.use((accounts) => accounts.createUser(`toggler-${++serial}@example.com`, "basic"))
  const tell = (id: string, status: "active" | "canceled", currentPeriod: Period) =>
    Effect.flatMap(accounts.account(PoolId.make(userId)), (account) =>
      accounts.record(BillingEventId.make(`evt_${++serial}`), {
        account,
        customerDeleted: false,
        subscription: {
          subscriptionId: SubscriptionId.make(id),
          status,
          currentPeriod,
          seats: 1,
          pastDueSince: undefined,
          createdAt: currentPeriod.start,
          trialUsed: false,
          cancelAt: undefined,
        },
      }),
    )
  const pay = Effect.fnUntraced(function* (state: State, id: string, period: Period, now: Date) {
    yield* tell(id, "active", period)
    const pool = granted(state.pool, period, id === state.subscription?.id, now)
    return { ...state, pool, plan: "pro" as const, subscription: { id, period } }
  })

  const take = Effect.fnUntraced(function* (state: State, one: Step) {
    const now = new Date()
    const { pool, plan, subscription } = state
    switch (one.do) {
      case "wait":
        yield* age(one.days * day)
        return aged(state, one.days * day)
      case "subscribe": {
        const start = new Date(Math.floor(now.getTime() / 1000) * 1000)
        return yield* pay(state, `sub_${++serial}`, { start, end: later(start, 30 * day) }, now)
      }
      case "resume":
        return subscription === undefined || now >= subscription.period.end
          ? state
          : yield* pay(state, subscription.id, subscription.period, now)
      case "renew": {
        if (subscription === undefined || now < subscription.period.end) return state
        const { end } = subscription.period
        return yield* pay(state, subscription.id, { start: end, end: later(end, 30 * day) }, now)
      }
      case "cancel":
        if (subscription === undefined) return state
        yield* tell(subscription.id, "canceled", subscription.period)
        return { ...state, pool: withdrawn(pool, now), plan: "basic" as const }
      case "fail": {
        const job = Option.getOrUndefined(yield* queue.claim(WorkerId.make("worker")))
        if (job === undefined) return state
        yield* queue.fail(job, { stage: "compilation", message: "nothing parses" }, false)
        const charge = state.charges.find(({ analysisId }) => analysisId === job.analysisId)!
        const charges = state.charges.filter((other) => other !== charge)
        const { start } = charge.period
        if (pool.used > 0 && start.getTime() === pool.period.start.getTime()) {
          return { ...state, charges, pool: { ...pool, used: pool.used - 1 } }
        }
        const { carried } = pool
        const isCarried = carried !== undefined && carried.use > 0 && start >= carried.since
        return {
          ...state,
          charges,
          pool: isCarried ? { ...pool, carried: { ...carried, use: carried.use - 1 } } : pool,
        }
      }
      case "scan": {
        let pool = state.pool
        const charges = [...state.charges]
        for (let time = 0; time < one.times; time++) {
          const outcome = yield* Effect.result(
            store.create(
              {
                userId,
                repositoryUrl: RepositoryUrl.make("https://github.com/example/vault"),
                branch: undefined,
                framework: "auto",
                analysisType: "full",
                webhookUrl: undefined,
              },
              undefined,
            ),
          )
          const isLeft = usedNow(pool, now) < scanLimit({ plan, seats: 1 })
          assert.strictEqual(outcome._tag, isLeft ? "Success" : "Failure")
          if (outcome._tag === "Failure") break
          const charged = current(pool, now)
          charges.push({ analysisId: outcome.success.analysisId, period: charged.period, billed: charged.billed })
          pool = { ...charged, used: charged.used + 1 }
        }
        return { ...state, pool, charges }
      }
    }
  })

  let state: State = {
    pool: { period: calendarMonth(new Date()), billed: false, used: 0, carried: undefined },
    plan: "basic",
    subscription: undefined,
    charges: [],
  }
  for (const one of steps) {
    state = yield* take(state, one)
    const now = new Date()
    // Whatever was switched to and fro, a scan counts for as long as the period goes on that it was charged to, a free
    // one while nobody pays.
    const live = state.charges.filter(({ period, billed }) => now < period.end && (billed || !state.pool.billed))
    assert.isAtLeast(usedNow(state.pool, now), live.length)
    const { usage, plan } = yield* accounts.view(userId)
    assert.deepEqual(
      { used: usage.used, plan, resetsAt: usage.resetsAt },
      { used: usedNow(state.pool, now), plan: state.plan, resetsAt: current(state.pool, now).period.end },
    )
  }
  yield* SqlClient.use((sql) => sql`TRUNCATE pools CASCADE`)
})

await onBothDatabases("what a pool has used", services, {
  "is what the domain says, and no second quota, whatever a subscriber does in whatever order": Effect.gen(
    function* () {
      const context = yield* Effect.context<BillingAccounts | AnalysisStore | AnalysisQueue | Accounts | SqlClient>()
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) =>
        Effect.runPromiseWith(context)(play(steps)),
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: 25 }))
    },
  ),
})
