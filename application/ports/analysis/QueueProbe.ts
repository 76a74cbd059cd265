import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"

export interface QueueDepth {
  readonly pending: number
  readonly running: number
  /** How long the oldest claimable analysis has been waiting; zero if none is. */
  readonly oldestPending: Duration.Duration
}

/** The waiting and running analyses of all tenants and workers. */
export class QueueProbe extends Context.Service<
  QueueProbe,
  { readonly depth: Effect.Effect<QueueDepth, StoreUnavailable> }
>()("assay/application/QueueProbe") {}
