import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ClaimedDelivery } from "../../../application/ports/notification/DeliveryStore.ts"
import { maxDeliveryAttempts } from "../../../domain/notification/RetrySchedule.ts"
import { withoutDiskWait } from "../withoutDiskWait.ts"
import { decodeRows } from "../decodeRows.ts"
import { deliveryLease } from "./deliveryLease.ts"
import { UserId, DeliveryId, type WorkerId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(
  Schema.Struct({
    deliveryId: DeliveryId,
    attemptToken: Schema.NullOr(Schema.String),
    attempt: Schema.Int,
    userId: UserId,
    receiver: Schema.String,
    url: Schema.String,
    payload: Schema.String,
  }),
)

/** How many of the longest-due deliveries are searched for one whose receiver is not busy. */
const lookedThrough = 100

/**
 * One at a time, so that each claim knows which receivers have reached their limit. If those have all of the oldest
 * deliveries, the first one of each receiver is examined instead, stepping from receiver to receiver in the index: 5 µs
 * for each, however many deliveries it has, whereas reading past 50,000 takes 60 ms. Without such a backlog, a claim
 * takes 0.5 ms beside 100,000 finished deliveries (2026-11). An attempt whose lease expired is logged as such, and
 * counts.
 */
export const claimStatement = (sql: SqlClient, workerId: WorkerId, busy: ReadonlyArray<string>) => sql`
    WITH RECURSIVE oldest AS MATERIALIZED (
      SELECT id, receiver <> ALL(${[...busy]}::text[]) AS free FROM deliveries
      WHERE status IN ('pending', 'sending') AND due_at <= now()
      ORDER BY due_at, id LIMIT ${lookedThrough}::int
    ),
    first AS (
      (SELECT id, receiver, due_at FROM deliveries
       WHERE status IN ('pending', 'sending')
         AND (SELECT count(*) = ${lookedThrough}::int AND NOT bool_or(free) FROM oldest)
       ORDER BY receiver, due_at, id LIMIT 1)
      UNION ALL
      SELECT following.* FROM first CROSS JOIN LATERAL (
        SELECT id, receiver, due_at FROM deliveries
        WHERE status IN ('pending', 'sending') AND receiver > first.receiver
        ORDER BY receiver, due_at, id LIMIT 1) AS following
    ),
    next AS (
      SELECT id, status, attempts, due_at, attempts - attempts_before >= ${maxDeliveryAttempts}::int AS exhausted
      FROM deliveries
      WHERE id = ANY(ARRAY(
          SELECT id FROM oldest WHERE free
          UNION ALL
          SELECT id FROM first WHERE due_at <= now() AND receiver <> ALL(${[...busy]}::text[])))
        AND status IN ('pending', 'sending') AND due_at <= now()
      ORDER BY due_at, id
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ),
    lost AS (
      INSERT INTO delivery_attempts (delivery_id, number, started_at, duration, error)
      SELECT
        id, attempts, due_at - ${deliveryLease}::int * interval '1 millisecond', ${deliveryLease}::int,
        'The attempt was interrupted; whether it arrived is not known.'
      FROM next WHERE status = 'sending'
    ),
    claimed AS (
      UPDATE deliveries SET
        status = CASE WHEN next.exhausted THEN 'failed' ELSE 'sending' END,
        due_at = now() + ${deliveryLease}::int * interval '1 millisecond',
        attempt_token = CASE WHEN NOT next.exhausted THEN gen_random_uuid() END,
        worker = ${workerId}::text,
        attempts = deliveries.attempts + (NOT next.exhausted)::int
      FROM next WHERE deliveries.id = next.id
      RETURNING deliveries.*
    )
    SELECT
      claimed.id AS "deliveryId", claimed.attempt_token AS "attemptToken",
      claimed.attempts - claimed.attempts_before AS attempt, analyses.user_id AS "userId", claimed.receiver,
      claimed.url, claimed.payload, ${withoutDiskWait(sql)}
    FROM claimed JOIN analyses ON analyses.id = claimed.analysis_id`

/** How many deliveries whose last attempt was lost are given up per claim; the rest wait for the next. */
const givenUpAtOnce = 100

export const claimDelivery = (sql: SqlClient, workerId: WorkerId, busy: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    for (let given = 0; given < givenUpAtOnce; given++) {
      const [row] = yield* decode(claimStatement(sql, workerId, busy))
      if (row === undefined) break
      const { attemptToken } = row
      if (attemptToken !== null) return Option.some<ClaimedDelivery>({ ...row, attemptToken })
    }
    return Option.none<ClaimedDelivery>()
  })
