import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisNotFound, AnalysisStore, type ListFilter } from "../../application/ports/AnalysisStore.ts"
import { awaitNotification } from "./awaitNotification.ts"
import { findAnalysis, listAnalyses } from "./analysis/readAnalysis.ts"
import { claimAnalysis } from "./analysis/claimAnalysis.ts"
import { compareFingerprints } from "./analysis/compareFingerprints.ts"
import { completeAnalysis } from "./analysis/completeAnalysis.ts"
import { createAnalysis } from "./analysis/createAnalysis.ts"
import { announceLeases, failAnalysis, handBackAnalysis } from "./analysis/endAttempt.ts"
import { heartbeat } from "./analysis/heartbeat.ts"
import { lookupBadge } from "./analysis/lookupBadge.ts"
import { lookupFirstPage } from "./analysis/lookupFirstPage.ts"
import { lookupProgress } from "./analysis/lookupProgress.ts"
import { reportReader } from "./analysis/readReport.ts"
import { removeAnalysis } from "./analysis/removeAnalysis.ts"
import { retryAnalysis } from "./analysis/retryAnalysis.ts"
import { onOwnConnection } from "./Lane.ts"
import { isShared } from "./readers.ts"
import { queueChannel } from "./queueChannel.ts"
import { whileAvailable } from "./whileAvailable.ts"

/** Covers what no notification announces: a backoff that is over, a lease that ran out, a lost connection. */
const pollInterval = Duration.seconds(2)

/** Milliseconds, longer than the server gives it: no request waits for a result to be written. */
const resultTime = 20_000

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Runs `effect` with the id as the database writes it; what is not an id names no analysis. */
const withId = <A, E>(analysisId: string, effect: (id: string) => Effect.Effect<A, E>) =>
  uuid.test(analysisId) ? effect(analysisId.toLowerCase()) : Effect.fail(new AnalysisNotFound({ analysisId }))

/** What is asked for again and again, by everybody. */
const isFirstPage = ({ after, status, framework, repositoryUrl, shared }: ListFilter): boolean =>
  shared !== true && [after, status, framework, repositoryUrl].every((condition) => condition === undefined)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const progressOf = lookupProgress(sql)
  const badgeOf = lookupBadge(sql)
  const firstPageOf = lookupFirstPage(sql)
  const readReport = reportReader(sql)
  yield* announceLeases
  const awaitWork = yield* awaitNotification(queueChannel, pollInterval)

  return AnalysisStore.of({
    create: Effect.fn("AnalysisStore.create")((analysis, idempotency) =>
      whileAvailable(createAnalysis(sql, analysis, idempotency)),
    ),
    list: Effect.fn("AnalysisStore.list")((userId, filter) =>
      isFirstPage(filter) ? firstPageOf(userId, filter.limit) : whileAvailable(listAnalyses(sql, userId, filter)),
    ),
    // No span and no timeout of its own: the batch has both.
    progress: (userId, analysisId) =>
      withId(analysisId, (id) =>
        Effect.flatMap(progressOf(id), (found) => {
          const missing = Effect.fail(new AnalysisNotFound({ analysisId }))
          if (found === undefined || found.userId === userId)
            return found === undefined ? missing : Effect.succeed(found)
          // Rare, and nothing that the batch need ask of every analysis.
          return Effect.flatMap(whileAvailable(isShared(sql, userId, found.userId)), (shared) =>
            shared ? Effect.succeed(found) : missing,
          )
        }),
      ),
    find: Effect.fn("AnalysisStore.find")((userId, analysisId) =>
      withId(analysisId, (id) => whileAvailable(findAnalysis(sql, userId, id))),
    ),
    report: Effect.fn("AnalysisStore.report")((analysisId, form, render) =>
      uuid.test(analysisId)
        ? whileAvailable(onOwnConnection(readReport(analysisId.toLowerCase(), form, render)))
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
    claim: Effect.fn("AnalysisStore.claim")((workerId) => whileAvailable(claimAnalysis(sql, workerId))),
    heartbeat: Effect.fn("AnalysisStore.heartbeat")((job, stage, progress) =>
      whileAvailable(heartbeat(sql, job, stage, progress)),
    ),
    complete: Effect.fn("AnalysisStore.complete")((job, result) =>
      whileAvailable(onOwnConnection(completeAnalysis(sql, job, result)), resultTime),
    ),
    fail: Effect.fn("AnalysisStore.fail")((job, failure, retryable) =>
      whileAvailable(failAnalysis(sql, job, failure, retryable)),
    ),
    handBack: Effect.fn("AnalysisStore.handBack")((job) => whileAvailable(handBackAnalysis(sql, job))),
    compare: Effect.fn("AnalysisStore.compare")((job, branch, fingerprints) =>
      whileAvailable(onOwnConnection(compareFingerprints(sql, job, branch, fingerprints))),
    ),
    awaitWork,
  })
})

/** The store on a migrated database, embedded or not. */
export const layer = Layer.effect(AnalysisStore, make)
