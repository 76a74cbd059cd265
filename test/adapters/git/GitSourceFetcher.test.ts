import { readFileSync } from "node:fs"
import { appendFile, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetchError, fetchSources, gitHarness, leftBehind } from "./fetching.ts"

const harness = gitHarness()

const vault = "contract Vault {}\n"

describe("what is fetched", () => {
  it.live("the default branch if none is given, with its exact commit", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("default", {
          branches: {
            trunk: { "src/Vault.sol": vault, "README.md": "read" },
            dev: { "src/Dev.sol": "contract Dev {}" },
          },
        }),
      )
      const commit = yield* Effect.promise(() => repository.commitOf("trunk"))
      const before = harness.server.requests.length
      const source = yield* fetchSources(harness, repository.url)
      // Only one process connects, and only once.
      const introductions = harness.server.requests.slice(before).filter((request) => request.startsWith("GET"))
      assert.strictEqual(introductions.length, 1)
      assert.strictEqual(source.branch, "trunk")
      assert.strictEqual(source.commit, commit)
      assert.deepStrictEqual(source.files, ["src/Vault.sol"])
      const text = yield* Effect.promise(() => readFile(join(source.directory, "src/Vault.sol"), "utf8"))
      assert.strictEqual(text, vault)
      assert.strictEqual(readFileSync(join(source.directory, "src/Vault.sol"), "utf8"), vault)
    }),
  )

  it.live("a commit, for which the branch is only a label", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("named", {
          branches: { trunk: { "src/Vault.sol": vault }, dev: { "src/Dev.sol": "contract Dev {}" } },
        }),
      )
      const commit = yield* Effect.promise(() => repository.commitOf("dev"))
      for (const [given, branch] of [
        ["release", "release"],
        [undefined, "trunk"],
      ] as const) {
        const source = yield* fetchSources(harness, repository.url, {
          commit,
          ...(given === undefined ? {} : { branch: given }),
        })
        assert.deepStrictEqual([source.branch, source.commit, source.files], [branch, commit, ["src/Dev.sol"]])
      }
    }),
  )

  it.live("only files that an analysis needs, in a private directory", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("needed", {
          branches: {
            main: {
              "contracts/A.sol": "contract A {}",
              "foundry.toml": "[profile.default]",
              "out/A.sol/A.sol": "build output",
              "programs/x/Cargo.toml": "[package]",
              "programs/x/src/lib.rs": "fn main() {}",
              "programs/x/target/gen.rs": "fn gen() {}",
              "remappings.txt": "@a/=lib/a/",
              "logo.png": new Uint8Array([1, 2, 0, 3]),
              "docs/index.md": "text",
            },
          },
        }),
      )
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, [
        "contracts/A.sol",
        "foundry.toml",
        "programs/x/Cargo.toml",
        "programs/x/src/lib.rs",
        "remappings.txt",
      ])
      const { mode } = yield* Effect.promise(() => stat(dirname(source.directory)))
      assert.strictEqual(mode & 0o777, 0o700)
    }),
  )

  it.live("a branch, a tag, a full ref or a commit id", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("revisions", {
          branches: {
            main: { "Main.sol": "contract Main {}" },
            "feature/x": { "Feature.sol": "contract Feature {}" },
            both: { "Branch.sol": "contract Branch {}" },
          },
          tags: { "v1.0": { "Release.sol": "contract Release {}" }, both: { "Tag.sol": "contract Tag {}" } },
        }),
      )
      const commit = yield* Effect.promise(() => repository.commitOf("refs/heads/feature/x"))
      const expected: ReadonlyArray<readonly [branch: string, file: string, shown: string]> = [
        ["feature/x", "Feature.sol", "feature/x"],
        ["refs/heads/feature/x", "Feature.sol", "feature/x"],
        ["v1.0", "Release.sol", "v1.0"],
        ["refs/tags/v1.0", "Release.sol", "refs/tags/v1.0"],
        ["both", "Branch.sol", "both"],
        ["refs/tags/both", "Tag.sol", "refs/tags/both"],
        [commit, "Feature.sol", commit],
        [commit.toUpperCase(), "Feature.sol", commit],
      ]
      for (const [branch, file, shown] of expected) {
        const source = yield* fetchSources(harness, repository.url, { branch })
        assert.deepStrictEqual([source.files, source.branch], [[file], shown], branch)
      }
    }),
  )

  it.live("the only branch if HEAD points to a missing one", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("no-head", { branches: { develop: { "A.sol": vault } }, head: "gone" }),
      )
      const source = yield* fetchSources(harness, repository.url)
      assert.strictEqual(source.branch, "develop")
    }),
  )

  it.live("a repository with SHA-256 objects", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("sha256"))
      const { git, directory } = repository
      yield* Effect.promise(async () => {
        await git(["init", "--quiet", "--bare", "--object-format=sha256", `${directory}2`])
        const inside = ["--git-dir", `${directory}2`]
        const blob = await git([...inside, "hash-object", "-w", "--stdin"], vault)
        const tree = await git([...inside, "mktree"], `100644 blob ${blob}\tA.sol\n`)
        const commit = await git([...inside, "commit-tree", "-m", "test", tree])
        await git([...inside, "update-ref", "refs/heads/main", commit])
        await git([...inside, "symbolic-ref", "HEAD", "refs/heads/main"])
      })
      const source = yield* fetchSources(harness, `${repository.url}2`)
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.strictEqual(source.commit?.length, 64)
    }),
  )

  it.live("everything from a server that does not support filters", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("unfiltered", {
          branches: { main: { "A.sol": vault, "Big.sol": new Uint8Array(3_000).fill(32) } },
        }),
      )
      yield* Effect.promise(() => repository.git(["config", "uploadpack.allowFilter", "false"]))
      const source = yield* fetchSources(harness, repository.url, { limits: { fileBytes: 2_000 } })
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(
        source.skipped.map(({ file }) => file),
        ["Big.sol"],
      )
    }),
  )
})

describe("how it is reported", () => {
  it.live("progress rises from 0 to 1 and never falls", () =>
    Effect.gen(function* () {
      const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/C${n}.sol`, `contract C${n} {}`]))
      const repository = yield* Effect.promise(() => harness.server.create("progress", { branches: { main: files } }))
      const seen: Array<number> = []
      const source = yield* fetchSources(harness, repository.url, { onProgress: (fraction) => seen.push(fraction) })
      assert.strictEqual(source.files.length, 300)
      assert.deepStrictEqual(
        seen,
        seen.toSorted((a, b) => a - b),
      )
      assert.deepStrictEqual([seen[0], seen.at(-1)], [0, 1])
      assert.isAbove(seen.length, 20)
    }),
  )

  it.live("an empty repository", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("empty"))
      const error = yield* fetchError(harness, repository.url)
      assert.strictEqual(error.message, `The repository ${repository.url} is empty: there is nothing to analyze.`)
      assert.isFalse(error.retryable)
      assert.match((yield* fetchError(harness, repository.url, { branch: "main" })).message, /is empty/)
    }),
  )

  it.live("an unknown branch, tag or commit, by name", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("unknown", { branches: { main: { "A.sol": vault } } }),
      )
      const messages: ReadonlyArray<readonly [string, string]> = [
        ["nope", `The repository ${repository.url} has no branch or tag "nope".`],
        ["refs/heads/nope", `The repository ${repository.url} has no branch "nope".`],
        ["refs/tags/main", `The repository ${repository.url} has no tag "main".`],
        [
          "abcdef012",
          `The repository ${repository.url} has no branch or tag "abcdef012". Specify a commit by its full id.`,
        ],
        ["0".repeat(40), `The branch, tag or commit does not exist in ${repository.url}.`],
      ]
      for (const [branch, message] of messages) {
        const error = yield* fetchError(harness, repository.url, { branch })
        assert.deepStrictEqual([error.message, error.retryable], [message, false])
      }
    }),
  )

  it.live("a branch of a repository with more branches than are read", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("branches", { branches: { main: { "A.sol": vault } } }),
      )
      yield* Effect.promise(async () => {
        const commit = await repository.commitOf("main")
        const names = Array.from({ length: 70_000 }, (_, n) => `${commit} refs/heads/other-${n}\n`)
        await appendFile(join(repository.directory, "packed-refs"), names.join(""))
      })
      const error = yield* fetchError(harness, repository.url, { branch: "nope" })
      assert.strictEqual(error.message, `The repository ${repository.url} has no branch or tag "nope".`)
    }),
  )

  it.live("a tag that does not point to a commit", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() =>
        harness.server.create("odd-tag", { branches: { main: { "A.sol": vault } } }),
      )
      yield* Effect.promise(async () => repository.git(["update-ref", "refs/tags/blob", await repository.blob("x")]))
      const error = yield* fetchError(harness, repository.url, { branch: "blob" })
      assert.strictEqual(error.message, `"blob" in ${repository.url} is not a commit.`)
    }),
  )

  it.live("a repository that does not exist", () =>
    Effect.gen(function* () {
      const url = `${harness.server.host}/test/missing`
      const error = yield* fetchError(harness, url)
      assert.match(error.message, /was not found, or it is private/)
      assert.include(error.message, url)
      assert.isFalse(error.retryable)
    }),
  )
})

it.live("nothing remains once the scopes have closed, after success and failure", () =>
  Effect.gen(function* () {
    const repository = yield* Effect.promise(() =>
      harness.server.create("cleanup", { branches: { main: { "A.sol": vault } } }),
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* fetchSources(harness, repository.url)
        assert.strictEqual((yield* leftBehind(harness)).length, 1)
      }),
    )
    yield* fetchError(harness, repository.url, { branch: "nope" })
    assert.deepStrictEqual(yield* leftBehind(harness), [])
  }),
)
