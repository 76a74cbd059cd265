import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import { currentTraceParent } from "./traceContext.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Queues a failed analysis again with its original configuration, charging one scan to the quota; returns the time. */
export const retryAnalysis = (caller: Caller, analysisId: AnalysisId) =>
  Effect.flatMap(currentTraceParent, (traceParent) =>
    AnalysisStore.use((store) => store.retry(caller.userId, analysisId, traceParent)),
  )
