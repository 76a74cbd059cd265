import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { breakPack, redirect, requireAuthorization, slowly, stall } from "../../support/gitServer.ts"
import { fetchError, fetchSources, gitHarness, leftBehind } from "./fetching.ts"

const harness = gitHarness()

const branches = { main: { "A.sol": "contract A {}\n", "B.sol": "contract B {}\n".repeat(20_000) } }

const create = (name: string) => Effect.promise(() => harness.server.create(name, { branches }))

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
  } catch {
    return ""
  }
}

/** Git processes that talk to the harness's server, recognized by its address in their arguments. */
const gitProcesses = (): ReadonlyArray<string> => {
  const commands = existsSync("/proc/self/cmdline")
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(commandOf)
    : execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).split("\n")
  return commands.filter((command) => /^\S*git/.test(command) && command.includes(harness.server.host))
}

/** A server that counts connections. */
const trap = Effect.acquireRelease(
  Effect.callback<{ readonly origin: string; readonly connections: () => number; readonly close: () => void }>(
    (resume) => {
      let count = 0
      const server = createServer((_, response) => void response.end())
      server.on("connection", () => count++)
      server.listen(0, "127.0.0.1", () => {
        // A listening TCP server has an address object.
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({ origin: `http://127.0.0.1:${port}`, connections: () => count, close: () => server.close() }),
        )
      })
    },
  ),
  ({ close }) => Effect.sync(close),
)

describe("addresses", () => {
  it.live.each([
    "file:///etc/passwd",
    "/etc",
    "ext::sh -c 'touch /tmp/assay-executed'",
    "--upload-pack=touch /tmp/assay-executed",
    "ssh://git@github.com/a/b",
    "git@github.com:a/b",
    "http://169.254.169.254/latest/meta-data",
    "https://localhost/a/b",
    "http://127.0.0.1:1/a/b",
    "https://user:password@github.com/a/b",
    "",
  ])("%s never reaches git", (url) =>
    Effect.gen(function* () {
      const error = yield* fetchError(harness, url)
      assert.isFalse(error.retryable)
      assert.notInclude(error.message, "password")
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )

  it.live.each([
    "--upload-pack=touch /tmp/assay-executed",
    "-c",
    "a..b",
    "a b",
    "main:refs/x",
    "refs/pull/1/head",
    "*",
  ])("the branch %s never reaches git", (branch) =>
    Effect.gen(function* () {
      const before = harness.server.requests.length
      const error = yield* fetchError(harness, `${harness.server.host}/test/any`, { branch })
      assert.match(error.message, /branch/)
      assert.isFalse(error.retryable)
      assert.strictEqual(harness.server.requests.length, before)
    }),
  )

  it.live("a redirect within the same host is followed, as after a rename", () =>
    Effect.gen(function* () {
      yield* create("renamed")
      harness.server.behave(
        "old-name",
        redirect((path) => path.replace("old-name", "renamed")),
      )
      const source = yield* fetchSources(harness, `${harness.server.host}/test/old-name`)
      assert.deepStrictEqual(source.files, ["A.sol", "B.sol"])
    }),
  )

  it.live("a redirect loop ends", () =>
    Effect.gen(function* () {
      harness.server.behave(
        "circle",
        redirect((path) => path),
      )
      const error = yield* fetchError(harness, `${harness.server.host}/test/circle`)
      assert.match(error.message, /redirects elsewhere/)
    }),
  )

  it.live("a server that is slow to redirect is abandoned", () =>
    Effect.gen(function* () {
      harness.server.behave("hesitant", (request, response) => {
        if (request.headers["user-agent"] !== "git/2") return void response.writeHead(301, { location: "/x" }).end()
        response.socket?.write("HTTP/1.1 301 Moved\r\n")
        const timer = setInterval(() => response.socket?.write("x-wait: longer\r\n"), 50)
        response.on("close", () => clearInterval(timer))
      })
      const error = yield* fetchError(harness, `${harness.server.host}/test/hesitant`, {
        limits: { stallTime: Duration.seconds(0.5) },
      })
      assert.match(error.message, /redirects elsewhere/)
    }),
  )

  it.live("a redirect to another host is refused without a connection to it", () =>
    Effect.gen(function* () {
      const { origin, connections } = yield* trap
      harness.server.behave(
        "away",
        redirect((path) => `${origin}${path}`),
      )
      const error = yield* fetchError(harness, `${harness.server.host}/test/away`)
      assert.match(error.message, /redirects elsewhere/)
      assert.isFalse(error.retryable)
      assert.strictEqual(connections(), 0)
    }),
  )

  it.live("so is a redirect to another allowed host, which is not the requested repository", () =>
    Effect.gen(function* () {
      const { origin, connections } = yield* trap
      harness.server.behave(
        "astray",
        redirect((path) => `${origin}${path}`),
      )
      const error = yield* fetchError(harness, `${harness.server.host}/test/astray`, {
        hosts: [harness.server.host, origin],
      })
      assert.match(error.message, /redirects elsewhere/)
      assert.strictEqual(connections(), 0)
    }),
  )

  it.live("so is a redirect during a fetch", () =>
    Effect.gen(function* () {
      const repository = yield* create("away-later")
      const { origin, connections } = yield* trap
      harness.server.behave("away-later", (request, response, pass) =>
        request.method === "POST" ? response.writeHead(307, { location: `${origin}${request.url}` }).end() : pass(),
      )
      const error = yield* fetchError(harness, repository.url)
      assert.match(error.message, /redirects elsewhere/)
      assert.strictEqual(connections(), 0)
    }),
  )

  it.live("a redirect to a metadata address is rejected immediately", () =>
    Effect.gen(function* () {
      harness.server.behave(
        "metadata",
        redirect((path) => `http://169.254.169.254${path}`),
      )
      const error = yield* fetchError(harness, `${harness.server.host}/test/metadata`, {
        limits: { totalTime: Duration.seconds(15) },
      })
      assert.match(error.message, /redirects elsewhere/)
    }),
  )

  it.live("alternates of a server without the smart protocol are not followed", () =>
    Effect.gen(function* () {
      const { origin, connections } = yield* trap
      harness.server.behave("dumb", (request, response) => {
        const path = (request.url ?? "").replace(/^\/test\/dumb/, "")
        if (path.startsWith("/info/refs")) response.end(`${"1".repeat(40)}\trefs/heads/main\n`)
        else if (path === "/HEAD") response.end("ref: refs/heads/main\n")
        else if (path.includes("alternates")) response.end(`${origin}/objects\n`)
        else response.writeHead(404).end()
      })
      const error = yield* fetchError(harness, `${harness.server.host}/test/dumb`)
      assert.match(error.message, /no git repository|was interrupted|could not be fetched/)
      assert.strictEqual(connections(), 0)
    }),
  )
})

describe("servers", () => {
  it.live("a private repository is reported as missing or private", () =>
    Effect.gen(function* () {
      const repository = yield* create("private")
      harness.server.behave("private", requireAuthorization("Basic secret"))
      const error = yield* fetchError(harness, repository.url)
      assert.match(error.message, /was not found, or it is private/)
      assert.isFalse(error.retryable)
    }),
  )

  it.live.each([
    [429, /is rate-limiting fetches/],
    [503, /server error/],
  ] as const)("status %i is worth another attempt", ([status, expected]) =>
    Effect.gen(function* () {
      harness.server.behave(`status-${status}`, (_, response) => void response.writeHead(status).end())
      const error = yield* fetchError(harness, `${harness.server.host}/test/status-${status}`)
      assert.match(error.message, expected)
      assert.isTrue(error.retryable)
    }),
  )

  it.live.each([402, 410, 451])("status %i is not", (status) =>
    Effect.gen(function* () {
      harness.server.behave(`status-${status}`, (_, response) => void response.writeHead(status).end())
      const error = yield* fetchError(harness, `${harness.server.host}/test/status-${status}`)
      assert.match(error.message, /refuses to serve .* removed or blocked/)
      assert.isFalse(error.retryable)
    }),
  )

  it.live("a host that does not listen can be retried", () =>
    Effect.gen(function* () {
      const { origin } = yield* Effect.scoped(trap)
      const error = yield* fetchError(harness, `${origin}/a/b`, { hosts: [origin] })
      assert.match(error.message, /is unreachable/)
      assert.isTrue(error.retryable)
    }),
  )

  it.live("a page that is not a repository", () =>
    Effect.gen(function* () {
      harness.server.behave("page", (_, response) => void response.end("<html>\n<body>Sign in</body>\n</html>\n"))
      const error = yield* fetchError(harness, `${harness.server.host}/test/page`)
      assert.match(error.message, /There is no git repository at/)
    }),
  )

  it.live("a server that never responds is abandoned after the stall time", () =>
    Effect.gen(function* () {
      harness.server.behave("stalled", stall)
      const error = yield* fetchError(harness, `${harness.server.host}/test/stalled`, {
        limits: { stallTime: Duration.seconds(0.5) },
      })
      assert.match(error.message, /did not respond within 0.5 seconds/)
      assert.isTrue(error.retryable)
      assert.deepStrictEqual(gitProcesses(), [])
    }),
  )

  it.live("a pack that stalls in the middle is abandoned after the stall time", () =>
    Effect.gen(function* () {
      const repository = yield* create("silent")
      harness.server.behave("silent", breakPack(600, "silent"))
      const error = yield* fetchError(harness, repository.url, { limits: { stallTime: Duration.seconds(2) } })
      assert.match(error.message, /sent nothing for 2 seconds/)
      assert.isTrue(error.retryable)
      assert.deepStrictEqual(gitProcesses(), [])
    }),
  )

  it.live("a slow server is not mistaken for a silent one, however long git waits for a whole packet", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("trickling", {
          branches: { main: { "A.sol": "contract A {}\n", "noise.bin": randomBytes(200_000) } },
        }),
      )
      harness.server.behave("trickling", slowly(2_000, 40))
      const source = yield* fetchSources(harness, repository.url, { limits: { stallTime: Duration.seconds(2) } })
      assert.deepStrictEqual(source.files, ["A.sol"])
    }),
  )

  it.live("a connection cut in the middle of a pack can be retried", () =>
    Effect.gen(function* () {
      const repository = yield* create("cut")
      harness.server.behave("cut", breakPack(600, "cut"))
      const error = yield* fetchError(harness, repository.url)
      assert.match(error.message, /was interrupted or corrupted/)
      assert.isTrue(error.retryable)
      assert.notInclude(error.message, harness.workDirectory)
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )

  it.live("the fetch as a whole has a time limit", () =>
    Effect.gen(function* () {
      harness.server.behave("slow", stall)
      const url = `${harness.server.host}/test/slow`
      const error = yield* fetchError(harness, url, { limits: { totalTime: Duration.seconds(0.3) } })
      assert.strictEqual(
        error.message,
        `Fetching ${url} took longer than 0.3 seconds, the limit of an analysis. Retry later.`,
      )
      assert.isFalse(error.retryable)
      assert.deepStrictEqual(gitProcesses(), [])
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )

  it.live("interruption leaves neither a directory nor a process behind", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      harness.server.behave("interrupted", (request) => {
        request.resume()
        Deferred.doneUnsafe(asked, Effect.void)
      })
      const fiber = yield* Effect.forkChild(
        Effect.scoped(fetchSources(harness, `${harness.server.host}/test/interrupted`)),
      )
      yield* Deferred.await(asked)
      assert.isNotEmpty(gitProcesses())
      assert.strictEqual((yield* leftBehind(harness)).length, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(gitProcesses(), [])
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )
})
