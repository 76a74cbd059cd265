import { oncePer } from "../../../oncePer.ts"
import type { Match, Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeOf, strangersPath } from "../../questions/authority/attackerControl.ts"
import { inheritsRestriction } from "../../access/checks/declaredChecks.ts"
import { excludesKnown } from "../../access/checks/excludedTargets.ts"
import { accessOf } from "../../access/entries/entries.ts"
import { redirectedPayment } from "../../access/lacking/holders.ts"
import { isEarned, isSweptInBatch } from "../../questions/authority/entitlement.ts"
import { paymentOf } from "../../questions/call/tokenPayment.ts"
import { isScript } from "../../questions/deployment/borrowedCode.ts"
import { isFlashCallback } from "../../questions/call/flashCallback.ts"
import { isTakenBack } from "../../questions/call/loan.ts"
import { writtenAs } from "../../questions/value/writtenAs.ts"
import type * as S from "../../syntax.ts"

export const unprotectedTokenWithdrawal: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-token-withdrawal",
    class: "missing-access-control",
    title: "Unprotected token withdrawal",
    severity: "high",
    // the right to a payment can be expressed in ways that the conditions do not show
    confidence: "medium",
    cwe: [862, 284],
    swc: 105,
    description:
      "The function sends tokens held by the contract, all of them or as many as the caller requests, to the " +
      "caller or to an address of their choice. It does not check the caller, reduce a balance of theirs, or " +
      "take anything in return. The first account to call it takes the tokens.",
    remediation:
      "Restrict the function to an owner or a role, or pay only what the caller is owed: look up the caller's " +
      "balance, reduce it, then send exactly that amount.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/862.html"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (flow.fn.contract?.node.contractKind === "library" || isFlashCallback(flow.fn)) continue
      if (isScript(program, flow.context)) continue
      for (const site of flow.calls()) {
        const payment = paymentOf(flow, site)
        if (payment === undefined) continue
        const { receiver: to, amount } = payment
        // an allowance without limit is a fixed number
        const isAnything = /approve|increaseAllowance/i.test(site.name) && only(amount, Source.literal)
        const isNamed = isAnything || has(amount, Source.parameter | Source.calldata | Source.tokenBalance)
        const path = strangersPath(flow, site.at, to, chosen)
        if (path === undefined) continue
        const due = redirectedPayment(flow, payment, path)
        if ((!isNamed || isEarned(flow, payment, path)) && due === undefined) continue
        if (isTakenBack(flow, payment, path)) continue
        if (isSweptInBatch(flow, payment, path)) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          ...weighed(program, flow, site),
          trace: [
            ...callSteps(due ?? path),
            { ...placeOf(site), note: "tokens are sent to an address chosen by the caller" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // What the contract deals with, and what somebody has sent by mistake.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Wrapper {
  IToken immutable asset;
  mapping(address => uint256) public balanceOf;
  constructor(IToken a) { asset = a; }
  function wrap(uint256 n) external { require(asset.transferFrom(msg.sender, address(this), n)); balanceOf[msg.sender] += n; }
  function unwrap(uint256 n) external { balanceOf[msg.sender] -= n; require(asset.transfer(msg.sender, n)); }
  function claim(IToken token, address to) external {
    if (token == asset) {
      require(token.transfer(to, token.balanceOf(address(this)))); // FINDING
      return;
    }
    require(token.transfer(to, token.balanceOf(address(this)))); // FINDING
  }
}`,
      // A library pays, behind a lock.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
library Assets {
  function move(IERC20 token, address from, address to, uint256 amount) internal {
    if (amount == 0 || from == to) return;
    if (from == address(this)) give(token, to, amount);
    else require(token.transferFrom(from, to, amount));
  }
  function give(IERC20 token, address to, uint256 amount) internal { require(token.transfer(to, amount)); }
  function repeat(IERC20 token, address to, uint256 amount) internal {
    if (amount > 100) repeat(token, to, amount - 100);
    else give(token, to, amount);
  }
}
contract Prizes {
  using Assets for IERC20;
  IERC20 immutable token;
  uint256 status = 1;
  uint256 public kept;
  mapping(address => uint256) public won;
  constructor(IERC20 t) { token = t; }
  modifier lock() { require(status != 2); status = 2; _; status = 1; }
  function add(uint256 amount) external lock { token.move(msg.sender, address(this), amount); kept += amount; }
  function award(address who) external payable { require(msg.value > 1 ether); won[who] = 1; }
  function remove(uint256 amount) external lock {
    kept = amount > kept ? 0 : kept - amount;
    token.move(address(this), msg.sender, amount); // FINDING
  }
  function removeTo(address to, uint256 amount) external lock {
    Assets.give(token, to, amount); // FINDING
  }
  function removeAll(address to, uint256 amount) external {
    token.repeat(to, amount); // FINDING
  }
}`,
      // What there is to take belongs to whom another table says.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Positions {
  struct Position { uint256 margin; uint64 since; }
  IToken immutable token;
  mapping(uint256 => address) holderOf;
  mapping(uint256 => Position) positions;
  uint256 next;
  constructor(IToken t) { token = t; }
  function open(uint256 n) external {
    uint256 id = next++;
    holderOf[id] = msg.sender;
    positions[id] = Position(n, uint64(block.timestamp));
    require(token.transferFrom(msg.sender, address(this), n));
  }
  function reduce(uint256 id, uint256 n, address to) external {
    Position memory position = positions[id];
    require(position.since + 1 days <= block.timestamp && n < position.margin);
    positions[id].margin -= n;
    require(token.transfer(to, n)); // FINDING
  }
}
`,
      // The same calls in encoded form; a flag says when, not who.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Held {
  IToken immutable token;
  address immutable guardian;
  bool public emergency;
  constructor(IToken t, address g) { token = t; guardian = g; }
  function trigger() external { require(msg.sender == guardian); emergency = true; }
  function allow(address to, uint256 n) external {
    (bool ok, ) = address(token).call(abi.encodeWithSignature("approve(address,uint256)", to, n)); // FINDING
    require(ok);
  }
  function sweep(address to) external {
    (bool ok, ) = address(token).call(abi.encodeWithSelector(IToken.transfer.selector, to, token.balanceOf(address(this)))); // FINDING
    require(ok);
  }
  function send(address to, uint256 n) external {
    bytes memory data = abi.encodeCall(IToken.transfer, (to, n));
    (bool ok, ) = address(token).call(data); // FINDING
    require(ok);
  }
  function pay(address to, uint256 n) external {
    (bool ok, ) = address(token).call(abi.encodeWithSelector(0xa9059cbb, to, n)); // FINDING
    require(ok);
  }
  function exit(address to) external {
    require(emergency);
    token.transfer(to, token.balanceOf(address(this))); // FINDING
  }
}`,
      // Records that do not depend on the sum do not bound it.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Farm {
  IERC20 immutable token;
  mapping(address => uint256) stakes;
  mapping(address => uint256) earned;
  mapping(address => uint256) paidAt;
  uint256 total;
  uint256 index;
  constructor(IERC20 t) { token = t; }
  modifier updated(address who) {
    index += 1;
    earned[who] = stakes[who] * (index - paidAt[who]);
    _note(who, index);
    _;
  }
  function _note(address who, uint256 at) private { paidAt[who] = at; }
  function stake(uint256 amount) external updated(msg.sender) {
    require(token.transferFrom(msg.sender, address(this), amount));
    stakes[msg.sender] += amount;
    total += amount;
  }
  function unstake(uint256 amount) external updated(msg.sender) {
    total -= amount;
    require(token.transfer(msg.sender, amount)); // FINDING
  }
}`,
      // A share that the caller names, all of it, or one whose rest goes wherever the caller says, is not an incentive.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
interface IPool { function notify(uint256 amount) external; }
contract Harvest {
  IERC20 immutable token;
  IPool immutable pool;
  uint256 constant CUT = 5;
  constructor(IERC20 t, IPool p) { token = t; pool = p; }
  function all() external {
    uint256 held = token.balanceOf(address(this));
    token.transfer(msg.sender, held); // FINDING
    pool.notify(held);
  }
  function part(uint256 cut) external {
    uint256 held = token.balanceOf(address(this));
    token.transfer(msg.sender, (held * cut * CUT) / 1000); // FINDING
    pool.notify(held);
  }
  function away(address to) external {
    uint256 held = token.balanceOf(address(this));
    token.transfer(to, (held * CUT) / 100); // FINDING
    pool.notify(held);
  }
  function rest(address to) external {
    uint256 held = token.balanceOf(address(this));
    token.transfer(msg.sender, (held * CUT) / 100); // FINDING
    token.transfer(to, held / 2);
    pool.notify(1);
  }
}`,
      // One account's balance goes to another, through a function that serves both; an item goes to whoever requests
      // it.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IERC721 {
  function transferFrom(address from, address to, uint256 id) external;
  function safeTransferFrom(address from, address to, uint256 id) external;
}
contract Rewards {
  IERC20 immutable token;
  mapping(address => uint256) earned;
  mapping(address => mapping(address => bool)) public agents;
  constructor(IERC20 t) { token = t; }
  function setAgent(address agent, bool on) external { agents[msg.sender][agent] = on; }
  function credit(address who, uint256 by) internal { earned[who] += by; }
  function collect(address to) external { _collect(msg.sender, to); }
  function collectFor(address who, address to) external { _collect(who, to); }
  function _collect(address who, address to) internal {
    uint256 amount = earned[who];
    earned[who] = 0;
    require(token.transfer(to, amount)); // FINDING
  }
}
contract Pawn {
  struct Order { address maker; IERC721 item; uint256 id; uint256 price; bool live; }
  mapping(uint256 => Order) orders;
  mapping(uint256 => address) lender;
  IERC721 immutable bonds;
  uint256 count;
  constructor(IERC721 b) { bonds = b; }
  function make(IERC721 item, uint256 id, uint256 price) external {
    orders[++count] = Order(msg.sender, item, id, price, true);
    item.transferFrom(msg.sender, address(this), id);
  }
  function cancel(uint256 n) external {
    Order storage o = orders[n];
    require(o.live, "gone");
    o.live = false;
    o.item.transferFrom(address(this), msg.sender, o.id); // FINDING
  }
  function lend(uint256 id) external { lender[id] = msg.sender; bonds.transferFrom(msg.sender, address(this), id); }
  function back(uint256 id, address to) external {
    require(lender[id] != address(0), "none");
    delete lender[id];
    bonds.safeTransferFrom(address(this), to, id); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
contract Locker {
  struct Lock { address beneficiary; uint256 amount; uint64 unlockAt; }
  struct Offer { address maker; uint256 gives; uint256 wants; }
  IERC20 immutable token;
  IERC20 immutable money;
  mapping(uint256 => Lock) locks;
  Offer[] offers;
  mapping(address => uint256) public shares;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 totalShares;
  uint256 nextId;
  constructor(IERC20 t, IERC20 m) { token = t; money = m; }
  function lock(uint256 amount, uint64 unlockAt) external {
    locks[nextId++] = Lock({ beneficiary: msg.sender, amount: amount, unlockAt: unlockAt });
    require(token.transferFrom(msg.sender, address(this), amount));
  }
  function unlock(uint256 id, address to) external {
    Lock memory held = locks[id];
    require(block.timestamp >= held.unlockAt, "early");
    delete locks[id];
    require(token.transfer(to, held.amount)); // FINDING
  }
  function offer(uint256 gives, uint256 wants) external {
    offers.push(Offer(msg.sender, gives, wants));
    require(token.transferFrom(msg.sender, address(this), gives));
  }
  function take(uint256 id) external {
    Offer storage o = offers[id];
    uint256 gives = o.gives;
    o.gives = 0;
    require(money.transferFrom(msg.sender, o.maker, o.wants));
    require(token.transfer(msg.sender, gives));
  }
  function withdraw(uint256 id) external {
    Offer storage o = offers[id];
    uint256 gives = o.gives;
    o.gives = 0;
    require(token.transfer(msg.sender, gives)); // FINDING
  }
  function redeem(uint256 amount, address receiver, address owner) external {
    uint256 out = (amount * money.balanceOf(address(this))) / totalShares;
    shares[owner] -= amount;
    totalShares -= amount;
    require(money.transfer(receiver, out)); // FINDING
  }
  function redeemFor(address owner) external {
    uint256 amount = shares[owner];
    shares[owner] = 0;
    require(money.transfer(owner, amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
contract Vault {
  function rescue(IERC20 token, address to) external {
    uint256 all = token.balanceOf(address(this));
    require(all > 0, "nothing");
    token.transfer(to, all); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Rewards {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function withdraw(uint256 amount) external { _pay(msg.sender, amount); }
  function _pay(address to, uint256 amount) internal {
    require(token.transfer(to, amount)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function approve(address who, uint256 amount) external returns (bool); }
contract Vault {
  function allow(IERC20 token, address spender) external {
    token.approve(spender, type(uint256).max); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
interface IBorrower { function onLoan(uint256 amount) external; }
contract Desk {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function lend(IBorrower to, uint256 amount, bool later) external {
    _out(address(to), amount);
    to.onLoan(amount);
    _in(address(to), amount, later);
  }
  function _out(address to, uint256 amount) internal {
    require(token.transfer(to, amount)); // FINDING
  }
  function _in(address from, uint256 amount, bool later) internal {
    if (!later) token.transferFrom(from, address(this), amount);
  }
}
contract Basket {
  function lend(IBorrower to, IERC20[] calldata tokens, IERC20[] calldata others, uint256[] calldata amounts) external {
    for (uint256 i = 0; i < tokens.length; i++)
      tokens[i].transfer(address(to), amounts[i]); // FINDING
    to.onLoan(tokens.length);
    for (uint256 i = 0; i < others.length; i++) require(others[i].balanceOf(address(this)) >= 1 ether, "short");
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Airdrop {
  IERC20 immutable token;
  mapping(uint256 => uint256) claimed;
  mapping(address => bool) served;
  constructor(IERC20 t) { token = t; }
  function claim(uint256 index, address who, uint256 amount) external {
    require(claimed[index / 256] & (1 << (index % 256)) == 0, "claimed");
    claimed[index / 256] |= 1 << (index % 256);
    require(token.transfer(who, amount)); // FINDING
  }
  function claimOnce(uint256 amount) external {
    if (served[msg.sender]) revert();
    served[msg.sender] = true;
    require(token.transfer(msg.sender, amount)); // FINDING
  }
}`,
      // An allowance is as good as a transfer.
      `pragma solidity ^0.8.20;
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface IERC20 {
  function approve(address spender, uint256 amount) external returns (bool);
  function transfer(address to, uint256 amount) external returns (bool);
}
contract Treasury {
  using SafeERC20 for IERC20;
  IERC20 immutable token;
  address treasury = msg.sender;
  constructor(IERC20 t) { token = t; }
  function pay(address to, uint256 amount) external {
    token.transfer(to == address(0) ? treasury : to, amount); // FINDING
  }
  function allow(address to, uint256 amount) external {
    SafeERC20.safeApprove(token, to, amount); // FINDING
  }
  function allowAnew(address to, uint256 amount) external {
    SafeERC20.forceApprove(token, to, amount); // FINDING
  }
  function allowMore(address to, uint256 amount) external {
    SafeERC20.safeIncreaseAllowance(token, to, amount); // FINDING
  }
}`,
      // The library is right: whoever calls it decides who is paid.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
library SafeToken {
  function safeTransfer(IERC20 token, address to, uint256 amount) public {
    require(token.transfer(to, amount), "transfer");
  }
}
contract Rescue {
  using SafeToken for IERC20;
  function rescue(IERC20 token, address to, uint256 amount) external {
    token.safeTransfer(to, amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract Box {
  using SafeERC20 for IERC20;
  function withdraw(IERC20 token, uint256 amount) external { token.safeTransfer(msg.sender, amount); } // FINDING
  function send(IERC20 token, address to, uint256 amount) external { SafeERC20.safeTransfer(token, to, amount); } // FINDING
}`,
      // Less severe where only what is not in the books can be taken.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Pair {
  IERC20 immutable token;
  uint256 reserve;
  uint256 fee;
  constructor(IERC20 t) { token = t; }
  function skim(address to) external {
    uint256 more = token.balanceOf(address(this)) - reserve;
    token.transfer(to, more); // FINDING
  }
  function drain(address to) external { token.transfer(to, token.balanceOf(address(this)) - 1); } // FINDING
  function drainAll(address to) external { token.transfer(to, token.balanceOf(address(this))); } // FINDING
}`,
      // Less severe where tokens only pass through, and nobody may do more than others.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Router {
  IERC20 immutable token;
  address last;
  constructor(IERC20 t) { token = t; }
  function send(address to, uint256 amount) external { last = to; token.transfer(to, amount); } // FINDING
}
contract Treasury {
  address admin = msg.sender;
  function send(IERC20 token, address to, uint256 amount) external { token.transfer(to, amount); } // FINDING
  function setAdmin(address to) external { require(msg.sender == admin); admin = to; }
}
contract Pool {
  mapping(address => uint256) held;
  function send(IERC20 token, address to, uint256 amount) external { token.transfer(to, amount); } // FINDING
  function note() external { held[msg.sender]++; }
}`,
      // What anyone can read, or whoever is only told how much, entitles nobody.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IStrategy { function withdraw(uint256 amount) external; }
contract Vault {
  IERC20 immutable token;
  IStrategy immutable strategy;
  address public immutable owner = msg.sender;
  mapping(uint32 => bytes32) public peers;
  constructor(IERC20 t, IStrategy s) { token = t; strategy = s; }
  function setPeer(uint32 chain, bytes32 peer) external { require(msg.sender == owner); peers[chain] = peer; }
  function receiveFrom(uint32 chain, bytes32 peer, address to, uint256 amount) external {
    require(peers[chain] == peer, "peer");
    token.transfer(to, amount); // FINDING
  }
  function pull(uint256 amount, address to) public {
    strategy.withdraw(amount);
    token.transfer(to, amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IItems { function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data) external; }
contract Pair {
  address immutable owner = msg.sender;
  uint256 spot;
  function setSpot(uint256 to) external { require(msg.sender == owner); spot = to; }
  function take(IItems items, uint256[] calldata ids, uint256[] calldata amounts) external {
    items.safeBatchTransferFrom(address(this), msg.sender, ids, amounts, ""); // FINDING
  }
}`,
    ],
    safe: [
      // The library moves what the caller has, or what is fixed, or to where it belongs.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
library Assets {
  function move(IERC20 token, address from, address to, uint256 amount) internal {
    if (amount == 0 || from == to) return;
    if (from == address(this)) give(token, to, amount);
    else require(token.transferFrom(from, to, amount));
  }
  function give(IERC20 token, address to, uint256 amount) internal { require(token.transfer(to, amount)); }
  function repeat(IERC20 token, address to, uint256 amount) internal {
    if (amount > 100) repeat(token, to, amount - 100);
    else give(token, to, amount);
  }
}
contract Prizes {
  using Assets for IERC20;
  IERC20 immutable token;
  address immutable treasury;
  uint256 constant fee = 1;
  mapping(address => uint256) public won;
  constructor(IERC20 t, address to) { token = t; treasury = to; }
  function send(address to, uint256 amount) external { token.move(msg.sender, to, amount); }
  function add(uint256 amount) external { token.move(msg.sender, address(this), amount); }
  function sweep(uint256 amount) external { token.move(address(this), treasury, amount); }
  function claim() external { uint256 due = won[msg.sender]; won[msg.sender] = 0; token.move(address(this), msg.sender, due); }
}`,
      // The holder is asked, or paid, or takes what was just paid in.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Positions {
  struct Position { uint256 margin; uint64 since; }
  IToken immutable token;
  mapping(uint256 => address) holderOf;
  mapping(uint256 => Position) positions;
  uint256 next;
  constructor(IToken t) { token = t; }
  function open(uint256 n) external {
    uint256 id = next++;
    holderOf[id] = msg.sender;
    positions[id] = Position(n, uint64(block.timestamp));
    require(token.transferFrom(msg.sender, address(this), n));
  }
  function reduce(uint256 id, uint256 n, address to) external {
    require(holderOf[id] == msg.sender && n < positions[id].margin);
    positions[id].margin -= n;
    require(token.transfer(to, n));
  }
  function settle(uint256 id, uint256 n) external {
    require(positions[id].since + 365 days <= block.timestamp && n < positions[id].margin);
    positions[id].margin -= n;
    require(token.transfer(holderOf[id], n));
  }
}
`,
      // Encoded calls that pay a fixed receiver, ask, or are made by a guardian.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Held {
  IToken immutable token;
  address immutable guardian;
  uint256 public last;
  constructor(IToken t, address g) { token = t; guardian = g; }
  function sweep() external {
    (bool ok, ) = address(token).call(abi.encodeWithSelector(IToken.transfer.selector, guardian, token.balanceOf(address(this))));
    require(ok);
  }
  function ask(address who) external {
    (bool ok, bytes memory data) = address(token).call(abi.encodeWithSelector(0x70a08231, who));
    require(ok);
    last = abi.decode(data, (uint256));
  }
  function send(address to, uint256 n) external {
    require(msg.sender == guardian);
    (bool ok, ) = address(token).call(abi.encodeCall(IToken.transfer, (to, n)));
    require(ok);
  }
}`,
      `pragma solidity ^0.6.0;
import "./SafeMath.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Farm {
  using SafeMath for uint256;
  IERC20 immutable token;
  mapping(address => uint256) stakes;
  constructor(IERC20 t) public { token = t; }
  function unstake(uint256 amount) external {
    stakes[msg.sender] = stakes[msg.sender].sub(amount);
    require(token.transfer(msg.sender, amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IERC721 { function transfer(address to, uint256 id) external returns (bool); }
contract Farm {
  IERC20 immutable token;
  IERC721 immutable items;
  mapping(address => uint256) stakes;
  mapping(address => mapping(uint256 => bool)) lent;
  uint256 total;
  constructor(IERC20 t, IERC721 i) { token = t; items = i; }
  function unstake(uint256 amount) external {
    _lower(msg.sender, amount);
    require(token.transfer(msg.sender, amount));
  }
  function _lower(address who, uint256 amount) private { stakes[who] -= amount; total -= amount; }
  function back(uint256 id) external {
    lent[msg.sender][id] = false;
    require(items.transfer(msg.sender, id));
  }
}`,
      // A wallet has this code run on what is its own.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function approve(address to, uint256 amount) external returns (bool);
  function allowance(address owner, address to) external view returns (uint256);
}
contract Checked { function check(address who) internal view { require(who.code.length > 0); } }
contract TokenScript is Checked {
  uint256 constant VERSION = 1;
  IERC20 immutable token;
  constructor(IERC20 t) { check(address(t)); token = t; }
  function transfer(address to, uint256 amount) external returns (bool) { return token.transfer(to, amount); }
  function approve(address to, uint256 amount) external { token.approve(to, amount); }
  function allowance(address owner, address to) external view returns (uint256) { return token.allowance(owner, to); }
}`,
      // Whoever has the rest go where it belongs gets the share that is set for it; batches sweep with helpers.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
interface IPool { function notify(uint256 amount) external; }
contract Harvest {
  IERC20 immutable token;
  IPool immutable pool;
  address treasury;
  uint256 constant CUT = 5;
  constructor(IERC20 t, IPool p, address y) { (token, pool, treasury) = (t, p, y); }
  function tell() external {
    uint256 held = token.balanceOf(address(this));
    uint256 mine = (held * CUT) / 100;
    token.transfer(msg.sender, mine);
    pool.notify(held - mine);
  }
  function pass(IERC20 any) external {
    any.transfer(msg.sender, (any.balanceOf(address(this)) * CUT) / 100);
    any.transfer(treasury, any.balanceOf(address(this)));
  }
}
contract Desk {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function batch(bytes[] calldata parts) external payable {
    for (uint256 i = 0; i < parts.length; i++) {
      (bool ok, ) = address(this).delegatecall(parts[i]);
      require(ok);
    }
  }
  function sweep(address to) external payable { send(to, token.balanceOf(address(this))); }
  function send(address to, uint256 amount) private { token.transfer(to, amount); }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IERC721 { function transferFrom(address from, address to, uint256 id) external; }
contract Rewards {
  IERC20 immutable token;
  mapping(address => uint256) earned;
  mapping(address => mapping(address => bool)) agents;
  constructor(IERC20 t) { token = t; }
  function setAgent(address agent, bool on) external { agents[msg.sender][agent] = on; }
  function collect(address to) external { _collect(msg.sender, to); }
  function push(address who) external { _collect(who, who); }
  function collectFor(address who, address to) external { require(agents[who][msg.sender]); _collect(who, to); }
  function _collect(address who, address to) internal {
    uint256 amount = earned[who];
    earned[who] = 0;
    require(token.transfer(to, amount));
  }
}
contract Pawn {
  struct Order { address maker; IERC721 item; uint256 id; uint256 price; bool live; }
  mapping(uint256 => Order) orders;
  mapping(uint256 => address) lender;
  IERC721 immutable bonds;
  uint256 count;
  constructor(IERC721 b) { bonds = b; }
  function make(IERC721 item, uint256 id, uint256 price) external {
    orders[++count] = Order(msg.sender, item, id, price, true);
    item.transferFrom(msg.sender, address(this), id);
  }
  function take(uint256 n) external payable {
    Order storage o = orders[n];
    require(o.live && msg.value == o.price, "order");
    o.live = false;
    o.item.transferFrom(address(this), msg.sender, o.id);
    payable(o.maker).transfer(msg.value);
  }
  function lend(uint256 id) external { lender[id] = msg.sender; bonds.transferFrom(msg.sender, address(this), id); }
  function back(uint256 id, address to) external {
    require(lender[id] == msg.sender, "none");
    delete lender[id];
    bonds.transferFrom(address(this), to, id);
  }
  function give(uint256 id) external {
    address to = lender[id];
    delete lender[id];
    bonds.transferFrom(address(this), to, id);
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
contract Locker {
  struct Lock { address beneficiary; uint256 amount; uint64 unlockAt; }
  struct Offer { address maker; uint256 gives; uint256 wants; }
  IERC20 immutable token;
  IERC20 immutable money;
  mapping(uint256 => Lock) locks;
  Offer[] offers;
  mapping(address => uint256) public shares;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 totalShares;
  uint256 nextId;
  constructor(IERC20 t, IERC20 m) { token = t; money = m; }
  function lock(uint256 amount, uint64 unlockAt) external {
    locks[nextId++] = Lock({ beneficiary: msg.sender, amount: amount, unlockAt: unlockAt });
    require(token.transferFrom(msg.sender, address(this), amount));
  }
  function unlock(uint256 id, address to) external {
    Lock memory held = locks[id];
    require(held.beneficiary == msg.sender, "beneficiary");
    require(block.timestamp >= held.unlockAt, "early");
    delete locks[id];
    require(token.transfer(to, held.amount));
  }
  function offer(uint256 gives, uint256 wants) external {
    offers.push(Offer(msg.sender, gives, wants));
    require(token.transferFrom(msg.sender, address(this), gives));
  }
  function take(uint256 id) external {
    Offer storage o = offers[id];
    uint256 gives = o.gives;
    o.gives = 0;
    require(money.transferFrom(msg.sender, o.maker, o.wants));
    require(token.transfer(msg.sender, gives));
  }
  function withdraw(uint256 id) external {
    Offer storage o = offers[id];
    require(o.maker == msg.sender, "maker");
    uint256 gives = o.gives;
    o.gives = 0;
    require(token.transfer(msg.sender, gives));
  }
  function redeem(uint256 amount, address receiver, address owner) external {
    if (msg.sender != owner) allowance[owner][msg.sender] -= amount;
    uint256 out = (amount * money.balanceOf(address(this))) / totalShares;
    shares[owner] -= amount;
    totalShares -= amount;
    require(money.transfer(receiver, out));
  }
  function redeemFor(address owner) external {
    uint256 amount = shares[owner];
    shares[owner] = 0;
    require(money.transfer(owner, amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Airdrop {
  IERC20 immutable token;
  bytes32 immutable root;
  mapping(uint256 => uint256) claimed;
  mapping(address => bool) served;
  constructor(IERC20 t, bytes32 r) { token = t; root = r; }
  function claim(uint256 index, address who, uint256 amount, bytes32[] calldata proof) external {
    require(claimed[index / 256] & (1 << (index % 256)) == 0, "claimed");
    claimed[index / 256] |= 1 << (index % 256);
    bytes32 node = keccak256(bytes.concat(keccak256(abi.encode(index, who, amount))));
    for (uint256 i = 0; i < proof.length; i++) node = keccak256(abi.encode(node < proof[i] ? node : proof[i], node < proof[i] ? proof[i] : node));
    require(node == root, "proof");
    require(token.transfer(who, amount));
  }
  function claimOnce() external {
    if (served[msg.sender]) revert();
    served[msg.sender] = true;
    require(token.transfer(msg.sender, 1 ether));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
interface IBorrower { function onLoan(uint256 amount) external; }
contract Lender {
  function lend(IERC20 token, uint256 amount) external {
    require(token.transfer(msg.sender, amount));
    IBorrower(msg.sender).onLoan(amount);
    require(token.transferFrom(msg.sender, address(this), amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
contract Stake {
  IERC20 immutable token;
  mapping(address => uint256) staked;
  address owner = msg.sender;
  constructor(IERC20 t) { token = t; }
  function unstake(uint256 amount, address to) external { staked[msg.sender] -= amount; token.transfer(to, amount); }
  function rescue(IERC20 other, address to) external {
    require(msg.sender == owner);
    other.transfer(to, other.balanceOf(address(this)));
  }
  function forward(address to, uint256 amount) external {
    token.transferFrom(msg.sender, address(this), amount);
    token.transfer(to, amount);
  }
  function collect() external { token.transfer(owner, token.balanceOf(address(this))); }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Faucet {
  IERC20 immutable token;
  mapping(address => uint256) public last;
  constructor(IERC20 t) { token = t; }
  function drip() external { token.transfer(msg.sender, 1 ether); }
  function dripMore(uint256 amount) external {
    require(last[msg.sender] + 1 days < block.timestamp && amount < 9 ether);
    last[msg.sender] = block.timestamp;
    token.transfer(msg.sender, amount);
  }
}`,
      `pragma solidity ^0.8.20;
import "./Narrow.sol";
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
interface IBorrower { function onLoan(uint256 amount) external; }
contract Desk {
  using Narrow for uint256;
  IERC20 immutable token;
  uint256 booked;
  constructor(IERC20 t) { token = t; }
  function lend(IBorrower to, uint256 amount) external {
    uint128 narrow = amount.toUint128();
    _out(address(to), narrow);
    to.onLoan(amount);
    _in(address(to), narrow + narrow / 1000);
  }
  function _out(address to, uint256 amount) internal { booked -= amount; require(token.transfer(to, amount)); }
  function _in(address from, uint256 amount) internal {
    uint256 there = token.balanceOf(address(this)) - booked;
    booked += amount;
    if (there < amount) token.transferFrom(from, address(this), amount - there);
  }
}
library Sends {
  function safeTransfer(IERC20 token, address to, uint256 amount) internal {
    (bool done, ) = address(token).call(abi.encodeWithSelector(token.transfer.selector, to, amount));
    require(done);
  }
  function safeTransferFrom(IERC20 token, address from, address to, uint256 amount) internal {
    (bool done, ) = address(token).call(abi.encodeWithSelector(token.transferFrom.selector, from, to, amount));
    require(done);
  }
}
contract Bench {
  using Sends for IERC20;
  function lend(IERC20 token, IBorrower to, uint256 amount) external {
    token.safeTransfer(address(to), amount);
    to.onLoan(amount);
    _back(token, address(to), amount);
  }
  function _back(IERC20 token, address from, uint256 amount) internal { token.safeTransferFrom(from, address(this), amount); }
}
contract Basket {
  mapping(IERC20 => uint256) booked;
  function lend(IBorrower to, IERC20[] calldata tokens, uint256[] calldata amounts) external {
    for (uint256 i = 0; i < tokens.length; i++) tokens[i].transfer(address(to), amounts[i]);
    to.onLoan(tokens.length);
    for (uint256 i = 0; i < tokens.length; i++) require(_held(tokens[i]) >= booked[tokens[i]], "short");
  }
  function _held(IERC20 token) internal view returns (uint256) { return token.balanceOf(address(this)); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface IReceiver { function onTokenTransfer(address from, uint256 amount, bytes calldata data) external; }
contract Token is ERC20 {
  constructor() ERC20("T", "T") {}
  function transferAndCall(address to, uint256 amount, bytes calldata data) external {
    super.transfer(to, amount);
    if (to.code.length > 0) IReceiver(to).onTokenTransfer(msg.sender, amount, data);
  }
}`,
      // Tokens that are swept in the batch which brought them, and other functions by these names.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function balanceOf(address who) external view returns (uint256);
  function transfer(address to, uint256 amount) external returns (bool);
  function approve(address spender, uint256 amount) external returns (bool);
}
interface IBooks { function transfer(address from, uint256 book, address to) external; }
library Pay {
  function send(IERC20 token, address to, uint256 amount) public { token.transfer(to, amount); }
  function record(IERC20 token, address to, uint256 amount) internal {}
}
contract Batch {
  function multicall(bytes[] calldata parts) external payable {
    for (uint256 i = 0; i < parts.length; i++) {
      (bool ok, ) = address(this).delegatecall(parts[i]);
      require(ok);
    }
  }
  function sweep(IERC20 token, address to) external payable { token.transfer(to, token.balanceOf(address(this))); }
}
contract Desk {
  IERC20 immutable token;
  IBooks immutable books;
  uint256 reward = 5;
  mapping(uint256 => address) ownerOf;
  mapping(address => mapping(address => uint256)) allowance;
  mapping(address => uint256) balanceOf;
  constructor(IERC20 t, IBooks b) { token = t; books = b; }
  function faucet(address to) external { token.transfer(to, 5); }
  function allow(address to) external { token.approve(to, reward); }
  function pay(uint256 id, uint256 amount) external { token.transfer(ownerOf[id], amount); }
  function hand(uint256 book, address to) external { books.transfer(msg.sender, book, to); }
  function note(address to, uint256 amount) external { Pay.record(token, to, amount); }
  function back(uint256 amount) external { transferFrom(address(this), msg.sender, amount); }
  function transferFrom(address from, address to, uint256 amount) public returns (bool) {
    allowance[from][msg.sender] -= amount;
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function _send(address to, uint256 amount) internal { token.transfer(to, amount); }
}`,
      // A helper asks, deposit by deposit, whose it is.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface IDeposits { function ownerOf(uint256 id) external view returns (address); function amountOf(uint256 id) external view returns (uint256); function burn(uint256 id) external; }
contract Vault {
  using SafeERC20 for IERC20;
  IERC20 immutable token;
  IDeposits immutable deposits;
  uint256 total;
  constructor(IERC20 t, IDeposits d) { token = t; deposits = d; }
  function withdraw(address to, uint256[] calldata ids) external {
    uint256 amount;
    for (uint256 i = 0; i < ids.length; i++) amount += _close(ids[i]);
    token.safeTransfer(to, amount);
  }
  function _close(uint256 id) internal returns (uint256) {
    require(deposits.ownerOf(id) == msg.sender);
    deposits.burn(id);
    return deposits.amountOf(id) * token.balanceOf(address(this)) / total;
  }
}`,
      // Something is taken from an account, by whatever is told of it or by a base without source; a peer calls.
      `pragma solidity ^0.8.20;
import {Shares} from "./Shares.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface IStrategy {
  function withdraw(uint256 amount) external;
  function withdrawFor(address who, uint256 amount) external;
  function close(bytes32 position) external;
}
contract Vault is Shares {
  IERC20 immutable token;
  IStrategy immutable strategy;
  address public immutable endpoint = msg.sender;
  mapping(uint32 => bytes32) public peers;
  constructor(IERC20 t, IStrategy s) { token = t; strategy = s; }
  function setPeer(uint32 chain, bytes32 peer) external { require(msg.sender == endpoint); peers[chain] = peer; }
  function receiveFrom(uint32 chain, bytes32 peer, address to, uint256 amount) external {
    require(msg.sender == endpoint && peers[chain] == peer, "peer");
    token.transfer(to, amount);
  }
  function pull(uint256 amount, address to) external { _pull(msg.sender, amount, to); }
  function _pull(address by, uint256 amount, address to) private {
    _burn(by, amount);
    strategy.withdraw(amount);
    token.transfer(to, amount);
  }
  function pullOwn(uint256 amount) external {
    strategy.withdrawFor(msg.sender, amount);
    token.transfer(msg.sender, amount);
  }
  function close(bytes32 position, uint256 amount) external {
    strategy.close(keccak256(abi.encode(msg.sender, position)));
    token.transfer(msg.sender, amount);
  }
}`,
      `pragma solidity ^0.8.20;
interface IItems { function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data) external; }
contract Pair {
  address immutable owner = msg.sender;
  uint256 spot;
  function setSpot(uint256 to) external { require(msg.sender == owner); spot = to; }
  function give(IItems items, uint256[] calldata ids, uint256[] calldata amounts) external {
    items.safeBatchTransferFrom(msg.sender, address(this), ids, amounts, "");
  }
  function take(IItems items, uint256[] calldata ids, uint256[] calldata amounts) external {
    require(msg.sender == owner);
    items.safeBatchTransferFrom(address(this), msg.sender, ids, amounts, "");
  }
}`,
    ],
  },
}

const chosen = Source.parameter | Source.calldata | Source.sender

/** What is taken may belong to nobody, or is a token that the contract has never dealt with. */
const weighed = (program: Program, flow: Flow, event: CallSite): Pick<Match, "message" | "severity"> =>
  excludesKnown(flow, { event, at: event.at, via: [], order: event.order, place: undefined })
    ? { message: "Only tokens that somebody has sent here by mistake can be taken.", severity: "low" }
    : isSurplus(flow, event) || holdsForNobody(program, flow)
      ? { severity: "medium" }
      : {}

/** `held - booked`: nobody is owed what the contract holds beyond its books. */
const isSurplus = (flow: Flow, { args, at: site }: CallSite): boolean => {
  const { e, at } = writtenAs(flow, args.at(-1) as S.Expression, site) // Yul has no calls by these names.
  if (e.kind !== "BinaryOperation" || e.operator !== "-") return false
  return (
    has(flow.origins(e.left, at), Source.tokenBalance) &&
    only(flow.origins(e.right, at), Source.state | Source.parameter)
  )
}

/** Variables that are not only counted up: `nonces[user]++` is not a book of what anybody owns. */
const booked = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  for (const flow of program.allFlows())
    for (const { event, place } of flow.writes)
      if (event.operation !== "increment") place?.variables.forEach((variable) => found.add(variable))
  return found
})

/**
 * Whether the contract knows no account that may do more than others, and keeps no books: tokens only pass through, or
 * another contract runs its code.
 */
const holdsForNobody = (program: Program, { context }: Flow): boolean => {
  if (context === undefined) return false
  const { own } = accessOf(program)
  return (
    !inheritsRestriction(context) &&
    program
      .stateVariablesOf(context)
      .every((one) => one.constant || !/mapping|array|struct/.test(one.type.kind) || !booked(program).has(one)) &&
    context.linearization.every((each) => (own.get(each) ?? []).every(({ guarded }) => !guarded))
  )
}
