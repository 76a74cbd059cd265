import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gitLauncher } from "../../../adapters/git/process/GitLauncher.ts"
import { GitFailed, type GitCommand, gitText, runGit } from "../../../adapters/git/process/runGit.ts"
import { gitHarness, fetchSources } from "./fetching.ts"

const harness = gitHarness()

/** Scripts that git runs through an alias when a launcher starts it. */
const launched = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "assay-launcher-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
  )
  const start = yield* gitLauncher(directory)
  const shell = (script: string, more: Partial<GitCommand> = {}): GitCommand => ({
    start,
    directory,
    environment: { PATH: process.env["PATH"] ?? "", OWN: "own" },
    arguments: ["-c", `alias.run-this=!${script}`, "run-this"],
    ...more,
  })
  yield* gitText({ ...shell(""), arguments: ["init", "--quiet", "--bare", "."] })
  return shell
})

/** The launchers of this process. */
const launchers = (): ReadonlyArray<number> =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("launcher.ts"))
    .map((line) => Number.parseInt(line, 10))

describe("a process that starts git for a larger one", () => {
  it.live("passes input, output, errors and the exit code", () =>
    Effect.gen(function* () {
      const shell = yield* launched
      const input = randomBytes(1_000_000).toString("base64")
      assert.strictEqual(yield* gitText(shell("cat", { input }), 2_000_000), input)
      const error = yield* Effect.flip(gitText(shell("echo told >&2; exit 7")))
      assert.instanceOf(error, GitFailed)
      assert.match(error.stderr, /^told/)
      assert.match(yield* gitText(shell("env")), /^OWN=own$/m)
      // Those that end immediately may be over before anybody learns that they began.
      const words = Array.from({ length: 40 }, (_, each) => (each % 2 === 0 ? `${each}\n` : ""))
      const said = yield* Effect.all(
        words.map((word) => gitText(shell(word === "" ? "true" : `echo ${word.trim()}`))),
        { concurrency: 4 },
      )
      assert.deepStrictEqual(said, words)
    }),
  )

  it.live("reports that git cannot be run", () =>
    Effect.gen(function* () {
      const shell = yield* launched
      const error = yield* Effect.flip(gitText(shell("true", { directory: "/nonexistent" })))
      assert.instanceOf(error, GitFailed)
      assert.match(error.stderr, /cannot run git/)
    }),
  )

  it.live("fails its commands when it is killed, and is replaced by another one", () =>
    Effect.gen(function* () {
      const before = launchers()
      const shell = yield* launched
      const error = yield* runGit(shell("echo begun; sleep 60"), async (stdout) => {
        for await (const _ of stdout) {
          const mine = launchers().find((pid) => !before.includes(pid))
          process.kill(mine!, "SIGKILL")
          break
        }
      }).pipe(Effect.flip, Effect.timeout("10 seconds"))
      assert.instanceOf(error, GitFailed)
      assert.strictEqual(yield* gitText(shell("echo again")), "again\n")
    }),
  )

  it.live("ends with the fetcher and leaves nothing behind", () =>
    Effect.gen(function* () {
      const before = launchers()
      const { url } = yield* Effect.promise(() =>
        harness.server.create("launched", { branches: { main: { "A.sol": "contract A {}" } } }),
      )
      const fetched = yield* Effect.scoped(
        Effect.gen(function* () {
          const { directory, files } = yield* fetchSources(harness, url, { launcher: true })
          return { files, text: readFileSync(join(directory, "A.sol"), "utf8") }
        }),
      )
      assert.deepStrictEqual(fetched, { files: ["A.sol"], text: "contract A {}" })
      assert.deepStrictEqual(readdirSync(harness.workDirectory), [])
      while (launchers().some((pid) => !before.includes(pid))) yield* Effect.sleep("10 millis")
    }),
  )
})
