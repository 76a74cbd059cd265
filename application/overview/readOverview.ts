import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { completedRepository } from "../analysis/getResult.ts"
import { getSubscription } from "../billing/getSubscription.ts"
import { indexResults } from "../finding/indexResults.ts"
import { Overviews } from "../ports/Overviews.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** How the caller's repositories stand, and what is left of the month's scans. */
export const readOverview = Effect.fn("readOverview")(function* (caller: Caller) {
  const overviews = yield* Overviews
  yield* indexResults(yield* overviews.unindexed(caller))
  return { overview: yield* overviews.overview(caller), quota: yield* getSubscription(caller) }
})

/** What one completed analysis reports against another, both of which the caller reads. */
export const compareAnalyses = Effect.fn("compareAnalyses")(function* (
  caller: Caller,
  analysisId: AnalysisId,
  otherId: AnalysisId,
) {
  yield* completedRepository(caller, analysisId)
  yield* completedRepository(caller, otherId)
  const overviews = yield* Overviews
  yield* indexResults([analysisId, otherId])
  return yield* overviews.compare(analysisId, otherId)
})
