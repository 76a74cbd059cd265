import type { Rule } from "../../../Rule.ts"
import { toggles } from "../../demands/toggles.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import { isNothing } from "../../flow/values/isZero.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { authorities } from "../../questions/authority/authorities.ts"
import { forwarders } from "../../questions/authority/forwarding.ts"
import { isBehindProxy } from "../../questions/authority/implementations.ts"
import { initializersOf } from "../../questions/deployment/initializer.ts"
import { layoutOf } from "../../questions/storage/layout.ts"
import { storageUse } from "../../questions/value/storageUse.ts"

export const constructorState: Rule<Program> = {
  meta: {
    id: "evm/initialization/constructor-state",
    class: "state-init-proxy",
    title: "Constructor sets state of a proxied contract",
    severity: "medium",
    confidence: "medium",
    cwe: [665, 909],
    description:
      "The contract runs behind a proxy, but its constructor sets this variable in the implementation's own storage " +
      "only. Seen through the proxy, the variable is zero, and no initializer sets it. With an owner of zero, " +
      "nobody can configure or upgrade the contract; a limit, rate or address of zero blocks whatever depends on it " +
      "or does not limit it at all.",
    remediation:
      "Set the variable in the initializer, and inherit from the upgradeable variant of a library contract " +
      "(`OwnableUpgradeable`, not `Ownable`). A value that is the same for all proxies can be `immutable`, which is " +
      "part of the code.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
      "https://docs.openzeppelin.com/contracts/5.x/upgradeable",
    ],
  },
  check: (program, report) => {
    const known = authorities(program)
    const reported = new Set<StorageAccess>()
    for (const contract of program.contracts) {
      if (!isBehindProxy(program, contract)) continue
      const initializers = initializersOf(program, contract)
      if (initializers.length === 0) continue
      const owned = withOwnable(program, contract, initializers)
      if (owned !== undefined)
        report({
          file: owned.source.file,
          span: owned.node.nameSpan,
          scope: owned.name,
          message: "`Ownable` sets its owner in the constructor.",
        })
      for (const { event, variable } of setByConstructors(program, contract, initializers)) {
        if (reported.has(event)) continue
        reported.add(event)
        // a contract deployed directly is reported at its constructor
        const own = event.at.callable.contract?.deployable === true
        report({
          ...(own ? placeOf(event) : { file: contract.source.file, span: contract.node.nameSpan }),
          scope: own ? event.at.callable.scope : contract.name,
          message: `Through the proxy, \`${variable.name}\` is zero.`,
          ...(known.has(variable) ? {} : { severity: "low" as const }),
          trace: [
            { ...placeOf(event), note: `\`${variable.name}\` is set in the implementation's own storage` },
            ...initializers.map((fn) => ({
              file: fn.source.file,
              span: fn.node.nameSpan,
              note: "runs on the proxy's storage but does not set it",
            })),
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Pool is UUPSUpgradeable {
  address public keeper;
  uint256 public cap;
  uint256 public rate;
  constructor() { _disableInitializers(); keeper = msg.sender; // FINDING
    rate = 3; // FINDING
  }
  function initialize(uint256 most) external initializer { cap = most; }
  function setCap(uint256 to) external { require(msg.sender == keeper); cap = to * rate; }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == keeper); }
}`,
      `pragma solidity ^0.8.20;
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Coin is ERC20Upgradeable, Ownable { // FINDING
  constructor() Ownable(msg.sender) { _disableInitializers(); }
  function initialize(string memory name) external initializer { __ERC20_init(name, name); }
  function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
abstract contract Managed {
  address internal manager;
  constructor() { manager = msg.sender; }
  modifier managed() { require(manager == msg.sender); _; }
}
contract Box is Managed, Initializable { // FINDING
  uint256 public size;
  function initialize(uint256 first) external initializer { size = first; }
  function resize(uint256 to) external managed { size = to; }
}
contract Shop {
  Box private immutable box = new Box();
  mapping(address => address) public boxOf;
  function buy() external {
    Box made = Box(Clones.clone(address(box)));
    boxOf[msg.sender] = address(made);
    made.initialize(1);
  }
}`,
      // A base is told about once, however its constructor goes about it.
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
abstract contract Stepped is UUPSUpgradeable {
  uint256 public step;
  constructor() { _begin(); }
  function _begin() private { _set(7); }
  function _set(uint256 to) private { step = to; }
  function next() external view returns (uint256) { return step + 1; }
  function _authorizeUpgrade(address) internal pure override { revert(); }
}
contract Desk is Stepped { // FINDING
  uint256 public count;
  function initialize(uint256 first) external initializer { count = first; }
}
contract Till is Stepped {
  uint256 public total;
  function initialize(uint256 first) external initializer { total = first; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {GovernorUpgradeable} from "@openzeppelin/contracts-upgradeable/governance/GovernorUpgradeable.sol";
contract Managed {
  address internal controller;
  constructor(address to) { controller = to; }
}
contract Forwarder is Managed {
  address internal immutable code;
  constructor(address to, address logic) Managed(to) { code = logic; }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}
contract Council is Managed, GovernorUpgradeable {
  uint256 public rate;
  constructor(address to) Managed(to) { _disableInitializers(); }
  function initialize(uint256 first) external initializer { __Governor_init("Council"); rate = first; }
  function setRate(uint256 to) external { require(msg.sender == controller); rate = to; }
}`,
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Pool is UUPSUpgradeable {
  address public keeper;
  uint256 public cap;
  uint256 public immutable rate;
  bool internal stopped;
  uint256 private status;
  constructor(uint256 first) { _disableInitializers(); rate = first; keeper = address(1); stopped = false; status = 1; }
  modifier single() { require(status != 2); status = 2; _; status = 1; }
  function initialize(uint256 most) external initializer { cap = most; setKeeper(msg.sender); }
  function setKeeper(address to) internal { keeper = to; }
  function setCap(uint256 to) external single { require(msg.sender == keeper && !stopped); cap = to * rate; }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == keeper); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract Farm is Initializable {
  address internal owner;
  uint256 public rate;
  constructor() { owner = msg.sender; }
  function initialize(uint256 first) external initializer { require(msg.sender == owner); rate = first; }
}`,
      `pragma solidity ^0.8.20;
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Coin is ERC20Upgradeable, Ownable {
  constructor() Ownable(msg.sender) { _disableInitializers(); }
  function initialize(string memory name) external initializer { __ERC20_init(name, name); _transferOwnership(msg.sender); }
  function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}`,
      // Nothing is missed through the proxy: zero, never read, or set by a function of its own.
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Desk is UUPSUpgradeable {
  address owner;
  uint256 public count;
  uint256 private mark;
  uint256 public rate;
  constructor() { count = 0; mark = 9; }
  function initialize(address first) external initializer { owner = first; }
  function sum() external view returns (uint256) { return count + rate; }
  function setRate(uint256 to) external { require(msg.sender == owner); rate = to; }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}`,
    ],
  },
}

/** What constructors of a contract set in ordinary storage to something other than zero, and initializers do not. */
const setByConstructors = (
  program: Program,
  contract: ContractModel,
  initializers: ReadonlyArray<FunctionModel>,
): ReadonlyArray<{ readonly event: StorageAccess; readonly variable: StateVariable }> => {
  const placed = new Set(layoutOf(program, contract).map(({ variable }) => variable))
  const setUp = new Set(
    initializers.flatMap((fn) =>
      program.flow(fn).writes.flatMap(({ place }) => place?.variables.map(declaredWhole) ?? []),
    ),
  )
  const { read } = storageUse(program)
  // the constructor of code that a proxy inherits sets the proxy's own storage
  const inherited = new Set(forwarders(program).flatMap((proxy) => proxy.contract.linearization))
  return contract.linearization.flatMap((base) =>
    (inherited.has(base) ? [] : base.functions)
      .filter(({ role }) => role === "constructor")
      .flatMap((constructor) => program.flow(constructor).writes)
      .flatMap(({ event, place }) => {
        const variable = place?.variables[0] === undefined ? undefined : declaredWhole(place.variables[0])
        if (variable === undefined || !placed.has(variable) || setUp.has(variable) || !read.has(variable)) return []
        if (toggles(program).all.has(variable) || (event.value !== undefined && isNothing(event.value))) return []
        return [{ event, variable }]
      }),
  )
}

/** The contract that inherits OpenZeppelin's `Ownable`, without source, if no initializer sets the owner. */
const withOwnable = (
  program: Program,
  { linearization }: ContractModel,
  initializers: ReadonlyArray<FunctionModel>,
): ContractModel | undefined =>
  initializers.some((fn) =>
    program
      .flow(fn)
      .calls()
      .some(({ name }) => /owner/i.test(name)),
  )
    ? undefined
    : linearization.find(({ missingBases }) => missingBases.some((name) => /^Ownable(?:2Step)?$/.test(name)))
