import * as Schema from "effect/Schema"
import type { Finding } from "./Finding.ts"
import { addCounts, type Counts, countBySeverity } from "./severityCounts.ts"

/** `totalFindings` counts all five severities; `analysisTime` is milliseconds from claim to completion. */
export const ResultSummary = Schema.Struct({
  totalFindings: Schema.Int,
  criticalFindings: Schema.Int,
  highFindings: Schema.Int,
  mediumFindings: Schema.Int,
  lowFindings: Schema.Int,
  analysisTime: Schema.Int,
})
export type ResultSummary = typeof ResultSummary.Type

/**
 * The counts of a result, including findings that did not fit; `analysisTime` in milliseconds. The total includes
 * informational findings.
 */
export const summarize = (
  findings: ReadonlyArray<Pick<Finding, "severity">>,
  analysisTime: number,
  omitted?: Counts,
): ResultSummary => {
  const listed = countBySeverity(findings)
  const counts = omitted === undefined ? listed : addCounts(listed, omitted)
  return {
    totalFindings: Object.values(counts).reduce((sum, count) => sum + count, 0),
    criticalFindings: counts.critical,
    highFindings: counts.high,
    mediumFindings: counts.medium,
    lowFindings: counts.low,
    analysisTime: Math.max(0, Math.round(analysisTime)),
  }
}

/** Informational findings have no field in a summary: they are the total less the other four. */
export const informationalFindings = (summary: ResultSummary): number =>
  summary.totalFindings - summary.criticalFindings - summary.highFindings - summary.mediumFindings - summary.lowFindings
