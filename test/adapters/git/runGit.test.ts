import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { gitObjection } from "../../../adapters/git/GitSourceFetcher.ts"
import { explainFailure } from "../../../adapters/git/remote/explainFailure.ts"
import { gitEnvironment } from "../../../adapters/git/process/gitEnvironment.ts"
import { type GitCommand, GitFailed, gitText, runGit } from "../../../adapters/git/process/runGit.ts"
import { sourceLimits } from "../../../domain/repository/SourceLimits.ts"

const drain = async (stdout: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of stdout);
}

const emptyRepository = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "assay-run-git-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
  )
  const environment = gitEnvironment({ home: directory, protocol: undefined, stallTime: Duration.seconds(30) })
  const command = (gitArguments: ReadonlyArray<string>, more: Partial<GitCommand> = {}): GitCommand => ({
    arguments: gitArguments,
    directory,
    environment,
    ...more,
  })
  yield* gitText(command(["init", "--quiet", "--bare", "."]))
  return command
})

/** Git's variable-length integers: seven bits per byte, the lowest first. */
const varint = (value: number): Array<number> => {
  const bytes: Array<number> = []
  let rest = value
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return bytes
}

const header = (type: number, length: number): Buffer => {
  const first = (type << 4) | (length & 15)
  const rest = Math.floor(length / 16)
  return Buffer.from(rest === 0 ? [first] : [first | 128, ...varint(rest)])
}

const packOf = (count: number, objects: ReadonlyArray<Uint8Array>): Buffer => {
  const start = Buffer.from("PACK\0\0\0\x02\0\0\0\0")
  start.writeUInt32BE(count, 8)
  const body = Buffer.concat([start, ...objects])
  return Buffer.concat([body, createHash("sha1").update(body).digest()])
}

/** A pack with a blob below this many nested folders, and the id of the outermost. */
const nestedFolders = (depth: number): { readonly pack: Buffer; readonly tree: string } => {
  const objects: Array<Uint8Array> = []
  const add = (type: "tree" | "blob", content: Buffer): Buffer => {
    objects.push(header(type === "tree" ? 2 : 3, content.length), deflateSync(content))
    return createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest()
  }
  let id = add("blob", Buffer.from("contract A {}"))
  for (let level = 0; level < depth; level++) {
    id = add("tree", Buffer.concat([Buffer.from(level === 0 ? "100644 A.sol\0" : "40000 a\0"), id]))
  }
  return { pack: packOf(depth + 1, objects), tree: id.toString("hex") }
}

/** A pack with one blob and one delta on it that claims to expand to `size` bytes. */
const deltaBomb = (size: number): Buffer => {
  const base = Buffer.alloc(65_536, 120)
  const id = createHash("sha1").update(`blob ${base.length}\0`).update(base).digest()
  const copies = Buffer.alloc(Math.ceil(size / 65_536), 0x80)
  const delta = Buffer.concat([Buffer.from([...varint(base.length), ...varint(size)]), copies])
  return packOf(2, [header(3, base.length), deflateSync(base), header(7, delta.length), id, deflateSync(delta)])
}

describe("a git process", () => {
  it.live("expands a delta within the memory limit, and is killed beyond it", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const unpack = (size: number) =>
        gitText(command(["index-pack", "--stdin", "--fix-thin"], { input: deltaBomb(size) }))
      assert.match(yield* unpack(655_360), /^(pack|keep)\t[0-9a-f]{40}/)
      const error = yield* Effect.flip(unpack(3_000_000_000))
      assert.instanceOf(error, GitFailed)
      const explained = explainFailure(error.stderr, "https://github.com/a/b", sourceLimits)
      assert.match(explained.message, /needs more memory than git may use/)
      assert.isFalse(explained.retryable)
    }),
  )

  it.live("may not use more memory than a million branches need", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const kilobytes = Number(yield* gitText(command(["-c", "alias.show-limit=!ulimit -d", "show-limit"])))
      // macOS enforces no limit.
      if (process.platform === "linux") assert.strictEqual(kilobytes, 768 * 1024)
      const explained = explainFailure(
        "fatal: Out of memory, malloc failed (tried to allocate 104 bytes)",
        "https://github.com/a/b",
        sourceLimits,
      )
      assert.match(explained.message, /needs more memory than git may use/)
      assert.isFalse(explained.retryable)
    }),
  )

  it.live("is not retried if it overflowed its own stack", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const { pack, tree } = nestedFolders(60_000)
      yield* gitText(command(["index-pack", "--stdin"], { input: pack }))
      const error = yield* Effect.flip(runGit(command(["ls-tree", "-r", "-z", tree]), drain))
      assert.instanceOf(error, GitFailed)
      const explained = explainFailure(error.stderr, "https://github.com/a/b", sourceLimits)
      assert.match(explained.message, /nested too deep/)
      assert.isFalse(explained.retryable)
    }),
  )

  it.live("inherits no environment", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const seen = yield* gitText(command(["-c", "alias.show-env=!env", "show-env"]))
      const allowed =
        /^(?:GIT_\w*|HOME|XDG_CONFIG_HOME|LC_ALL|PATH|SSH_ASKPASS|HTTPS_PROXY|https_proxy|NO_PROXY|no_proxy|SSL_CERT_FILE|PWD|OLDPWD|SHLVL|_)=/
      assert.deepStrictEqual(
        seen.split("\n").filter((line) => line !== "" && !allowed.test(line)),
        [],
      )
    }),
  )

  it.live("may not use any transport that it was not given", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      for (const url of ["https://github.com/a/b", "file:///etc", "ext::sh -c true", "ssh://localhost/a", "/etc"]) {
        const error = yield* Effect.flip(gitText(command(["ls-remote", "--", url])))
        assert.instanceOf(error, GitFailed)
        assert.match(error.stderr, /transport '\w+' not allowed/, url)
      }
    }),
  )

  it.live("is cut off if it prints too much", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const error = yield* Effect.flip(gitText(command(["help", "-a"]), 100))
      assert.instanceOf(error, GitFailed)
    }),
  )

  it.live("is reported to the operator if git is not installed", () =>
    Effect.gen(function* () {
      const command = yield* emptyRepository
      const error = yield* Effect.flip(gitText(command(["version"], { environment: { PATH: "/nonexistent" } })))
      assert.instanceOf(error, GitFailed)
      assert.match(explainFailure(error.stderr, "https://github.com/a/b", sourceLimits).message, /cannot run git/)
    }),
  )
})

it.each([
  ["git version 2.39.5", true],
  ["git version 2.31.0.windows.1", true],
  ["git version 3.0.0", true],
  ["git version 2.50.1 (Apple Git-155)", true],
  ["git version 2.25.1", false],
  ["git version 1.99.0", false],
  ["", false],
])("%s is new enough to obey: %s", (version, isUsable) => {
  assert.strictEqual(gitObjection(version) === undefined, isUsable)
})
