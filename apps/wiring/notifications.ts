import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WorkerId } from "../../domain/ids/Ids.ts"
import * as NodeWebhookSender from "../../adapters/webhook/NodeWebhookSender.ts"
import { dispatchDeliveries } from "../../application/notification/dispatchDeliveries.ts"
import { supervise } from "../../application/supervise.ts"
import type { Configuration } from "./configuration.ts"
import { version } from "./version.ts"

/** Sends notifications for as long as the layer lives. */
export const dispatcher = (workerId: WorkerId, { allowPrivateWebhooks }: Pick<Configuration, "allowPrivateWebhooks">) =>
  Layer.effectDiscard(Effect.forkScoped(supervise("deliveries", dispatchDeliveries(workerId)))).pipe(
    Layer.provide(
      NodeWebhookSender.layer({ allowPrivate: allowPrivateWebhooks, userAgent: `Assay-Webhooks/${version}` }),
    ),
  )
