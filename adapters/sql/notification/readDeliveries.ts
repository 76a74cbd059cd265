import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound } from "../../../application/ports/analysis/AnalysisStore.ts"
import { attemptsLogged, type Delivery, DeliveryStatus } from "../../../domain/notification/Delivery.ts"
import { NotificationType } from "../../../domain/notification/Notification.ts"
import { decodeRows } from "../decodeRows.ts"
import { type UserId, type AnalysisId, DeliveryId } from "../../../domain/ids/Ids.ts"

/** An analysis has a delivery for each time it ended: its first run and each retry. */
const mostListed = 100

const Row = Schema.Struct({
  deliveryId: DeliveryId,
  type: NotificationType,
  status: DeliveryStatus,
  url: Schema.String,
  createdAt: Schema.Date,
  dueAt: Schema.Date,
  number: Schema.NullOr(Schema.Int),
  startedAt: Schema.NullOr(Schema.Date),
  duration: Schema.NullOr(Schema.Int),
  statusCode: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
})
type Row = typeof Row.Type
const decode = decodeRows(Row)
const decodeIds = decodeRows(Schema.Struct({ id: Schema.String }))

/** One row for each attempt, latest first; one without for a delivery that was not yet tried. */
const rowsOf = (sql: SqlClient, userId: UserId, analysisId: AnalysisId) =>
  decode(sql`
    SELECT
      listed.id AS "deliveryId", type, status, url, created_at AS "createdAt", due_at AS "dueAt",
      number, started_at AS "startedAt", duration, status_code AS "statusCode", error
    FROM (
      SELECT deliveries.* FROM deliveries JOIN analyses ON analyses.id = deliveries.analysis_id
      WHERE deliveries.analysis_id = ${analysisId}::uuid AND analyses.user_id = ${userId}::uuid
      ORDER BY deliveries.created_at DESC, deliveries.id LIMIT ${mostListed}
    ) AS listed
    LEFT JOIN LATERAL (
      SELECT * FROM delivery_attempts WHERE delivery_id = listed.id ORDER BY number DESC LIMIT ${attemptsLogged}
    ) AS logged ON true
    ORDER BY created_at DESC, listed.id, number DESC`)

const toAttempt = ({ number, startedAt, duration, statusCode, error }: Row): Delivery["attempts"] =>
  number === null || startedAt === null || duration === null
    ? []
    : [{ number, startedAt, duration, statusCode: statusCode ?? undefined, error: error ?? undefined }]

const toDelivery = (rows: ReadonlyArray<Row>): Delivery => {
  const { deliveryId, type, status, url, createdAt, dueAt } = rows[0]! // a group has a row
  return {
    deliveryId,
    type,
    status,
    url,
    createdAt,
    nextAttemptAt: status === "pending" ? dueAt : undefined,
    attempts: rows.flatMap(toAttempt),
  }
}

export const listDeliveries = Effect.fnUntraced(function* (sql: SqlClient, userId: UserId, analysisId: AnalysisId) {
  const rows = yield* rowsOf(sql, userId, analysisId)
  if (rows.length === 0) {
    const found = yield* decodeIds(
      sql`SELECT id FROM analyses WHERE id = ${analysisId}::uuid AND user_id = ${userId}::uuid`,
    )
    if (found.length === 0) return yield* new AnalysisNotFound({ analysisId })
  }
  return [...Map.groupBy(rows, (row) => row.deliveryId).values()].map(toDelivery)
})
