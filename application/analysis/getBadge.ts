import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import { ResultCache } from "../ports/analysis/ResultCache.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** The counts of one analysis, for anyone: nothing about its findings or its repository. */
export const getBadge = Effect.fnUntraced(function* (analysisId: AnalysisId) {
  const cache = yield* ResultCache
  const kept = yield* cache.badge(analysisId)
  if (Option.isSome(kept)) return kept.value
  const badge = yield* AnalysisStore.use((store) => store.badge(analysisId))
  // In every other state, it may change at any time.
  if (badge.status === "completed") yield* cache.putBadge(analysisId, badge)
  return badge
})
