import { oncePerPair } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { demandsAt, shutsOut } from "../../demands/demands.ts"
import { accessOf, beginsOnce } from "../../access/entries/entries.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import {
  callsInitializer,
  hasInitializerModifier,
  isChainedInit,
  isInitializable,
  isInitializerPart,
  runsWithinInitializer,
} from "../../questions/deployment/initializer.ts"
import { storageUse } from "../../questions/value/storageUse.ts"
import { isSetUp, openAuthorities } from "../../questions/authority/openAuthority.ts"

export const openInitializer: Rule<Program> = {
  meta: {
    id: "evm/initialization/open-initializer",
    class: "unprotected-initializer",
    title: "Unprotected initializer",
    severity: "high",
    confidence: "high",
    cwe: [665, 284],
    swc: 118,
    description:
      "The function does the work of a constructor (it sets the owner or other privileged state), but anyone " +
      "can call it, even after the contract has been set up. An attacker initializes it again with themselves " +
      "as the owner and then empties or destroys it, as happened to the Parity wallets in 2017.",
    remediation:
      "Make sure that it can run only once, with `require(!initialized); initialized = true;` or OpenZeppelin's " +
      "`initializer` modifier, and call it in the transaction that deploys the contract or proxy. Without a " +
      "proxy, use a constructor.",
    references: [
      "https://swcregistry.io/docs/SWC-118",
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers",
      "https://www.parity.io/blog/the-multi-sig-hack-a-postmortem/",
    ],
  },
  check: (program, report) => {
    const access = accessOf(program)
    const reported = new Set<FunctionModel>()
    for (const { flow, event, authority, path } of openAuthorities(program)) {
      // one initializer that sets several variables is one finding
      if (isSetUp(program, authority) || reported.has(flow.fn) || beginsOnce(access, path, flow.fn)) continue
      if (flow.calls().some(isPart) || [...path, event].some(({ at }) => asksForRecord(program, at))) continue
      reported.add(flow.fn)
      report({
        ...placeOf(path[0] ?? event),
        scope: path[0]?.at.callable.scope ?? flow.fn.scope,
        message: `\`${authority.variable.name}\` is not set anywhere else.`,
        trace: [
          ...callSteps(path),
          { ...placeOf(event), note: `\`${authority.variable.name}\` is set for any caller` },
          { ...placeOf(authority.guarded), note: `what \`${authority.variable.name}\` protects` },
        ],
      })
    }
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn) || reported.has(fn) || callsInitializer(flow)) continue
      if (isInitializerPart(fn) || program.graph.callers(fn).some(({ from }) => hasInitializerModifier(from))) continue
      const flag = unreadFlag(program, flow)
      if (flag !== undefined) {
        report({ ...placeOf(flag.event), scope: fn.scope, message: unread, confidence: "medium" })
        continue
      }
      const parts = flow.calls().filter((site) => partIn(program, site) !== undefined)
      const waiting = parts.find((site) => needsInitializer(partIn(program, site)!))
      // a part that anyone can call themselves is the one that lacks the modifier
      const part = waiting ?? parts.find((site) => !shutsOut(flow, site.at) && !isEntry(program, site.target))
      if ((part === undefined && !isSetup.test(fn.name)) || (waiting === undefined && isOnce(program, fn))) continue
      if (part !== undefined) {
        report({ ...placeOf(part), scope: fn.scope, ...(isOwnPart(partIn(program, part)!) ? unguarded : unusable) })
      } else if (isForgotten(program, flow)) {
        report({
          file: fn.source.file,
          span: fn.node.nameSpan,
          scope: fn.scope,
          message:
            "The contract can be initialized through a proxy, but this function does not have the modifier that lets it run once.",
          confidence: shutsOut(flow, flow.exit) ? "low" : "medium",
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // What a public part leaves open is missing there, not in the function that calls it.
      `pragma solidity ^0.8.20;
contract Token {
  address immutable governor = msg.sender;
  address distributor;
  uint256 ratio;
  function __Token_init(address to, uint256 first) public {
    distributor = to; // FINDING
    ratio = first;
  }
  function setRatio(uint256 to) external { require(msg.sender == governor); ratio = to; }
  function notify(uint256 n) external { require(msg.sender == distributor); ratio += n; }
}
contract PoolToken is Token {
  uint256 price;
  function initialize(address to, uint256 first) external {
    if (distributor == address(0)) __Token_init(to, first);
    price += 1;
  }
}`,
      // No call succeeds: the parts require a running initializer, and none runs.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
abstract contract Named is Initializable {
  string public name;
  function setName(string memory to) internal onlyInitializing { name = to; }
}
contract Vault is Named {
  address owner;
  address token;
  function initialize(string memory to, address kept) external {
    require(token == address(0));
    setName(to); // FINDING
    token = kept;
    owner = msg.sender;
  }
  function move() external { require(msg.sender == owner); token = owner; }
}`,
      // Nothing reads the flag.
      `pragma solidity ^0.8.20;
contract Wrapped {
  address public asset;
  bool public initialized = false;
  mapping(address => uint256) public balanceOf;
  function initialize(address what, address to, uint256 n) external {
    initialized = true; // FINDING
    asset = what;
    balanceOf[to] += n;
  }
}`,
      `pragma solidity ^0.8.20;
contract Locker {
  address pool;
  uint256 rate;
  fallback() external {
    pool = abi.decode(msg.data, (address)); // FINDING
  }
  function setRate(uint256 to) external { require(msg.sender == pool); rate = to; }
}`,
      `pragma solidity ^0.8.20;
interface IRoles { function has(address who, uint256 role) external view returns (bool); }
contract Desk {
  mapping(address => mapping(uint256 => bool)) roleOf;
  uint256 rate;
  function note(IRoles roles, address who, uint256 role) external {
    roleOf[who][role] = roles.has(who, role); // FINDING
  }
  function setRate(uint256 to) external { require(roleOf[msg.sender][1]); rate = to; }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  address owner;
  uint256 limit;
  function setUp(address first, uint256 most) external {
    owner = first; // FINDING
    limit = most;
  }
  receive() external payable {}
  function pay(address payable to, uint256 amount) external {
    require(msg.sender == owner && amount <= limit);
    to.transfer(amount);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public fee;
  function initialize(uint256 first) external {
    __Ownable_init(msg.sender); // FINDING
    fee = first;
  }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Base is Initializable {
  address admin;
  function setUpBase(address first) internal onlyInitializing { admin = first; }
}
contract Gateway is Base {
  uint256 public cap;
  function initialize(address first, uint256 most) external {
    _initialize(first, most); // FINDING
  }
  function _initialize(address first, uint256 most) internal {
    setUpBase(first);
    cap = most;
  }
}
contract Pool is Base {
  uint256 public cap;
  function initialize(address first, uint256 most) external {
    setUpBase(first); // FINDING
    cap = most;
  }
}`,
      `pragma solidity ^0.7.6;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/Initializable.sol";
interface IProxy { function implementation() external view returns (address); }
contract Managed {
  address public controller;
  IProxy proxy;
  modifier onlyImpl() { require(msg.sender == proxy.implementation(), "impl"); _; }
  function _setController(address to) internal { require(to != address(0)); controller = to; }
}
contract Escrow is Initializable, Managed {
  uint256 public rate;
  function initialize(address first) external onlyImpl { // FINDING
    _setController(first);
  }
  function setRate(uint256 to) external { require(msg.sender == controller); rate = to; }
}`,
      // However many roles it sets, it is one initializer.
      `pragma solidity ^0.8.20;
contract Vault {
  address owner;
  address keeper;
  uint256 rate;
  function initialize(address first, address second) external {
    owner = first; // FINDING
    keeper = second;
  }
  function setRate(uint256 to) external { require(msg.sender == owner); rate = to; }
  function raiseRate(uint256 by) external { require(msg.sender == keeper); rate += by; }
}`,
      // Where a part of it is called, that is where the modifier is missed, whatever the function is called.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  address keeper;
  uint256 public fee;
  function begin(address first) external {
    __Ownable_init(msg.sender); // FINDING
    keeper = first;
  }
  function setFee(uint256 to) external { require(msg.sender == keeper); fee = to; }
}
abstract contract Managed {
  address admin;
  function __Managed_init(address first) internal { admin = first; }
}
contract Pool is Managed {
  uint256 public cap;
  function begin(address first) external {
    __Managed_init(first); // FINDING
  }
  function setCap(uint256 to) external { require(msg.sender == admin); cap = to; }
}
abstract contract Rated is OwnableUpgradeable {
  uint256 rate;
  function setUpRate(uint256 first) internal onlyInitializing { rate = first; }
}
contract Bank is Rated {
  address keeper;
  uint256 public cap;
  function begin(address first) external {
    setUpRate(5); // FINDING
    keeper = first;
  }
  function setCap(uint256 to) external { require(msg.sender == keeper); cap = to; }
}`,
    ],
    safe: [
      // Which member of the record decides who acts is not known; what is booked in it are amounts.
      `pragma solidity ^0.8.20;
interface IToken { function mint(address to, uint256 n) external; }
contract Stakes {
  struct Stake { uint128 amount; uint128 due; address agent; }
  mapping(address => Stake) public stakes;
  uint256 total;
  IToken token;
  mapping(address => address) public holderOf;
  function holderBehind(address caller) public view returns (address) {
    address holder = holderOf[caller];
    if (holder != address(0) && stakes[holder].agent == caller) return holder;
    return caller;
  }
  function appoint(address agent) external { stakes[msg.sender].agent = agent; }
  function accept(address holder) external { holderOf[msg.sender] = holder; }
  function settle(address holder) public {
    Stake storage stake = stakes[holder];
    stake.amount = stake.amount + stake.due;
    stake.due = 0;
  }
  function restake() external {
    address holder = holderBehind(msg.sender);
    settle(holder);
    total = total + stakes[holder].amount;
    token.mint(address(this), stakes[holder].amount);
  }
}`,
      // No flag of the contract is set, or not beside its settings, or not by anyone.
      `pragma solidity ^0.8.20;
import "./Owned.sol";
contract Desk is Owned {
  address public asset;
  uint256 public kind;
  bool public seen;
  bool public begun;
  bool picked;
  mapping(address => bool) public used;
  mapping(address => uint256) public noted;
  function choose(address what) external { kind = 7; asset = what; }
  function take(address what) external { used[what] = true; asset = what; }
  function note(uint256 n) external { seen = true; noted[msg.sender] = n; }
  function begin(address what) external onlyOwner { begun = true; asset = what; }
  function pick(address what) external { picked = true; asset = what; }
  function picked_() external view returns (address) { require(picked); return asset; }
}`,
      // A part that can be called from outside, too, where it fails.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
abstract contract Named is Initializable {
  string public name;
  function setName(string memory to) internal onlyInitializing { name = to; }
}
contract Vault is Named {
  address owner;
  function initialize(string memory to) external initializer { begin(to); }
  function begin(string memory to) public {
    setName(to);
    owner = msg.sender;
    name_(to);
  }
  function name_(string memory to) internal { setName(to); }
  function rename(string memory to) external { require(msg.sender == owner); name = to; }
}`,
      // An unlimited allowance is an entry like any other; which member of the struct it is does not show in the helper.
      `pragma solidity ^0.8.20;
contract Shares {
  struct Book {
    address boss;
    mapping(address => uint256) balances;
    mapping(address => mapping(address => uint256)) allowances;
  }
  function book() internal pure returns (Book storage b) { bytes32 at = keccak256("book"); assembly { b.slot := at } }
  function transfer(address to, uint256 amount) external { move(book(), msg.sender, to, amount); }
  function transferFrom(address from, address to, uint256 amount) external {
    spend(book(), from, msg.sender, amount);
    move(book(), from, to, amount);
  }
  function allowed(Book storage b, address from, address by) internal view returns (uint256) { return b.allowances[from][by]; }
  function spend(Book storage b, address from, address by, uint256 amount) internal {
    uint256 most = allowed(b, from, by);
    if (most != type(uint256).max) b.allowances[from][by] = most - amount;
  }
  function move(Book storage b, address from, address to, uint256 amount) internal {
    b.balances[from] -= amount;
    b.balances[to] += amount;
  }
}`,
      // The flag is read here or elsewhere, nothing is set up, or not everyone can do it.
      `pragma solidity ^0.8.20;
contract Wrapped {
  address public asset;
  address immutable keeper = msg.sender;
  bool public initialized = false;
  bool public closed;
  bool public marked;
  bool public late;
  uint256 public end;
  uint256 public limit;
  mapping(address => uint256) public balanceOf;
  mapping(uint256 => bool) public seen;
  function initialize(address what, address to, uint256 n) external {
    require(!initialized);
    initialized = true;
    asset = what;
    balanceOf[to] += n;
  }
  function close(uint256 at) external { require(msg.sender == keeper); closed = true; end = at; }
  function mark() external { marked = true; }
  function see(uint256 id, address what) external { require(end > 5); seen[id] = true; late = true; asset = what; }
  function setLimit(uint256 to) external { require(msg.sender == keeper); limit = to; }
}`,
      // A factory has a new proxy run the fallback, which reads nothing of what it sets.
      `pragma solidity ^0.8.20;
contract Stored { address internal pool; }
contract Setup is Stored {
  fallback() external { pool = abi.decode(msg.data, (address)); }
}
contract Locker is Stored {
  uint256 rate;
  function setRate(uint256 to) external { require(msg.sender == pool); rate = to; }
}`,
      // What a contract that is not the caller's choice says of an account is only brought up to date.
      `pragma solidity ^0.8.20;
interface IRoles { function has(address who, uint256 role) external view returns (bool); }
contract Desk {
  IRoles immutable roles;
  mapping(address => mapping(uint256 => bool)) roleOf;
  uint256 rate;
  constructor(IRoles r) { roles = r; }
  function note(address who, uint256 role) external { roleOf[who][role] = roles.has(who, role); }
  function setRate(uint256 to) external { require(roleOf[msg.sender][1]); rate = to; }
}`,
      `pragma solidity ^0.8.20;
contract Club {
  mapping(address => uint256) shares;
  address chair;
  function buy() external payable { shares[msg.sender] += msg.value; }
  function lead() external { require(shares[msg.sender] > 100); chair = msg.sender; }
  function pay(address payable to) external { require(msg.sender == chair); to.transfer(1); }
}`,
      `pragma solidity ^0.8.20;
contract Voices {
  mapping(address => address) speaker;
  uint256 spoken;
  function choose(address who) external { _choose(msg.sender, who); }
  function _choose(address of, address who) internal { speaker[of] = who; }
  function speak() external {
    require(speaker[msg.sender] == msg.sender);
    spoken += 1;
  }
}`,
      `pragma solidity ^0.8.20;
contract Stash {
  address operator;
  address gauge;
  uint256 limit;
  function initialize(address first, address meter) external {
    require(gauge == address(0), "done");
    operator = first;
    gauge = meter;
  }
  function setLimit(uint256 to) external { require(msg.sender == operator); limit = to; }
}
interface IVault { function token() external view returns (address); }
contract Plan {
  address want;
  address keeper;
  uint256 limit;
  function initialize(IVault vault, address first) external { _setUp(vault, first); }
  function _setUp(IVault vault, address first) internal {
    require(want == address(0), "done");
    want = vault.token();
    keeper = first;
  }
  function setLimit(uint256 to) external { require(msg.sender == keeper); limit = to; }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  address owner;
  bool ready;
  uint256 limit;
  modifier single() { require(!ready, "done"); ready = true; _; }
  function setUp(address first) external single { owner = first; }
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}
contract Lazy {
  address owner;
  uint256 limit;
  function setUp(address first) external { require(owner == address(0)); owner = first; }
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  uint256 public fee;
  function initialize(uint256 first) external initializer {
    __Ownable_init(msg.sender);
    fee = first;
  }
  function _setUp() internal onlyInitializing { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Pool is Initializable {
  address admin;
  uint256 public cap;
  bool public filled;
  constructor() { _disableInitializers(); }
  function initialize(address first) external initializer { admin = first; }
  function initializeCap(uint256 most) external { require(!filled && msg.sender == admin); filled = true; cap = most; }
  function setCap(uint256 to) external { require(msg.sender == admin); cap = to; }
}`,
      `pragma solidity ^0.8.20;
import {PresetUpgradeable} from "@openzeppelin/contracts-upgradeable/presets/PresetUpgradeable.sol";
library Sums { function half(uint256 x) internal pure returns (uint256) { return x / 2; } }
contract Dollar is PresetUpgradeable {
  using Sums for uint256;
  address public governance;
  uint256 public most;
  function setMost(uint256 to) external { require(msg.sender == governance); most = to; }
  function init(address first) external {
    super.initialize("Dollar", "USD");
    governance = first;
  }
}`,
      // Other ways to run a part once.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is OwnableUpgradeable {
  bool begun;
  uint256 public fee;
  function begin(uint256 first) external {
    require(!begun);
    begun = true;
    __Ownable_init(msg.sender);
    fee = first;
  }
}
abstract contract Managed {
  address admin;
  function __Managed_init(address first) internal { admin = first; }
}
contract Pool is Managed {
  uint256 public cap;
  function begin(address first) external {
    require(admin == address(0));
    __Managed_init(first);
  }
  function setCap(uint256 to) external { require(msg.sender == admin); cap = to; }
}`,
    ],
  },
}

/** Whether only accounts with their own entry are admitted: they existed before. */
const asksForRecord = (program: Program, at: FlowNode): boolean => {
  const inner = at.callable.kind === "Function" ? program.flowIfBuilt(at.callable) : undefined
  return inner?.nodes[at.id] === at && demandsAt(inner, at).kinds.includes("holder")
}

/** Conventional names of initializers. */
const isSetup = /^(init|initiali[sz]e|setup)\w*$/i

const isPart = ({ name, target }: CallSite): boolean =>
  target === undefined ? isChainedInit(name) : isInitializerPart(target)

/** The part that is called, or that a helper calls. */
const partIn = (program: Program, site: CallSite): CallSite | undefined =>
  isPart(site)
    ? site
    : site.callKind === "internal" && site.target?.implemented === true
      ? partBelow(program, site.target)
      : undefined

const partBelow = oncePerPair((program: Program, helper: FunctionModel): CallSite | undefined =>
  program.flow(helper).calls().find(isPart),
)

const isEntry = (program: Program, fn: FunctionModel | undefined): boolean =>
  fn !== undefined && program.graph.isEntryPoint(fn) && !runsWithinInitializer(fn)

/** A part of the project's own code without any check. */
const isOwnPart = ({ target }: CallSite): boolean =>
  target?.node.modifiers.every(({ path }) => path.at(-1) !== "onlyInitializing") === true

/** Whether the call fails unless an initializer is running. */
const needsInitializer = ({ target }: CallSite): boolean => target !== undefined && runsWithinInitializer(target)

const unguarded = { message: "The initializer modifier is missing." }
const unusable = {
  message:
    "The initializer modifier is missing. The functions called here require it (`onlyInitializing`), so no call succeeds; in OpenZeppelin before 4.4 it runs once by itself.",
  severity: "medium",
} as const

const unread = "Nothing checks whether this flag is set, so anyone can initialize the contract again."

/**
 * `initialized = true` beside settings that the caller names, in a function that admits anyone, although nothing reads
 * the flag.
 */
const unreadFlag = (program: Program, flow: Flow): Flow["writes"][number] | undefined => {
  const flag = flow.writes.find(({ event: { value }, place }) => {
    const [variable] = place?.variables ?? []
    const isSet = value?.kind === "Literal" && value.value === "true"
    return isSet && place?.path === "" && variable?.node !== undefined && isUnread(program, variable)
  })
  if (flag === undefined || shutsOut(flow, flag.at) || demandsAt(flow, flag.at).facts.length > 0) return undefined
  const sets = flow.writes.some(
    ({ event, place, at }) =>
      place?.path === "" &&
      event.value !== undefined &&
      at === event.at &&
      only(flow.origins(event.value, at), Source.parameter),
  )
  return sets ? flag : undefined
}

const isUnread = (program: Program, variable: StateVariable): boolean => {
  const { read, handed } = storageUse(program)
  return !read.has(variable) && !handed.has(variable)
}

const isOnce = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flow(fn)
  return demandsAt(flow, flow.exit).kinds.includes("once")
}

/**
 * If a contract inherits code that makes initializers run once but no function uses it, this function sets up the
 * state.
 */
const isForgotten = (program: Program, { fn, writes }: Flow): boolean => {
  const { contract } = fn
  if (contract === undefined || writes.length === 0 || !isInitializable(contract)) return false
  return !program.functionsOf(contract).some(hasInitializerModifier)
}
