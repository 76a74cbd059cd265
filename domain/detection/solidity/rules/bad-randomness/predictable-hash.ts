import type { Rule } from "../../../Rule.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const predictableHash: Rule<Program> = {
  meta: {
    id: "evm/bad-randomness/predictable-hash",
    class: "weak-randomness",
    title: "Weak randomness from publicly known values",
    severity: "high",
    // a bucket or shard may be chosen in the same way, which harms nobody
    confidence: "low",
    cwe: [338, 330],
    swc: 120,
    description:
      "A random number is derived from a hash of the sender's address, a counter or other stored values. Anyone " +
      "can read private variables, and the attacker chooses the sender: they compute the number before the " +
      "transaction and participate only if they win, or generate addresses until one wins.",
    remediation:
      "Use a verifiable random function (Chainlink VRF), or a commit-reveal scheme with secrets from several " +
      "participants. Nothing that is stored in the contract is secret.",
    references: [
      "https://swcregistry.io/docs/SWC-120",
      "https://swcregistry.io/docs/SWC-136",
      "https://docs.chain.link/vrf",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.remainder)) {
        if (node.expression === undefined) continue
        walk(node.expression, (e: S.Node) => {
          if (e.kind !== "BinaryOperation" || e.operator !== "%") return true
          const value = flow.deepOrigins(e.left, node)
          if (!has(value, Source.hash) || !only(value, known) || !has(value, Source.sender | Source.state)) return true
          report({
            file: node.callable.source.file,
            span: e,
            scope: node.callable.scope,
            // Contracts without source that use it may have a seed that nobody knows in advance.
            ...(program.graph.isReachable(flow.fn) ? {} : { severity: "low" as const }),
          })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // For contracts without source to inherit.
      `pragma solidity ^0.8.20;
abstract contract Dice {
  bytes32 private seed;
  uint256 private nonce;
  function reseed(bytes32 to) internal { seed = to; }
  function roll(uint256 sides) internal returns (uint256) {
    return uint256(keccak256(abi.encode(seed, nonce++))) % sides; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Dice {
    uint256 private nonce;

    function roll() external payable {
        uint256 face = uint256(keccak256(abi.encodePacked(msg.sender, nonce++))) % 6; // FINDING
        if (face == 5) payable(msg.sender).transfer(address(this).balance);
    }
}`,
      `pragma solidity ^0.4.24;
contract Lottery {
    uint private seed;
    address[] players;

    function play() public payable {
        players.push(msg.sender);
        bytes32 digest = keccak256(abi.encodePacked(seed, players.length));
        uint winner = uint(digest) % players.length; // FINDING
        players[winner].transfer(1 ether);
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IVrf { function answer(uint256 id) external view returns (uint256); }
contract Dice {
    IVrf vrf;
    uint256 nonce;

    function roll(uint256 id) external {
        uint256 face = uint256(keccak256(abi.encode(vrf.answer(id), nonce))) % 6;
        if (face == 5) nonce++;
    }
}`,
      `pragma solidity ^0.8.0;
contract Shards {
    mapping(uint256 => uint256) counts;
    uint256 total;

    function put(bytes32 key) external {
        counts[uint256(keccak256(abi.encode(key))) % 16]++;
        total = total % 10;
    }
}`,
      `pragma solidity ^0.8.20;
contract Draw {
  uint256 nonce;
  function fixedSlot() external pure returns (uint256) { return uint256(keccak256("a")) % 7; }
  function mixed(uint256 n) external view returns (uint256) {
    return uint256(keccak256(abi.encode(msg.sender, nonce))) / 7 + n % 3;
  }
}`,
    ],
  },
}

/** Values that anyone can read or choose before the transaction. */
const known =
  Source.hash |
  Source.literal |
  Source.constant |
  Source.immutable |
  Source.state |
  Source.sender |
  Source.txOrigin |
  Source.self |
  Source.gas |
  Source.balance |
  Source.otherBalance |
  Source.value |
  Source.chainId
