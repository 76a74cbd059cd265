import * as Effect from "effect/Effect"
import type { Caller } from "../../domain/identity/Caller.ts"
import { completedRepository } from "../analysis/getResult.ts"
import { getSubscription } from "../billing/getSubscription.ts"
import { indexResults } from "../finding/indexResults.ts"
import { Overviews } from "../ports/finding/Overviews.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** The state of the caller's repositories, and the remaining scans of the month. */
export const readOverview = Effect.fn("readOverview")(function* (caller: Caller) {
  const overviews = yield* Overviews
  yield* indexResults(yield* overviews.unindexed(caller))
  return { overview: yield* overviews.overview(caller), quota: yield* getSubscription(caller) }
})

/** How the findings of one completed analysis differ from another's; the caller must be able to read both. */
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
