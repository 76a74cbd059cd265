import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RepositoryStore } from "../../application/ports/repositories/RepositoryStore.ts"
import { begin, commit, hosted, names, synced } from "./repositories.ts"
import { newUser, type Test } from "../support/stores.ts"
import { SyncId } from "../../domain/ids/Ids.ts"

const expireLease = SqlClient.use(
  (sql) => sql`UPDATE repository_syncs SET lease_expires_at = now() - interval '1 second'`,
)

/** Syncs of repository records: all or nothing, one at a time. */
export const repositorySync: Readonly<Record<string, Test>> = {
  "new and changed repositories are counted": Effect.gen(function* () {
    const userId = yield* newUser()
    assert.deepEqual(yield* synced(userId, [hosted(1), hosted(2)]), { synced: 2, added: 2, updated: 0 })
    assert.deepEqual(yield* synced(userId, [hosted(1), hosted(2)]), { synced: 2, added: 0, updated: 0 })
    assert.deepEqual(yield* synced(userId, [hosted(1, { language: undefined }), hosted(2), hosted(3)]), {
      synced: 3,
      added: 1,
      updated: 1,
    })
    assert.deepEqual(yield* names(userId), ["repository-1", "repository-2", "repository-3"])
  }),

  "every field that changes is an update and is stored": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)])
    const changes = [
      { name: "renamed", fullName: "octo/renamed", url: "https://github.com/octo/renamed" },
      { fullName: "other/renamed", url: "https://github.com/other/renamed" },
      { defaultBranch: "trunk" },
      { language: undefined },
      { isPrivate: true },
      { isArchived: true },
      { updatedAt: new Date("2026-02-01T00:00:00Z") },
    ]
    const current = hosted(1)
    for (const change of changes) {
      Object.assign(current, change)
      assert.deepEqual(yield* synced(userId, [current]), { synced: 1, added: 0, updated: 1 })
    }
    const [record] = yield* RepositoryStore.use((store) => store.list(userId))
    const { updatedAt: _, ...stored } = current
    assert.deepInclude(record, stored)
  }),

  "what is missing from a complete list is marked, omitted, and comes back as the same record": Effect.gen(
    function* () {
      const store = yield* RepositoryStore
      const userId = yield* newUser()
      yield* synced(userId, [hosted(1), hosted(2)])
      const [, second] = yield* store.list(userId)
      assert.deepEqual(yield* synced(userId, [hosted(1)]), { synced: 1, added: 0, updated: 0 })
      assert.deepEqual(yield* names(userId), ["repository-1"])
      assert.isDefined((yield* store.find(userId, second!.id)).vanishedAt)
      assert.deepEqual(yield* synced(userId, [hosted(1), hosted(2)]), { synced: 2, added: 0, updated: 1 })
      assert.isUndefined((yield* store.find(userId, second!.id)).vanishedAt)
    },
  ),

  "an empty list marks everything": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)])
    assert.deepEqual(yield* synced(userId, []), { synced: 0, added: 0, updated: 0 })
    assert.deepEqual(yield* names(userId), [])
  }),

  "a quick sync counts changes only and marks nothing": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1), hosted(2), hosted(3)])
    const quick = { kind: "quick", isWholeList: false, total: 4 } as const
    const page = [hosted(4), hosted(3, { isArchived: true }), hosted(2)]
    assert.deepEqual(yield* synced(userId, page, quick), { synced: 2, added: 1, updated: 1 })
    assert.lengthOf(yield* names(userId), 4)
  }),

  "if the count does not match, nothing changes, and what was staged still counts": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1), hosted(2)])
    const sync = yield* begin(userId)
    yield* store.stage(sync, [hosted(3)])
    const error = yield* Effect.flip(commit(sync, { kind: "quick", isWholeList: false, total: 2 }))
    assert.strictEqual(error._tag, "RecordsDiffer")
    assert.deepEqual(yield* names(userId), ["repository-1", "repository-2"])
    yield* store.stage(sync, [hosted(2)])
    assert.strictEqual((yield* commit(sync)).added, 1)
    assert.deepEqual(yield* names(userId), ["repository-2", "repository-3"])
  }),

  "pages are invisible before the commit, and an abandoned sync changes nothing": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const userId = yield* newUser()
    yield* synced(userId, [hosted(1)])
    const sync = yield* begin(userId)
    yield* store.stage(sync, [hosted(2)])
    assert.deepEqual(yield* names(userId), ["repository-1"])
    yield* store.abandonSync(sync)
    assert.deepEqual(yield* names(userId), ["repository-1"])
    assert.deepEqual(yield* synced(userId, [hosted(1), hosted(3)]), { synced: 2, added: 1, updated: 0 })
    assert.deepEqual(yield* names(userId), ["repository-1", "repository-3"])
  }),

  "a repository on two pages counts once": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const userId = yield* newUser()
    const sync = yield* begin(userId)
    yield* store.stage(sync, [hosted(1), hosted(1, { name: "twice" })])
    yield* store.stage(sync, [hosted(1, { name: "later" })])
    assert.strictEqual((yield* commit(sync)).synced, 1)
    assert.deepEqual(yield* names(userId), ["later"])
  }),

  "of two simultaneous syncs one runs; the other gets its result": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const userId = yield* newUser()
    const turns = yield* Effect.all([store.beginSync(userId), store.beginSync(userId)], { concurrency: 2 })
    assert.sameMembers(
      turns.map((turn) => turn.type),
      ["started", "busy"],
    )
    const [started, busy] = turns[0].type === "started" ? turns : [turns[1], turns[0]]
    assert(started.type === "started" && busy.type === "busy")
    assert.strictEqual(busy.syncId, started.sync.syncId)
    assert.deepEqual(yield* store.outcome(userId, busy.syncId), { type: "running" })
    yield* store.stage(started.sync, [hosted(1)])
    const result = yield* commit(started.sync)
    assert.deepEqual(yield* store.outcome(userId, busy.syncId), { type: "finished", kind: "full", result })
    assert.deepEqual(yield* store.outcome(userId, SyncId.make(crypto.randomUUID())), { type: "failed" })
  }),

  "users do not wait for each other": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    yield* begin(ada)
    yield* begin(bob)
  }),

  "a sync whose process died is taken over, and can no longer write anything": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const userId = yield* newUser()
    const dead = yield* begin(userId)
    yield* store.stage(dead, [hosted(1)])
    yield* expireLease
    assert.deepEqual(yield* store.outcome(userId, dead.syncId), { type: "failed" })
    const alive = yield* begin(userId)
    assert.strictEqual((yield* Effect.flip(store.stage(dead, [hosted(2)])))._tag, "SyncLost")
    assert.strictEqual((yield* Effect.flip(commit(dead)))._tag, "SyncLost")
    yield* store.abandonSync(dead)
    yield* store.stage(alive, [hosted(3)])
    yield* commit(alive)
    assert.deepEqual(yield* names(userId), ["repository-3"])
  }),

  "two that swap names in one sync end up with the right ones, in either order": Effect.gen(function* () {
    const userId = yield* newUser()
    const [a, b] = [
      { name: "a", url: "https://github.com/octo/a" },
      { name: "b", url: "https://github.com/octo/b" },
    ]
    for (const [first, second] of [
      [a, b],
      [b, a],
      [a, b],
    ] as const) {
      yield* synced(userId, [hosted(1, first), hosted(2, second)])
      const records = yield* RepositoryStore.use((store) => store.list(userId))
      assert.deepEqual(
        records.toSorted((x, y) => x.githubId - y.githubId).map((one) => one.url),
        [first.url, second.url],
      )
    }
  }),

  "a quick sync continues from where the full one started to read, if that is earlier": Effect.gen(function* () {
    const userId = yield* newUser()
    const [began, latest] = [new Date("2026-03-01T00:00:00Z"), new Date("2026-03-01T00:00:20Z")]
    yield* synced(userId, [hosted(1, { updatedAt: latest })], { changesSince: began })
    assert.deepEqual((yield* begin(userId)).since, { instant: began, etag: undefined })
    yield* expireLease
    yield* synced(userId, [], { kind: "quick", isWholeList: false })
    assert.deepEqual((yield* begin(userId)).since, { instant: latest, etag: undefined })
  }),

  "a quick sync continues from the latest stored change": Effect.gen(function* () {
    const userId = yield* newUser()
    assert.isUndefined((yield* begin(userId)).since)
    yield* expireLease
    const latest = new Date("2026-03-01T00:00:00Z")
    yield* synced(userId, [hosted(1), hosted(2, { updatedAt: latest })], { etag: '1W/"x"' })
    assert.deepEqual((yield* begin(userId)).since, { instant: latest, etag: '1W/"x"' })
  }),
}
