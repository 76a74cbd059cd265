import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { lostResult } from "../../../../../domain/detection/solidity/questions/call/lostResult.ts"

const lost = (statements: string): string | undefined => {
  const text = `pragma solidity ^0.8.20; contract C { bool s; function f(address a) external { ${statements} } }`
  const [flow] = buildProgram([parseSolidity(sourceFile("a.sol", text))]).allFlows()
  const site = flow!.calls().find(({ callKind }) => callKind === "call")
  return lostResult(flow!, site!)
}

describe("how the success flag of a call is lost", () => {
  it.each([
    ["ignored", `a.call("");`],
    ["ignored", `(, bytes memory data) = a.call("");`],
    ["unread", `(bool ok, ) = a.call("");`],
    ["unread", `(bool ok, ) = a.call(""); ok = true; require(ok);`],
    [undefined, `(bool ok, ) = a.call(""); require(ok);`],
    [undefined, `(bool ok, ) = a.call(""); s = ok;`],
    [undefined, `(, bytes memory data) = a.call(""); require(data.length > 0);`],
  ])("is %s in %s", (expected, statements) => {
    expect(lost(statements)).toBe(expected)
  })
})
