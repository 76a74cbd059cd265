import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { DeliveryStatus } from "../../../domain/notification/Delivery.ts"
import { NotificationType } from "../../../domain/notification/Notification.ts"
import { callerFailures, failures } from "./errors.ts"
import { Timestamp, Uuid } from "./text.ts"
import { withStatus } from "./status.ts"

export const DeliveryAttemptView = Schema.Struct({
  number: Schema.Int,
  startedAt: Timestamp,
  duration: Schema.Int.annotate({ description: "Duration in milliseconds." }),
  statusCode: Schema.optionalKey(Schema.Int.annotate({ description: "Status code of the response." })),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why there was no response." })),
}).annotate({ identifier: "DeliveryAttempt" })

export const DeliveryView = Schema.Struct({
  deliveryId: Uuid.annotate({ description: "The `webhook-id` of every attempt." }),
  type: NotificationType,
  status: DeliveryStatus.annotate({
    description: "`failed` after the last attempt, or when the receiver responded with 410.",
  }),
  url: Schema.String,
  createdAt: Timestamp,
  nextAttemptAt: Schema.optionalKey(Timestamp.annotate({ description: "Time of the next attempt, while `pending`." })),
  attempts: Schema.Array(DeliveryAttemptView).annotate({ description: "The latest 20 attempts, newest first." }),
}).annotate({ identifier: "Delivery" })
export type DeliveryView = typeof DeliveryView.Type

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const analysis = { id: Uuid.annotate({ description: "The analysis." }).pipe(Schema.brand("AnalysisId")) }

export class DeliveriesGroup extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/analysis/:id/deliveries", {
      params: analysis,
      success: Schema.Array(DeliveryView),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "List an analysis's notifications",
        "Newest first, with attempts: one delivery for each time the analysis ended, if it has a `webhookUrl`.",
      ),
    ),
    HttpApiEndpoint.post("redeliver", "/api/v1/analysis/:id/deliveries/:deliveryId/redeliver", {
      params: {
        ...analysis,
        deliveryId: Uuid.annotate({ description: "The `deliveryId`." }).pipe(Schema.brand("DeliveryId")),
      },
      success: DeliveryView.pipe(withStatus(202)),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "Send a notification again",
        "Sends it immediately, whatever its status, with the same `webhook-id` and new attempts, unless it is already due or in progress.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Deliveries",
      description: "Notifications to `webhookUrl`, signed per Standard Webhooks.",
    }),
  ) {}
