import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SourceCredential } from "../../../application/ports/analysis/SourceFetcher.ts"
import { type Behavior, redirect, requireAuthorization } from "../../support/gitServer.ts"
import { fetchError, fetchSources, gitHarness, leftBehind } from "./fetching.ts"

const harness = gitHarness()

const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
const basic = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`
const files = { "src/Vault.sol": "contract Vault {}\n" }

const credentialFor = (origin: string): SourceCredential => ({ origin, secret: Redacted.make(token) })

/** Records the authorization of every request. */
const noting =
  (seen: Array<string | undefined>, then: Behavior = (_request, _response, pass) => pass()): Behavior =>
  (request, response, pass) => {
    seen.push(request.headers.authorization)
    then(request, response, pass)
  }

/** The arguments of all running processes and the files below a directory, as text. */
const visible = async (directory: string): Promise<string> => {
  const parts: Array<string> = []
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (/^\d+$/.test(pid)) parts.push(await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""))
  }
  for (const name of await readdir(directory, { recursive: true }).catch(() => [])) {
    parts.push(name, await readFile(join(directory, name), "latin1").catch(() => ""))
  }
  return parts.join("\n")
}

describe("private repositories", () => {
  it.effect("are fetched with the credential of their origin", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("private", { branches: { main: files } }))
      harness.server.behave("private", requireAuthorization(basic))
      const { files: fetched } = yield* fetchSources(harness, url, { credential: credentialFor(harness.server.host) })
      assert.deepEqual(fetched, ["src/Vault.sol"])
    }).pipe(Effect.scoped),
  )

  it.effect("fail without one, or with a wrong one, and explain what to do", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("closed", { branches: { main: files } }))
      harness.server.behave("closed", requireAuthorization("Basic other"))
      assert.include((yield* fetchError(harness, url)).message, "need a hosting token")
      const refused = yield* fetchError(harness, url, { credential: credentialFor(harness.server.host) })
      assert.include(refused.message, "the hosting token may not read it")
      assert.notInclude(JSON.stringify(refused), token)
      assert.isFalse(refused.retryable)
    }),
  )

  it.effect("never see the credential if public or on another origin", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("public", { branches: { main: files } }))
      const seen: Array<string | undefined> = []
      harness.server.behave("public", noting(seen))
      yield* fetchSources(harness, url, { credential: credentialFor(harness.server.host) })
      assert.isAbove(seen.length, 1)
      assert.isTrue(seen.every((authorization) => authorization === undefined))

      const elsewhere = yield* Effect.promise(() => harness.server.create("elsewhere", { branches: { main: files } }))
      harness.server.behave("elsewhere", noting(seen, requireAuthorization(basic)))
      const other = yield* fetchError(harness, elsewhere.url, { credential: credentialFor("http://127.0.0.1:1") })
      assert.include(other.message, "need a hosting token")
      assert.isTrue(seen.every((authorization) => authorization === undefined))
    }).pipe(Effect.scoped),
  )

  it.effect("are followed after a move only within the same origin", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() => harness.server.create("moved-to", { branches: { main: files } }))
      harness.server.behave("moved-to", requireAuthorization(basic))
      harness.server.behave("moved", (request, response, pass) =>
        request.headers.authorization === basic
          ? redirect((path) => `${harness.server.host}${path.replace("/moved/", "/moved-to/")}`)(
              request,
              response,
              pass,
            )
          : requireAuthorization(basic)(request, response, pass),
      )
      const credential = credentialFor(harness.server.host)
      const source = yield* fetchSources(harness, `${harness.server.host}/test/moved`, { credential })
      assert.deepEqual(source.files, ["src/Vault.sol"])

      const stolen: Array<string | undefined> = []
      const thief = yield* Effect.promise(() => harness.server.create("thief", { branches: { main: files } }))
      harness.server.behave("thief", noting(stolen))
      harness.server.behave("leaving", (request, response, pass) =>
        request.headers.authorization === basic
          ? redirect((path) => `http://localhost:${new URL(thief.url).port}${path.replace("/leaving/", "/thief/")}`)(
              request,
              response,
              pass,
            )
          : requireAuthorization(basic)(request, response, pass),
      )
      yield* fetchError(harness, `${harness.server.host}/test/leaving`, { credential })
      assert.deepEqual(stolen, [])
    }).pipe(Effect.scoped),
  )

  it.effect("do not leave the credential in an argument list or a file", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("watched", { branches: { main: files } }))
      const looks: Array<Promise<string>> = []
      harness.server.behave("watched", (request, response, pass) => {
        if (request.headers.authorization === undefined) return requireAuthorization(basic)(request, response, pass)
        const look = visible(harness.workDirectory)
        looks.push(look)
        void look.then(pass)
      })
      yield* fetchSources(harness, url, { credential: credentialFor(harness.server.host) })
      const seen = (yield* Effect.promise(() => Promise.all(looks))).join("\n")
      assert.include(seen, "clone")
      assert.notInclude(seen, token)
      assert.notInclude(seen, basic.slice("Basic ".length))
    }).pipe(Effect.scoped),
  )
})

describe("names of hosts", () => {
  const failing = (host: string, addresses: ReadonlyArray<string>) =>
    fetchError(harness, `http://${host}/test/x`, { hosts: [`http://${host}`], resolve: async () => addresses })

  it.effect("are rejected if they resolve to this machine, the local link or its metadata service", () =>
    Effect.gen(function* () {
      for (const address of [
        "127.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:127.0.0.1",
        "fe80::1",
        "0.0.0.0",
        "fd00:ec2::254",
      ]) {
        const error = yield* failing("git.example.com:1", ["93.184.216.34", address])
        assert.strictEqual(error.message, (yield* failing("git.example.com:1", [])).message, address)
        assert.isTrue(error.retryable)
      }
    }),
  )

  it.effect("are rejected if the built-in one resolves to a private network", () =>
    Effect.gen(function* () {
      const error = yield* fetchError(harness, "https://github.com/a/b", {
        hosts: ["https://github.com"],
        resolve: async () => ["10.0.0.1"],
      })
      assert.include(error.message, "repositories cannot be fetched from it")
    }),
  )

  it.effect("are reported if unknown", () =>
    Effect.gen(function* () {
      assert.include((yield* failing("git.example.com", [])).message, "does not exist")
    }),
  )

  it.effect("are resolved once, so that later answers have no effect", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("pinned", { branches: { main: files } }))
      const named = url.replace("127.0.0.1", "localhost")
      let lookups = 0
      const source = yield* fetchSources(harness, named, {
        hosts: [new URL(named).origin],
        resolve: async () => (++lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"]),
      })
      assert.deepEqual(source.files, ["src/Vault.sol"])
      assert.strictEqual(lookups, 1)
    }).pipe(Effect.scoped),
  )

  it.effect("lead connections to the address that was found", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.promise(() => harness.server.create("diverted", { branches: { main: files } }))
      const named = url.replace("127.0.0.1", "localhost")
      // Nothing listens at this address of the loopback network.
      const error = yield* fetchError(harness, named, {
        hosts: [new URL(named).origin],
        resolve: async () => ["127.9.9.9"],
      })
      assert.include(error.message, "is unreachable")
    }),
  )

  it.effect("nothing is left behind", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* leftBehind(harness), [])
    }),
  )
})
