import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import type { RepositoryScanView } from "../../adapters/http/contract/RepositoriesGroup.ts"
import { scanView } from "../../adapters/http/answer/listItem.ts"
import { Overviews } from "../../application/ports/finding/Overviews.ts"
import { RepositoryStore } from "../../application/ports/repositories/RepositoryStore.ts"
import { hosted, names, synced } from "./repositories.ts"
import { claim, complete, create, createFailed, newUser, type Test } from "../support/stores.ts"
import { type UserId, RepositoryId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

const analyzed = Effect.fnUntraced(function* (userId: UserId, repositoryUrl: string) {
  const analysisId = yield* create(userId, { repositoryUrl: RepositoryUrl.make(repositoryUrl) })
  yield* complete(yield* claim)
  return analysisId
})

const only = (userId: UserId) =>
  Effect.map(
    RepositoryStore.use((store) => store.list(userId)),
    ([record]) => record!,
  )

const scansOf = (userId: UserId, id: string) =>
  Effect.map(
    RepositoryStore.use((store) => store.scans(userId, RepositoryId.make(id))),
    // The contract defines what the store writes.
    (scans) => JSON.parse(scans) as ReadonlyArray<RepositoryScanView>,
  )

const scanIds = (userId: UserId, id: string) =>
  Effect.map(scansOf(userId, id), (scans) => scans.map((scan) => scan.analysisId))

/** Reading repository records, their analyses, and statistics over all of them. */
export const repositoryRecords: Readonly<Record<string, Test>> = {
  "the list contains only the user's own, by name ignoring case": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    yield* synced(ada, [
      hosted(1, { name: "b", fullName: "octo/b" }),
      hosted(2, { name: "C", fullName: "octo/C" }),
      hosted(3, { name: "a", fullName: "octo/a" }),
    ])
    yield* synced(bob, [hosted(1)])
    assert.deepEqual(yield* names(ada), ["a", "b", "C"])
    assert.deepEqual(yield* names(bob), ["repository-1"])
  }),

  "large ids of the hosting service are numbers": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(9_007_199_254_740_991)])
    assert.strictEqual((yield* only(userId)).githubId, 9_007_199_254_740_991)
  }),

  "another user's record looks as if it did not exist": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    yield* synced(ada, [hosted(1)])
    const { id } = yield* only(ada)
    yield* analyzed(ada, hosted(1).url)
    for (const [userId, asked] of [
      [bob, id],
      [ada, crypto.randomUUID()],
      [ada, "x"],
    ] as const) {
      assert.strictEqual((yield* Effect.flip(store.find(userId, RepositoryId.make(asked))))._tag, "RepositoryNotFound")
      assert.strictEqual(yield* store.scans(userId, RepositoryId.make(asked)), "[]")
    }
    assert.strictEqual((yield* store.find(ada, RepositoryId.make(id.toUpperCase()))).id, id)
    assert.isTrue(yield* store.isSynced(ada, RepositoryUrl.make(hosted(1).url)))
    assert.isFalse(yield* store.isSynced(bob, RepositoryUrl.make(hosted(1).url)))
  }),

  "scans are oldest first, under any spelling of the URL, with a summary once completed": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1, { url: "https://github.com/Octo/Vault" })])
    const first = yield* analyzed(userId, "https://github.com/octo/vault")
    const second = yield* analyzed(userId, "https://github.com/OCTO/Vault.git")
    yield* analyzed(userId, "https://github.com/octo/vault2")
    const third = yield* create(userId, { repositoryUrl: RepositoryUrl.make("https://github.com/Octo/Vault") })
    const { id } = yield* only(userId)
    assert.deepEqual(yield* scanIds(userId, id), [first, second, third])
    const scans = yield* scansOf(userId, id)
    assert.deepInclude(scans[0], { status: "completed", branch: "main", framework: "evm" })
    assert.deepEqual(scans[0]!.summary, {
      totalFindings: 15,
      criticalFindings: 1,
      highFindings: 2,
      mediumFindings: 3,
      lowFindings: 4,
      analysisTime: 1234,
    })
    assert.deepInclude(scans[2], { status: "pending" })
    assert.doesNotHaveAnyKeys(scans[2], ["summary", "completedAt"])
  }),

  "scans have the same form as elsewhere": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)])
    yield* analyzed(userId, hosted(1).url)
    yield* create(userId, { repositoryUrl: RepositoryUrl.make(hosted(1).url), branch: 'a"\\é', path: "contracts" })
    yield* create(userId, { repositoryUrl: RepositoryUrl.make(hosted(1).url), commit: "a".repeat(40) })
    const { id } = yield* only(userId)
    const { recent } = yield* Overviews.use((overviews) => overviews.overview({ userId, organizationId: undefined }))
    assert.strictEqual(recent.length, 3)
    // Compared as text, including the order of its fields.
    const shown = JSON.stringify(recent.toReversed().map(scanView))
    assert.strictEqual(yield* RepositoryStore.use((store) => store.scans(userId, id)), shown)
  }),

  "a renamed or vanished repository keeps its scans, also under a name that another one took over": Effect.gen(
    function* () {
      const store = yield* RepositoryStore
      const userId = yield* newUser()
      const [before, after] = ["https://github.com/octo/before", "https://github.com/octo/after"]
      yield* synced(userId, [hosted(1, { url: before })])
      const first = yield* analyzed(userId, before)
      yield* synced(userId, [hosted(1, { url: after })])
      const second = yield* analyzed(userId, after)
      const { id } = yield* only(userId)
      assert.deepEqual(yield* scanIds(userId, id), [first, second])
      yield* synced(userId, [hosted(2, { url: before })])
      assert.isDefined((yield* store.find(userId, id)).vanishedAt)
      const other = (yield* only(userId)).id
      const third = yield* analyzed(userId, before)
      assert.deepEqual(yield* scanIds(userId, id), [first, second])
      assert.deepEqual(yield* scanIds(userId, other), [third])
      assert.isFalse(yield* store.isSynced(userId, RepositoryUrl.make(after)))

      // And back.
      yield* synced(userId, [hosted(1, { url: before }), hosted(2, { url: after })])
      const fourth = yield* analyzed(userId, before)
      assert.deepEqual(yield* scanIds(userId, id), [first, second, fourth])
      assert.deepEqual(yield* scanIds(userId, other), [third])
      const { scannedRepositories, scanResults } = yield* store.statistics(userId)
      assert.strictEqual(scannedRepositories, 2)
      assert.strictEqual(scanResults.critical, 2)
    },
  ),

  "of two that were read under one URL, the one that changed last owns it": Effect.gen(function* () {
    const store = yield* RepositoryStore
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const userId = yield* newUser()
      const url = "https://github.com/octo/taken"
      yield* synced(userId, [
        hosted(first, { url, updatedAt: new Date("2026-02-01T00:00:00Z") }),
        hosted(second, { url, updatedAt: new Date("2026-02-01T00:00:01Z") }),
      ])
      const scan = yield* analyzed(userId, url)
      const owner = (yield* store.list(userId)).find((one) => one.githubId === second)!
      assert.deepEqual(yield* scanIds(userId, owner.id), [scan])
    }
  }),

  "statistics count synced repositories, the latest completed analysis of each, and all analyses": Effect.gen(
    function* () {
      const store = yield* RepositoryStore
      const [userId, other] = [yield* newUser(), yield* newUser()]
      assert.deepEqual(yield* store.statistics(userId), {
        totalRepositories: 0,
        scannedRepositories: 0,
        scanResults: { critical: 0, high: 0, medium: 0, low: 0, informational: 0 },
        analysesByStatus: { pending: 0, running: 0, completed: 0, failed: 0 },
      })
      yield* synced(userId, [hosted(1), hosted(2), hosted(3), hosted(4)])
      yield* synced(userId, [hosted(1), hosted(2), hosted(3)])
      yield* synced(other, [hosted(1)])
      yield* analyzed(other, hosted(1).url)
      yield* analyzed(userId, hosted(1).url)
      yield* analyzed(userId, hosted(1).url)
      yield* analyzed(userId, hosted(2).url)
      yield* analyzed(userId, hosted(4).url)
      yield* createFailed(userId)
      yield* create(userId)
      assert.deepEqual(yield* store.statistics(userId), {
        totalRepositories: 3,
        scannedRepositories: 2,
        scanResults: { critical: 2, high: 4, medium: 6, low: 8, informational: 10 },
        analysesByStatus: { pending: 1, running: 0, completed: 4, failed: 1 },
      })
    },
  ),

  "a deleted analysis disappears from the history": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)])
    const analysisId = yield* analyzed(userId, hosted(1).url)
    yield* AnalysisStore.use((store) => store.remove(userId, analysisId))
    assert.deepEqual(yield* scanIds(userId, (yield* only(userId)).id), [])
  }),
}
