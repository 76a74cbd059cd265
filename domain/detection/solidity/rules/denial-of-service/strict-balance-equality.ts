import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { sameExpression } from "../../questions/value/sameExpression.ts"
import type * as S from "../../syntax.ts"
import { Shape } from "../../flow/graph/shape.ts"
import { walk } from "../../visit.ts"

export const strictBalanceEquality: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/strict-balance-equality",
    class: "strict-balance-equality",
    title: "Strict balance equality",
    severity: "medium",
    confidence: "medium",
    cwe: [697],
    swc: 132,
    description:
      "A decision depends on whether a balance equals an exact number. Anyone can raise a contract's balance " +
      "without calling a function: with `selfdestruct`, as the recipient of block rewards, by paying the " +
      "address before the contract exists, or with a plain token transfer. A single extra wei makes the " +
      "equality false forever, or true for the attacker.",
    remediation:
      "Track what was paid in through the contract's own functions in a state variable and compare with that. " +
      "If the actual balance is needed, use `>=` or `<=`.",
    references: ["https://swcregistry.io/docs/SWC-132"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.equality)) {
        if (node.expression === undefined) continue
        walk(node.expression, (e) => {
          if (e.kind !== "BinaryOperation" || (e.operator !== "==" && e.operator !== "!=")) return true
          // An error code, returned beside something computed from a balance.
          if (isZero(e.left) || isZero(e.right) || program.typeOf(e.left).kind === "enum") return true
          const sides = [e.left, e.right].filter((side) => has(flow.origins(side, node), balances))
          // two balances compared with each other, or the amount that arrived between two readings
          const [balance] = sides
          if (balance === undefined || sides.length === 2 || isDifference(flow, balance, node)) return true
          const other = balance === e.left ? e.right : e.left
          if (
            isMost(flow.program, other) ||
            isSumWithEarlier(flow, other, node) ||
            isBroughtUpToDate(flow, other, node)
          )
            return true
          report({ file: node.callable.source.file, span: e, scope: node.callable.scope })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Not the largest of a type, but a member of that name.
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Sale {
  struct Cap { uint256 min; uint256 max; }
  IToken immutable token;
  Cap cap;
  bool public closed;
  constructor(IToken t, uint256 most) { token = t; cap.max = most; }
  function close() external { require(token.balanceOf(address(this)) == cap.max); closed = true; } // FINDING
  function open() external { require(token.balanceOf(address(this)) == type(uint256).min); closed = false; } // FINDING
  uint256 kept;
  function count() external { if (token.balanceOf(address(this)) != kept) kept += 1; } // FINDING
}`,
      // What is kept is changed, but only if the balance still is what it was.
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Sync {
  IToken immutable token;
  uint256 kept;
  uint256 last;
  constructor(IToken t) { token = t; }
  function sync() external {
    require(token.balanceOf(address(this)) == kept); // FINDING
    kept = token.balanceOf(address(this)) + 1;
  }
  function note() external {
    if (token.balanceOf(address(this)) != kept) { // FINDING
      last = token.balanceOf(address(this));
    }
  }
}`,
      // What was kept earlier is from another transaction.
      `pragma solidity ^0.7.6;
import "@openzeppelin/contracts/math/SafeMath.sol";
interface IPayer { function pull(uint256 amount) external; }
contract Stake {
    using SafeMath for uint256;
    IPayer immutable payer;
    uint256 public kept;
    constructor(IPayer p) { payer = p; }
    receive() external payable {}
    function take(uint256 amount) external {
        uint256 had = kept;
        payer.pull(amount);
        require(address(this).balance == had.add(amount), "amount"); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Game {
    uint256 constant TARGET = 7 ether;
    address public winner;

    function deposit() external payable {
        uint256 balance = address(this).balance;
        require(balance <= TARGET);
        if (balance == TARGET) { // FINDING
            winner = msg.sender;
        }
    }
}`,
      `pragma solidity ^0.4.24;
contract Box {
    constructor() public payable {}
}
contract Lock {
    uint total;

    function split() public payable {
        Box box = (new Box).value(msg.value)();
        assert(address(box).balance == msg.value); // FINDING
    }

    modifier exact() {
        require(this.balance == total); // FINDING
        _;
    }

    function open() public exact {
        total = 0;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Vault {
    IERC20 token;
    uint256 deposited;

    function check() external view returns (bool) {
        return token.balanceOf(address(this)) != deposited; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Pot {
    uint256 last;

    function close(uint256 expected) external payable {
        require(address(this).balance - msg.value == expected); // FINDING
        uint256 gained = address(this).balance - last;
        require(gained == 1 ether); // FINDING
        last = address(this).balance;
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Game {
  struct Seen { uint256 had; uint256 at; }
  IToken a;
  IToken b;
  uint256 fee;
  uint256 cap;
  function sum(uint256 x) external view {
    uint256 s = a.balanceOf(address(this)) + b.balanceOf(address(this));
    require(s == x); // FINDING
  }
  function left() external view returns (bool) {
    uint256 d = cap - address(this).balance;
    return d == 5; // FINDING
  }
  function net(uint256 x) external view {
    require(sub(address(this).balance, fee) == x); // FINDING
  }
  function plain(uint256 x) external view {
    require(same(address(this).balance) == x); // FINDING
  }
  function named(uint256 x) external view {
    require(read() == x); // FINDING
  }
  function kept(uint256 x) external view {
    Seen memory s;
    s.had = a.balanceOf(address(this));
    require(s.had == x); // FINDING
  }
  function sub(uint256 x, uint256 y) internal pure returns (uint256) { return x - y; }
  function same(uint256 x) internal pure returns (uint256) { return x; }
  function read() internal view returns (uint256 r) { r = address(this).balance; }
}`,
    ],
    safe: [
      // The error code of a computation in which a balance takes part.
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Market {
  enum Error { NONE, MATH }
  IToken immutable token;
  uint256 borrows;
  constructor(IToken t) { token = t; }
  function total() internal view returns (Error, uint256) {
    uint256 cash = token.balanceOf(address(this));
    if (cash > type(uint256).max - borrows) return (Error.MATH, cash);
    return (Error.NONE, cash + borrows);
  }
  function rate() external view returns (uint256) {
    (Error problem, uint256 all) = total();
    if (problem != Error.NONE) return 0;
    return all;
  }
}`,
      // What is kept follows the balance, or the caller asks for all there is.
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Sync {
  struct Reward { uint128 remaining; }
  IToken immutable token;
  Reward[] rewards;
  uint256 kept;
  constructor(IToken t) { token = t; }
  function sync(uint256 i) external {
    Reward storage reward = rewards[i];
    uint256 balance = token.balanceOf(address(this));
    if (balance != reward.remaining) { reward.remaining = uint128(balance); }
    if (token.balanceOf(address(this)) != kept) kept = token.balanceOf(address(this));
  }
  function take(uint256[] memory amounts) external view returns (uint256 sum) {
    for (uint256 i; i < amounts.length; i++) {
      uint256 balance = token.balanceOf(address(this));
      if (amounts[i] == type(uint256).max) amounts[i] = balance;
      sum += amounts[i];
    }
  }
}`,
      // An earlier reading and what was asked for, added by a library without source.
      `pragma solidity ^0.7.6;
import "@openzeppelin/contracts/math/SafeMath.sol";
interface IPayer { function pull(uint256 amount) external; }
contract Stake {
    using SafeMath for uint256;
    IPayer immutable payer;
    uint256 public kept;
    constructor(IPayer p) { payer = p; }
    receive() external payable {}
    function take(uint256 amount) external {
        uint256 had = address(this).balance;
        payer.pull(amount);
        require(address(this).balance == had.add(amount), "amount");
        require(had.add(amount) == address(this).balance, "amount");
    }
}`,
      `pragma solidity ^0.8.0;
contract Game {
    uint256 paidIn;
    address public winner;

    function deposit() external payable {
        paidIn += msg.value;
        if (paidIn == 7 ether) winner = msg.sender;
        require(address(this).balance >= paidIn);
    }

    function close() external view returns (bool) {
        return address(this).balance == 0;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
    IERC20 token;

    function pull(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transferFrom(msg.sender, address(this), amount));
        require(token.balanceOf(address(this)) - before == amount);
        require(token.balanceOf(address(this)) == before + amount);
        require(token.balanceOf(msg.sender) == 0);
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
library Math {
    function minus(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }
}
contract Vault {
    using Math for uint256;
    IERC20 token;

    function held() private view returns (uint256) { return token.balanceOf(address(this)); }

    function take(uint256 amount) private returns (uint256) {
        uint256 before = held();
        token.transferFrom(msg.sender, address(this), amount);
        return held() - before;
    }

    function pull(uint256 amount) external {
        uint256 before = held();
        require(token.transferFrom(msg.sender, address(this), amount));
        uint256 received = held() - before;
        require(received == amount);
        require(take(amount) == amount);
    }

    function pay(address payable to, uint256 amount) external {
        uint256 before = address(this).balance;
        to.transfer(amount);
        uint256 spent = before.minus(address(this).balance);
        require(spent == amount);
        check(before, amount);
    }

    function check(uint256 before, uint256 amount) private view {
        require(before - address(this).balance == amount);
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); function pull(uint256 n) external; }
contract Game {
  IToken token;
  function empty() external view returns (bool) { return 0 == address(this).balance; }
  function cast(uint256 n) external {
    uint256 had = token.balanceOf(address(this));
    token.pull(n);
    require(uint128(token.balanceOf(address(this)) - had) == n);
  }
  function helped(uint256 n) external {
    uint256 had = token.balanceOf(address(this));
    token.pull(n);
    require(sub(token.balanceOf(address(this)), had) == n);
  }
  function inner(uint256 n) external { require(gained(n) == n); }
  function gained(uint256 n) internal returns (uint256) {
    uint256 had = token.balanceOf(address(this));
    token.pull(n);
    return token.balanceOf(address(this)) - had;
  }
  function sub(uint256 x, uint256 y) internal pure returns (uint256) { return x - y; }
}`,
    ],
  },
}

const balances = Source.balance | Source.tokenBalance | Source.otherBalance

/** `type(uint256).max`, which no balance reaches: the caller asks for all there is. */
const isMost = (program: Program, e: S.Expression): boolean =>
  e.kind === "MemberAccess" && e.member === "max" && program.typeOf(e.object).kind === "meta"

/** `if (balance != kept) kept = balance;` */
const isBroughtUpToDate = (flow: Flow, kept: S.Expression, { node }: FlowNode): boolean => {
  if (node?.kind !== "IfStatement") return false
  const [only] = node.then.kind === "Block" ? node.then.statements : [node.then]
  return (
    only?.kind === "ExpressionStatement" &&
    only.expression.kind === "Assignment" &&
    only.expression.operator === "=" &&
    sameExpression(flow.program, only.expression.left, kept)
  )
}

/** `had.add(amount)` of a library without source, where `had` is an earlier reading in this function. */
const isSumWithEarlier = (flow: Flow, e: S.Expression, at: FlowNode): boolean =>
  e.kind === "FunctionCall" && e.callee.kind === "MemberAccess" && has(flow.origins(e.callee.object, at), balances)

/** Limit: definitions and functions searched for the subtraction. */
const depthLimit = 4

/**
 * Whether it is the increase of a balance between two readings in the same transaction: whoever raises the balance
 * beforehand raises both. A reading kept in storage is from another transaction.
 */
const isDifference = (flow: Flow, e: Expr, at: FlowNode, depth = 0): boolean => {
  if (depth > depthLimit) return false
  const isBalance = (operand: Expr): boolean => has(flow.deepOrigins(operand, at), balances)
  switch (e.kind) {
    case "BinaryOperation":
      return e.operator === "-" && isBalance(e.left) && isBalance(e.right)
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      if (call?.kind === "conversion") return call.args.every((arg) => isDifference(flow, arg, at, depth + 1))
      if (call?.kind !== "internal" && call?.kind !== "library") return false
      // SafeMath's `sub` and the like take both readings, other functions read by themselves
      if (call.args.length > 1 && call.args.every(isBalance)) return true
      const target = flow.program.dispatch(call, at.callable, flow.context)
      if (target === undefined) return false
      const callee = flow.program.flow(target)
      return (
        callee.returns.length > 0 &&
        callee.returns.every(
          (node) => node.expression !== undefined && isDifference(callee, node.expression, node, depth + 1),
        )
      )
    }
    case "Identifier": {
      const variable = flow.program.referenceOf(e)
      if (variable?.kind !== "LocalVariable") return false
      const { definitions, initial } = flow.values.reaching(variable, at)
      return !initial && definitions.every((d) => d.value !== undefined && isDifference(flow, d.value, d.at, depth + 1))
    }
    case "MemberAccess":
      // kept in a struct in memory, and made of more than one answer
      return flow.origins(e, at).calls.length > 1
    default:
      return false
  }
}
