import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { plans } from "../../domain/plan/Plan.ts"

/** The pool that a user draws on now: the organization's while a member, otherwise the user's own. */
export const poolOf = (sql: SqlClient, userId: string): Fragment => sql`
  SELECT users.id AS user_id, coalesce(memberships.organization_id, users.id) AS pool_id
  FROM users LEFT JOIN memberships ON memberships.user_id = users.id
  WHERE users.id = ${userId}::uuid`

/** Scans of a pool in one period: basic counts no seats, pro pools those of all its seats. */
export const scanLimit = (sql: SqlClient): Fragment =>
  sql.literal(
    `CASE pools.plan WHEN 'pro' THEN ${plans.pro.monthlyAnalyses} * pools.seats ELSE ${plans.basic.monthlyAnalyses} END`,
  )

/** Analyses of a pool that may run at the same time. */
export const runningLimit = (sql: SqlClient): Fragment =>
  sql.literal(
    `CASE pools.plan WHEN 'pro' THEN ${plans.pro.concurrentAnalyses} ELSE ${plans.basic.concurrentAnalyses} END`,
  )

/**
 * Where a period that is over is followed by the calendar month (UTC). A subscription's renewal moves the pool's
 * period before it is over, so that this applies to pools without one.
 */
export const monthStart = (sql: SqlClient): Fragment =>
  sql.literal(`(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')`)
export const monthEnd = (sql: SqlClient): Fragment =>
  sql.literal(`((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC')`)

/**
 * Takes one scan and queues one analysis, as a common table expression over `target` (`pool_id`). No row when the
 * period's scans are used up. The update locks the pool's row and rechecks the limit against its latest version, so
 * that parallel creates never overdraw. A pool that comes to the queue idle takes its turn from now.
 */
export const chargePool = (sql: SqlClient, target: Fragment): Fragment => sql`
  UPDATE pools SET
    used = CASE WHEN pools.period_end <= now() THEN 1 ELSE pools.used + 1 END,
    period_start = CASE WHEN pools.period_end <= now() THEN ${monthStart(sql)} ELSE pools.period_start END,
    period_end = CASE WHEN pools.period_end <= now() THEN ${monthEnd(sql)} ELSE pools.period_end END,
    waiting = pools.waiting + 1,
    turn = CASE WHEN pools.waiting = 0 AND pools.running = 0 THEN now() ELSE pools.turn END
  FROM ${target}
  WHERE pools.id = target.pool_id
    AND CASE WHEN pools.period_end <= now() THEN 0 ELSE pools.used END < ${scanLimit(sql)}
  RETURNING pools.id, pools.period_start`
