import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { jobDirectory, prepareWorkDirectory } from "../../../adapters/git/WorkDirectory.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-jobs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

/** The id of a process that has ended. */
const endedProcess = Effect.callback<number>((resume) => {
  const child = spawn("true")
  child.on("exit", () => resume(Effect.succeed(child.pid!)))
})

const content = (path: string) => Effect.promise(() => readdir(path))

describe("the work directory", () => {
  it.effect("is accessible only to its user", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary, "a", "work")
      yield* prepareWorkDirectory(path)
      const { mode } = yield* Effect.promise(() => stat(path))
      assert.strictEqual(mode & 0o777, 0o700)
    }),
  )

  it.effect("is rejected if it is not a directory", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      yield* Effect.promise(async () => {
        await writeFile(join(parent, "file"), "")
        await symlink(join(parent, "nowhere"), join(parent, "link"))
      })
      for (const name of ["file", "link"]) {
        const error = yield* Effect.flip(prepareWorkDirectory(join(parent, name)))
        assert.match(error.message, /Cannot use the work directory/)
      }
    }),
  )

  it.effect("is cleared of what dead processes left, but not of files of running ones or of others", () =>
    Effect.gen(function* () {
      const work = yield* temporary
      const mine = yield* jobDirectory(work)
      const [, host] = basename(mine).split("-")
      const gone = yield* endedProcess
      const crashed = basename(mine).replace(`-${process.pid}-`, `-${gone}-`)
      // Our own process id, but a different start time: the restarted worker of a container.
      const restarted = `job-${host}-${process.pid}-12345-abcdef`
      const foreign = "job-00000000-1-1-abcdef"
      const foreignOld = "job-00000000-1-1-fedcba"
      yield* Effect.promise(async () => {
        for (const name of [crashed, restarted, foreign, foreignOld, "unrelated"]) {
          await mkdir(join(work, name, "sources"), { recursive: true })
        }
        await utimes(join(work, foreignOld), 0, 0)
      })
      yield* prepareWorkDirectory(work)
      assert.deepStrictEqual((yield* content(work)).toSorted(), [basename(mine), foreign, "unrelated"].toSorted())
    }),
  )

  it.effect("gives each job its own directory, removed with its scope", () =>
    Effect.gen(function* () {
      const work = yield* temporary
      yield* Effect.scoped(
        Effect.gen(function* () {
          const one = yield* jobDirectory(work)
          const two = yield* jobDirectory(work)
          assert.notStrictEqual(one, two)
          yield* Effect.promise(() => writeFile(join(one, "A.sol"), ""))
          assert.strictEqual((yield* content(work)).length, 2)
        }),
      )
      assert.deepStrictEqual(yield* content(work), [])
    }),
  )

  it.effect("can be emptied by two processes that start simultaneously", () =>
    Effect.gen(function* () {
      const work = yield* temporary
      const left = `job-00000000-1-1-abcdef`
      yield* Effect.promise(async () => {
        const sources = join(work, left, "sources")
        await mkdir(sources, { recursive: true })
        for (let index = 0; index < 900; index++) writeFileSync(join(sources, `${index}.sol`), "")
        await utimes(join(work, left), 0, 0)
      })
      yield* Effect.all([prepareWorkDirectory(work), prepareWorkDirectory(work)], { concurrency: 2 })
      assert.deepStrictEqual(yield* content(work), [])
    }),
  )

  it.effect("is emptied without blocking the process", () =>
    Effect.gen(function* () {
      const work = yield* temporary
      const cpu = () => process.threadCpuUsage().user + process.threadCpuUsage().system
      const turns: Array<number> = []
      let immediate: NodeJS.Immediate | undefined
      yield* Effect.scoped(
        Effect.gen(function* () {
          const mine = yield* jobDirectory(work)
          for (let index = 0; index < 3_000; index++) writeFileSync(join(mine, `${index}.sol`), "")
          let begun = cpu()
          immediate = setImmediate(function measure() {
            turns.push(cpu() - begun)
            begun = cpu()
            immediate = setImmediate(measure)
          })
        }),
      )
      clearImmediate(immediate)
      assert.deepEqual(yield* content(work), [])
      const total = turns.reduce((sum, one) => sum + one, 0)
      assert.isBelow(Math.max(...turns), total / 5)
    }),
  )
})
