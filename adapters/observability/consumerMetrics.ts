import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConsumerState } from "../../application/analysis/ConsumerState.ts"
import { liveGauge } from "./liveMetric.ts"

/** The file system of a folder, or the one it will be created on. */
const fileSystemOf = (folder: string): { readonly size: number; readonly free: number } => {
  try {
    const { bsize, blocks, bavail } = statfsSync(folder)
    return { size: bsize * blocks, free: bsize * bavail }
  } catch {
    return dirname(folder) === folder ? { size: 0, free: 0 } : fileSystemOf(dirname(folder))
  }
}

/** This worker's activity, and its space for sources. */
export const consumerMetrics = (workDirectory: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const state = yield* ConsumerState
      yield* liveGauge("assay_worker_claiming", "1 while this worker claims analyses.", () => Number(state.claiming))
      yield* liveGauge("assay_worker_running_analyses", "Analyses that this worker is running.", () => state.running)
      yield* liveGauge(
        "assay_worker_slots",
        "Maximum number of analyses that this worker runs at a time.",
        () => state.concurrency,
      )
      yield* liveGauge(
        "assay_work_directory_size_bytes",
        "Size of the file system for sources.",
        () => fileSystemOf(workDirectory).size,
      )
      yield* liveGauge(
        "assay_work_directory_free_bytes",
        "Free space on the file system for sources.",
        () => fileSystemOf(workDirectory).free,
      )
    }),
  )
