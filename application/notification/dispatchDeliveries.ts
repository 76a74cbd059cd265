import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import type { WorkerId } from "../../domain/ids/Ids.ts"
import { type ClaimedDelivery, DeliveryStore } from "../ports/notification/DeliveryStore.ts"
import { announceDeliveries, deliver } from "./deliver.ts"
import { type DispatchLimits, dispatchLimits, receiverPlaces } from "./ReceiverPlaces.ts"

/** Claims and sends due deliveries until interrupted; deliveries in progress are then released. */
export const dispatchDeliveries = Effect.fnUntraced(function* (
  workerId: WorkerId,
  limits: DispatchLimits = dispatchLimits,
) {
  const store = yield* DeliveryStore
  yield* announceDeliveries
  const fibers = yield* FiberSet.make()
  const places = yield* Semaphore.make(limits.concurrent)
  const receivers = receiverPlaces(limits)
  const ended = yield* Queue.sliding<void>(1)

  const start = (job: ClaimedDelivery) => {
    const end = Effect.suspend(() => {
      Queue.offerUnsafe(ended, undefined)
      return places.release(1)
    })
    return FiberSet.run(fibers, Effect.ensuring(receivers.hold(job.receiver, deliver(job)), end))
  }

  // One line per outage rather than per failed claim.
  let failing = false

  const claim = Effect.suspend(() => store.claim(workerId, receivers.busy())).pipe(
    Effect.withTracerEnabled(false),
    Effect.tap(() => Effect.sync(() => (failing = false))),
    // Includes defects: no failure may end all notifications.
    Effect.catchCause((cause) => {
      const log = failing ? Effect.logDebug : Effect.logWarning
      failing = true
      return Effect.as(log("no delivery claimed", cause), Option.none<ClaimedDelivery>())
    }),
  )

  // Once the claim is committed, we must send the delivery or release it: nothing may interrupt in between.
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
