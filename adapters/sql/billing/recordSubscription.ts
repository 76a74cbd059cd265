import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SubscriptionNews } from "../../../application/ports/BillingAccounts.ts"
import { type BilledSubscription, graceEnd, grantsAccess } from "../../../domain/plan/Subscription.ts"
import { monthEnd, monthStart } from "../pool.ts"

/**
 * A new billing period starts with nothing used; word of the one that counts already changes nothing of its use, and
 * one that comes back, once it is paid for after all, goes on with what was used of it. A period that we have passed, because word of the renewal was late, does not come back. A single user is a pool of
 * one, however many seats are paid for: they are an organization's, once there is one.
 */
const grant = (sql: SqlClient, poolId: string, { currentPeriod, seats, ...subscription }: BilledSubscription) => {
  const stale = sql`(pools.billed AND ${currentPeriod.end}::timestamptz <= pools.period_start)`
  const same = sql`(pools.billed AND pools.period_start = ${currentPeriod.start}::timestamptz)`
  const before = sql`
    (SELECT withdrawn_use FROM billing_accounts
      WHERE pool_id = pools.id AND NOT pools.billed AND withdrawn_period = ${currentPeriod.start}::timestamptz)`
  return sql`
    UPDATE pools SET
      plan = 'pro', plan_until = ${graceEnd(subscription) ?? null}::timestamptz, billed = true,
      seats = CASE WHEN EXISTS (SELECT FROM organizations WHERE organizations.id = pools.id) THEN ${seats}::int ELSE 1 END,
      used = CASE WHEN ${stale} OR ${same} THEN pools.used ELSE coalesce(${before}, 0) END,
      period_start = CASE WHEN ${stale} THEN pools.period_start ELSE ${currentPeriod.start}::timestamptz END,
      period_end = CASE WHEN ${stale} THEN pools.period_end ELSE ${currentPeriod.end}::timestamptz END
    WHERE id = ${poolId}::uuid`
}

/** What nobody paid for to begin with, an administrator's grant, does not end here. */
const withdraw = Effect.fnUntraced(function* (sql: SqlClient, poolId: string) {
  yield* sql`SELECT FROM pools WHERE id = ${poolId}::uuid FOR NO KEY UPDATE`
  yield* sql`
    UPDATE billing_accounts SET withdrawn_period = pools.period_start, withdrawn_use = pools.used
    FROM pools WHERE pools.id = ${poolId}::uuid AND pools.billed AND billing_accounts.pool_id = pools.id`
  yield* sql`
    UPDATE pools SET
      plan = 'basic', plan_until = NULL, billed = false, used = 0,
      period_start = ${monthStart(sql)}, period_end = ${monthEnd(sql)}
    WHERE id = ${poolId}::uuid AND billed`
})

/** Fewer seats than members: whoever joined last leaves, their analyses stay theirs. The owner never does. */
const fitSeats = (sql: SqlClient, poolId: string, seats: number) => sql`
  DELETE FROM memberships WHERE organization_id = ${poolId}::uuid AND user_id IN (
    SELECT user_id FROM memberships WHERE organization_id = ${poolId}::uuid
    ORDER BY role = 'owner' DESC, created_at, user_id OFFSET ${Math.max(1, seats)}::int)`

/** Within the transaction that holds the account's lock: the account and its pool become as the news says. */
export const recordSubscription = Effect.fnUntraced(function* (
  sql: SqlClient,
  poolId: string,
  { subscription, customerDeleted }: SubscriptionNews,
) {
  const now = new Date(yield* Clock.currentTimeMillis)
  if (customerDeleted) {
    yield* sql`
      UPDATE billing_accounts SET
        customer_id = NULL, checkout_id = NULL, requests = requests + 1,
        status = CASE WHEN subscription_id IS NULL THEN NULL ELSE 'canceled' END
      WHERE pool_id = ${poolId}::uuid`
    yield* withdraw(sql, poolId)
    return
  }
  if (subscription === undefined) return
  const { currentPeriod, pastDueSince, cancelAt } = subscription
  yield* sql`
    UPDATE billing_accounts SET
      checkout_id = NULL, trial_used = trial_used OR ${subscription.trialUsed},
      subscription_id = ${subscription.subscriptionId}, status = ${subscription.status}, seats = ${subscription.seats}::int,
      period_start = ${currentPeriod.start}::timestamptz, period_end = ${currentPeriod.end}::timestamptz,
      past_due_since = ${pastDueSince ?? null}::timestamptz, cancel_at = ${cancelAt ?? null}::timestamptz
    WHERE pool_id = ${poolId}::uuid`
  if (!grantsAccess(subscription, now)) {
    yield* withdraw(sql, poolId)
    return
  }
  yield* sql`SELECT FROM pools WHERE id = ${poolId}::uuid FOR NO KEY UPDATE`
  yield* grant(sql, poolId, subscription)
  yield* fitSeats(sql, poolId, subscription.seats)
})
