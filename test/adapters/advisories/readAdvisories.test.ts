import { renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { advisoryLimits, readAdvisories } from "../../../adapters/advisories/readAdvisories.ts"
import { refreshedAdvisories } from "../../../adapters/advisories/refreshedAdvisories.ts"
import { type AdvisoryData, DetectionEngine } from "../../../application/ports/analysis/DetectionEngine.ts"
import { directoryOf } from "../../support/engineRun.ts"

const osv = (id: string, summary = "wrong"): string =>
  JSON.stringify({
    id,
    summary,
    affected: [
      { package: { ecosystem: "npm", name: "a" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }] },
    ],
  })

const read = (directory: string, limits = advisoryLimits) =>
  Effect.promise(() => readAdvisories(directory, undefined, limits))

describe("a directory of advisories", () => {
  it.effect("is read with its subfolders, and may have files that contain lists", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({
        "b.json": osv("B"),
        "npm/a.json": osv("A"),
        "all.json": `[${osv("C")},${osv("D")}]`,
        "README.md": "not one",
      })
      const { advisories, problems } = yield* read(directory)
      assert.deepStrictEqual(advisories.map(({ id }) => id).toSorted(), ["A", "B", "C", "D"])
      assert.deepStrictEqual(problems, [])
    }),
  )

  it.effect("reports unreadable files and reads the rest", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({
        "a.json": osv("A"),
        "broken.json": "{",
        "large.json": osv("L", "x".repeat(5_000)),
        "other.json": '{"name": "package"}',
      })
      symlinkSync("/etc", join(directory, "link"))
      symlinkSync("/etc/hostname", join(directory, "link.json"))
      const { advisories, problems } = yield* read(directory, { ...advisoryLimits, fileBytes: 2_000 })
      assert.deepStrictEqual(
        advisories.map(({ id }) => id),
        ["A"],
      )
      assert.deepStrictEqual(
        problems.map((problem) => problem.replace(directory, "").replace(/ \(.*/, "")),
        [
          "/broken.json cannot be read",
          "/large.json is larger than 0.002 MB",
          "/other.json does not contain an OSV entry",
        ],
      )
    }),
  )

  it.effect("stops at its limits", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "1.json": osv("A"), "2.json": osv("B"), "x/y/3.json": osv("C") })
      const few = yield* read(directory, { ...advisoryLimits, files: 1 })
      const shallow = yield* read(directory, { ...advisoryLimits, depth: 2 })
      const small = yield* read(directory, { ...advisoryLimits, totalBytes: osv("A").length })
      assert.deepStrictEqual(
        [few, shallow, small].map((one) => one.advisories.length),
        [1, 2, 1],
      )
      assert.deepStrictEqual(
        [few, shallow, small].map((one) => one.problems.length),
        [1, 1, 1],
      )
    }),
  )

  it.effect("is rejected with an explanation if missing", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "a.json": osv("A") })
      for (const [path, expected] of [
        [join(directory, "none"), "does not exist"],
        [join(directory, "a.json"), "is not a directory"],
      ] as const) {
        const failed = yield* Effect.flip(Effect.tryPromise(() => readAdvisories(path, undefined)))
        assert.include(String(failed.cause), `${path} ${expected}. Set it to a directory`)
      }
    }),
  )
})

describe("refreshed advisories", () => {
  it.effect("reach the engine, changes within a minute; an unreadable directory changes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "osv/a.json": osv("A") })
      const seen: Array<AdvisoryData | undefined> = []
      const engine = Layer.succeed(DetectionEngine, {
        detect: () => Effect.succeed(new Set()),
        examine: ({ advisories }) =>
          Effect.sync(() => {
            seen.push(advisories)
            return {
              findings: [],
              suppressed: [],
              coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
            }
          }),
      })
      yield* Effect.gen(function* () {
        const { examine } = yield* DetectionEngine
        const next = examine({ directory, files: [], ecosystems: ["evm"] }, () => {})
        yield* next
        writeFileSync(join(directory, "osv/b.json"), osv("B"))
        yield* next
        yield* TestClock.adjust("61 seconds")
        yield* next
        renameSync(join(directory, "osv"), join(directory, "gone"))
        yield* TestClock.adjust("61 seconds")
        yield* next
      }).pipe(Effect.provide(refreshedAdvisories(join(directory, "osv")).pipe(Layer.provide(engine))))
      assert.deepStrictEqual(
        seen.map((data) => data?.advisories.map(({ id }) => id)),
        [["A"], ["A"], ["A", "B"], ["A", "B"]],
      )
      assert.strictEqual(seen[0]?.version, seen[1]?.version)
      assert.notStrictEqual(seen[1]?.version, seen[2]?.version)
      assert.strictEqual(seen[2]?.version, seen[3]?.version)
    }),
  )
})
