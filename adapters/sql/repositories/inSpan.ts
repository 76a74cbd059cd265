import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Whether a row of `analyses` was created while the URL in `urls` belonged to its repository. Not expressed as a range,
 * which the planner estimates at one row in two hundred: it would read and sort everything instead of taking the latest
 * from an index.
 */
export const inSpan = (sql: SqlClient): Fragment =>
  sql.literal("CASE WHEN created_at >= urls.since AND created_at < urls.until THEN true ELSE false END")
