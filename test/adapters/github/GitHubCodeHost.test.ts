import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as GitHubCodeHost from "../../../adapters/github/GitHubCodeHost.ts"
import {
  CodeHost,
  type RecentChanges,
  type TokenDescription,
} from "../../../application/ports/repositories/CodeHost.ts"
import type { TokenKind } from "../../../domain/repository/HostingToken.ts"
import { type FakeAnswer, type GithubServer, manyRepositories, startGithubServer } from "../../support/githubServer.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

let github: GithubServer
beforeAll(async () => {
  github = await startGithubServer()
})
afterAll(() => github.close())
beforeEach(() => {
  github.requests.length = 0
  github.tokens.clear()
  github.formerNames.clear()
  github.intercept = undefined
})

const personal = `ghp_${"a".repeat(36)}`
const installation = `ghs_${"b".repeat(36)}`

const withHost = <A, E>(use: (host: CodeHost["Service"]) => Effect.Effect<A, E>, settings = {}) =>
  Effect.provide(
    CodeHost.use(use),
    GitHubCodeHost.layer({
      apiUrl: github.url,
      retryDelay: Duration.millis(1),
      requestTime: Duration.seconds(5),
      ...settings,
    }),
  )

const describeToken = (token: string) => withHost((host) => host.describeToken(Redacted.make(token)))

const readAll = (token: string, kind: TokenKind = "personal", settings = {}) =>
  withHost(
    (host) => Effect.flatMap(host.repositories(Redacted.make(token), kind), ({ pages }) => Stream.runCollect(pages)),
    settings,
  ).pipe(Effect.map((pages) => pages.flat()))

const changes = (since: string, etag?: string, token = personal, kind: TokenKind = "personal") =>
  withHost((host) => host.changesSince(Redacted.make(token), kind, new Date(since), etag))

const found = (changes: RecentChanges | undefined): RecentChanges => {
  assert.isDefined(changes)
  return changes!
}

const give = (count: number, scopes: string | undefined = "repo, read:org") =>
  github.tokens.set(personal, {
    login: "octo",
    ...(scopes === undefined ? {} : { scopes }),
    repositories: manyRepositories(count),
  })

const once = (answer: FakeAnswer): void => {
  let used = false
  github.intercept = () => {
    if (used) return undefined
    used = true
    return answer
  }
}

const refused = (answer: FakeAnswer) => {
  give(1)
  github.intercept = () => answer
  return Effect.flip(readAll(personal))
}

describe("the description of a token", () => {
  it.effect("returns kind, account and scopes of a personal token", () =>
    Effect.gen(function* () {
      give(0, "public_repo")
      assert.deepEqual(yield* describeToken(personal), { kind: "personal", account: "octo", scopes: ["public_repo"] })
    }),
  )

  it.effect("a fine-grained token has no scopes, an installation no account", () =>
    Effect.gen(function* () {
      github.tokens.set("github_pat_x", { login: "octo", repositories: [] })
      assert.deepEqual(yield* describeToken("github_pat_x"), {
        kind: "fine-grained",
        account: "octo",
        scopes: undefined,
      })
      github.tokens.set(installation, { installation: true, repositories: [] })
      const expected: TokenDescription = { kind: "installation", account: undefined, scopes: undefined }
      assert.deepEqual(yield* describeToken(installation), expected)
      github.tokens.set("v1.0123456789abcdef", { installation: true, repositories: [] })
      assert.deepEqual(yield* describeToken("v1.0123456789abcdef"), expected)
    }),
  )

  it.effect("names missing scopes, initially and for each list", () =>
    Effect.gen(function* () {
      give(1, "gist, read:user")
      for (const attempt of [describeToken(personal), readAll(personal)]) {
        const error = yield* Effect.flip<unknown, { readonly _tag: string; readonly message: string }, never>(attempt)
        assert.strictEqual(error._tag, "HostingTokenRefused")
        assert.include(error.message, "repo (private and public repositories) or public_repo (public ones)")
        assert.include(error.message, "has gist, read:user")
      }
    }),
  )

  it.effect("says what to do about a revoked token, and does not repeat it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(describeToken(personal))
      assert.strictEqual(error._tag, "HostingTokenRefused")
      assert.include(error.message, "revoked")
      assert.include(error.message, "settings")
      assert.notInclude(JSON.stringify(error), personal)
      assert.lengthOf(github.requests, 1)
    }),
  )
})

describe("all repositories", () => {
  it.effect("reads to the last page, 100 per page", () =>
    Effect.gen(function* () {
      give(250)
      const repositories = yield* readAll(personal)
      assert.lengthOf(repositories, 250)
      assert.deepEqual(repositories[7], {
        githubId: 8,
        name: "repository-8",
        fullName: "octo/repository-8",
        url: `${github.url}/octo/repository-8`,
        defaultBranch: "main",
        language: "Solidity",
        isPrivate: false,
        isArchived: false,
        updatedAt: new Date("2026-01-01T00:00:07Z"),
      })
      // One before the pages, to find out how many there are.
      assert.lengthOf(github.requests, 4)
    }),
  )

  it.effect("reads what an installation reaches", () =>
    Effect.gen(function* () {
      github.tokens.set(installation, { installation: true, repositories: manyRepositories(150) })
      assert.lengthOf(yield* readAll(installation, "installation"), 150)
    }),
  )

  it.effect("continues after full pages if the server links to none", () =>
    Effect.gen(function* () {
      give(200)
      github.intercept = (_path, request, response) => {
        const page = Number(new URL(request.url!, github.url).searchParams.get("page"))
        const setHeader = response.writeHead.bind(response)
        response.writeHead = ((status: number, headers: Record<string, string>) => {
          delete headers["link"]
          return setHeader(status, headers)
        }) as typeof response.writeHead // the one form that the fake uses
        return page > 3 ? { status: 500 } : undefined
      }
      assert.lengthOf(yield* readAll(personal), 200)
      assert.lengthOf(github.requests, 4)
    }),
  )

  it.effect("retries after a server error and after a broken connection", () =>
    Effect.gen(function* () {
      give(1)
      once({ status: 502, body: "<html>" })
      assert.lengthOf(yield* readAll(personal), 1)
      let broken = false
      github.intercept = (_path, request) => {
        if (broken) return undefined
        broken = true
        request.socket.destroy()
        return "taken"
      }
      assert.lengthOf(yield* readAll(personal), 1)
    }),
  )

  it.effect("gives up after three attempts, with an outage", () =>
    Effect.gen(function* () {
      const error = yield* refused({ status: 503, body: "" })
      assert.strictEqual(error._tag, "HostingUnavailable")
      assert.include(error.message, "server error")
      assert.isAbove(error._tag === "HostingUnavailable" ? error.retryAfter : 0, 0)
      assert.lengthOf(github.requests, 3)
    }),
  )

  it.effect("gives up on a server that never responds", () =>
    Effect.gen(function* () {
      give(1)
      github.intercept = () => "taken"
      const error = yield* Effect.flip(readAll(personal, "personal", { requestTime: Duration.seconds(0.05) }))
      assert.strictEqual(error._tag, "HostingUnavailable")
      assert.include(error.message, "did not respond in time")
    }),
  )

  it.effect("treats responses that are not a list of repositories as an outage, not a defect", () =>
    Effect.gen(function* () {
      for (const body of [{}, [{ id: "x" }], "[", null, [[]]]) {
        const error = yield* refused({ status: 200, body: body === "[" ? "[" : JSON.stringify(body) })
        assert.strictEqual(error._tag, "HostingUnavailable")
      }
    }),
  )

  it.effect("soon gives up on repeated or endlessly empty pages", () =>
    Effect.gen(function* () {
      const body: unknown = yield* Effect.promise(async () => {
        give(100)
        return (
          await fetch(`${github.url}/user/repos?per_page=100`, { headers: { authorization: `token ${personal}` } })
        ).json()
      })
      for (const page of [body, []]) {
        for (const next of [() => 2, (asked: number) => asked + 1]) {
          github.requests.length = 0
          github.intercept = (_path, request) => {
            const asked = Number(new URL(request.url ?? "/", github.url).searchParams.get("page") ?? 1)
            const link = `<${github.url}/user/repos?page=${next(asked)}>; rel="next"`
            return { status: 200, body: page, headers: { "x-oauth-scopes": "repo", link } }
          }
          const error = yield* Effect.flip(readAll(personal))
          assert.strictEqual(error._tag, "HostingUnavailable")
          assert.isAtMost(github.requests.length, 5)
        }
      }
    }),
  )

  it.effect("treats invalid times, and years that cannot be stored, as long ago", () =>
    Effect.gen(function* () {
      for (const updated_at of ["never", "+275760-09-13T00:00:00Z", "-000001-01-01T00:00:00Z"]) {
        github.tokens.set(personal, { scopes: "repo", repositories: [] })
        const known = { id: 1, name: "a", full_name: "octo/a", html_url: "https://github.com/octo/a", updated_at }
        github.intercept = () => ({ status: 200, body: [known], headers: { "x-oauth-scopes": "repo" } })
        const [repository] = yield* readAll(personal)
        assert.strictEqual(repository?.updatedAt.getTime(), 0)
      }
    }),
  )

  it.effect("does not follow redirects with the token", () =>
    Effect.gen(function* () {
      const error = yield* refused({ status: 302, headers: { location: `${github.url}/user` } })
      assert.strictEqual(error._tag, "HostingUnavailable")
      assert.isTrue(github.requests.every((request) => request.startsWith("GET /user/repos")))
    }),
  )

  it.effect("cuts off a list that does not end", () =>
    Effect.gen(function* () {
      give(1)
      const chunk = `[${" ".repeat(1_000_000)}`
      let most = 0
      github.intercept = (_path, _request, response) => {
        let sent = 0
        response.writeHead(200, { "content-type": "application/json" })
        const more = () => {
          while (!response.destroyed && response.write(chunk)) most = Math.max(most, (sent += chunk.length))
          most = Math.max(most, (sent += chunk.length))
        }
        response.on("drain", more)
        more()
        return "taken"
      }
      const error = yield* Effect.flip(readAll(personal, "personal", { requestTime: Duration.seconds(20) }))
      assert.strictEqual(error._tag, "HostingUnavailable")
      assert.isBelow(most, 40_000_000)
    }),
  )

  it.effect("stops when nobody is waiting any longer", () =>
    Effect.gen(function* () {
      give(1)
      let closed: () => void = () => undefined
      const gone = new Promise<void>((resolve) => (closed = resolve))
      let asked: () => void = () => undefined
      const arrived = new Promise<void>((resolve) => (asked = resolve))
      github.intercept = (_path, request) => {
        request.socket.on("close", closed)
        asked()
        return "taken"
      }
      const fiber = yield* Effect.forkChild(readAll(personal))
      yield* Effect.promise(() => arrived)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => gone)
    }),
  )
})

describe("limits", () => {
  const limited = (headers: Record<string, string>, status = 403, message = "API rate limit exceeded") =>
    refused({ status, body: { message }, headers })

  it.effect("the hourly limit says when it resets", () =>
    Effect.gen(function* () {
      const reset = Math.floor(Date.now() / 1000) + 600
      const error = yield* limited({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) })
      assert.strictEqual(error._tag, "HostingUnavailable")
      if (error._tag !== "HostingUnavailable") return
      // The test clock is at the epoch, so the bound of one hour applies.
      assert.isAtLeast(error.retryAfter, 590)
      assert.isAtMost(error.retryAfter, 3_600)
      assert.lengthOf(github.requests, 1)
    }),
  )

  it.effect("a secondary limit says when it resets, even with status 429", () =>
    Effect.gen(function* () {
      for (const status of [403, 429]) {
        const error = yield* limited({ "retry-after": "77" }, status, "You have exceeded a secondary rate limit")
        assert.deepInclude({ ...error }, { retryAfter: 77 })
        assert.strictEqual(error._tag, "HostingUnavailable")
      }
      const error = yield* limited({}, 429, "Too many requests")
      assert.deepInclude({ ...error }, { retryAfter: 60 })
    }),
  )

  it.effect("a limit that resets shortly is waited for", () =>
    Effect.gen(function* () {
      give(3)
      once({ status: 429, body: { message: "secondary rate limit" }, headers: { "retry-after": "1" } })
      assert.lengthOf(yield* readAll(personal), 3)
    }),
  )

  it.effect("a missing permission is not a limit; its scope is named", () =>
    Effect.gen(function* () {
      const error = yield* limited(
        { "x-accepted-oauth-scopes": "repo, admin:org", "x-oauth-scopes": "public_repo" },
        403,
        "Must have admin rights",
      )
      assert.strictEqual(error._tag, "HostingTokenRefused")
      assert.include(error.message, "one of repo, admin:org is needed, and it has public_repo")
    }),
  )
})

describe("what changed", () => {
  it.effect("a short list is read as a whole, and not again while it is unchanged", () =>
    Effect.gen(function* () {
      give(3)
      const first = found(yield* changes("2026-01-01T00:00:00Z"))
      assert.isTrue(first.isWholeList)
      assert.strictEqual(first.total, 3)
      assert.lengthOf(first.changed, 3)
      github.requests.length = 0
      const second = found(yield* changes("2026-01-01T00:00:00Z", first.etag))
      assert.deepEqual(second, { changed: [], isWholeList: false, total: undefined, etag: first.etag })
      assert.lengthOf(github.requests, 1)
    }),
  )

  it.effect("a long unchanged list costs two requests, with and without an ETag", () =>
    Effect.gen(function* () {
      give(1_000)
      const latest = "2026-01-01T00:16:39Z"
      const first = found(yield* changes(latest))
      assert.deepEqual(
        first.changed.map((one) => one.githubId),
        [1_000],
      )
      assert.strictEqual(first.total, 1_000)
      assert.lengthOf(github.requests, 2)
      const second = found(yield* changes(latest, first.etag))
      assert.deepEqual(
        { ...second, etag: undefined },
        { changed: [], isWholeList: false, total: 1_000, etag: undefined },
      )
      assert.lengthOf(github.requests, 4)
    }),
  )

  it.effect("reads back to the oldest change", () =>
    Effect.gen(function* () {
      give(1_000)
      const { changed } = found(yield* changes("2026-01-01T00:12:30Z"))
      assert.lengthOf(changed, 250)
      assert.lengthOf(github.requests, 4)
    }),
  )

  it.effect("gives up if too much changed, or if the server does not sort", () =>
    Effect.gen(function* () {
      give(1_200)
      assert.isUndefined(yield* changes("2020-01-01T00:00:00Z"))
      github.tokens.set(personal, {
        repositories: manyRepositories(150),
      })
      github.intercept = (_path, request) => {
        request.url = request.url!.replace("sort=updated", "sort=full_name")
        return undefined
      }
      assert.isUndefined(yield* changes("2026-01-01T00:00:00Z"))
    }),
  )

  it.effect("an installation with more than one page has to be read in full", () =>
    Effect.gen(function* () {
      github.tokens.set(installation, { installation: true, repositories: manyRepositories(101) })
      assert.isUndefined(yield* changes("2026-01-01T00:00:00Z", undefined, installation, "installation"))
      github.tokens.set(installation, { installation: true, repositories: manyRepositories(100) })
      const all = found(yield* changes("2026-01-01T00:00:00Z", undefined, installation, "installation"))
      assert.strictEqual(all.total, 100)
    }),
  )
})

describe("the origin that tokens belong to", () => {
  it.effect("is the server of the API", () =>
    Effect.gen(function* () {
      const origin = (apiUrl: string, serverUrl?: string) =>
        Effect.provide(
          CodeHost.use((host) => Effect.succeed(host.origin)),
          GitHubCodeHost.layer({ apiUrl, serverUrl }),
        )
      assert.strictEqual(yield* origin("https://api.github.com"), "https://github.com")
      assert.strictEqual(yield* origin("https://ghe.example.com/api/v3"), "https://ghe.example.com")
      assert.strictEqual(yield* origin("https://api.acme.ghe.com"), "https://acme.ghe.com")
      assert.strictEqual(yield* origin("http://127.0.0.1:4001"), "http://127.0.0.1:4001")
      assert.strictEqual(yield* origin("http://127.0.0.1:4001", "http://127.0.0.1:8080"), "http://127.0.0.1:8080")
    }),
  )
})

describe("a file at a commit", () => {
  const commit = "8d524f1c".repeat(5)
  const read = (name: string, path: string, token: string | undefined = personal, settings = {}) =>
    withHost(
      (host) =>
        Effect.map(
          host.file(token === "" ? undefined : Redacted.make(token), {
            repositoryUrl: RepositoryUrl.make(`${github.url}/${name}`),
            commit,
            path,
            largest: 1_000,
          }),
          (answer) => (answer instanceof Uint8Array ? new TextDecoder().decode(answer) : answer),
        ),
      settings,
    )
  const shareVault = () => {
    const files = { "src/My Vault#1.sol": "contract Vault {}", "package.json": "{}", "large.sol": "x".repeat(1_001) }
    github.tokens.set(personal, { repositories: [{ id: 7, full_name: "octo/vault", private: true, files }] })
    github.tokens.set("ghp_stranger", { repositories: [] })
  }

  it.effect("of a private repository is read with its hosting token, and does not exist for anyone else", () =>
    Effect.gen(function* () {
      shareVault()
      assert.strictEqual(yield* read("octo/vault.git", "src/My Vault#1.sol"), "contract Vault {}")
      assert.deepEqual(github.requests, [`GET /repos/octo/vault/contents/src/My%20Vault%231.sol?ref=${commit}`])
      assert.strictEqual(yield* read("octo/vault", "package.json"), "{}")
      for (const token of ["", "ghp_stranger", "ghp_revoked"]) {
        assert.isUndefined(yield* read("octo/vault", "package.json", token))
      }
      assert.isUndefined(yield* read("octo/vault", "missing.sol"))
      assert.strictEqual(yield* read("octo/vault", "large.sol"), "too large")
    }),
  )

  it.effect("of a renamed repository is found by redirects within the API, and nowhere else", () =>
    Effect.gen(function* () {
      shareVault()
      github.formerNames.set("octo/safe", 7)
      assert.strictEqual(yield* read("octo/safe", "package.json"), "{}")
      const elsewhere = yield* Effect.promise(startGithubServer)
      once({ status: 302, headers: { location: `${elsewhere.url}/repos/octo/vault/contents/package.json` } })
      assert.isUndefined(yield* read("octo/vault", "package.json"))
      assert.deepEqual(elsewhere.requests, [])
      yield* Effect.promise(elsewhere.close)
    }),
  )

  it.effect("reports when the service throttles, and when it is down", () =>
    Effect.gen(function* () {
      shareVault()
      once({ status: 403, headers: { "x-ratelimit-remaining": "0" } })
      assert.include(yield* Effect.flip(read("octo/vault", "package.json")), { limited: true, retryAfter: 60 })
      once({ status: 502 })
      assert.include(yield* Effect.flip(read("octo/vault", "package.json")), { retryAfter: 30 })
    }),
  )

  it.effect("is cut off if it is endless, and abandoned if it does not arrive", () =>
    Effect.gen(function* () {
      shareVault()
      let ended = false
      github.intercept = (_path, _request, response) => {
        response.writeHead(200, { "content-type": "text/plain" })
        const timer = setInterval(() => response.write("x".repeat(200)), 5)
        response.on("close", () => {
          clearInterval(timer)
          ended = true
        })
        return "taken"
      }
      assert.strictEqual(yield* read("octo/vault", "package.json"), "too large")
      while (!ended) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      github.intercept = (_path, _request, response) => {
        response.writeHead(200, { "content-type": "text/plain" }).write("{")
        return "taken"
      }
      const given = yield* Effect.flip(
        read("octo/vault", "package.json", personal, { requestTime: Duration.seconds(0.2) }),
      )
      assert.include(given, { retryAfter: 30 })
    }),
  )
})
