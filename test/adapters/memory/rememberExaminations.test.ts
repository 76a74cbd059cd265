import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rememberExaminations, type ExaminationMemory } from "../../../adapters/memory/rememberExaminations.ts"
import {
  DetectionEngine,
  type EngineInput,
  type EngineResult,
} from "../../../application/ports/analysis/DetectionEngine.ts"

const result: EngineResult = {
  findings: [],
  suppressed: [],
  coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
}

/** Counts the examinations that actually take place. */
const counting = (change: Partial<EngineResult> = {}) => {
  const examined: Array<EngineInput> = []
  const engine = Layer.succeed(DetectionEngine, {
    detect: () => Effect.succeed(new Set()),
    examine: (input) =>
      Effect.sync(() => {
        examined.push(input)
        return { ...result, ...change }
      }),
  })
  return { examined, engine }
}

const input = (contents: Readonly<Record<string, string>>, change: Partial<EngineInput> = {}): EngineInput => ({
  directory: "/sources",
  files: Object.keys(contents),
  contentIds: new Map(Object.entries(contents)),
  ecosystems: ["evm"],
  ...change,
})

const examineAll = (
  inputs: ReadonlyArray<EngineInput>,
  { change, memory }: { readonly change?: Partial<EngineResult>; readonly memory?: Partial<ExaminationMemory> } = {},
) => {
  const { examined, engine } = counting(change)
  return Effect.forEach(inputs, (each) => DetectionEngine.use((one) => one.examine(each, () => {}))).pipe(
    Effect.map((reports) => ({ reports, examinations: examined.length })),
    Effect.provide(rememberExaminations(memory).pipe(Layer.provide(engine))),
  )
}

describe("remembered reports", () => {
  it.effect("the same contents are examined once, in any order and directory", () =>
    Effect.gen(function* () {
      const { reports, examinations } = yield* examineAll([
        input({ "a.sol": "1", "b.sol": "2" }),
        input({ "b.sol": "2", "a.sol": "1" }, { directory: "/elsewhere" }),
      ])
      assert.strictEqual(examinations, 1)
      assert.deepEqual(reports[0], reports[1])
    }),
  )

  it.effect("the same contents with other advisories are a different input", () =>
    Effect.gen(function* () {
      const [one, two] = ["1", "2"].map((version) =>
        input({ "a.sol": "1" }, { advisories: { version, advisories: [] } }),
      )
      const { examinations } = yield* examineAll([one!, two!, one!, input({ "a.sol": "1" })])
      assert.strictEqual(examinations, 3)
    }),
  )

  it.effect("other contents, paths, numbers of files or ecosystems are a different input", () =>
    Effect.gen(function* () {
      const { examinations } = yield* examineAll([
        input({ "a.sol": "1" }),
        input({ "a.sol": "2" }),
        input({ "b.sol": "1" }),
        input({ "a.sol": "1", "b.sol": "1" }),
        input({ "a.sol": "1" }, { ecosystems: ["evm", "solana"] }),
      ])
      assert.strictEqual(examinations, 5)
    }),
  )

  it.effect("files other than those that were read may change", () =>
    Effect.gen(function* () {
      const change = { filesRead: ["a.sol"] }
      const { examinations } = yield* examineAll(
        [
          input({ "a.sol": "1", "b.md": "1" }),
          input({ "a.sol": "1", "b.md": "2" }),
          input({ "a.sol": "2", "b.md": "1" }),
        ],
        { change },
      )
      assert.strictEqual(examinations, 2)
      // Another file may be one that an import means.
      const more = [input({ "a.sol": "1" }), input({ "a.sol": "1", "b.sol": "1" })]
      assert.strictEqual((yield* examineAll(more, { change })).examinations, 2)
    }),
  )

  it.effect("files without ids are examined each time", () =>
    Effect.gen(function* () {
      const unknown = input({ "a.sol": "1" }, { contentIds: undefined })
      const partly = input({ "a.sol": "1" }, { files: ["a.sol", "b.sol"] })
      assert.strictEqual((yield* examineAll([unknown, unknown, partly, partly])).examinations, 4)
    }),
  )

  it.effect("what was cut short by a limit is examined again", () =>
    Effect.gen(function* () {
      const one = input({ "a.sol": "1" })
      assert.strictEqual((yield* examineAll([one, one], { change: { cutShort: true } })).examinations, 2)
    }),
  )

  it.effect("the least recently used is evicted first", () =>
    Effect.gen(function* () {
      const [one, two, three] = [input({ a: "1" }), input({ a: "2" }), input({ a: "3" })]
      const { examinations } = yield* examineAll([one, two, one, three, one, two], { memory: { results: 2 } })
      assert.strictEqual(examinations, 4)
      assert.strictEqual((yield* examineAll([one, one], { memory: { entries: 0 } })).examinations, 2)
    }),
  )
})
