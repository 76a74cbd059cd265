import type { Monitor } from "../../domain/detection/Monitor.ts"
import type { Heap } from "./heldBytes.ts"

/** Bytes up to which a heap is left to V8. */
const collectFrom = 700_000_000
/** How much a larger one may grow over what was left of it by the last collection, which takes some 0.6 s of 1 GB. */
const garbage = 300_000_000

/**
 * A monitor that gives a large heap's garbage back before the next part of a program is built. V8 would keep that of 30
 * parts until its own limit, which has to be far beyond the one at which the thread counts as lost.
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
