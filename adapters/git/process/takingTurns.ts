import { setImmediate } from "node:timers/promises"

/**
 * After this many milliseconds, everything else in the process gets its turn: heartbeats, probes, other analyses,
 * signals.
 */
const turn = 10

/** Awaited between the small pieces of potentially long work; rejects once the work is to end. */
export const takingTurns = (signal?: AbortSignal): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - begun < turn) return
    await setImmediate(undefined, signal === undefined ? {} : { signal })
    begun = performance.now()
  }
}
