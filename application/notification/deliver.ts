import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { type Verdict, verdictOn } from "../../domain/notification/RetrySchedule.ts"
import { signatureHeaders } from "../../domain/notification/Signature.ts"
import { type ClaimedDelivery, DeliveryStore } from "../ports/notification/DeliveryStore.ts"
import { SendFailed, WebhookSender } from "../ports/notification/WebhookSender.ts"
import { signingSecrets } from "./webhookSecret.ts"

/** Together with the 15 s of sending, well within the lease of 30 s. */
const outage = Schedule.exponential("200 millis").pipe(Schedule.upTo({ times: 5 }))

/** A shutdown must not wait for an unavailable database; the lease expires by itself. */
const handBackWithin = "5 seconds"

const attempts = Metric.counter("assay_deliveries_total", {
  description: "Attempts to deliver a notification, by outcome: delivered, retried or given_up.",
  incremental: true,
})
const count = (outcome: Verdict["outcome"], by = 1) => Metric.update(Metric.withAttributes(attempts, { outcome }), by)

/** Every series starts at zero: a rate over a counter that begins with its first event misses that event. */
export const announceDeliveries = Effect.all([count("delivered", 0), count("retried", 0), count("given_up", 0)])

const request = Effect.fnUntraced(function* (job: ClaimedDelivery) {
  const secrets = yield* signingSecrets(job.userId).pipe(
    Effect.catchTag("SecretUnreadable", (error) =>
      Effect.andThen(
        Effect.logError("webhook secret unreadable", error.message),
        new SendFailed({
          message: "The notification could not be signed. Create a new webhook secret in the settings.",
        }),
      ),
    ),
  )
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return {
    url: job.url,
    body: job.payload,
    headers: {
      "content-type": "application/json",
      ...signatureHeaders(job.deliveryId, timestamp, job.payload, secrets),
    },
  }
})

/**
 * Makes one attempt at a claimed delivery and records the consequence. A worker that dies before recording it leaves
 * the delivery to its lease: it is then sent again under the same id, by which receivers recognize it.
 */
export const deliver = Effect.fn("deliver")(function* (job: ClaimedDelivery) {
  const store = yield* DeliveryStore
  const sender = yield* WebhookSender

  const attempt = Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const signed = yield* request(job).pipe(
      Effect.retry({ schedule: outage, while: ({ _tag }) => _tag === "StoreUnavailable" }),
      Effect.result,
    )
    // Nothing was sent, so this does not count as an attempt.
    if (Result.isFailure(signed) && signed.failure._tag === "StoreUnavailable") {
      return yield* store.handBack(job).pipe(Effect.retry(outage))
    }
    const { reply, error } = yield* Effect.fromResult(signed).pipe(
      Effect.flatMap(sender.send),
      Effect.map((reply) => ({ reply, error: undefined })),
      Effect.catchTag("SendFailed", ({ message }) => Effect.succeed({ reply: undefined, error: message })),
    )
    const now = yield* Clock.currentTimeMillis
    const verdict = verdictOn(reply, job.attempt, now)
    const entry = { duration: now - startedAt, statusCode: reply?.statusCode, error }
    yield* store.record(job, entry, verdict).pipe(Effect.retry(outage))
    yield* count(verdict.outcome)
    yield* Effect.logDebug("notification sent", { ...entry, outcome: verdict.outcome })
  })

  yield* attempt.pipe(
    Effect.onInterrupt(() => Effect.ignore(Effect.timeout(store.handBack(job), handBackWithin))),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logError("delivery abandoned until its lease expires", error.cause),
    ),
    Effect.catchDefect((defect) => Effect.logError("defect in a delivery", defect)),
    Effect.annotateLogs({ deliveryId: job.deliveryId, attempt: job.attempt }),
  )
})
