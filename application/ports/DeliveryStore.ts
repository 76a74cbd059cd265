import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Delivery, DeliveryAttempt } from "../../domain/notification/Delivery.ts"
import type { Verdict } from "../../domain/notification/RetrySchedule.ts"
import type { AnalysisNotFound } from "./AnalysisStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { type UserId, type AnalysisId, DeliveryId, type WorkerId } from "../../domain/ids/Ids.ts"

/** A claimed delivery. Every write names the attempt, so that a worker whose delivery was handed on writes nothing. */
export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId
  readonly attemptToken: string
  /** 1 for the first attempt since the event or the last redelivery. */
  readonly attempt: number
  readonly userId: UserId
  /** Whose deliveries take turns: the user's at one host and port. */
  readonly receiver: string
  readonly url: string
  /** Byte for byte as it was at the event. */
  readonly payload: string
}

/** Unknown, of another analysis, or somebody else's. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: DeliveryId,
}) {}

/**
 * Notifications on their way. `AnalysisStore` adds one in the write that ends an analysis which has a `webhookUrl`, and
 * removes an analysis's with it. As there, the row is the job, held by a lease of the database's time.
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
     * Makes a delivery due now, whatever became of it, with fresh attempts under its own id. One that is under way
     * stays as it is; one that is due is sent once all the same, however often that is asked for.
     */
    readonly redeliver: (
      userId: UserId,
      analysisId: AnalysisId,
      deliveryId: DeliveryId,
    ) => Effect.Effect<Delivery, DeliveryNotFound | StoreUnavailable>

    /** The delivery that is due the longest, but none for a receiver among `busy`. Expired leases are handed on. */
    readonly claim: (
      workerId: WorkerId,
      busy: ReadonlyArray<string>,
    ) => Effect.Effect<Option.Option<ClaimedDelivery>, StoreUnavailable>
    /** Logs the attempt and ends it as the verdict says. Nothing happens when it was handed on or deleted. */
    readonly record: (
      job: ClaimedDelivery,
      attempt: Pick<DeliveryAttempt, "duration" | "statusCode" | "error">,
      verdict: Verdict,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Due again at once, as if this attempt had not begun: the worker is shutting down. */
    readonly handBack: (job: ClaimedDelivery) => Effect.Effect<void, StoreUnavailable>
    /** Resolves when a delivery may be due, or after a poll interval; used between claims that found nothing. */
    readonly awaitDue: Effect.Effect<void>
  }
>()("assay/application/DeliveryStore") {}
