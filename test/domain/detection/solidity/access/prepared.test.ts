import { describe, expect, it } from "vitest"
import { buildProgram } from "../../../../../domain/detection/solidity/buildProgram.ts"
import { parseSolidity } from "../../../../../domain/detection/solidity/parse/parse.ts"
import { unguardedSibling } from "../../../../../domain/detection/solidity/rules/access-control/unguarded-sibling.ts"
import { sourceFile } from "../../../../../domain/detection/Source.ts"

/** What is reported of the functions of a contract, and how grave it is. */
const told = (body: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const text = `pragma solidity ^0.8.20;
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

describe("what was laid down behind a check", () => {
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
      "done as the caller says",
      `${announced} function enact(bytes32 key, uint256 to) external { require(due[key] != 0); due[key] = 0; fee = to; }`,
    ],
    [
      "laid down by anyone",
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
