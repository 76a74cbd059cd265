import { existsSync } from "node:fs"
import { readFile, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetchError, fetchSources, gitHarness, leftBehind } from "./fetching.ts"

const harness = gitHarness()

const vault = "contract Vault {}\n"

describe("names and modes", () => {
  it.live("links are listed, but neither followed nor written", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("links"))
      yield* Effect.promise(async () => {
        const target = await repository.blob("/etc/passwd")
        const folder = await repository.blob("/etc")
        const source = await repository.blob(vault)
        const tree = await repository.tree([
          { mode: "100644", name: "A.sol", id: source },
          { mode: "120000", name: "Link.sol", id: target },
          { mode: "120000", name: "contracts", id: folder },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "Link.sol", reason: "is a symbolic link, which is not followed" },
      ])
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(source.directory)), ["A.sol"])
    }),
  )

  it.live("a folder with the same name as a link is written as a folder", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("link-folder"))
      yield* Effect.promise(async () => {
        const source = await repository.blob(vault)
        const folder = await repository.tree([{ mode: "100644", name: "A.sol", id: source }])
        const tree = await repository.tree([
          { mode: "120000", name: "src", id: await repository.blob("/tmp") },
          { mode: "40000", name: "src", id: folder },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, ["src/A.sol"])
      assert.isTrue(existsSync(join(source.directory, "src/A.sol")))
    }),
  )

  it.live("paths that lead outside or into git's folder are listed but not written", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("paths"))
      yield* Effect.promise(async () => {
        const id = await repository.blob(vault)
        const inner = await repository.tree([{ mode: "100644", name: "escaped.sol", id }])
        const folders = ["..", ".", ".git", ".GIT", "git~1", ".g\u200cit", ".git "]
        const tree = await repository.tree([
          ...folders.map((name) => ({ mode: "40000", name, id: inner })),
          { mode: "100644", name: "../../flat.sol", id },
          { mode: "100644", name: "/absolute.sol", id },
          { mode: "100644", name: "back\\slash.sol", id },
          { mode: "100644", name: "new\nline.sol", id },
          { mode: "100644", name: `${"n".repeat(300)}.sol`, id },
          { mode: "100644", name: "Good.sol", id },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, ["Good.sol"])
      assert.strictEqual(source.skipped.length, 12)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(source.directory)), ["Good.sol"])
      const beside = yield* Effect.promise(() => readdir(dirname(source.directory)))
      assert.deepStrictEqual(beside.toSorted(), ["sources"])
      assert.isFalse(existsSync(join(harness.workDirectory, "escaped.sol")))
    }),
  )

  it.live("names that differ only in case, or not at all, never overwrite each other", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("case"))
      yield* Effect.promise(async () => {
        const upper = await repository.blob("contract Upper {}")
        const lower = await repository.blob("contract Lower {}")
        const tree = await repository.tree([
          { mode: "100644", name: "A.sol", id: upper },
          { mode: "100644", name: "A.sol", id: lower },
          { mode: "100644", name: "a.sol", id: lower },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.include(source.files, "A.sol")
      assert.strictEqual(source.files.length + source.skipped.length, 3)
      assert.isNotEmpty(source.skipped)
      const text = yield* Effect.promise(() => readFile(join(source.directory, "A.sol"), "utf8"))
      assert.strictEqual(text, "contract Upper {}")
    }),
  )

  it.live("submodules are listed, whatever their URL asks git to do", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("submodules"))
      const proof = join(harness.workDirectory, "executed")
      yield* Effect.promise(async () => {
        const modules = `[submodule "a"]\n\tpath = lib/a\n\turl = --upload-pack=touch ${proof}\n[submodule "b"]\n\tpath = lib/b\n\turl = ext::sh -c touch% ${proof}\n`
        const gitlink = "1".repeat(40)
        const lib = await repository.tree([
          { mode: "160000", name: "a", id: gitlink },
          { mode: "160000", name: "b", id: gitlink },
        ])
        const tree = await repository.tree([
          { mode: "100644", name: ".gitmodules", id: await repository.blob(modules) },
          { mode: "100644", name: "A.sol", id: await repository.blob(vault) },
          { mode: "40000", name: "lib", id: lib },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, [".gitmodules", "A.sol"])
      assert.deepStrictEqual(
        source.skipped.map(({ file }) => file),
        ["lib/a", "lib/b"],
      )
      assert.isFalse(existsSync(proof))
    }),
  )

  it.live("filters, attributes, hooks and LFS settings of a repository have no effect", () =>
    Effect.gen(function* () {
      const proof = join(harness.workDirectory, "executed")
      const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
      const run = `touch ${proof}`
      const repository = yield* Effect.promise(() =>
        harness.server.create("attributes", {
          branches: {
            main: {
              ".gitattributes": "*.sol filter=evil text eol=crlf ident working-tree-encoding=UTF-16\n",
              ".gitconfig": `[filter "evil"]\n\tsmudge = ${run}\n\tprocess = ${run}\n[core]\n\tfsmonitor = ${run}\n`,
              ".lfsconfig": `[lfs]\n\turl = ${harness.server.host}/lfs\n[lfs "customtransfer.x"]\n\tpath = ${run}\n`,
              "hooks/post-checkout": `#!/bin/sh\n${run}\n`,
              "A.sol": "contract A {} // $Id$\n",
              "Pointer.sol": pointer,
            },
          },
        }),
      )
      const source = yield* fetchSources(harness, repository.url)
      const read = (name: string) => Effect.promise(() => readFile(join(source.directory, name), "utf8"))
      assert.strictEqual(yield* read("A.sol"), "contract A {} // $Id$\n")
      assert.strictEqual(yield* read("Pointer.sol"), pointer)
      assert.isFalse(existsSync(proof))
    }),
  )
})

describe("sizes", () => {
  it.live("a file of 100 MB is not transferred, but listed", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("large"))
      yield* Effect.promise(async () => {
        // Incompressible at level 0, so that transferring it would show.
        await repository.git(["config", "core.compression", "0"])
        const large = await repository.blob(new Uint8Array(100_000_000).fill(120))
        const tree = await repository.tree([
          { mode: "100644", name: "A.sol", id: await repository.blob(vault) },
          { mode: "100644", name: "Large.sol", id: large },
          { mode: "100644", name: "video.mp4", id: large },
        ])
        await repository.commitTree("main", tree)
      })
      // Transferring it would exceed this limit.
      const source = yield* fetchSources(harness, repository.url, { limits: { repositoryBytes: 10_000_000 } })
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "Large.sol", reason: "is larger than 2 MB, the limit for a source file" },
      ])
    }),
  )

  it.live("a transfer over the limit is stopped while it runs", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("too-large"))
      yield* Effect.promise(async () => {
        await repository.git(["config", "uploadpack.allowFilter", "false"])
        await repository.git(["config", "core.compression", "0"])
        await repository.git(["config", "pack.compression", "0"])
        const id = await repository.blob(new Uint8Array(60_000_000).fill(120))
        await repository.commitTree("main", await repository.tree([{ mode: "100644", name: "A.sol", id }]))
      })
      const error = yield* fetchError(harness, repository.url, { limits: { repositoryBytes: 1_000_000 } })
      assert.strictEqual(error.message, "The repository is larger than 1 MB, the limit of an analysis.")
      assert.isFalse(error.retryable)
    }),
  )

  it.live("a blob that would unpack to a thousand times its size is not unpacked", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("bomb"))
      yield* Effect.promise(async () => {
        await repository.git(["config", "uploadpack.allowFilter", "false"])
        const bomb = await repository.blob(new Uint8Array(100_000_000))
        const tree = await repository.tree([
          { mode: "100644", name: "A.sol", id: await repository.blob(vault) },
          { mode: "100644", name: "Bomb.sol", id: bomb },
        ])
        await repository.commitTree("main", tree)
      })
      const source = yield* fetchSources(harness, repository.url)
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "Bomb.sol", reason: "has 100 MB, more than 2 MB, the limit for a source file" },
      ])
    }),
  )

  it.live("one blob under many names counts each time it is written", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("copies"))
      yield* Effect.promise(async () => {
        const id = await repository.blob(new Uint8Array(100_000).fill(32))
        const entries = Array.from({ length: 100 }, (_, n) => ({ mode: "100644", name: `C${n}.sol`, id }))
        await repository.commitTree("main", await repository.tree(entries))
      })
      const error = yield* fetchError(harness, repository.url, { limits: { repositoryBytes: 5_000_000 } })
      assert.match(error.message, /larger than 5 MB/)
    }),
  )

  it.live("50,000 files of any kind are accepted, 50,001 rejected", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("many"))
      yield* Effect.promise(async () => {
        const id = await repository.blob(vault)
        const entries = (count: number) =>
          Array.from({ length: count }, (_, n) => ({ mode: "100644", name: `${n}.${n < 100 ? "sol" : "md"}`, id }))
        const folder = await repository.tree(entries(10_000))
        const folders = ["a", "b", "c", "d", "e"].map((name) => ({ mode: "40000", name, id: folder }))
        await repository.commitTree("main", await repository.tree(folders))
        await repository.commitTree("more", await repository.tree([...folders, { mode: "100644", name: "z.md", id }]))
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const source = yield* fetchSources(harness, repository.url)
          assert.strictEqual(source.files.length, 500)
        }),
      )
      const error = yield* fetchError(harness, repository.url, { branch: "more" })
      assert.strictEqual(error.message, "The repository has more than 50,000 files, the limit of an analysis.")
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )

  it.live("a tree that expands to billions of paths costs no more than the first 50,001", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("unfolding"))
      yield* Effect.promise(async () => {
        let id = await repository.blob(vault)
        let mode = "100644"
        for (let depth = 0; depth < 10; depth++) {
          const names = Array.from({ length: 10 }, (_, n) => ({ mode, name: depth === 0 ? `${n}.sol` : `${n}`, id }))
          id = await repository.tree(names)
          mode = "40000"
        }
        await repository.commitTree("main", id)
      })
      const error = yield* fetchError(harness, repository.url)
      assert.match(error.message, /more than 50,000 files/)
    }),
  )

  it.live("a tree that expands to a billion empty folders is rejected as soon as there are too many", () =>
    Effect.gen(function* () {
      const repository = yield* Effect.promise(() => harness.server.create("hollow"))
      yield* Effect.promise(async () => {
        let id = await repository.tree([])
        for (let depth = 0; depth < 12; depth++) {
          id = await repository.tree(Array.from({ length: 10 }, (_, n) => ({ mode: "40000", name: `${n}`, id })))
        }
        const source = { mode: "100644", name: "Vault.sol", id: await repository.blob(vault) }
        await repository.commitTree("main", await repository.tree([source, { mode: "40000", name: "deep", id }]))
      })
      const error = yield* fetchError(harness, repository.url)
      assert.match(error.message, /more than 50,000 folders/)
      assert.isFalse(error.retryable)
      assert.deepStrictEqual(yield* leftBehind(harness), [])
    }),
  )
})

describe("files by the thousand", () => {
  it.live("are written without blocking the process, even if they are all the same blob", () =>
    Effect.gen(function* () {
      const files = {
        "A.sol": vault,
        ...Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`B${i}.sol`, ""])),
      }
      const repository = yield* Effect.promise(() => harness.server.create("turns", { branches: { main: files } }))
      let turns = 0
      let immediate = setImmediate(function count() {
        turns++
        immediate = setImmediate(count)
      })
      const seen: Array<number> = []
      // Both blobs arrive in one chunk: progress is reported after the first file and after the 2,000 of the second blob.
      const source = yield* fetchSources(harness, repository.url, {
        onProgress: (fraction) => fraction > 0.75 && seen.push(turns),
      })
      clearImmediate(immediate)
      assert.strictEqual(source.files.length, 2_001)
      assert.isAbove(seen[1]!, seen[0]!)
    }),
  )
})
