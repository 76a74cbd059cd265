import { describe, expect, it } from "vitest"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { unguardedSibling } from "../../../../../domain/detection/solidity/rules/access-control/unguarded-sibling.ts"
import { sourceFile } from "../../../../../domain/detection/SourceFile.ts"

/** What is reported of the functions of a contract, and how grave it is. */
const told = (body: string, more = ""): ReadonlyArray<string> => {
  const found: Array<string> = []
  const text = `pragma solidity ^0.8.20;
${more}
contract Example {
  address chief = msg.sender; uint256 fee; uint256 cap; uint256 step;
  modifier byChief() { require(msg.sender == chief); _; }
  function setCap(uint256 to) external byChief { cap = to; }
  function setStep(uint256 to) external byChief { step = to; }
  ${body}
}`
  unguardedSibling.check(buildProgram([parseSolidity(sourceFile("Example.sol", text))]), (match) =>
    found.push(`${match.scope}: ${match.severity ?? "as it is"}`),
  )
  return found
}

const announced = `mapping(bytes32 => uint256) due; mapping(bytes32 => uint256) next;
  function announce(bytes32 key, uint256 to) external byChief { due[key] = block.timestamp + 3 days; next[key] = to; }
  function withdraw(bytes32 key) external byChief { due[key] = 0; }`

const coin = `interface ICoin { function transfer(address to, uint256 amount) external returns (bool); function balanceOf(address who) external view returns (uint256); }`

describe("an action of which the caller chooses only the time", () => {
  const others = ["setA", "setB", "setC"]
    .map((name) => `function ${name}(uint256 to) external byChief { fee = to; }`)
    .join("")
  const setUp =
    "ICoin coin; address treasury; bool stopped; function setTreasury(address to) external byChief { treasury = to; }"
  it("is of little use to an attacker", () => {
    const body = `${setUp} ${others} function sweep() external { coin.transfer(treasury, coin.balanceOf(address(this))); }`
    expect(told(body, coin)).toEqual(["Example.sweep(): low"])
  })
  it("is of use if a switch is flipped or the caller names the recipient", () => {
    const stop = `${setUp} ${others} function halt() external { stopped = true; }`
    expect(told(stop, coin)).toEqual(["Example.halt(): as it is"])
    const named = `${setUp} ${others} mapping(uint256 => uint256) owed; function pay(uint256 id, address to) external { uint256 all = owed[id]; coin.transfer(to, all); }`
    expect(told(named, coin).filter((each) => each.endsWith(": low"))).toEqual([])
  })
})

describe("what was stored behind a check", () => {
  it.each([
    [
      "after a delay",
      `${announced} function enact(bytes32 key) external { require(due[key] != 0 && due[key] <= block.timestamp); due[key] = 0; fee = next[key]; }`,
    ],
    [
      "on approval",
      `mapping(uint256 => bool) approved; mapping(uint256 => uint256) plans;
  function approve(uint256 id, uint256 to) external byChief { approved[id] = true; plans[id] = to; }
  function revoke(uint256 id) external byChief { delete approved[id]; }
  function carryOut(uint256 id) external { if (!approved[id]) revert(); delete approved[id]; fee = plans[id]; }`,
    ],
  ])("%s is worth little to have done", (_name, body) => {
    expect(told(body).filter((each) => !each.endsWith(": low"))).toEqual([])
    expect(told(body)).toHaveLength(1)
  })

  it.each([
    ["taken back", `${announced} function drop(bytes32 key) external { require(due[key] != 0); due[key] = 0; }`],
    [
      "executed as the caller says",
      `${announced} function enact(bytes32 key, uint256 to) external { require(due[key] != 0); due[key] = 0; fee = to; }`,
    ],
    [
      "stored by anyone",
      `mapping(bytes32 => uint256) due; mapping(bytes32 => uint256) next;
  function announce(bytes32 key, uint256 to) external { due[key] = block.timestamp + 3 days; next[key] = to; }
  function shift(bytes32 key) external byChief { due[key] = block.timestamp; }
  function withdraw(bytes32 key) external byChief { due[key] = 0; }
  function enact(bytes32 key) external { require(due[key] != 0); due[key] = 0; fee = next[key]; }`,
    ],
  ])("%s is as grave as ever", (_name, body) => {
    expect(told(body).filter((each) => each.endsWith(": low"))).toEqual([])
    expect(told(body).length).toBeGreaterThan(0)
  })
})
