import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Reply } from "../../domain/notification/RetrySchedule.ts"

/** No answer came. `message` is for the receiver's owner: it tells nothing of our network. */
export class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", { message: Schema.String }) {}

/** Makes one POST to a receiver, whatever address its URL leads to: into our own network it never does. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** The answer within 15 s; redirects are answers. */
    readonly send: (request: {
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }) => Effect.Effect<Reply, SendFailed>
  }
>()("assay/application/WebhookSender") {}
