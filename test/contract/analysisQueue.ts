import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../application/ports/analysis/AnalysisQueue.ts"
import { claim, claimNothing, complete, create, fail, newOrganization, newUser, type Test } from "../support/stores.ts"
import { type UserId, WorkerId } from "../../domain/ids/Ids.ts"

const createMany = (userId: UserId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => create(userId))

const claimMany = (workers: number) =>
  Effect.map(
    Effect.all(
      Array.from({ length: workers }, () => AnalysisQueue.use((queue) => queue.claim(WorkerId.make("worker")))),
      { concurrency: "unbounded" },
    ),
    (jobs) => jobs.flatMap((job) => Option.toArray(job)),
  )

/** A separate queue without earlier notifications: the first wait ends once it listens. */
const listeningQueue = Effect.gen(function* () {
  const queue = Context.get(yield* Layer.build(Layer.fresh(SqlAnalysisQueue.layer)), AnalysisQueue)
  yield* queue.awaitWork
  return queue
})

/** Which tenant gets a worker next. */
export const analysisQueue: Readonly<Record<string, Test>> = {
  "a tenant's analyses run oldest first": Effect.gen(function* () {
    const created = yield* createMany(yield* newUser(), 4)
    const claimed = [yield* claim, yield* claim, yield* claim, yield* claim]
    assert.deepEqual(
      claimed.map((job) => job.analysisId),
      created,
    )
  }),

  "a tenant with fewer running analyses comes before one that submitted earlier": Effect.gen(function* () {
    const [heavy, light] = [yield* newUser(), yield* newUser()]
    yield* createMany(heavy, 5)
    yield* createMany(light, 1)
    const claimed = [yield* claim, yield* claim, yield* claim]
    assert.deepEqual(
      claimed.map((job) => job.userId),
      [heavy, light, heavy],
    )
  }),

  "a tenant with fewer running analyses comes before one whose last turn was longer ago": Effect.gen(function* () {
    const [heavy, light] = [yield* newUser(), yield* newUser()]
    yield* createMany(heavy, 2)
    yield* createMany(light, 2)
    assert.strictEqual((yield* claim).userId, heavy)
    yield* complete(yield* claim)
    assert.strictEqual((yield* claim).userId, light)
  }),

  "a single worker takes turns between tenants": Effect.gen(function* () {
    const [heavy, light] = [yield* newUser(), yield* newUser()]
    yield* createMany(heavy, 3)
    yield* createMany(light, 2)
    const served: Array<string> = []
    for (let turn = 0; turn < 5; turn++) {
      const job = yield* claim
      served.push(job.userId)
      yield* complete(job)
    }
    assert.deepEqual(served, [heavy, light, heavy, light, heavy])
  }),

  "a basic tenant runs one analysis at a time, a pro tenant four": Effect.gen(function* () {
    const [basic, pro] = [yield* newUser("basic"), yield* newUser("pro")]
    yield* createMany(basic, 3)
    yield* createMany(pro, 6)
    const jobs: Array<ClaimedAnalysis> = []
    for (let turn = 0; turn < 5; turn++) jobs.push(yield* claim)
    assert.isTrue(yield* claimNothing)
    const running = (userId: UserId) => jobs.filter((job) => job.userId === userId)
    assert.lengthOf(running(basic), 1)
    assert.lengthOf(running(pro), 4)
    yield* complete(running(basic)[0]!)
    assert.strictEqual((yield* claim).userId, basic)
  }),

  "an organization's members share one cap": Effect.gen(function* () {
    const members = [yield* newUser("basic"), yield* newUser("basic")]
    yield* newOrganization(2, members)
    yield* Effect.forEach(members, (member) => createMany(member, 4))
    assert.lengthOf(yield* claimMany(8), 4)
  }),

  "workers that claim simultaneously get different analyses and respect the cap": Effect.gen(function* () {
    const users = yield* Effect.forEach(Array.from({ length: 6 }), () => newUser("basic"))
    yield* Effect.forEach(users, (userId) => createMany(userId, 3))
    const jobs: Array<ClaimedAnalysis> = []
    // A worker skips a tenant that another worker holds at that moment; the next round gets what is left.
    for (let round = 0; round < 10 && jobs.length < 6; round++) jobs.push(...(yield* claimMany(20)))
    assert.strictEqual(new Set(jobs.map((job) => job.analysisId)).size, 6)
    assert.strictEqual(new Set(jobs.map((job) => job.userId)).size, 6)
    assert.isTrue(yield* claimNothing)
  }),

  "a tenant in backoff does not hold up the others": Effect.gen(function* () {
    const [failing, other] = [yield* newUser(), yield* newUser()]
    yield* create(failing)
    yield* fail(yield* claim, true)
    const analysisId = yield* create(other)
    assert.strictEqual((yield* claim).analysisId, analysisId)
    assert.isTrue(yield* claimNothing)
  }),

  "removing a running analysis frees its tenant's slot": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const [first, second] = yield* createMany(userId, 2)
    yield* claim
    assert.isTrue(yield* claimNothing)
    yield* store.remove(userId, first!)
    assert.strictEqual((yield* claim).analysisId, second)
  }),

  "leases that are lost together are all handed out again": Effect.gen(function* () {
    const sql = yield* SqlClient
    const users = yield* Effect.forEach(Array.from({ length: 5 }), () => newUser("basic"))
    const created = yield* Effect.forEach(users, (userId) => create(userId))
    for (let turn = 0; turn < 5; turn++) yield* claim
    yield* sql`UPDATE analyses SET lease_expires_at = now() - interval '1 second'`
    const again: Array<ClaimedAnalysis> = []
    for (let turn = 0; turn < 5; turn++) again.push(yield* claim)
    assert.sameMembers(
      again.map((job) => job.analysisId),
      created,
    )
    assert.isTrue(again.every((job) => job.attempt === 2))
  }),

  "an idle worker is woken by a create, a hand-back and a retry, without polling": Effect.gen(function* () {
    const queue = yield* listeningQueue
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    // The test clock does not move, so only a notification ends the wait.
    const wokenBy = <A, E, R>(cause: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(queue.awaitWork, { startImmediately: true })
        const result = yield* cause
        yield* Fiber.join(waiting)
        return result
      })
    const analysisId = yield* wokenBy(create(userId))
    const job = yield* claim
    yield* wokenBy(queue.handBack(job))
    yield* fail(yield* claim)
    yield* wokenBy(store.retry(userId, analysisId))
  }).pipe(Effect.scoped),

  "an idle worker checks again after 2 seconds if nothing woke it": Effect.gen(function* () {
    const queue = yield* listeningQueue
    const waiting = yield* Effect.forkChild(queue.awaitWork, { startImmediately: true })
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(waiting)
  }).pipe(Effect.scoped),
}
