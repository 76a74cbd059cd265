import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { initializersOf } from "../../questions/deployment/initializer.ts"
import { type Gap, gapOf } from "../../questions/storage/gaps.ts"
import { ownLayoutOf } from "../../questions/storage/layout.ts"

export const missingStorageGap: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/missing-storage-gap",
    class: "storage-collision",
    title: "Missing or inconsistent storage gap",
    severity: "low",
    confidence: "medium",
    cwe: [1059],
    description:
      "Contracts behind a proxy inherit from this one, and their own variables follow its variables in storage. If " +
      "a later release adds a variable here, everything that derived contracts declare moves by a slot: their " +
      "balances and owners are read from where something else was written. Other base contracts of the project " +
      "reserve slots for this purpose.",
    remediation:
      "End the contract with `uint256[n] private __gap`, with n chosen so that the variables and the gap together " +
      "always take the same number of slots (by convention, 50), and shorten the gap by the slots that a new " +
      "variable takes. Alternatively, keep the state in a namespace (EIP-7201).",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#storage-gaps",
      "https://eips.ethereum.org/EIPS/eip-7201",
    ],
  },
  check: (program, report) => {
    const bases = program.contracts.filter((contract) => isBaseBehindProxy(program, contract))
    const gaps = bases.flatMap((contract) => gapOf(program, contract) ?? [])
    const [model] = gaps
    const custom = customaryTotal(gaps)
    for (const { contract, variable, room, total } of gaps) {
      if (custom === undefined || total === custom.total || variable.node === undefined) continue
      report({
        file: contract.source.file,
        span: variable.node.nameSpan,
        scope: contract.name,
        message: `Variables (${total - room} slots) and gap (${room}) add up to ${total} slots; in other contracts, they add up to ${custom.total}.`,
        trace: exampleOf(custom),
      })
    }
    const withGap = new Set(gaps.map(({ contract }) => contract))
    for (const contract of bases) {
      // a contract that only declares state is extended by the next such contract
      if (withGap.has(contract) || contract.functions.length === 0) continue
      report({
        file: contract.source.file,
        span: contract.node.nameSpan,
        scope: contract.name,
        ...(model === undefined
          ? { severity: "informational" as const, message: `\`${contract.name}\` reserves no slots.` }
          : {
              message: `\`${contract.name}\` reserves no slots, but \`${model.contract.name}\` does.`,
              trace: exampleOf(model),
            }),
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  uint256[49] private __gap;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
abstract contract Limited is Owned { // FINDING
  uint256 public limit;
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}
contract Vault is Limited {
  mapping(address => uint256) public deposits;
  function initialize(address first) external initializer { __Owned_init(first); }
  function put() external payable { require(msg.value < limit); deposits[msg.sender] += msg.value; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract One is Initializable {
  uint256 private constant TAKEN = 1;
  address internal keeper;
  bytes32[50 - TAKEN] private reserve;
}
abstract contract Two is Initializable {
  mapping(address => bool) internal members;
  string internal title;
  uint256[48] private reserve;
}
abstract contract Three is Initializable {
  struct Terms { uint128 rate; uint128 cap; address payee; }
  Terms internal terms;
  uint256[48] private reserve;
}
abstract contract Four is Initializable {
  bool internal open;
  address internal next;
  uint256 internal count;
  uint256[49] private reserve; // FINDING
}
contract Club is One, Two, Three, Four {
  uint256 public joined;
  function start(address first) external initializer { keeper = first; open = true; title = "Club"; }
  function join() external {
    require(open && msg.sender != next && count < terms.cap);
    members[msg.sender] = true;
    joined += 1;
    count += 1;
    next = keeper;
  }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable { // FINDING
  address public owner;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
contract Vault is Owned {
  uint256 public limit;
  uint256[3] private last;
  function initialize(address first) external initializer { __Owned_init(first); last[0] = 1; }
  function add() external { limit += last[0]; }
}`,
      // A package of bases, which others deploy.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable { // FINDING
  address public owner;
  function isOwner(address who) public view returns (bool) { return who == owner; }
}
abstract contract Paused is Owned {
  bool public paused;
  function initialize(address first) external initializer { owner = first; paused = true; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  uint256[49] private __gap;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
abstract contract Spaced is Owned {
  bytes32 private constant PLACE = keccak256("spaced");
  uint256 internal immutable width = 3;
  struct Main { uint256 total; }
  function main() internal pure returns (Main storage $) { bytes32 at = PLACE; assembly { $.slot := at } }
}
abstract contract Slots is Owned {
  uint256 internal deposits;
}
abstract contract MoreSlots is Slots {
  uint256 internal withdrawals;
}
contract Vault is Spaced, MoreSlots {
  uint256 public limit;
  function initialize(address first) external initializer { __Owned_init(first); limit = width; }
  function put() external payable { main().total += msg.value; deposits += 1; withdrawals += 1; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  uint256[49] private __gap;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
contract Vault is Owned {
  uint256 public limit;
  function initialize(address first) external initializer { __Owned_init(first); limit = 1; }
}
abstract contract Counted {
  uint256 public count;
  function add() external { count += 1; }
}
contract Plain is Counted {
  uint256 public other;
  function more() external { other += 1; }
}`,
      // Two of five differ, so that there is no custom.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract One is Initializable { uint256 internal one; uint256[49] private __gap; }
abstract contract Two is Initializable { uint256 internal two; uint256[49] private __gap; }
abstract contract Three is Initializable { uint256 internal three; uint256[49] private __gap; }
abstract contract Four is Initializable { uint256 internal four; uint256[50] private __gap; }
abstract contract Five is Initializable { uint256 internal five; uint256[29] private __gap; }
contract All is One, Two, Three, Four, Five {
  uint256 public sum;
  function initialize(uint256 first) external initializer { one = first; two = 2; three = 3; four = 4; five = 5; }
  function add() external { sum += one + two + three + four + five; }
}`,
    ],
  },
}

/** Whether it has ordinary state that is followed by that of contracts made for a proxy. */
const isBaseBehindProxy = (program: Program, contract: ContractModel): boolean =>
  ownLayoutOf(program, contract).length > 0 &&
  contract.derived.some((heir) => ownLayoutOf(program, heir).length > 0) &&
  contract.derived.some((heir) => initializersOf(program, heir).length > 0)

/** The gap size that all contracts but a few agree on: three of four. */
const customaryTotal = (gaps: ReadonlyArray<Gap>): Gap | undefined => {
  const byTotal = new Map<number, Array<Gap>>()
  for (const gap of gaps) {
    const same = byTotal.get(gap.total)
    if (same === undefined) byTotal.set(gap.total, [gap])
    else same.push(gap)
  }
  return [...byTotal.values()].find((same) => same.length * 4 >= gaps.length * 3)?.[0]
}

const exampleOf = ({ contract, variable: { node } }: Gap) =>
  node === undefined
    ? []
    : [{ file: contract.source.file, span: node.nameSpan, note: `the gap of \`${contract.name}\`` }]
