import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import {
  claim,
  claimNothing,
  complete,
  create,
  createFailed,
  endBackoff,
  fail,
  newUser,
  statusOf,
  usedBy,
  type Test,
} from "../support/stores.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/** Every transition of the state machine. */
export const analysisLifecycle: Readonly<Record<string, Test>> = {
  "a new analysis is pending, in stage queued": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { branch: "dev", framework: "solana" })
    assert.deepInclude(yield* store.progress(userId, analysisId), {
      analysisId,
      status: "pending",
      progress: 0,
      currentStage: "queued",
    })
    const found = yield* store.find(userId, analysisId)
    assert.deepInclude(found, { branch: "dev", framework: "solana", status: "pending", completedAt: undefined })
    assert.isUndefined(found.failure)
  }),

  "a claim makes it running and describes the job": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { branch: "dev", framework: "evm", analysisType: "quick" })
    const job = yield* claim
    assert.deepInclude(job, {
      analysisId,
      attempt: 1,
      userId,
      repositoryUrl: RepositoryUrl.make("https://github.com/example/vault"),
      branch: "dev",
      framework: "evm",
      analysisType: "quick",
    })
    assert.strictEqual(yield* statusOf(userId, analysisId), "running")
    assert.isTrue(yield* claimNothing)
  }),

  "a heartbeat updates stage and progress, which never decreases": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    const job = yield* claim
    yield* queue.heartbeat(job, "static_analysis", 40)
    yield* queue.heartbeat(job, "ai_analysis", 35)
    assert.deepInclude(yield* store.progress(userId, analysisId), { progress: 40, currentStage: "ai_analysis" })
  }),

  "a completed analysis has its branch, framework and counts": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    yield* complete(yield* claim)
    const found = yield* store.find(userId, analysisId)
    assert.deepInclude(found, { status: "completed", currentStage: "completed", branch: "main", framework: "evm" })
    assert.instanceOf(found.completedAt, Date)
    assert.deepInclude(yield* store.progress(userId, analysisId), { progress: 100, currentStage: "completed" })
    assert.deepEqual(yield* store.badge(analysisId), {
      status: "completed",
      totalFindings: 15,
      criticalFindings: 1,
      highFindings: 2,
      mediumFindings: 3,
      lowFindings: 4,
      informationalFindings: 5,
    })
  }),

  "a failed analysis says where and why, and its scan is refunded": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    assert.strictEqual(yield* usedBy(userId), 1)
    yield* fail(yield* claim)
    const found = yield* store.find(userId, analysisId)
    assert.strictEqual(found.status, "failed")
    assert.deepEqual(found.failure, { stage: "compilation", message: "nothing parses" })
    assert.strictEqual(yield* usedBy(userId), 0)
    assert.isTrue(yield* claimNothing)
  }),

  "a retryable failure waits for its backoff and runs again; the third one is final": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    for (const attempt of [1, 2]) {
      const job = yield* claim
      assert.strictEqual(job.attempt, attempt)
      yield* fail(job, true)
      assert.strictEqual(yield* statusOf(userId, analysisId), "pending")
      assert.isTrue(yield* claimNothing)
      yield* endBackoff
    }
    assert.strictEqual(yield* usedBy(userId), 1)
    yield* fail(yield* claim, true)
    assert.strictEqual(yield* statusOf(userId, analysisId), "failed")
    assert.strictEqual(yield* usedBy(userId), 0)
  }),

  "a retry makes a failed analysis pending, with fresh attempts, and charges a scan": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* createFailed(userId)
    assert.instanceOf(yield* store.retry(userId, analysisId), Date)
    const found = yield* store.find(userId, analysisId)
    assert.deepInclude(found, { status: "pending", currentStage: "queued", failure: undefined })
    assert.strictEqual(yield* usedBy(userId), 1)
    assert.deepInclude(yield* claim, { analysisId, attempt: 1 })
  }),

  "exactly one of two simultaneous retries wins, and one scan is charged": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* createFailed(userId)
    const attempts = Array.from({ length: 8 }, () => Effect.result(store.retry(userId, analysisId)))
    const outcomes = yield* Effect.all(attempts, { concurrency: "unbounded" })
    assert.lengthOf(
      outcomes.filter((outcome) => outcome._tag === "Success"),
      1,
    )
    for (const outcome of outcomes) {
      if (outcome._tag === "Failure") assert.deepInclude(outcome.failure, { _tag: "InvalidState", status: "pending" })
    }
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "only a failed analysis can be retried": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    const refusal = Effect.map(Effect.flip(store.retry(userId, analysisId)), (error) =>
      error._tag === "InvalidState" ? error.status : error._tag,
    )
    assert.strictEqual(yield* refusal, "pending")
    const job = yield* claim
    assert.strictEqual(yield* refusal, "running")
    yield* complete(job)
    assert.strictEqual(yield* refusal, "completed")
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "an analysis can be removed in any state, with its result; its scan stays charged": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const sql = yield* SqlClient
    const userId = yield* newUser()
    const pending = yield* create(userId)
    yield* store.remove(userId, pending)
    const completed = yield* create(userId)
    yield* complete(yield* claim)
    yield* store.remove(userId, completed)
    const failed = yield* createFailed(userId)
    yield* store.remove(userId, failed)
    for (const analysisId of [pending, completed, failed]) {
      assert.strictEqual((yield* Effect.flip(store.progress(userId, analysisId)))._tag, "AnalysisNotFound")
    }
    assert.lengthOf(yield* sql`SELECT analysis_id FROM analysis_results`, 0)
    assert.strictEqual(yield* usedBy(userId), 2)
  }),

  "a worker learns from its next write that its analysis was removed": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    const job = yield* claim
    yield* store.remove(userId, analysisId)
    assert.strictEqual((yield* Effect.flip(queue.heartbeat(job, "compilation", 20)))._tag, "LeaseLost")
    assert.strictEqual((yield* Effect.flip(complete(job)))._tag, "LeaseLost")
    assert.strictEqual((yield* Effect.flip(fail(job)))._tag, "LeaseLost")
    yield* queue.handBack(job)
  }),
}
