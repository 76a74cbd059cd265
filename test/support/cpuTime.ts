/**
 * Milliseconds of CPU time used by this thread so far, or by this process under Deno, which knows no thread's: neither a
 * busy machine nor tests in other processes count.
 */
export const cpuTime = (): number => {
  const { user, system } = typeof process.threadCpuUsage === "function" ? process.threadCpuUsage() : process.cpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds of this thread's CPU time that some work takes. */
export const cpuTimeOf = (work: () => void): number => {
  const before = cpuTime()
  work()
  return cpuTime() - before
}

/**
 * Up to this many milliseconds for the work below, limits of CPU time apply unchanged. Beyond it, a limit of 6 s is 35
 * times that work; the most expensive repository takes 27 times (2026-11, the two measured in turn on one machine).
 */
const usual = 170

/** The factor by which limits of CPU time are currently stretched on this machine: at least 1. */
export const slowness = (): number => {
  const took = cpuTimeOf(() => {
    for (let round = 0; round < 20; round++) {
      const entries = new Map(Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, { at, text: `value ${at}` }]))
      JSON.parse(JSON.stringify([...entries.values()]))
    }
  })
  return Math.max(1, took / usual)
}
