import type { Summary } from "../analysis/Analysis.ts"
import type { Finding } from "./Finding.ts"
import type { Severity } from "./Severity.ts"

export const countBySeverity = (findings: ReadonlyArray<Pick<Finding, "severity">>): Record<Severity, number> => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** The counts of a result; `analysisTime` in milliseconds. The total includes informational findings. */
export const summarise = (findings: ReadonlyArray<Pick<Finding, "severity">>, analysisTime: number): Summary => {
  const counts = countBySeverity(findings)
  return {
    totalFindings: findings.length,
    criticalFindings: counts.critical,
    highFindings: counts.high,
    mediumFindings: counts.medium,
    lowFindings: counts.low,
    analysisTime: Math.max(0, Math.round(analysisTime)),
  }
}

/** Informational findings have no field in a summary: they are what the other four leave of the total. */
export const informationalFindings = (summary: Summary): number =>
  summary.totalFindings - summary.criticalFindings - summary.highFindings - summary.mediumFindings - summary.lowFindings
