import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore, type NewAnalysis } from "../../application/ports/analysis/AnalysisStore.ts"
import { hosted, synced } from "./repositories.ts"
import { claim, complete, create, newUser, type Test } from "../support/stores.ts"
import type { UserId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/** A completed analysis with these findings. */
const found = Effect.fnUntraced(function* (
  userId: UserId,
  fingerprints: ReadonlyArray<string>,
  branch = "main",
  change: Partial<NewAnalysis> = {},
) {
  const analysisId = yield* create(userId, change)
  yield* complete(yield* claim, { fingerprints, branch })
  return analysisId
})

/** The status of a running analysis's findings. */
const compare = Effect.fnUntraced(function* (
  userId: UserId,
  fingerprints: ReadonlyArray<string>,
  branch = "main",
  change: Partial<NewAnalysis> = {},
) {
  const store = yield* AnalysisStore
  const queue = yield* AnalysisQueue
  yield* create(userId, change)
  const job = yield* claim
  const statuses = yield* queue.compare(job, branch, fingerprints)
  yield* store.remove(userId, job.analysisId)
  return statuses
})

/** The status of findings relative to earlier completed analyses. */
export const findingHistory: Readonly<Record<string, Test>> = {
  "the findings of a first analysis are new": Effect.gen(function* () {
    assert.deepEqual(yield* compare(yield* newUser(), ["a", "b", "a"]), ["new", "new", "new"])
  }),

  "without findings there is nothing to compare": Effect.gen(function* () {
    assert.deepEqual(yield* compare(yield* newUser(), []), [])
  }),

  "a finding is unchanged if in the previous analysis, reopened if only in an older one, in the order asked":
    Effect.gen(function* () {
      const userId = yield* newUser()
      yield* found(userId, ["fixed", "kept"])
      yield* found(userId, ["kept"])
      assert.deepEqual(yield* compare(userId, ["fresh", "kept", "fixed"]), ["new", "unchanged", "reopened"])
    }),

  "a branch is compared with itself, or at first with the default branch": Effect.gen(function* () {
    const userId = yield* newUser()
    const feature = { branch: "feature" }
    yield* found(userId, ["base"])
    assert.deepEqual(yield* compare(userId, ["base", "x"], "feature", feature), ["unchanged", "new"])
    yield* found(userId, ["x"], "feature", feature)
    assert.deepEqual(yield* compare(userId, ["base", "x"], "feature", feature), ["new", "unchanged"])
    assert.deepEqual(yield* compare(userId, ["base", "x"]), ["unchanged", "new"])
  }),

  "an analysis of a folder is the previous one for that folder and its subfolders, never for the whole repository":
    Effect.gen(function* () {
      const userId = yield* newUser()
      const of = (path: string) => ({ path })
      yield* found(userId, ["a", "b"])
      yield* found(userId, ["a"], "main", of("src"))
      assert.deepEqual(yield* compare(userId, ["a", "b"]), ["unchanged", "unchanged"])
      assert.deepEqual(yield* compare(userId, ["a", "b"], "main", of("src")), ["unchanged", "reopened"])
      assert.deepEqual(yield* compare(userId, ["a", "b"], "main", of("src/vault")), ["unchanged", "reopened"])
      for (const other of ["srcs", "sr", "test"]) {
        assert.deepEqual(yield* compare(userId, ["a", "b"], "main", of(other)), ["unchanged", "unchanged"])
      }
    }),

  "the synced record can name the default branch, too": Effect.gen(function* () {
    const userId = yield* newUser()
    const url = "https://github.com/example/vault"
    yield* found(userId, ["base"], "trunk", { branch: "trunk" })
    assert.deepEqual(yield* compare(userId, ["base"], "feature", { branch: "feature" }), ["new"])
    yield* synced(userId, [hosted(1, { url, defaultBranch: "trunk" })])
    assert.deepEqual(yield* compare(userId, ["base"], "feature", { branch: "feature" }), ["unchanged"])
  }),

  "a renamed repository keeps its findings; one that takes its name starts without any": Effect.gen(function* () {
    const userId = yield* newUser()
    const [before, after] = ["https://github.com/example/vault", "https://github.com/example/renamed"]
    yield* synced(userId, [hosted(1, { url: before })])
    yield* found(userId, ["a"], "main", { repositoryUrl: RepositoryUrl.make(before) })
    yield* synced(userId, [hosted(1, { url: after }), hosted(2, { url: before })])
    assert.deepEqual(yield* compare(userId, ["a"], "main", { repositoryUrl: RepositoryUrl.make(after) }), ["unchanged"])
    assert.deepEqual(yield* compare(userId, ["a"], "main", { repositoryUrl: RepositoryUrl.make(before) }), ["new"])
  }),

  "a repository is the same however its URL is spelled": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* found(userId, ["a"], "main", { repositoryUrl: RepositoryUrl.make("https://github.com/Example/Vault") })
    assert.deepEqual(
      yield* compare(userId, ["a"], "main", { repositoryUrl: RepositoryUrl.make("https://github.com/example/vault") }),
      ["unchanged"],
    )
  }),

  "other users' and other repositories' findings do not count": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    yield* found(bob, ["a"])
    yield* found(ada, ["a"], "main", { repositoryUrl: RepositoryUrl.make("https://github.com/example/other") })
    assert.deepEqual(yield* compare(ada, ["a"]), ["new"])
  }),

  "a removed analysis is forgotten": Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* found(userId, ["a"])
    yield* AnalysisStore.use((store) => store.remove(userId, analysisId))
    assert.deepEqual(yield* compare(userId, ["a"]), ["new"])
  }),
}
