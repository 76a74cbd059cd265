import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** Whether the server is shutting down: it still answers what is under way, and takes nothing long on. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly begun: boolean
    readonly begin: Effect.Effect<void>
    /** Resolves when it begins. */
    readonly await: Effect.Effect<void>
  }
>()("assay/http/Draining") {
  static readonly layer = Layer.sync(this, () => {
    const latch = Latch.makeUnsafe()
    const state = {
      begun: false,
      begin: Effect.suspend(() => {
        state.begun = true
        return latch.open
      }),
      await: latch.await,
    }
    return state
  })
}
