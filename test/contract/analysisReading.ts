import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AnalysisNotFound, AnalysisStore, type ListFilter } from "../../application/ports/analysis/AnalysisStore.ts"
import { claim, complete, create, createFailed, newUser, type Test } from "../support/stores.ts"
import { type UserId, AnalysisId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

const everything: ListFilter = {
  limit: 100,
  after: undefined,
  status: undefined,
  framework: undefined,
  repositoryUrl: undefined,
}

const list = (userId: UserId, filter: Partial<ListFilter> = {}) =>
  AnalysisStore.use((store) => store.list(userId, { ...everything, ...filter }))

/** Lists and lookups, which never show other users' analyses. */
export const analysisReading: Readonly<Record<string, Test>> = {
  "the list contains only the user's own, newest first": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    const first = yield* create(ada)
    yield* create(bob)
    const second = yield* create(ada)
    const items = yield* list(ada)
    assert.sameMembers(
      items.map((item) => item.analysisId),
      [first, second],
    )
    assert.isTrue(items[0]!.createdAt >= items[1]!.createdAt)
    assert.deepEqual(yield* list(yield* newUser()), [])
  }),

  "the list can be filtered by status, framework and repository": Effect.gen(function* () {
    const userId = yield* newUser()
    const failed = yield* createFailed(userId)
    const solana = yield* create(userId, { framework: "solana" })
    const other = yield* create(userId, { repositoryUrl: RepositoryUrl.make("https://github.com/example/other") })
    const ids = (filter: Partial<ListFilter>) =>
      Effect.map(list(userId, filter), (items) => items.map((item) => item.analysisId))
    assert.deepEqual(yield* ids({ status: "failed" }), [failed])
    assert.deepEqual(yield* ids({ framework: "solana" }), [solana])
    assert.deepEqual(yield* ids({ repositoryUrl: "https://github.com/example/other" }), [other])
    assert.deepEqual(yield* ids({ status: "failed", framework: "solana" }), [])
  }),

  "pages neither repeat nor skip an analysis while new ones arrive": Effect.gen(function* () {
    const userId = yield* newUser()
    const before = yield* Effect.forEach(Array.from({ length: 11 }), () => create(userId), { concurrency: "unbounded" })
    const seen: Array<string> = []
    let after: ListFilter["after"]
    while (true) {
      const page: Effect.Success<ReturnType<typeof list>> = yield* list(userId, { limit: 3, after })
      if (page.length === 0) break
      seen.push(...page.map((item) => item.analysisId))
      after = page.at(-1)
      yield* create(userId)
    }
    assert.lengthOf(seen, before.length)
    assert.sameMembers(seen, before)
  }),

  "another user's analysis looks as if it did not exist": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const [owner, other] = [yield* newUser(), yield* newUser()]
    const analysisId = yield* createFailed(owner)
    for (const [userId, id] of [
      [other, analysisId],
      [owner, crypto.randomUUID()],
      [owner, "not-a-uuid"],
      [owner, `${analysisId}' OR true --`],
    ] as const) {
      const attempts: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        store.progress(userId, AnalysisId.make(id)),
        store.find(userId, AnalysisId.make(id)),
        store.retry(userId, AnalysisId.make(id)),
        store.remove(userId, AnalysisId.make(id)),
      ]
      for (const attempt of attempts) {
        const error: { readonly _tag: string } = yield* Effect.flip(attempt)
        assert.deepEqual({ ...error }, { ...new AnalysisNotFound({ analysisId: AnalysisId.make(id) }) })
      }
    }
    assert.strictEqual((yield* store.find(owner, analysisId)).status, "failed")
  }),

  "an id is found in upper and lower case": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    assert.strictEqual((yield* store.progress(userId, AnalysisId.make(analysisId.toUpperCase()))).status, "pending")
    assert.strictEqual((yield* store.find(userId, AnalysisId.make(analysisId.toUpperCase()))).status, "pending")
  }),

  "concurrent lookups each get their own result": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const users = yield* Effect.forEach(Array.from({ length: 20 }), () => newUser())
    const owned = yield* Effect.forEach(users, (userId) =>
      Effect.map(create(userId), (analysisId) => ({ userId, analysisId })),
    )
    const lookups = owned.flatMap(({ userId, analysisId }, index) => [
      store.progress(userId, analysisId),
      store.progress(users[(index + 1) % users.length]!, analysisId),
      store.progress(userId, AnalysisId.make(crypto.randomUUID())),
    ])
    const answers = yield* Effect.forEach(lookups, Effect.result, { concurrency: "unbounded" })
    answers.forEach((answer, index) => {
      if (index % 3 === 0) {
        assert.strictEqual(
          answer._tag === "Success" ? answer.success.analysisId : undefined,
          owned[index / 3]!.analysisId,
        )
      } else {
        assert.strictEqual(answer._tag === "Failure" ? answer.failure._tag : undefined, "AnalysisNotFound")
      }
    })
  }),

  "a badge is public and shows zeros until completion": Effect.gen(function* () {
    const store = yield* AnalysisStore
    const analysisId = yield* create(yield* newUser())
    assert.deepInclude(yield* store.badge(analysisId), { status: "pending", totalFindings: 0, lowFindings: 0 })
    yield* complete(yield* claim)
    assert.deepInclude(yield* store.badge(analysisId), { status: "completed", totalFindings: 15 })
    assert.strictEqual((yield* Effect.flip(store.badge(AnalysisId.make(crypto.randomUUID()))))._tag, "AnalysisNotFound")
    assert.strictEqual((yield* Effect.flip(store.badge(AnalysisId.make("x"))))._tag, "AnalysisNotFound")
  }),
}
