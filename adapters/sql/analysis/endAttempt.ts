import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { LeaseLost, type ClaimedAnalysis } from "../../../application/ports/analysis/AnalysisQueue.ts"
import type { AnalysisFailure } from "../../../domain/analysis/Analysis.ts"
import { maxAttempts } from "../../../domain/analysis/Transition.ts"
import { enqueueDelivery, notifyDispatchers } from "../notification/enqueueDelivery.ts"
import { giveBack } from "../pool.ts"
import { notifyQueue } from "../queueChannel.ts"
import { holdsLease } from "./lease.ts"
import { decideRefund, limitSubject } from "./limitFailures.ts"

interface Ending {
  /** Selects the running analysis; at most one, so that only one pool is locked after it. */
  readonly which: Fragment
  /** Whether it returns to the queue; otherwise it has failed. */
  readonly requeue: Fragment
  readonly availableAt: Fragment
  /** The number of attempts counted afterwards. */
  readonly attempts: Fragment
  readonly stage: Fragment
  readonly message: string
  /** Whether a limit of ours ended it, or may have: its scan is refunded at most once an hour. */
  readonly byLimit: boolean
  readonly commit?: string | undefined
}

/**
 * `running` to `pending` or `failed`. The scan of a failed analysis is refunded, except for the second failure of the
 * same sources by a limit: only once, because that clears the period it was charged to, and only into that period. The
 * notification is written along with it.
 */
const endAttempt = (
  sql: SqlClient,
  { which, requeue, availableAt, attempts, stage, message, byLimit, commit }: Ending,
) => sql<{
  readonly requeue: boolean
}>`
  WITH ending AS (
    SELECT
      id, pool_id, charged_period, attempt_token, ${requeue} AS requeue, ${byLimit}::boolean AS by_limit,
      ${limitSubject(sql, commit)} AS subject
    FROM analyses WHERE ${which} FOR NO KEY UPDATE
  ),
  ${decideRefund(sql)},
  counted AS (
    UPDATE pools SET
      running = pools.running - 1,
      waiting = pools.waiting + decided.requeue::int,
      ${giveBack(sql, "decided", "decided.refund")}
    FROM decided WHERE pools.id = decided.pool_id
  ),
  ended AS (
    UPDATE analyses SET
      status = CASE WHEN decided.requeue THEN 'pending' ELSE 'failed' END,
      stage = CASE WHEN decided.requeue THEN 'queued' ELSE ${stage} END,
      progress = CASE WHEN decided.requeue THEN 0 ELSE analyses.progress END,
      failure = CASE WHEN decided.requeue THEN NULL ELSE ${message}::text || decided.remark END,
      available_at = CASE WHEN decided.requeue THEN ${availableAt} ELSE analyses.available_at END,
      charged_period = CASE WHEN NOT decided.refund THEN analyses.charged_period END,
      attempts = ${attempts}, attempt_token = NULL, lease_expires_at = NULL, worker = NULL
    FROM decided WHERE analyses.id = decided.id
    RETURNING analyses.*, decided.requeue
  ),
  enqueued AS (${enqueueDelivery(sql, "ended")})
  SELECT
    requeue, CASE WHEN requeue THEN ${notifyQueue(sql)} END AS notified,
    (SELECT ${notifyDispatchers(sql)} FROM enqueued) AS announced
  FROM ended`

/** 2 s after the first attempt, 4 s after the second. */
const backoff = "now() + interval '1 second' * power(2, analyses.attempts)"

export const failAnalysis = (sql: SqlClient, job: ClaimedAnalysis, failure: AnalysisFailure, retryable: boolean) =>
  endAttempt(sql, {
    which: holdsLease(sql, job),
    requeue: sql`(${retryable} AND attempts < ${maxAttempts})`,
    availableAt: sql.literal(backoff),
    attempts: sql.literal("analyses.attempts"),
    stage: sql`${failure.stage}::text`,
    message: failure.message,
    byLimit: failure.byLimit ?? false,
    commit: failure.commit,
  }).pipe(
    Effect.flatMap(([ended]) =>
      ended === undefined
        ? Effect.fail(new LeaseLost({ analysisId: job.analysisId }))
        : Effect.succeed(ended.requeue ? ("pending" as const) : ("failed" as const)),
    ),
  )

/** Returns it to its place in the queue, as if it had not been claimed. */
export const handBackAnalysis = (sql: SqlClient, job: ClaimedAnalysis) =>
  endAttempt(sql, {
    which: holdsLease(sql, job),
    requeue: sql.literal("true"),
    availableAt: sql.literal("analyses.available_at"),
    attempts: sql.literal("analyses.attempts - 1"),
    stage: sql.literal("analyses.stage"),
    message: "",
    byLimit: false,
  }).pipe(Effect.asVoid)

const leasesExpired = Metric.counter("assay_leases_expired_total", {
  description: "Analyses taken over from unresponsive workers, by outcome.",
  incremental: true,
})

const leaseExpired = {
  requeued: Metric.withAttributes(leasesExpired, { outcome: "requeued" }),
  failed: Metric.withAttributes(leasesExpired, { outcome: "failed" }),
}

/** Both series start at zero: a rate over a counter that begins with its first event misses that event. */
export const announceLeases: Effect.Effect<void> = Effect.forEach(
  Object.values(leaseExpired),
  (series) => Metric.update(series, 0),
  { discard: true },
)

/** Leases of a lost node expire together; any more than this many wait for the next claim. */
const recoveredAtOnce = 100

/** Requeues analyses of unresponsive workers immediately, since the lease was delay enough, or fails them. */
export const recoverLost = (sql: SqlClient) =>
  Effect.gen(function* () {
    for (let recovered = 0; recovered < recoveredAtOnce; recovered++) {
      const rows = yield* endAttempt(sql, {
        which: sql`id = (
          SELECT id FROM analyses WHERE status = 'running' AND lease_expires_at <= now()
          ORDER BY lease_expires_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)`,
        requeue: sql`(attempts < ${maxAttempts})`,
        availableAt: sql.literal("now()"),
        attempts: sql.literal("analyses.attempts"),
        stage: sql.literal("analyses.stage"),
        message: `The analysis was interrupted ${maxAttempts} times before it could finish. Retry it later, or analyze a smaller repository.`,
        // An analysis that ended three workers may be the cause.
        byLimit: true,
      })
      const [ended] = rows
      if (ended === undefined) break
      yield* Metric.update(ended.requeue ? leaseExpired.requeued : leaseExpired.failed, 1)
    }
  })
