import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { LocalVariable } from "../../model.ts"
import { only, type Origins, Source } from "../../flow/graph/origins.ts"
import { accessOf, entryOn, runsOnce } from "../../access/entries/entries.ts"
import { isGlobal } from "../../access/entries/intent.ts"
import { pathsOfStrangers } from "../../access/lacking/payer.ts"
import type { Flow, Program } from "../../program.ts"
import { alongPath, callSteps, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { isScript } from "../../questions/deployment/borrowedCode.ts"
import { isFlashCallback } from "../../questions/call/flashCallback.ts"
import type * as S from "../../syntax.ts"

export const arbitraryTransferFrom: Rule<Program> = {
  meta: {
    id: "evm/access-control/arbitrary-transfer-from",
    class: "arbitrary-transfer-from",
    title: "Anyone can spend tokens approved to this contract",
    severity: "high",
    confidence: "high",
    cwe: [863, 284],
    description:
      "The function calls `transferFrom` with a `from` address supplied by the caller. It works for every " +
      "account that has approved this contract, so an attacker can name a victim as `from`: the victim's tokens " +
      "go wherever the function sends them, often to the attacker's benefit.",
    remediation:
      "Take tokens only from `msg.sender`. If someone else's tokens must move, check that their owner " +
      "authorized this caller, for example with a signature over the amount and the receiver, a separate " +
      "allowance, or a role.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#arbitrary-from-in-transferfrom",
      "https://eips.ethereum.org/EIPS/eip-20",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (isFlashCallback(flow.fn) || isScript(program, flow.context)) continue
      // who pays twice in one function is one problem
      const told = new Set<LocalVariable>()
      for (const site of flow.calls()) {
        const payer = payerOf(program, site)
        if (payer === undefined) continue
        const from = flow.origins(payer, site.at)
        // call data for the contract's own implementation: its `transferFrom` asks for the allowance
        if (site.callKind === "builtin" && onlyDelegates(flow)) continue
        if (isToldOfSender(flow, site) || (from.parameters.length > 0 && from.parameters.every((p) => told.has(p))))
          continue
        for (const path of pathsOfStrangers(flow, site.at, from)) {
          if (spendsAllowance(flow, from) || path.some((via) => spendsIn(program, via))) continue
          if (isSetup(program, path, flow)) continue
          for (const parameter of from.parameters) told.add(parameter)
          const culprit = ownCall({ via: path, event: site })
          report({
            ...placeOf(culprit),
            scope: culprit.at.callable.scope,
            ...(isCredited(flow, from, path) ? { severity: "medium" as const } : {}),
            trace: [...callSteps(path), { ...placeOf(site), note: "the caller chooses the payer" }],
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      // A lock that is set while nothing runs, and that the desk lifts while it calls its clients, keeps nobody out.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
interface IClient { function served(uint256 amount) external; }
abstract contract Locked {
  bool private idle;
  constructor() { idle = true; }
  modifier alone() { require(idle); idle = false; _; idle = true; }
  function lift() internal { idle = true; }
  function lower() internal { idle = false; }
}
abstract contract Lifted {
  bool private idle = true;
  modifier alone() { require(idle); idle = false; _; idle = true; }
  function serve(IClient client, uint256 amount) internal { idle = true; client.served(amount); idle = false; }
}
contract Desk is Locked {
  IToken token;
  mapping(address => uint256) public paid;
  function pay(address payer, uint256 amount, IClient client) external alone {
    require(token.transferFrom(payer, address(this), amount)); // FINDING
    paid[msg.sender] += amount;
    lift();
    client.served(amount);
    lower();
  }
}
contract Counter is Lifted {
  IToken token;
  mapping(address => uint256) public paid;
  function pay(address payer, uint256 amount, IClient client) external alone {
    require(token.transferFrom(payer, address(this), amount)); // FINDING
    paid[msg.sender] += amount;
    serve(client, amount);
  }
}`,
      // Customers take what others have approved: whoever is on a list, or owns the item that is filled.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
interface IShares { function mint(address to, uint256 amount) external; }
interface ICards { function ownerOf(uint256 id) external view returns (address); }
interface IList { function isAllowed(address who) external view returns (bool); }
contract Pool {
  IERC20 immutable token;
  IShares immutable shares;
  ICards immutable cards;
  IList immutable list;
  address immutable boss = msg.sender;
  mapping(address => bool) public customer;
  mapping(address => uint256) public held;
  mapping(uint256 => uint256) public filled;
  constructor(IERC20 t, IShares s, ICards c, IList l) { token = t; shares = s; cards = c; list = l; }
  function admit(address who) external { require(msg.sender == boss); customer[who] = true; }
  function deposit(address payer, uint256 amount) external {
    require(list.isAllowed(msg.sender));
    token.transferFrom(payer, address(this), amount); // FINDING
    shares.mint(msg.sender, amount);
  }
  function put(address payer, uint256 amount) external {
    require(customer[msg.sender]);
    token.transferFrom(payer, address(this), amount); // FINDING
    held[msg.sender] += amount;
  }
  function fill(address payer, uint256 id, uint256 amount) external {
    require(cards.ownerOf(id) == msg.sender);
    token.transferFrom(payer, address(this), amount); // FINDING
    filled[id] += amount;
  }
}`,
      // Not the same function, not the same arguments, or something kept: no script.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function approve(address to, uint256 amount) external returns (bool);
}
contract Pull {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function pull(address from, address to, uint256 amount) external {
    token.transferFrom(from, to, amount); // FINDING
  }
}
contract Swapped {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function transferFrom(address to, address from, uint256 amount) external {
    token.transferFrom(from, to, amount); // FINDING
  }
}
contract Kept {
  IERC20 token;
  constructor(IERC20 t) { token = t; }
  function transferFrom(address from, address to, uint256 amount) external {
    token.transferFrom(from, to, amount); // FINDING
  }
}
contract Both {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function transferFrom(address from, address to, uint256 amount) external {
    token.transferFrom(from, to, amount); // FINDING
    token.approve(to, 0);
  }
}`,
      // What lets it through ties neither the payer nor a role, and who has approved comes before the one call.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Wrap {
  IERC20 immutable token;
  bool open;
  bool begun;
  mapping(address => uint256) shares;
  constructor(IERC20 t) { token = t; }
  function wrap(address from, uint256 amount) external {
    require(msg.sender == from || open);
    token.transferFrom(from, address(this), amount); // FINDING
    shares[msg.sender] += amount;
  }
  function fund(address by, uint256 amount) external {
    require(!begun);
    begun = true;
    token.transferFrom(by, address(this), amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Pool {
  IERC20 immutable token;
  mapping(address => uint256) public credit;
  constructor(IERC20 t) { token = t; }
  function depositFor(address from, address to, uint256 amount) external {
    require(token.transferFrom(from, address(this), amount)); // FINDING
    credit[to] += amount;
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
library Safe {
  function safeTransferFrom(IERC20 token, address from, address to, uint256 amount) internal { require(token.transferFrom(from, to, amount)); }
}
contract Pay {
  using Safe for IERC20;
  struct Order { address payer; address payee; uint256 amount; }
  IERC20 token;
  constructor(IERC20 t) { token = t; }
  function settle(Order calldata order) external { _pull(order.payer, order.payee, order.amount); }
  function _pull(address from, address to, uint256 amount) private {
    token.safeTransferFrom(from, to, amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
library SafeERC20 {
  function safeTransferFrom(IERC20 token, address from, address to, uint256 amount) internal {
    _call(token, abi.encodeWithSelector(token.transferFrom.selector, from, to, amount));
  }
  function _call(IERC20 token, bytes memory data) private { (bool ok, ) = address(token).call(data); require(ok); }
}
contract Pay {
  using SafeERC20 for IERC20;
  IERC20 token;
  constructor(IERC20 t) { token = t; }
  function deposit(uint256 amount) external { token.safeTransferFrom(msg.sender, address(this), amount); }
  function depositFor(address from, uint256 amount) external {
    token.safeTransferFrom(from, address(this), amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function balanceOf(address who) external view returns (uint256);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Locker {
  IERC20 token;
  mapping(address => uint256) public held;
  mapping(address => bool) public blocked;
  uint256 total;
  constructor(IERC20 t) { token = t; }
  function lock(address from, uint256 amount) external {
    require(!blocked[msg.sender] && token.balanceOf(msg.sender) >= amount);
    total += amount;
    held[msg.sender] += amount;
    require(token.transferFrom(from, address(this), amount)); // FINDING
  }
}`,
      `pragma solidity ^0.7.6;
library Call {
  function pull(address token, address from, address to, uint256 amount) internal {
    (bool ok, bytes memory data) = token.call(abi.encodeWithSelector(0x23b872dd, from, to, amount));
    require(ok && (data.length == 0 || abi.decode(data, (bool))));
  }
}
contract Orders {
  mapping(uint256 => address) public makerOf;
  uint256 count;
  function placeOwn(address token, uint256 amount) external { _place(token, msg.sender, amount); }
  function place(address token, address maker, uint256 amount) external {
    _place(token, maker, amount);
  }
  function _place(address token, address maker, uint256 amount) internal {
    makerOf[++count] = msg.sender;
    Call.pull(token, maker, address(this), amount); // FINDING
  }
}`,
      // What the token hears of the caller does not tie the payer to them, whatever form the transfer takes.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function ping(address who) external returns (bool);
  function burn(uint256 amount) external;
}
library Log { function note(IERC20, address) internal {} }
contract Till {
  using Log for IERC20;
  IERC20 immutable token;
  IERC20 immutable other;
  constructor(IERC20 t, IERC20 o) { token = t; other = o; }
  function afterNote(address from) external {
    token.note(msg.sender);
    token.transferFrom(from, address(this), 1); // FINDING
  }
  function afterOther(address from) external {
    other.ping(msg.sender);
    token.transferFrom(from, address(this), 1); // FINDING
  }
  function afterBurn(address from, uint256 amount) external {
    token.burn(amount);
    token.transferFrom(from, address(this), amount); // FINDING
  }
  function afterTip(address from) external {
    token.transfer(msg.sender, 1);
    token.transferFrom(from, address(this), 2); // FINDING
  }
  function beforeNote(address from) external {
    token.transferFrom(from, address(this), 1); // FINDING
    token.ping(msg.sender);
  }
  function encoded(address from) external {
    (bool ok, ) = address(token).call(abi.encodeCall(IERC20.transferFrom, (from, address(this), 1))); // FINDING
    require(ok);
  }
  function safely(address from) external {
    SafeERC20.safeTransferFrom(token, from, address(this), 1); // FINDING
  }
  fallback() external {
    (address from, address to) = abi.decode(msg.data, (address, address));
    token.transferFrom(from, address(this), 1); // FINDING
    token.transferFrom(to, address(this), 1); // FINDING
  }
}`,
      // The pool can be set again and again, and naming a price is not telling the contract whom it deals with.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Farm {
  IERC20 immutable token;
  address public pool;
  constructor(IERC20 t) { token = t; }
  function fund(address pool_, address from, uint256 amount) external {
    pool = pool_;
    token.transferFrom(from, pool_, amount); // FINDING
  }
}
contract Sale {
  IERC20 immutable token;
  uint256 public price;
  bool begun;
  constructor(IERC20 t) { token = t; }
  function begin(uint256 price_, address seller, uint256 amount) external {
    require(!begun);
    begun = true;
    price = price_;
    token.transferFrom(seller, address(this), amount); // FINDING
  }
}`,
      // Less severe where the payer is credited with it.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
library Pay {
  function take(IERC20 token, address from, uint256 amount) internal { token.transferFrom(from, address(this), amount); }
}
contract Deposits {
  IERC20 immutable token;
  mapping(address => uint256) held;
  mapping(address => uint256) owed;
  constructor(IERC20 t) { token = t; }
  function add(address from, uint256 amount) external {
    Pay.take(token, from, amount); // FINDING
    held[from] += amount;
  }
  function addFor(address from, address to, uint256 amount) external {
    token.transferFrom(from, address(this), amount); // FINDING
    held[to] += amount;
  }
  function settle(address from, uint256 amount) external {
    token.transferFrom(from, address(this), amount); // FINDING
    owed[from] -= amount;
  }
}`,
    ],
    safe: [
      // What is taken is credited to whoever pays, or taken by a fixed role; what goes down is not a credit.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
interface IShares { function mint(address to, uint256 amount) external; }
interface ICards { function ownerOf(uint256 id) external view returns (address); }
contract Pool {
  IERC20 immutable token;
  IShares immutable shares;
  ICards immutable cards;
  address immutable boss = msg.sender;
  mapping(address => bool) public keeper;
  mapping(address => uint256) public held;
  mapping(uint256 => uint256) public filled;
  constructor(IERC20 t, IShares s, ICards c) { token = t; shares = s; cards = c; }
  function admit(address who) external { require(msg.sender == boss); keeper[who] = true; }
  function depositFor(address payer, uint256 amount) external {
    require(keeper[msg.sender]);
    token.transferFrom(payer, address(this), amount);
    shares.mint(payer, amount);
    held[payer] += amount;
  }
  function collect(address payer, uint256 amount) external {
    require(msg.sender == boss);
    token.transferFrom(payer, address(this), amount);
    held[msg.sender] += amount;
  }
  function collectAll(address payer, uint256 amount) external {
    require(keeper[msg.sender] && tx.origin == boss);
    token.transferFrom(payer, address(this), amount);
    held[msg.sender] += amount;
  }
  function settle(address payer, uint256 amount) external {
    require(keeper[msg.sender]);
    token.transferFrom(payer, address(this), amount);
    held[msg.sender] -= amount;
  }
  function fill(address payer, uint256 id, uint256 amount) external {
    require(cards.ownerOf(id) == msg.sender && keeper[msg.sender]);
    token.transferFrom(payer, address(this), amount);
    filled[id] -= amount;
  }
}`,
      // A wallet has this code run on what is its own.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract TokenScript {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function transferFrom(address from, address to, uint256 amount) external { token.transferFrom(from, to, amount); }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Wrap {
  IERC20 immutable token;
  address immutable desk = msg.sender;
  mapping(address => uint256) shares;
  constructor(IERC20 t) { token = t; }
  function wrap(address from, uint256 amount) external {
    if (msg.sender != desk) require(msg.sender == from);
    token.transferFrom(from, address(this), amount);
    shares[from] += amount;
  }
}`,
      // Nobody has approved what is not set up yet.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Sale {
  IERC20 token;
  address seller;
  bool begun;
  function begin(IERC20 sold, address by, uint256 amount) external {
    require(!begun);
    begun = true;
    (token, seller) = (sold, by);
    take(by, amount);
  }
  function add(uint256 amount) external { take(msg.sender, amount); }
  function take(address from, uint256 amount) private { token.transferFrom(from, address(this), amount); }
}`,
      `pragma solidity ^0.8.20;
contract Delegator {
  address public implementation;
  constructor(address first) { implementation = first; }
  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    bytes memory data = run(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount));
    return abi.decode(data, (bool));
  }
  function run(bytes memory data) private returns (bytes memory) {
    (bool ok, bytes memory result) = implementation.delegatecall(data);
    require(ok);
    return result;
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Pool {
  IERC20 immutable token;
  mapping(address => mapping(address => uint256)) public limit;
  mapping(address => mapping(address => bool)) public operator;
  constructor(IERC20 t) { token = t; }
  function deposit(uint256 amount) external { require(token.transferFrom(msg.sender, address(this), amount)); }
  function depositOwn(address from, uint256 amount) external {
    require(from == msg.sender, "not yours");
    require(token.transferFrom(from, address(this), amount));
  }
  function spend(address from, uint256 amount) external {
    limit[from][msg.sender] -= amount;
    require(token.transferFrom(from, msg.sender, amount));
  }
  function operate(address from, uint256 amount) external {
    require(operator[from][msg.sender]);
    require(token.transferFrom(from, msg.sender, amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Pay {
  IERC20 token;
  address keeper = msg.sender;
  mapping(bytes32 => bool) used;
  constructor(IERC20 t) { token = t; }
  function _only() internal view { require(keeper == msg.sender); }
  function collect(address from, uint256 amount) external { _only(); token.transferFrom(from, keeper, amount); }
  function collectSigned(address from, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(from, amount, msg.sender, address(this)));
    require(!used[digest]);
    used[digest] = true;
    require(from != address(0) && ecrecover(digest, v, r, s) == from);
    token.transferFrom(from, msg.sender, amount);
  }
}`,
      // Nobody is named as the payer, or no tokens move.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
interface IERC721 { function ownerOf(uint256 id) external view returns (address); }
contract Till is ERC20 {
  IERC20 immutable token;
  IERC721 immutable cards;
  address payer = msg.sender;
  address constant FUND = address(0xF00D);
  mapping(address => mapping(address => uint256)) limit;
  mapping(uint256 => address) buyerOf;
  constructor(IERC20 t, IERC721 c) ERC20("Till", "T") { token = t; cards = c; }
  function charge(uint256 amount) external { token.transferFrom(payer, address(this), amount); }
  function draw(uint256 amount) external { token.transferFrom(FUND, address(this), amount); }
  function bill(uint256 card, uint256 amount) external { token.transferFrom(cards.ownerOf(card), address(this), amount); }
  function move(address from, address to, uint256 amount) external { transferFrom(from, to, amount); }
  function pull(address from, uint256 amount) external { limit[from][msg.sender] -= amount; _pull(from, amount); }
  function _pull(address from, uint256 amount) private { token.transferFrom(from, address(this), amount); }
  function request(address from, uint256 amount) external view returns (bytes memory) {
    return abi.encodeWithSelector(token.transferFrom.selector, from, address(this), amount);
  }
  function pay(address to) external {
    (bool ok, ) = address(token).call(abi.encodeCall(IERC20.transfer, (to, 1)));
    require(ok);
  }
  function onFlashLoan(address from, address, uint256 amount, uint256 fee, bytes calldata) external returns (bytes32) {
    token.transferFrom(from, address(this), amount + fee);
    return keccak256("ERC3156FlashBorrower.onFlashLoan");
  }
}`,
    ],
  },
}

const names = new Set(["transferFrom", "safeTransferFrom", "safeTransferFrom2"])

/**
 * The first argument of ERC-20's transferFrom, including where its calldata is encoded for a low-level call; through a
 * library without source, the second argument.
 */
const payerOf = (program: Program, { name, callKind, args, target, receiver, at }: CallSite): Expr | undefined => {
  if (callKind === "builtin") return isView(at) ? undefined : encodedPayer(program, name, args)
  if (!names.has(name)) return undefined
  if (callKind === "external") return args.length === 3 ? args[0] : undefined
  if (target !== undefined) return undefined
  return args.length === 4 ? args[1] : receiver && args[0]
}

/** Calls that only tell another contract who the caller is. */
const callsWithSender = oncePer((flow: Flow) =>
  flow
    .calls()
    .filter(
      ({ isStatic, args, at }) => !isStatic && args.length === 1 && only(flow.origins(args[0]!, at), Source.sender),
    ),
)

/** Whether an earlier call told the token who the caller is: it acts for that account and checks its allowance. */
const isToldOfSender = (flow: Flow, { receiver, at }: CallSite): boolean => {
  const token = receiver === undefined ? undefined : flow.origins(receiver, at)
  if (token === undefined) return false
  return callsWithSender(flow).some(
    (other) =>
      other.receiver !== undefined &&
      flow.dominates(other.at, at) &&
      flow.origins(other.receiver, other.at).state.some((v) => token.state.includes(v)),
  )
}

const onlyDelegates = ({ externalCalls }: Flow): boolean =>
  externalCalls.length > 0 &&
  externalCalls.every(({ event }) => event.callKind === "delegatecall" || event.callKind === "staticcall")

const isView = ({ callable }: FlowNode): boolean =>
  callable.kind === "Function" && (callable.mutability === "view" || callable.mutability === "pure")

/** `abi.encodeWithSelector(token.transferFrom.selector, from, to, amount)` and the like. */
const encodedPayer = (program: Program, name: string, args: ReadonlyArray<Expr>): Expr | undefined => {
  const [selector, ...rest] = args as ReadonlyArray<S.Expression> // assembly does not call functions of `abi`
  if (selector === undefined) return undefined
  switch (name) {
    case "abi.encodeWithSelector":
      return isTransferFrom(program, selector) ? rest[0] : undefined
    case "abi.encodeWithSignature":
      return selector.kind === "Literal" && selector.value === "transferFrom(address,address,uint256)"
        ? rest[0]
        : undefined
    case "abi.encodeCall": {
      const [passed] = rest
      return selector.kind === "MemberAccess" &&
        selector.member === "transferFrom" &&
        passed?.kind === "TupleExpression"
        ? passed.components[0]
        : undefined
    }
    default:
      return undefined
  }
}

const isTransferFrom = (program: Program, e: S.Expression): boolean => {
  if (e.kind === "MemberAccess" && e.member === "selector")
    return e.object.kind === "MemberAccess" && e.object.member === "transferFrom"
  return constantNumber(program, e) === transferFromSelector
}

const transferFromSelector = 0x23b872ddn

/** What sets the contract up, and tells it whom it deals with: before that, nobody has approved it but who has it set up. */
const isSetup = (program: Program, path: ReadonlyArray<CallSite>, { fn }: Flow): boolean => {
  const access = accessOf(program)
  const entry = entryOn(access, path, fn)
  return (
    entry !== undefined &&
    runsOnce(access, entry) &&
    entry.deeds.some((deed) => isGlobal(deed) && /^(?:address|contract)$/.test(deed.variable!.type.kind))
  )
}

/** Whether an entry that belongs to both the payer and the caller changes: the contract keeps its own allowances. */
const spendsAllowance = (flow: Flow, from: Origins): boolean =>
  flow.writes.some(({ place }) => {
    if (place === undefined || (place.keys.sources & Source.sender) === 0) return false
    return place.keys.parameters.some((p) => from.parameters.includes(p))
  })

const spendsIn = (program: Program, site: CallSite): boolean => {
  const { callable } = site.at
  if (callable.kind !== "Function") return false
  const flow = program.flow(callable)
  return site.args.some((arg) => spendsAllowance(flow, flow.origins(arg, site.at)))
}

/** Whether what is taken goes up in a record of whoever it is taken from. */
const isCredited = (flow: Flow, from: Origins, path: ReadonlyArray<CallSite>): boolean => {
  const first = path[0]?.at.callable
  const outermost = first?.kind === "Function" ? flow.program.flow(first) : flow
  const [payer, ...others] = alongPath(flow, from, path).parameters
  return (
    payer !== undefined &&
    others.length === 0 &&
    outermost.writes.some(
      ({ event, place }) =>
        event.operation === "compound" &&
        place?.keys.parameters.includes(payer) === true &&
        !isLowered(flow.program, event),
    )
  )
}
