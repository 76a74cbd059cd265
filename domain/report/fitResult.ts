import type { AnalysisResult } from "../analysis/Analysis.ts"
import { boundedCoverage } from "../analysis/boundedCoverage.ts"
import type { Omitted } from "../analysis/Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { jsonBytes } from "../finding/fitting.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import { countBySeverity } from "../finding/severityCounts.ts"
import type { Severity } from "../finding/Severity.ts"
import { worstFirst } from "../finding/worstFirst.ts"

type Unrendered = Omit<AnalysisResult, "markdownReport">
type Listed = Finding | SuppressedFinding

const withoutDetails = <F extends Listed>(finding: F): F => {
  const { snippet: _, ...location } = finding.location
  return { ...finding, location, trace: [] }
}

/** Those that fit into `room`, in order; one that does not fit leaves its space to those after it. */
const choose = (sizes: ReadonlyArray<number>, room: number): ReadonlyArray<boolean> => {
  let left = room
  return sizes.map((size) => {
    if (size > left) return false
    left -= size
    return true
  })
}

/**
 * The findings that fit into `room` bytes, suppressed ones last: less severe ones lose their details first, then their
 * place.
 */
const fitFindings = (findings: ReadonlyArray<Listed>, room: number): ReadonlyMap<Listed, Listed> => {
  const bare = findings.map(withoutDetails)
  const sizes = bare.map((finding) => jsonBytes(finding) + 1)
  const needed = sizes.reduce((a, b) => a + b, 0)
  const forDetails = Math.max(Math.floor(room / 4), room - needed)
  const listed = choose(sizes, room - forDetails)
  const extra = findings.map((finding, index) => (listed[index] ? jsonBytes(finding) + 1 - sizes[index]! : Infinity))
  const detailed = choose(extra, forDetails)
  return new Map(
    findings.flatMap((finding, index) => (listed[index] ? [[finding, detailed[index] ? finding : bare[index]!]] : [])),
  )
}

const plus = (
  a: Readonly<Record<Severity, number>> | undefined,
  b: Readonly<Record<Severity, number>>,
): Record<Severity, number> => ({
  critical: (a?.critical ?? 0) + b.critical,
  high: (a?.high ?? 0) + b.high,
  medium: (a?.medium ?? 0) + b.medium,
  low: (a?.low ?? 0) + b.low,
  informational: (a?.informational ?? 0) + b.informational,
})

/** The result within its limit; whatever does not fit is counted in its coverage. The summary is unchanged. */
export const fitResult = (result: Unrendered): Unrendered => {
  const room = resultLimits.bytes - resultLimits.markdown
  if (jsonBytes(result) <= room) return result
  const { findings, suppressed } = result
  const coverage = boundedCoverage(result.coverage)
  const rest = jsonBytes({ ...result, findings: [], suppressed: [], coverage })
  // The counts take no more than 500 bytes.
  const kept = fitFindings(
    [...findings.toSorted(worstFirst), ...suppressed.toSorted(worstFirst)],
    Math.max(0, room - rest - 500),
  )
  const shown = <F extends Listed>(all: ReadonlyArray<F>): ReadonlyArray<F> =>
    // The remaining part of a finding has its type.
    all.flatMap((finding) => (kept.has(finding) ? [kept.get(finding) as F] : []))
  const lost = findings.filter((finding) => !kept.has(finding))
  const counts = {
    suppressed: (coverage.omitted?.suppressed ?? 0) + suppressed.length - shown(suppressed).length,
    details: (coverage.omitted?.details ?? 0) + [...kept].filter(([finding, listed]) => finding !== listed).length,
  }
  const omitted: Omitted = {
    ...coverage.omitted,
    ...(lost.length === 0 ? {} : { findings: plus(coverage.omitted?.findings, countBySeverity(lost)) }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  }
  return {
    ...result,
    findings: shown(findings),
    suppressed: shown(suppressed),
    coverage: { ...coverage, omitted },
  }
}

const cutMark = "\n\nThe rest of this report is omitted because of its size; see the JSON report.\n"

/** A Markdown report within its limit: its beginning, up to the last finding that fits completely. */
export const fitMarkdown = (report: string): string => {
  if (jsonBytes(report) <= resultLimits.markdown) return report
  let left = resultLimits.markdown - jsonBytes(cutMark)
  const kept: Array<string> = []
  for (const part of report.split("\n\n### ")) {
    const block = kept.length === 0 ? part : `\n\n### ${part}`
    left -= jsonBytes(block)
    if (left < 0) break
    kept.push(block)
  }
  return kept.join("") + cutMark
}
