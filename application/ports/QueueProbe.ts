import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface QueueDepth {
  readonly pending: number
  readonly running: number
  /** How long the one that has waited longest has been ready to be claimed, in seconds; 0 where none waits. */
  readonly oldestPendingSeconds: number
}

/** What waits and what runs, over all tenants and workers. */
export class QueueProbe extends Context.Service<
  QueueProbe,
  { readonly depth: Effect.Effect<QueueDepth, StoreUnavailable> }
>()("assay/application/QueueProbe") {}
