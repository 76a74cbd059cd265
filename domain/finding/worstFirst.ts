import type { Finding } from "./Finding.ts"
import { severityRank } from "./severityRank.ts"

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of every list of findings: worst first, then by file, line, column and rule. */
export const worstFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  byText(a.location.file, b.location.file) ||
  a.location.lineStart - b.location.lineStart ||
  (a.location.columnStart ?? 0) - (b.location.columnStart ?? 0) ||
  byText(a.ruleId, b.ruleId)
