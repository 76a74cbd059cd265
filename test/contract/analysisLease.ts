import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import {
  claim,
  claimNothing,
  complete,
  create,
  expireLeases,
  fail,
  newUser,
  statusOf,
  usedBy,
  type Test,
} from "../support/stores.ts"

/** What a worker may do with an analysis, and for how long. */
export const analysisLease: Readonly<Record<string, Test>> = {
  "an expired lease is handed out again; after the third attempt the analysis fails": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    for (const attempt of [1, 2, 3]) {
      const job = yield* claim
      assert.deepInclude(job, { analysisId, attempt })
      yield* queue.heartbeat(job, "static_analysis", 40)
      yield* expireLeases
    }
    assert.isTrue(yield* claimNothing)
    const { status, failure } = yield* store.find(userId, analysisId)
    assert.strictEqual(status, "failed")
    assert.strictEqual(failure?.stage, "static_analysis")
    assert.include(failure?.message, "3 times")
    assert.strictEqual(yield* usedBy(userId), 0)
  }),

  "an attempt after a lost one starts over": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    yield* queue.heartbeat(yield* claim, "static_analysis", 40)
    yield* expireLeases
    yield* claim
    assert.deepInclude(yield* store.progress(userId, analysisId), { progress: 2, currentStage: "fetching_source" })
  }),

  "a worker past its lease writes nothing, even if nobody else holds the analysis": Effect.gen(function* () {
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    const job = yield* claim
    yield* expireLeases
    assert.strictEqual((yield* Effect.flip(queue.heartbeat(job, "static_analysis", 40)))._tag, "LeaseLost")
    assert.strictEqual((yield* Effect.flip(complete(job)))._tag, "LeaseLost")
    assert.strictEqual((yield* Effect.flip(fail(job)))._tag, "LeaseLost")
    yield* queue.handBack(job)
    assert.strictEqual(yield* statusOf(userId, analysisId), "running")
  }),

  "a worker whose analysis was given to another writes nothing": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    const first = yield* claim
    yield* expireLeases
    const second = yield* claim
    assert.notStrictEqual(first.attemptToken, second.attemptToken)
    assert.strictEqual((yield* Effect.flip(complete(first)))._tag, "LeaseLost")
    assert.strictEqual((yield* Effect.flip(fail(first)))._tag, "LeaseLost")
    yield* complete(second)
    assert.strictEqual(yield* statusOf(userId, analysisId), "completed")
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "the second of two completions of an attempt is refused": Effect.gen(function* () {
    yield* create(yield* newUser())
    const job = yield* claim
    const outcomes = yield* Effect.all([Effect.exit(complete(job)), Effect.exit(complete(job))], {
      concurrency: "unbounded",
    })
    assert.lengthOf(
      outcomes.filter((outcome) => outcome._tag === "Success"),
      1,
    )
  }),

  "an analysis that is handed back keeps its attempt and its place in the queue": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    yield* create(userId)
    const job = yield* claim
    assert.strictEqual(job.analysisId, analysisId)
    yield* queue.handBack(job)
    assert.deepInclude(yield* store.progress(userId, analysisId), { status: "pending", currentStage: "queued" })
    assert.deepInclude(yield* claim, { analysisId, attempt: 1 })
    assert.strictEqual(yield* usedBy(userId), 2)
  }),
}
