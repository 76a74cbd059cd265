import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const inUse = (): number => {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

/** V8 hands out its collector to contexts that are made while this flag is set. */
const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return typeof collect === "function" ? () => void collect() : () => undefined
}
let collect: (() => void) | undefined

/**
 * Bytes that this thread holds, heap and WebAssembly memory; where they are more than `limit`, only what is still
 * reachable counts. Collecting costs some 50 ms then, a new thread 500 ms and its cold code.
 */
export const heldBytes = (limit: number): number => {
  const bytes = inUse()
  if (bytes <= limit) return bytes
  collect ??= collector()
  collect()
  return inUse()
}
