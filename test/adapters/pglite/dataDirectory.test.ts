import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as PgliteClient from "../../../adapters/pglite/PgliteClient.ts"
import { migrate } from "../../../adapters/sql/migrate.ts"
import { create, newUser, statusOf, stores } from "../../support/stores.ts"
import { layOutDatabase } from "../../support/databases.ts"
import { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

const program = join(dirname(fileURLToPath(import.meta.url)), "holdDatabase.ts")

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "assay-data-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

/** Runs a test on the directory's database, which stays open during the test. */
const on = <A, E>(dataDirectory: string, effect: Effect.Effect<A, E, Layer.Success<typeof stores>>) =>
  effect.pipe(
    Effect.provide(
      stores.pipe(
        Layer.provide(Layer.effectDiscard(migrate)),
        Layer.provide(Layer.fresh(PgliteClient.layer({ dataDirectory }))),
      ),
    ),
  )

/** A directory with a migrated database. */
const prepared = Effect.tap(directory, (path) => Effect.promise(() => layOutDatabase(path)))

/** Another process that has the directory's database open. */
const holder = (dataDirectory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program, dataDirectory], { stdio: ["ignore", "pipe", "inherit"] })
      const [line] = await once(createInterface(child.stdout), "line")
      const created: { readonly userId: string; readonly analysisId: string } = JSON.parse(String(line))
      const kill = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      }
      return { created, kill, pid: child.pid! }
    }),
    ({ kill }) => Effect.promise(kill),
  )

describe("the embedded database's directory", () => {
  it.live(
    "keeps what was written when closed and reopened",
    () =>
      Effect.gen(function* () {
        const path = join(yield* directory, "nested", "data")
        const [userId, analysisId] = yield* on(
          path,
          Effect.gen(function* () {
            const userId = yield* newUser()
            return [userId, yield* create(userId)] as const
          }),
        )
        assert.isFalse(existsSync(join(path, "assay.lock")))
        assert.strictEqual(statSync(path).mode & 0o777, 0o700)
        assert.strictEqual(yield* on(path, statusOf(userId, analysisId)), "pending")
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "is denied to a second process with the pid of the first, which once killed loses nothing acknowledged, and its lock",
    () =>
      Effect.gen(function* () {
        const path = yield* prepared
        const { created, kill, pid } = yield* holder(path)
        const error = yield* Effect.flip(on(path, Effect.void))
        if (error._tag !== "DataDirectoryInUse") return assert.fail(error._tag)
        assert.strictEqual(error.pid, pid)
        assert.include(error.message, `Process ${pid} is using the data directory ${path}`)

        yield* Effect.promise(kill)
        assert.isTrue(existsSync(join(path, "assay.lock")))
        assert.strictEqual(
          yield* on(path, statusOf(UserId.make(created.userId), AnalysisId.make(created.analysisId))),
          "pending",
        )
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "cannot be opened twice in the same process",
    () =>
      Effect.gen(function* () {
        const path = yield* prepared
        const second = yield* on(path, Effect.flip(on(path, Effect.void)))
        assert.strictEqual(second._tag, "DataDirectoryInUse")
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "is taken over from a process of an earlier boot with the pid of a running one",
    () =>
      Effect.gen(function* () {
        const path = yield* prepared
        writeFileSync(join(path, "assay.lock"), JSON.stringify({ pid: process.pid, started: "1" }))
        // Only Linux says when a process started; elsewhere a live pid is trusted.
        const exit = yield* Effect.exit(on(path, Effect.void))
        assert.strictEqual(exit._tag, process.platform === "linux" ? "Success" : "Failure")
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live.skipIf(process.platform !== "linux")(
    "is taken over from a zombie process",
    () =>
      Effect.gen(function* () {
        const path = yield* prepared
        // The shell's child ends after the shell has become `sleep`, which does not wait for children.
        const parent = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn("sh", ["-c", "cat & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] }),
          ),
          (child) => Effect.sync(() => child.kill("SIGKILL")),
        )
        const [pid] = yield* Effect.promise(() => once(createInterface(parent.stdout), "line"))
        const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
        while (stat()[0] !== "Z") yield* Effect.yieldNow
        writeFileSync(join(path, "assay.lock"), JSON.stringify({ pid: Number(pid), started: stat()[19] }))
        yield* on(path, Effect.void)
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "is recreated if a killed process left it unfinished",
    () =>
      Effect.gen(function* () {
        const path = yield* directory
        writeFileSync(join(path, "postgres.new"), "half made")
        yield* on(path, newUser())
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live("is named in the error if it cannot be written", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "file")
      writeFileSync(path, "")
      const error = yield* Effect.flip(on(path, Effect.void))
      assert.strictEqual(error._tag, "DataDirectoryUnusable")
      assert.include(error.message, path)
    }).pipe(Effect.scoped),
  )
})
