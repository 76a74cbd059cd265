import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Notified when an analysis begins to wait. */
export const queueChannel = "assay_queue"

/** Wakes the waiting workers when the transaction commits. As text, because `void` has no decoder. */
export const notifyQueue = (sql: SqlClient): Fragment => sql.literal(`pg_notify('${queueChannel}', '')::text`)
