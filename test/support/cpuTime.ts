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
