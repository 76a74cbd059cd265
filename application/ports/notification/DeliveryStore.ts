import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Delivery, DeliveryAttempt } from "../../../domain/notification/Delivery.ts"
import type { Verdict } from "../../../domain/notification/RetrySchedule.ts"
import type { AnalysisNotFound } from "../analysis/AnalysisStore.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { type UserId, type AnalysisId, DeliveryId, type WorkerId } from "../../../domain/ids/Ids.ts"

/** A claimed delivery. Every write names the attempt, so that a worker whose delivery was reassigned writes nothing. */
export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId
  readonly attemptToken: string
  /** 1 for the first attempt since the event or the last redelivery. */
  readonly attempt: number
  readonly userId: UserId
  /** The unit in which deliveries take turns: the user's receiver at one host and port. */
  readonly receiver: string
  readonly url: string
  /** Byte for byte as of the event. */
  readonly payload: string
}

/** Unknown, of another analysis, or someone else's. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: DeliveryId,
}) {}

/**
 * Pending notifications. `AnalysisStore` inserts one in the statement that ends an analysis with a `webhookUrl`, and
 * deletes an analysis's notifications with it. As there, the row is the job, held by a lease in the database's time.
 */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Of one of the user's analyses, newest first, at most 100. */
    readonly list: (
      userId: UserId,
      analysisId: AnalysisId,
    ) => Effect.Effect<ReadonlyArray<Delivery>, AnalysisNotFound | StoreUnavailable>
    /**
     * Makes a delivery due now, whatever its state, with fresh attempts under the same id. One in progress is left
     * alone; one that is already due is sent only once, however often this is requested.
     */
    readonly redeliver: (
      userId: UserId,
      analysisId: AnalysisId,
      deliveryId: DeliveryId,
    ) => Effect.Effect<Delivery, DeliveryNotFound | StoreUnavailable>

    /** The delivery that has been due the longest, except for receivers in `busy`. Expired leases are reassigned. */
    readonly claim: (
      workerId: WorkerId,
      busy: ReadonlyArray<string>,
    ) => Effect.Effect<Option.Option<ClaimedDelivery>, StoreUnavailable>
    /**
     * Logs the attempt and ends it according to the verdict. Has no effect if the delivery was reassigned or deleted.
     */
    readonly record: (
      job: ClaimedDelivery,
      attempt: Pick<DeliveryAttempt, "duration" | "statusCode" | "error">,
      verdict: Verdict,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Makes it due again at once, as if this attempt had not begun, because the worker is shutting down. */
    readonly handBack: (job: ClaimedDelivery) => Effect.Effect<void, StoreUnavailable>
    /** Resolves when a delivery may be due, or after a poll interval; used between claims that found nothing. */
    readonly awaitDue: Effect.Effect<void>
  }
>()("assay/application/DeliveryStore") {}
