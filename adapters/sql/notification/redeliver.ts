import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { DeliveryNotFound } from "../../../application/ports/notification/DeliveryStore.ts"
import { decodeRows } from "../decodeRows.ts"
import { notifyDispatchers } from "./enqueueDelivery.ts"
import { listDeliveries } from "./readDeliveries.ts"
import type { UserId, AnalysisId, DeliveryId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(Schema.Struct({ id: Schema.String }))

/**
 * The row lock decides between two simultaneous requests, and against a claim: the second one finds the delivery
 * already due, or in progress, and leaves it alone.
 */
export const redeliver = Effect.fnUntraced(function* (
  sql: SqlClient,
  userId: UserId,
  analysisId: AnalysisId,
  deliveryId: DeliveryId,
) {
  const missing = new DeliveryNotFound({ deliveryId })
  const found = yield* decode(sql`
    WITH found AS (
      SELECT deliveries.id FROM deliveries JOIN analyses ON analyses.id = deliveries.analysis_id
      WHERE deliveries.id = ${deliveryId}::uuid AND deliveries.analysis_id = ${analysisId}::uuid
        AND analyses.user_id = ${userId}::uuid
      FOR NO KEY UPDATE OF deliveries
    ),
    again AS (
      UPDATE deliveries SET status = 'pending', due_at = now(), attempts_before = deliveries.attempts
      FROM found
      WHERE deliveries.id = found.id AND deliveries.status <> 'sending'
      RETURNING deliveries.id
    )
    SELECT found.id, CASE WHEN again.id IS NOT NULL THEN ${notifyDispatchers(sql)} END AS notified
    FROM found LEFT JOIN again ON again.id = found.id`)
  if (found.length === 0) return yield* missing
  const listed = yield* Effect.catchTag(listDeliveries(sql, userId, analysisId), "AnalysisNotFound", () => missing)
  const delivery = listed.find((each) => each.deliveryId === deliveryId)
  return delivery ?? (yield* missing)
})
