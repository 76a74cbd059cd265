import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Status and progress of one of the caller's analyses. */
export const getStatus = (caller: Caller, analysisId: AnalysisId) =>
  AnalysisStore.use((store) => store.progress(caller.userId, analysisId))
