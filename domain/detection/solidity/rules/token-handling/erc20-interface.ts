import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { wrongReturns } from "../../questions/call/standardInterface.ts"

export const erc20Interface: Rule<Program> = {
  meta: {
    id: "evm/token-handling/erc20-interface",
    class: "erc20-interface",
    title: "Incorrect ERC-20 interface",
    severity: "medium",
    confidence: "high",
    cwe: [573],
    description:
      "The contract has the functions of an ERC-20 token, but at least one of them returns nothing or a " +
      "different type than EIP-20 specifies. Contracts compiled with Solidity 0.4.22 or later check the size of " +
      "the return data: their calls to this token revert, and tokens sent to them can be stuck forever.",
    remediation:
      "Declare the functions as EIP-20 specifies (`transfer`, `transferFrom` and `approve` return `bool`) and " +
      "return true on success; inherit from the standard interface so that the compiler checks it.",
    references: [
      "https://eips.ethereum.org/EIPS/eip-20",
      "https://medium.com/coinmonks/missing-return-value-bug-at-least-130-tokens-affected-d67bf08521ca",
    ],
  },

  check: (program, report) => {
    for (const { contract, wrong } of wrongReturns(program, standard)) {
      // ERC-721 shares three signatures, and its functions return nothing
      if (program.implementation(contract, "ownerOf(uint256)") !== undefined) continue
      if (contract.linearization.some((c) => c.stateVariables.some((v) => v.name === "ownerOf"))) continue
      const [first] = wrong
      if (first === undefined) continue
      report({
        file: first.fn.source.file,
        span: first.fn.node.nameSpan,
        scope: first.fn.scope,
        message: wrong.map(({ fn, expected }) => `\`${fn.signature}\` should return ${expected}.`).join(" "),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Coin {
    mapping(address => uint256) balances;
    mapping(address => mapping(address => uint256)) allowed;

    function balanceOf(address of) external view returns (uint256) {
        return balances[of];
    }

    function transfer(address to, uint256 amount) external { // FINDING
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function approve(address to, uint256 amount) external returns (bool) {
        allowed[msg.sender][to] = amount;
        return true;
    }
}`,
      `pragma solidity ^0.4.24;
contract Base {
    mapping(address => uint256) balances;
    function balanceOf(address who) public view returns (uint256) { return balances[who]; }
    function transfer(address to, uint256 amount) public returns (bool) {
        balances[msg.sender] -= amount;
        balances[to] += amount;
        return true;
    }
}
contract Coin is Base {
    mapping(address => mapping(address => uint256)) allowed;
    function transferFrom(address from, address to, uint256 amount) public { // FINDING
        allowed[from][msg.sender] -= amount;
        balances[from] -= amount;
        balances[to] += amount;
    }
    function approve(address to, uint256 amount) public {
        allowed[msg.sender][to] = amount;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Coin {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    function transfer(address to, uint256 amount) external returns (bool done) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        done = true;
    }

    function approve(address to, uint256 amount) external returns (bool) {
        allowance[msg.sender][to] = amount;
        return true;
    }
}`,
      `pragma solidity ^0.8.0;
interface IOldToken {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
    function approve(address to, uint256 amount) external;
}
contract Item {
    mapping(uint256 => address) owners;
    function ownerOf(uint256 id) external view returns (address) { return owners[id]; }
    function balanceOf(address) external pure returns (uint256) { return 1; }
    function transferFrom(address from, address to, uint256 id) external { require(owners[id] == from); owners[id] = to; }
    function approve(address to, uint256 id) external {}
}
contract Vault {
    function transfer(address to, uint256 amount) external { payable(to).transfer(amount); }
}`,
      `pragma solidity ^0.4.24;
contract Items {
  mapping(uint256 => address) ownerOf;
  function totalSupply() public view returns (uint256) { return 5; }
  function transfer(address to, uint256 id) public { ownerOf[id] = to; }
  function approve(address, uint256) public {}
}
interface IItems { function ownerOf(uint256 id) external view returns (address); }`,
    ],
  },
}

const standard: ReadonlyMap<string, string> = new Map([
  ["transfer(address,uint256)", "bool"],
  ["transferFrom(address,address,uint256)", "bool"],
  ["approve(address,uint256)", "bool"],
  ["allowance(address,address)", "uint256"],
  ["balanceOf(address)", "uint256"],
  ["totalSupply()", "uint256"],
])
