import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AnalysisStatus } from "../../domain/analysis/Analysis.ts"
import { Stage } from "../../domain/analysis/Stage.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/AnalysisStore.ts"
import { cachedReport } from "./cachedReport.ts"

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

const fromStore = Effect.fnUntraced(function* (caller: Caller, analysisId: string) {
  const store = yield* AnalysisStore
  const { status, resultJson, repositoryUrl, failure, currentStage } = yield* store.find(caller.userId, analysisId)
  if (status === "completed" && resultJson !== undefined) return { repositoryUrl, text: resultJson }
  if (status === "failed") {
    return yield* new AnalysisFailed({
      analysisId,
      stage: failure?.stage ?? currentStage,
      message: failure?.message ?? "The analysis failed; retry it.",
    })
  }
  return yield* new AnalysisNotReady({ analysisId, status })
})

/** The JSON of the result of one of the caller's analyses, byte for byte as it was completed. */
export const getResult = Effect.fn("getResult")((caller: Caller, analysisId: string) =>
  cachedReport(caller, analysisId, "json", fromStore(caller, analysisId)),
)

/** Whether an analysis of the caller's is completed: its result is then what it will always be. */
export const isCompleted = (caller: Caller, analysisId: string) =>
  Effect.map(
    AnalysisStore.use((store) => store.progress(caller.userId, analysisId)),
    ({ status }) => status === "completed",
  )
