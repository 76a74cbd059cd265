import { describe, expect, it } from "vitest"
import type { Coverage, ProgramCoverage } from "../../../domain/analysis/Coverage.ts"
import { missingFrameworkMessage } from "../../../domain/analysis/missingFramework.ts"
import { unreadLanguageOf, unreadPrograms } from "../../../domain/detection/unreadLanguages.ts"
import { isVacuous, misunderstanding, understanding } from "../../../domain/report/omissions.ts"

const coverage = (programs: ReadonlyArray<ProgramCoverage>): Coverage => ({
  filesAnalysed: 1,
  filesSkipped: [],
  rulesRun: 1,
  engines: [],
  programs,
})

describe("languages that are not read", () => {
  it("are recognized by file extensions", () => {
    expect(["a.vy", "b/c.huff", "d.move", "e.cairo"].map(unreadLanguageOf)).toEqual(["Vyper", "Huff", "Move", "Cairo"])
    expect(["a.sol", "move", "a.vyx", "a.constructor"].map(unreadLanguageOf)).toEqual(Array(4).fill(undefined))
  })

  it("have one entry each, with the folder that contains all their files", () => {
    const found = unreadPrograms(["src/pools/A.vy", "src/pools/deep/B.vy", "math.huff"], ["src/C.sol"])
    expect(found.map(({ framework, program, warning }) => [framework, program, warning])).toEqual([
      ["Vyper", "src/pools", "2 files of Vyper, a language that is not analyzed"],
      ["Huff", "Huff", "1 file of Huff, a language that is not analyzed"],
    ])
    expect(misunderstanding(coverage(found))).toContain("2 files of Vyper")
    expect(found.map(understanding)[1]).toBe("Huff, 1 file of Huff, a language that is not analyzed")
  })

  it("do not count in packages and tests", () => {
    expect(unreadPrograms(["node_modules/p/A.vy", "tests/B.vy"], ["src/C.sol"])).toEqual([])
  })

  it("are named if there is nothing else", () => {
    expect(missingFrameworkMessage("auto", [], ["Vyper"])).toMatch(/contracts in Vyper, which is not supported\.$/)
  })
})

describe("an empty list of findings", () => {
  const [unknown] = unreadPrograms(["a.move"], [])
  const { warning: _, ...known } = unknown!

  it("proves nothing if no program was understood", () => {
    expect(isVacuous(coverage([unknown!]), 0, { framework: "solana" })).toBe(true)
    expect(isVacuous(coverage([unknown!]), 1, { framework: "solana" })).toBe(false)
    expect(isVacuous(coverage([unknown!, known]), 0, { framework: "solana" })).toBe(false)
    expect(isVacuous(coverage([]), 0, { framework: "solana" })).toBe(false)
    // Solidity was read as well.
    expect(isVacuous(coverage([unknown!]), 0, { framework: "evm" })).toBe(false)
  })
})
