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

/** Milliseconds that the work below takes on the machine for which limits of CPU time were chosen. */
const usual = 170

/** How much slower this machine is at the moment than that one; at least 1. Limits of CPU time are stretched by it. */
export const slowness = (): number => {
  const took = cpuTimeOf(() => {
    for (let round = 0; round < 20; round++) {
      const entries = new Map(Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, { at, text: `value ${at}` }]))
      JSON.parse(JSON.stringify([...entries.values()]))
    }
  })
  return Math.max(1, took / usual)
}
