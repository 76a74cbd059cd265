import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Commits without waiting for the disk. A claim or heartbeat that a crash of the database undoes leaves a worker with
 * a token that fits nothing, or a shorter lease: it stops, and the analysis is handed out again. The terminal write
 * waits, and takes everything before it along. Claims took 1.7 ms at the median with the wait, 0.8 ms without (2026-11).
 */
export const withoutDiskWait = (sql: SqlClient): Fragment =>
  sql.literal("set_config('synchronous_commit', 'off', true) AS relaxed")
