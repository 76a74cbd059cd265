import { Notification } from "../../../domain/notification/Notification.ts"
import { described } from "./describe.ts"
import { jsonSchemaOf, names } from "./namedSchemas.ts"
import { mergeReferences, tidySchema } from "./tidySchema.ts"

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

/** What we ask of others: the requests to `webhookUrl`. */
export const webhooks = {
  notification: {
    post: {
      operationId: "notification",
      summary: "An analysis has ended",
      description:
        "Sent to the analysis's `webhookUrl` when it completes or fails, signed per Standard Webhooks, and " +
        "retried over three days until the response is 2xx.",
      tags: ["Deliveries"],
      parameters: [
        header(
          "webhook-id",
          "The same in every attempt; use it to process each notification once.",
          "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f",
        ),
        header("webhook-timestamp", "Unix time of the attempt; reject anything older than five minutes.", "1774087200"),
        header(
          "webhook-signature",
          "`v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`; space-separated if several.",
          "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: described(mergeReferences(tidySchema(jsonSchemaOf(Notification), names)), "Notification"),
          },
        },
      },
      responses: {
        "2XX": { description: "Received. The body is not read." },
        "410": { description: "Stop: no further attempts are made." },
        default: { description: "Not received; retried, honoring `Retry-After`. This includes redirects." },
      },
    },
  },
}
