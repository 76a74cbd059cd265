import type { Files } from "./gitServer.ts"

const functionOf = (index: number): string => `
  function withdraw${index}(uint256 amount) external {
    require(balances[msg.sender] >= amount, "balance");
    (bool sent, ) = msg.sender.call{value: amount}("");
    require(sent, "sent");
    balances[msg.sender] -= amount;
    total${index % 4} += amount;
  }`

const contract = (seed: string, index: number, functions: number): string => `// SPDX-License-Identifier: MIT
// ${seed}
pragma solidity 0.8.26;

contract Vault${index} {
  mapping(address => uint256) public balances;
  uint256 public total0; uint256 public total1; uint256 public total2; uint256 public total3;
  function deposit() external payable { balances[msg.sender] += msg.value; }
${Array.from({ length: functions }, (_, each) => functionOf(each)).join("")}
}
`

/**
 * Contracts with the same findings for every seed; the seed only keeps a worker from reusing the report of another one.
 * There are enough files, with enough functions each, that an analysis takes some time in every stage.
 */
export const manyContracts = (seed: string, files: number, functions = 12): Files =>
  Object.fromEntries(
    Array.from({ length: files }, (_, index) => [`src/Vault${index}.sol`, contract(seed, index, functions)]),
  )
