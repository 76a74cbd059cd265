import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeLookup } from "../../../adapters/sql/lookup.ts"

/** A lookup that knows the keys of even numbers, and the sizes of its statements. */
const evenNumbers = (fails: () => boolean = () => false) => {
  const statements: Array<number> = []
  const lookUp = makeLookup<{ readonly key: string }>({
    find: (keys) =>
      Effect.suspend(() => {
        statements.push(keys.length)
        return fails()
          ? Effect.fail(new SqlError({ reason: new ConnectionError({ cause: "gone" }) }))
          : Effect.succeed(keys.filter((key) => Number(key) % 2 === 0).map((key) => ({ key })))
      }),
    keyOf: ({ key }) => key,
  })
  return { statements, lookUp }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe("lookups by key", () => {
  it.effect("share one statement per turn, with each key once, and each get their own result", () =>
    Effect.gen(function* () {
      const { lookUp, statements } = evenNumbers()
      const found = yield* Effect.forEach(["2", "3", "4", "2"], lookUp, { concurrency: "unbounded" })
      expect(found).toEqual([{ key: "2" }, undefined, { key: "4" }, { key: "2" }])
      expect(statements).toEqual([3])
    }),
  )

  it.effect("use at most 500 keys per statement", () =>
    Effect.gen(function* () {
      const { lookUp, statements } = evenNumbers()
      const found = yield* Effect.forEach(numbers(1_200), lookUp, { concurrency: "unbounded" })
      expect(found.filter((one) => one !== undefined)).toHaveLength(600)
      expect(statements).toEqual([500, 500, 200])
    }),
  )

  it.effect("all fail if their statement fails, and the next turn queries again", () =>
    Effect.gen(function* () {
      let gone = true
      const { lookUp, statements } = evenNumbers(() => gone)
      const exits = yield* Effect.forEach(["2", "3"], (key) => Effect.exit(lookUp(key)), { concurrency: "unbounded" })
      expect(exits.map((exit) => Exit.isFailure(exit) && String(exit.cause))).toEqual([
        expect.stringContaining("StoreUnavailable"),
        expect.stringContaining("StoreUnavailable"),
      ])
      gone = false
      expect(yield* lookUp("2")).toEqual({ key: "2" })
      expect(statements).toEqual([2, 1])
    }),
  )

  it.effect("continue without one that was interrupted", () =>
    Effect.gen(function* () {
      const { lookUp } = evenNumbers()
      const given = yield* Effect.forkChild(lookUp("2"), { startImmediately: true })
      const kept = yield* Effect.forkChild(lookUp("4"), { startImmediately: true })
      yield* Fiber.interrupt(given)
      expect(yield* Fiber.join(kept)).toEqual({ key: "4" })
    }),
  )

  it("leave nothing behind that only a full garbage collection frees", async () => {
    const program = join(import.meta.dirname, "lookupGarbage.ts")
    const flags = ["--expose-gc", "--single-threaded-gc", "--no-incremental-marking"]
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program], { timeout: 60_000 })
    expect(stdout).toMatch(/^-?\d+$/)
    // Of 64 MB.
    expect(Number(stdout)).toBeLessThan(8_000_000)
  })
})
