import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import { type DeliveryJob, DeliveryStore } from "../ports/DeliveryStore.ts"
import { announceDeliveries, deliver } from "./deliver.ts"

export interface DispatchLimits {
  /** Deliveries of this process that are under way at the same time. */
  readonly concurrent: number
  /** Those of them to one receiver. */
  readonly perReceiver: number
}

export const dispatchLimits: DispatchLimits = { concurrent: 128, perReceiver: 4 }

/**
 * Claims and sends due deliveries until interrupted; those under way are then handed back. A receiver that hangs holds
 * `perReceiver` places and is passed over in the meantime, so that the others find theirs free.
 */
export const dispatchDeliveries = Effect.fnUntraced(function* (
  workerId: string,
  { concurrent, perReceiver }: DispatchLimits = dispatchLimits,
) {
  const store = yield* DeliveryStore
  yield* announceDeliveries
  const fibers = yield* FiberSet.make()
  const places = yield* Semaphore.make(concurrent)
  const ended = yield* Queue.sliding<void>(1)
  const underWay = new Map<string, number>()

  const change = (receiver: string, by: 1 | -1): void => {
    const count = (underWay.get(receiver) ?? 0) + by
    if (count === 0) underWay.delete(receiver)
    else underWay.set(receiver, count)
  }

  const start = (job: DeliveryJob) => {
    change(job.receiver, 1)
    const end = Effect.suspend(() => {
      change(job.receiver, -1)
      Queue.offerUnsafe(ended, undefined)
      return places.release(1)
    })
    return FiberSet.run(fibers, Effect.ensuring(deliver(job), end))
  }

  // One line for an outage, not one for every claim in it.
  let failing = false

  const claim = Effect.suspend(() => {
    const busy = [...underWay].filter(([, count]) => count >= perReceiver).map(([receiver]) => receiver)
    return store.claim(workerId, busy)
  }).pipe(
    Effect.withTracerEnabled(false),
    Effect.tap(() => Effect.sync(() => (failing = false))),
    // A defect as well: whatever it was, it must not be the end of all notifications.
    Effect.catchCause((cause) => {
      const log = failing ? Effect.logDebug : Effect.logWarning
      failing = true
      return Effect.as(log("no delivery claimed", cause), Option.none<DeliveryJob>())
    }),
  )

  // From the claim's commit on the delivery is ours to send or to hand back: nothing may interrupt in between.
  const next = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* restore(places.take(1))
      const claimed = yield* claim
      if (Option.isSome(claimed)) return yield* start(claimed.value)
      yield* places.release(1)
      return yield* restore(Effect.raceFirst(store.awaitDue, Queue.take(ended)))
    }),
  )
  return yield* Effect.forever(next)
}, Effect.scoped)
