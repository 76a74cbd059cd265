import type { Program } from "./program.ts"

/** Where a process serves its metrics and probes, as printed in its log. */
export const metricsUrl = async (program: Program): Promise<string> =>
  /"url":"(http:[^"]+)\/metrics"/.exec(await program.errorLine(/metrics server started/))![1]!
