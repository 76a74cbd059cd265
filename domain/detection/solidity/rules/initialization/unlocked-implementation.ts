import type { Rule } from "../../../Rule.ts"
import { accessOf, onceFlags } from "../../access/entries/entries.ts"
import { demandsAt } from "../../demands/demands.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { decidesWho } from "../../questions/authority/authorities.ts"
import { isBehindProxy } from "../../questions/authority/implementations.ts"
import { initialized } from "../../questions/deployment/initialized.ts"
import { hasInitializerModifier, initializersOf } from "../../questions/deployment/initializer.ts"

export const unlockedImplementation: Rule<Program> = {
  meta: {
    id: "evm/initialization/unlocked-implementation",
    class: "unprotected-initializer",
    title: "Unprotected implementation initializer",
    // since EIP-6780, the implementation can no longer be destroyed this way on most chains
    severity: "medium",
    confidence: "medium",
    cwe: [665, 284],
    swc: 118,
    description:
      "The contract is written for a proxy: an `initializer` function replaces the constructor. It sets up the " +
      "state of the proxy, but the implementation contract itself remains uninitialized, and anyone can " +
      "initialize it and become its owner. Everything that the owner can do there (delegate calls, upgrades, " +
      "signatures, callbacks) then happens in the name of an address that users and explorers attribute to the " +
      "project. If it can delegatecall, it can be destroyed on chains that still allow it, and all proxies with " +
      "it.",
    remediation: "Lock it at deployment: `constructor() { _disableInitializers(); }`.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializing_the_implementation_contract",
      "https://forum.openzeppelin.com/t/uupsupgradeable-vulnerability-post-mortem/15680",
    ],
  },
  check: (program, report) => {
    for (const contract of program.contracts) {
      if (!contract.deployable || isLocked(program, contract)) continue
      for (const fn of initializersOf(program, contract)) {
        // `onlyProxy`, `onlyFactory`: not open to anyone
        const flow = program.flow(fn)
        if (demandsAt(flow, flow.exit).standing === "guarded" || runsInProxyOnly(flow)) continue
        report({
          file: fn.source.file,
          span: fn.node.nameSpan,
          scope: fn.scope,
          ...weighed(program, contract),
          trace: [
            { file: fn.source.file, span: fn.node.nameSpan, note: "anyone can call this on the implementation" },
            ...notLocking(contract),
          ],
        })
        break
      }
      const own = openWithoutModifier(program, contract)
      if (own !== undefined)
        report({
          file: own.fn.source.file,
          span: own.fn.node.nameSpan,
          scope: own.fn.scope,
          ...weighed(program, contract, `In the implementation, ${own.flag.name} is not set.`),
          trace: [
            {
              file: own.fn.source.file,
              span: own.fn.node.nameSpan,
              note: "anyone can call this on the implementation",
            },
            ...notLocking(contract),
          ],
        })
    }
  },
  examples: {
    vulnerable: [
      // What older compilers call it.
      `pragma solidity ^0.4.24;
import "openzeppelin-eth/Initializable.sol";
contract Vault is Initializable {
  address owner;
  function initialize(address to) public initializer { // FINDING
    owner = to;
  }
  function close() public { require(msg.sender == owner); suicide(owner); }
}
contract Runner is Initializable {
  address owner;
  function initialize(address to) public initializer { // FINDING
    owner = to;
  }
  function run(address code, bytes data) public { require(msg.sender == owner); require(code.callcode(data)); }
}`,
      // Setting up a part of it asks nobody, whatever the part is called.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/governance/GovernorUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Council is GovernorUpgradeable, UUPSUpgradeable {
  uint256 public cap;
  function initialize(uint256 to) public initializer { // FINDING
    __Governor_init("Council");
    cap = to;
  }
  function _authorizeUpgrade(address) internal override onlyGovernance {}
}`,
      // What whoever takes over the implementation can make of it.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Harmless is Initializable {
  address public owner;
  uint256 public fee;
  function initialize(address first) external initializer { owner = first; } // FINDING
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
}
contract Runs is Initializable {
  address public owner;
  function initialize(address first) external initializer { owner = first; } // FINDING
  function run(address module, bytes calldata data) external {
    require(msg.sender == owner);
    (bool ok, ) = module.delegatecall(data);
    require(ok && module.code.length > 0);
  }
}
contract Upgrades is Initializable, UUPSUpgradeable {
  address public owner;
  function initialize(address first) external initializer { owner = first; } // FINDING
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}
contract Vanishes is Initializable {
  address payable public owner;
  function initialize(address payable first) external initializer { owner = first; } // FINDING
  function close() external { require(msg.sender == owner); selfdestruct(owner); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is UUPSUpgradeable, OwnableUpgradeable {
  function initialize() external initializer { // FINDING
    __Ownable_init(msg.sender);
    __UUPSUpgradeable_init();
  }
  function _authorizeUpgrade(address) internal override onlyOwner {}
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Registry is Initializable {
  address public owner;
  uint256 public fee;
  function setUp(address first) public initializer { owner = first; } // FINDING
  function setFee(uint256 next) external { require(msg.sender == owner); fee = next; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Base is Initializable {
  address immutable token;
  address owner;
  constructor(address t) { require(t != address(0)); token = t; }
}
contract Vault is Base {
  uint256 immutable cut;
  constructor(address t, uint256 c) Base(t) { cut = c; }
  function initialize(address first) external initializer { owner = first; } // FINDING
}`,
      `pragma solidity ^0.8.20;
contract Logic {
  bytes32 private constant SLOT = keccak256("logic");
  bool private ready;
  address private owner;
  function begin(address first) external { // FINDING
    require(!ready);
    ready = true;
    owner = first;
  }
  function pointTo(address to) external {
    require(msg.sender == owner);
    bytes32 slot = SLOT;
    assembly { sstore(slot, to) }
  }
  function proxiableUUID() external pure returns (bytes32) { return SLOT; }
}`,
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Wallet {
  struct Settings { address owner; uint64 since; }
  Settings private settings;
  uint256 public limit;
  function setUp(address first) external { // FINDING
    if (settings.owner != address(0)) revert();
    settings = Settings(first, uint64(block.timestamp));
  }
  function setLimit(uint256 to) external { require(settings.owner == msg.sender); limit = to; }
}
contract Wallets {
  Wallet private immutable code = new Wallet();
  function make() external returns (Wallet made) {
    made = Wallet(Clones.clone(address(code)));
    made.setUp(msg.sender);
  }
}`,
      // Nowhere but in the implementation, which is not what is meant.
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Shop is UUPSUpgradeable {
  address immutable self = address(this);
  address owner;
  modifier notDelegated() { require(address(this) == self); _; }
  function initialize(address first) external notDelegated initializer { owner = first; } // FINDING
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Wallet {
  address private owner;
  uint256 public limit;
  constructor() { owner = address(1); }
  function setUp(address first) external {
    if (owner != address(0)) revert();
    owner = first;
  }
  function setLimit(uint256 to) external { require(owner == msg.sender); limit = to; }
}
contract Plain {
  address private owner;
  uint256 public limit;
  function setUp(address first) external { require(owner == address(0)); owner = first; }
  function setLimit(uint256 to) external { require(owner == msg.sender); limit = to; }
}
contract Wallets {
  Wallet private immutable code = new Wallet();
  Plain public plain = new Plain();
  function make() external returns (Wallet made) {
    made = Wallet(Clones.clone(address(code)));
    made.setUp(msg.sender);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Ownable_init(msg.sender); }
}
contract Second is OwnableUpgradeable {
  constructor() initializer {}
  function initialize() external initializer { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Registry is Initializable {
  address public owner;
  constructor() { _disableInitializers(); }
  function setUp(address first) public virtual initializer { owner = first; }
}
contract Second is Registry {
  uint256 public fee;
  function setUp(address first) public override initializer { owner = first; fee = 3; }
}`,
      // The implementation itself refuses.
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Desk is UUPSUpgradeable {
  address owner;
  function initialize(address first) external onlyProxy initializer { owner = first; }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}
contract Shop is UUPSUpgradeable {
  address immutable self = address(this);
  address owner;
  modifier onlyDelegated() { require(address(this) != self); _; }
  function initialize(address first) external onlyDelegated initializer { owner = first; }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}`,
    ],
  },
}

/** Whoever takes over code that can neither run foreign code nor vanish does no harm to its proxies. */
const weighed = (program: Program, contract: ContractModel, message?: string) => {
  if (runsForeignCode(program, contract)) return message === undefined ? {} : { message }
  const harmless = "The implementation can neither delegatecall nor selfdestruct, so its proxies are not affected."
  return { severity: "low" as const, message: message === undefined ? harmless : `${message} ${harmless}` }
}

/** `onlyProxy`, `address(this) != self`: the implementation itself refuses. */
const runsInProxyOnly = (flow: Flow): boolean =>
  flow.fn.node.modifiers.some(({ path }) => path.at(-1) === "onlyProxy") ||
  flow
    .facts(flow.exit)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        fact.operator === "!=" &&
        fact.right !== undefined &&
        (fact.left.sources | fact.right.sources) === (Source.self | Source.immutable),
    )

const runsForeignCode = (program: Program, contract: ContractModel): boolean =>
  contract.linearization.some(({ missingBases }) =>
    missingBases.some((name) => /UUPS|1967|Multicall|Upgrade(?!able$)/.test(name)),
  ) ||
  program.functionsOf(contract).some((fn) => {
    const flow = program.flowIfBuilt(fn)
    return (
      flow !== undefined &&
      (flow.externalCalls.some(({ event }) => event.callKind === "delegatecall" || event.callKind === "callcode") ||
        flow.calls().some(({ name }) => name === "selfdestruct" || name === "suicide"))
    )
  })

const notLocking = (contract: ContractModel) =>
  constructorsOf(contract).map((constructor) => ({
    file: constructor.source.file,
    span: constructor.node.nameSpan,
    note: "this constructor does not lock it",
  }))

/**
 * For a contract behind a proxy, a function that sets up a trusted account once, by a flag that no constructor sets.
 */
const openWithoutModifier = (
  program: Program,
  contract: ContractModel,
): { readonly fn: FunctionModel; readonly flag: StateVariable } | undefined => {
  if (!isBehindProxy(program, contract)) return undefined
  const access = accessOf(program)
  for (const fn of program.functionsOf(contract)) {
    const entry = access.entryOf.get(fn)
    if (entry === undefined) continue
    const [flag, ...others] = onceFlags(access, entry)
    if (flag === undefined || [flag, ...others].some((variable) => initialized(program, variable))) continue
    if (entry.open.some(({ variable }) => variable !== undefined && decidesWho(program, variable))) return { fn, flag }
  }
  return undefined
}

const constructorsOf = ({ linearization }: ContractModel): ReadonlyArray<FunctionModel> =>
  linearization.flatMap(({ functions }) => functions.filter(({ role }) => role === "constructor"))

/** Whether a constructor of the contract or a base runs the initializer's modifier, or disables initializers. */
const isLocked = (program: Program, contract: ContractModel): boolean =>
  contract.linearization.some((base) =>
    base.functions.some((fn) => {
      if (fn.role !== "constructor") return false
      if (hasInitializerModifier(fn)) return true
      for (const { name } of program.flow(fn).calls()) if (name === "_disableInitializers") return true
      return false
    }),
  )
