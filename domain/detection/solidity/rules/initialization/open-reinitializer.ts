import type { Rule } from "../../../Rule.ts"
import { type Access, accessOf } from "../../access/entries/entries.ts"
import type { Deed } from "../../access/entries/deeds.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { decidesWho } from "../../questions/authority/authorities.ts"
import type * as S from "../../syntax.ts"

export const openReinitializer: Rule<Program> = {
  meta: {
    id: "evm/initialization/open-reinitializer",
    class: "unprotected-initializer",
    title: "Unprotected reinitializer",
    // an upgrade that calls it in the same transaction, which sources rarely show, leaves no time for an attack
    severity: "low",
    confidence: "low",
    cwe: [665, 284],
    swc: 118,
    description:
      "A `reinitializer` runs once after an upgrade. This one accepts any caller and lets the caller choose an " +
      "account that the contract trusts, or a value that only its owner may set otherwise. If the upgrade and the call are separate transactions, or if a new " +
      "deployment calls only the first initializer, an attacker calls it first and takes over a contract that " +
      "already holds its users' assets.",
    remediation:
      "Restrict the function to the owner or administrator (`reinitializer(2) onlyOwner`), and run it with " +
      "`upgradeToAndCall`. For new deployments, fold the parts of all versions into the first initializer.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/proxy#Initializable-reinitializer-uint64-",
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
    ],
  },
  check: (program, report) => {
    const access = accessOf(program)
    for (const entry of access.entries) {
      const { fn } = entry
      if (entry.test || !fn.node.modifiers.some(({ path }) => path.at(-1) === "reinitializer")) continue
      const deed = entry.open.find((one) => trustsCaller(program, access, one))
      if (deed === undefined) continue
      const { event, via } = deed.reached
      report({
        file: fn.source.file,
        span: fn.node.nameSpan,
        scope: fn.scope,
        message: `The caller chooses ${event.kind === "call" ? "the arguments of " : ""}\`${event.kind === "call" ? event.name : deed.variable!.name}\`.`,
        trace: [
          { file: fn.source.file, span: fn.node.nameSpan, note: "anyone can be the first to call this" },
          ...callSteps(via),
          { ...placeOf(event), note: "an account named by the caller, or the caller itself" },
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Vault is Initializable {
  address public owner;
  address public guardian;
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(address first) external initializer { owner = first; }
  function initializeV2(address second) external reinitializer(2) { guardian = second; } // FINDING
  function setCap(uint256 to) external { require(msg.sender == owner); cap = to; }
  function stop() external { require(msg.sender == guardian); cap = 0; }
}`,
      `pragma solidity ^0.8.20;
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
contract Bridge is AccessControlUpgradeable {
  bytes32 public constant RELAYER = keccak256("RELAYER");
  uint256 public sent;
  constructor() { _disableInitializers(); }
  function setUp(address first) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, first); }
  function migrate(address relayer) public reinitializer(3) { // FINDING
    sent = 0;
    _grantRole(RELAYER, relayer);
  }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Farm is Initializable {
  struct Roles { address keeper; bool set; }
  Roles internal roles;
  uint256 public rate;
  function start() external initializer { rate = 1; }
  function upgraded() external reinitializer(2) { _setRoles(); } // FINDING
  function _setRoles() private { roles = Roles(msg.sender, true); }
  function setRate(uint256 to) external { require(msg.sender == roles.keeper); rate = to; }
}`,
      // A contract that is called and an account that is paid are trusted, too.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IFeed { function read() external returns (uint256); }
contract Desk is Initializable {
  IFeed feed;
  address receiver;
  uint256 public last;
  function setFeed(IFeed to) external reinitializer(2) { // FINDING
    feed = to;
  }
  function setReceiver(address to) external reinitializer(3) { // FINDING
    receiver = to;
  }
  function update() external payable { last = feed.read(); payable(receiver).transfer(msg.value); }
}`,
      // The owner alone may set the rate otherwise.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Desk is Initializable {
  struct Terms { uint256 rate; uint256 cap; }
  address public owner;
  Terms internal terms;
  constructor() { _disableInitializers(); }
  function start(address first) external initializer { owner = first; }
  function setRateFirst(uint256 to) external reinitializer(2) { terms.rate = to; } // FINDING
  function setCapFirst(uint256 to) external reinitializer(3) { terms.cap = to; }
  function fixRate() external reinitializer(4) { terms.rate = 5; }
  function setRate(uint256 to) external { require(msg.sender == owner); terms.rate = to; }
  function raise() external { require(msg.sender == owner); terms.cap = 7; }
  function put() external payable { require(msg.value < terms.cap); payable(owner).transfer(msg.value * terms.rate / 1e4); }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Vault is Initializable {
  address public owner;
  address public guardian;
  uint256 public cap;
  constructor() { _disableInitializers(); }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function initialize(address first) external initializer { owner = first; }
  function initializeV2(address second) external onlyOwner reinitializer(2) { guardian = second; }
  function initializeV3() external reinitializer(3) { cap = 5; guardian = owner; }
  function initializeV4(address third) external reinitializer(4) { require(msg.sender == guardian); owner = third; }
  function initializeV5(uint256 most) external reinitializer(5) { cap = most; }
  function stop() external { require(msg.sender == guardian); cap = 0; }
}`,
      `pragma solidity ^0.8.20;
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
contract Bridge is AccessControlUpgradeable {
  address private constant RELAYER = address(77);
  constructor() { _disableInitializers(); }
  function setUp(address first) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, first); }
  function migrate() public reinitializer(3) { _grantRole("relayer", RELAYER); }
  function migrateAgain(address relayer) public reinitializer(4) onlyRole(DEFAULT_ADMIN_ROLE) { _grantRole("relayer", relayer); }
}`,
      // What the caller names is trusted by nobody, or is not an account.
      `pragma solidity ^0.8.20;
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
contract Coin is ERC20Upgradeable {
  address public note;
  function setUp(string calldata name) external reinitializer(2) { __ERC20_init(name, "C"); }
  function setNote(address to) external reinitializer(3) { note = to; }
  function tell(address to) external reinitializer(4) { _tell(to); }
}
contract Counted {
  uint64 version;
  modifier reinitializer(uint64 to) { require(version < to); version = to; _; }
  function upgrade(uint64 to) external reinitializer(to) {}
}`,
    ],
  },
}

/**
 * Whether an account that the contract trusts is set to one that the caller names, or to the caller, or a variable to
 * what only its setter may choose otherwise.
 */
const trustsCaller = (program: Program, access: Access, deed: Deed): boolean => {
  const { variable, value, reached } = deed
  const { event } = reached
  if (!has(value, Source.parameter | Source.calldata | Source.sender)) return false
  if (event.kind === "call") return granting.test(event.name) && event.args.some((arg) => isAddress(program, arg))
  if (variable === undefined) return false
  if (isSetBehindCheck(access, deed)) return true
  const { kind } = variable.type
  return ((kind === "address" || kind === "contract") && access.used.has(variable)) || decidesWho(program, variable)
}

const isSetBehindCheck = (access: Access, { variable }: Deed): boolean =>
  access.entries.some(
    ({ test, deeds }) =>
      !test &&
      deeds.some(
        (other) =>
          other.variable === variable &&
          other.demands.standing === "guarded" &&
          only(other.value, Source.parameter | Source.calldata),
      ),
  )

/** The functions that set roles and owners in bases without source. */
const granting = /^(?:__\w+_init(?:_unchained)?|_?(?:grantRole|setupRole|transferOwnership|setOwner|initializeOwner))$/

const isAddress = (program: Program, e: Expr): boolean =>
  // not Yul, which has no functions by these names
  program.typeOf(e as S.Expression).kind === "address"
