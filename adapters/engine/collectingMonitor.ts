import type { Monitor } from "../../domain/detection/Monitor.ts"
import type { Heap } from "./heldBytes.ts"

/** Up to this many bytes, a heap is left to V8. */
const collectFrom = 700_000_000
/** How much a larger heap may grow beyond what the last collection, which takes some 0.6 s for 1 GB, left of it. */
const garbage = 300_000_000

/**
 * A monitor that collects a large heap's garbage before the next part of a program is built. V8 would keep that of 30
 * parts until its own limit, which has to be far above the one at which the thread counts as lost.
 */
export const collectingMonitor = <M extends Monitor>(monitor: M, heap: Heap): M => {
  let limit = collectFrom
  return {
    ...monitor,
    begin: (work, done, total) => {
      monitor.begin(work, done, total)
      if (work.phase !== "build" || heap.usedBytes() <= limit) return
      heap.collect()
      limit = Math.max(collectFrom, heap.usedBytes() + garbage)
    },
  }
}
