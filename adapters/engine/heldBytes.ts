import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Whether this thread should release memory, and how much it holds. */
export interface Heap {
  /** Heap and WebAssembly memory taken from the system. */
  readonly bytes: () => number
  /** The same without the free parts of the heap; garbage counts as used until it is collected. */
  readonly usedBytes: () => number
  readonly collect: () => void
}

/** V8 exposes its collector to contexts that are created while this flag is set. */
const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return typeof collect === "function" ? () => void collect() : () => undefined
}
let collect: (() => void) | undefined

export const ownHeap: Heap = {
  bytes: () => {
    const { total_heap_size: heap, external_memory: external } = getHeapStatistics()
    return heap + external
  },
  usedBytes: () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
    return heap + external
  },
  collect: () => (collect ??= collector())(),
}

/**
 * How many bytes this thread holds; if there are more than `limit`, only what is still reachable counts. Collecting
 * then costs some 50 ms, whereas a new thread costs 500 ms and starts with cold code.
 */
export const heldBytes = (limit: number): number => {
  if (ownHeap.bytes() > limit) ownHeap.collect()
  return ownHeap.bytes()
}
