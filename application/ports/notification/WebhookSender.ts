import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Reply } from "../../../domain/notification/RetrySchedule.ts"

/** There was no response. `message` is for the receiver's owner and reveals nothing about our network. */
export class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", { message: Schema.String }) {}

/** Makes one POST request to a receiver, but never into our own network, whatever address its URL resolves to. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** The response within 15 s; redirects count as responses. */
    readonly send: (request: {
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }) => Effect.Effect<Reply, SendFailed>
  }
>()("assay/application/WebhookSender") {}
