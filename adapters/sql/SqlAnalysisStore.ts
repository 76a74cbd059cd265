import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound, AnalysisStore, type ListFilter } from "../../application/ports/analysis/AnalysisStore.ts"
import { findAnalysis, listAnalyses } from "./analysis/readAnalysis.ts"
import { insertAnalysis } from "./analysis/insertAnalysis.ts"
import { lookupBadge } from "./analysis/lookupBadge.ts"
import { lookupFirstPage } from "./analysis/lookupFirstPage.ts"
import { lookupProgress } from "./analysis/lookupProgress.ts"
import { reportReader } from "./analysis/readReport.ts"
import { removeAnalysis } from "./analysis/removeAnalysis.ts"
import { retryAnalysis } from "./analysis/retryAnalysis.ts"
import { onOwnConnection } from "./Lane.ts"
import { isShared } from "./readers.ts"
import { whileAvailable } from "./whileAvailable.ts"
import { canonicalId, isUuid } from "../../domain/ids/uuid.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Runs `effect` with the id in the database's spelling; any other text identifies no analysis. */
const withId = <A, E>(analysisId: AnalysisId, effect: (id: AnalysisId) => Effect.Effect<A, E>) =>
  isUuid(analysisId) ? effect(canonicalId(analysisId)) : Effect.fail(new AnalysisNotFound({ analysisId }))

/** The most frequently requested page. */
const isFirstPage = ({ after, status, framework, repositoryUrl, shared }: ListFilter): boolean =>
  shared !== true && [after, status, framework, repositoryUrl].every((condition) => condition === undefined)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const progressOf = lookupProgress(sql)
  const badgeOf = lookupBadge(sql)
  const firstPageOf = lookupFirstPage(sql)
  const readReport = reportReader(sql)

  return AnalysisStore.of({
    create: Effect.fn("AnalysisStore.create")((analysis, idempotency) =>
      whileAvailable(insertAnalysis(sql, analysis, idempotency)),
    ),
    list: Effect.fn("AnalysisStore.list")((userId, filter) =>
      isFirstPage(filter) ? firstPageOf(userId, filter.limit) : whileAvailable(listAnalyses(sql, userId, filter)),
    ),
    // No separate span and timeout: the batch has both.
    progress: (userId, analysisId) =>
      withId(analysisId, (id) =>
        Effect.flatMap(progressOf(id), (found) => {
          const missing = Effect.fail(new AnalysisNotFound({ analysisId }))
          if (found === undefined || found.userId === userId)
            return found === undefined ? missing : Effect.succeed(found)
          // Rare, so the batch does not query it for every analysis.
          return Effect.flatMap(whileAvailable(isShared(sql, userId, found.userId)), (shared) =>
            shared ? Effect.succeed(found) : missing,
          )
        }),
      ),
    find: Effect.fn("AnalysisStore.find")((userId, analysisId) =>
      withId(analysisId, (id) => whileAvailable(findAnalysis(sql, userId, id))),
    ),
    report: Effect.fn("AnalysisStore.report")((analysisId, form, render) =>
      isUuid(analysisId)
        ? whileAvailable(onOwnConnection(readReport(canonicalId(analysisId), form, render)))
        : Effect.succeedNone,
    ),
    badge: (analysisId) =>
      withId(analysisId, (id) =>
        Effect.flatMap(badgeOf(id), (found) => {
          if (found === undefined) return Effect.fail(new AnalysisNotFound({ analysisId }))
          const { analysisId: _, ...badge } = found
          return Effect.succeed(badge)
        }),
      ),
    retry: Effect.fn("AnalysisStore.retry")((userId, analysisId, traceParent) =>
      withId(analysisId, (id) => whileAvailable(retryAnalysis(sql, userId, id, traceParent))),
    ),
    remove: Effect.fn("AnalysisStore.remove")((userId, analysisId) =>
      withId(analysisId, (id) => whileAvailable(removeAnalysis(sql, userId, id))),
    ),
  })
})

/** The store on a migrated database, embedded or not. */
export const layer = Layer.effect(AnalysisStore, make)
