import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import { largestReport } from "../../domain/report/fitResult.ts"
import { renderJson } from "../../domain/report/Json.ts"
import { jsonSize } from "../../domain/report/jsonSize.ts"
import { renderSarif } from "../../domain/report/Sarif.ts"
import type { RenderedReports } from "../ports/PackedReport.ts"

/** The result with its worst findings alone, which says how many more there are. */
const worst = (result: AnalysisResult, count: number): AnalysisResult => {
  const more = result.findings.length - count + result.suppressed.length
  const note = `${more} results, the least severe, are left out because of the size of this log; the JSON report has them.`
  const engines = [...result.coverage.engines, { name: "Assay", version: "", note }]
  return {
    ...result,
    findings: result.findings.slice(0, count),
    suppressed: [],
    coverage: { ...result.coverage, engines },
  }
}

/** The result as a SARIF log within the limit of a report: as JSON it may be some times as long as the result. */
export const sarifOf = (result: AnalysisResult, rules: ReadonlyArray<RuleMeta>): string => {
  let sarif = renderSarif(result, rules)
  for (let count = result.findings.length; count > 0 && jsonSize(sarif) > largestReport;) {
    count = Math.floor(count / 2)
    sarif = renderSarif(worst(result, count), rules)
  }
  return JSON.stringify(sarif)
}

/** Everything that readers will ask for of a result. */
export const renderReports = (result: AnalysisResult, rules: ReadonlyArray<RuleMeta>): RenderedReports => ({
  json: renderJson(result),
  markdown: result.markdownReport,
  sarif: sarifOf(result, rules),
})
