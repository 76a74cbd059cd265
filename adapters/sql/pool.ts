import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { plans } from "../../domain/plan/Plan.ts"
import { effectivePlan } from "./effectivePlan.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** The pool that a user currently draws on: the organization's for members, otherwise the user's own. */
export const poolOf = (sql: SqlClient, userId: UserId): Fragment => sql`
  SELECT users.id AS user_id, coalesce(memberships.organization_id, users.id) AS pool_id
  FROM users LEFT JOIN memberships ON memberships.user_id = users.id
  WHERE users.id = ${userId}::uuid`

/** Scans of a pool per period: basic ignores seats, pro pools those of all its seats. */
export const scanLimit = (sql: SqlClient): Fragment => sql`
  (CASE ${effectivePlan(sql)} WHEN 'pro' THEN ${sql.literal(`${plans.pro.monthlyAnalyses} * pools.seats`)}
    ELSE ${sql.literal(String(plans.basic.monthlyAnalyses))} END)`

/** Concurrent analyses of a pool. */
export const runningLimit = (sql: SqlClient): Fragment => sql`
  (CASE ${effectivePlan(sql)} WHEN 'pro' THEN ${sql.literal(String(plans.pro.concurrentAnalyses))}
    ELSE ${sql.literal(String(plans.basic.concurrentAnalyses))} END)`

/** The current calendar month (UTC). */
export const monthStart = (sql: SqlClient): Fragment =>
  sql.literal(`(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')`)
export const monthEnd = (sql: SqlClient): Fragment =>
  sql.literal(`((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC')`)

/** The end of a past billing period, advanced by whole months (UTC): the last such instant that is not after now. */
const renewals = `(
  SELECT max(months) FROM generate_series(0, 1200) AS months
  WHERE (pools.period_end AT TIME ZONE 'UTC' + make_interval(months => months)) AT TIME ZONE 'UTC' <= now())`
const renewed = (later: number): string =>
  `((pools.period_end AT TIME ZONE 'UTC' + make_interval(months => ${renewals} + ${later})) AT TIME ZONE 'UTC')`

/**
 * The current period of a row of `pools`. A finished one is followed by the calendar month, or, if it is Stripe's and
 * the renewal event is late, by the month that begins where it ended; the same as `quotaPeriod` in the domain.
 */
export const currentPeriodStart = (sql: SqlClient): Fragment => sql`
  (CASE WHEN pools.period_end > now() THEN pools.period_start
    WHEN pools.billed THEN ${sql.literal(renewed(0))} ELSE ${monthStart(sql)} END)`
export const currentPeriodEnd = (sql: SqlClient): Fragment => sql`
  (CASE WHEN pools.period_end > now() THEN pools.period_end
    WHEN pools.billed THEN ${sql.literal(renewed(1))} ELSE ${monthEnd(sql)} END)`
const ownUse = `CASE WHEN pools.period_end > now() THEN pools.used ELSE 0 END`

/** The scans that currently count, the same as `usedNow` in the domain. */
export const currentUse = (sql: SqlClient): Fragment =>
  sql.literal(`(${ownUse} + CASE
    WHEN pools.carried_until > now() AND NOT (pools.billed AND pools.carried_free) THEN pools.carried ELSE 0 END)`)

/**
 * Charges one scan and queues one analysis, as a common table expression over `target` (`pool_id`). No row if the
 * period's scans are used up. The update locks the pool's row and rechecks the limit against its latest version, so
 * that parallel creates never overdraw. A pool that joins the queue idle takes its turn from now.
 */
export const chargePool = (sql: SqlClient, target: Fragment): Fragment => sql`
  UPDATE pools SET
    used = ${sql.literal(ownUse)} + 1,
    period_start = ${currentPeriodStart(sql)},
    period_end = ${currentPeriodEnd(sql)},
    waiting = pools.waiting + 1,
    turn = CASE WHEN pools.waiting = 0 AND pools.running = 0 THEN now() ELSE pools.turn END
  FROM ${target}
  WHERE pools.id = target.pool_id
    AND ${currentUse(sql)} < ${scanLimit(sql)}
  RETURNING pools.id, pools.period_start`

/**
 * Refunds the scan of an analysis, a row with its `charged_period`, to its row of `pools` if it `failed`: to the period
 * that it was charged to, which is the current one or among those whose scans were carried over.
 */
export const giveBack = (sql: SqlClient, analysis: string, failed: string): Fragment => {
  const own = `(${failed} AND pools.used > 0 AND coalesce(${analysis}.charged_period = pools.period_start, false))`
  const earlier = `coalesce(${analysis}.charged_period >= pools.carried_since, false)`
  return sql.literal(`
    used = pools.used - ${own}::int,
    carried = pools.carried - (${failed} AND NOT ${own} AND pools.carried > 0 AND ${earlier})::int`)
}
