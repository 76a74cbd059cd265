import { describe, expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engineLayer } from "../../../adapters/engine/engineLayer.ts"
import { examineFiles } from "../../support/engineRun.ts"

const engine = engineLayer({
  frontEnds: new URL("../../../apps/engine/frontEnds.ts", import.meta.url),
  version: "0",
  threads: 1,
})

const deep = 10_000

const inFunction = (body: string): string => `contract Deep { function f(uint a) public returns (uint) { ${body} } }`

const nested: Record<string, string> = {
  parentheses: inFunction(`return ${"(".repeat(deep)}a${")".repeat(deep)};`),
  blocks: inFunction("{".repeat(deep) + "}".repeat(deep)),
  "blocks left open": inFunction("{".repeat(deep)),
  "if without braces": inFunction(`${"if (a > 1) ".repeat(deep)} a = 2;`),
  "else if": inFunction(`${"if (a > 1) { a = 1; } else ".repeat(deep)} { a = 2; }`),
  "array types": `contract Deep { uint${"[]".repeat(deep)} x; function f() public {} }`,
  mappings: `contract Deep { ${"mapping(uint => ".repeat(deep)}uint${")".repeat(deep)} x; function f() public {} }`,
  indices: inFunction(`a${"[0]".repeat(deep)} = 1;`),
  members: inFunction(`a${".b".repeat(deep)}();`),
  calls: inFunction(`f${"(1)".repeat(deep)};`),
  operators: inFunction(`return a${" + a".repeat(deep)};`),
  powers: inFunction(`return a${" ** a".repeat(deep)};`),
  negations: inFunction(`return ${"!".repeat(deep)}a;`),
  conditionals: inFunction(`return ${"a > 1 ? a : ".repeat(deep)} a;`),
  assignments: inFunction(`${"a = ".repeat(deep)} 1;`),
  "assembly blocks": inFunction(`assembly ${"{".repeat(deep)}${"}".repeat(deep)}`),
  "assembly calls": inFunction(`assembly { a := ${"add(1, ".repeat(deep)}1${")".repeat(deep)} }`),
  statements: inFunction("a += 1; ".repeat(deep)),
  functions: `contract Deep { ${Array.from({ length: deep }, (_, i) => `function f${i}() public { f${i + 1}(); }`).join("\n")} }`,
  inheritance: Array.from({ length: 1_000 }, (_, i) => `contract C${i} ${i === 0 ? "" : `is C${i - 1} `}{}`).join("\n"),
}

const good = "contract Good { function g() public {} }"

/** xorshift32, for the same bytes in every run. */
const randomBytes = (length: number, seed: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let index = 0; index < length; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[index] = state & 0xff || 1
  }
  return bytes
}

layer(engine)("hostile sources", (it) => {
  describe("nested or repeated excessively", () => {
    for (const [name, text] of Object.entries(nested)) {
      it.effect(`cost at most themselves: ${name}`, () =>
        Effect.gen(function* () {
          const before = process.cpuUsage()
          const { coverage } = yield* examineFiles({ "src/Deep.sol": text, "src/Good.sol": good })
          expect(coverage.filesAnalysed).toBeGreaterThanOrEqual(1)
          expect(coverage.filesSkipped.filter(({ file }) => file !== "src/Deep.sol")).toEqual([])
          expect(coverage.engines[0]?.note).toBeUndefined()
          // On the processor: how long that takes depends on what else the machine does.
          const { user, system } = process.cpuUsage(before)
          expect((user + system) / 1e6).toBeLessThan(6)
        }),
      )
    }
  })

  it.effect("of 5 MB are skipped with their size", () =>
    Effect.gen(function* () {
      const large = `${good}\n${"// filler\n".repeat(500_000)}`
      const { coverage } = yield* examineFiles({ "src/Large.sol": large, "src/Good.sol": good })
      expect(coverage).toMatchObject({
        filesAnalysed: 1,
        filesSkipped: [{ file: "src/Large.sol", reason: "has 5 MB; files over 2 MB are not analyzed" }],
      })
    }),
  )

  it.effect("of random bytes do not affect the others", () =>
    Effect.gen(function* () {
      const noise = Array.from({ length: 20 }, (_, index) => [`src/${index}.sol`, randomBytes(20_000, index + 1)])
      const { coverage } = yield* examineFiles({ ...Object.fromEntries(noise), "src/Good.sol": good })
      expect(coverage.filesAnalysed).toBeGreaterThanOrEqual(1)
      expect(coverage.filesSkipped.map(({ file }) => file)).not.toContain("src/Good.sol")
    }),
  )

  it.effect("that import and inherit in circles are analyzed", () =>
    Effect.gen(function* () {
      const { coverage } = yield* examineFiles({
        "src/A.sol": 'import "./B.sol"; contract A is B { function a() public { b(); } }',
        "src/B.sol": 'import "./C.sol"; contract B is C { function b() public { c(); } }',
        "src/C.sol": 'import "./A.sol"; import "./C.sol"; contract C is A, C { function c() public { a(); } }',
        "src/D.sol": "contract D is D { function d() public { d(); } } contract D is E {} contract E is D {}",
      })
      expect(coverage).toMatchObject({ filesAnalysed: 4, filesSkipped: [] })
      expect(coverage.engines[0]?.note).toBeUndefined()
    }),
  )

  it.effect("with a missing brace are partially analyzed", () =>
    Effect.gen(function* () {
      const broken = "contract A { function f() public { if (true) { } function g() public {} function h() public {} }"
      const { coverage } = yield* examineFiles({ "src/A.sol": broken, "src/Good.sol": good })
      expect(coverage.filesAnalysed).toBe(2)
      expect(coverage.filesSkipped).toMatchObject([
        {
          file: "src/A.sol",
          reason: expect.stringMatching(/^analyzed in part, 3 functions understood: 1 syntax error/),
        },
      ])
    }),
  )

  it.effect("that are all unreadable fail the analysis with the reason", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(examineFiles({ "src/A.sol": "this is not a contract" }))
      expect(error).toMatchObject({
        stage: "compilation",
        message: expect.stringMatching(/^No source file could be analyzed: src\/A\.sol could not be parsed: /),
      })
    }),
  )
})
