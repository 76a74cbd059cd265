import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlDeliveryStore from "../../adapters/sql/notification/SqlDeliveryStore.ts"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { type ClaimedDelivery, DeliveryStore } from "../../application/ports/notification/DeliveryStore.ts"
import { WebhookSecrets } from "../../application/ports/notification/WebhookSecrets.ts"
import { Notification } from "../../domain/notification/Notification.ts"
import {
  claim,
  complete,
  create,
  endBackoff,
  expireLeases,
  fail,
  newUser,
  resultOf,
  type Test,
} from "../support/stores.ts"
import { type UserId, AnalysisId, DeliveryId, WorkerId } from "../../domain/ids/Ids.ts"

const webhookUrl = "https://hooks.example.com/assay?x=1"

const claimDelivery = (busy: ReadonlyArray<string> = []) =>
  DeliveryStore.use((store) => store.claim(WorkerId.make("worker"), busy))
const claimed = Effect.flatMap(claimDelivery(), (job) => Effect.fromOption(job))
const nothingDue = Effect.map(claimDelivery(), Option.isNone)

const record = (job: ClaimedDelivery, verdict: Parameters<DeliveryStore["Service"]["record"]>[2], statusCode = 500) =>
  DeliveryStore.use((store) => store.record(job, { duration: 12, statusCode, error: undefined }, verdict))
const delivered = (job: ClaimedDelivery) => record(job, { outcome: "delivered" }, 204)
const retried = (job: ClaimedDelivery, delay = Duration.seconds(5)) => record(job, { outcome: "retried", delay })

const list = (userId: UserId, analysisId: AnalysisId) => DeliveryStore.use((store) => store.list(userId, analysisId))
const only = (userId: UserId, analysisId: AnalysisId) =>
  Effect.map(list(userId, analysisId), (all) => {
    assert.lengthOf(all, 1)
    return all[0]!
  })

const expireDeliveries = SqlClient.use(
  (sql) => sql`UPDATE deliveries SET due_at = now() - interval '1 second' WHERE status = 'sending'`,
)
const endDelays = SqlClient.use((sql) => sql`UPDATE deliveries SET due_at = now() WHERE status = 'pending'`)

/** A completed analysis and its user. */
const completed = Effect.fnUntraced(function* (url: string | undefined = webhookUrl, userId?: UserId) {
  const owner = userId ?? (yield* newUser())
  const analysisId = yield* create(owner, { webhookUrl: url })
  yield* complete(yield* claim)
  return { userId: owner, analysisId }
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Notification), { onExcessProperty: "error" })

/** Notifications are written when an analysis ends, and leased while they are being sent. */
export const deliveries: Readonly<Record<string, Test>> = {
  "a completed analysis has one delivery, with the payload as of completion": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    const job = yield* claimed
    assert.deepInclude(job, { userId, attempt: 1, url: webhookUrl, receiver: `${userId} hooks.example.com` })
    const { completedAt } = yield* AnalysisStore.use((store) => store.find(userId, analysisId))
    const { summary, commit } = resultOf()
    assert.strictEqual(
      job.payload,
      JSON.stringify({
        type: "analysis.completed",
        timestamp: completedAt!.toISOString(),
        data: {
          analysisId,
          status: "completed",
          repository: { url: "https://github.com/example/vault", branch: "main", framework: "evm", commit },
          summary,
        },
      }),
    )
    decode(job.payload)
    assert.isTrue(yield* nothingDue)
  }),

  "a failed analysis has one that says where and why": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { webhookUrl, framework: "solana" })
    yield* fail(yield* claim)
    const { payload } = yield* claimed
    const notification = decode(payload)
    assert.deepEqual(notification.data as unknown, {
      analysisId,
      status: "failed",
      repository: { url: "https://github.com/example/vault", framework: "solana" },
      error: {
        code: "ANALYSIS_FAILED",
        message: "nothing parses",
        details: { analysisId, stage: "compilation" },
      },
    })
    assert.strictEqual(notification.type, "analysis.failed")
  }),

  "an attempt that will be repeated announces nothing; the last one does": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { webhookUrl })
    for (const left of [2, 1, 0]) {
      yield* endBackoff
      yield* fail(yield* claim, true)
      assert.lengthOf(yield* list(userId, analysisId), left === 0 ? 1 : 0)
    }
  }),

  "an analysis whose workers were lost announces its failure": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { webhookUrl, branch: 'a"b' })
    for (const _attempt of [1, 2, 3]) {
      yield* claim
      yield* expireLeases
    }
    yield* AnalysisQueue.use((queue) => queue.claim(WorkerId.make("worker")))
    const { data } = decode((yield* claimed).payload)
    assert.deepInclude(data, { analysisId, status: "failed" })
    assert.strictEqual(data.repository.branch, 'a"b')
    assert.lengthOf(yield* list(userId, analysisId), 1)
  }),

  "a retried analysis announces each of its ends under a separate id": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { webhookUrl })
    yield* fail(yield* claim)
    const first = yield* only(userId, analysisId)
    yield* AnalysisStore.use((store) => store.retry(userId, analysisId))
    yield* complete(yield* claim)
    const both = yield* list(userId, analysisId)
    assert.deepEqual(
      both.map(({ type }) => type),
      ["analysis.completed", "analysis.failed"],
    )
    assert.strictEqual(both[1]!.deliveryId, first.deliveryId)
    assert.notStrictEqual(both[0]!.deliveryId, first.deliveryId)
  }),

  "only one of two completions of an attempt is announced": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId, { webhookUrl })
    const job = yield* claim
    yield* Effect.all([Effect.exit(complete(job)), Effect.exit(complete(job))], { concurrency: "unbounded" })
    assert.lengthOf(yield* list(userId, analysisId), 1)
  }),

  "an analysis without a webhookUrl has none": Effect.gen(function* () {
    const userId = yield* newUser()
    const done = yield* create(userId)
    yield* complete(yield* claim)
    const failed = yield* create(userId)
    yield* fail(yield* claim)
    assert.deepEqual(yield* list(userId, done), [])
    assert.deepEqual(yield* list(userId, failed), [])
    assert.isTrue(yield* nothingDue)
  }),

  "the end of an analysis wakes a dispatcher": Effect.gen(function* () {
    const layer = Layer.fresh(SqlDeliveryStore.layer)
    const store = Context.get(yield* Layer.build(layer), DeliveryStore)
    yield* store.awaitDue
    const woken = yield* Effect.forkChild(store.awaitDue)
    yield* completed()
    // The test clock does not move, so only a notification can end the wait.
    yield* Fiber.join(woken)
  }).pipe(Effect.scoped),

  "a delivered one is finished, and its log says how": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    yield* delivered(yield* claimed)
    const { status, attempts, nextAttemptAt } = yield* only(userId, analysisId)
    assert.strictEqual(status, "delivered")
    assert.isUndefined(nextAttemptAt)
    assert.lengthOf(attempts, 1)
    assert.deepInclude(attempts[0], { number: 1, duration: 12, statusCode: 204, error: undefined })
    yield* endDelays
    assert.isTrue(yield* nothingDue)
  }),

  "one that will be retried is due after its delay, and says when": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    yield* retried(yield* claimed, Duration.minutes(5))
    assert.isTrue(yield* nothingDue)
    const { status, nextAttemptAt } = yield* only(userId, analysisId)
    assert.strictEqual(status, "pending")
    assert.closeTo(nextAttemptAt!.getTime() - Date.now(), 300_000, 10_000)
    yield* endDelays
    assert.strictEqual((yield* claimed).attempt, 2)
  }),

  "one that was given up on is finished": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    yield* record(yield* claimed, { outcome: "given_up" }, 410)
    assert.strictEqual((yield* only(userId, analysisId)).status, "failed")
    yield* endDelays
    assert.isTrue(yield* nothingDue)
  }),

  "the log keeps the last twenty attempts": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    for (let attempt = 1; attempt <= 25; attempt++) {
      yield* retried(yield* claimed)
      yield* DeliveryStore.use((store) =>
        Effect.flatMap(only(userId, analysisId), ({ deliveryId }) => store.redeliver(userId, analysisId, deliveryId)),
      )
    }
    const { attempts } = yield* only(userId, analysisId)
    assert.deepEqual(
      attempts.map(({ number }) => number),
      Array.from({ length: 20 }, (_, index) => 25 - index),
    )
    const [row] = yield* SqlClient.use((sql) => sql`SELECT count(*)::int AS n FROM delivery_attempts`)
    assert.deepEqual(row, { n: 20 })
  }),

  "a dead worker's delivery is taken over under the same id, and the attempt counts": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    const first = yield* claimed
    assert.isTrue(yield* nothingDue)
    yield* expireDeliveries
    const second = yield* claimed
    assert.deepInclude(second, { deliveryId: first.deliveryId, payload: first.payload, attempt: 2 })
    yield* delivered(first)
    assert.strictEqual((yield* only(userId, analysisId)).status, "sending")
    yield* delivered(second)
    const { status, attempts } = yield* only(userId, analysisId)
    assert.strictEqual(status, "delivered")
    assert.lengthOf(attempts, 2)
    assert.include(attempts[1]?.error, "interrupted")
  }),

  "the outcome of an attempt is recorded even after its lease, unless somebody else has the delivery": Effect.gen(
    function* () {
      const { userId, analysisId } = yield* completed()
      const job = yield* claimed
      yield* expireDeliveries
      yield* delivered(job)
      assert.strictEqual((yield* only(userId, analysisId)).status, "delivered")
    },
  ),

  "a delivery that kills every worker is given up on after ten attempts": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    for (let attempt = 1; attempt <= 10; attempt++) {
      assert.strictEqual((yield* claimed).attempt, attempt)
      yield* expireDeliveries
    }
    assert.isTrue(yield* nothingDue)
    const { status, attempts } = yield* only(userId, analysisId)
    assert.strictEqual(status, "failed")
    assert.lengthOf(attempts, 10)
  }),

  "one that is handed back is due immediately and has not used up its attempt": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    const job = yield* claimed
    yield* DeliveryStore.use((store) => store.handBack(job))
    assert.strictEqual((yield* only(userId, analysisId)).status, "pending")
    assert.strictEqual((yield* claimed).attempt, 1)
    yield* DeliveryStore.use((store) => store.handBack(job))
    assert.strictEqual((yield* only(userId, analysisId)).status, "sending")
  }),

  "those for a busy receiver are skipped, however many there are": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* completed("https://slow.example.com:8443/a", userId)
    // More than a claim looks at.
    yield* SqlClient.use(
      (sql) => sql`
        INSERT INTO deliveries (analysis_id, type, url, receiver, payload, due_at)
        SELECT analysis_id, type, url, receiver, payload, due_at
        FROM deliveries CROSS JOIN generate_series(1, 300)`,
    )
    const { analysisId } = yield* completed("http://FAST.example.com", userId)
    const busy = `${userId} slow.example.com:8443`
    const job = Option.getOrThrow(yield* claimDelivery([busy]))
    assert.strictEqual(job.receiver, `${userId} fast.example.com`)
    assert.strictEqual(decode(job.payload).data.analysisId, analysisId)
    assert.isTrue(Option.isNone(yield* claimDelivery([busy, job.receiver])))
    assert.strictEqual((yield* claimed).receiver, busy)
  }),

  "two users' receivers are separate even on the same host": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    yield* completed(webhookUrl, ada)
    yield* completed(webhookUrl, bob)
    const first = yield* claimed
    assert.strictEqual(first.userId, ada)
    assert.strictEqual(Option.getOrThrow(yield* claimDelivery([first.receiver])).userId, bob)
  }),

  "dispatchers that claim simultaneously get different deliveries": Effect.gen(function* () {
    const userId = yield* newUser()
    for (let n = 0; n < 8; n++) yield* completed(webhookUrl, userId)
    const jobs = yield* Effect.all(
      Array.from({ length: 12 }, () => claimDelivery()),
      { concurrency: "unbounded" },
    )
    const ids = jobs.flatMap(Option.toArray).map(({ deliveryId }) => deliveryId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.isAbove(ids.length, 0)
  }),

  "a redelivery is due immediately, under its own id, with fresh attempts": Effect.gen(function* () {
    const store = yield* DeliveryStore
    const { userId, analysisId } = yield* completed()
    yield* record(yield* claimed, { outcome: "given_up" })
    const { deliveryId } = yield* only(userId, analysisId)
    const again = yield* store.redeliver(userId, analysisId, deliveryId)
    assert.deepInclude(again, { deliveryId, status: "pending" })
    const job = yield* claimed
    assert.deepInclude(job, { deliveryId, attempt: 1 })
    yield* delivered(job)
    yield* store.redeliver(userId, analysisId, deliveryId)
    yield* delivered(yield* claimed)
    assert.lengthOf((yield* only(userId, analysisId)).attempts, 3)
  }),

  "redelivering one that waits for its next attempt makes it due now": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    const { deliveryId } = yield* only(userId, analysisId)
    yield* retried(yield* claimed, Duration.hours(1))
    yield* DeliveryStore.use((store) => store.redeliver(userId, analysisId, deliveryId))
    assert.strictEqual((yield* claimed).attempt, 1)
  }),

  "redelivering one in progress, or twice, sends nothing twice": Effect.gen(function* () {
    const store = yield* DeliveryStore
    const { userId, analysisId } = yield* completed()
    const { deliveryId } = yield* only(userId, analysisId)
    const redeliver = store.redeliver(userId, analysisId, deliveryId)
    const job = yield* claimed
    assert.strictEqual((yield* redeliver).status, "sending")
    assert.isTrue(yield* nothingDue)
    yield* delivered(job)
    yield* Effect.all([redeliver, redeliver, redeliver], { concurrency: "unbounded" })
    assert.strictEqual((yield* redeliver).status, "pending")
    yield* delivered(yield* claimed)
    assert.isTrue(yield* nothingDue)
    assert.lengthOf((yield* only(userId, analysisId)).attempts, 2)
  }),

  "only the owner can find a delivery, and only through its analysis": Effect.gen(function* () {
    const store = yield* DeliveryStore
    const mine = yield* completed()
    const other = yield* completed()
    const { deliveryId } = yield* only(mine.userId, mine.analysisId)
    assert.strictEqual((yield* Effect.flip(list(other.userId, mine.analysisId)))._tag, "AnalysisNotFound")
    assert.strictEqual((yield* Effect.flip(list(mine.userId, AnalysisId.make("x"))))._tag, "AnalysisNotFound")
    for (const [userId, analysisId, id] of [
      [other.userId, mine.analysisId, deliveryId],
      [other.userId, other.analysisId, deliveryId],
      [mine.userId, other.analysisId, deliveryId],
      [mine.userId, mine.analysisId, mine.analysisId],
      [mine.userId, mine.analysisId, "x"],
    ] as const) {
      assert.strictEqual(
        (yield* Effect.flip(store.redeliver(userId, analysisId, DeliveryId.make(id))))._tag,
        "DeliveryNotFound",
      )
    }
    assert.strictEqual((yield* only(mine.userId, mine.analysisId)).attempts.length, 0)
  }),

  "removing an analysis removes its deliveries, even one in progress": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    const job = yield* claimed
    yield* AnalysisStore.use((store) => store.remove(userId, analysisId))
    yield* delivered(job)
    yield* DeliveryStore.use((store) => store.handBack(job))
    const sql = yield* SqlClient
    assert.lengthOf(yield* sql`SELECT id FROM deliveries`, 0)
    assert.lengthOf(yield* sql`SELECT number FROM delivery_attempts`, 0)
    assert.isTrue(yield* nothingDue)
  }),

  "a secret is created once if there is none, and a rotation keeps the previous one": Effect.gen(function* () {
    const secrets = yield* WebhookSecrets
    const userId = yield* newUser()
    assert.isTrue(Option.isNone(yield* secrets.find(userId)))
    const made = yield* Effect.all(
      ["a", "b", "c"].map((text) => secrets.ensure(userId, text)),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(new Set(made.map(({ encrypted }) => encrypted)).size, 1)
    const first = made[0]!.encrypted
    const rotated = yield* secrets.rotate(userId, "new")
    assert.deepInclude(rotated, { encrypted: "new" })
    assert.strictEqual(rotated.previous?.encrypted, first)
    assert.closeTo(rotated.previous!.validUntil.getTime() - Date.now(), 86_400_000, 60_000)
    assert.deepEqual(yield* secrets.find(userId), Option.some(rotated))
    yield* SqlClient.use((sql) => sql`UPDATE webhook_secrets SET previous_until = now() - interval '1 second'`)
    assert.isUndefined(Option.getOrThrow(yield* secrets.find(userId)).previous)
  }),
}
