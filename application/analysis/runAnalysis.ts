import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { AnalysisFailure } from "../../domain/analysis/Analysis.ts"
import { progressOf, type Stage } from "../../domain/analysis/Stage.ts"
import { carriedOver } from "../../domain/finding/superseded.ts"
import { withDecision } from "../../domain/finding/Decision.ts"
import { informationalFindings } from "../../domain/finding/ResultSummary.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../ports/analysis/AnalysisQueue.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { FindingStore } from "../ports/finding/FindingStore.ts"
import { RuleCatalog } from "../ports/analysis/RuleCatalog.ts"
import { SourceCredentials } from "../repositories/sourceCredentials.ts"
import { countAnalysis, type AttemptOutcome } from "./analysisMetrics.ts"
import { type ExaminedRepository, examineRepository, type OnStageProgress } from "./examineRepository.ts"
import { ResultRenderer } from "./renderResult.ts"
import { stageClock } from "./stageClock.ts"
import { parseTraceParent } from "./traceContext.ts"

/** The lease lasts 30 s; three heartbeats fit into it, so that one may be late and one lost. */
const heartbeatInterval = "10 seconds"

/** Progress is written at most this often, however often the engine reports it. */
const progressInterval = "250 millis"

/** An outage of the database shorter than the lease costs nothing. */
const outage = Schedule.exponential("200 millis").pipe(Schedule.upTo({ times: 6 }))

const throughOutage = <A, E, R>(effect: Effect.Effect<A, E | StoreUnavailable, R>) =>
  Effect.retry(effect, {
    schedule: outage,
    while: (error) =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "StoreUnavailable",
  })

/** A child of the request that created or retried the analysis, if that was traced. */
const spanOf = ({ analysisId, attempt, framework, traceParent }: ClaimedAnalysis) => {
  const parent = traceParent === undefined ? undefined : parseTraceParent(traceParent)
  const attributes = { "assay.analysis.id": analysisId, "assay.attempt": attempt, "assay.framework": framework }
  return { kind: "consumer" as const, attributes, parent, root: parent === undefined }
}

/** Findings with their status relative to earlier analyses, and decisions about them. */
const withStanding = Effect.fnUntraced(function* (job: ClaimedAnalysis, examination: ExaminedRepository) {
  const queue = yield* AnalysisQueue
  const findingStore = yield* FindingStore
  const formerly = examination.formerly ?? {}
  const asked = [
    ...new Set([...examination.findings.map(({ fingerprint }) => fingerprint), ...Object.values(formerly).flat()]),
  ]
  const statuses = yield* throughOutage(queue.compare(job, examination.branch, asked))
  const decisions = yield* throughOutage(findingStore.decisions(job, asked))
  const standing = new Map(
    asked.map((fingerprint, index) => [fingerprint, { status: statuses[index]!, decision: decisions[index]! }]),
  )
  const findings = carriedOver(examination.findings, formerly, (fingerprint) => {
    const known = standing.get(fingerprint)
    return known !== undefined && (known.status !== "new" || known.decision.decision !== "open")
  })
  return findings.map((finding) => {
    const { status, decision } = standing.get(finding.fingerprint)!
    return withDecision({ ...finding, status }, decision)
  })
})

/** The progress of an attempt, and the heartbeats that report it and renew its lease. */
const attemptProgress = Effect.fnUntraced(function* (job: ClaimedAnalysis) {
  const queue = yield* AnalysisQueue
  const stages = yield* stageClock
  const changes = yield* Queue.sliding<void>(1)
  let current: { readonly stage: Stage; readonly progress: number } = { stage: "fetching_source", progress: 0 }
  let isRecording = false
  stages.enter(current.stage)

  const onProgress: OnStageProgress = (stage, fraction) => {
    const next = { stage, progress: Math.max(current.progress, progressOf(stage, fraction)) }
    if (next.stage === current.stage && next.progress === current.progress) return
    stages.enter(stage)
    current = next
    Queue.offerUnsafe(changes, undefined)
  }

  const keepLease = Effect.gen(function* () {
    while (true) {
      yield* queue.heartbeat(job, current.stage, current.progress).pipe(
        Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("could not write heartbeat", error.cause)),
        // A heartbeat that overtakes the answer about a recorded outcome finds no lease any more: recording decides.
        Effect.catchTag("LeaseLost", (lost) => (isRecording ? Effect.never : Effect.fail(lost))),
        // This is not a reason to abandon the work: the lease ultimately decides whether it was ours.
        Effect.catchDefect((defect) => Effect.logError("defect in a heartbeat", Cause.die(defect))),
      )
      yield* Effect.sleep(progressInterval)
      yield* Effect.timeoutOption(Queue.take(changes), heartbeatInterval)
    }
  }).pipe(Effect.withTracerEnabled(false))

  const startRecording = Effect.sync(() => void (isRecording = true))
  return { stages, onProgress, keepLease, startRecording, stageNow: () => current.stage }
})

const attempt = Effect.fnUntraced(function* (job: ClaimedAnalysis) {
  const queue = yield* AnalysisQueue
  const startedAt = yield* Clock.currentTimeMillis
  let framework = job.framework
  const { stages, onProgress, keepLease, startRecording, stageNow } = yield* attemptProgress(job)
  const work = Effect.gen(function* () {
    const rules = yield* Effect.forkChild(yield* RuleCatalog) // the first time, loaded while the repository is fetched
    const credential = yield* throughOutage((yield* SourceCredentials)(job.userId, job.repositoryUrl))
    const examination = yield* examineRepository({ ...job, credential, access: true, review: job }, onProgress)
    framework = examination.framework
    onProgress("report_generation", 0)
    const findings = yield* withStanding(job, examination)
    const finishedAt = yield* Clock.currentTimeMillis
    const rendered = yield* (yield* ResultRenderer)({
      assembly: {
        analysisId: job.analysisId,
        repositoryUrl: job.repositoryUrl,
        examination,
        findings,
        analysisTime: finishedAt - startedAt,
        completedAt: new Date(finishedAt),
      },
      rules: yield* Fiber.join(rules),
    })
    yield* startRecording
    yield* throughOutage(
      queue.complete(job, {
        ...rendered,
        informational: informationalFindings(rendered.summary),
        fingerprints: [...findings.map(({ fingerprint }) => fingerprint), ...examination.unlisted],
        branch: examination.branch,
        framework: examination.framework,
        commit: examination.commit,
      }),
    )
    return "completed" as const
  })

  const failed = (failure: AnalysisFailure, retryable: boolean) =>
    Effect.map(throughOutage(queue.fail(job, failure, retryable)), (status): AttemptOutcome =>
      status === "failed" ? "failed" : "requeued",
    )

  const outcome = yield* Effect.raceFirst(work, keepLease).pipe(
    Effect.onExit((exit) => Effect.sync(() => stages.end(Exit.asVoid(exit)))),
    Effect.catchTag("ExaminationFailed", ({ stage, message, byLimit, commit, retryable }) =>
      failed({ stage, message, byLimit, commit }, retryable),
    ),
    Effect.catchTag("LeaseLost", () =>
      Effect.as(Effect.logInfo("lease lost, analysis dropped"), "lease_lost" as const),
    ),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logError("analysis abandoned until its lease expires", error.cause), "abandoned" as const),
    ),
    Effect.catchDefect((defect) =>
      Effect.logError("defect in an analysis", Cause.die(defect)).pipe(
        Effect.andThen(
          failed({ stage: stageNow(), message: "The analysis failed with an internal error. Retry it later." }, true),
        ),
      ),
    ),
    // If the outcome cannot be recorded, only a single analysis is affected.
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("could not finish an analysis", cause), "abandoned" as const),
    ),
  )
  yield* countAnalysis(outcome, framework)
  yield* Effect.annotateCurrentSpan({ "assay.outcome": outcome, "assay.framework": framework })
  yield* Effect.logInfo("analysis ended", { outcome, framework })
})

/**
 * Takes a claimed analysis to its terminal state. Every outcome is recorded: completed, failed in a stage, or returned
 * when the worker shuts down. If the lease is lost, it stops and writes nothing.
 */
export const runAnalysis = (job: ClaimedAnalysis) =>
  Effect.interruptible(attempt(job)).pipe(
    Effect.onInterrupt(() =>
      Effect.andThen(
        Effect.ignore(AnalysisQueue.use((queue) => queue.handBack(job))),
        countAnalysis("handed_back", job.framework),
      ),
    ),
    Effect.withSpan("analysis", spanOf(job)),
    Effect.annotateLogs({ analysisId: job.analysisId, attempt: job.attempt }),
    Effect.uninterruptible,
  )
