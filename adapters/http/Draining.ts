import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** Milliseconds for which a readiness probe counts: load balancers probe much more often. */
const probeCounts = 60_000

/** Whether the server is shutting down: it finishes requests in progress but starts nothing long. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly begun: boolean
    readonly begin: Effect.Effect<void>
    /** Resolves when it begins. */
    readonly await: Effect.Effect<void>
    /** Records a readiness probe. */
    readonly probed: Effect.Effect<void>
    /** Whether something relies on readiness and keeps sending requests until it turns negative. */
    readonly isWatched: Effect.Effect<boolean>
  }
>()("assay/http/Draining") {
  static readonly layer = Layer.sync(this, () => {
    const latch = Latch.makeUnsafe()
    let probedAt = -Infinity
    const state = {
      begun: false,
      begin: Effect.suspend(() => {
        state.begun = true
        return latch.open
      }),
      await: latch.await,
      probed: Effect.sync(() => {
        probedAt = performance.now()
      }),
      isWatched: Effect.sync(() => performance.now() - probedAt < probeCounts),
    }
    return state
  })
}
