import { setImmediate } from "node:timers/promises"

/** Milliseconds after which everything else in the process has its turn: heartbeats, probes, other analyses, signals. */
const turn = 10

/** To be awaited between the small pieces of a work that may be long; rejects once it is to end. */
export const takingTurns = (signal?: AbortSignal): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - begun < turn) return
    await setImmediate(undefined, signal === undefined ? {} : { signal })
    begun = performance.now()
  }
}
