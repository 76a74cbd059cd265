import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"

export const unsafeMint: Rule<Program> = {
  meta: {
    id: "evm/token-handling/unsafe-mint",
    class: "erc721-interface",
    title: "Unsafe ERC-721 mint",
    severity: "low",
    // Often intended: it saves gas, and callers mint for themselves.
    confidence: "low",
    cwe: [573],
    description:
      "`_mint` of an ERC-721 contract gives the token to the recipient without the check that EIP-721 requires " +
      "for safe transfers. A contract that does not support ERC-721 tokens can never transfer the token, and it " +
      "is lost.",
    remediation:
      "Use `_safeMint`, which calls `onERC721Received` if the recipient is a contract. This gives the recipient " +
      "control, so finish all state changes first, or add a reentrancy lock.",
    references: [
      "https://eips.ethereum.org/EIPS/eip-721",
      "https://docs.openzeppelin.com/contracts/5.x/api/token/erc721#ERC721-_safeMint-address-uint256-",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.name.startsWith("_") || !isErc721(flow.context)) continue
      for (const site of flow.calls()) {
        if (site.name !== "_mint" || site.args.length !== 2) continue
        const to = flow.origins(site.args[0]!, site.at)
        if (!has(to, Source.parameter | Source.sender) || flow.isRestricted(site.at)) continue
        // accounts without code need no check
        const asksCode = flow
          .facts(site.at)
          .some(
            (fact) =>
              fact.kind === "relation" && ((fact.left.sources | (fact.right?.sources ?? 0)) & Source.code) !== 0,
          )
        if (asksCode) continue
        report({ file: fn.source.file, span: site.node, scope: fn.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Items is ERC721("Items", "I") {
    uint256 next;

    function buy(address to) external payable {
        require(msg.value == 1 ether);
        _mint(to, next++); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
import {ERC721Enumerable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
abstract contract Base is ERC721Enumerable {
    uint256 internal next;
}
contract Items is Base {
    constructor() ERC721("Items", "I") {}

    function claim() external {
        next++;
        _mint(msg.sender, next); // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Items is ERC721("Items", "I") {
    uint256 next;

    constructor(address first) { _mint(first, 0); }

    function buy(address to) external payable {
        require(msg.value == 1 ether);
        _safeMint(to, ++next);
    }

    function claim() external {
        require(msg.sender == tx.origin);
        require(msg.sender.code.length == 0);
        _mint(msg.sender, ++next);
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Coin is ERC20("Coin", "C") {
    function buy(address to) external payable {
        _mint(to, msg.value);
    }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Item is ERC721 {
  address boss = msg.sender;
  address treasury = msg.sender;
  uint256 next;
  constructor(address to) ERC721("I", "I") { _mint(to, 0); }
  function gift(address to) external { require(msg.sender == boss); _mint(to, next++); }
  function keep() external { _mint(treasury, next++); }
  function noted(address to) external { _mint(to, next++, ""); }
  function unused(address to) private { _mint(to, next++); }
  function _give(address to) public { _mint(to, next++); }
}`,
    ],
  },
}

/** The base contracts of OpenZeppelin, solmate and Solady, and their extensions, have the standard's name. */
const isErc721 = (contract: ContractModel | undefined): boolean =>
  contract !== undefined &&
  contract.linearization.some(
    (c) => c.name.startsWith("ERC721") || c.missingBases.some((name) => /(^|\.)ERC721/.test(name)),
  )
