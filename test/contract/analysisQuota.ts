import { assert } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStore, type NewAnalysis } from "../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../application/ports/analysis/AnalysisQueue.ts"
import {
  analysisOf,
  claim,
  claimNothing,
  create,
  createFailed,
  expireLeases,
  fail,
  newOrganization,
  newUser,
  usedBy,
  type Test,
} from "../support/stores.ts"
import { UserId, PoolId, WorkerId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

const setUsed = (poolId: PoolId, used: number) =>
  SqlClient.use((sql) => sql`UPDATE pools SET used = ${used} WHERE id = ${poolId}::uuid`)

/** Moves the pool's period, and the scans charged to it, back until the period is over. */
const endPeriod = (poolId: PoolId) =>
  SqlClient.use(
    (sql) => sql`
      WITH pool AS (
        UPDATE pools SET period_start = now() - interval '62 days', period_end = now() - interval '31 days'
        WHERE id = ${poolId}::uuid RETURNING id, period_start
      )
      UPDATE analyses SET charged_period = pool.period_start FROM pool WHERE analyses.pool_id = pool.id`,
  )

const tally = <A, E extends { readonly _tag: string }, R>(creates: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.map(Effect.forEach(creates, Effect.result, { concurrency: "unbounded" }), (outcomes) => ({
    created: outcomes.filter((outcome) => outcome._tag === "Success").length,
    refused: outcomes.filter((outcome) => outcome._tag === "Failure" && outcome.failure._tag === "QuotaExceeded")
      .length,
  }))

/** One attempt of a new analysis that hits a limit, at this commit or before one was known. */
const overLimit = Effect.fnUntraced(function* (
  userId: UserId,
  commit: string | undefined,
  change: Partial<NewAnalysis> = {},
) {
  const queue = yield* AnalysisQueue
  const analysisId = yield* create(userId, change)
  const failure = { stage: "compilation", message: "Too large.", byLimit: true, commit } as const
  yield* queue.fail(yield* claim, failure, false)
  return analysisId
})

const [commit, other] = ["a".repeat(40), "b".repeat(40)]

/** Scans are charged in the same transaction as the row that they pay for. */
export const analysisQuota: Readonly<Record<string, Test>> = {
  "200 simultaneous creates with 10 scans left create exactly 10": Effect.gen(function* () {
    const sql = yield* SqlClient
    const userId = yield* newUser("basic")
    const outcome = yield* tally(Array.from({ length: 200 }, () => create(userId)))
    assert.deepEqual(outcome, { created: 10, refused: 190 })
    assert.strictEqual(yield* usedBy(userId), 10)
    assert.lengthOf(yield* sql`SELECT id FROM analyses`, 10)
  }),

  "a refusal states the limit and the start of the next calendar month": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    yield* setUsed(PoolId.make(userId), 10)
    const error = yield* Effect.flip(create(userId))
    if (error._tag !== "QuotaExceeded") return assert.fail(error._tag)
    const now = new Date()
    assert.strictEqual(error.limit, 10)
    assert.strictEqual(error.resetsAt.getTime(), Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  }),

  "an expired period is followed by a fresh one": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    yield* setUsed(PoolId.make(userId), 10)
    yield* endPeriod(PoolId.make(userId))
    yield* create(userId)
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "a scan charged in an earlier period is not refunded in this one": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    yield* create(userId)
    const job = yield* claim
    yield* endPeriod(PoolId.make(userId))
    yield* create(userId)
    yield* fail(job)
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "a retry with no scans left is refused, and the analysis stays failed": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const analysisId = yield* createFailed(userId)
    yield* setUsed(PoolId.make(userId), 10)
    assert.strictEqual((yield* Effect.flip(store.retry(userId, analysisId)))._tag, "QuotaExceeded")
    assert.strictEqual((yield* store.find(userId, analysisId)).status, "failed")
    assert.strictEqual(yield* usedBy(userId), 10)
  }),

  "members share 60 scans per seat of their organization": Effect.gen(function* () {
    const members = [yield* newUser("basic"), yield* newUser("basic"), yield* newUser("basic")]
    const organization = yield* newOrganization(2, members)
    yield* setUsed(PoolId.make(organization), 110)
    const outcome = yield* tally(Array.from({ length: 30 }, (_, index) => create(members[index % 3]!)))
    assert.deepEqual(outcome, { created: 10, refused: 20 })
    assert.strictEqual(yield* usedBy(UserId.make(organization)), 120)
    assert.strictEqual(yield* usedBy(members[0]!), 0)
  }),

  "former members use their own pool; what they started is refunded to the organization's": Effect.gen(function* () {
    const sql = yield* SqlClient
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const organization = yield* newOrganization(1, [userId])
    const analysisId = yield* create(userId)
    const job = yield* claim
    yield* sql`DELETE FROM memberships`
    yield* fail(job)
    assert.strictEqual(yield* usedBy(UserId.make(organization)), 0)
    yield* store.retry(userId, analysisId)
    assert.strictEqual(yield* usedBy(UserId.make(organization)), 0)
    assert.strictEqual(yield* usedBy(userId), 1)
    assert.strictEqual((yield* claim).analysisId, analysisId)
  }),

  "the second time a commit hits a limit within an hour stays charged, and says so": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 0)
    const second = yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 1)
    const { failure } = yield* store.find(userId, second)
    assert.include(failure?.message, "Too large.")
    assert.include(failure?.message, "remains charged")
    yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 2)
  }),

  "a retry that hits the same limit stays charged, too": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const queue = yield* AnalysisQueue
    const userId = yield* newUser("basic")
    const analysisId = yield* overLimit(userId, commit)
    yield* store.retry(userId, analysisId)
    yield* queue.fail(yield* claim, { stage: "compilation", message: "Too large.", byLimit: true, commit }, false)
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "deleting the first one does not make the second one free": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    yield* store.remove(userId, yield* overLimit(userId, commit))
    yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "limits hit by other commits, branches, repositories and users are refunded": Effect.gen(function* () {
    const [userId, stranger] = [yield* newUser("basic"), yield* newUser("basic")]
    yield* overLimit(userId, commit)
    yield* overLimit(userId, other)
    yield* overLimit(userId, undefined)
    yield* overLimit(userId, undefined, { branch: "develop" })
    yield* overLimit(userId, commit, { repositoryUrl: RepositoryUrl.make("https://github.com/example/other") })
    yield* overLimit(stranger, commit)
    assert.deepEqual([yield* usedBy(userId), yield* usedBy(stranger)], [0, 0])
  }),

  "if no commit is known, the branch stands in for it, under any spelling of the repository": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    yield* overLimit(userId, undefined, { branch: "main" })
    yield* overLimit(userId, undefined, {
      branch: "main",
      repositoryUrl: RepositoryUrl.make("https://github.com/Example/Vault.git"),
    })
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "failures are remembered across the members of an organization": Effect.gen(function* () {
    const members = [yield* newUser("basic"), yield* newUser("basic")]
    const organization = yield* newOrganization(1, members)
    yield* overLimit(members[0]!, commit)
    yield* overLimit(members[1]!, commit)
    assert.strictEqual(yield* usedBy(UserId.make(organization)), 1)
  }),

  "hitting a limit is refunded again once the last refund is an hour old": Effect.gen(function* () {
    const sql = yield* SqlClient
    const userId = yield* newUser("basic")
    yield* overLimit(userId, commit)
    yield* overLimit(userId, other)
    yield* sql`UPDATE limit_failures SET refunded_at = now() - interval '1 hour'`
    yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 0)
    yield* overLimit(userId, commit)
    assert.strictEqual(yield* usedBy(userId), 1)
    assert.lengthOf(yield* sql`SELECT 1 FROM limit_failures`, 1)
  }),

  "other failures are refunded however often they occur": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    yield* createFailed(userId)
    yield* createFailed(userId)
    yield* overLimit(userId, commit)
    yield* createFailed(userId)
    assert.strictEqual(yield* usedBy(userId), 0)
  }),

  "of ten that hit a limit simultaneously, one is refunded": Effect.gen(function* () {
    const queue = yield* AnalysisQueue
    const sql = yield* SqlClient
    const userId = yield* newUser("pro")
    yield* Effect.forEach(Array.from({ length: 10 }), () => create(userId))
    const jobs: Array<ClaimedAnalysis> = []
    for (
      let next = yield* queue.claim(WorkerId.make("worker"));
      Option.isSome(next);
      next = yield* queue.claim(WorkerId.make("worker"))
    ) {
      jobs.push(next.value)
    }
    assert.isAtLeast(jobs.length, 2)
    const failure = { stage: "compilation", message: "Too large.", byLimit: true, commit } as const
    yield* Effect.forEach(jobs, (job) => queue.fail(job, failure, false), { concurrency: "unbounded" })
    assert.strictEqual(yield* usedBy(userId), 9)
    assert.lengthOf(yield* sql`SELECT 1 FROM limit_failures`, 1)
  }),

  "the second analysis that killed three workers stays charged": Effect.gen(function* () {
    const userId = yield* newUser("basic")
    for (const used of [0, 1]) {
      yield* create(userId)
      for (let attempt = 0; attempt < 3; attempt++) {
        yield* claim
        yield* expireLeases
      }
      yield* claimNothing
      assert.strictEqual(yield* usedBy(userId), used)
    }
  }),

  "the same key and body return the first response and are charged once": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const once = store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    const first = yield* once
    assert.deepEqual(yield* once, first)
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "a key whose analysis was deleted says so and does not create another one": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const once = store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    const { analysisId } = yield* once
    yield* store.remove(userId, analysisId)
    assert.deepInclude(yield* Effect.flip(once), { _tag: "IdempotentAnalysisDeleted", analysisId })
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "20 simultaneous requests with one key create one analysis": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    const once = store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => Effect.result(once)),
      { concurrency: "unbounded" },
    )
    const [created, refused] = Arr.partition(answers, (answer) => answer)
    assert.isTrue(refused.every(({ _tag }) => _tag === "IdempotencyKeyInFlight"))
    assert.strictEqual(new Set(created.map(({ analysisId }) => analysisId)).size, 1)
    assert.deepEqual(yield* once, created[0])
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "a key with a different body is refused": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    yield* store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    const error = yield* Effect.flip(store.create(analysisOf(userId), { key: "k", requestHash: "other" }))
    assert.strictEqual(error._tag, "IdempotencyKeyReused")
    assert.strictEqual(yield* usedBy(userId), 1)
  }),

  "a key belongs to its user": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    const first = yield* store.create(analysisOf(ada), { key: "k", requestHash: "h" })
    const second = yield* store.create(analysisOf(bob), { key: "k", requestHash: "other" })
    assert.notStrictEqual(second.analysisId, first.analysisId)
  }),

  "a refused create does not use up its key": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser("basic")
    yield* setUsed(PoolId.make(userId), 10)
    const once = store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    assert.strictEqual((yield* Effect.flip(once))._tag, "QuotaExceeded")
    yield* setUsed(PoolId.make(userId), 9)
    const first = yield* once
    assert.deepEqual(yield* once, first)
  }),

  "a key expires after 24 hours": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const sql = yield* SqlClient
    const userId = yield* newUser()
    const first = yield* store.create(analysisOf(userId), { key: "k", requestHash: "h" })
    yield* sql`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`
    const second = yield* store.create(analysisOf(userId), { key: "k", requestHash: "other" })
    assert.notStrictEqual(second.analysisId, first.analysisId)
  }),
}
