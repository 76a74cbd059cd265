import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The current plan of a row of `pools`: the paid one ends by itself when the grace period after a failed payment is
 * over.
 */
export const effectivePlan = (sql: SqlClient): Fragment =>
  sql.literal(`(CASE WHEN pools.plan_until <= now() THEN 'basic' ELSE pools.plan END)`)

/** Milliseconds until the plan of a row of `pools` ends, or what `earlier` says if that is sooner; null for never. */
export const endsIn = (sql: SqlClient, earlier = "NULL::timestamptz"): Fragment =>
  sql.literal(`(1000 * extract(epoch FROM
    least(${earlier}, CASE WHEN pools.plan_until > now() THEN pools.plan_until END) - now()))::float8`)
