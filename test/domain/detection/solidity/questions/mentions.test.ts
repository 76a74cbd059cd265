import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { blockDataIn } from "../../../../../domain/detection/solidity/questions/value/blockDataIn.ts"
import { mentions } from "../../../../../domain/detection/solidity/questions/value/mentions.ts"
import { Source } from "../../../../../domain/detection/solidity/flow/graph/origins.ts"

const program = buildProgram([
  parseSolidity(
    sourceFile(
      "a.sol",
      `pragma solidity ^0.8.20;
       contract C {
         uint256 used; uint256 unused;
         modifier late() { require(block.timestamp > 5); _; }
         function f() external late { used = 1; missing(); }
         function g() external { used = 2; }
         function h() external { assembly { sstore(0, number()) } }
       }`,
    ),
  ),
])
const flow = (name: string) => program.allFlows().find(({ fn }) => fn.name === name)!

describe("what a program mentions", () => {
  it("is what its expressions refer to, and by name what is unresolved", () => {
    const { declarations, unresolved } = mentions(program)
    const variables = program.contracts[0]!.stateVariables.filter((v) => declarations.has(v)).map(({ name }) => name)
    expect(variables).toEqual(["used"])
    expect(unresolved.has("missing")).toBe(true)
  })

  it("includes the block data that a function, its modifiers and assembly can see", () => {
    expect(blockDataIn(flow("f"))).toBe(Source.timestamp)
    expect(blockDataIn(flow("g"))).toBe(0)
    expect(blockDataIn(flow("h"))).toBe(Source.blockNumber)
  })
})
