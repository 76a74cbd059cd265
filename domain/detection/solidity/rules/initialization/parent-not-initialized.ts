import type { Rule } from "../../../Rule.ts"
import { toggles } from "../../demands/toggles.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { hasInitializerModifier, isInitializerPart } from "../../questions/deployment/initializer.ts"

export const parentNotInitialized: Rule<Program> = {
  meta: {
    id: "evm/initialization/parent-not-initialized",
    class: "uninitialized-parent",
    title: "Parent contract is not initialized",
    severity: "medium",
    confidence: "medium",
    cwe: [665, 909],
    swc: 118,
    description:
      "Constructors do not run behind a proxy: the state that a parent contract needs is set up by its " +
      "`__Parent_init` function, which every derived contract must call. The initializers of this contract " +
      "never do, so the parent works with zeros: there is no owner, the token has no name, signatures are " +
      "checked against an empty domain, or limits are not set.",
    remediation: "Call the initializer of each parent once (`__Ownable_init(owner)`) in the `initializer` function.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
      "https://docs.openzeppelin.com/contracts/5.x/upgradeable",
    ],
  },
  check: (program, report) => {
    for (const contract of program.contracts) {
      if (!contract.deployable) continue
      const initializers = program
        .functionsOf(contract)
        .filter((fn) => program.graph.isEntryPoint(fn) && hasInitializerModifier(fn))
      // if a base of the contract has the initializer, that base is responsible for its parents
      const own = initializers.find((fn) => fn.contract === contract)
      if (own === undefined) continue
      const called = calledFrom(program, initializers)
      for (const parent of contract.linearization.slice(1)) {
        const parts = parent.functions.filter(isInitializerPart)
        if (parts.some((part) => called.functions.has(part) || called.names.has(part.name))) continue
        const needed = parts.find((part) => setsUp(program, program.flow(part)))
        if (needed === undefined || isSetElsewhere(program, program.flow(needed), called.functions)) continue
        report({
          file: own.source.file,
          span: own.node.nameSpan,
          scope: own.scope,
          message: `\`${needed.name}\` is not called.`,
          trace: [
            { file: own.source.file, span: own.node.nameSpan, note: "the initializer" },
            { file: needed.source.file, span: needed.node.nameSpan, note: "initializes the parent" },
          ],
        })
      }
      const missing = missingParent(contract, called)
      if (missing !== undefined)
        report({
          file: own.source.file,
          span: own.node.nameSpan,
          scope: own.scope,
          message: `\`${missing}\` is not called.`,
          trace: [{ file: own.source.file, span: own.node.nameSpan, note: "the initializer" }],
        })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
contract Vault is Owned {
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(uint256 most) external initializer { cap = most; } // FINDING
  function setCap(uint256 most) external { require(msg.sender == owner); cap = most; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
contract Coin is OwnableUpgradeable, ERC20Upgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __ERC20_init("Coin", "C"); } // FINDING
  function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Limits is Initializable {
  uint256 most;
  function __Limits_init(uint256 first) internal onlyInitializing { __Limits_init_unchained(first); }
  function __Limits_init_unchained(uint256 first) internal onlyInitializing { most = first; }
}
abstract contract Domain is Initializable {
  bytes32 separator;
  function __Domain_init(string memory name) internal onlyInitializing { separator = keccak256(abi.encode(name, block.chainid)); }
}
contract Bridge is Limits, Domain {
  mapping(address => uint256) sent;
  constructor() { _disableInitializers(); }
  function initialize(uint256 first) external initializer { _setUp(first); } // FINDING
  function _setUp(uint256 first) private { __Limits_init_unchained(first); }
  function send(uint256 amount) external { require(amount < most); sent[msg.sender] += amount; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/governance/GovernorUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/governance/extensions/GovernorSettingsUpgradeable.sol";
contract Council is GovernorUpgradeable, GovernorSettingsUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __GovernorSettings_init(1, 50400, 0); } // FINDING
}
contract Assembly is GovernorUpgradeable, GovernorSettingsUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Governor_init("Assembly"); } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/governance/GovernorUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/governance/extensions/GovernorSettingsUpgradeable.sol";
contract Council is GovernorUpgradeable, GovernorSettingsUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize() external initializer { __Governor_init("Council"); __GovernorSettings_init(1, 50400, 0); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
abstract contract Marked is Initializable {
  function __Marked_init() internal onlyInitializing {}
}
abstract contract Locked is Initializable {
  uint256 private status;
  function __Locked_init() internal onlyInitializing { status = 1; }
  modifier locked() { require(status != 2); status = 2; _; status = 1; }
}
contract Vault is Owned, Marked, Locked {
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(uint256 most) external initializer { cap = most; _more(); }
  function _more() private { __Owned_init(msg.sender); }
  function setCap(uint256 most) external locked { require(msg.sender == owner); cap = most; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init(address first) internal onlyInitializing { _setOwner(first); }
  function _setOwner(address to) internal { owner = to; }
}
contract Vault is Owned {
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(uint256 most) external initializer { cap = most; _setOwner(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/Ownable2StepUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Registry is Ownable2StepUpgradeable, UUPSUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize(address first) external initializer { __Ownable_init(first); }
  function _authorizeUpgrade(address) internal override onlyOwner {}
}
contract Book is OwnableUpgradeable {
  constructor() { _disableInitializers(); }
  function initialize(address first) external initializer { _transferOwnership(first); }
}`,
    ],
  },
}

interface Called {
  readonly functions: ReadonlySet<FunctionModel>
  /** Names of functions without source. */
  readonly names: ReadonlySet<string>
}

/** Everything that initializers run, themselves and through their callees. */
const calledFrom = (program: Program, initializers: ReadonlyArray<FunctionModel>): Called => {
  const functions = new Set(initializers)
  const names = new Set<string>()
  for (const fn of functions) {
    for (const { target, name } of program.flow(fn).calls()) {
      if (target === undefined) names.add(name)
      else functions.add(target)
    }
  }
  return { functions, names }
}

/** Whether it stores something; a lock is open even before it is set. */
const setsUp = (program: Program, flow: Flow): boolean =>
  flow.writes.some(({ place }) => {
    const variable = place?.variables[0]
    return variable !== undefined && !toggles(program).all.has(variable)
  })

/** Whether the initializers store the same without the dedicated function. */
const isSetElsewhere = (program: Program, part: Flow, called: ReadonlySet<FunctionModel>): boolean => {
  const variables = new Set(part.writes.flatMap(({ place }) => place?.variables ?? []))
  return [...called].some((fn) =>
    program.flow(fn).writes.some(({ place }) => place?.variables.some((variable) => variables.has(variable)) === true),
  )
}

/** OpenZeppelin's contracts, if they have no source, that work with zeros until they are initialized. */
const needed = [
  "Ownable",
  "ERC20",
  "ERC721",
  "EIP712",
  "ERC4626",
  "AccessControlDefaultAdminRules",
  "Governor",
  "GovernorSettings",
  "GovernorVotes",
  "GovernorVotesQuorumFraction",
  "GovernorTimelockControl",
] as const

const missingParent = ({ linearization }: ContractModel, { names }: Called): string | undefined => {
  const bases = new Set(linearization.flatMap(({ missingBases }) => missingBases))
  // one that is not OpenZeppelin's may do it for them, and so may an initializer that is called by its plain name
  const isKnown = (base: string): boolean => /^(I[A-Z]\w*|Initializable|\w+Upgradeable)$/.test(base)
  if (![...bases].every(isKnown)) return undefined
  if ([...names].some((name) => /^(initialize|_?transferOwnership|_setOwner|_initializeOwner)$/.test(name)))
    return undefined
  for (const parent of needed) {
    if (!bases.has(`${parent}Upgradeable`)) continue
    // `__Ownable2Step_init` initializes Ownable, too
    const part = parent.startsWith("Governor") ? `__${parent}_init` : `__${parent}`
    if (![...names].some((name) => name.startsWith(part))) return `__${parent}_init`
  }
  return undefined
}
