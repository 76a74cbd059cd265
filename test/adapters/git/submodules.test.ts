import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { moduleUrl, parseModules } from "../../../adapters/git/tree/declaredModules.ts"
import { requireAuthorization, stall } from "../../support/gitServer.ts"
import { fetchSources, gitHarness, leftBehind } from "./fetching.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const harness = gitHarness()

interface Module {
  readonly path: string
  readonly url: string
  readonly commit: string
}

/** A repository with one contract and these submodules below `lib/`; returns its URL and commit. */
const withModules = async (name: string, modules: ReadonlyArray<Module>) => {
  const repository = await harness.server.create(name)
  const declared = modules.map(({ path, url }) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`).join("")
  const lib = await repository.tree(
    modules
      .map(({ path, commit }) => ({ mode: "160000", name: path.slice("lib/".length), id: commit }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  const tree = await repository.tree([
    { mode: "100644", name: ".gitmodules", id: await repository.blob(declared) },
    { mode: "100644", name: `${name}.sol`, id: await repository.blob(`contract C${name.length} {}`) },
    { mode: "40000", name: "lib", id: lib },
  ])
  return { url: repository.url, commit: await repository.commitTree("main", tree) }
}

/** A repository without submodules, with a second commit on its branch that nobody pins. */
const plain = async (name: string) => {
  const repository = await harness.server.create(name, { branches: { main: { "src/Old.sol": "contract Old {}" } } })
  const commit = await repository.commitOf("main")
  const blob = await repository.blob("contract New {}")
  await repository.commitTree("main", await repository.tree([{ mode: "100644", name: "New.sol", id: blob }]))
  await repository.git(["config", "uploadpack.allowAnySHA1InWant", "true"])
  return { url: repository.url, commit }
}

const reasonFor = (skipped: ReadonlyArray<{ readonly file: string; readonly reason: string }>, file: string): string =>
  skipped.find((one) => one.file === file)?.reason ?? "not skipped"

describe("submodules", () => {
  it.live("are fetched at the pinned commit, by absolute and relative URLs, including nested ones", () =>
    Effect.gen(function* () {
      const { root, dependency } = yield* Effect.promise(async () => {
        const dependency = await plain("base")
        const middle = await withModules("middle", [{ path: "lib/base", url: "../base", commit: dependency.commit }])
        const root = await withModules("root", [
          { path: "lib/base", url: dependency.url, commit: dependency.commit },
          { path: "lib/middle", url: "../middle", commit: middle.commit },
        ])
        return { root, dependency }
      })
      const before = harness.server.requests.length
      const source = yield* fetchSources(harness, root.url)
      assert.deepEqual(source.files, [
        ".gitmodules",
        "lib/base/src/Old.sol",
        "lib/middle/.gitmodules",
        "lib/middle/lib/base/src/Old.sol",
        "lib/middle/middle.sol",
        "root.sol",
      ])
      assert.deepEqual(source.skipped, [])
      assert.strictEqual(readFileSync(join(source.directory, "lib/base/src/Old.sol"), "utf8"), "contract Old {}")
      assert.strictEqual(source.commit, root.commit)
      const ids = source.contentIds!
      assert.sameMembers([...ids.keys()], [...source.files])
      assert.strictEqual(ids.get("lib/base/src/Old.sol"), ids.get("lib/middle/lib/base/src/Old.sol"))
      const asked = harness.server.requests.slice(before).filter((request) => request.includes("/base/"))
      assert.isAtMost(asked.length, 3, `${dependency.url} is fetched once`)
    }).pipe(Effect.scoped),
  )

  it.live("nested more than two levels deep are skipped, including a cycle", () =>
    Effect.gen(function* () {
      const root = yield* Effect.promise(async () => {
        const bottom = await plain("bottom")
        const one = await withModules("deep1", [{ path: "lib/x", url: "../bottom", commit: bottom.commit }])
        const two = await withModules("deep2", [{ path: "lib/x", url: "../deep1", commit: one.commit }])
        return withModules("deep3", [{ path: "lib/x", url: "../deep2", commit: two.commit }])
      })
      const source = yield* fetchSources(harness, root.url)
      assert.include(source.files, "lib/x/lib/x/deep1.sol")
      assert.include(reasonFor(source.skipped, "lib/x/lib/x/lib/x"), "nested too deep")
    }).pipe(Effect.scoped),
  )

  it.live("are skipped with the reason if they cannot be fetched, and the rest is analyzed", () =>
    Effect.gen(function* () {
      const good = yield* Effect.promise(() => plain("good"))
      const commit = good.commit
      const root = yield* Effect.promise(() =>
        withModules("mixed", [
          { path: "lib/a", url: "https://evil.example.com/x/y", commit },
          { path: "lib/b", url: "../missing", commit },
          { path: "lib/c", url: "../good", commit: "2".repeat(40) },
          { path: "lib/d", url: "file:///etc", commit },
          { path: "lib/e", url: "--upload-pack=id", commit },
          { path: "lib/f", url: "http://user:pw@127.0.0.1/x", commit },
          { path: "lib/g", url: "../good", commit },
        ]),
      )
      const source = yield* fetchSources(harness, root.url)
      assert.deepEqual(source.files, [".gitmodules", "lib/g/src/Old.sol", "mixed.sol"])
      for (const [file, reason] of [
        ["lib/a", "not among the allowed hosts"],
        ["lib/b", "was not found"],
        ["lib/c", "does not exist"],
        ["lib/d", "must start with https"],
        ["lib/e", "dash"],
        ["lib/f", "must not contain credentials"],
      ] as const) {
        assert.include(reasonFor(source.skipped, file), reason)
      }
    }).pipe(Effect.scoped),
  )

  it.live("on an unresponsive host cost one timeout, not one each", () =>
    Effect.gen(function* () {
      const root = yield* Effect.promise(async () => {
        const { commit } = await plain("silent")
        harness.server.behave("silent", stall)
        return withModules(
          "patient",
          ["a", "b", "c"].map((name) => ({ path: `lib/${name}`, url: "../silent", commit })),
        )
      })
      const startedAt = performance.now()
      const source = yield* fetchSources(harness, root.url, { limits: { stallTime: Duration.seconds(1) } })
      assert.isBelow(performance.now() - startedAt, 5_000)
      assert.deepEqual(source.files, [".gitmodules", "patient.sol"])
      assert.lengthOf(source.skipped, 3)
    }).pipe(Effect.scoped),
  )

  it.live("are fetched with the credential of their origin if private", () =>
    Effect.gen(function* () {
      const authorization = `Basic ${Buffer.from("x-access-token:secret").toString("base64")}`
      const root = yield* Effect.promise(async () => {
        const { commit } = await plain("private-lib")
        harness.server.behave("private-lib", requireAuthorization(authorization))
        return withModules("opens", [{ path: "lib/p", url: "../private-lib", commit }])
      })
      const credential = { origin: harness.server.host, secret: Redacted.make("secret") }
      assert.include((yield* fetchSources(harness, root.url, { credential })).files, "lib/p/src/Old.sol")
      const without = yield* fetchSources(harness, root.url)
      assert.include(reasonFor(without.skipped, "lib/p"), "need a hosting token")
    }).pipe(Effect.scoped),
  )

  it.live("count toward the limits of the repository, and are skipped if they exceed them", () =>
    Effect.gen(function* () {
      const root = yield* Effect.promise(async () => {
        const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.sol`, "contract F {}"]))
        const many = await harness.server.create("many", { branches: { main: files } })
        return withModules("limited", [{ path: "lib/many", url: "../many", commit: await many.commitOf("main") }])
      })
      const source = yield* fetchSources(harness, root.url, { limits: { files: 20 } })
      assert.deepEqual(source.files, [".gitmodules", "limited.sol"])
      assert.include(reasonFor(source.skipped, "lib/many"), "files, the limit")
    }).pipe(Effect.scoped),
  )

  it.live("leave nothing behind", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* leftBehind(harness), [])
    }),
  )
})

describe("the URL of a submodule", () => {
  const allowed = new Set(["https://github.com", "https://git.example.com"])
  const resolved = (declared: string) =>
    Result.getOrElse(moduleUrl(declared, "https://github.com/owner/name", allowed), (reason) => `refused: ${reason}`)

  it("may be relative, or use SSH for what is available over https", () => {
    assert.strictEqual(resolved("../other.git"), "https://github.com/owner/other")
    assert.strictEqual(resolved("../../else/other"), "https://github.com/else/other")
    assert.strictEqual(resolved("git@github.com:owner/other.git"), "https://github.com/owner/other")
    assert.strictEqual(resolved("ssh://git@git.example.com/owner/other"), "https://git.example.com/owner/other")
    assert.strictEqual(resolved("git://github.com/owner/other"), "https://github.com/owner/other")
  })

  it("cannot lead to another host, protocol or option", () => {
    for (const declared of [
      "https://other.example.com/a/b",
      "git@other.example.com:a/b",
      "ext::sh -c id",
      "-u./x",
      "../../../../etc",
      "file:///etc/passwd",
      "",
      "../a\nb",
    ]) {
      assert.match(resolved(declared), /^refused|^https:\/\/github\.com\//, declared)
    }
    assert.match(resolved("git@other.example.com:a/b"), /^refused/)
  })

  it("comes from records with both a path and a URL", () => {
    const records = ["submodule.a.path\nlib/a/", "submodule.a.url\n../a", "submodule.b.url\n../b", "core.x\ny", ""]
    assert.deepEqual([...parseModules(records.join("\0"))], [["lib/a", "../a"]])
  })

  it("comes from a path of 900,000 slashes in linear time", () => {
    const path = `lib${"/".repeat(900_000)}x`
    const before = cpuTime()
    const urls = parseModules(`submodule.a.path\n${path}\0submodule.a.url\n../a\0`)
    const took = cpuTime() - before
    assert.strictEqual(urls.get(path), "../a")
    // Quadratic code took 40 seconds.
    assert.isBelow(took / 1_000, 5)
  })
})
