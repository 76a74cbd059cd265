import { describe, expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { WorkerId } from "../../../domain/ids/Ids.ts"
import { AnalysisQueue } from "../../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { anyDatabase } from "../../support/databases.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const stores = Layer.mergeAll(SqlAnalysisStore.layer, SqlAnalysisQueue.layer, SqlAccounts.layer).pipe(
  Layer.provide(await anyDatabase()),
)

const traceParent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`

describe("the trace that an analysis belongs to", () => {
  layer(stores)((it) => {
    it.effect("follows it to the worker; after a retry it is that of the retry", () =>
      Effect.gen(function* () {
        const store = yield* AnalysisStore
        const queue = yield* AnalysisQueue
        const userId = yield* (yield* Accounts).createUser("someone@example.test", "pro")
        const { analysisId } = yield* store.create(
          {
            userId,
            repositoryUrl: RepositoryUrl.make("https://github.com/a/b"),
            branch: undefined,
            framework: "auto",
            analysisType: "full",
            webhookUrl: undefined,
            traceParent: traceParent("a"),
          },
          undefined,
        )
        const claim = Effect.flatMap(queue.claim(WorkerId.make("worker")), Effect.fromOption)
        const first = yield* claim
        expect(first.traceParent).toBe(traceParent("a"))
        const ended = yield* queue.fail(first, { stage: "compilation", message: "nothing parses" }, false)
        expect(ended).toBe("failed")

        yield* store.retry(userId, analysisId, traceParent("b"))
        const second = yield* claim
        expect(second.traceParent).toBe(traceParent("b"))
        expect(yield* queue.fail(second, { stage: "fetching_source", message: "away" }, true)).toBe("pending")

        yield* store.remove(userId, analysisId)
      }),
    )
  })
})
