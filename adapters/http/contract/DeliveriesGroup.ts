import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { DeliveryStatus } from "../../../domain/notification/Delivery.ts"
import { NotificationType } from "../../../domain/notification/Notification.ts"
import { callerFailures, failures } from "./errors.ts"
import { Timestamp, Uuid } from "./text.ts"

export const DeliveryAttemptView = Schema.Struct({
  number: Schema.Int,
  startedAt: Timestamp,
  duration: Schema.Int.annotate({ description: "Milliseconds." }),
  statusCode: Schema.optionalKey(Schema.Int.annotate({ description: "What the receiver answered." })),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why there is no answer." })),
}).annotate({ identifier: "DeliveryAttempt" })

export const DeliveryView = Schema.Struct({
  deliveryId: Uuid.annotate({ description: "The `webhook-id` of every attempt." }),
  type: NotificationType,
  status: DeliveryStatus.annotate({
    description: "`failed` once it was given up: the attempts are used up, or the receiver answered 410.",
  }),
  url: Schema.String,
  createdAt: Timestamp,
  nextAttemptAt: Schema.optionalKey(Timestamp.annotate({ description: "While `pending`." })),
  attempts: Schema.Array(DeliveryAttemptView).annotate({ description: "The latest 20, newest first." }),
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
        "Newest first, with their attempts: one for each time the analysis ended, if it has a `webhookUrl`.",
      ),
    ),
    HttpApiEndpoint.post("redeliver", "/api/v1/analysis/:id/deliveries/:deliveryId/redeliver", {
      params: {
        ...analysis,
        deliveryId: Uuid.annotate({ description: "The `deliveryId`." }).pipe(Schema.brand("DeliveryId")),
      },
      success: DeliveryView.pipe(HttpApiSchema.status(202)),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "Send a notification again",
        "At once, under the same `webhook-id` and with fresh attempts, whatever became of it. One that is due or under way already is not sent twice.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Deliveries",
      description: "Notifications to `webhookUrl`, signed as Standard Webhooks says.",
    }),
  ) {}
