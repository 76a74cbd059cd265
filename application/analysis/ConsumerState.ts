import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** What this process is doing with the queue: written by the consumer, read by probes and metrics. */
export class ConsumerState extends Context.Service<
  ConsumerState,
  {
    /** False once its loops have ended. */
    alive: boolean
    /** Whether it accepts analyses: the last claim reached the queue, and it was not stopped. */
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
