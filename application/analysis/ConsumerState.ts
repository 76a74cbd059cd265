import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** What this process does with the queue right now: the consumer writes it, probes and metrics read it. */
export class ConsumerState extends Context.Service<
  ConsumerState,
  {
    /** False once its loops have ended. */
    alive: boolean
    /** Whether it takes analyses on: the last claim reached the queue, and it was not told to stop. */
    claiming: boolean
    stopping: boolean
    /** Analyses that it is running. */
    running: number
    /** Analyses that it runs at the same time at most. */
    concurrency: number
  }
>()("assay/application/ConsumerState") {
  static readonly layer = Layer.sync(this, () => ({
    alive: true,
    claiming: false,
    stopping: false,
    running: 0,
    concurrency: 0,
  }))
}
