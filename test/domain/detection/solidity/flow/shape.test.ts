import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import type { Flow } from "../../../../../domain/detection/solidity/program.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { Shape } from "../../../../../domain/detection/solidity/flow/graph/shape.ts"

const flowOf = (statements: string): Flow => {
  const text = `pragma solidity ^0.8.20; contract C { uint256 s; function f(uint256 x) external { ${statements} } }`
  return buildProgram([parseSolidity(sourceFile("a.sol", text))]).allFlows()[0]!
}

describe("the shape of a step", () => {
  it.each([
    ["equality", "require(x == 1);"],
    ["ordering", "if (!(s > x)) s = 1;"],
    ["logic", "require(true && x == 1);"],
    ["sum", "s -= 1;"],
    ["product", "s = (1 + (x * 2));"],
    ["quotient", "s = f2(x / 2);"],
    ["remainder", "s %= x;"],
    ["change", "delete s;"],
    ["truth", "require(x == 0 || true);"],
    ["assembly", "assembly { sstore(0, add(x, 1)) }"],
  ] as const)("says that it contains %s, however deep", (name, statements) => {
    expect(flowOf(statements).stepsWith(Shape[name])).not.toHaveLength(0)
    expect(flowOf("s = x;").stepsWith(Shape[name])).toHaveLength(0)
  })

  it("omits branches whose condition has been reported", () => {
    const steps = flowOf("if (x > 1) s = x; else s = 2;").stepsWith(Shape.ordering)
    expect(steps.map(({ kind }) => kind)).toEqual(["condition"])
  })
})
