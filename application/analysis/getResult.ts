import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AnalysisResult, AnalysisStatus } from "../../domain/analysis/Analysis.ts"
import { Stage } from "../../domain/analysis/Stage.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisNotFound, AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import type { ReportForm } from "../ports/analysis/PackedReport.ts"
import { ResultCache } from "../ports/analysis/ResultCache.ts"
import { RuleCatalog } from "../ports/analysis/RuleCatalog.ts"
import { renderReport } from "./renderReports.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"

/** The analysis is still waiting or running. */
export class AnalysisNotReady extends Schema.TaggedError<AnalysisNotReady>()("AnalysisNotReady", {
  analysisId: AnalysisId,
  status: AnalysisStatus,
}) {}

/** The analysis has no result because it failed; `message` is for the user. */
export class AnalysisFailed extends Schema.TaggedError<AnalysisFailed>()("AnalysisFailed", {
  analysisId: AnalysisId,
  stage: Stage,
  message: Schema.String,
}) {}

/** The repository URL of the caller's analysis, once it is completed. */
export const completedRepository = Effect.fnUntraced(function* (caller: Caller, analysisId: AnalysisId) {
  const store = yield* AnalysisStore
  const { status, repositoryUrl, failure, currentStage } = yield* store.find(caller.userId, analysisId)
  if (status === "completed") return repositoryUrl
  if (status === "failed") {
    return yield* new AnalysisFailed({
      analysisId,
      stage: failure?.stage ?? currentStage,
      message: failure?.message ?? "The analysis failed; retry it.",
    })
  }
  return yield* new AnalysisNotReady({ analysisId, status })
})

// The service wrote it itself, so failing to decode it is a defect.
const decodeResult = Schema.decodeSync(Schema.fromJsonString(AnalysisResult))

/**
 * One form of the result of one of the caller's analyses, byte for byte as it was completed. The cache is used only
 * after the store has confirmed that the analysis exists and belongs to the caller, so a deletion takes effect at once,
 * even if the cache missed it.
 */
export const getResult = Effect.fn("getResult")(function* (caller: Caller, analysisId: AnalysisId, form: ReportForm) {
  const cache = yield* ResultCache
  const store = yield* AnalysisStore
  const kept = yield* cache.get(analysisId, form)
  if (Option.isSome(kept)) {
    yield* store.progress(caller.userId, analysisId)
    return kept.value
  }
  const repositoryUrl = yield* completedRepository(caller, analysisId)
  const rules = yield* RuleCatalog
  const found = yield* store
    .report(analysisId, form, (json) =>
      form === "access"
        ? Effect.succeed("")
        : Effect.map(rules, (known) => renderReport(form, decodeResult(json), known, [])),
    )
    .pipe(
      Effect.catchTag("ResultTooLarge", ({ size }) =>
        Effect.fail(
          new AnalysisFailed({
            analysisId,
            stage: "report_generation",
            message: `The result is too large to be served in this format: ${Math.ceil(size / 1e6)} MB. Analyze the repository again.`,
          }),
        ),
      ),
    )
  if (Option.isNone(found)) return yield* new AnalysisNotFound({ analysisId })
  if (found.value.size === 0) {
    return yield* new AnalysisFailed({
      analysisId,
      stage: "report_generation",
      message: "This analysis was made before access tables were stored. Analyze the repository again.",
    })
  }
  const report = { repositoryUrl, ...found.value }
  yield* cache.put(analysisId, form, report)
  return report
})

/** Succeeds if the caller's analysis is completed; its result is then final. */
export const isCompleted = (caller: Caller, analysisId: AnalysisId) =>
  Effect.map(
    AnalysisStore.use((store) => store.progress(caller.userId, analysisId)),
    ({ status }) => status === "completed",
  )
