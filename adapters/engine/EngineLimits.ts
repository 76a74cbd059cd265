import * as Duration from "effect/Duration"

/**
 * What one analysis may use. Times are CPU time of its thread unless stated otherwise, so that whatever else the machine
 * does changes no result. Sizes are megabytes of 1,000,000 bytes.
 */
export interface EngineLimits {
  /** Larger source files are left out. */
  readonly fileMegabytes: number
  /** To read and parse one file, and for any other piece of work on behalf of one. */
  readonly fileTime: Duration.Duration
  /** To run one rule, per started megabyte of source text. */
  readonly ruleTime: Duration.Duration
  /**
   * To resolve a program, per started megabyte; and the same again for all of its rules together, beyond what each may
   * use, because what many rules query is computed when the first one does.
   */
  readonly sharedTime: Duration.Duration
  /** A thread's heap and WebAssembly memory together. */
  readonly memoryMegabytes: number
  /** The whole of an analysis, including restarts. */
  readonly analysisTime: Duration.Duration
  /** The same in wall-clock time: beyond it, the machine is to blame. */
  readonly analysisWallTime: Duration.Duration
  /** The wall-clock time in which a thread must use half a second of CPU time; otherwise it counts as stalled. */
  readonly stallTime: Duration.Duration
  /** How many files, rules and ecosystems one analysis may leave out. */
  readonly restarts: number
}

/**
 * A file of 2 MB parses in 0.5 s, and a rule takes milliseconds on 1 MB. The most shared work seen so far is 20 s for
 * the 3 MB of drift protocol-v2, a quarter of the limit: CPU time itself grows by up to a half on a busy machine, whose
 * caches others use, too.
 */
export const defaultLimits: EngineLimits = {
  fileMegabytes: 2,
  fileTime: Duration.seconds(5),
  ruleTime: Duration.seconds(5),
  sharedTime: Duration.seconds(20),
  memoryMegabytes: 1_500,
  analysisTime: Duration.minutes(15),
  analysisWallTime: Duration.hours(1),
  stallTime: Duration.minutes(2),
  restarts: 20,
}
