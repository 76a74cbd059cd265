import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { CredentialChanges } from "../../../application/ports/identity/CredentialChanges.ts"
import { Notifications } from "../Notifications.ts"

/** The channel of the triggers in migration 0003. */
const channel = "assay_credentials"

/** Changes announced by the database itself, whoever makes them. */
export const layer = Layer.effect(
  CredentialChanges,
  Effect.map(Notifications, (notifications) =>
    CredentialChanges.of({
      listen: (onChange) =>
        Effect.mapError(notifications.listen(channel, onChange), (cause) => new StoreUnavailable({ cause })),
    }),
  ),
)
