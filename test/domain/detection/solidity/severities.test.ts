import { describe, expect, it } from "vitest"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../domain/detection/solidity/buildProgram.ts"
import type { Program } from "../../../../domain/detection/solidity/program.ts"
import { outdatedCompiler } from "../../../../domain/detection/solidity/rules/dependency/outdated-compiler.ts"
import { missingZeroAddress } from "../../../../domain/detection/solidity/rules/input-validation/missing-zero-address.ts"
import { unusedReturn } from "../../../../domain/detection/solidity/rules/unchecked-call/unused-return.ts"
import type { Rule } from "../../../../domain/detection/Rule.ts"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"

const programOf = (...texts: ReadonlyArray<string>) =>
  buildProgram(texts.map((text, i) => parseSolidity(sourceFile(`${i}.sol`, text))))

/** The severity of each finding, by the function it is in. */
const severities = (rule: Rule<Program>, text: string): Record<string, string> => {
  const found: Record<string, string> = {}
  rule.check(programOf(text), ({ scope, severity }) => {
    found[(scope ?? "").replace(/^.*\.|\(.*/g, "")] = severity ?? rule.meta.severity
  })
  return found
}

describe("how severe a finding is", () => {
  it("depends on whether a zero address can be set right again", () => {
    const found = severities(
      missingZeroAddress,
      `pragma solidity ^0.8.20;
contract Desk {
  address owner;
  address payable fund;
  address payable immutable sink;
  address payable pot;
  address payable late;
  constructor(address payable s, address payable p) { sink = s; pot = p; owner = msg.sender; }
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function give(address to) external onlyOwner { owner = to; }
  function setFund(address payable to) external onlyOwner { fund = to; }
  function setLate(address payable to) external onlyOwner { require(late == address(0)); late = to; }
  function pay() external payable { fund.transfer(1); sink.transfer(1); pot.transfer(1); late.transfer(1); }
}`,
    )
    expect(found).toEqual({ constructor: "low", give: "low", setFund: "informational", setLate: "low" })
  })

  it("is a note for an approval whose answer is ignored", () => {
    const found = severities(
      unusedReturn,
      `pragma solidity ^0.8.20;
interface IToken { function approve(address by, uint256 n) external returns (bool); function redeem(uint256 n) external returns (uint256); }
contract Desk {
  IToken token;
  function allow(address by) external { token.approve(by, 1); }
  function leave() external { token.redeem(1); }
}`,
    )
    expect(found).toEqual({ allow: "informational", leave: "low" })
  })

  it("tells a compiler version once for all files that ask for it", () => {
    const old = (name: string) =>
      `pragma solidity ^0.5.0;\ncontract ${name} { uint256 x; function f() external { x = 1; } }`
    const found: Array<string | undefined> = []
    const newer = old("Newer").replace("^0.5.0", "^0.6.0")
    outdatedCompiler.check(programOf(old("A"), old("B"), newer), ({ file, message }) =>
      found.push(`${file.path} ${message}`),
    )
    expect(found).toEqual([
      "0.sol Only compilers before 0.8 are allowed. 2 files have this pragma.",
      "2.sol Only compilers before 0.8 are allowed.",
    ])
  })
})
