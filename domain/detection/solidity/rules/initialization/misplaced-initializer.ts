import type { Rule } from "../../../Rule.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { hasInitializerModifier, isChainedInit, isInitializerPart } from "../../questions/deployment/initializer.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import type * as S from "../../syntax.ts"

export const misplacedInitializer: Rule<Program> = {
  meta: {
    id: "evm/initialization/misplaced-initializer",
    class: "unprotected-initializer",
    title: "Initializer can never run",
    severity: "low",
    confidence: "medium",
    cwe: [665, 670],
    description:
      "OpenZeppelin's `initializer` and `reinitializer(n)` let a function run only if no function of this or a " +
      "later version has run before. If an internal part has the `initializer` modifier, it reverts when another " +
      "initializer calls it, so the contract cannot be set up through a proxy. If two functions have the same " +
      "version, the second one never runs, and the state it should set up remains zero.",
    remediation:
      "Use `onlyInitializing` for functions that initializers call, and give each later initializer its own " +
      "version, one higher than the last.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/proxy#Initializable",
      "https://github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/GHSA-9c22-pwxw-p6hx",
    ],
  },
  check: (program, report) => {
    for (const contract of program.contracts) {
      for (const { before, fn, modifier } of repeated(program, contract))
        report({
          file: fn.source.file,
          span: modifier,
          scope: fn.scope,
          message: `\`${before.name}\` uses the same version.`,
          trace: [
            { file: before.source.file, span: before.node.nameSpan, note: "the first of them to run" },
            { file: fn.source.file, span: fn.node.nameSpan, note: "cannot run after it" },
          ],
        })
      for (const fn of contract.functions) {
        const parts = partsOnceEach(program, fn)
        if (parts !== undefined)
          report({
            ...placeOf(parts.second),
            scope: fn.scope,
            message: `\`${fn.name}\` lacks the modifier, so only the first initializer that it calls can run.`,
            severity: "medium",
            trace: [
              { ...placeOf(parts.first), note: "runs once by itself" },
              { ...placeOf(parts.second), note: "reverts after it" },
            ],
          })
        const modifier = settingUp(fn)
        if (modifier === undefined) continue
        // before 4.4 (and so before Solidity 0.8.2) OpenZeppelin's initializers could be nested
        if (fn.source.version.min < 8002) continue
        const caller = program.graph.callers(fn).find(({ from }) => settingUp(from) !== undefined)
        if (caller === undefined) continue
        report({
          file: fn.source.file,
          span: modifier,
          scope: fn.scope,
          message: `\`${caller.from.name}\`, which calls it, also has the modifier.`,
          trace: [
            { file: caller.from.source.file, span: caller.from.node.nameSpan, note: "an initializer" },
            { file: fn.source.file, span: fn.node.nameSpan, note: "reverts when called from there" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // Each part runs once by itself, and the function that calls them lacks the modifier.
      `pragma solidity ^0.7.6;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/Initializable.sol";
import {ReentrancyGuardUpgradeable} from "@openzeppelin/contracts-upgradeable/utils/ReentrancyGuardUpgradeable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init() internal initializer { owner = msg.sender; }
}
abstract contract Capped is Initializable {
  uint256 public cap;
  function _beginCap(uint256 most) internal initializer { cap = most; }
}
contract Vault is Owned, Capped {
  function initialize(uint256 most) external {
    __Owned_init();
    _beginCap(most); // FINDING
  }
}
contract Shop is ReentrancyGuardUpgradeable, Owned {
  uint256 public count;
  function setUp() public {
    __ReentrancyGuard_init();
    __Owned_init(); // FINDING
    count = 1;
  }
}
contract Desk is Owned, Capped {
  bool ready;
  function begin(uint256 most) public {
    require(!ready);
    __Owned_init();
    if (most > 0) _beginCap(most); // FINDING
    ready = true;
  }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init(address first) internal initializer { owner = first; } // FINDING
}
contract Vault is Owned {
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(uint256 most) external initializer { __Owned_init(msg.sender); cap = most; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Vault is Initializable {
  uint64 private constant VERSION = 2;
  address public owner;
  uint256 public cap;
  uint256 public rate;
  constructor() { _disableInitializers(); }
  function initialize(address first) external initializer { owner = first; }
  function setUpCap() external reinitializer(VERSION) { cap = 3; }
  function setUpRate() external reinitializer(2) { rate = 4; } // FINDING
  function setUpBoth() external reinitializer(2) { rate = 4; cap = 4; } // FINDING
  function setUpAll() external reinitializer(1) { rate = 5; cap = 5; } // FINDING
}`,
      // An initializer of the base cannot run inside another, or after one of the same version.
      `pragma solidity ^0.8.2;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract Base is Initializable {
  uint256 public step;
  function begin() public initializer { step = 1; } // FINDING
  function second() external reinitializer(2) { step = 2; } // FINDING
}
contract Desk is Base {
  function initialize() external initializer { begin(); }
  function upgrade() external reinitializer(2) { step = 3; }
}`,
    ],
    safe: [
      // Together within the modifier, in a constructor, as a part of their own, one or the other, or one alone.
      `pragma solidity ^0.7.6;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init() internal initializer { owner = msg.sender; }
}
abstract contract Capped is Initializable {
  uint256 public cap;
  function _beginCap(uint256 most) internal initializer { cap = most; }
}
contract Vault is Owned, Capped {
  function initialize(uint256 most) external initializer { __Owned_init(); _beginCap(most); }
}
contract Built is Owned, Capped {
  constructor() { __Owned_init(); _beginCap(2); }
}
contract Base is Owned, Capped {
  function __Base_init(uint256 most) public { __Owned_init(); _beginCap(most); }
  function either(bool which) external { if (which) __Owned_init(); else _beginCap(1); }
  function _both() internal { __Owned_init(); _beginCap(3); }
  function begin() external initializer { _both(); }
}
contract One is Owned {
  function begin() external { __Owned_init(); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Owned is Initializable {
  address public owner;
  function __Owned_init(address first) internal onlyInitializing { owner = first; }
}
contract Vault is Owned {
  uint256 public cap;
  uint256 public rate;
  constructor() { _disableInitializers(); }
  function initialize(uint256 most) external initializer { __Owned_init(msg.sender); cap = most; }
  function setUpCap() external reinitializer(2) { _setCap(); }
  function setUpRate() external reinitializer(3) { rate = 4; }
  function _setCap() private { cap = 4; }
}
contract Second is Vault {
  uint256 public more;
  function setUpMore(uint64 version) external reinitializer(version) { more = 3; }
  function setUpRest(uint64 version) external reinitializer(version) { more = 4; }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Vault is Initializable {
  address public owner;
  constructor() { _disableInitializers(); }
  function initialize(address first) external { _initialize(first); }
  function _initialize(address first) internal initializer { owner = first; }
}
contract Registry is Initializable {
  address public owner;
  function initializeLock() external initializer {}
  function initialize(address first) external virtual initializer { owner = first; }
}
contract Better is Registry {
  uint256 public cap;
  function initialize(address first) external override initializer { owner = first; cap = 3; }
}`,
      // Only one of them can be called, constructors may nest, and older initializers could.
      `pragma solidity ^0.8.0;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract Old is Initializable {
  uint256 public step;
  constructor() initializer {}
  function initialize() external initializer { _begin(); }
  function _begin() internal initializer { step = 1; }
}
contract Older is Old {
  constructor() initializer {}
  function _two() internal reinitializer(2) { step = 2; }
  function _second() internal reinitializer(2) { step = 3; }
}`,
      // A new proxy begins with the first of them, an upgraded one runs the second.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Vault is Initializable {
  address public owner;
  uint256 public cap;
  constructor() { _disableInitializers(); }
  function initialize(address first, uint256 most) external reinitializer(2) { owner = first; cap = most; }
  function finishUpgrade(uint256 most) external reinitializer(2) { require(msg.sender == owner); cap = most; }
}`,
    ],
  },
}

/** Functions whose version another function of the contract has, too. */
const repeated = (
  program: Program,
  contract: ContractModel,
): ReadonlyArray<{ before: FunctionModel; fn: FunctionModel; modifier: S.ModifierInvocation }> => {
  const versions = new Map<bigint, FunctionModel>()
  const found = program.functionsOf(contract).flatMap((fn) => {
    const modifier = program.graph.isEntryPoint(fn) ? settingUp(fn) : undefined
    const version = modifier === undefined ? undefined : versionOf(program, modifier)
    if (modifier === undefined || version === undefined) return []
    const before = versions.get(version)
    if (before === undefined) versions.set(version, fn)
    // several `initializer` functions are several ways to begin
    return before === undefined || modifier.path.at(-1) !== "reinitializer" ? [] : [{ before, fn, modifier }]
  })
  // so are several functions of a later version if nothing else begins: one for new proxies, one for upgraded ones
  return versions.has(1n) ? found : []
}

/** The first two parts that run once each, called by a function without the modifier that lets them run together. */
const partsOnceEach = (
  program: Program,
  fn: FunctionModel,
): { readonly first: CallSite; readonly second: CallSite } | undefined => {
  if (!program.graph.isEntryPoint(fn) || !fn.implemented || isInitializerPart(fn) || hasInitializerModifier(fn))
    return undefined
  const flow = program.flow(fn)
  const [first, second] = flow
    .calls()
    .filter(({ callKind, target, name }) =>
      target === undefined
        ? callKind === "unknown" && isChainedInit(name)
        : callKind === "internal" && hasInitializerModifier(target),
    )
  if (first === undefined || second === undefined || !flow.dominates(first.at, second.at)) return undefined
  // the rule about open initializers speaks of parts without source
  return first.target === undefined && second.target === undefined ? undefined : { first, second }
}

/** The modifier that lets a function run once, or once per version. */
const settingUp = (fn: FunctionModel): S.ModifierInvocation | undefined =>
  fn.node.modifiers.find(({ path }) => /^(?:re)?initializer$/.test(path.at(-1) ?? ""))

/** The version of `initializer` is 1. */
const versionOf = (program: Program, { path, args }: S.ModifierInvocation): bigint | undefined =>
  path.at(-1) === "initializer" ? 1n : args?.[0] === undefined ? undefined : constantNumber(program, args[0])
