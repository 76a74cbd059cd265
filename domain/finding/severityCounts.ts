import type { Finding } from "./Finding.ts"
import type { Severity } from "./Severity.ts"

export const countBySeverity = (findings: ReadonlyArray<Pick<Finding, "severity">>): Record<Severity, number> => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** Findings of each severity. */
export type Counts = Readonly<Record<Severity, number>>

export const addCounts = (a: Counts, b: Counts): Counts => ({
  critical: a.critical + b.critical,
  high: a.high + b.high,
  medium: a.medium + b.medium,
  low: a.low + b.low,
  informational: a.informational + b.informational,
})
