import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { wrongReturns } from "../../questions/call/standardInterface.ts"

export const erc721Interface: Rule<Program> = {
  meta: {
    id: "evm/token-handling/erc721-interface",
    class: "erc721-interface",
    title: "Incorrect ERC-721 interface",
    severity: "medium",
    confidence: "high",
    cwe: [573],
    description:
      "The contract has the functions of an ERC-721 token, but at least one of them returns a different type " +
      "than EIP-721 specifies. Marketplaces and wallets that call it through the standard interface read " +
      "garbage or revert, and items can become impossible to sell or move.",
    remediation:
      "Declare the functions as EIP-721 specifies: `ownerOf` and `getApproved` return an address, the transfer " +
      "and approval functions return nothing. Inherit from the standard interface so that the compiler checks " +
      "it.",
    references: ["https://eips.ethereum.org/EIPS/eip-721"],
  },

  check: (program, report) => {
    for (const { contract, wrong } of wrongReturns(program, standard)) {
      // what distinguishes an ERC-721 token from an ERC-20 token
      const own = ["ownerOf(uint256)", "getApproved(uint256)"].some(
        (signature) => program.implementation(contract, signature) !== undefined,
      )
      const isPublic = contract.linearization.some((c) =>
        c.stateVariables.some((v) => v.name === "ownerOf" && v.visibility === "public"),
      )
      const [first] = wrong
      if ((!own && !isPublic) || first === undefined) continue
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
contract Items {
    mapping(uint256 => address) owners;
    mapping(address => uint256) public balanceOf;

    function ownerOf(uint256 id) external view returns (bool) { // FINDING
        return owners[id] != address(0);
    }

    function approve(address to, uint256 id) external {}

    function transferFrom(address from, address to, uint256 id) external {
        require(owners[id] == from && from == msg.sender);
        owners[id] = to;
    }
}`,
      `pragma solidity ^0.4.24;
contract Items {
    mapping(uint256 => address) owners;
    mapping(uint256 => address) approved;

    function ownerOf(uint256 id) public view returns (address) { return owners[id]; }
    function getApproved(uint256 id) public view returns (address) { return approved[id]; }
    function approve(address to, uint256 id) public returns (bool) { // FINDING
        require(owners[id] == msg.sender);
        approved[id] = to;
        return true;
    }
}`,
      `pragma solidity ^0.8.20;
interface IOwned { function ownerOf(uint256 id) external view returns (address); }
contract Public {
  mapping(uint256 => address) public ownerOf;
  function setApprovalForAll(address, bool) external {}
  function transferFrom(address, address to, uint256 id) external { ownerOf[id] = to; }
  function approve(address to, uint256 id) external returns (bool) { ownerOf[id] = to; return true; } // FINDING
}
contract Approved {
  mapping(uint256 => address) approved;
  function getApproved(uint256 id) external view returns (address) { return approved[id]; }
  function setApprovalForAll(address, bool) external {}
  function transferFrom(address, address to, uint256 id) external { approved[id] = to; }
  function approve(address to, uint256 id) external returns (bool) { approved[id] = to; return true; } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Items {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    function approve(address to, uint256 id) external {}

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && from == msg.sender);
        ownerOf[id] = to;
    }
}`,
      `pragma solidity ^0.8.0;
contract Coin {
    mapping(address => uint256) public balanceOf;

    function approve(address to, uint256 amount) external returns (bool) { return to != address(0) && amount > 0; }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}`,
      `pragma solidity ^0.8.20;
contract Token {
  mapping(uint256 => address) ownerOf;
  function setApprovalForAll(address, bool) external {}
  function transferFrom(address, address to, uint256 id) external { ownerOf[id] = to; }
  function approve(address to, uint256 amount) external returns (bool) { ownerOf[amount] = to; return true; }
}`,
    ],
  },
}

const standard: ReadonlyMap<string, string> = new Map([
  ["balanceOf(address)", "uint256"],
  ["ownerOf(uint256)", "address"],
  ["safeTransferFrom(address,address,uint256,bytes)", ""],
  ["safeTransferFrom(address,address,uint256)", ""],
  ["transferFrom(address,address,uint256)", ""],
  ["approve(address,uint256)", ""],
  ["setApprovalForAll(address,bool)", ""],
  ["getApproved(uint256)", "address"],
  ["isApprovedForAll(address,address)", "bool"],
  ["supportsInterface(bytes4)", "bool"],
])
