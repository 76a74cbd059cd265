import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as GitHubCodeHost from "../../../adapters/github/GitHubCodeHost.ts"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../../adapters/jose/SecretKeyFile.ts"
import * as SqlHostingTokens from "../../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import type { SyncKind } from "../../../application/ports/repositories/RepositoryStore.ts"
import {
  getHostingToken,
  removeHostingToken,
  setHostingToken,
} from "../../../application/repositories/manageHostingToken.ts"
import { listRepositories } from "../../../application/repositories/readRepositories.ts"
import { hostingCredentials, SourceCredentials } from "../../../application/repositories/sourceCredentials.ts"
import { syncRepositories } from "../../../application/repositories/syncRepositories.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { embeddedDatabase } from "../../support/databases.ts"
import {
  type FakeRepository,
  type GithubServer,
  manyRepositories,
  startGithubServer,
} from "../../support/githubServer.ts"
import { cpuTime, slowness } from "../../support/cpuTime.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const token = `ghp_${"s".repeat(36)}`

const layerFor = (github: GithubServer) =>
  Layer.mergeAll(
    SqlRepositoryStore.layer,
    SqlHostingTokens.layer,
    SqlAccounts.layer,
    JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(0))])),
    GitHubCodeHost.layer({ apiUrl: github.url, retryDelay: Duration.millis(1), requestTime: Duration.seconds(5) }),
  ).pipe(Layer.provideMerge(embeddedDatabase))

type Services = Layer.Success<ReturnType<typeof layerFor>>

let github: GithubServer
let runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
let caller: Caller

const run = <A, E>(effect: Effect.Effect<A, E, Services>) => runtime.runPromise(effect)

beforeAll(async () => {
  github = await startGithubServer()
  runtime = ManagedRuntime.make(layerFor(github))
})
afterAll(async () => {
  await runtime.dispose()
  await github.close()
})
beforeEach(async () => {
  github.intercept = undefined
  github.tokens.clear()
  const userId = await run(
    Accounts.use((accounts) => accounts.createUser(`${crypto.randomUUID()}@example.test`, "pro")),
  )
  caller = { userId, plan: "pro", organizationId: undefined, scopes: ["repositories"] }
})

const give = (repositories: ReadonlyArray<FakeRepository>, scopes = "repo") =>
  void github.tokens.set(token, { login: "octo", scopes, repositories })

/** A user whose token gives access to these repositories. */
const connected = async (repositories: ReadonlyArray<FakeRepository>) => {
  give(repositories)
  await run(setHostingToken(caller.userId, token))
  github.requests.length = 0
}

const sync = async (kind: SyncKind = "full") => {
  const { synced, added, updated } = await run(syncRepositories(caller, kind))
  return { synced, added, updated }
}
const failure = (kind: SyncKind = "full") => run(Effect.flip(syncRepositories(caller, kind)))
const names = async () => (await run(listRepositories(caller, false))).map((one) => one.name)

describe("the hosting token", () => {
  it("is checked, encrypted, described without being revealed, and removed", async () => {
    assert.isTrue(Option.isNone(await run(getHostingToken(caller))))
    await connected([])
    const view = Option.getOrThrow(await run(getHostingToken(caller)))
    assert.deepInclude(view, { kind: "personal", account: "octo", scopes: ["repo"] })
    assert.notInclude(JSON.stringify(view), token)
    const rows = await run(SqlClient.use((sql) => sql`SELECT * FROM hosting_tokens`))
    assert.notInclude(JSON.stringify(rows), token)
    await run(removeHostingToken(caller))
    assert.isTrue(Option.isNone(await run(getHostingToken(caller))))
  })

  it("is not stored if the service rejects it, if it lacks scopes, or if it is not a token", async () => {
    for (const [given, scopes, said] of [
      [`${token}x`, "repo", "revoked"],
      [token, "gist", "repo (private and public repositories)"],
      ["has space", "repo", "is not a token"],
      ["", "repo", "is empty"],
      ["bad\u0000", "repo", "is not a token"],
    ] as const) {
      give([], scopes)
      const error = await run(Effect.flip(setHostingToken(caller.userId, given)))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.include(JSON.stringify(error), said)
      assert.notInclude(JSON.stringify(error), token)
    }
    assert.isTrue(Option.isNone(await run(getHostingToken(caller))))
  })

  it("is not considered wrong while the service is down", async () => {
    github.intercept = () => ({ status: 503 })
    const error = await run(Effect.flip(setHostingToken(caller.userId, token)))
    assert.strictEqual(error._tag, "HostingUnavailable")
  })
})

describe("the credential of a source", () => {
  const credentialFor = (repositoryUrl: string) =>
    run(
      Effect.flatMap(SourceCredentials, (find) => find(caller.userId, RepositoryUrl.make(repositoryUrl))).pipe(
        Effect.provide(hostingCredentials),
      ),
    )

  it("is the user's token, for the token's own server and what was synced from there", async () => {
    const url = `${github.url}/octo/repository-1`
    assert.isUndefined(await credentialFor(url))
    await connected([{ id: 1, full_name: "octo/elsewhere", html_url: "https://git.example.com/octo/elsewhere" }])
    const credential = await credentialFor(url)
    assert.strictEqual(credential?.origin, github.url)
    assert.strictEqual(credential === undefined ? "" : Redacted.value(credential.secret), token)
    assert.notInclude(JSON.stringify(credential), token)

    const elsewhere = "https://git.example.com/Octo/Elsewhere.git"
    assert.isUndefined(await credentialFor(elsewhere))
    await sync()
    assert.strictEqual((await credentialFor(elsewhere))?.origin, "https://git.example.com")
    assert.isUndefined(await credentialFor("https://git.example.com/octo/other"))
    await run(removeHostingToken(caller))
    assert.isUndefined(await credentialFor(url))
  })
})

describe("a full sync", () => {
  it("requires a token", async () => {
    const error = await failure()
    assert.strictEqual(error._tag, "HostingTokenRequired")
    assert.include(error.message, "PUT /api/v1/settings/hosting-token")
  })

  it("reports that the token has since been revoked", async () => {
    await connected([])
    github.tokens.clear()
    const error = await failure()
    assert.strictEqual(error._tag, "HostingTokenRequired")
    assert.include(error.message, "revoked")
  })

  it("follows renames, transfers, archiving, privacy and deletion", async () => {
    await connected(manyRepositories(5))
    assert.deepEqual(await sync(), { synced: 5, added: 5, updated: 0 })
    const [one, two, three, four] = manyRepositories(5)
    give([
      { ...one!, full_name: "octo/renamed" },
      { ...two!, full_name: "acme/repository-2" },
      { ...three!, archived: true },
      { ...four!, private: true },
    ])
    assert.deepEqual(await sync(), { synced: 4, added: 0, updated: 4 })
    const records = await run(listRepositories(caller, false))
    assert.deepEqual(
      records.map((one) => [one.githubId, one.fullName, one.isArchived, one.isPrivate]),
      [
        [2, "acme/repository-2", false, false],
        [1, "octo/renamed", false, false],
        [3, "octo/repository-3", true, false],
        [4, "octo/repository-4", false, true],
      ],
    )
  })

  it("changes nothing when a page fails halfway, and the next one need not wait", async () => {
    await connected(manyRepositories(250))
    github.intercept = (_path, request) => (request.url!.includes("page=3") ? { status: 500 } : undefined)
    const error = await failure()
    assert.strictEqual(error._tag, "HostingUnavailable")
    assert.deepEqual(await names(), [])
    github.intercept = undefined
    assert.deepEqual(await sync(), { synced: 250, added: 250, updated: 0 })
  })

  it("reads once for two simultaneous requests, which return the same", async () => {
    await connected(manyRepositories(150))
    const results = await Promise.all([run(syncRepositories(caller, "full")), run(syncRepositories(caller, "quick"))])
    assert.deepEqual(results[0], results[1])
    // Two pages, and the ETag for the next quick sync.
    assert.lengthOf(github.requests, 3)
  })

  it("runs by itself if the one it waited for failed", async () => {
    await connected(manyRepositories(1))
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    let asked = 0
    github.intercept = (_path, _request, response) => {
      if (++asked > 1) return undefined
      void held.then(() => response.writeHead(401, { "content-type": "application/json" }).end('{"message":"no"}'))
      return "taken"
    }
    const both = Promise.all([
      run(Effect.result(syncRepositories(caller, "full"))),
      run(Effect.result(syncRepositories(caller, "full"))),
    ])
    setTimeout(release, 50)
    const results = await both
    assert.sameMembers(
      results.map((result) => result._tag),
      ["Success", "Failure"],
    )
  })

  it("leaves nothing behind if abandoned by its client", async () => {
    await connected(manyRepositories(1))
    let asked: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => (asked = resolve))
    github.intercept = () => {
      asked()
      return "taken"
    }
    await run(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(syncRepositories(caller, "full"))
        yield* Effect.promise(() => arrived)
        yield* Fiber.interrupt(fiber)
      }),
    )
    github.intercept = undefined
    assert.strictEqual((await sync()).synced, 1)
  })

  it("takes 101 requests and less than 10 s for 10,000 repositories", async () => {
    await connected(manyRepositories(10_000))
    // The CPU time of client, service and database together, which is the same on a loaded machine.
    const before = cpuTime()
    assert.deepEqual(await sync(), { synced: 10_000, added: 10_000, updated: 0 })
    const took = cpuTime() - before
    assert.isBelow(took / slowness(), 10_000)
    assert.isAtMost(github.requests.length, 101)
    github.requests.length = 0
    assert.deepEqual(await sync("quick"), { synced: 0, added: 0, updated: 0 })
    assert.isAtMost(github.requests.length, 2)
    github.requests.length = 0
    assert.deepEqual(await sync("quick"), { synced: 0, added: 0, updated: 0 })
    assert.isAtMost(github.requests.length, 2)
  }, 60_000)
})

describe("a quick sync", () => {
  it("is a full one at first", async () => {
    await connected(manyRepositories(120))
    assert.deepEqual(await sync("quick"), { synced: 120, added: 120, updated: 0 })
  })

  it("costs one request if a page contains everything and nothing changed", async () => {
    await connected(manyRepositories(3))
    await sync()
    github.requests.length = 0
    assert.deepEqual(await sync("quick"), { synced: 0, added: 0, updated: 0 })
    assert.lengthOf(github.requests, 1)
  })

  it("costs two requests if thousands were last changed in the same second, even without ETags", async () => {
    await connected(manyRepositories(1_500).map((one) => ({ ...one, updated_at: "2026-01-01T00:00:00Z" })))
    github.intercept = (_path, request) => {
      delete request.headers["if-none-match"]
      return undefined
    }
    await sync()
    github.requests.length = 0
    assert.deepEqual(await sync("quick"), { synced: 0, added: 0, updated: 0 })
    assert.lengthOf(github.requests, 2)
  })

  it("finds changes made while a full sync was reading", async () => {
    const before = manyRepositories(150)
    await connected(before)
    github.intercept = (_path, request) => {
      // After the first page of the list was read.
      if (request.url!.includes("page=2")) {
        github.intercept = undefined
        give([{ ...before[0]!, archived: true, updated_at: "2026-07-01T00:00:00Z" }, ...before.slice(1)])
      }
      return undefined
    }
    await sync()
    assert.deepEqual(await sync("quick"), { synced: 1, added: 0, updated: 1 })
  })

  for (const count of [3, 250]) {
    it(`finds what was added, changed and deleted among ${count}`, async () => {
      const before = manyRepositories(count)
      await connected(before)
      await sync()
      const changed = before.map((one, index) =>
        index === 1 ? { ...one, full_name: "octo/renamed", updated_at: "2026-05-01T00:00:00Z" } : one,
      )
      give([...changed, { id: 9_999, full_name: "octo/added", updated_at: "2026-05-02T00:00:00Z" }])
      assert.deepEqual(await sync("quick"), { synced: 2, added: 1, updated: 1 })
      assert.includeMembers(await names(), ["renamed", "added"])

      give(changed.slice(1))
      await sync("quick")
      const left = await names()
      assert.lengthOf(left, count - 1)
      assert.notInclude(left, "added")
      assert.notInclude(left, "repository-1")
    })
  }
})
