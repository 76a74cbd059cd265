/**
 * Milliseconds of CPU time of this thread so far: neither a busy machine nor the tests of another thread count. Deno has
 * only the clock.
 */
export const cpuTime = (): number => {
  if (typeof process.threadCpuUsage !== "function") return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds of CPU time of this thread that some work takes. */
export const cpuTimeOf = (work: () => void): number => {
  const before = cpuTime()
  work()
  return cpuTime() - before
}

/**
 * Milliseconds of the work below up to which limits of CPU time count as they stand. Beyond it a limit of 6 s is 35 times
 * that work; the repository that costs most takes 27 times (2026-11, the two measured in turn on one machine).
 */
const usual = 170

/** By how much limits of CPU time are stretched on this machine at the moment: 1 at least. */
export const slowness = (): number => {
  const took = cpuTimeOf(() => {
    for (let round = 0; round < 20; round++) {
      const entries = new Map(Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, { at, text: `value ${at}` }]))
      JSON.parse(JSON.stringify([...entries.values()]))
    }
  })
  return Math.max(1, took / usual)
}
