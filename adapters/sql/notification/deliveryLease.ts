import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ClaimedDelivery } from "../../../application/ports/notification/DeliveryStore.ts"

/** Milliseconds that a worker has for an attempt: 15 s of sending, plus a database outage. */
export const deliveryLease = 30_000

/**
 * The condition under which a worker may write: its attempt is the current one. Unlike an analysis's, an attempt that
 * outlived its lease may be recorded as long as nobody else claimed the delivery, because it reports what really
 * happened.
 */
export const holdsDelivery = (sql: SqlClient, job: ClaimedDelivery): Fragment => sql`
  deliveries.id = ${job.deliveryId}::uuid AND deliveries.attempt_token = ${job.attemptToken}::uuid`
