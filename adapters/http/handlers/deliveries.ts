import * as Effect from "effect/Effect"
import { listDeliveries } from "../../../application/notification/listDeliveries.ts"
import { redeliver } from "../../../application/notification/redeliver.ts"
import type { Delivery, DeliveryAttempt } from "../../../domain/notification/Delivery.ts"
import { json } from "../answer/answer.ts"
import { DeliveriesGroup, type DeliveryView } from "../contract/DeliveriesGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"

const attemptView = ({ number, startedAt, duration, statusCode, error }: DeliveryAttempt) => ({
  number,
  startedAt: startedAt.toISOString(),
  duration,
  ...(statusCode === undefined ? {} : { statusCode }),
  ...(error === undefined ? {} : { error }),
})

const view = ({ deliveryId, type, status, url, createdAt, nextAttemptAt, attempts }: Delivery): DeliveryView => ({
  deliveryId,
  type,
  status,
  url,
  createdAt: createdAt.toISOString(),
  ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
  attempts: attempts.map(attemptView),
})

export const deliveriesRoutes = callerEndpoints(DeliveriesGroup, {
  list: ({ caller, params }) =>
    Effect.map(listDeliveries(caller, params.id), (deliveries) => json(deliveries.map(view))),

  redeliver: ({ caller, params }) =>
    Effect.map(redeliver(caller, params.id, params.deliveryId), (delivery) => json(view(delivery), 202)),
})
