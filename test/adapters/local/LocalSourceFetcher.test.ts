import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LocalSourceFetcher from "../../../adapters/local/LocalSourceFetcher.ts"
import { readCheckout } from "../../../adapters/local/Checkout.ts"
import { SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"

/** A folder with these files, gone with the scope. */
const project = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const root = await mkdtemp(join(tmpdir(), "assay-local-"))
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), content)
      }
      return root
    }),
    (root) => Effect.promise(() => rm(root, { recursive: true, force: true })),
  )

const fetchSources = (path: string, settings: LocalSourceFetcher.LocalSourceSettings = {}, branch?: string) =>
  SourceFetcher.use((fetcher) => fetcher.fetch({ repositoryUrl: path, branch }, () => {})).pipe(
    Effect.provide(LocalSourceFetcher.layer(settings)),
  )

describe("a folder", () => {
  it.effect("gives what an analysis needs, and nothing of git's folder or of a build", () =>
    Effect.gen(function* () {
      const root = yield* project({
        "foundry.toml": "",
        "src/Vault.sol": "contract Vault {}",
        "src/cache/PriceCache.sol": "contract PriceCache {}",
        "out/Vault.sol/Vault.sol": "",
        "cache/Old.sol": "",
        ".git/objects/A.sol": "",
        "program/Cargo.toml": "",
        "program/src/lib.rs": "",
        "program/target/debug/gen.rs": "",
        "README.md": "",
      })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual(source.files, [
        "foundry.toml",
        "program/Cargo.toml",
        "program/src/lib.rs",
        "src/Vault.sol",
        "src/cache/PriceCache.sol",
      ])
      assert.deepStrictEqual(source.skipped, [])
    }),
  )

  it.effect("names contracts in unsupported languages without fetching them", () =>
    Effect.gen(function* () {
      const root = yield* project({ "A.sol": "contract A {}", "pools/B.vy": "", "pools/c.move": "", "notes.txt": "" })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(source.unread, ["pools/B.vy", "pools/c.move"])
    }),
  )

  it.effect("is left as it is, also when the scope closes", () =>
    Effect.gen(function* () {
      const root = yield* project({ "A.sol": "contract A {}" })
      yield* Effect.scoped(fetchSources(root))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(root)), ["A.sol"])
    }),
  )

  it.effect("links below it are listed, not followed", () =>
    Effect.gen(function* () {
      const root = yield* project({ "A.sol": "contract A {}", "real/B.sol": "contract B {}" })
      yield* Effect.promise(async () => {
        await symlink("/etc/passwd", join(root, "Passwd.sol"))
        await symlink(root, join(root, "real/loop"))
      })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual(source.files, ["A.sol", "real/B.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "Passwd.sol", reason: "is a symbolic link, which is not followed" },
      ])
    }),
  )

  it.effect("packages that are links are read below it only, each once, however many names and folders ask", () =>
    Effect.gen(function* () {
      const asked = Array.from({ length: 3_000 }, (_, index) => `import "p${index}/x.sol";`).join("")
      const root = yield* project({ "A.sol": `import "oz/x.sol"; import "etc/x.sol"; import "self/x.sol";${asked}` })
      yield* Effect.promise(async () => {
        const write = async (path: string) => {
          await mkdir(dirname(join(root, path)), { recursive: true })
          await writeFile(join(root, path), "contract X {}")
        }
        await write("node_modules/.store/oz/x.sol")
        for (let index = 0; index < 300; index++) await write(`apps/${index}/node_modules/other/x.sol`)
        for (const name of ["oz", "p1", "p2"]) await symlink(".store/oz", join(root, "node_modules", name))
        await symlink("/etc", join(root, "node_modules/etc"))
        await symlink("..", join(root, "node_modules/self"))
      })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual(source.files, ["A.sol", "node_modules/oz/x.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "node_modules/etc", reason: "is a link to nothing below the repository" },
        { file: "node_modules/self", reason: "is a link to nothing below the repository" },
      ])
    }),
  )

  it.effect("that a link names is the one it points to", () =>
    Effect.gen(function* () {
      const root = yield* project({ "real/A.sol": "contract A {}" })
      yield* Effect.promise(() => symlink(join(root, "real"), join(root, "link")))
      assert.deepStrictEqual((yield* fetchSources(join(root, "link"))).files, ["A.sol"])
    }),
  )

  it.effect("of node_modules, only imported packages are included, and what they import", () =>
    Effect.gen(function* () {
      const root = yield* project({
        "contracts/A.sol": 'import {Ownable} from "@oz/contracts/access/Ownable.sol";\nimport "./B.sol";',
        "contracts/B.sol": "contract B {}",
        "node_modules/@oz/contracts/access/Ownable.sol": 'import "base/Context.sol";',
        "node_modules/@oz/contracts/index.js": "",
        "node_modules/base/Context.sol": "contract Context {}",
        "node_modules/unused/Unused.sol": "contract Unused {}",
      })
      assert.deepStrictEqual((yield* fetchSources(root)).files, [
        "contracts/A.sol",
        "contracts/B.sol",
        "node_modules/@oz/contracts/access/Ownable.sol",
        "node_modules/base/Context.sol",
      ])
    }),
  )

  it.effect("files over the limits are listed", () =>
    Effect.gen(function* () {
      const root = yield* project({ "A.sol": "contract A {}", "Large.sol": " ".repeat(2_000_001) })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.deepStrictEqual(source.skipped, [
        { file: "Large.sol", reason: "has 2 MB, more than 2 MB, the limit for a source file" },
      ])
      const many = yield* project(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`d/C${n}.sol`, ""])))
      const cut = yield* fetchSources(many, { limits: { files: 10 } })
      assert.strictEqual(cut.files.length, 10)
      assert.match(cut.skipped[0]!.reason, /limit of 10 files/)
    }),
  )
})

describe("files", () => {
  it.effect("one file alone", () =>
    Effect.gen(function* () {
      const root = yield* project({ "src/A.sol": "contract A {}", "src/B.sol": "contract B {}" })
      const source = yield* fetchSources(join(root, "src/A.sol"))
      assert.deepStrictEqual(source.files, ["A.sol"])
      assert.isTrue(source.directory.endsWith("/src"))
    }),
  )

  it.effect("several paths, relative to the folder that holds them all", () =>
    Effect.gen(function* () {
      const root = yield* project({ "a/x/A.sol": "", "a/y/B.sol": "", "a/y/C.sol": "", "z.sol": "" })
      const source = yield* fetchSources(root, { paths: [join(root, "a/x/A.sol"), join(root, "a/y")] })
      assert.deepStrictEqual(source.files, ["x/A.sol", "y/B.sol", "y/C.sol"])
    }),
  )

  it.effect("a missing path, or one that is not a source, is rejected with a hint", () =>
    Effect.gen(function* () {
      const root = yield* project({ "notes.txt": "" })
      const missing = yield* Effect.flip(fetchSources(join(root, "missing")))
      assert.match(missing.message, /does not exist\. Specify a folder, a \.sol or \.rs file, or the URL/)
      const text = yield* Effect.flip(fetchSources(join(root, "notes.txt")))
      assert.match(text.message, /notes\.txt is neither a \.sol nor a \.rs file/)
      const device = yield* Effect.flip(fetchSources("/dev/null"))
      assert.match(device.message, /neither a folder nor a file/)
      const branch = yield* Effect.flip(fetchSources(root, {}, "main"))
      assert.match(branch.message, /--branch does not apply/)
    }),
  )
})

describe("a checkout", () => {
  const id = "0123456789abcdef0123456789abcdef01234567"
  const config =
    '[core]\n\tfsmonitor = touch executed\n[remote "origin"]\n\turl = https://user:token@github.com/owner/name.git\n'

  it.effect("reports branch and commit, from the folder or from below it", () =>
    Effect.gen(function* () {
      const root = yield* project({
        ".git/HEAD": "ref: refs/heads/feature/x\n",
        ".git/refs/heads/feature/x": `${id}\n`,
        ".git/config": config,
        "contracts/A.sol": "",
      })
      for (const path of [root, join(root, "contracts"), join(root, "contracts/A.sol")]) {
        const source = yield* fetchSources(path)
        assert.deepStrictEqual([source.branch, source.commit], ["feature/x", id])
      }
    }),
  )

  it.effect("gives its origin without credentials", () =>
    Effect.gen(function* () {
      const root = yield* project({ ".git/HEAD": `${id}\n`, ".git/config": config })
      assert.deepStrictEqual(yield* Effect.promise(() => readCheckout(root)), {
        branch: undefined,
        commit: id,
        originUrl: "https://github.com/owner/name",
      })
    }),
  )

  it.effect("whose files are pipes or devices is none", () =>
    Effect.gen(function* () {
      const root = yield* project({ ".git/config": "" })
      yield* Effect.promise(() => symlink("/dev/zero", join(root, ".git/commondir")))
      execFileSync("mkfifo", [join(root, ".git/HEAD")])
      assert.strictEqual((yield* Effect.promise(() => readCheckout(root)))?.branch, undefined)
    }),
  )

  it.effect("has its commit in packed refs, and a worktree has its own HEAD", () =>
    Effect.gen(function* () {
      const root = yield* project({
        "main/.git/packed-refs": `# pack-refs with: peeled\n${id} refs/heads/side\n`,
        "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
        "main/.git/worktrees/side/commondir": "../..\n",
        "side/.git": "gitdir: ../main/.git/worktrees/side\n",
        "side/A.sol": "",
      })
      const source = yield* fetchSources(join(root, "side"))
      assert.deepStrictEqual([source.branch, source.commit], ["side", id])
    }),
  )

  it.effect("whose HEAD leads elsewhere reports no commit", () =>
    Effect.gen(function* () {
      const root = yield* project({ ".git/HEAD": "ref: refs/../../secret\n", secret: id, "A.sol": "" })
      assert.strictEqual((yield* fetchSources(root)).commit, undefined)
    }),
  )

  it.effect("a folder without git is called local", () =>
    Effect.gen(function* () {
      const root = yield* project({ "A.sol": "" })
      const source = yield* fetchSources(root)
      assert.deepStrictEqual([source.branch, source.commit], ["local", undefined])
    }),
  )
})
