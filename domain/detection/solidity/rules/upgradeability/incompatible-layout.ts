import type { Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeAt, placeOf } from "../../questions/authority/attackerControl.ts"
import { successions } from "../../questions/deployment/successions.ts"
import { isReserved } from "../../questions/storage/gaps.ts"
import { bareName } from "../../questions/storage/layout.ts"
import { type SharedSlot, sharedSlots, usersOf } from "../../questions/storage/namespaces.ts"
import { keepsMembers } from "../../questions/storage/typeChange.ts"
import { changedPlace } from "../../questions/storage/layoutChange.ts"

export const incompatibleLayout: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/incompatible-layout",
    class: "storage-collision",
    title: "Upgrade changes the storage layout",
    severity: "high",
    // that one contract replaces the other is often inferred from their names
    confidence: "medium",
    cwe: [119, 787],
    swc: 124,
    description:
      "The contract replaces an earlier version behind a proxy and reads the state that the earlier version left, " +
      "by position. This variable occupies a place where the earlier version kept a different one, because a " +
      "variable was inserted, removed, moved or given another type, or because a base contract was added before the " +
      "others. After the upgrade, the contract reads an old balance as an owner, or a flag as a limit, and " +
      "overwrites what was there.",
    remediation:
      "Keep all variables of the earlier version in order and with their types, ideally by inheriting from it or " +
      "from a common storage contract, and add new ones only after them or in a storage gap. Check each upgrade " +
      "with OpenZeppelin's upgrades plugin or `forge inspect storageLayout`.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#modifying-your-contracts",
      "https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html",
    ],
  },
  check: (program, report) => {
    for (const { before, after, upgrade } of successions(program)) {
      const change = changedPlace(program, before, after, (placed) => isReserved(program, placed))
      if (change === undefined) {
        const shared = changedNamespace(program, before, after)
        if (shared !== undefined)
          report({
            file: shared.other.struct.source.file,
            span: shared.other.struct.node.nameSpan,
            scope: after.name,
            message: `\`${shared.other.struct.name}\` occupies the slot where \`${before.name}\` has \`${shared.one.struct.name}\`, whose members differ.`,
            trace: [shared.one, shared.other].map(({ at, expression, struct }) => ({
              ...placeAt(at, expression),
              note: `the slot of \`${struct.name}\``,
            })),
          })
        continue
      }
      const former = change.before.variable
      const later = change.after.variable
      const moved = `\`${later.name}\` is not where it is in \`${before.name}\`.`
      const retyped = `\`${later.name}\` has a different type than in \`${before.name}\`.`
      const replaced = `\`${later.name}\` occupies the place of \`${former.name}\` in \`${before.name}\`.`
      report({
        ...(declarationOf(later) ?? { file: after.source.file, span: after.node.nameSpan }),
        scope: after.name,
        message: change.isMoved ? moved : bareName(former) === bareName(later) ? retyped : replaced,
        trace: [
          ...(upgrade === undefined
            ? []
            : [{ ...placeOf(upgrade), note: `\`${after.name}\` replaces \`${before.name}\`` }]),
          ...[former, later].flatMap((variable) => {
            const declared = declarationOf(variable)
            const note = variable === former ? `stored by \`${before.name}\`` : `read by \`${after.name}\` in its place`
            return declared === undefined ? [] : [{ ...declared, note }]
          }),
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract VaultV1 is Initializable {
  address public owner;
  uint256 public total;
  mapping(address => uint256) public shares;
  function initialize(address first) external initializer { owner = first; }
}
contract VaultV2 is Initializable {
  address public owner;
  uint256 public fee; // FINDING
  uint256 public total;
  mapping(address => uint256) public shares;
  function initialize(address first) external initializer { owner = first; }
}`,
      `pragma solidity ^0.8.20;
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Registry is OwnableUpgradeable {
  mapping(bytes32 => address) internal entries;
  uint128 internal opened;
  uint64 internal closed;
  function initialize() external initializer { __Ownable_init(msg.sender); }
}
contract RegistryV2 is OwnableUpgradeable {
  mapping(bytes32 => address) internal entries;
  uint64 internal opened; // FINDING
  uint64 internal closed;
  function initialize() external initializer { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Stopped { bool internal stopped; // FINDING
}
contract Farm_V2 is Initializable {
  struct Pool { address token; uint256 rate; }
  Pool[] internal pools;
  uint256 internal rate;
  function setUp(uint256 first) external initializer { rate = first; }
}
contract Farm_V3 is Initializable, Stopped {
  struct Pool { address token; uint256 rate; }
  Pool[] internal pools;
  uint256 internal rate;
  function setUp(uint256 first) external initializer { rate = first; }
}`,
      // A gap that is not shrunk by what is added; members, kinds and states in another order.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Base is Initializable { address keeper; uint256[49] private __gap; }
abstract contract LaterBase is Initializable { address keeper; uint256 cap; uint256[49] private __gap; }
contract Stake is Base {
  uint256 internal total;
  function start(address k) external initializer { keeper = k; }
}
contract StakeV2 is LaterBase {
  uint256 internal total; // FINDING
  function start(address k) external initializer { keeper = k; cap = 3; }
}
contract Club is Initializable {
  struct Member { uint256 since; uint256 paid; }
  mapping(address => Member) internal members;
  function start() external initializer {}
}
contract ClubV2 is Initializable {
  struct Member { uint256 paid; uint256 since; }
  mapping(address => Member) internal members; // FINDING
  function start() external initializer {}
}
contract Sale is Initializable {
  enum Phase { Idle, Open, Closed }
  Phase internal phase;
  mapping(Phase => uint256[2]) internal sold;
  function start() external initializer {}
}
contract SaleV2 is Initializable {
  enum Phase { Idle, Paused, Open, Closed }
  Phase internal phase; // FINDING
  mapping(Phase => uint256[2]) internal sold;
  function start() external initializer {}
}
contract Mint is Initializable {
  mapping(uint8 => uint256[2]) internal sold;
  function start() external initializer {}
}
contract MintV2 is Initializable {
  mapping(uint8 => uint256[]) internal sold; // FINDING
  function start() external initializer {}
}
contract Pack is Initializable {
  uint64 internal first;
  uint64 internal second;
  function start() external initializer {}
}
contract PackV2 is Initializable {
  uint64 internal first;
  uint256[0x30] private __gap;
  uint64 internal second; // FINDING
  function start() external initializer {}
}`,
      // What is deployed, upgraded or noted tells which contract replaces which.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {Upgrades} from "openzeppelin-foundry-upgrades/Upgrades.sol";
interface IUpgradeable { function upgradeToAndCall(address to, bytes calldata data) external; }
contract Lender is Initializable { address owner; uint256 lent; mapping(address => uint256) debt; }
contract CreditDesk is Initializable {
  address owner;
  mapping(address => uint256) debt; // FINDING
  uint256 lent;
}
contract Wallet is Initializable { address owner; uint96 limit; }
contract Account is Initializable {
  uint96 limit; // FINDING
  address owner;
}
contract Ledger is Initializable { address admin; uint256 supply; }
contract Registry is Initializable {
  uint256 supply; // FINDING
  address admin;
}
contract Till is Initializable { address clerk; uint256 sum; }
contract Market is Initializable {
  uint256 sum; // FINDING
  address clerk;
}
/// @custom:oz-upgrades-from src/Coin.sol:Till
contract Drawer is Initializable {
  bool open; // FINDING
  address clerk;
  uint256 sum;
}
contract Setup {
  address immutable first = address(new Wallet());
  UpgradeableBeacon beacon;
  function lend() external {
    ERC1967Proxy proxy = new ERC1967Proxy(address(new Lender()), "");
    Lender lender = Lender(address(proxy));
    IUpgradeable(address(lender)).upgradeToAndCall(address(new CreditDesk()), "");
  }
  function open() external { beacon = new UpgradeableBeacon(first); }
  function change() external { beacon.upgradeTo(address(new Account())); }
  function plug() external {
    address proxy = Upgrades.deployUUPSProxy("Ledger.sol", "");
    Upgrades.upgradeProxy(proxy, "src/Registry.sol:Registry", "");
  }
  function trade(address proxy) external { Till(proxy).upgradeTo(address(new Market())); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract BoxV1 is Initializable {
  struct Main { address owner; uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("box"); assembly { $.slot := at } }
  function start(address first) external initializer { main().owner = first; }
}
contract BoxV2 is Initializable {
  struct Main { uint256 total; address owner; } // FINDING
  bytes32 private constant PLACE = keccak256(abi.encodePacked("box"));
  function main() private pure returns (Main storage $) { assembly { $.slot := PLACE } }
  function start(address first) external initializer { main().owner = first; }
}
contract TrunkV2 is Initializable {
  struct Main { uint256 total; address owner; } // FINDING
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("trunk"); assembly { $.slot := at } }
  function start(address first) external initializer { main().owner = first; }
}
contract TrunkV1 is Initializable {
  struct Main { address owner; uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("trunk"); assembly { $.slot := at } }
  function start(address first) external initializer { main().owner = first; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IToken { function f() external; }
contract VaultV1 is Initializable {
  address public owner;
  address internal token;
  uint256 public total;
  uint256[40] private __gap;
  function initialize(address first) external initializer { owner = first; }
}
contract VaultV2 is Initializable {
  uint256 public constant MOST = 3;
  address public governor;
  IToken internal _token;
  uint256 public total;
  uint256 public fee;
  uint256[39] private __gap;
  function initialize(address first) external initializer { governor = first; }
}
contract VaultV3 is VaultV2 {
  uint256 public more;
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract RouterV2 is Initializable {
  address internal factory;
  uint256 internal fee;
  uint256 internal count;
  function initialize(address first) external initializer { factory = first; }
}
contract RouterV3 is Initializable {
  mapping(address => bool) internal pools;
  address internal factory;
  function initialize(address first) external initializer { factory = first; }
}
contract PlainV1 { uint256 internal a; address internal b; }
contract PlainV2 { address internal b; uint256 internal a; }`,
      // A gap shrunk by what is added, structs that grow where nothing follows, states appended.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
abstract contract Base is Initializable { address keeper; uint256[49] private __gap; }
abstract contract LaterBase is Initializable { address keeper; uint256 cap; uint256[48] private __gap; }
contract Stake is Base {
  enum Phase { Idle, Open }
  struct Member { uint256 since; uint256 paid; }
  uint256 internal total;
  mapping(address => Member) internal members;
  Phase internal phase;
  uint256[2] internal counts;
  function start(address k) external initializer { keeper = k; }
}
contract StakeV2 is LaterBase {
  enum Phase { Idle, Open, Closed }
  struct Member { uint256 start; uint256 paid; uint256 last; }
  uint256 internal total;
  mapping(address => Member) internal members;
  Phase internal phase;
  uint256[3] internal counts;
  function start(address k) external initializer { keeper = k; cap = 3; }
}
contract Box is Initializable {
  struct Main { address owner; uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("box"); assembly { $.slot := at } }
  function start(address first) external initializer { main().owner = first; }
}
contract BoxV2 is Initializable {
  struct Main { address keeper; uint256 total; bool open; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("box"); assembly { $.slot := at } }
  function start(address first) external initializer { main().keeper = first; }
}
contract Chest is Initializable {
  struct Main { bool open; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("box"); assembly { $.slot := at } }
  function start() external initializer { main().open = true; }
}
// Two proxies, of which each keeps its code.
contract Setup {
  function deploy() external returns (ERC1967Proxy one, ERC1967Proxy other) {
    one = new ERC1967Proxy(address(new Stake()), "");
    other = new ERC1967Proxy(address(new Box()), "");
    Stake(address(one)).upgradeTo(address(new StakeV2()));
  }
}`,
    ],
  },
}

/** A struct at a slot of its own that the later contract declares otherwise. */
const changedNamespace = (program: Program, before: ContractModel, after: ContractModel): SharedSlot | undefined => {
  for (const { one, other } of sharedSlots(program)) {
    const [former, later] = usersOf(program, one).has(before) ? [one, other] : [other, one]
    if (!usersOf(program, former).has(before) || !usersOf(program, later).has(after)) continue
    if (!keepsMembers(former.struct, later.struct, true)) return { one: former, other: later }
  }
  return undefined
}

const declarationOf = ({ source, node }: StateVariable) =>
  source === undefined || node === undefined ? undefined : { file: source.file, span: node.nameSpan }
