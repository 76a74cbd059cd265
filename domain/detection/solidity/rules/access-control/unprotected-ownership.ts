import { mayShutOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { Deed } from "../../access/entries/deeds.ts"
import { accessOf, beginsOnce, isFixed, isNamed, runsOnce } from "../../access/entries/entries.ts"
import { isDue, isVetted, told } from "../../access/entries/intent.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { authorities } from "../../questions/authority/authorities.ts"
import { isAmountBeside, isSetUp, openAuthorities } from "../../questions/authority/openAuthority.ts"

export const unprotectedOwnership: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-ownership",
    class: "missing-access-control",
    title: "Unprotected change of a privileged role",
    severity: "high",
    confidence: "high",
    cwe: [284, 862],
    swc: 105,
    description:
      "The function writes the state that decides who may call privileged functions (an owner, an " +
      "administrator, a table of members), and any account can call it. An attacker becomes the owner in one " +
      "transaction and can then use every function that the role protects: move funds, change parameters, " +
      "destroy the contract.",
    remediation:
      "Let only the current holder of the role change it (`require(msg.sender == owner)` or an equivalent " +
      "modifier), ideally in two steps in which the new holder accepts. If the function is meant to run once at " +
      "deployment, move its code to the constructor.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://docs.openzeppelin.com/contracts/5.x/access-control"],
  },
  check: (program, report) => {
    const access = accessOf(program)
    const reported = new Map<StateVariable, Set<FunctionModel>>()
    for (const { flow, event, authority, path } of openAuthorities(program)) {
      if (!isSetUp(program, authority) || reported.get(authority.variable)?.has(flow.fn) === true) continue
      if (beginsOnce(access, path, flow.fn)) continue
      reported.set(authority.variable, (reported.get(authority.variable) ?? new Set()).add(flow.fn))
      report({
        ...placeOf(path[0] ?? event),
        scope: path[0]?.at.callable.scope ?? flow.fn.scope,
        message: authority.deployerOnly
          ? `\`${authority.variable.name}\` stores the account that deployed the contract.`
          : `\`${authority.variable.name}\` controls access to \`${authority.flow.fn.scope}\`.`,
        ...(authority.deployerOnly ? { confidence: "medium" as const } : {}),
        trace: [
          ...callSteps(path),
          { ...placeOf(event), note: `\`${authority.variable.name}\` is set without checking the caller` },
          {
            ...placeOf(authority.guarded),
            note: authority.deployerOnly ? "set here at deployment" : `protected by \`${authority.variable.name}\``,
          },
        ],
      })
    }
    const known = authorities(program)
    for (const entry of access.entries) {
      if (runsOnce(access, entry)) continue
      for (const deed of entry.open) {
        const authority = deed.variable === undefined ? undefined : known.get(deed.variable)
        if (authority === undefined || authority.deployerOnly || !isHandedOver(deed)) continue
        if (!isSetUp(program, authority)) continue
        const { event, via } = deed.reached
        if (event.kind === "write" && isAmountBeside(program, authority, deed.path ?? "", event)) continue
        report({
          ...placeOf(via[0] ?? event),
          scope: entry.fn.scope,
          message: `\`${authority.variable.name}\` controls access to \`${authority.flow.fn.scope}\`.`,
          trace: [
            ...callSteps(via),
            { ...placeOf(event), note: `\`${authority.variable.name}\` is set without checking the caller` },
            { ...placeOf(authority.guarded), note: `protected by \`${authority.variable.name}\`` },
          ],
        })
        break
      }
    }
    for (const { open } of access.entries)
      for (const { flow, reached, value, demands } of open) {
        const { event, via } = reached
        if (event.kind !== "call" || !handsOver.test(event.name)) continue
        if (!has(value, told | Source.sender) || demands.facts.length > 0) continue
        if (mayShutOut(flow, (via[0] ?? event).at)) continue
        report({ ...placeOf(via[0] ?? event), scope: flow.fn.scope, trace: callSteps(via) })
      }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Treasury {
  address public admin;
  constructor() { admin = msg.sender; }
  function setAdmin(address next) external {
    admin = next; // FINDING
  }
  function sweep(address payable to) external {
    require(msg.sender == admin, "no");
    to.transfer(address(this).balance);
  }
}`,
      `pragma solidity ^0.4.24;
contract Shared {
  mapping(address => address) public owners;
  address root;
  modifier onlyOwner() { require(owners[msg.sender] != 0); _; }
  constructor() public { root = msg.sender; owners[root] = root; }
  function add(address who) external returns (bool) {
    require(who != 0);
    owners[who] = msg.sender; // FINDING
    return true;
  }
  function drain() onlyOwner public { msg.sender.transfer(this.balance); }
}`,
      `pragma solidity ^0.8.0;
contract Base {
  mapping(bytes32 => mapping(address => bool)) roles;
  bytes32 constant ADMIN = keccak256("admin");
  uint256 public fee;
  constructor() { _grant(ADMIN, msg.sender); }
  modifier only(bytes32 role) { _check(role, msg.sender); _; }
  function _check(bytes32 role, address who) internal view { require(roles[role][who]); }
  function _grant(bytes32 role, address who) internal {
    roles[role][who] = true;
  }
  function grant(bytes32 role, address who) external {
    _grant(role, who); // FINDING
  }
  function setFee(uint256 next) external only(ADMIN) { fee = next; }
}`,
      `pragma solidity ^0.8.20;
contract Game {
  address public owner;
  constructor() { owner = msg.sender; }
  function change(address next) public {
    owner = next; // FINDING
  }
}`,
      `pragma solidity ^0.4.9;
contract Several {
  mapping(uint => uint) index;
  uint count;
  function Several(address[] who) { for (uint i = 0; i < who.length; i++) { index[uint(who[i])] = i + 1; } }
  function isOwner(address who) constant returns (bool) { return index[uint(who)] > 0; }
  modifier onlyOwner { if (!isOwner(msg.sender)) throw; _; }
  function add(address who) external {
    index[uint(who)] = ++count; // FINDING
  }
  function addChecked(address who) onlyOwner external { index[uint(who)] = ++count; }
  function kill(address to) onlyOwner external { suicide(to); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/Ownable.sol";
contract Vault is Ownable {
  uint256 public fee;
  function setFee(uint256 next) external onlyOwner { fee = next; }
  function hand(address next) external {
    _transferOwnership(next); // FINDING
  }
  function handOnce(address next) external nonReentrant {
    _transferOwnership(next); // FINDING
  }
  function handLawfully(address next) external lawful { _transferOwnership(next); }
}`,
      `pragma solidity ^0.8.20;
library Roles {
  struct Role { mapping(address => bool) bearer; }
  function add(Role storage role, address who) internal { role.bearer[who] = true; }
  function has(Role storage role, address who) internal view returns (bool) { return role.bearer[who]; }
}
contract Capped {
  using Roles for Roles.Role;
  Roles.Role private admins;
  uint256 public cap;
  constructor() { admins.add(msg.sender); }
  function join(address who) public {
    admins.add(who); // FINDING
  }
  function setCap(uint256 to) external { require(admins.has(msg.sender)); cap = to; }
}`,
      `pragma solidity ^0.8.20;
contract Named {
  struct Main { address owner; uint256 count; }
  function main() private pure returns (Main storage s) { assembly { s.slot := 0x1234 } }
  constructor() { main().owner = msg.sender; }
  function transferOwnership(address to) external {
    main().owner = to; // FINDING
  }
  function setCount(uint256 to) external { require(msg.sender == main().owner); main().count = to; }
}`,
      `pragma solidity ^0.8.20;
contract Post {
  address public captain = msg.sender;
  address public next;
  uint256 public course;
  function name(address who) external { require(msg.sender == captain); next = who; }
  function accept() external {
    require(next != address(0), "nobody");
    captain = next; // FINDING
    next = address(0);
  }
  function steer(uint256 to) external { require(msg.sender == captain); course = to; }
}`,
      // One function is one finding; whom a table names has the role, too.
      `pragma solidity ^0.8.20;
contract Twice {
  address owner = msg.sender;
  uint256 public rent;
  function claim(address to) external {
    if (to == address(0)) owner = msg.sender; // FINDING
    else owner = to;
  }
  function setRent(uint256 to) external { require(msg.sender == owner); rent = to; }
}
contract Ranks {
  mapping(address => bytes32) rankOf;
  uint256 public rent;
  constructor() { rankOf[msg.sender] = "head"; }
  function promote(address who, bytes32 to) external {
    rankOf[who] = to; // FINDING
  }
  bool public closed;
  function close(bool to) external { require(rankOf[msg.sender] == "head"); closed = to; }
  function enlist(address who, bytes32 as_) external {
    require(!closed, "closed");
    rankOf[who] = as_; // FINDING
  }
  function setRent(uint256 to) external { require(rankOf[msg.sender] == "head"); rent = to; }
}`,
      // The account lies in a slot that a constant names, and anyone accepts for the next one.
      `pragma solidity ^0.8.20;
contract Governed {
  bytes32 private constant GOVERNOR = keccak256("governed.governor");
  bytes32 private constant NEXT = keccak256("governed.next");
  uint256 public fee;
  constructor() { _setGovernor(msg.sender); }
  function governor() public view returns (address who) { bytes32 at = GOVERNOR; assembly { who := sload(at) } }
  function next() public view returns (address who) { bytes32 at = NEXT; assembly { who := sload(at) } }
  function _setGovernor(address to) internal { bytes32 at = GOVERNOR; assembly { sstore(at, to) } }
  function _setNext(address to) internal { bytes32 at = NEXT; assembly { sstore(at, to) } }
  modifier byGovernor() { require(msg.sender == governor(), "governor"); _; }
  function offer(address to) external byGovernor { _setNext(to); }
  function claim() external {
    _setGovernor(msg.sender); // FINDING
  }
  function setFee(uint256 to) external byGovernor { fee = to; }
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
  constructor(IToken t) { token = t; stakes[msg.sender].agent = msg.sender; }
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
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
abstract contract Shelf is AccessControlUpgradeable {
  bytes32 public constant KEEPER = keccak256("KEEPER");
  function prepareShelf(address keeper) internal { _grantRole(KEEPER, keeper); }
}
contract Library is Shelf {
  constructor() { _disableInitializers(); }
  function initialize(address keeper) external initializer { prepareShelf(keeper); }
}`,
      // A slot of its own for each account, and one that only the next governor claims.
      `pragma solidity ^0.8.20;
contract Governed {
  bytes32 private constant GOVERNOR = keccak256("governed.governor");
  bytes32 private constant NEXT = keccak256("governed.next");
  bytes32 private constant DELEGATES = keccak256("governed.delegates");
  uint256 public fee;
  constructor() { _setGovernor(msg.sender); }
  function governor() public view returns (address who) { bytes32 at = GOVERNOR; assembly { who := sload(at) } }
  function next() public view returns (address who) { bytes32 at = NEXT; assembly { who := sload(at) } }
  function _setGovernor(address to) internal { bytes32 at = GOVERNOR; assembly { sstore(at, to) } }
  function _setNext(address to) internal { bytes32 at = NEXT; assembly { sstore(at, to) } }
  modifier byGovernor() { require(msg.sender == governor(), "governor"); _; }
  function offer(address to) external byGovernor { _setNext(to); }
  function claim() external { require(msg.sender == next(), "next"); _setGovernor(msg.sender); }
  function setFee(uint256 to) external byGovernor { fee = to; }
  function delegate(address to) external {
    bytes32 at = keccak256(abi.encode(DELEGATES, msg.sender));
    assembly { sstore(at, to) }
  }
}`,
      `pragma solidity ^0.8.20;
library Sets {
  struct Set { bytes32[] values; mapping(bytes32 => uint256) places; }
  function add(Set storage set, bytes32 value) internal {
    if (set.places[value] != 0) return;
    set.values.push(value);
    set.places[value] = set.values.length;
  }
  function remove(Set storage set, bytes32 value) internal {
    uint256 place = set.places[value];
    if (place == 0) return;
    bytes32 last = set.values[set.values.length - 1];
    set.values[place - 1] = last;
    set.places[last] = place;
    set.values.pop();
    delete set.places[value];
  }
}
contract Roles {
  using Sets for Sets.Set;
  struct Role { Sets.Set members; bytes32 admin; }
  mapping(bytes32 => Role) roles;
  bytes32 constant ADMIN = 0;
  address wallet;
  constructor() { roles[ADMIN].members.add(bytes32(uint256(uint160(msg.sender)))); }
  function has(bytes32 role, address who) public view returns (bool) {
    return roles[role].members.places[bytes32(uint256(uint160(who)))] != 0;
  }
  function give(bytes32 role, address who) external {
    require(has(roles[role].admin, msg.sender));
    roles[role].members.add(bytes32(uint256(uint160(who))));
  }
  function renounce(bytes32 role, address who) external {
    require(who == msg.sender);
    roles[role].members.remove(bytes32(uint256(uint160(who))));
  }
  function setWallet(address to) external { require(has(ADMIN, msg.sender)); wallet = to; }
}`,
      `pragma solidity ^0.8.20;
contract Treasury {
  address public admin;
  address public pending;
  uint256 fee;
  constructor() { admin = msg.sender; }
  modifier auth() { if (msg.sender != admin) revert(); _; }
  function propose(address next) external auth { pending = next; }
  function accept() external {
    require(msg.sender == pending);
    admin = msg.sender;
  }
  function setFee(uint256 next) external auth { fee = next; }
}`,
      `pragma solidity ^0.8.20;
contract Throne {
  address public king;
  uint256 public price;
  string public motto;
  function claim() external payable {
    require(msg.value > price, "too little");
    king = msg.sender;
    price = msg.value;
  }
  function say(string calldata words) external { require(msg.sender == king); motto = words; }
}`,
      `pragma solidity ^0.8.20;
contract Items {
  mapping(uint256 => address) public ownerOf;
  mapping(uint256 => string) public names;
  mapping(address => bool) public registered;
  uint256 votes;
  function create(uint256 id) external {
    require(ownerOf[id] == address(0));
    ownerOf[id] = msg.sender;
  }
  function rename(uint256 id, string calldata to) external { require(ownerOf[id] == msg.sender); names[id] = to; }
  function register() external { registered[msg.sender] = true; }
  function vote() external { require(registered[msg.sender]); votes++; }
}`,
      `pragma solidity ^0.8.20;
contract Pot {
  struct Main { address owner; uint256 tag; address last; }
  Main main;
  constructor() { main.owner = msg.sender; }
  function deposit(uint256 tag) external payable { main.tag = tag; main.last = msg.sender; }
  function sweep() external { require(msg.sender == main.owner); payable(main.owner).transfer(address(this).balance); }
}`,
      `pragma solidity ^0.4.24;
library Roles {
  struct Role { mapping(address => bool) bearer; }
  function add(Role storage role, address who) internal { role.bearer[who] = true; }
  function remove(Role storage role, address who) internal { role.bearer[who] = false; }
  function has(Role storage role, address who) internal view returns (bool) { return role.bearer[who]; }
}
contract Minters {
  using Roles for Roles.Role;
  Roles.Role private minters;
  uint256 public cap;
  constructor() public { minters.add(msg.sender); }
  modifier onlyMinter() { require(minters.has(msg.sender)); _; }
  function add(address who) public onlyMinter { minters.add(who); }
  function renounce() public { _remove(msg.sender); }
  function _remove(address who) internal { minters.remove(who); }
  function setCap(uint256 to) public onlyMinter { cap = to; }
}`,
      // The role is bought, due, given up, or handed over by a function that asks.
      `pragma solidity ^0.8.20;
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Kiosk is Ownable {
  address constant DAO = address(0xDA0);
  uint256 immutable end = block.timestamp + 7 days;
  uint256 price = 1 ether;
  constructor() Ownable(msg.sender) {}
  function buy() external payable { require(msg.value >= price); _transferOwnership(msg.sender); }
  function inherit(address heir) external { require(block.timestamp > end); _transferOwnership(heir); }
  function retire() external { _transferOwnership(DAO); }
  function hand(address to) external onlyOwner { _hand(to); }
  function _hand(address to) internal { _transferOwnership(to); }
}
contract Begun is Ownable {
  bool begun;
  modifier initializer() { require(!begun); begun = true; _; }
  constructor() Ownable(address(0)) {}
  function start(address first) external initializer { _transferOwnership(first); }
}
contract House {
  address owner = msg.sender;
  uint256 public price = 1 ether;
  uint256 public rent;
  function _transferOwnership(address to) private { require(msg.sender == owner); owner = to; }
  function offer(address to) external { _transferOwnership(to); }
  function give(address to) external { _setOwner(to); }
  function _setOwner(address to) private { require(msg.sender == owner); owner = to; }
  function buy() external payable { require(msg.value >= price); owner = msg.sender; }
  function setRent(uint256 to) external { require(msg.sender == owner); rent = to; }
}
contract Late {
  address owner;
  bool begun;
  uint256 public rent;
  function begin(address first) external { require(!begun); begun = true; _begin(first); }
  function _begin(address first) private { owner = first; }
  function setRent(uint256 to) external { require(msg.sender == owner); rent = to; }
}`,
      // The parent hands out the role once; a nominee takes over after the price is paid; nothing asks who wrote the book.
      `pragma solidity ^0.8.20;
library Sets {
  struct Set { mapping(address => bool) holds; }
  function add(Set storage set, address one) internal { set.holds[one] = true; }
  function has(Set storage set, address one) internal view returns (bool) { return set.holds[one]; }
}
contract Roles {
  using Sets for Sets.Set;
  Sets.Set internal admins;
  bool private begun;
  modifier byAdmin() { require(admins.has(msg.sender), "admin"); _; }
  constructor() { admins.add(msg.sender); }
  function begin(address first) public {
    require(!begun, "begun");
    admins.add(first);
    begun = true;
  }
  function add(address next) external byAdmin { admins.add(next); }
}
contract Points is Roles {
  mapping(address => uint256) public points;
  function beginPoints(address first) public { begin(first); }
  function setPoints(address who, uint256 to) external byAdmin { points[who] = to; }
}
contract Estate {
  address public owner = msg.sender;
  address public heir;
  uint256 public due;
  uint256 public price;
  modifier byOwner() { require(msg.sender == owner, "owner"); _; }
  function setPrice(uint256 to) external byOwner { price = to; }
  function offer(address to, uint256 amount) external byOwner { heir = to; due = amount; }
  function complete() external payable {
    require(msg.value == due, "price");
    owner = heir;
  }
}
contract Book {
  address public author;
  address public coauthor;
  constructor() { author = msg.sender; }
  function invite(address other) external { coauthor = other; }
  function swap() external { author = coauthor; }
}`,
      `pragma solidity ^0.8.20;
contract Estate {
  address public owner = msg.sender;
  address public heir;
  uint256 public due;
  uint256 public price;
  modifier byOwner() { require(msg.sender == owner, "owner"); _; }
  function setPrice(uint256 to) external byOwner { price = to; }
  function offer(address to, uint256 amount) external byOwner { heir = to; due = amount; }
  function complete() external payable {
    require(msg.value == due, "price");
    owner = heir;
  }
  uint256 public from;
  function announce() external byOwner { from = block.timestamp + 30 days; }
  function succeed() external {
    require(from != 0 && block.timestamp >= from, "early");
    owner = heir;
  }
}
contract Guild {
  mapping(address => bool) public members;
  mapping(address => bool) public invited;
  uint256 public dues;
  constructor() { members[msg.sender] = true; }
  function invite(address who) external { require(members[msg.sender]); invited[who] = true; }
  function admit(address who) external { require(invited[who], "invitation"); members[who] = true; }
  function setDues(uint256 to) external { require(members[msg.sender]); dues = to; }
}
interface IRegister { function lists(address who) external view returns (bool); }
contract Club {
  IRegister immutable register;
  mapping(address => bool) public members;
  bool public closed;
  uint256 public dues;
  constructor(IRegister r) { register = r; members[msg.sender] = true; }
  function refresh(address who) external { require(!closed, "closed"); members[who] = register.lists(who); }
  function setDues(uint256 to) external { require(members[msg.sender]); dues = to; }
  function close(bool to) external { require(members[msg.sender]); closed = to; }
}`,
    ],
  },
}

/**
 * Whether an account named by the caller, or previously by someone else, gets the role: anyone can complete the
 * handover.
 */
const isHandedOver = (deed: Deed): boolean => {
  const { value, keys, path, demands } = deed
  if (demands.facts.some(isDue) || isVetted(deed)) return false
  // What another contract says of an account, or what arithmetic makes of an entry, is not what the caller says.
  if (path?.includes("[]") === true) return isNamed(keys) && (isNamed(value) || isFixed(value))
  return only(value, Source.state)
}

/** OpenZeppelin's internal functions that transfer roles, if the base has no source. */
const handsOver = /^_(transferOwnership|setOwner|grantRole|setupRole)$/
