import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SubscriptionNews } from "../../../application/ports/billing/BillingAccounts.ts"
import { beyondSeats } from "../../../domain/identity/Membership.ts"
import { granted, type PoolUse, withdrawn } from "../../../domain/plan/PoolUse.ts"
import { type BilledSubscription, graceEnd, grantsAccess } from "../../../domain/plan/Subscription.ts"
import { decodeRows } from "../decodeRows.ts"
import { readInvitations, readMembers, removeInvitations, removeMembers } from "../identity/roll.ts"
import { OrganizationId, type PoolId } from "../../../domain/ids/Ids.ts"

const decodePool = decodeRows(
  Schema.Struct({
    now: Schema.Date,
    isOrganization: Schema.Boolean,
    billed: Schema.Boolean,
    start: Schema.Date,
    end: Schema.Date,
    used: Schema.Int,
    carried: Schema.Int,
    since: Schema.NullOr(Schema.Date),
    until: Schema.NullOr(Schema.Date),
    isFree: Schema.Boolean,
  }),
)

/** The pool and the database's clock; the pool stays locked until the transaction ends. */
const lockPool = Effect.fnUntraced(function* (sql: SqlClient, poolId: PoolId) {
  const [row] = yield* decodePool(sql`
    SELECT
      clock_timestamp() AS now, EXISTS (SELECT FROM organizations WHERE organizations.id = pools.id) AS "isOrganization",
      billed, period_start AS start, period_end AS "end", used, carried, carried_since AS since, carried_until AS until,
      carried_free AS "isFree"
    FROM pools WHERE id = ${poolId}::uuid FOR NO KEY UPDATE`)
  if (row === undefined) return yield* Effect.die(new Error("An account has no pool"))
  const { now, isOrganization, billed, start, end, used, carried, since, until, isFree } = row
  const use: PoolUse = {
    period: { start, end },
    billed,
    used,
    carried: since === null || until === null ? undefined : { use: carried, since, until, isFree },
  }
  return { now, isOrganization, use }
})

const columnsOf = (sql: SqlClient, { period, billed, used, carried }: PoolUse) => sql`
  billed = ${billed}, period_start = ${period.start}::timestamptz, period_end = ${period.end}::timestamptz,
  used = ${used}::int, carried = ${carried?.use ?? 0}::int,
  carried_since = ${carried?.since ?? null}::timestamptz, carried_until = ${carried?.until ?? null}::timestamptz,
  carried_free = ${carried?.isFree ?? false}::boolean`

const withdraw = (sql: SqlClient, poolId: PoolId, use: PoolUse, now: Date) =>
  use.billed
    ? sql`
        UPDATE pools SET plan = 'basic', plan_until = NULL, ${columnsOf(sql, withdrawn(use, now))}
        WHERE id = ${poolId}::uuid`
    : Effect.void

/**
 * If there are fewer seats than members and invitations, the latest invitations end first, then the last to join leave
 * with their analyses.
 */
const fitSeats = Effect.fnUntraced(function* (sql: SqlClient, organizationId: OrganizationId, seats: number) {
  const members = yield* readMembers(sql, organizationId)
  const invited = (yield* readInvitations(sql, organizationId)).map(({ userId }) => userId)
  const { leaving, uninvited } = beyondSeats({ seats, members, invited })
  yield* removeMembers(sql, organizationId, leaving)
  yield* removeInvitations(sql, organizationId, uninvited)
})

const recordAccount = (sql: SqlClient, poolId: PoolId, subscription: BilledSubscription) => sql`
  UPDATE billing_accounts SET
    checkout_id = NULL, trial_used = trial_used OR ${subscription.trialUsed},
    subscription_id = ${subscription.subscriptionId}, status = ${subscription.status}, seats = ${subscription.seats}::int,
    period_start = ${subscription.currentPeriod.start}::timestamptz,
    period_end = ${subscription.currentPeriod.end}::timestamptz,
    past_due_since = ${subscription.pastDueSince ?? null}::timestamptz,
    cancel_at = ${subscription.cancelAt ?? null}::timestamptz
  WHERE pool_id = ${poolId}::uuid`

/**
 * Within the transaction that holds the account's lock: updates the account and its pool from the payment service's
 * answer.
 */
export const recordSubscription = Effect.fnUntraced(function* (
  sql: SqlClient,
  { account: { poolId, subscriptionId: before }, subscription, customerDeleted }: SubscriptionNews,
) {
  if (customerDeleted) {
    yield* sql`
      UPDATE billing_accounts SET
        customer_id = NULL, checkout_id = NULL, requests = requests + 1,
        status = CASE WHEN subscription_id IS NULL THEN NULL ELSE 'canceled' END
      WHERE pool_id = ${poolId}::uuid`
    const { use, now } = yield* lockPool(sql, poolId)
    yield* withdraw(sql, poolId, use, now)
    return
  }
  if (subscription === undefined) return
  yield* recordAccount(sql, poolId, subscription)
  const { use, now, isOrganization } = yield* lockPool(sql, poolId)
  if (!grantsAccess(subscription, now)) return yield* withdraw(sql, poolId, use, now)
  const { subscriptionId, currentPeriod, seats } = subscription
  // A single user is a pool of one, however many seats are paid for: they apply once there is an organization.
  yield* sql`
    UPDATE pools SET
      plan = 'pro', plan_until = ${graceEnd(subscription) ?? null}::timestamptz, seats = ${isOrganization ? seats : 1}::int,
      ${columnsOf(sql, granted(use, currentPeriod, subscriptionId === before, now))}
    WHERE id = ${poolId}::uuid`
  if (isOrganization) yield* fitSeats(sql, OrganizationId.make(poolId), seats)
})
