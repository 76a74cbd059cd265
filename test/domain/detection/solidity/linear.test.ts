import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { solidityRules } from "../../../../domain/detection/solidity/catalog.ts"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../domain/detection/solidity/buildProgram.ts"
import { largeFunctions } from "../../../support/largeFunctions.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

const examined = (text: string): number => {
  const before = cpuTime()
  const program = buildProgram([parseSolidity(sourceFile("a.sol", text))])
  for (const rule of solidityRules) rule.check(program, () => {})
  return cpuTime() - before
}

const small = 400
const factor = 4
/** Quadratic growth would be 16; the rest is room for the collector and for a compiler warming up. */
const allowed = 2.5 * factor
/** Differences below this are noise. */
const negligible = 200

describe("time grows hardly faster than the size of one function or contract", () => {
  it.each([...largeFunctions])("%s", (_name, text) => {
    examined(text(small / 8))
    const first = examined(text(small))
    expect(examined(text(small * factor))).toBeLessThan(Math.max(first * allowed, negligible))
  })
})
