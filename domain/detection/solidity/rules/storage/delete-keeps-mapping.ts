import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import type { Type } from "../../types.ts"

export const deleteKeepsMapping: Rule<Program> = {
  meta: {
    id: "evm/storage/delete-keeps-mapping",
    class: "delete-mapping",
    title: "Deleting a struct leaves its mapping in storage",
    severity: "medium",
    confidence: "high",
    cwe: [459],
    description:
      "`delete` resets a struct member by member and skips mappings, because their keys are unknown. The " +
      "entries remain in storage and reappear when the same id or address is set up again: old balances, votes " +
      "or permissions of a record that was supposedly deleted.",
    remediation:
      "Delete the relevant entries individually before the struct, or include a version number in the key so " +
      "that old entries become unreachable. For OpenZeppelin's EnumerableSet, remove the elements one by one.",
    references: [
      "https://docs.soliditylang.org/en/latest/types.html#delete",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#deletion-on-mapping-containing-a-structure",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const { event, via } of flow.writes) {
        if (via.length > 0 || event.operation !== "delete" || event.expression.kind.startsWith("Yul")) continue
        // It is not Yul but a Solidity expression.
        const member = mappingIn(program.typeOf(event.expression as Parameters<Program["typeOf"]>[0]))
        if (member === undefined) continue
        report({
          file: event.at.callable.source.file,
          span: event.expression,
          scope: event.at.callable.scope,
          message: `\`${member}\` keeps its entries.`,
          // Whoever is trusted to delete it is also trusted not to create it again.
          ...(flow.isRestricted(event.at) ? { severity: "low" as const } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Only the owner deletes.
      `pragma solidity ^0.8.20;
contract Markets {
  struct Market { bool isListed; mapping(address => bool) members; }
  mapping(uint256 => Market) markets;
  address owner = msg.sender;
  function join(uint256 id) external { markets[id].members[msg.sender] = true; }
  function remove(uint256 id) external {
    require(msg.sender == owner);
    delete markets[id]; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
    struct Account {
        address owner;
        mapping(address => uint256) balances;
    }
    mapping(uint256 => Account) accounts;

    function close(uint256 id) external {
        require(accounts[id].owner == msg.sender);
        delete accounts[id]; // FINDING
    }
}`,
      `pragma solidity ^0.6.0;
contract Polls {
    struct Votes {
        mapping(address => bool) voted;
        uint256 count;
    }
    struct Poll {
        string text;
        Votes votes;
    }
    Poll poll;

    function reset() external {
        Poll storage p = poll;
        delete poll; // FINDING
        delete p.votes; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
contract Boxes {
  struct Box { mapping(address => uint256) shares; uint256 total; }
  Box[] list;
  function clear() external {
    delete list; // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Forum {
    struct Post {
        bytes32 text;
        Post[] answers;
    }
    mapping(uint256 => Post) posts;

    function remove(uint256 id) external {
        delete posts[id];
    }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
    struct Account {
        address owner;
        uint256[] amounts;
    }
    mapping(uint256 => Account) accounts;
    mapping(uint256 => mapping(address => uint256)) balances;

    function close(uint256 id, address of) external {
        delete accounts[id];
        delete balances[id][of];
    }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
    struct Account {
        address owner;
        mapping(address => uint256) balances;
    }
    mapping(uint256 => Account) accounts;

    function close(uint256 id, address of) external {
        Account storage a = accounts[id];
        delete a.balances[of];
        delete a.owner;
    }
}`,
      `pragma solidity ^0.6.0;
contract Boxes {
  struct Box { mapping(address => uint256) shares; uint256 total; }
  mapping(uint256 => Box) boxes;
  function copy(uint256 a, uint256 b) external { boxes[a] = boxes[b]; }
}`,
    ],
  },
}

/** The member through which a struct contains a mapping, including inside structs and arrays of structs. */
const mappingIn = (type: Type, seen = new Set<unknown>()): string | undefined => {
  if (type.kind === "array") return mappingIn(type.base, seen)
  // A struct can contain a list of its own type.
  if (type.kind !== "struct" || seen.has(type.struct)) return undefined
  seen.add(type.struct)
  for (const member of type.struct.members) {
    if (member.type.kind === "mapping") return member.name
    const inner = mappingIn(member.type, seen)
    if (inner !== undefined) return `${member.name}.${inner}`
  }
  return undefined
}
