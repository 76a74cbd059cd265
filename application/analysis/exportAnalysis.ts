import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Caller } from "../../domain/identity/Caller.ts"
import { PlanId } from "../../domain/plan/Plan.ts"
import type { PackedReport, ReportForm } from "../ports/analysis/PackedReport.ts"
import { getResult } from "./getResult.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** A report as a file. */
export interface ExportedReport {
  readonly filename: string
  readonly contentType: string
  readonly report: PackedReport
}

/** The caller's plan does not include `feature`; `plan` does. */
export class SubscriptionRequired extends Schema.TaggedError<SubscriptionRequired>()("SubscriptionRequired", {
  feature: Schema.String,
  plan: PlanId,
}) {}

/** The forms of a result; the access table is a separate response. */
type ExportForm = Exclude<ReportForm, "access">

const kinds: Record<ExportForm, { readonly extension: string; readonly contentType: string }> = {
  json: { extension: "json", contentType: "application/json" },
  markdown: { extension: "md", contentType: "text/markdown; charset=utf-8" },
  html: { extension: "html", contentType: "text/html; charset=utf-8" },
  sarif: { extension: "sarif", contentType: "application/sarif+json" },
}

/** `assay-<repository>-<first characters of the id>`: safe as a file name on every system. */
const filenameOf = (repositoryUrl: string, analysisId: AnalysisId, extension: string): string => {
  const repository = withoutTrailingSlashes(repositoryUrl)
    .replace(/\.git$/, "")
    .split("/")
    .at(-1)!
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 80)
  return `assay-${repository}-${analysisId.slice(0, 8)}.${extension}`
}

/** Whether the caller's plan includes the format: SARIF needs pro. */
export const mayExport = ({ plan }: Caller, format: ExportForm): Effect.Effect<void, SubscriptionRequired> =>
  format === "sarif" && plan !== "pro"
    ? Effect.fail(new SubscriptionRequired({ feature: "SARIF export", plan: "pro" }))
    : Effect.void

/** The result of one of the caller's analyses in a format to download, which the caller's plan must include. */
export const exportAnalysis = Effect.fn("exportAnalysis")(function* (
  caller: Caller,
  analysisId: AnalysisId,
  format: ExportForm,
) {
  yield* mayExport(caller, format)
  const report = yield* getResult(caller, analysisId, format)
  const { extension, contentType } = kinds[format]
  const filename = filenameOf(report.repositoryUrl, analysisId, extension)
  return { filename, contentType, report } satisfies ExportedReport
})
