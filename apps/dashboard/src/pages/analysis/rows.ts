import type { Finding } from "../../../../../domain/finding/Finding.ts"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import { listOf, type Search } from "../../search.ts"
import { decisions } from "../../ui/Decision.tsx"
import { severities } from "../../ui/Severity.tsx"

/** A finding with its searchable text, prepared once per report. */
export interface Row {
  readonly finding: Finding
  readonly text: string
}

export const confidences = ["high", "medium", "low"] as const
export const statuses = ["new", "unchanged", "reopened"] as const
export const orders = ["severity", "file"] as const

const byFile = (a: Row, b: Row): number =>
  a.finding.location.file < b.finding.location.file
    ? -1
    : a.finding.location.file > b.finding.location.file
      ? 1
      : a.finding.location.lineStart - b.finding.location.lineStart

/** The service lists findings worst first. */
export const rowsOf = (findings: ReadonlyArray<Finding>): ReadonlyArray<Row> =>
  findings.map((finding) => ({
    finding,
    text: `${finding.title}\n${finding.ruleId}\n${finding.location.file}\n${finding.category}`.toLowerCase(),
  }))

/** Those that the address selects, in its order. */
export const shownRows = (
  rows: ReadonlyArray<Row>,
  search: Search,
  decisionOf: (finding: Finding) => DecisionKind,
): ReadonlyArray<Row> => {
  const severity = listOf(search["severity"], severities)
  const confidence = listOf(search["confidence"], confidences)
  const status = listOf(search["status"], statuses)
  const decision = listOf(search["decision"], decisions)
  const { category, file, rule } = search
  const terms = (search["q"] ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== "")
  const shown = rows.filter(
    ({ finding, text }) =>
      (severity.length === 0 || severity.includes(finding.severity)) &&
      (confidence.length === 0 || confidence.includes(finding.confidence)) &&
      (status.length === 0 || (finding.status !== undefined && status.includes(finding.status))) &&
      (category === undefined || finding.category === category) &&
      (rule === undefined || finding.ruleId === rule) &&
      (file === undefined || finding.location.file === file) &&
      (decision.length === 0 || decision.includes(decisionOf(finding))) &&
      terms.every((term) => text.includes(term)),
  )
  return search["order"] === "file" ? shown.toSorted(byFile) : shown
}
