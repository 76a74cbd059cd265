/**
 * What one analysis may use. Seconds are those of CPU time that its thread used, unless said otherwise: what else the
 * machine does then changes no result. Sizes are megabytes of 1,000,000 bytes.
 */
export interface EngineLimits {
  /** Larger source files are left out. */
  readonly fileMegabytes: number
  /** To read and parse one file, and for any other piece of work on behalf of one. */
  readonly fileSeconds: number
  /** To run one rule, for each started megabyte of source text. */
  readonly ruleSeconds: number
  /**
   * To resolve a program, for each started megabyte; and as much again for its rules together, beyond what each may use:
   * what many rules ask for is worked out when the first one does.
   */
  readonly sharedSeconds: number
  /** A thread's heap and WebAssembly memory together. */
  readonly memoryMegabytes: number
  /** The whole of an analysis, restarts included. */
  readonly analysisSeconds: number
  /** The same by the clock on the wall: beyond it, the machine is to blame. */
  readonly analysisWallSeconds: number
  /** Seconds by the clock in which a thread must use half a second of CPU time; otherwise it counts as stalled. */
  readonly stallSeconds: number
  /** Files, rules and ecosystems that one analysis may leave out. */
  readonly restarts: number
}

/**
 * A file of 2 MB parses in 0.5 s, and a rule takes milliseconds on 1 MB. The most that is known of shared work are 20 s on
 * the 3 MB of drift protocol-v2, a quarter of the limit: CPU time itself grows by up to a half on a busy machine, whose
 * caches others use, too.
 */
export const defaultLimits: EngineLimits = {
  fileMegabytes: 2,
  fileSeconds: 5,
  ruleSeconds: 5,
  sharedSeconds: 20,
  memoryMegabytes: 1_500,
  analysisSeconds: 900,
  analysisWallSeconds: 3_600,
  stallSeconds: 120,
  restarts: 20,
}
