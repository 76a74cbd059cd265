import { existsSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { DetectionEngine, type EngineProgress } from "../../../application/ports/analysis/DetectionEngine.ts"
import type { EngineLimits } from "../../../adapters/engine/EngineLimits.ts"
import { engineLayer } from "../../../adapters/engine/engineLayer.ts"
import { directorySources } from "../../../adapters/engine/readSources.ts"
import { cpuTimeOf, slowness } from "../../support/cpuTime.ts"
import { directoryOf, examineFiles, type Files } from "../../support/engineRun.ts"

// A harmful file or rule takes two threads, each of which needs 0.3 s of CPU time to start; other tests need some, too.
vi.setConfig({ testTimeout: 120_000 })

const limits: Partial<EngineLimits> = {
  fileTime: Duration.seconds(0.3),
  ruleTime: Duration.seconds(0.3),
  sharedTime: Duration.seconds(0.3),
  memoryMegabytes: 200,
  fileMegabytes: 0.01,
  restarts: 4,
}

/** For cases in which memory is supposed to run out before time does. */
const patient = { fileTime: Duration.seconds(60), ruleTime: Duration.seconds(60), sharedTime: Duration.seconds(60) }

const engine = (overrides: Partial<EngineLimits> = {}) =>
  engineLayer({
    frontEnds: new URL("./toyFrontEnds.ts", import.meta.url),
    version: "1.2.3",
    threads: 1,
    limits: { ...limits, ...overrides },
  })

const examine = (files: Files, onProgress?: (progress: EngineProgress) => void) =>
  examineFiles(files, ["evm"], onProgress)

const good = "a\nfinding\n"

/** The healthy file beside a harmful one is analyzed regardless. */
const survives = (harm: string, skipped: RegExp, overrides?: Partial<EngineLimits>) =>
  Effect.gen(function* () {
    const { findings, coverage } = yield* examine({ "good.sol": good, "src/bad.sol": `x\n${harm}\n` })
    expect(findings.map(({ location }) => location)).toMatchObject([{ file: "good.sol", lineStart: 2, columnEnd: 8 }])
    expect(coverage.filesSkipped).toMatchObject([{ file: "src/bad.sol", reason: expect.stringMatching(skipped) }])
    expect(coverage.filesAnalysed).toBe(1)
    expect(coverage.engines[0]).toEqual({ name: "assay", version: "1.2.3" })
    expect(coverage.rulesRun).toBe(2)
  }).pipe(Effect.provide(engine(overrides)))

/** The rule that fails on a file is named; the file stays. */
const ruleNamed = (harm: string, note: RegExp, overrides?: Partial<EngineLimits>) =>
  Effect.gen(function* () {
    const { findings, coverage } = yield* examine({ "good.sol": good, "bad.sol": `finding\n${harm}\n` })
    expect(findings).toHaveLength(2)
    expect(coverage.filesSkipped).toEqual([])
    expect(coverage.engines[0]?.note).toMatch(note)
    expect(coverage.rulesRun).toBe(1)
  }).pipe(Effect.provide(engine(overrides)))

const position = ({ stage, done, total }: EngineProgress): number =>
  (stage === "compilation" ? 0 : 1) + (total === 0 ? 0 : done / total)

describe("a harmful configuration file of a dependency", () => {
  const path = "lib/x/foundry.toml"
  for (const phase of ["imports", "resolve"]) {
    for (const [harm, reason] of [
      ["loops", /^took longer than 0\.3 s to analyze$/],
      ["throws", /^could not be read: thrown on purpose$/],
      ["exits", /^ended the analyzer/],
    ] as const) {
      it.effect(`that ${harm} when read for ${phase} is left out, and the rest is analyzed`, () =>
        Effect.gen(function* () {
          const files = { "foundry.toml": "", "src/good.sol": good, [path]: `${phase} ${harm}\n` }
          const { findings, coverage } = yield* examine(files)
          expect(findings.map(({ location }) => location.file)).toEqual(["src/good.sol"])
          expect(coverage.filesSkipped).toMatchObject([{ file: path, reason: expect.stringMatching(reason) }])
          expect(coverage.rulesRun).toBe(2)
        }).pipe(Effect.provide(engine())),
      )
    }
  }
})

describe("a harmful file", () => {
  it.effect("that makes the parser loop is skipped", () =>
    survives("parse loops", /^took longer than 0\.3 s to analyze$/),
  )
  it.effect("that makes the parser allocate objects is skipped", () =>
    survives("parse allocates", /^needed more than 200 MB/, patient),
  )
  it.effect("that makes the parser allocate buffers is skipped", () =>
    survives("parse fills", /^needed more than 200 MB/, patient),
  )
  it.effect("that overflows the stack is skipped", () => survives("parse recurses", /Maximum call stack/))
  it.effect("that makes the parser throw is skipped", () => survives("parse throws", /thrown on purpose/))
  it.effect("that faults in WebAssembly ends the thread and is skipped", () =>
    survives("parse aborts", /^ended the analyzer/),
  )
  it.effect("that ends the thread is skipped", () => survives("parse exits", /^ended the analyzer/))
  it.effect("that makes the program model loop is skipped", () =>
    survives("model loops", /^took longer than 0\.3 s/, { sharedTime: Duration.seconds(600) }),
  )
  it.effect("that breaks the program model is skipped", () => survives("model throws", /thrown on purpose/))
  it.effect("that overflows the stack of the model is skipped", () => survives("model recurses", /call stack/))
})

describe("a rule", () => {
  it.effect("that throws is named, and the others continue", () =>
    ruleNamed("rule throws", /^evm\/logic\/suffers ended early: thrown on purpose$/),
  )
  it.effect("that loops is named and skipped", () =>
    ruleNamed("rule loops", /^evm\/logic\/suffers took longer than 0\.3 s to analyze and was skipped$/),
  )
  it.effect("that allocates endlessly is named and skipped", () =>
    ruleNamed("rule allocates", /^evm\/logic\/suffers needed more than 200 MB/, patient),
  )
  it.effect("that overflows the stack is named", () => ruleNamed("rule recurses", /Maximum call stack/))
})

describe("a limit", () => {
  for (const phase of ["parse", "model", "rule", "build"]) {
    it.effect(`that is hit only once, during ${phase}, leaves nothing out`, () =>
      Effect.gen(function* () {
        const directory = yield* directoryOf({})
        const { findings, coverage, cutShort } = yield* examine({
          "good.sol": good,
          "slow.sol": `finding\n${phase} once ${join(directory, "struck")}`,
        })
        expect(existsSync(join(directory, "struck"))).toBe(true)
        expect(findings).toHaveLength(2)
        expect(coverage).toEqual({
          filesAnalysed: 2,
          filesSkipped: [],
          rulesRun: 2,
          engines: [{ name: "assay", version: "1.2.3" }],
        })
        expect(cutShort).toBe(false)
      }).pipe(Effect.scoped, Effect.provide(engine())),
    )
  }

  it.effect("that is exceeded twice skips the cause, which the coverage reports", () =>
    Effect.gen(function* () {
      const { coverage, cutShort } = yield* examine({ "good.sol": good, "bad.sol": "x\nparse loops" })
      expect(coverage.incomplete).toEqual([
        { kind: "file", name: "bad.sol", reason: "took longer than 0.3 s to analyze" },
      ])
      expect(cutShort).toBe(true)
    }).pipe(Effect.provide(engine())),
  )

  it.effect("that leaves nothing to analyze is named as the cause of the failure", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(examine({ "a.sol": "parse loops" }))).toMatchObject({ byLimit: true })
      expect(yield* Effect.flip(examine({ "a.sol": "broken" }))).toMatchObject({ byLimit: false })
    }).pipe(Effect.provide(engine())),
  )

  it.effect("does not stop a thread that is only waiting: the machine is at fault", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examine({ "good.sol": good, "a.sol": "parse sleeps" }))
      expect(error).toMatchObject({ retryable: true, byLimit: false })
    }).pipe(Effect.provide(engine({ stallTime: Duration.seconds(2) }))),
  )
})

describe("an analysis", () => {
  it.effect("keeps the main thread free while its own is busy", () =>
    Effect.gen(function* () {
      let longest = 0
      let last = performance.now()
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 5)
      yield* examine({ "good.sol": good, "bad.sol": "x\nparse loops" })
      clearInterval(timer)
      expect(longest).toBeLessThan(500)
    }).pipe(Effect.provide(engine())),
  )

  it.effect("fails in compilation when nothing can be parsed, and names the file and line", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examine({ "a.sol": "\n\nbroken", "b.sol": "broken" }))
      expect(error.stage).toBe("compilation")
      expect(error.message).toBe(
        "No source file could be analyzed: a.sol could not be parsed: 1 syntax error, the first near line 3; " +
          "b.sol could not be parsed: 1 syntax error, the first near line 1.",
      )
    }).pipe(Effect.provide(engine())),
  )

  it.effect("fails in compilation when the program cannot be resolved and no file is to blame", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examine({ "a.sol": "build loops" }))
      expect(error).toMatchObject({ stage: "compilation", message: expect.stringMatching(/longer than 0\.3 s/) })
    }).pipe(Effect.provide(engine())),
  )

  it.effect("fails in compilation when the program cannot be built at all", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examine({ "a.sol": "build throws" }))
      expect(error).toMatchObject({
        stage: "compilation",
        message: "The sources could not be resolved: the evm program could not be resolved: thrown on purpose.",
      })
    }).pipe(Effect.provide(engine())),
  )

  it.effect("continues without an ecosystem that cannot be resolved in time", () =>
    Effect.gen(function* () {
      const files = { "a.sol": good, "lib.rs": "build loops" }
      const { coverage, findings } = yield* examineFiles(files, ["evm", "solana"])
      expect(findings).toHaveLength(1)
      expect(coverage.engines[0]?.note).toBe(
        "resolving the solana sources took longer than 0.3 s to analyze: they were skipped",
      )
    }).pipe(Effect.provide(engine())),
  )

  it.effect("fails after losing the maximum number of threads", () =>
    Effect.gen(function* () {
      const bad = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.sol`, "parse exits"]))
      const error = yield* Effect.flip(examine(bad))
      expect(error.message).toBe("The analyzer was stopped by 5 different files or rules, last in 4.sol.")
    }).pipe(Effect.provide(engine())),
  )

  it.effect("fails when the sources as a whole need too much memory", () =>
    Effect.gen(function* () {
      const bad = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.sol`, "parse fills"]))
      const error = yield* Effect.flip(examine(bad))
      expect(error.message).toMatch(/^The sources together needed more than 200 MB/)
    }).pipe(Effect.provide(engine(patient))),
  )

  it.effect("fails when it exceeds its time limit", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examine({ "a.sol": "rule loops" }))
      expect(error).toMatchObject({
        stage: "static_analysis",
        message: expect.stringMatching(/longer than 1 s/),
        byLimit: true,
      })
    }).pipe(Effect.provide(engine({ analysisTime: Duration.seconds(1), ruleTime: Duration.seconds(60) }))),
  )

  it.effect("reports growing progress through both stages", () =>
    Effect.gen(function* () {
      const heard: Array<EngineProgress> = []
      yield* examine({ "a.sol": good, "b.sol": "x\nparse loops", "c.sol": "x\nmodel loops" }, (p) => heard.push(p))
      expect(heard.length).toBeGreaterThan(1)
      expect(heard.map(position)).toEqual(heard.map(position).toSorted((a, b) => a - b))
    }).pipe(Effect.provide(engine())),
  )

  it.effect("stops immediately when interrupted, and the next one still runs", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(examine({ "a.sol": "parse loops" }))
      yield* Effect.yieldNow
      const before = performance.now()
      yield* Fiber.interrupt(fiber)
      expect(performance.now() - before).toBeLessThan(2_000)
      expect((yield* examine({ "good.sol": good })).findings).toHaveLength(1)
    }).pipe(Effect.provide(engine({ fileTime: Duration.seconds(600) }))),
  )

  it.effect("skips files that are too large, binary, or reached through a link, and reports that", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "good.sol": good, "large.sol": "x".repeat(10_001), "nul.sol": "a\0" })
      symlinkSync("/etc/hostname", join(directory, "link.sol"))
      symlinkSync("/etc", join(directory, "etc"))
      const files = ["../up.sol", "etc/hosts.sol", "gone.sol", "good.sol", "large.sol", "link.sol", "nul.sol"]
      const service = yield* DetectionEngine
      const { coverage } = yield* service.examine({ directory, files, ecosystems: ["evm"] }, () => {})
      expect(coverage).toMatchObject({
        filesAnalysed: 1,
        filesSkipped: [
          { file: "../up.sol", reason: "is outside the repository" },
          { file: "etc/hosts.sol", reason: "is outside the repository" },
          { file: "gone.sol", reason: "could not be read (ENOENT)" },
          { file: "large.sol", reason: "has 0.01 MB; files over 0.01 MB are not analyzed" },
          { file: "link.sol", reason: "is a symbolic link" },
          { file: "nul.sol", reason: "is not a text file" },
        ],
      })
    }).pipe(Effect.provide(engine())),
  )

  it.effect(
    "reads through links within the repository, and folders hundreds deep without resolving each from the top",
    () =>
      Effect.gen(function* () {
        const deep = (index: number) => `${"d/".repeat(index)}a.sol`
        const paths = Array.from({ length: 800 }, (_, index) => deep(index))
        const directory = yield* directoryOf({ [deep(799)]: good })
        symlinkSync("d/d", join(directory, "alias"))
        symlinkSync("/etc", join(directory, "d/etc"))
        const sources = directorySources(directory, paths, 1_000, () => {})
        expect(sources.read(`alias/${deep(797)}`)).toMatchObject({ text: good })
        expect(sources.read("alias/../d/etc/hosts")).toEqual({ reason: "is outside the repository" })
        expect(sources.read("d/etc/apt/a.sol")).toEqual({ reason: "is outside the repository" })
        expect(cpuTimeOf(() => paths.forEach((path) => sources.read(path)))).toBeLessThan(1_000 * slowness())
      }),
  )

  it.effect("counts a file with errors as partially analyzed", () =>
    Effect.gen(function* () {
      const { coverage, findings } = yield* examine({ "a.sol": `${good}broken` })
      expect(findings).toHaveLength(1)
      expect(coverage).toMatchObject({
        filesAnalysed: 1,
        filesSkipped: [
          {
            file: "a.sol",
            reason: "analyzed in part, 1 function understood: 1 syntax error, the first near line 3",
          },
        ],
      })
    }).pipe(Effect.provide(engine())),
  )

  it.effect("dies when the engine itself cannot be started", () =>
    Effect.gen(function* () {
      const cause = yield* Effect.flip(Effect.sandbox(examine({ "good.sol": good })))
      expect(Cause.hasDies(cause)).toBe(true)
      expect(Cause.pretty(cause)).toContain("The engine's thread could not be started")
    }).pipe(
      Effect.provide(
        engineLayer({ frontEnds: new URL("./no-such-module.ts", import.meta.url), version: "0", threads: 1 }),
      ),
    ),
  )

  it.effect("reuses its thread for the next one", () =>
    Effect.gen(function* () {
      const first = yield* Effect.timed(examine({ "good.sol": good }))
      const second = yield* Effect.timed(examine({ "good.sol": good }))
      expect(first[1].findings).toEqual(second[1].findings)
    }).pipe(Effect.provide(engine())),
  )
})
