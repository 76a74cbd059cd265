import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { WorkerId } from "../../../domain/ids/Ids.ts"
import * as SqlFindingStore from "../../../adapters/sql/finding/SqlFindingStore.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { ConsumerState } from "../../../application/analysis/ConsumerState.ts"
import { consumeQueue } from "../../../application/analysis/consumeQueue.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { DetectionEngine, EngineError } from "../../../application/ports/analysis/DetectionEngine.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { RuleCatalog } from "../../../application/ports/analysis/RuleCatalog.ts"
import { SourceError, SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"
import { SourceCredentials } from "../../../application/repositories/sourceCredentials.ts"
import { clear, sharedEmbeddedDatabase } from "../../support/databases.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

/** No repository can be fetched. */
const nothingToFetch = Layer.mergeAll(
  Layer.succeed(SourceFetcher, {
    fetch: () => Effect.fail(new SourceError({ message: "No such repository.", retryable: false })),
  }),
  Layer.succeed(DetectionEngine, {
    detect: () => Effect.fail(new EngineError({ stage: "detecting_framework", message: "never asked" })),
    examine: () => Effect.fail(new EngineError({ stage: "compilation", message: "never asked" })),
  }),
  Layer.succeed(SourceCredentials, () => Effect.succeed(undefined)),
)

describe("the consumer of the queue", () => {
  it("continues after a claim that died, and reports that it was not claiming", async () => {
    let claims = 0
    let afterDefect: boolean | undefined
    const stores = Layer.effect(
      AnalysisQueue,
      Effect.gen(function* () {
        const queue = yield* AnalysisQueue
        const state = yield* ConsumerState
        return {
          ...queue,
          claim: (workerId: WorkerId) =>
            Effect.suspend(() => {
              claims++
              if (claims === 1) return Effect.die(new Error("a wrong statement"))
              afterDefect ??= state.claiming
              return queue.claim(workerId)
            }),
        }
      }),
    ).pipe(
      Layer.provideMerge(SqlFindingStore.layer),
      Layer.provide(SqlAnalysisQueue.layer),
      Layer.merge(SqlAnalysisStore.layer),
      Layer.merge(SqlAccounts.layer),
      Layer.provide(sharedEmbeddedDatabase),
      Layer.provideMerge(ConsumerState.layer),
    )

    await Effect.runPromise(Effect.provide(clear, sharedEmbeddedDatabase))
    await Effect.runPromise(
      Effect.gen(function* () {
        const store = yield* AnalysisStore
        const state = yield* ConsumerState
        const userId = yield* (yield* Accounts).createUser("someone@example.test", "pro")
        const analysis = {
          userId,
          repositoryUrl: RepositoryUrl.make("https://github.com/a/b"),
          branch: undefined,
          framework: "auto",
          analysisType: "full",
          webhookUrl: undefined,
        } as const
        const { analysisId } = yield* store.create(analysis, undefined)
        const scope = yield* Scope.make()
        yield* Scope.provide(consumeQueue(WorkerId.make("worker"), 1, Duration.seconds(1)), scope)

        const ended = Effect.flatMap(store.find(userId, analysisId), (found) =>
          found.status === "failed" ? Effect.succeed(found) : Effect.fail("not yet"),
        )
        const found = yield* Effect.retry(ended, Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 500 })))
        expect(found.failure).toEqual({ stage: "fetching_source", message: "No such repository." })
        expect(afterDefect).toBe(false)
        expect(state).toMatchObject({ alive: true, claiming: true, stopping: false, concurrency: 1 })

        yield* Scope.close(scope, Exit.void)
        expect(state).toMatchObject({ alive: false, claiming: false, stopping: true, running: 0 })
        const before = claims
        const waiting = yield* store.create(analysis, undefined)
        expect((yield* store.find(userId, waiting.analysisId)).status).toBe("pending")
        expect(claims).toBe(before)
      }).pipe(
        Effect.provide([stores, nothingToFetch, Layer.succeed(RuleCatalog, Effect.succeed([])), Logger.layer([])]),
      ),
    )
  })
})
