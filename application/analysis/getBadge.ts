import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BadgeData } from "../../domain/report/Badge.ts"
import { AnalysisStore } from "../ports/AnalysisStore.ts"
import { ResultCache } from "../ports/ResultCache.ts"

/** Counts of one analysis, whoever asks: nothing of its findings or its repository. */
export const getBadge = Effect.fnUntraced(function* (analysisId: string) {
  const cache = yield* ResultCache
  const kept = yield* cache.get(analysisId, "badge")
  // Written below.
  if (Option.isSome(kept)) return JSON.parse(kept.value.text) as BadgeData
  const badge = yield* AnalysisStore.use((store) => store.badge(analysisId))
  // In every other state it may change at any time.
  if (badge.status === "completed") {
    yield* cache.put(analysisId, "badge", { repositoryUrl: "", text: JSON.stringify(badge) })
  }
  return badge
})
