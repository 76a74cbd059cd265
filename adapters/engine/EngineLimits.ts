/** What one analysis may use. Times are wall-clock seconds; sizes are megabytes of 1,000,000 bytes. */
export interface EngineLimits {
  /** Larger source files are left out. */
  readonly fileMegabytes: number
  /** To read and parse one file, and for any other piece of work on behalf of one. */
  readonly fileSeconds: number
  /** To resolve a program or run one rule, for each started megabyte of source text. */
  readonly ruleSeconds: number
  /** A thread's heap and WebAssembly memory together. */
  readonly memoryMegabytes: number
  /** The whole of an analysis, restarts included. */
  readonly analysisSeconds: number
  /** Threads that one analysis may use up. */
  readonly restarts: number
}

/**
 * A file of 2 MB parses in 0.5 s, and a rule takes milliseconds on 1 MB: the limits leave a loaded machine a factor of
 * at least 20.
 */
export const defaultLimits: EngineLimits = {
  fileMegabytes: 2,
  fileSeconds: 10,
  ruleSeconds: 20,
  memoryMegabytes: 1_500,
  analysisSeconds: 900,
  restarts: 20,
}
