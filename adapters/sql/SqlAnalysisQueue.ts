import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { awaitNotification } from "./awaitNotification.ts"
import { claimAnalysis } from "./analysis/claimAnalysis.ts"
import { compareFingerprints } from "./analysis/compareFingerprints.ts"
import { completeAnalysis } from "./analysis/completeAnalysis.ts"
import { announceLeases, failAnalysis, handBackAnalysis } from "./analysis/endAttempt.ts"
import { heartbeat } from "./analysis/heartbeat.ts"
import { onOwnConnection } from "./Lane.ts"
import { queueChannel } from "./queueChannel.ts"
import { whileAvailable } from "./whileAvailable.ts"

/** Covers everything that is not notified: the end of a backoff, an expired lease, a lost connection. */
const pollInterval = Duration.seconds(2)

/** Milliseconds; longer than the server's own timeout, because no request waits for a result to be written. */
const resultTime = 20_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* announceLeases
  const awaitWork = yield* awaitNotification(queueChannel, pollInterval)

  return AnalysisQueue.of({
    claim: Effect.fn("AnalysisQueue.claim")((workerId) => whileAvailable(claimAnalysis(sql, workerId))),
    heartbeat: Effect.fn("AnalysisQueue.heartbeat")((job, stage, progress) =>
      whileAvailable(heartbeat(sql, job, stage, progress)),
    ),
    complete: Effect.fn("AnalysisQueue.complete")((job, result) =>
      whileAvailable(onOwnConnection(completeAnalysis(sql, job, result)), resultTime),
    ),
    fail: Effect.fn("AnalysisQueue.fail")((job, failure, retryable) =>
      whileAvailable(failAnalysis(sql, job, failure, retryable)),
    ),
    handBack: Effect.fn("AnalysisQueue.handBack")((job) => whileAvailable(handBackAnalysis(sql, job))),
    compare: Effect.fn("AnalysisQueue.compare")((job, branch, fingerprints) =>
      whileAvailable(onOwnConnection(compareFingerprints(sql, job, branch, fingerprints))),
    ),
    awaitWork,
  })
})

/** The queue on a migrated database, embedded or not. */
export const layer = Layer.effect(AnalysisQueue, make)
