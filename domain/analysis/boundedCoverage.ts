import { fitting } from "../finding/fitting.ts"
import type { Coverage } from "./Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"

/** The coverage with as many skipped files as fit into a result, and the number of the others. */
export const boundedCoverage = (coverage: Coverage): Coverage => {
  const filesSkipped = fitting(coverage.filesSkipped, resultLimits.filesSkipped, (skipped) => skipped)
  const more = coverage.filesSkipped.length - filesSkipped.length + (coverage.omitted?.filesSkipped ?? 0)
  return {
    ...coverage,
    filesSkipped,
    ...(more === 0 ? {} : { omitted: { ...coverage.omitted, filesSkipped: more } }),
  }
}
