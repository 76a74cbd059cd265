import { describe, expect, it } from "vitest"
import { parseSolidity } from "../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../domain/detection/solidity/buildProgram.ts"
import type { Program } from "../../../../domain/detection/solidity/program.ts"
import { outdatedCompiler } from "../../../../domain/detection/solidity/rules/dependency/outdated-compiler.ts"
import { narrowLoopCounter } from "../../../../domain/detection/solidity/rules/arithmetic/narrow-loop-counter.ts"
import { lockedEther } from "../../../../domain/detection/solidity/rules/denial-of-service/locked-ether.ts"
import { payoutSetByOtherTransaction } from "../../../../domain/detection/solidity/rules/front-running/payout-set-by-other-transaction.ts"
import { missingZeroAddress } from "../../../../domain/detection/solidity/rules/input-validation/missing-zero-address.ts"
import { feeOnTransfer } from "../../../../domain/detection/solidity/rules/token-handling/fee-on-transfer.ts"
import { unprotectedTokenWithdrawal } from "../../../../domain/detection/solidity/rules/access-control/unprotected-token-withdrawal.ts"
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
  it.each([
    ["high", "balances[msg.sender] += amount"],
    ["medium", "balances[msg.sender]++"],
  ])("is %s depending on whether the contract keeps books of what it sends: %s", (severity, kept) => {
    const found = severities(
      unprotectedTokenWithdrawal,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Proxy {
  mapping(address => uint256) balances;
  function keep(uint256 amount) external { ${kept}; }
  function send(IERC20 token, address to, uint256 amount) external { require(token.transfer(to, amount)); }
}`,
    )
    expect(found).toEqual({ send: severity })
  })

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

  it("is low for a loop over the caller's own list", () => {
    const found = severities(
      narrowLoopCounter,
      `pragma solidity ^0.8.20;
contract Desk {
  address[] all;
  mapping(address => bool) seen;
  function add(address who) external { all.push(who); }
  function own(address[] calldata list) external { for (uint8 i = 0; i < list.length; i++) seen[list[i]] = true; }
  function every() external { for (uint8 i = 0; i < all.length; i++) seen[all[i]] = true; }
}`,
    )
    expect(found).toEqual({ own: "low", every: "medium" })
  })

  it("is low for ether that nobody is told to pay", () => {
    const contract = (name: string, payable: string) =>
      `contract ${name} { mapping(address => uint256) given; ${payable} }`
    const found = severities(
      lockedEther,
      `pragma solidity ^0.8.20;
${contract("A", "fallback() external payable {}")}
${contract("B", "receive() external payable { given[msg.sender] += msg.value; }")}
${contract("C", "function pay() external payable { given[msg.sender] += 1; }")}`,
    )
    expect(found).toEqual({ fallback: "low", receive: "medium", pay: "medium" })
  })

  it("is low for an amount that the payer approves and an administrator sets", () => {
    const found = severities(
      payoutSetByOtherTransaction,
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Desk {
  address immutable owner = msg.sender;
  IToken immutable token;
  uint256 bond;
  uint256 fee;
  constructor(IToken t) { token = t; }
  function setBond(uint256 to) external { require(msg.sender == owner); bond = to; }
  function setFee(uint256 to) external { fee = to; }
  function propose() external { token.transferFrom(msg.sender, address(this), bond); }
  function join() external { token.transferFrom(msg.sender, address(this), fee); }
}`,
    )
    expect(found).toEqual({ propose: "low", join: "medium" })
  })

  it("is low for fees of a token that trusted accounts have admitted", () => {
    const found = severities(
      feeOnTransfer,
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Desk {
  address immutable owner = msg.sender;
  mapping(address => bool) admitted;
  mapping(address => uint256) rates;
  mapping(address => bool) known;
  mapping(address => mapping(address => uint256)) held;
  function admit(address token) external { require(msg.sender == owner); admitted[token] = true; }
  function rate(address token, uint256 to) external { require(msg.sender == owner); rates[token] = to; }
  function register(address token) external { known[token] = true; }
  function a(IToken token, uint256 n) external {
    require(admitted[address(token)]);
    require(token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][address(token)] += n;
  }
  function b(IToken token, uint256 n) external {
    require(rates[address(token)] != 0);
    require(token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][address(token)] += n;
  }
  function c(IToken token, uint256 n) external {
    require(known[address(token)]);
    require(token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][address(token)] += n;
  }
  function d(IToken token, IToken other, uint256 n) external {
    require(admitted[address(other)]);
    require(token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][address(token)] += n;
  }
  function e(IToken token, uint256 n) external {
    require(!admitted[address(token)]);
    require(token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][address(token)] += n;
  }
}`,
    )
    expect(found).toEqual({ a: "low", b: "low", c: "medium", d: "medium", e: "medium" })
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
