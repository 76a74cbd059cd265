import { describe, expect, it } from "vitest"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { accessOf } from "../../../../../domain/detection/solidity/access/entries/entries.ts"
import { decides } from "../../../../../domain/detection/solidity/access/gravity/decides.ts"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"

/** Whether callers of `odd`, which is open to anyone, decide anything; undefined if it changes nothing. */
const decided = (odd: string): boolean | undefined => {
  const source = `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface ILedger { function note(uint256 id) external; function file(bytes32 kind, uint256 to) external; }
interface IFeed { function peek(bytes32 kind) external view returns (uint256); }
contract Notes is ILedger {
  mapping(uint256 => bool) public noted;
  mapping(bytes32 => uint256) public filed;
  mapping(address => bool) public trusted;
  constructor() { trusted[msg.sender] = true; }
  function trust(address who) external { require(trusted[msg.sender]); trusted[who] = true; }
  function note(uint256 id) external { noted[id] = true; }
  function file(bytes32 kind, uint256 to) external { require(trusted[msg.sender]); filed[kind] = to; }
}
interface IUnknown { function hear(uint256 id) external; }
contract Other { function note(uint256) external { require(msg.sender == address(0xbeef)); done = true; } bool public done; }
contract Desk is Missing {
  address owner = msg.sender;
  IERC20 immutable token;
  ILedger immutable ledger;
  IFeed immutable feed;
  address immutable treasury;
  Other other;
  IUnknown unknown;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 at;
  bool paused;
  uint256[] list;
  mapping(address => uint256) fees;
  mapping(uint256 => uint256) stages;
  mapping(address => bool) allowed;
  mapping(bytes32 => bool) hashes;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  constructor(IERC20 t, ILedger l, IFeed f, address to) { token = t; ledger = l; feed = f; treasury = to; }
  function setA(uint256 to) external onlyOwner { a = to; }
  function setB(uint256 to) external onlyOwner { b = to; }
  function setC(uint256 to) external onlyOwner { c = to; }
  function setD(uint256 to) external onlyOwner { d = to; }
  function give(address to) external onlyOwner { owner = to; }
  function stage(uint256 id, uint256 to) external onlyOwner { stages[id] = to; }
  function resume() external onlyOwner { paused = false; }
  function allow(address who) external onlyOwner { allowed[who] = true; }
  function charge(address who, uint256 fee) external onlyOwner { fees[who] = fee; }
  function push(uint256 one) external onlyOwner { list.push(one); }
  function clear() external onlyOwner { delete list; }
  ${odd}
}`
  const access = accessOf(buildProgram([parseSolidity(sourceFile("Desk.sol", source))]))
  const entry = access.entries.find(({ fn }) => fn.name === "odd")
  return entry === undefined ? undefined : decides(access, entry)
}

describe("what callers decide", () => {
  it.each([
    ["a value", "function odd(uint256 to) external { at = to; a = to; }"],
    ["an amount that others compute on", "function odd(uint256 by) external { a = a + by; }"],
    ["who has a right", "function odd() external { owner = msg.sender; }"],
    ["that something is switched", "function odd() external { paused = true; }"],
    [
      "that something at a stage is called off",
      "function odd(uint256 id) external { require(stages[id] == 4); stages[id] = 0; }",
    ],
    [
      "that something announced is called off",
      "function odd(uint256 to) external { delete hashes[keccak256(abi.encode(to))]; }",
    ],
    ["what a base without source does", "function odd() external { _pause(); }"],
    ["what is not understood", "function odd() external { uint256 x; assembly { x := calldataload(4) } a = x; }"],
    ["how much of what is looked up", "function odd(uint256 id, uint256 by) external { a = stages[id] * by; }"],
    ["what is asked of whom it depends", "function odd(uint256 id) external { other.note(id); }"],
    ["what is told to an unknown contract", "function odd(uint256 id) external { unknown.hear(id); }"],
    ["for whom something is switched", "function odd(address who) external { allowed[who] = false; }"],
    [
      "a value that only another contract accepts",
      "function odd(bytes32 kind, uint256 to) external { ledger.file(kind, to); }",
    ],
    ["what is thrown away", "function odd() external { delete list; }"],
  ])("is %s", (_, odd) => {
    expect(decided(odd)).toBe(true)
  })

  it.each([
    [
      "an account is brought up to date",
      "function odd(address who) external { a = feed.peek(bytes32(uint256(uint160(who)))); }",
    ],
    [
      "only names what another contract is told",
      "function odd(bytes32 kind) external { ledger.file(kind, feed.peek(kind)); }",
    ],
    ["calls what anyone may call", "function odd(uint256 id) external { ledger.note(id); }"],
    [
      "goes where it is due",
      "function odd(address who) external { uint256 fee = fees[who]; fees[who] = 0; token.transfer(treasury, fee); }",
    ],
    ["is filled again", "function odd() external { delete list; list.push(feed.peek(0)); }"],
  ])("is nothing if it %s", (_, odd) => {
    expect(decided(odd)).toBe(false)
  })

  it("is not asked of a function that always reverts", () => {
    expect(
      decided(
        "function odd(address to, bytes calldata with) external { a = 5; (bool ok, bytes memory back) = to.delegatecall(with); assembly { revert(add(back, 32), mload(back)) } }",
      ),
    ).toBeUndefined()
  })
})
