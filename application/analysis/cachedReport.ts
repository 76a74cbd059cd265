import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Caller } from "../../domain/identity/Caller.ts"
import { AnalysisStore } from "../ports/AnalysisStore.ts"
import { type ReportForm, ResultCache, type StoredReport } from "../ports/ResultCache.ts"

/**
 * A rendering of one of the caller's results from the cache, or else made and kept there. Nothing from the cache is
 * served before the store has said that the analysis is there and the caller's: a deletion counts at once, even one
 * that the cache never heard of. `make` must check the same.
 */
export const cachedReport = Effect.fnUntraced(function* <E, R>(
  caller: Caller,
  analysisId: string,
  form: ReportForm,
  make: Effect.Effect<StoredReport, E, R>,
) {
  const cache = yield* ResultCache
  const kept = yield* cache.get(analysisId, form)
  if (Option.isSome(kept)) {
    yield* AnalysisStore.use((store) => store.progress(caller.userId, analysisId))
    return kept.value
  }
  const made = yield* make
  yield* cache.put(analysisId, form, made)
  return made
})
