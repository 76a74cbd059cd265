import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { PlanId } from "../../domain/plan/Plan.ts"
import { renderSarif } from "../../domain/report/Sarif.ts"
import { RuleCatalogue } from "../ports/RuleCatalogue.ts"
import { cachedReport } from "./cachedReport.ts"
import { getResult } from "./getResult.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

export type ExportFormat = "json" | "markdown" | "sarif"

/** A report as a file. */
export interface ExportedReport {
  readonly filename: string
  readonly contentType: string
  readonly text: string
}

/** The caller's plan does not include `feature`; `plan` does. */
export class SubscriptionRequired extends Schema.TaggedError<SubscriptionRequired>()("SubscriptionRequired", {
  feature: Schema.String,
  plan: PlanId,
}) {}

const kinds: Record<ExportFormat, { readonly extension: string; readonly contentType: string }> = {
  json: { extension: "json", contentType: "application/json" },
  markdown: { extension: "md", contentType: "text/markdown; charset=utf-8" },
  sarif: { extension: "sarif", contentType: "application/sarif+json" },
}

/** `assay-<repository>-<first characters of the id>`: safe as a file name on every system. */
const filenameOf = (repositoryUrl: string, analysisId: string, extension: string): string => {
  const repository = withoutTrailingSlashes(repositoryUrl)
    .replace(/\.git$/, "")
    .split("/")
    .at(-1)!
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 80)
  return `assay-${repository}-${analysisId.slice(0, 8)}.${extension}`
}

const decodeResult = Schema.decodeEffect(Schema.fromJsonString(AnalysisResult))

const rendered = Effect.fnUntraced(function* (caller: Caller, analysisId: string, format: "markdown" | "sarif") {
  const { repositoryUrl, text } = yield* getResult(caller, analysisId)
  // The service wrote it itself: one that does not decode is a defect.
  const result = yield* Effect.orDie(decodeResult(text))
  if (format === "markdown") return { repositoryUrl, text: result.markdownReport }
  return { repositoryUrl, text: JSON.stringify(renderSarif(result, yield* RuleCatalogue)) }
})

/** The result of one of the caller's analyses in a format to download; SARIF needs the pro plan. */
export const exportAnalysis = Effect.fn("exportAnalysis")(function* (
  caller: Caller,
  analysisId: string,
  format: ExportFormat,
) {
  if (format === "sarif" && caller.plan !== "pro") {
    return yield* new SubscriptionRequired({ feature: "SARIF export", plan: "pro" })
  }
  const { repositoryUrl, text } = yield* format === "json"
    ? getResult(caller, analysisId)
    : cachedReport(caller, analysisId, format, rendered(caller, analysisId, format))
  const { extension, contentType } = kinds[format]
  return { filename: filenameOf(repositoryUrl, analysisId, extension), contentType, text } satisfies ExportedReport
})
