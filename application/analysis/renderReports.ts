import * as Effect from "effect/Effect"
import { type AccessRow, fitAccess } from "../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import { renderHtml } from "../../domain/report/Html.ts"
import { renderJson } from "../../domain/report/Json.ts"
import { renderSarif } from "../../domain/report/Sarif.ts"
import type { RenderedReports, ReportForm } from "../ports/analysis/PackedReport.ts"

/** One form of a result, within the size limit of a report. */
export const renderReport = (
  form: ReportForm,
  result: AnalysisResult,
  rules: ReadonlyArray<RuleMeta>,
  access: ReadonlyArray<AccessRow>,
): string => {
  switch (form) {
    case "json":
      return renderJson(result)
    case "markdown":
      return result.markdownReport
    case "sarif":
      return JSON.stringify(renderSarif(result, rules))
    case "access":
      return JSON.stringify(fitAccess(access))
    case "html":
      return renderHtml(result)
  }
}

/** Every form of a result that readers may request. Yields between steps, which take some 40 ms for a large result. */
export const renderReports = Effect.fnUntraced(function* (
  result: AnalysisResult,
  rules: ReadonlyArray<RuleMeta>,
  access: ReadonlyArray<AccessRow>,
) {
  yield* Effect.yieldNow
  const json = renderReport("json", result, rules, access)
  yield* Effect.yieldNow
  const log = renderSarif(result, rules)
  yield* Effect.yieldNow
  const sarif = JSON.stringify(log)
  const markdown = renderReport("markdown", result, rules, access)
  yield* Effect.yieldNow
  const html = renderReport("html", result, rules, access)
  return {
    json,
    markdown,
    sarif,
    access: renderReport("access", result, rules, access),
    html,
  } satisfies RenderedReports
})
