import { describe, expect, it } from "vitest"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { constantNumber } from "../../../../../domain/detection/solidity/questions/value/constantNumber.ts"
import { constantTruth } from "../../../../../domain/detection/solidity/questions/value/constantTruth.ts"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"

const declarations = "uint256 constant DAY = 1 days; uint256 constant LOOP = LOOP + 1; uint256 state = 3;"

/** The initial value of a variable, as the program reads it. */
const expression = (text: string) => {
  const unit = parseSolidity(
    sourceFile("A.sol", `pragma solidity ^0.8.0; contract A { ${declarations} uint256 x = ${text}; }`),
  )
  const program = buildProgram([unit])
  const variable = program.contracts[0]?.stateVariables.find(({ name }) => name === "x")
  if (variable?.node?.value === undefined) throw new Error(`no value: ${text}`)
  return { program, value: variable.node.value }
}

const numberOf = (text: string): bigint | undefined => {
  const { program, value } = expression(text)
  return constantNumber(program, value)
}

const truthOf = (text: string): boolean | undefined => {
  const { program, value } = expression(text)
  return constantTruth(program, value)
}

describe("numbers determined by literals and constants alone", () => {
  it.each([
    ["1_000", 1000n],
    ["0xff", 255n],
    ["1e18", 10n ** 18n],
    ["1.5 ether", 15n * 10n ** 17n],
    ["2.5e1", 25n],
    ["24 hours", 86_400n],
    ["10 ** 18", 10n ** 18n],
    ["DAY * 7 - 1", 604_799n],
    ["uint64(7)", 7n],
    ["2 << 3", 16n],
  ])("%s", (text, value) => {
    expect(numberOf(text)).toBe(value)
  })

  it.each(["state", "0.5", "1 / 0", "2 ** 10000", "LOOP", "block.timestamp", '"5"', "1 << 100000"])(
    "are unknown for %s",
    (text) => {
      expect(numberOf(text)).toBeUndefined()
    },
  )
})

describe("conditions determined by literals alone", () => {
  it.each([
    ["1 == 1", true],
    ["1 > 2", false],
    ["!(DAY < 5)", true],
    ["state > 1 || 2 > 1", true],
    ["state > 1 && false", false],
  ])("%s", (text, truth) => {
    expect(truthOf(text)).toBe(truth)
  })

  it.each(["state > 1", "state > 1 || false", "state > 1 && true"])("are open for %s", (text) => {
    expect(truthOf(text)).toBeUndefined()
  })
})
