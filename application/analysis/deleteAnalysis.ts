import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/AnalysisStore.ts"

/** Removes one of the caller's analyses with its result, in whatever state; a running job stops and writes nothing. */
export const deleteAnalysis = (caller: Caller, analysisId: string) =>
  AnalysisStore.use((store) => store.remove(caller.userId, analysisId))
