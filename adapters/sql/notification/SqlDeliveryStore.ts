import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound } from "../../../application/ports/analysis/AnalysisStore.ts"
import { DeliveryNotFound, DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import { awaitNotification } from "../awaitNotification.ts"
import { canonicalId, isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { claimDelivery } from "./claimDelivery.ts"
import { handBackDelivery, recordAttempt } from "./endDeliveryAttempt.ts"
import { deliveryChannel } from "./enqueueDelivery.ts"
import { listDeliveries } from "./readDeliveries.ts"
import { redeliver } from "./redeliver.ts"

/** Covers everything that is not notified: the end of a delay, an expired lease, a lost connection. */
const pollInterval = Duration.seconds(1)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const awaitDue = yield* awaitNotification(deliveryChannel, pollInterval)

  return DeliveryStore.of({
    list: Effect.fn("DeliveryStore.list")((userId, analysisId) =>
      isUuid(analysisId)
        ? whileAvailable(listDeliveries(sql, userId, canonicalId(analysisId)))
        : Effect.fail(new AnalysisNotFound({ analysisId })),
    ),
    redeliver: Effect.fn("DeliveryStore.redeliver")((userId, analysisId, deliveryId) =>
      isUuid(analysisId) && isUuid(deliveryId)
        ? whileAvailable(redeliver(sql, userId, canonicalId(analysisId), canonicalId(deliveryId)))
        : Effect.fail(new DeliveryNotFound({ deliveryId })),
    ),
    // Idle processes claim every second, which must not fill the traces.
    claim: (workerId, busy) => whileAvailable(claimDelivery(sql, workerId, busy)),
    record: Effect.fn("DeliveryStore.record")((job, attempt, verdict) =>
      whileAvailable(recordAttempt(sql, job, attempt, verdict)),
    ),
    handBack: Effect.fn("DeliveryStore.handBack")((job) => whileAvailable(handBackDelivery(sql, job))),
    awaitDue,
  })
})

/** The deliveries on a migrated database, embedded or not. */
export const layer = Layer.effect(DeliveryStore, make)
