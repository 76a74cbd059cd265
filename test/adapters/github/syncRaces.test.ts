import { afterAll, assert, beforeEach } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as GitHubCodeHost from "../../../adapters/github/GitHubCodeHost.ts"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../../adapters/jose/SecretKeyFile.ts"
import * as SqlHostingTokens from "../../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { RepositoryStore, type SyncKind } from "../../../application/ports/repositories/RepositoryStore.ts"
import { setHostingToken } from "../../../application/repositories/manageHostingToken.ts"
import { syncRepositories } from "../../../application/repositories/syncRepositories.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import { type FakeRepository, manyRepositories, startGithubServer } from "../../support/githubServer.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const tokenOf = (kind: "personal" | "installation") => `${kind === "personal" ? "ghp" : "ghs"}_${"r".repeat(36)}`

const github = await startGithubServer()
afterAll(() => github.close())
beforeEach(() => {
  github.intercept = undefined
})

const services = Layer.mergeAll(
  SqlRepositoryStore.layer,
  SqlHostingTokens.layer,
  SqlAccounts.layer,
  JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(0))])),
  GitHubCodeHost.layer({ apiUrl: github.url, retryDelay: Duration.millis(1), requestTime: Duration.seconds(5) }),
)

let kind: "personal" | "installation" = "personal"

const give = (repositories: ReadonlyArray<FakeRepository>): void =>
  void github.tokens.set(tokenOf(kind), {
    repositories,
    ...(kind === "personal" ? { login: "octo", scopes: "repo" } : { installation: true }),
  })

const connected = Effect.fnUntraced(function* (
  repositories: ReadonlyArray<FakeRepository>,
  as: "personal" | "installation" = "personal",
) {
  kind = as
  give(repositories)
  const userId = yield* Accounts.use((accounts) => accounts.createUser(`${crypto.randomUUID()}@example.test`, "pro"))
  yield* setHostingToken(userId, tokenOf(kind))
  github.requests.length = 0
  const caller: Caller = { userId, plan: "pro", organizationId: undefined, scopes: ["repositories"] }
  return caller
})

const sync = (caller: Caller, how: SyncKind = "full") =>
  Effect.map(syncRepositories(caller, how), ({ synced, added, updated }) => ({ synced, added, updated }))

const ids = (caller: Caller) =>
  Effect.map(
    RepositoryStore.use((store) => store.list(caller.userId)),
    (records) => records.map((one) => one.githubId).toSorted((a, b) => a - b),
  )

const before = manyRepositories(250)
const idsOf = (repositories: ReadonlyArray<FakeRepository>) =>
  repositories.map((one) => one.id).toSorted((a, b) => a - b)

/** Changes the list right before one of its pages is returned for the first time. */
const beforePage = (page: number, change: () => void): void => {
  let done = false
  github.intercept = (_path, request) => {
    if (done || new URL(request.url ?? "/", github.url).searchParams.get("page") !== String(page)) return undefined
    done = true
    change()
    return undefined
  }
}

const hide = (count: number) => before.slice(count)

await onBothDatabases("races of a sync with changes at the hosting service", services, {
  "a repository deleted while the list is being read does not hide another one": Effect.gen(function* () {
    for (const as of ["personal", "installation"] as const) {
      const caller = yield* connected(before, as)
      beforePage(2, () => give(hide(1)))
      // The one that moved from the second page to the first, already read one is among them.
      assert.deepEqual(yield* sync(caller), { synced: 249, added: 249, updated: 0 })
      assert.deepEqual(yield* ids(caller), idsOf(hide(1)))
      assert.lengthOf(github.requests, 8)
    }
  }),

  "neither does one that is deleted while another is created": Effect.gen(function* () {
    const caller = yield* connected(before)
    const created = { id: 9_999, full_name: "octo/created", created_at: "2026-09-01T00:00:00Z" }
    const after = [...hide(1), created]
    beforePage(2, () => give(after))
    assert.strictEqual((yield* sync(caller)).synced, 250)
    assert.deepEqual(yield* ids(caller), idsOf(after))
  }),

  "what was synced before is not considered gone because the list moved": Effect.gen(function* () {
    const caller = yield* connected(before)
    yield* sync(caller)
    // Keeps moving: every read loses one on its first page.
    let gone = 0
    github.intercept = (_path, request) => {
      if (request.url?.includes("&page=2&") === true) give(hide(++gone))
      return undefined
    }
    yield* sync(caller)
    assert.strictEqual(gone, 3)
    assert.deepEqual(yield* ids(caller), idsOf(before))
    github.intercept = undefined
    yield* sync(caller, "quick")
    assert.deepEqual(yield* ids(caller), idsOf(hide(3)))
  }),

  "a sync keeps its turn while a page takes longer than the lease": Effect.gen(function* () {
    const store = yield* RepositoryStore
    const sql = yield* SqlClient
    const caller = yield* connected(before)
    let release: () => void = () => undefined
    const asked = yield* Deferred.make<void>()
    github.intercept = (_path, request, response) => {
      if (request.url?.includes("&page=2&") !== true) return undefined
      github.intercept = undefined
      // Requested again after a server error.
      release = () => void response.writeHead(500).end()
      Deferred.doneUnsafe(asked, Effect.void)
      return "taken"
    }
    yield* Effect.gen(function* () {
      const running = yield* Effect.forkChild(syncRepositories(caller, "full"))
      yield* Deferred.await(asked)
      yield* sql`UPDATE repository_syncs SET lease_expires_at = now()`
      yield* TestClock.adjust("5 seconds")
      yield* Effect.repeat(sql`SELECT FROM repository_syncs WHERE lease_expires_at > now() + interval '10 seconds'`, {
        until: (rows) => rows.length === 1,
      })
      assert.strictEqual((yield* store.beginSync(caller.userId)).type, "busy")
      release()
      assert.strictEqual((yield* Fiber.join(running)).synced, 250)
    }).pipe(Effect.provide(TestClock.layer()))
  }),

  "repositories created in the same second may be listed in any order": Effect.gen(function* () {
    const sameSecond = before.map((one) => ({ ...one, created_at: "2026-01-01T00:00:00Z" }))
    const caller = yield* connected(sameSecond)
    assert.strictEqual((yield* sync(caller)).synced, 250)
    assert.lengthOf(github.requests, 4)
  }),

  "a name taken over while the list is being read belongs to its new owner, and the next quick sync finds the renamed repository":
    Effect.gen(function* () {
      const store = yield* RepositoryStore
      const caller = yield* connected(before)
      const url = `${github.url}/octo/repository-1`
      const start = new Date("2026-03-01T00:00:00Z")
      beforePage(3, () =>
        give(
          before.map((one) => {
            if (one.id === 1) return { ...one, full_name: "octo/renamed", updated_at: "2026-03-01T00:00:10Z" }
            // Read after it took the name of the first, which was read before.
            if (one.id === 250) return { ...one, full_name: "octo/repository-1", updated_at: "2026-03-01T00:00:20Z" }
            return one
          }),
        ),
      )
      const change = github.intercept
      github.intercept = (path, request, response) => {
        response.setHeader("date", start.toUTCString())
        return change?.(path, request, response)
      }
      yield* sync(caller)
      const named = (records: ReadonlyArray<{ readonly githubId: number; readonly url: string }>) =>
        records.filter((one) => one.url === url).map((one) => one.githubId)
      assert.sameMembers(named(yield* store.list(caller.userId)), [1, 250])
      assert.isTrue(yield* store.isSynced(caller.userId, RepositoryUrl.make(url)))

      assert.deepEqual(yield* sync(caller, "quick"), { synced: 1, added: 0, updated: 1 })
      const records = yield* store.list(caller.userId)
      assert.deepEqual(named(records), [250])
      assert.strictEqual(records.find((one) => one.githubId === 1)?.fullName, "octo/renamed")
    }),
})
