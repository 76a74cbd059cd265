import { assert } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Record from "effect/Record"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../../adapters/jose/SecretKeyFile.ts"
import * as SqlEncryptedRecords from "../../../adapters/sql/identity/SqlEncryptedRecords.ts"
import { notifyDispatchers } from "../../../adapters/sql/notification/enqueueDelivery.ts"
import * as NodeWebhookSender from "../../../adapters/webhook/NodeWebhookSender.ts"
import { dispatchDeliveries } from "../../../application/notification/dispatchDeliveries.ts"
import { dispatchLimits } from "../../../application/notification/ReceiverPlaces.ts"
import { rotateWebhookSecret } from "../../../application/notification/webhookSecret.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import { EncryptedRecords } from "../../../application/ports/identity/EncryptedRecords.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { WebhookSecrets } from "../../../application/ports/notification/WebhookSecrets.ts"
import type { Delivery } from "../../../domain/notification/Delivery.ts"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { claim, complete, create, newUser, stores } from "../../support/stores.ts"
import { onBothDatabases, type Suite } from "../../support/bothDatabases.ts"
import { answer, type Behavior, hang, type Received, startReceiver } from "../../support/webhookReceiver.ts"
import { type UserId, AnalysisId, WorkerId } from "../../../domain/ids/Ids.ts"

const sender = (options: Partial<Parameters<typeof NodeWebhookSender.layer>[0]> = {}) =>
  NodeWebhookSender.layer({ allowPrivate: true, userAgent: "Assay-Webhooks/test", ...options })

const services = Layer.mergeAll(
  stores,
  SqlEncryptedRecords.layer,
  sender(),
  JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(0))])),
)

const receiving = (behave: Behavior = answer(200)) =>
  Effect.acquireRelease(
    Effect.promise(() => startReceiver(behave)),
    (receiver) => Effect.promise(() => receiver.close()),
  )

const callerOf = (userId: UserId): Caller => ({ userId, plan: "pro", organizationId: undefined, scopes })

/** Creates an analysis and completes it. */
const ended = Effect.fnUntraced(function* (userId: UserId, webhookUrl: string) {
  const analysisId = yield* create(userId, { webhookUrl })
  yield* complete(yield* claim)
  return analysisId
})

const deliveryOf = (userId: UserId, analysisId: AnalysisId) =>
  DeliveryStore.use((store) => Effect.flatMap(store.list(userId, analysisId), ([first]) => Effect.fromNullishOr(first)))

/** The delivery once it meets the condition, at most 20 s from now. */
const deliveryWhen = (userId: UserId, analysisId: AnalysisId, wanted: (delivery: Delivery) => boolean) =>
  deliveryOf(userId, analysisId).pipe(
    Effect.repeat({ until: wanted, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("20 seconds"),
  )
const afterAttempts = (count: number) => (delivery: Delivery) =>
  delivery.attempts.length === count && delivery.status !== "sending"

const endDelays = SqlClient.use((sql) =>
  Effect.andThen(
    sql`UPDATE deliveries SET due_at = now() WHERE status = 'pending'`,
    sql`SELECT ${notifyDispatchers(sql)} AS woken`,
  ),
)

const arrived = (receiver: { readonly arrived: (count: number) => Promise<ReadonlyArray<Received>> }, count: number) =>
  Effect.promise(() => receiver.arrived(count))

const verified = (secret: string, { headers, body }: Received) =>
  // Their type has lists for headers that may come twice; these three do not.
  new Webhook(secret).verify(body, headers as Record<string, string>)

const dispatching = (limits = dispatchLimits) => Effect.forkScoped(dispatchDeliveries(WorkerId.make("test"), limits))

const counted = (outcome: string) =>
  Effect.map(
    Metric.value(
      Metric.withAttributes(
        Metric.counter("assay_deliveries_total", {
          description: "Attempts to deliver a notification, by outcome: delivered, retried or given_up.",
          incremental: true,
        }),
        { outcome },
      ),
    ),
    ({ count }) => Number(count),
  )

const suite: Suite<Layer.Success<typeof services> | Scope.Scope> = {
  "reach their receiver once, signed, under the delivery's id": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    const { secret } = yield* rotateWebhookSecret(callerOf(userId))
    const before = yield* counted("delivered")
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    const [request] = yield* arrived(receiver, 1)
    const { deliveryId, attempts, status } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.strictEqual(status, "delivered")
    assert.deepInclude(attempts[0], { number: 1, statusCode: 200, error: undefined })
    assert.strictEqual(request!.headers["webhook-id"], deliveryId)
    assert.strictEqual(request!.headers["content-type"], "application/json")
    assert.closeTo(Number(request!.headers["webhook-timestamp"]), Date.now() / 1000, 20)
    const notification = verified(secret, request!) as { readonly type: string; readonly data: object }
    assert.strictEqual(notification.type, "analysis.completed")
    assert.deepInclude(notification.data, { analysisId, status: "completed" })
    assert.strictEqual(yield* counted("delivered"), before + 1)
    assert.lengthOf(receiver.received, 1)
  }),

  "are signed even for a user who never asked for a secret": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    yield* dispatching()
    yield* ended(userId, receiver.url)
    const [request] = yield* arrived(receiver, 1)
    assert.match(String(request!.headers["webhook-signature"]), /^v1,[A-Za-z0-9+/]{43}=$/)
    const { secret } = yield* rotateWebhookSecret(callerOf(userId))
    assert.throws(() => verified(secret, request!), "No matching signature")
  }),

  "carry signatures with the new and the old secret after a rotation, neither of which the database stores in the clear":
    Effect.gen(function* () {
      const receiver = yield* receiving()
      const userId = yield* newUser()
      const old = yield* rotateWebhookSecret(callerOf(userId))
      const current = yield* rotateWebhookSecret(callerOf(userId))
      assert.closeTo(current.previousValidUntil!.getTime() - Date.now(), 86_400_000, 60_000)
      yield* dispatching()
      yield* ended(userId, receiver.url)
      const [request] = yield* arrived(receiver, 1)
      verified(old.secret, request!)
      verified(current.secret, request!)
      const rows = JSON.stringify(yield* SqlClient.use((sql) => sql`SELECT * FROM webhook_secrets`))
      assert.notInclude(rows, old.secret.slice(6))
      assert.notInclude(rows, current.secret.slice(6))
    }),

  "are still signed after the vault's key was replaced": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    const [oldKey, newKey] = [generateSecretKey(new Date(0)), generateSecretKey(new Date(1))]
    const before = JoseSecretVault.layer(configuredKeys([oldKey]))
    const both = JoseSecretVault.layer(configuredKeys([newKey, oldKey]))
    const after = JoseSecretVault.layer(configuredKeys([newKey]))
    yield* Effect.provide(rotateWebhookSecret(callerOf(userId)), before)
    const { secret } = yield* Effect.provide(rotateWebhookSecret(callerOf(userId)), before)
    const replaced = yield* Effect.gen(function* () {
      const vault = yield* SecretVault
      return yield* EncryptedRecords.use((records) => records.replaceAll(vault.reencrypt))
    }).pipe(Effect.provide(both))
    assert.strictEqual(replaced, 2)
    yield* Effect.forkScoped(Effect.provide(dispatchDeliveries(WorkerId.make("test")), after))
    yield* ended(userId, receiver.url)
    verified(secret, (yield* arrived(receiver, 1))[0]!)
  }),

  "are retried later if they cannot be signed, and the log says why": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    yield* rotateWebhookSecret(callerOf(userId))
    const other = JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(1))]))
    yield* Effect.forkScoped(Effect.provide(dispatchDeliveries(WorkerId.make("test")), other))
    const analysisId = yield* ended(userId, receiver.url)
    const { status, attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.strictEqual(status, "pending")
    assert.include(attempts[0]?.error, "could not be signed")
    assert.lengthOf(receiver.received, 0)
  }),

  "are resent after a 500, identical except for the time": Effect.gen(function* () {
    const receiver = yield* receiving((response, count) => void response.writeHead(count === 1 ? 500 : 204).end())
    const userId = yield* newUser()
    const { secret } = yield* rotateWebhookSecret(callerOf(userId))
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    const failed = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.strictEqual(failed.status, "pending")
    assert.isAtMost(failed.nextAttemptAt!.getTime() - Date.now(), 5500)
    // The schedule's own five seconds.
    const [first, second] = yield* arrived(receiver, 2)
    assert.isAtLeast(second!.at - first!.at, 4900)
    assert.strictEqual(second!.headers["webhook-id"], first!.headers["webhook-id"])
    assert.strictEqual(second!.body, first!.body)
    assert.isAbove(Number(second!.headers["webhook-timestamp"]), Number(first!.headers["webhook-timestamp"]))
    verified(secret, first!)
    verified(secret, second!)
    const { status, attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(2))
    assert.strictEqual(status, "delivered")
    assert.deepEqual(
      attempts.map(({ statusCode }) => statusCode),
      [204, 500],
    )
  }),

  "stop at 410": Effect.gen(function* () {
    const receiver = yield* receiving(answer(410))
    const userId = yield* newUser()
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    assert.strictEqual((yield* deliveryWhen(userId, analysisId, afterAttempts(1))).status, "failed")
  }),

  "are given up on after ten attempts": Effect.gen(function* () {
    const receiver = yield* receiving(answer(503))
    const userId = yield* newUser()
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    for (let attempt = 1; attempt <= 10; attempt++) {
      yield* deliveryWhen(userId, analysisId, afterAttempts(attempt))
      yield* endDelays
    }
    assert.strictEqual((yield* deliveryOf(userId, analysisId)).status, "failed")
    assert.strictEqual(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1)
  }),

  "wait as long as Retry-After says, in either form": Effect.gen(function* () {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    const userId = yield* newUser()
    yield* dispatching()
    for (const retryAfter of ["3600", inAnHour]) {
      const receiver = yield* receiving(answer(429, { "retry-after": retryAfter }))
      const analysisId = yield* ended(userId, receiver.url)
      const { nextAttemptAt, attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
      assert.strictEqual(attempts[0]?.statusCode, 429)
      assert.closeTo(nextAttemptAt!.getTime() - Date.now(), 3_600_000, 30_000)
    }
  }),

  "do not follow a redirect to the metadata service, and count it as a failure": Effect.gen(function* () {
    const receiver = yield* receiving(answer(302, { location: "http://169.254.169.254/latest/meta-data/" }))
    const userId = yield* newUser()
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    const { status, attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.strictEqual(status, "pending")
    assert.deepInclude(attempts[0], { statusCode: 302, error: undefined })
  }),

  "are not sent to a name that now resolves to our own network": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    const guarded = sender({ allowPrivate: false, resolve: async () => ["127.0.0.1"] })
    yield* Effect.forkScoped(Effect.provide(dispatchDeliveries(WorkerId.make("test")), guarded))
    const analysisId = yield* ended(userId, `http://hooks.example.com:${receiver.port}/`)
    const { attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.include(attempts[0]?.error, "not public")
    assert.strictEqual(receiver.connections(), 0)
  }),

  "do not wait behind those to another, hanging receiver": Effect.gen(function* () {
    const slow = yield* receiving(hang)
    const fast = yield* receiving()
    const userId = yield* newUser()
    for (let n = 0; n < 12; n++) yield* ended(userId, slow.url)
    yield* dispatching({ concurrent: 6, perReceiver: 4, slow: 3 })
    yield* arrived(slow, 1)
    const times: Array<number> = []
    for (let n = 1; n <= 8; n++) {
      const begun = performance.now()
      yield* ended(userId, fast.url)
      yield* arrived(fast, n)
      times.push(performance.now() - begun)
    }
    // As long as nobody knows how fast it is.
    assert.lengthOf(slow.received, 1)
    // The slow one's place is taken for 15 s.
    assert.isBelow(Math.max(...times), 10_000)
  }),

  "do not wait behind several each to 200 hanging receivers": Effect.gen(function* () {
    const slow = yield* receiving(hang)
    const fast = yield* receiving()
    const userId = yield* newUser()
    yield* ended(userId, `http://hangs-1.example.com:${slow.port}/`)
    yield* SqlClient.use(
      (sql) => sql`
        INSERT INTO deliveries (analysis_id, type, url, receiver, payload)
        SELECT analysis_id, type, 'http://' || host || '/', user_id || ' ' || host, payload
        FROM deliveries JOIN analyses ON analyses.id = deliveries.analysis_id, generate_series(1, 3),
          LATERAL (SELECT 'hangs-' || n || '.example.com:' || ${slow.port}::int AS host FROM generate_series(1, 200) AS n) AS hosts`,
    )
    // Long enough that none of them ends, however slow this machine is.
    const byName = sender({ resolve: async () => ["127.0.0.1"], timeout: Duration.minutes(1) })
    const dispatcher = yield* Effect.forkScoped(Effect.provide(dispatchDeliveries(WorkerId.make("test")), byName))
    const begun = performance.now()
    const analysisId = yield* ended(userId, fast.url)
    yield* arrived(fast, 1)
    const waited = performance.now() - begun
    yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    yield* arrived(slow, 200)
    console.info(`a delivery waited ${Math.round(waited)} ms behind 200 receivers that hang`)
    const over = yield* SqlClient.use((sql) => sql`SELECT number FROM delivery_attempts WHERE error IS NOT NULL`)
    assert.lengthOf(over, 0)
    assert.lengthOf(slow.received, 200)
    // All of them are handed on when the process ends.
    yield* Fiber.interrupt(dispatcher)
    const counts = yield* SqlClient.use(
      (sql) => sql`
        SELECT status, max(attempts)::int AS attempts, count(*)::int AS n FROM deliveries
        WHERE url LIKE '%hangs-%' GROUP BY status`,
    )
    assert.deepEqual(counts, [{ status: "pending", attempts: 0, n: 601 }])
  }),

  "do not use up an attempt if they could not be signed because the database was unavailable": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    const secrets = yield* WebhookSecrets
    // As often as one attempt tries.
    let outages = 6
    const away = WebhookSecrets.of({
      ...secrets,
      find: (id) =>
        Effect.suspend(() => (outages-- > 0 ? Effect.fail(new StoreUnavailable({ cause: "gone" })) : secrets.find(id))),
    })
    yield* Effect.forkScoped(Effect.provideService(dispatchDeliveries(WorkerId.make("test")), WebhookSecrets, away))
    const analysisId = yield* ended(userId, receiver.url)
    const { attempts } = yield* deliveryWhen(userId, analysisId, ({ status }) => status === "delivered")
    assert.isBelow(outages, 0)
    assert.lengthOf(attempts, 1)
    assert.strictEqual(attempts[0]?.number, 1)
  }),

  "to one receiver are sent as slots become free": Effect.gen(function* () {
    const receiver = yield* receiving((response) => void setTimeout(() => response.end(), 20))
    const userId = yield* newUser()
    for (let n = 0; n < 12; n++) yield* ended(userId, receiver.url)
    yield* dispatching({ concurrent: 3, perReceiver: 2, slow: 1 })
    yield* arrived(receiver, 12)
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(new Set(ids).size, 12)
  }),

  "continue after failed claims, whatever the reason, and an outage is logged once": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    const store = yield* DeliveryStore
    const failures: Array<Effect.Effect<never, StoreUnavailable>> = [
      Effect.die(new Error("a defect")),
      Effect.fail(new StoreUnavailable({ cause: "gone" })),
    ]
    const failing = DeliveryStore.of({
      ...store,
      claim: (workerId, busy) => Effect.suspend(() => failures.shift() ?? store.claim(workerId, busy)),
    })
    const levels: Array<string> = []
    const logs = Logger.layer([Logger.make(({ logLevel }) => void levels.push(logLevel))])
    yield* dispatchDeliveries(WorkerId.make("test")).pipe(
      Effect.provideService(DeliveryStore, failing),
      Effect.provide(logs),
      Effect.forkScoped,
    )
    const analysisId = yield* ended(userId, receiver.url)
    yield* arrived(receiver, 1)
    yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    assert.lengthOf(failures, 0)
    assert.deepEqual(
      levels.filter((level) => level !== "Debug"),
      ["Warn"],
    )
  }),

  "are handed back immediately, under the same id, if in progress when the process shuts down": Effect.gen(
    function* () {
      const receiver = yield* receiving((response, count) => (count === 1 ? undefined : void response.end()))
      const userId = yield* newUser()
      const first = yield* dispatching()
      const analysisId = yield* ended(userId, receiver.url)
      yield* arrived(receiver, 1)
      yield* Fiber.interrupt(first)
      const handedBack = yield* deliveryOf(userId, analysisId)
      assert.deepInclude(handedBack, { status: "pending", attempts: [] })
      yield* dispatching()
      const [cut, again] = yield* arrived(receiver, 2)
      assert.strictEqual(again!.headers["webhook-id"], cut!.headers["webhook-id"])
      const { status, attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
      assert.strictEqual(status, "delivered")
      assert.lengthOf(attempts, 1)
    },
  ),

  "end with their analysis if it is deleted meanwhile": Effect.gen(function* () {
    const receiver = yield* receiving((response) => void setTimeout(() => response.end(), 100))
    const userId = yield* newUser()
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    yield* arrived(receiver, 1)
    yield* AnalysisStore.use((store) => store.remove(userId, analysisId))
    const next = yield* ended(userId, receiver.url)
    yield* deliveryWhen(userId, next, afterAttempts(1))
    assert.lengthOf(receiver.received, 2)
  }),

  "are resent on request, under the same id": Effect.gen(function* () {
    const receiver = yield* receiving()
    const userId = yield* newUser()
    yield* dispatching()
    const analysisId = yield* ended(userId, receiver.url)
    const { deliveryId } = yield* deliveryWhen(userId, analysisId, afterAttempts(1))
    yield* DeliveryStore.use((store) => store.redeliver(userId, analysisId, deliveryId))
    const { attempts } = yield* deliveryWhen(userId, analysisId, afterAttempts(2))
    assert.lengthOf(attempts, 2)
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers["webhook-id"]),
      [deliveryId, deliveryId],
    )
  }),

  "of 60 analyses arrive exactly once from three dispatchers": Effect.gen(function* () {
    const receivers = [yield* receiving(), yield* receiving(), yield* receiving()]
    const userId = yield* newUser()
    yield* Effect.all([dispatching(), dispatching(), dispatching()])
    const analyses: Array<string> = []
    for (let n = 0; n < 60; n++) analyses.push(yield* ended(userId, receivers[n % 3]!.url))
    for (const receiver of receivers) yield* arrived(receiver, 20)
    for (const analysisId of analyses) yield* deliveryWhen(userId, AnalysisId.make(analysisId), afterAttempts(1))
    const ids = receivers.flatMap(({ received }) => received.map(({ headers }) => headers["webhook-id"]))
    assert.lengthOf(ids, 60)
    assert.strictEqual(new Set(ids).size, 60)
  }).pipe(Effect.timeout(Duration.seconds(50))),
}

await onBothDatabases(
  "notifications",
  services,
  Record.map(suite, (test) => Effect.scoped(test)),
)
