import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AnalysisStatus } from "../../domain/analysis/Analysis.ts"
import { Stage } from "../../domain/analysis/Stage.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/AnalysisStore.ts"

/** The analysis is still waiting or running. */
export class AnalysisNotReady extends Schema.TaggedError<AnalysisNotReady>()("AnalysisNotReady", {
  analysisId: Schema.String,
  status: AnalysisStatus,
}) {}

/** The analysis has no result because it failed; `message` is for its user. */
export class AnalysisFailed extends Schema.TaggedError<AnalysisFailed>()("AnalysisFailed", {
  analysisId: Schema.String,
  stage: Stage,
  message: Schema.String,
}) {}

/** The stored analysis with the JSON of its result, byte for byte as it was completed. */
export const getResult = Effect.fn("getResult")(function* (caller: Caller, analysisId: string) {
  const store = yield* AnalysisStore
  const analysis = yield* store.find(caller.userId, analysisId)
  const { status, resultJson } = analysis
  if (status === "completed" && resultJson !== undefined) return { ...analysis, resultJson }
  if (status === "failed") {
    return yield* new AnalysisFailed({
      analysisId,
      stage: analysis.failure?.stage ?? analysis.currentStage,
      message: analysis.failure?.message ?? "The analysis failed; retry it.",
    })
  }
  return yield* new AnalysisNotReady({ analysisId, status })
})
