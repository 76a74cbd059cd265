import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** `NOTIFY` as a database delivers it. */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Calls `onNotify` once it listens, then for every notification; ends only with the connection. */
    readonly listen: (channel: string, onNotify: () => void) => Effect.Effect<never, SqlError>
  }
>()("assay/adapters/sql/Notifications") {}
