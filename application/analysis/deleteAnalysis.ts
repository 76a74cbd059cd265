import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import { ResultCache } from "../ports/analysis/ResultCache.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Deletes one of the caller's analyses with its result, in any state; a running job stops and writes nothing. */
export const deleteAnalysis = (caller: Caller, analysisId: AnalysisId) =>
  Effect.andThen(
    AnalysisStore.use((store) => store.remove(caller.userId, analysisId)),
    Effect.flatMap(ResultCache, (cache) => cache.remove(analysisId)),
  )
