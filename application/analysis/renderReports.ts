import { type AccessRow, fitAccess } from "../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import { renderJson } from "../../domain/report/Json.ts"
import { renderSarif } from "../../domain/report/Sarif.ts"
import type { RenderedReports } from "../ports/PackedReport.ts"

/** Everything that readers will ask for of a result, each form within the limit of a report. */
export const renderReports = (
  result: AnalysisResult,
  rules: ReadonlyArray<RuleMeta>,
  access: ReadonlyArray<AccessRow>,
): RenderedReports => ({
  json: renderJson(result),
  markdown: result.markdownReport,
  sarif: JSON.stringify(renderSarif(result, rules)),
  access: JSON.stringify(fitAccess(access)),
})
