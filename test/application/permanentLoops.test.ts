import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { afterAll, describe, expect, it } from "vitest"
import { WorkerId } from "../../domain/ids/Ids.ts"
import { awaitNotification } from "../../adapters/sql/awaitNotification.ts"
import { Notifications } from "../../adapters/sql/Notifications.ts"
import * as SqlFindingStore from "../../adapters/sql/finding/SqlFindingStore.ts"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { ConsumerState } from "../../application/analysis/ConsumerState.ts"
import { consumeQueue } from "../../application/analysis/consumeQueue.ts"
import { compositeKey } from "../../application/compositeKey.ts"
import { rememberCallers } from "../../application/identity/rememberCallers.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { CredentialChanges } from "../../application/ports/identity/CredentialChanges.ts"
import { DeliveryStore } from "../../application/ports/notification/DeliveryStore.ts"
import { DetectionEngine, EngineError } from "../../application/ports/analysis/DetectionEngine.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { SecretVault } from "../../application/ports/identity/SecretVault.ts"
import { RuleCatalog } from "../../application/ports/analysis/RuleCatalog.ts"
import { SourceError, SourceFetcher } from "../../application/ports/analysis/SourceFetcher.ts"
import { WebhookSecrets } from "../../application/ports/notification/WebhookSecrets.ts"
import { SourceCredentials } from "../../application/repositories/sourceCredentials.ts"
import { dispatcher } from "../../apps/wiring/notifications.ts"
import { clear, sharedEmbeddedDatabase } from "../support/databases.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

const database = ManagedRuntime.make(sharedEmbeddedDatabase)
afterAll(() => database.dispose())

const defect = Effect.die(new Error("a defect"))

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(effect, Logger.layer([])))

/** Dies the first time, then behaves normally. */
const onceBroken = <A extends Effect.Effect<unknown, unknown>>(effect: A): A => {
  let isBroken = true
  // A defect fits any type of effect.
  return Effect.suspend(() => {
    if (!isBroken) return effect
    isBroken = false
    return defect
  }) as Effect.Effect<unknown, unknown> as A
}

const nothingToFetch = Layer.mergeAll(
  Layer.succeed(SourceFetcher, {
    fetch: () => Effect.fail(new SourceError({ message: "No such repository.", retryable: false })),
  }),
  Layer.succeed(DetectionEngine, {
    detect: () => Effect.fail(new EngineError({ stage: "detecting_framework", message: "never asked" })),
    examine: () => Effect.fail(new EngineError({ stage: "compilation", message: "never asked" })),
  }),
  Layer.succeed(SourceCredentials, () => Effect.succeed(undefined)),
  Layer.succeed(RuleCatalog, Effect.succeed([])),
)

/** Polls until it is true, for at most 10 s. */
const until = <E>(isSo: Effect.Effect<boolean, E>) =>
  Effect.retry(
    Effect.flatMap(isSo, (so) => (so ? Effect.succeed(true) : Effect.fail("not yet" as const))),
    Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 500 })),
  )

describe("a permanent loop survives a defect in its body", () => {
  it.each(["claim", "awaitWork", "heartbeat", "fail"] as const)("claiming analyses: %s", async (broken) => {
    await database.runPromise(clear)
    const stores = Layer.effect(
      AnalysisQueue,
      Effect.map(AnalysisQueue, (queue) => {
        let isBroken = true
        const breaks = () => {
          const breaksNow = isBroken
          isBroken = false
          return breaksNow
        }
        return AnalysisQueue.of({
          ...queue,
          ...(broken === "claim" && {
            claim: (worker) => Effect.suspend(() => (breaks() ? defect : queue.claim(worker))),
          }),
          ...(broken === "awaitWork" && { awaitWork: onceBroken(queue.awaitWork) }),
          ...(broken === "heartbeat" && {
            heartbeat: (job, stage, progress) =>
              Effect.suspend(() => (breaks() ? defect : queue.heartbeat(job, stage, progress))),
          }),
          ...(broken === "fail" && {
            fail: (job, failure, retryable) =>
              Effect.suspend(() => (breaks() ? defect : queue.fail(job, failure, retryable))),
          }),
        })
      }),
    ).pipe(
      Layer.provideMerge(SqlFindingStore.layer),
      Layer.provide(SqlAnalysisQueue.layer),
      Layer.merge(SqlAnalysisStore.layer),
      Layer.merge(SqlAccounts.layer),
      Layer.provide(Layer.effectContext(database.contextEffect)),
      Layer.provideMerge(ConsumerState.layer),
    )
    await run(
      Effect.gen(function* () {
        const store = yield* AnalysisStore
        const state = yield* ConsumerState
        const userId = yield* (yield* Accounts).createUser("someone@example.test", "pro")
        const create = () =>
          store.create(
            {
              userId,
              repositoryUrl: RepositoryUrl.make("https://github.com/a/b"),
              branch: undefined,
              framework: "auto",
              analysisType: "full",
              webhookUrl: undefined,
            },
            undefined,
          )
        yield* consumeQueue(WorkerId.make("worker"), 1, Duration.seconds(1))
        // The first one may be left until its lease expires, which another test covers; the only slot continues.
        yield* create()
        const { analysisId } = yield* create()
        expect(yield* until(Effect.map(store.find(userId, analysisId), ({ status }) => status === "failed"))).toBe(true)
        expect(yield* until(Effect.sync(() => state.alive && state.claiming && state.running === 0))).toBe(true)
      }).pipe(Effect.scoped, Effect.provide([stores, nothingToFetch])),
    )
  })

  it("sending notifications", async () => {
    let claims = 0
    // These are not called if nothing is due.
    const unasked = Layer.mergeAll(
      Layer.succeed(WebhookSecrets, {} as WebhookSecrets["Service"]),
      Layer.succeed(SecretVault, {} as SecretVault["Service"]),
      Layer.succeed(DeliveryStore, {
        claim: () => Effect.sync(() => (claims++, Option.none())),
        awaitDue: onceBroken(Effect.sleep("10 millis")),
      } as unknown as DeliveryStore["Service"]),
    )
    const layer = dispatcher(WorkerId.make("worker"), { allowPrivateWebhooks: false }).pipe(Layer.provide(unasked))
    expect(await run(Effect.provide(until(Effect.sync(() => claims > 3)), layer))).toBe(true)
  })

  it("listening for work", async () => {
    const notifications = Layer.succeed(Notifications, {
      listen: (_channel, onNotify) => onceBroken(Effect.andThen(Effect.sync(onNotify), Effect.never)),
    })
    await run(
      Effect.gen(function* () {
        // Far longer than the loop takes to restart, so that only the notification can end the wait.
        const heard = yield* awaitNotification("channel", Duration.minutes(1))
        expect(Option.isSome(yield* Effect.timeoutOption(heard, "10 seconds"))).toBe(true)
      }).pipe(Effect.scoped, Effect.provide(notifications)),
    )
  })

  it("listening for changes of credentials", async () => {
    const changes = Layer.succeed(CredentialChanges, {
      listen: (onChange) => onceBroken(Effect.andThen(Effect.sync(onChange), Effect.never)),
    })
    await run(
      Effect.gen(function* () {
        const remember = yield* rememberCallers
        let lookups = 0
        const look = remember(compositeKey("key"), () =>
          Effect.sync(() => (lookups++, Option.some({ userId: "id" } as never))),
        )
        // Only cached while changes are heard.
        const remembers = Effect.gen(function* () {
          const before = lookups
          yield* look
          yield* look
          return lookups < before + 2
        })
        expect(yield* until(remembers)).toBe(true)
      }).pipe(Effect.scoped, Effect.provide(changes)),
    )
  })
})
