import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** Milliseconds for which a probe of the readiness counts: whoever balances asks again much sooner. */
const probeCounts = 60_000

/** Whether the server is shutting down: it still answers what is under way, and takes nothing long on. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly begun: boolean
    readonly begin: Effect.Effect<void>
    /** Resolves when it begins. */
    readonly await: Effect.Effect<void>
    /** The readiness was asked for. */
    readonly probed: Effect.Effect<void>
    /** Whether something goes by the readiness, and sends requests until it has learnt that it is over. */
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
