import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ClaimedDelivery, DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import { attemptsLogged } from "../../../domain/notification/Delivery.ts"
import type { Verdict } from "../../../domain/notification/RetrySchedule.ts"
import { holdsDelivery } from "./deliveryLease.ts"

type Attempt = Parameters<DeliveryStore["Service"]["record"]>[1]

const statusAfter = { delivered: "delivered", retried: "pending", given_up: "failed" } as const

/** Records the attempt's outcome and its log entry in one statement; the log keeps the latest entries. */
export const recordAttempt = (sql: SqlClient, job: ClaimedDelivery, attempt: Attempt, verdict: Verdict) =>
  sql`
    WITH ended AS (
      UPDATE deliveries SET
        status = ${statusAfter[verdict.outcome]},
        due_at = now() + ${verdict.outcome === "retried" ? Duration.toMillis(verdict.delay) : 0}::int * interval '1 millisecond',
        attempt_token = NULL, worker = NULL
      WHERE ${holdsDelivery(sql, job)}
      RETURNING id, attempts
    ),
    logged AS (
      INSERT INTO delivery_attempts (delivery_id, number, started_at, duration, status_code, error)
      SELECT
        id, attempts, now() - ${attempt.duration}::int * interval '1 millisecond', ${attempt.duration}::int,
        ${attempt.statusCode ?? null}::int, ${attempt.error ?? null}::text
      FROM ended
    )
    DELETE FROM delivery_attempts USING ended
    WHERE delivery_id = ended.id AND number <= ended.attempts - ${attemptsLogged}::int`.pipe(Effect.asVoid)

/** Makes it due immediately, as if it had not been claimed. */
export const handBackDelivery = (sql: SqlClient, job: ClaimedDelivery) =>
  sql`
    UPDATE deliveries SET
      status = 'pending', due_at = now(), attempt_token = NULL, worker = NULL, attempts = attempts - 1
    WHERE ${holdsDelivery(sql, job)}`.pipe(Effect.asVoid)
