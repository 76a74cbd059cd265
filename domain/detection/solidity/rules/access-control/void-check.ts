import type { Rule } from "../../../Rule.ts"
import { anySigners } from "../../access/checks/anySigner.ts"
import { idleGuards } from "../../access/checks/idleGuards.ts"
import { type IdleCheck, idleChecks } from "../../access/checks/idleChecks.ts"
import { type VoidReason, voidChecks } from "../../access/checks/voids.ts"
import { openStep } from "../../access/table/words.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeAt, placeOf } from "../../questions/authority/attackerControl.ts"

export const voidCheck: Rule<Program> = {
  meta: {
    id: "evm/access-control/void-check",
    class: "missing-access-control",
    title: "Ineffective caller check",
    severity: "medium",
    // that some condition is meant to keep strangers out is inferred from the code behind it
    confidence: "medium",
    cwe: [863, 284],
    swc: 105,
    description:
      "The condition looks like a caller check, but anyone can meet it: it is inverted, it compares an argument " +
      "instead of `msg.sender`, another argument bypasses it, its result is unused, the modifier is empty, or the " +
      "signature or proof does not cover an argument that decides what happens. Any account can run the code that " +
      "it was meant to protect.",
    remediation:
      "Compare `msg.sender` itself with the authorized account on every path, and revert if they differ. Include " +
      "every argument that decides what happens in the signed message or proof.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/863.html"],
  },
  check: (program, report) => {
    for (const { entry, deed, reason, expression, at, parameter, account } of voidChecks(program)) {
      const subject = parameter ?? account
      report({
        ...placeAt(at, expression),
        scope: at.callable.scope,
        message: subject === undefined ? why[reason] : `\`${subject.name}\`: ${why[reason]}`,
        // some projects mean such functions for everyone until then
        ...(reason === "unset" ? { severity: "low", confidence: "low" } : {}),
        trace: [
          { file: entry.fn.source.file, span: entry.fn.node.nameSpan, note: "anyone can call this" },
          { ...placeAt(at, expression), note: "the ineffective check" },
          ...callSteps(deed.reached.via),
          { ...placeOf(deed.reached.event), note: openStep(deed) },
        ],
      })
    }
    for (const flow of program.allFlows()) {
      for (const { at, expression } of anySigners(program, flow)) {
        if (at.callable === flow.fn) report({ ...placeAt(at, expression), scope: flow.fn.scope, message: why.anybody })
      }
      for (const node of idleGuards(flow)) {
        report({
          ...placeAt(node, node.expression!),
          scope: node.callable.scope,
          message: "Nothing depends on this condition: both outcomes lead to the same step.",
        })
      }
    }
    for (const { reason, check, named } of idleChecks(program)) {
      report({
        file: check.source.file,
        span: check.node.nameSpan,
        scope: check.scope,
        message: idle[reason],
        trace: named.slice(0, 5).map((fn) => ({
          file: fn.source.file,
          span: fn.node.nameSpan,
          note: "this function relies on it",
        })),
      })
    }
  },
  examples: {
    vulnerable: [
      // The argument serves the check alone.
      `pragma solidity ^0.8.20;
contract Prices {
  address immutable second;
  uint256 price;
  uint256 fee;
  constructor(address b) { second = b; }
  function setFee(uint256 to) external { require(msg.sender == second); fee = to; }
  function refresh(address by) external returns (uint256) {
    check(by); // FINDING
    price = block.number;
    return price - fee;
  }
  function check(address by) internal view { require(by == second); }
}`,
      // The caller chooses the list that they are on.
      `pragma solidity ^0.8.20;
interface IVault { function isMember(address pool, address who) external view returns (bool); }
contract Desk {
  IVault immutable vault;
  uint256 count;
  constructor(IVault v) { vault = v; }
  function raise(address pool) external {
    require(vault.isMember(pool, msg.sender)); // FINDING
    count++;
  }
}`,
      // Others decide about the roles, and the sender which one they need.
      `pragma solidity ^0.8.20;
contract Roles {
  mapping(address => mapping(bytes32 => bool)) roles;
  uint256 revisions;
  constructor() { roles[msg.sender]["admin"] = true; }
  function grant(address who, bytes32 role) external { require(roles[msg.sender]["admin"]); roles[who][role] = true; }
  function update(bytes32 role) external {
    require(roles[msg.sender][role]); // FINDING
    revisions++;
  }
}`,
      // The spender is not part of what was signed.
      `pragma solidity ^0.8.20;
import {EIP712} from "@openzeppelin/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/SignatureChecker.sol";
contract P is EIP712 {
  mapping(address => uint256) nonces;
  mapping(address => mapping(address => uint256)) allowed;
  bytes32 constant T = keccak256("Permit(address owner,uint256 value,uint256 nonce,uint256 deadline)");
  function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external {
    require(block.timestamp <= deadline);
    bytes32 structHash = keccak256(abi.encode(T, owner, value, nonces[owner]++, deadline));
    bytes32 hash = _hashTypedDataV4(structHash);
    require(SignatureChecker.isValidSignatureNow(owner, hash, signature)); // FINDING
    allowed[owner][spender] = value;
  }
}`,
      // The owner of another item than the one concerned; an answer that is large enough, or from whom the caller's
      // contract names; nobody calls from address(0); all but the owner of the item.
      `pragma solidity ^0.8.20;
interface ICards { function ownerOf(uint256 id) external view returns (address); }
interface IBook { function shares(address who) external view returns (uint256); function desk() external view returns (IDesk); }
interface IDesk { function allows(address who) external view returns (bool); }
contract Stakes {
  ICards immutable cards;
  address public next;
  address owner = msg.sender;
  uint256 public rate;
  mapping(uint256 => uint256) public points;
  mapping(uint256 => address) public holderOf;
  constructor(ICards c) { cards = c; }
  function stake(uint256 id) external { require(holderOf[id] == address(0)); holderOf[id] = msg.sender; }
  function reset(uint256 id, uint256 other) external {
    require(cards.ownerOf(other) == msg.sender); // FINDING
    points[id] = 0;
  }
  function drop(uint256 id, uint256 by) external {
    if (msg.sender != holderOf[by]) revert(); // FINDING
    delete points[id];
  }
  function double(uint256 id) external {
    require(cards.ownerOf(id) == msg.sender);
    points[id] *= 2;
  }
  function halve(uint256 id) external {
    require(cards.ownerOf(id) != msg.sender); // FINDING
    points[id] /= 2;
  }
  function setRate(uint256 to, IBook book) external {
    require(book.shares(msg.sender) > 1000); // FINDING
    rate = to;
  }
  function raiseRate(IBook book) external {
    require(1000 <= book.shares(msg.sender)); // FINDING
    rate += 1;
  }
  function lowerRate(IBook book) external {
    require(book.desk().allows(msg.sender)); // FINDING
    rate -= 1;
  }
  function nominate(address who) external { require(msg.sender == owner); next = who; }
  function accept() external {
    require(msg.sender == next || msg.sender != address(0)); // FINDING
    owner = next;
  }
}`,
      // Nothing depends on what a base without source says about the caller.
      `pragma solidity ^0.8.20;
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
contract Fee is AccessControl {
  bytes32 constant ADMIN = keccak256("ADMIN");
  uint256 public fee;
  modifier onlyAdmin() {
    if (hasRole(ADMIN, _msgSender())) {} // FINDING
    _;
  }
  function setFee(uint256 to) external onlyAdmin { fee = to; }
}`,
      // Nothing depends on the condition; all but the one whom the entry names pass.
      `pragma solidity ^0.8.20;
interface IDesk { function allows(address who) external view returns (bool); function check(address who) external view; }
contract Safe {
  error Denied();
  address owner = msg.sender;
  IDesk immutable desk;
  mapping(address => mapping(address => uint256)) allowed;
  mapping(address => uint256) held;
  constructor(IDesk d) { desk = d; }
  function drain(address payable to) external {
    if (msg.sender != owner) {} // FINDING
    to.transfer(address(this).balance);
  }
  function change(address next) external {
    if (!desk.allows(msg.sender)) { /* revert Denied(); */ } // FINDING
    owner = next;
  }
  function open(address next) external {
    try desk.check(msg.sender) {} catch {} // FINDING
    owner = next;
  }
  function take(address from, uint256 amount) external { _take(msg.sender, from, amount); }
  function _take(address by, address from, uint256 amount) internal {
    if (address(by) != from) { } // FINDING
    held[from] -= amount;
  }
}
contract Names {
  struct Name { address holder; address target; }
  mapping(bytes32 => Name) names;
  mapping(bytes32 => address) public keeperOf;
  function register(bytes32 name) external {
    require(names[name].holder == address(0));
    names[name].holder = msg.sender;
    keeperOf[name] = msg.sender;
  }
  function point(bytes32 name, address to) external {
    require(msg.sender != names[name].holder); // FINDING
    names[name].target = to;
  }
  function keep(bytes32 name, address to) external {
    if (msg.sender == keeperOf[name]) revert(); // FINDING
    keeperOf[name] = to;
  }
}`,
      // What a known contract says of the hash is dropped; functions of its own are run for whoever names the root.
      `pragma solidity ^0.8.20;
interface IGateway { function validate(bytes32 id, bytes32 hash) external returns (bool); }
contract Receiver {
  IGateway immutable gateway;
  mapping(address => uint256) public credit;
  constructor(IGateway g) { gateway = g; }
  function execute(bytes32 id, bytes calldata payload) external {
    gateway.validate(id, keccak256(payload)); // FINDING
    (address to, uint256 amount) = abi.decode(payload, (address, uint256));
    credit[to] += amount;
  }
}
contract Spoke {
  bool private inside;
  address public root;
  uint256 public fee;
  event Received(address from);
  constructor(address r) { root = r; }
  modifier fromRoot() { require(inside, "root"); _; }
  modifier opens() { require(!inside); inside = true; _; inside = false; }
  function setFee(uint256 to) external fromRoot { fee = to; }
  function receiveMessage(address from, bytes calldata data) external opens {
    require(from == root, "root"); // FINDING
    (bool ok, ) = address(this).delegatecall(data);
    require(ok);
    emit Received(from);
  }
}`,
      // What is signed or proven leaves out what decides, or anyone may have signed.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Drop {
  bytes32 immutable root;
  IERC20 immutable token;
  mapping(bytes32 => bool) used;
  constructor(bytes32 r, IERC20 t) { root = r; token = t; }
  function claim(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    bytes32 leaf = keccak256(abi.encode(index, amount));
    require(!used[leaf], "used");
    used[leaf] = true;
    require(MerkleProof.verify(proof, root, leaf)); // FINDING
    require(token.transfer(to, amount));
  }
}
contract Keys {
  mapping(address => address) public keyOf;
  mapping(address => address) public proxyOf;
  mapping(address => uint256) public nonceOf;
  constructor(address key) { keyOf[msg.sender] = key; }
  function change(address account, address next, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(address(this), block.chainid, account, nonceOf[account]++));
    require(keyOf[account] != address(0) && ecrecover(hash, v, r, s) == keyOf[account], "key"); // FINDING
    keyOf[account] = next;
  }
  function authorize(address account, address next, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(address(this), block.chainid, account, next, nonceOf[account]++));
    address signer = ecrecover(hash, v, r, s);
    require(signer != address(0), "signature"); // FINDING
    proxyOf[account] = next;
  }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  address owner = msg.sender;
  uint256 public fee;
  modifier byOwner() {
    require(msg.sender != owner); // FINDING
    _;
  }
  function setFee(uint256 to) external byOwner { fee = to; }
}`,
      `pragma solidity ^0.8.20;
contract Till {
  address immutable clerk;
  constructor(address who) { clerk = who; }
  function take(address payable to, address who) external {
    if (who != clerk) revert(); // FINDING
    to.transfer(address(this).balance);
  }
  receive() external payable {}
}`,
      `pragma solidity ^0.8.20;
contract Limits {
  address keeper = msg.sender;
  uint256 public most;
  function setMost(uint256 to) external {
    require(msg.sender == keeper || to > 10); // FINDING
    most = to;
  }
}`,
      `pragma solidity ^0.8.20;
contract Limits {
  address keeper = msg.sender;
  uint256 public most;
  function setMost(uint256 to) external {
    if (to > 10) require(msg.sender == keeper, "keeper"); // FINDING
    most = to;
  }
}`,
      `pragma solidity ^0.8.20;
contract Rates {
  mapping(address => bool) setters;
  uint256 public rate;
  constructor(address first) { setters[first] = true; }
  function maySet(address who) public view returns (bool) { return setters[who]; }
  function setRate(uint256 to) external {
    maySet(msg.sender); // FINDING
    rate = to;
  }
}`,
      `pragma solidity ^0.8.20;
contract Ledger {
  address clerk = msg.sender;
  mapping(bytes32 => uint256) entries;
  modifier byClerk() { // FINDING
    _;
  }
  function enter(bytes32 key, uint256 to) external byClerk { entries[key] = to; }
}`,
      // The caller names who answers, which role is asked, or a role that nobody has.
      `pragma solidity ^0.8.20;
interface IRoles { function hasRole(bytes32 role, address who) external view returns (bool); }
interface IAsked { function allows(address who) external view returns (bool); function owner() external view returns (address); }
contract Terms {
  IRoles immutable roles;
  mapping(bytes32 => address) roleOf;
  mapping(uint256 => mapping(address => bool)) lists;
  uint256 public rate;
  uint256 public cap;
  constructor(IRoles r) { roles = r; }
  function setRole(bytes32 role, address to) external { require(roles.hasRole("chief", msg.sender)); roleOf[role] = to; }
  function setList(uint256 list, address who) external { require(roles.hasRole("chief", msg.sender)); lists[list][who] = true; }
  function setByAsked(uint256 to, IAsked by) external {
    require(by.allows(msg.sender), "denied"); // FINDING
    rate = to;
  }
  function setByOwner(uint256 to, address by) external {
    if (IAsked(by).owner() != msg.sender) revert(); // FINDING
    rate = to;
  }
  function setByRole(uint256 to, bytes32 role) external {
    require(roles.hasRole(role, msg.sender)); // FINDING
    rate = to;
  }
  modifier listed(uint256 list) { require(lists[list][msg.sender]); _; } // FINDING
  function setByList(uint256 to, uint256 list) external listed(list) { cap = to; }
  function setByUnset(uint256 to, bytes32 role) external {
    require(roleOf[role] == address(0) || roleOf[role] == msg.sender); // FINDING
    cap = to;
  }
}`,
      // Nobody is asked for until an account is set; whoever is asked is told of the caller, too.
      `pragma solidity ^0.8.20;
interface IJudge { function allowed(address who, bytes4 what) external returns (bool); }
contract Till {
  address immutable chief = msg.sender;
  address public keeper;
  address public next;
  uint256 public rate;
  function setKeeper(address to) external { require(msg.sender == chief); keeper = to; }
  modifier byKeeper() {
    require(keeper == address(0) || keeper == msg.sender, "keeper"); // FINDING
    _;
  }
  function setRate(uint256 to) external byKeeper { rate = to; }
  function sweep(IJudge by, address payable to) external {
    if (!by.allowed(msg.sender, msg.sig)) revert(); // FINDING
    to.transfer(address(this).balance);
  }
  receive() external payable {}
}`,
      // Who is admitted elsewhere is refused here; every account is the origin of its transaction; a member of the request is compared.
      `pragma solidity ^0.8.20;
interface IDesk { function isKeeper(address who) external view returns (bool); function isBanned(address who) external view returns (bool); }
contract Terms {
  struct Request { address by; uint256 rate; }
  IDesk immutable desk;
  address immutable keeper = msg.sender;
  uint256 public rate;
  uint256 public cap;
  constructor(IDesk d) { desk = d; }
  function setCap(uint256 to) external { require(desk.isKeeper(msg.sender)); cap = to; }
  function setRate(uint256 to) external {
    require(!desk.isKeeper(msg.sender)); // FINDING
    rate = to;
  }
  function setBoth(uint256 to) external {
    require(msg.sender == keeper || msg.sender == tx.origin); // FINDING
    rate = to;
    cap = to;
  }
  function request(Request calldata r) external {
    require(r.by == keeper); // FINDING
    rate = r.rate;
  }
}`,
      // Nothing uses the answer.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/AccessControl.sol";
interface IDesk { function allows(address who) external view returns (bool); }
contract Terms is AccessControl {
  IDesk immutable desk;
  mapping(address => bool) keepers;
  address immutable chief = msg.sender;
  uint256 public rate;
  constructor(IDesk d) { desk = d; keepers[msg.sender] = true; }
  function isKeeper() internal view returns (bool) { return keepers[msg.sender]; }
  function setByRole(uint256 to) external {
    hasRole(DEFAULT_ADMIN_ROLE, msg.sender); // FINDING
    rate = to;
  }
  function setByDesk(uint256 to) external {
    bool allowed = desk.allows(msg.sender); // FINDING
    rate = to;
  }
  function setByKeeper(uint256 to) external {
    isKeeper(); // FINDING
    rate = to;
  }
  function setByChief(uint256 to) external {
    bool isChief = msg.sender == chief; // FINDING
    rate = to;
  }
}`,
      // An account that serves no other purpose is looked up in the sender's place, also by the function that asks.
      `pragma solidity ^0.8.20;
interface IBook { function may(address owner, address operator) external view returns (bool); function take(address who, address to, uint256 n) external; }
interface IMinter { function send(address to, uint256 n) external; function pull(address from, uint256 n) external; }
contract Accounts {
  mapping(address => mapping(address => bool)) allowed;
  mapping(address => uint256) wards;
  mapping(uint256 => address) ownerOf;
  mapping(uint256 => address) targetOf;
  mapping(address => address) target;
  address boss = msg.sender;
  IBook immutable book;
  IMinter immutable minter;
  uint256 public rate;
  constructor(IBook b, IMinter m) { book = b; minter = m; wards[msg.sender] = 1; }
  function allow(address who, bool yes) external { allowed[msg.sender][who] = yes; }
  function setBoss(address to) external { require(msg.sender == boss); boss = to; }
  function make(uint256 id) external { require(ownerOf[id] == address(0)); ownerOf[id] = msg.sender; }
  function may(address owner, address operator) public view returns (bool) { return owner == operator || allowed[owner][operator]; }
  function point(address from, address by, address to) external {
    require(may(from, by)); // FINDING
    target[from] = to;
  }
  function pointItem(uint256 id, address by, address to) external {
    require(ownerOf[id] == by); // FINDING
    targetOf[id] = to;
  }
  function take(address from, address by, address to, uint256 n) external {
    if (!book.may(from, by)) revert(); // FINDING
    book.take(from, to, n);
  }
  modifier ward(address by) { require(wards[by] == 1); _; } // FINDING
  function setRate(address by, uint256 to) external ward(by) { rate = to; }
  function setRateOf(uint256 id, address by, uint256 to) external {
    require(by == boss || by == ownerOf[id]); // FINDING
    rate = to;
  }
  function fund(address by, uint256 n) external {
    require(by == boss); // FINDING
    minter.send(address(this), n);
    minter.pull(msg.sender, n);
  }
}`,
      // What is called as a check is empty, always says yes, or only asks whether there is an account.
      `pragma solidity ^0.8.20;
interface IPolicy { function admits(address who) external view returns (bool); }
contract Policy is IPolicy {
  function admits(address who) external view override returns (bool) { return true; } // FINDING
}
contract Terms {
  IPolicy immutable policy;
  address keeper;
  address chief;
  uint256 public rate;
  uint256 public cap;
  constructor(IPolicy p) { policy = p; keeper = msg.sender; chief = msg.sender; }
  function isKeeper(address who) internal pure returns (bool) { return true; } // FINDING
  function _onlyKeeper(address who) internal view { } // FINDING
  function setRate(uint256 to) external { require(isKeeper(msg.sender)); rate = to; }
  function setCap(uint256 to) external { _onlyKeeper(msg.sender); cap = to; }
  function setBoth(uint256 to) external { require(policy.admits(msg.sender)); rate = to; cap = to; }
}
contract Fees {
  address owner;
  address other;
  uint256 public fee;
  uint256 public cut;
  constructor() { owner = msg.sender; other = msg.sender; }
  modifier byOwner() { require(address(owner) != address(0)); _; } // FINDING
  event Handed(address from, address to);
  function setFee(uint256 to) external byOwner { fee = to; }
  function hand(address to) external byOwner { emit Handed(owner, to); owner = to; }
  modifier byEither() { bool ok = msg.sender == address(this) || msg.sender == other; _; } // FINDING
  function setCut(uint256 to) external byEither { cut = to; }
}`,
      // The signer is only counted; who is approved, and until when, is not signed.
      `pragma solidity ^0.8.20;
contract Permits {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => uint256)) allowance;
  mapping(address => mapping(address => bool)) isAllowed;
  function allow(address owner, address manager, bool yes, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    address by = ecrecover(keccak256(abi.encode(domain, owner, manager, yes, nonce)), v, r, s);
    if (by == address(0)) revert(); // FINDING
    if (nonce != nonces[by]++) revert();
    isAllowed[owner][manager] = yes;
  }
  function permit(address owner, address spender, bool yes, uint256 nonce, uint256 until, uint8 v, bytes32 r, bytes32 s) external {
    require(owner != address(0) && block.timestamp <= until && nonce == nonces[owner]++);
    require(owner == ecrecover(keccak256(abi.encode(domain, owner, nonce, until, yes)), v, r, s)); // FINDING
    allowance[owner][spender] = yes ? 1 : 0;
  }
  function permitUntil(address owner, address spender, bool yes, uint256 nonce, uint256 until, uint8 v, bytes32 r, bytes32 s) external {
    require(owner != address(0) && block.timestamp <= until && nonce == nonces[owner]++);
    require(owner == ecrecover(keccak256(abi.encode(domain, owner, nonce, spender, yes)), v, r, s)); // FINDING
    allowance[owner][spender] = yes ? 1 : 0;
  }
}`,
      // Of the signer, only the existence is asked.
      `pragma solidity ^0.8.20;
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Relay {
  struct Order { address maker; uint256 amount; uint256 deadline; }
  address public immutable entry;
  address public owner;
  mapping(bytes32 => bool) done;
  event Signed(address by);
  constructor(address e) { entry = e; owner = msg.sender; }
  function fill(Order calldata order, bytes calldata signature) external payable {
    bytes32 h = keccak256(abi.encode(block.chainid, address(this), order));
    require(!done[h], "done");
    done[h] = true;
    _verify(h, signature);
    payable(order.maker).transfer(order.amount);
  }
  function _verify(bytes32 h, bytes calldata signature) private pure {
    address signer = ECDSA.recover(h, signature);
    if (signer == address(0)) revert(); // FINDING
  }
  function validate(bytes32 h, bytes calldata signature) external returns (uint256) {
    require(msg.sender == entry, "entry");
    address signer;
    signer = ECDSA.recover(h, signature);
    emit Signed(signer);
    return signer != address(0) ? 0 : 1; // FINDING
  }
  function isValid(bytes32 h, uint8 v, bytes32 r, bytes32 s) external pure returns (bool) {
    return address(0) != ecrecover(h, v, r, s); // FINDING
  }
  function known(bytes32 h, bytes calldata signature) external view returns (bool) {
    (address signer, ) = _try(h, signature);
    return signer != address(0); // FINDING
  }
  function _try(bytes32 h, bytes calldata signature) private pure returns (address, bool) {
    return (ECDSA.recover(h, signature), true);
  }
}`,
      // Everyone may finish what was never begun.
      `pragma solidity ^0.8.20;
contract Wallet {
  address public guardian;
  address public next;
  address public owner;
  uint256 public readyAt;
  constructor(address g) { guardian = g; owner = msg.sender; }
  function propose(address to) external { require(msg.sender == guardian); next = to; readyAt = block.timestamp + 9 days; }
  function cancel() external { require(msg.sender == owner); readyAt = 0; }
  function finish() external {
    require(msg.sender == guardian || block.timestamp >= readyAt, "early"); // FINDING
    owner = next;
  }
}`,
      // The proof names nobody, or not the place where it is marked as used.
      `pragma solidity ^0.8.20;
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Drop {
  IERC20 immutable token;
  bytes32 public immutable root;
  mapping(uint256 => bool) done;
  mapping(uint256 => uint256) private words;
  constructor(IERC20 t, bytes32 r) { token = t; root = r; }
  function claim(uint256 index, uint256 amount, bytes32[] calldata proof) external {
    require(!done[index], "done");
    done[index] = true;
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(index, amount))), "proof"); // FINDING
    require(token.transfer(msg.sender, amount));
  }
  function claimEther(uint256 index, uint256 amount, bytes32[] calldata proof) external {
    require(!done[index], "done");
    done[index] = true;
    if (!MerkleProof.verifyCalldata(proof, root, keccak256(abi.encode(index, amount)))) revert(); // FINDING
    payable(msg.sender).transfer(amount);
  }
  function claimFor(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    require(words[index >> 8] & (1 << (index & 0xff)) == 0, "done");
    words[index >> 8] |= 1 << (index & 0xff);
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(to, amount))), "proof"); // FINDING
    require(token.transfer(to, amount));
  }
}`,
      // An argument is asked about in one case, and in the other nobody is; of two helpers of one name, one checks nothing.
      `pragma solidity ^0.8.20;
interface ICards { function isApproved(address who, uint256 id) external view returns (bool); function next() external returns (uint256); }
contract Cover {
  ICards immutable cards;
  mapping(uint256 => uint256) public amountOf;
  event Bought(uint256 id, address by);
  constructor(ICards c) { cards = c; }
  function buy(uint256 id, uint256 amount, address buyer) external {
    if (id != 0) require(cards.isApproved(buyer, id)); // FINDING
    else id = cards.next();
    amountOf[id] = amount;
    emit Bought(id, buyer);
  }
}
contract Market {
  address internal admin = msg.sender;
  uint256 internal fee;
  function ensureAdmin() internal view {} // FINDING
  function setFee(uint256 to) external { ensureAdmin(); fee = to; }
}
contract OldMarket {
  address internal admin = msg.sender;
  uint256 internal fee;
  function ensureAdmin() internal view { require(msg.sender == admin); }
  function setFee(uint256 to) external { ensureAdmin(); fee = to; }
}`,
      // Whose signature it is, nobody asks, though a library refuses what is not one.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Orders {
  mapping(bytes32 => bool) public done;
  event Done(bytes32 id, address by);
  function cancel(bytes32 id, bytes calldata signature) external {
    address signer = ECDSA.recover(id, signature); // FINDING
    done[id] = true;
    emit Done(id, signer);
  }
}`,
      // The account that is asked for is set from the start, and can be given up.
      `pragma solidity ^0.8.20;
contract Resigned {
  address internal keeper;
  uint256 public fee;
  constructor(address first) { keeper = first; }
  function resign() external { require(msg.sender == keeper); keeper = address(0); }
  function setFee(uint256 to) external {
    require(keeper == address(0) || msg.sender == keeper); // FINDING
    fee = to;
  }
}`,
    ],
    safe: [
      // Both outcomes of a branch on an argument lead on.
      `pragma solidity ^0.8.20;
interface IBridge { function count() external view returns (uint256); function note(uint256 n) external; }
contract Setup {
  struct Config { uint256 first; address boss; }
  IBridge immutable bridge;
  uint256 public next;
  constructor(IBridge b) { bridge = b; }
  function start(Config calldata config) external {
    uint256 n = bridge.count();
    if (n == config.first) n += 1;
    next = n;
  }
}`,
      // An account that is set from the start, and only ever replaced.
      `pragma solidity ^0.8.20;
contract Replaced {
  address immutable boss = msg.sender;
  address internal keeper;
  uint256 public fee;
  constructor(address first) { keeper = first; }
  function replace(address next) external { require(msg.sender == boss); keeper = next; }
  function take() external { require(msg.sender == keeper); keeper = msg.sender; }
  function setFee(uint256 to) external {
    require(keeper == address(0) || msg.sender == keeper);
    fee = to;
  }
}`,
      // The sender gives up something for what they name.
      `pragma solidity ^0.8.20;
contract Votes {
  address current;
  uint256 total;
  uint256 passed;
  mapping(address => uint256) power;
  function lodge(address proposal) external payable { require(current == address(0)); current = proposal; power[msg.sender] += msg.value; }
  function vote(address proposal, uint256 n) external {
    require(proposal == current);
    power[msg.sender] -= n;
    total += n;
  }
  function execute() external { require(msg.sender == current && total > 9); passed++; }
}`,
      // The argument says what the function is to return.
      `pragma solidity ^0.8.20;
contract Prices {
  address immutable first;
  address immutable second;
  uint256 price;
  uint256 updated;
  uint256 fee;
  constructor(address a, address b) { first = a; second = b; }
  function setFee(uint256 to) external { require(msg.sender == second); fee = to; }
  function refresh(address asset) external returns (uint256) {
    price = block.number;
    return last(asset);
  }
  function last(address asset) public view returns (uint256) { require(asset == second); return price - fee; }
}`,
      // A call that does what is asked for is no question about the caller.
      `pragma solidity ^0.8.20;
interface IVault { function withdraw(address pool, address to) external returns (bool); function isMember(address pool, address who) external view returns (bool); }
contract Desk {
  IVault immutable vault;
  uint256 count;
  constructor(IVault v) { vault = v; }
  function withdraw(address pool) external { count++; require(vault.withdraw(pool, msg.sender)); }
}`,
      // Nobody has two turns in a row.
      `pragma solidity ^0.8.20;
contract Turns {
  address last;
  uint256 turns;
  function turn() external {
    require(last != msg.sender);
    last = msg.sender;
    turns++;
  }
}`,
      // The argument says which of their own drafts the sender means.
      `pragma solidity ^0.8.20;
contract Drafts {
  mapping(address => mapping(bytes32 => bool)) drafts;
  uint256 revisions;
  event Updated(address by, string slug, string text);
  function create(string memory slug) external { drafts[msg.sender][keccak256(bytes(slug))] = true; }
  function update(string memory slug, string memory text) external {
    require(drafts[msg.sender][keccak256(bytes(slug))]);
    revisions++;
    emit Updated(msg.sender, slug, text);
  }
}`,
      // Who has signed is asked in a helper, or by the caller.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Minter {
  mapping(address => bool) internal listed;
  uint256 internal sum;
  event Minted(address by);
  constructor() { listed[msg.sender] = true; }
  function verify(bytes32 id, bytes calldata signature) public view returns (bool, address) {
    address signer = ECDSA.recover(id, signature);
    return (listed[signer], signer);
  }
  function checked(bytes32 id, bytes calldata signature) internal view returns (address signer) {
    bool ok;
    (ok, signer) = verify(id, signature);
    require(ok);
  }
  function mint(bytes32 id, bytes calldata signature) external {
    address signer = checked(id, signature);
    sum += 1;
    emit Minted(signer);
  }
  function answer(bytes32 id, bytes calldata signature) external view returns (bytes4 result) {
    bool ok = SignatureChecker.isValidSignatureNow(address(this), id, signature);
    assembly { result := shl(224, ok) }
  }
}
contract Orders {
  address immutable boss = msg.sender;
  mapping(bytes32 => bool) public done;
  event Done(bytes32 id, address by);
  function signerOf(bytes32 id, bytes calldata signature) internal view returns (address who) {
    who = ECDSA.recover(id, signature);
    require(who == boss);
  }
  function cancel(bytes32 id, bytes calldata signature) external {
    address signer = signerOf(id, signature);
    done[id] = true;
    emit Done(id, signer);
  }
  function read(bytes32 id, bytes calldata signature) external pure returns (address by) { by = ECDSA.recover(id, signature); }
}`,
      // Policies, of which others may be chosen, or that another contract replaces.
      `pragma solidity ^0.8.20;
contract Open {
  uint256 internal fee;
  function ensure() internal view virtual {}
  function setFee(uint256 to) external { ensure(); fee = to; }
}
contract Closed is Open {
  address internal admin = msg.sender;
  function ensure() internal view override { require(msg.sender == admin); }
}
contract Reopened is Closed {
  function ensure() internal view override {}
}
contract Free {
  uint256 internal sum;
  function allows(address) public pure returns (bool) { return true; }
  function add(address who, uint256 n) external { require(allows(who)); sum += n; }
}
contract Listed {
  mapping(address => bool) internal listed;
  uint256 internal sum;
  constructor() { listed[msg.sender] = true; }
  function allows(address who) public view returns (bool) { return listed[who]; }
  function add(uint256 n) external { require(allows(msg.sender)); sum += n; }
}`,
      // Whoever signed votes, in what the event says about it.
      `pragma solidity ^0.8.20;
contract Ballot {
  mapping(address => uint256) power;
  mapping(uint256 => mapping(address => bool)) voted;
  mapping(uint256 => uint256) public sum;
  event Voted(address by, uint256 weight);
  function vote(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
    address by = ecrecover(keccak256(abi.encode(id, address(this))), v, r, s);
    if (by == address(0)) revert();
    emit Voted(by, count(id, by));
  }
  function count(uint256 id, address by) internal returns (uint256) {
    require(!voted[id][by]);
    voted[id][by] = true;
    sum[id] += power[by];
    return power[by];
  }
}`,
      // A library without source checks a signature over everything that is set.
      `pragma solidity ^0.8.20;
import {EIP712} from "@openzeppelin/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/SignatureChecker.sol";
contract P is EIP712 {
  mapping(address => uint256) nonces;
  mapping(address => mapping(address => uint256)) allowed;
  bytes32 constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external {
    require(block.timestamp <= deadline);
    bytes32 structHash = keccak256(abi.encode(T, owner, spender, value, nonces[owner]++, deadline));
    bytes32 hash = _hashTypedDataV4(structHash);
    require(SignatureChecker.isValidSignatureNow(owner, hash, signature));
    allowed[owner][spender] = value;
  }
}`,
      // The item asked about is the one concerned, also in assembly; or none is. A known book, and one that says the
      // caller is small enough. The sender must not own what they vote on.
      `pragma solidity ^0.8.20;
interface ICards { function ownerOf(uint256 id) external view returns (address); }
interface IBook { function shares(address who) external view returns (uint256); function desk() external view returns (IDesk); }
interface IDesk { function allows(address who) external view returns (bool); }
contract Stakes {
  ICards immutable cards;
  IBook immutable known;
  uint256 public rate;
  mapping(uint256 => uint256) public points;
  mapping(uint256 => uint256) public votes;
  mapping(uint256 => mapping(address => bool)) public voted;
  mapping(address => uint256) public seen;
  constructor(ICards c, IBook b) { cards = c; known = b; }
  function move(uint256 from, uint256 to) external {
    require(cards.ownerOf(from) == msg.sender);
    points[to] += points[from];
    points[from] = 0;
  }
  function setRate(uint256 to, address) external { require(known.shares(msg.sender) > 1000); rate = to; }
  function lowerRate() external { require(known.desk().allows(msg.sender)); rate -= 1; }
  function join(IBook book) external { require(book.shares(msg.sender) < 10); seen[msg.sender] = 1; }
  function vote(uint256 id) external {
    require(cards.ownerOf(id) != msg.sender && !voted[id][msg.sender]);
    voted[id][msg.sender] = true;
    votes[id] += 1;
  }
}
contract Admins {
  function change(address proxy, address admin) external {
    assembly {
      mstore(0x0c, address())
      mstore(0x00, proxy)
      let slot := keccak256(0x0c, 0x20)
      if iszero(eq(sload(slot), caller())) { revert(0, 0) }
      sstore(slot, admin)
    }
  }
}`,
      // The account decides what happens, or the sender is asked as well; a table that nobody is asked for.
      `pragma solidity ^0.8.20;
interface IBook { function may(address owner, address operator) external view returns (bool); function give(address from, uint256 n) external returns (bool); function take(address who, address to, uint256 n) external; }
contract Accounts {
  struct Ask { address by; uint256 rate; }
  mapping(address => mapping(address => bool)) allowed;
  mapping(address => uint256) wards;
  mapping(uint256 => address) targetOf;
  mapping(uint256 => uint256) countOf;
  mapping(address => address) target;
  mapping(address => uint256) counts;
  mapping(address => bool) banned;
  address boss = msg.sender;
  address token = msg.sender;
  IBook immutable book;
  uint256 public rate;
  constructor(IBook b) { book = b; wards[msg.sender] = 1; }
  function allow(address who, bool yes) external { allowed[msg.sender][who] = yes; }
  function ban(address who) external { require(msg.sender == boss); banned[who] = true; }
  function setToken(address to) external { require(msg.sender == boss); token = to; }
  function may(address owner, address operator) public view returns (bool) { return owner == operator || allowed[owner][operator]; }
  function count(address from, address by) external { require(may(from, by)); counts[by] += 1; }
  function countAll(address from, address by) external { require(may(from, by)); _count(by); }
  function _count(address by) private { counts[by] += 1; }
  function point(address from, address by, address to) external { require(may(from, by) && may(by, msg.sender)); target[from] = to; }
  function either(address by, uint256 to) external { require(msg.sender == boss || wards[by] == 1 && by == msg.sender); rate = to; }
  function none(address by, uint256 id) external { require(!banned[by]); countOf[id] += 1; }
  function pay(address from, uint256 n) external { require(book.give(from, n)); rate += 1; }
  function fund(address asset, uint256 n) external { require(asset == token); book.take(msg.sender, address(this), n); }
}`,
      // A hook that others fill in, one of several policies, a question about nobody, and a function that changes something.
      `pragma solidity ^0.8.20;
interface IPolicy { function admits(address who) external view returns (bool); }
contract Open is IPolicy { function admits(address) external view override returns (bool) { return true; } }
contract Listed is IPolicy {
  mapping(address => bool) listed;
  constructor() { listed[msg.sender] = true; }
  function admits(address who) external view override returns (bool) { return listed[who]; }
}
abstract contract Base {
  IPolicy immutable policy;
  uint256 public rate;
  uint256 public cap;
  address owner = msg.sender;
  address next;
  constructor(IPolicy p) { policy = p; }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function isRateProvider() public pure returns (bool) { return true; }
  function isFinal(address who) public pure returns (bool) { return true; }
  function drop(address who) external { isFinal(who); try this.note(who) {} catch {} try this.look(who) {} catch { rate = 0; } rate = 1; }
  function note(address who) external onlyOwner { rate = 5; }
  function look(address who) external view onlyOwner {}
  function _before(address who) internal virtual returns (bool) { return true; }
  function _may(address who) internal view virtual returns (bool) { return true; }
  function _note(address who) internal {}
  function _owned() internal view onlyOwner {}
  function _checked(address who) internal view virtual {}
  function setRate(uint256 to) external { require(_before(msg.sender) && _may(msg.sender) && isRateProvider()); _note(msg.sender); _owned(); _checked(msg.sender); rate = to; }
  function setCap(uint256 to) external { require(policy.admits(msg.sender) && msg.sender == owner); cap = to; }
  function setNext(address to) external onlyOwner { next = to; }
  function join() external { require(next != address(0) && msg.sender == next); owner = msg.sender; next = address(0); }
}`,
      // All of it is signed, or the sender's own time is compared with something else.
      `pragma solidity ^0.8.20;
contract Permits {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  uint256 immutable start = block.timestamp;
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => uint256)) allowance;
  mapping(address => mapping(address => bool)) isAllowed;
  mapping(address => bool) known;
  function allow(address owner, address manager, bool yes, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    address by = ecrecover(keccak256(abi.encode(domain, owner, manager, yes, nonce)), v, r, s);
    if (by == address(0) || by != owner) revert();
    if (nonce != nonces[by]++) revert();
    isAllowed[owner][manager] = yes;
  }
  function enter(uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    address by = ecrecover(keccak256(abi.encode(domain, nonce)), v, r, s);
    require(by != address(0) && nonce == nonces[by]++);
    known[by] = true;
  }
  function permit(address owner, address spender, bool yes, uint256 nonce, uint256 until, uint256 from, uint8 v, bytes32 r, bytes32 s) external {
    require(owner != address(0) && block.timestamp <= until && nonce == nonces[owner]++ && from >= start);
    require(owner == ecrecover(keccak256(abi.encode(domain, owner, spender, nonce, until, yes)), v, r, s));
    allowance[owner][spender] = yes ? 1 : 0;
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Trades {
  struct Trade { address seller; uint256 price; uint256 views; bool flagged; }
  mapping(bytes32 => Trade) trades;
  mapping(bytes32 => uint256) public count;
  mapping(address => bool) seen;
  address immutable owner = msg.sender;
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function visit(bytes32 id) external {
    if (!seen[msg.sender]) seen[msg.sender] = true;
    if (msg.sender != trades[id].seller) { trades[id].views += 1; }
    if (msg.sender == owner) {} else { revert(); }
    trades[id].flagged = true;
  }
  function pay(uint256 amount) external {
    if (token.transferFrom(msg.sender, address(this), amount)) {}
    bool known;
    if ((known = seen[msg.sender])) {}
    if (amount > 5) {}
    require(known);
  }
  function note(bytes32 id) external { require(msg.sender != trades[id].seller, "own"); count[id] += 1; }
}`,
      `pragma solidity ^0.8.20;
interface IGateway { function validate(bytes32 id, bytes32 hash) external returns (bool); function note(bytes32 hash) external returns (bool); }
contract Receiver {
  IGateway immutable gateway;
  mapping(address => uint256) public credit;
  constructor(IGateway g) { gateway = g; }
  function execute(bytes32 id, bytes calldata payload) external {
    require(gateway.validate(id, keccak256(payload)));
    (address to, uint256 amount) = abi.decode(payload, (address, uint256));
    credit[to] += amount;
  }
  function give(address to, uint256 amount) external {
    credit[msg.sender] -= amount;
    credit[to] += amount;
    gateway.note(keccak256(abi.encode(to, amount)));
  }
}
contract Spoke {
  bool private inside;
  address public root;
  address immutable hub;
  uint256 public fee;
  constructor(address h, address r) { hub = h; root = r; }
  modifier fromRoot() { require(inside, "root"); _; }
  modifier opens() { require(!inside); inside = true; _; inside = false; }
  function setFee(uint256 to) external fromRoot { fee = to; }
  function many(bytes[] calldata data) external {
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]);
      require(ok);
    }
  }
  function receiveMessage(address from, bytes calldata data) external opens {
    require(msg.sender == hub && from == root, "root");
    (bool ok, ) = address(this).delegatecall(data);
    require(ok);
  }
}`,
      // Signed or proven is all that decides, the sender is among it, or the rest is held against something else.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Drop {
  bytes32 immutable root;
  IERC20 immutable token;
  mapping(bytes32 => bool) used;
  mapping(address => uint256) public limitOf;
  mapping(address => string) public noteOf;
  mapping(address => address) public through;
  constructor(bytes32 r, IERC20 t) { root = r; token = t; }
  function _mark(bytes32 leaf, bytes32[] calldata proof) internal {
    require(!used[leaf], "used");
    used[leaf] = true;
    require(MerkleProof.verify(proof, root, leaf));
  }
  function claim(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    _mark(keccak256(abi.encode(index, to, amount)), proof);
    require(token.transfer(to, amount));
  }
  function claimTo(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    _mark(keccak256(abi.encode(index, msg.sender, amount)), proof);
    require(token.transfer(to, amount));
  }
  function claimPart(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    _mark(keccak256(abi.encode(index, to)), proof);
    require(amount <= limitOf[to]);
    require(token.transfer(to, amount));
  }
  function fill(uint256 index, address to, uint256 amount, address from, bytes32[] calldata proof) external {
    _mark(keccak256(abi.encode(index, to, amount)), proof);
    through[to] = from;
    require(token.transferFrom(msg.sender, to, amount));
  }
  function note(address account, string calldata text, bytes32[] calldata proof) external {
    _mark(keccak256(abi.encode(account)), proof);
    noteOf[account] = text;
  }
}
contract Keys {
  mapping(address => address) public proxyOf;
  mapping(address => uint256) public nonceOf;
  function authorize(address account, address next, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(address(this), block.chainid, account, next, nonceOf[account]++));
    address signer = ecrecover(hash, v, r, s);
    require(signer != address(0) && signer == account, "signature");
    proxyOf[account] = next;
  }
  function authorizeSelf(address next, uint8 v, bytes32 r, bytes32 s) external {
    address signer = ecrecover(keccak256(abi.encode(address(this), block.chainid, next)), v, r, s);
    require(signer != address(0), "signature");
    proxyOf[signer] = next;
  }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  address owner = msg.sender;
  uint256 public fee;
  uint256 public best;
  address public bidder;
  mapping(address => uint256) bids;
  modifier byOwner() { if (owner != msg.sender) revert(); _; }
  function setFee(uint256 to) external byOwner { fee = to; }
  function bid() external payable {
    require(msg.sender != owner && msg.value > best);
    bids[msg.sender] += msg.value;
    best = msg.value;
    bidder = msg.sender;
  }
}`,
      `pragma solidity ^0.8.20;
contract Limits {
  address keeper = msg.sender;
  mapping(address => bool) setters;
  uint256 public most;
  address public feed;
  function maySet(address who) public view returns (bool) { return setters[who]; }
  function setMost(uint256 to, uint256 steps) external {
    require(msg.sender == keeper || steps == 0);
    most += to * steps;
  }
  function setFeed(address to) external {
    if (!maySet(msg.sender)) require(msg.sender == keeper);
    feed = to;
  }
}`,
      `pragma solidity ^0.8.20;
abstract contract Hooked {
  uint256 public total;
  modifier around() virtual { _; }
  function add(uint256 amount) external around { total += amount; }
}
contract Counted is Hooked {
  uint256 public times;
  modifier around() override { times++; _; }
}`,
      // The account is set from the start, or its own affair.
      `pragma solidity ^0.8.20;
contract Till {
  address public keeper;
  address public guard;
  address public chief = msg.sender;
  bool private started;
  uint256 public rate;
  uint256 public cap;
  uint256 public step;
  mapping(address => address) public delegates;
  constructor(address k) { keeper = k; }
  function start(address g) external { require(!started); started = true; guard = g; }
  function setRate(uint256 to) external { require(keeper == address(0) || keeper == msg.sender); rate = to; }
  function setCap(uint256 to) external { require(guard == address(0) || guard == msg.sender); cap = to; }
  function setStep(uint256 to) external { require(chief == address(0) || chief == msg.sender); step = to; }
  function setDelegate(address of, address to) external { require(delegates[of] == address(0) || delegates[of] == msg.sender); delegates[of] = to; }
}`,
      // What the caller selects is what the function is about, or the list is one that bans.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/AccessControl.sol";
interface IRoles { function hasRole(bytes32 role, address who) external view returns (bool); }
interface IAsked { function allows(address who) external view returns (bool); function owner() external view returns (address); }
interface IDesk { function isKeeper(address who) external view returns (bool); function isBanned(address who) external view returns (bool); }
contract Terms is AccessControl {
  struct Request { address by; uint256 rate; }
  IRoles immutable roles;
  IDesk immutable desk;
  address immutable chief = msg.sender;
  mapping(bytes32 => uint256) rates;
  mapping(address => uint256) caps;
  mapping(uint256 => mapping(address => bool)) lists;
  mapping(uint256 => uint256) public counts;
  mapping(address => address) public delegates;
  uint256 public rate;
  constructor(IRoles r, IDesk d) { roles = r; desk = d; lists[0][msg.sender] = true; }
  function setCap(IAsked by, uint256 to) external { require(by.allows(msg.sender)); caps[address(by)] = to; }
  function setCapOf(address by, uint256 to) external { require(IAsked(by).owner() == msg.sender); caps[by] = to; }
  function setRate(bytes32 role, uint256 to) external { require(roles.hasRole(role, msg.sender)); rates[role] = to; }
  function count(uint256 list) external { require(lists[list][msg.sender]); counts[list] += 1; }
  function setByBans(uint256 to) external { require(!desk.isBanned(msg.sender) && roles.hasRole("keeper", msg.sender)); rate = to; }
  function setByEither(uint256 to) external { require(desk.isKeeper(msg.sender)); rate = to; }
  function leave(address to) external { bool isChief = msg.sender == chief; require(!isChief); delegates[msg.sender] = to; }
  function setByRole(uint256 to) external { require(hasRole(DEFAULT_ADMIN_ROLE, msg.sender)); rate = to; }
  function setByCheck(uint256 to) external { _checkRole(DEFAULT_ADMIN_ROLE); rate = to; }
  modifier noContract() { require(msg.sender == tx.origin || lists[1][msg.sender]); _; }
  function begin(uint256 to) external noContract { rate = to; }
  function apply_(Request calldata r) external { require(r.by == chief && r.by == msg.sender); rate = r.rate; }
}`,
      // The signer is compared, looked up, returned or recorded as well; what was never begun is refused.
      `pragma solidity ^0.8.20;
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Relay {
  address public immutable entry;
  address public owner;
  mapping(address => bool) known;
  mapping(bytes32 => address) signedBy;
  uint256 public endsAt;
  uint256 public count;
  constructor(address e) { entry = e; owner = msg.sender; endsAt = block.timestamp + 9 days; }
  function validate(bytes32 h, bytes calldata signature) external view returns (uint256) {
    require(msg.sender == entry, "entry");
    address signer = ECDSA.recover(h, signature);
    require(signer != address(0), "invalid");
    return signer == owner ? 0 : 1;
  }
  function look(bytes32 h, bytes calldata signature) external view returns (bool) {
    address signer = ECDSA.recover(h, signature);
    return signer != address(0) && known[signer];
  }
  function who(bytes32 h, uint8 v, bytes32 r, bytes32 s) public pure returns (address signer) {
    signer = ecrecover(h, v, r, s);
    require(signer != address(0), "invalid");
    return signer;
  }
  function sign(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
    address signer = ecrecover(h, v, r, s);
    require(signer != address(0) && signedBy[h] == address(0), "invalid");
    signedBy[h] = signer;
  }
  function close() external {
    require(msg.sender == owner || block.timestamp >= endsAt, "early");
    count += 1;
  }
}`,
      // Each proof names the account, and what marks it as used.
      `pragma solidity ^0.8.20;
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IHasher { function leaf(uint256 index, address to, uint256 amount) external view returns (bytes32); }
contract Drop {
  IERC20 immutable token;
  IHasher immutable hasher;
  bytes32 public immutable root;
  mapping(uint256 => bytes32) roots;
  mapping(uint256 => bool) done;
  mapping(address => bool) member;
  mapping(uint256 => mapping(address => bool)) doneIn;
  mapping(bytes32 => bool) used;
  mapping(uint256 => uint256) private words;
  constructor(IERC20 t, bytes32 r, IHasher h) { token = t; root = r; hasher = h; }
  function claim(uint256 index, uint256 amount, bytes32[] calldata proof) external {
    require(!done[index], "done");
    done[index] = true;
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(index, msg.sender, amount))), "proof");
    require(token.transfer(msg.sender, amount));
  }
  function claimAsMember(uint256 index, uint256 amount, bytes32[] calldata proof) external {
    require(!done[index] && member[msg.sender], "done");
    done[index] = true;
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(index, amount))), "proof");
    require(token.transfer(msg.sender, amount));
  }
  function claimFor(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    require(words[index >> 8] & (1 << (index & 0xff)) == 0, "done");
    words[index >> 8] |= 1 << (index & 0xff);
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(index, to, amount))), "proof");
    require(token.transfer(to, amount));
  }
  function claimIn(uint256 round, address to, uint256 amount, bytes32[] calldata proof) external {
    require(!doneIn[round][to], "done");
    doneIn[round][to] = true;
    require(MerkleProof.verify(proof, roots[round], keccak256(abi.encode(to, amount))), "proof");
    require(token.transfer(to, amount));
  }
  function claimLeaf(address to, uint256 amount, bytes32[] calldata proof) external {
    bytes32 leaf = keccak256(abi.encode(to, amount));
    require(!used[leaf], "done");
    used[leaf] = true;
    require(MerkleProof.verify(proof, root, leaf), "proof");
    require(token.transfer(to, amount));
  }
  function claimHashed(uint256 index, address to, uint256 amount, bytes32[] calldata proof) external {
    require(!done[index], "done");
    done[index] = true;
    require(MerkleProof.verify(proof, root, _leaf(index, to, amount)), "proof");
    require(token.transfer(to, amount));
  }
  function _leaf(uint256 index, address to, uint256 amount) private pure returns (bytes32 hashed) {
    assembly { mstore(0, index) mstore(32, to) mstore(64, amount) hashed := keccak256(0, 96) }
  }
}`,
    ],
  },
}

const why: Record<VoidReason, string> = {
  inverted: "Every account but one passes: the comparison is inverted.",
  argument: "The check compares an argument, and any caller can pass the right one.",
  optional: "The caller is checked only for some arguments, and any caller can pass others.",
  uncovered:
    "The signature or proof does not cover this argument, so whoever submits it can choose the argument freely.",
  unbound:
    "The signature or proof does not cover this argument, under which its use is recorded: it can be used again with " +
    "another value.",
  bearer: "The signature or proof does not cover the recipient: anyone who sees it can submit it first.",
  anybody: "Any signer is accepted, so anyone can sign.",
  unused: "The result of the permission check is not used.",
  unset: "Until this is set, the check admits every caller.",
  existence: "The check only tests whether the account is set; nothing compares the caller with it.",
  answer: "The caller supplies the contract that this check asks.",
  selected: "Only the check uses this argument, and any caller can pass a value for which it succeeds.",
}

const idle: Record<IdleCheck["reason"], string> = {
  "empty modifier": "The modifier is empty, but functions use it.",
  "empty function": "The function is empty, but functions call it as a check.",
  "always true": "The function returns true for every account, but other functions rely on it.",
}
