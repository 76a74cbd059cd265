import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { comparedAnywhere } from "../../questions/value/callerNumbers.ts"
import { changesSomething, idleMembers, isHandedOn, isIdle } from "../../questions/value/idleNumber.ts"
import { leastName, mostName, untilWhen } from "../../questions/value/limitNames.ts"

export const ignoredLimit: Rule<Program> = {
  meta: {
    id: "evm/front-running/ignored-limit",
    class: "no-slippage",
    title: "Caller's limit is never checked",
    severity: "high",
    // only the name indicates that it is a limit
    confidence: "medium",
    cwe: [682, 20],
    description:
      "The function takes a minimum output, a maximum input or a deadline from its caller, but never compares it " +
      "with anything. The caller relies on a limit that is not enforced: an attacker who sees the transaction moves " +
      "the price first, or a block builder holds it back until the price suits them, and keeps the difference.",
    remediation:
      "Compare the outcome with the limit and revert if it is not met, or pass the limit on to the exchange that is " +
      "called. If an interface requires the argument and there is nothing to limit, leave it unnamed and document " +
      "that.",
    references: [
      "https://docs.uniswap.org/contracts/v2/guides/smart-contract-integration/trading-from-a-smart-contract",
      "https://dacian.me/defi-slippage-attacks",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!changesSomething(flow)) continue
      const { fn } = flow
      // The modifiers of an empty function pass all that it was given on to where it is implemented.
      if (fn.node.body?.statements.length === 0) continue
      for (const limit of limitsOf(flow)) {
        // if another function is meant to compare it, the place is there
        if (!isIdle(program, fn, limit) || isHandedOn(program, fn, limit) || isComparedByCallers(program, fn, limit))
          continue
        report({ file: fn.source.file, span: limit.node.nameSpan, scope: fn.scope, message: told(limit) })
      }
      // what a helper leaves of a struct, another function reads
      for (const parameter of program.graph.isEntryPoint(fn) ? fn.parameters : []) {
        const idle = idleMembers(program, fn, parameter).find(isLimit)
        if (idle !== undefined)
          report({ file: fn.source.file, span: parameter.node.nameSpan, scope: fn.scope, message: told(idle) })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IPool { function swap(address from, address to, address receiver) external returns (uint256); }
contract Router {
  IPool immutable pool;
  constructor(IPool p) { pool = p; }
  function swap(address[] calldata path, uint256 minOut, address to) external returns (uint256) {
    return _swap(path[0], path[1], minOut, to);
  }
  function _swap(address from, address to, uint256 minOut, address receiver) // FINDING
    private returns (uint256) {
    return pool.swap(from, to, receiver);
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  error TooMuch(uint256 cost, uint256 maxCost);
  event Bought(uint256 cost, uint256 maxCost);
  mapping(address => uint256) balances;
  mapping(address => uint256) units;
  uint256 price;
  function buy(uint256 amount, uint256 maxCost) external { // FINDING
    uint256 cost = amount * price;
    if (cost > balances[msg.sender]) revert TooMuch(cost, maxCost);
    balances[msg.sender] -= cost;
    units[msg.sender] += amount;
    emit Bought(cost, maxCost);
  }
}`,
      `pragma solidity ^0.8.20;
contract Market {
  struct Order { uint256 amountIn; uint256 amountOutMinimum; address to; }
  mapping(address => uint256) ins;
  mapping(address => uint256) outs;
  uint256 reserve = 1e24;
  function trade(Order calldata order) external returns (uint256 out) { // FINDING
    out = reserve * order.amountIn / (reserve + order.amountIn);
    ins[msg.sender] -= order.amountIn;
    outs[order.to] += out;
  }
  function tradeUntil(uint256 amount, uint256 least, uint256 deadline) external returns (uint256 out) { // FINDING
    deadline;
    out = reserve * amount / (reserve + amount);
    require(out >= least);
    ins[msg.sender] -= amount;
    outs[msg.sender] += out;
  }
  function tradeNear(uint256 amount, uint256 quoted) external {
    uint256 minOut = quoted * 99 / 100; // FINDING
    uint256 out = reserve * amount / (reserve + amount);
    ins[msg.sender] -= amount;
    outs[msg.sender] += out;
  }
}`,
      `pragma solidity ^0.8.20;
interface IRouter { function swap(uint256 amount, uint256 least) external returns (uint256); }
contract Trader {
  IRouter immutable router;
  constructor(IRouter r) { router = r; }
  function trade(uint256 amount) external returns (uint256) {
    uint256 minOut = _less(amount, 50); // FINDING
    return router.swap(amount, 0);
  }
  function _less(uint256 amount, uint256 points) private pure returns (uint256) {
    return amount * (10_000 - points) / 10_000;
  }
}`,
    ],
    safe: [
      // Whoever calls the helper has compared the limit.
      `pragma solidity ^0.8.20;
interface IGateway { function mint(address to, uint256 amount) external returns (uint256); }
contract Wrapper {
  event Minted(uint256 minOut, uint256 amount);
  IGateway immutable gateway;
  constructor(IGateway g) { gateway = g; }
  function deposit(uint256 amount, uint256 minOut) external {
    uint256 minted = gateway.mint(address(this), amount);
    require(minted >= minOut);
    _mint(minted, minOut);
  }
  function _mint(uint256 amount, uint256 minOut) internal {
    gateway.mint(msg.sender, amount);
    emit Minted(minOut, amount);
  }
}`,
      // The module has the limit, too.
      `pragma solidity 0.8.20;

contract Vault {
    address immutable module;
    uint256 lastTrade;

    constructor(address m) { module = m; }

    modifier use(address to) {
        _;
        lastTrade = block.number;
        (bool ok, ) = to.delegatecall(msg.data);
        require(ok);
    }

    function liquidate(address violator, uint256 minAmountOut) external use(module) {}
}
`,
      `pragma solidity ^0.8.20;
interface IFeed { function touch() external; function price() external view returns (uint256); }
contract Desk {
  IFeed immutable feed;
  uint256 public last;
  constructor(IFeed f, uint256 maxPrice) { feed = f; last = 1; }
  function look(uint256 maxPrice) external view returns (uint256) { return feed.price(); }
  function refuse(uint256 amount, uint256 minOut) external { last = amount; revert("closed"); }
  function nothing(uint256 amount, uint256 minOut) external {}
  function named(bytes32 minName) external { last = 2; }
  function kept(uint256 amount) external {
    uint256 maxSeen = amount;
    uint256 minLeft = last + 1;
    last = amount;
  }
}`,
      `pragma solidity ^0.8.20;
interface IPool { function swap(address from, address to, uint256 least) external returns (uint256); }
library Guard { function atLeast(uint256 out, uint256 min) internal pure { require(out >= min); } }
contract Router {
  using Guard for uint256;
  IPool immutable pool;
  constructor(IPool p) { pool = p; }
  modifier inTime(uint256 deadline) { require(block.timestamp <= deadline); _; }
  function handed(address from, address to, uint256 minOut) external { pool.swap(from, to, minOut); }
  function compared(address from, address to, uint256 minOut, uint256 deadline) external inTime(deadline) {
    pool.swap(from, to, 0).atLeast(minOut);
  }
  function deeper(address from, address to, uint256 minOut) external { _swap(from, to, minOut); }
  function _swap(address from, address to, uint256 minOut) private {
    if (pool.swap(from, to, 0) < minOut) revert();
  }
  function unnamed(address from, address to, uint256 /* minOut */) external { pool.swap(from, to, 1); }
  function quote(uint256 amount, uint256 minOut) external pure returns (uint256) { return amount; }
  function assembled(address from, address to, uint256 minOut) external {
    uint256 out = pool.swap(from, to, 0);
    assembly { if lt(out, minOut) { revert(0, 0) } }
  }
}`,
      `pragma solidity ^0.8.20;
contract Market {
  struct Order { uint256 amountIn; uint256 amountOutMinimum; address to; }
  mapping(address => uint256) ins;
  mapping(address => uint256) outs;
  mapping(bytes32 => bool) placed;
  uint256 reserve = 1e24;
  uint256 minimum;
  event Set(uint256 before, uint256 after_);
  function setMinimum(uint256 minAmount) external {
    uint256 oldMin = minimum;
    minimum = minAmount;
    emit Set(oldMin, minAmount);
  }
  function fill(Order calldata order) external {
    if (_out(order) < order.amountOutMinimum) revert();
    _move(order);
  }
  function _out(Order calldata order) private view returns (uint256) { return reserve * order.amountIn / 1e24; }
  function _move(Order calldata order) private { ins[msg.sender] -= order.amountIn; outs[order.to] += order.amountIn; }
  function trade(Order calldata order) external returns (uint256 out) {
    out = reserve * order.amountIn / (reserve + order.amountIn);
    if (out < order.amountOutMinimum) revert();
    ins[msg.sender] -= order.amountIn;
    outs[order.to] += out;
  }
  function place(Order calldata order) external {
    ins[msg.sender] -= order.amountIn;
    placed[keccak256(abi.encode(order))] = true;
  }
}
abstract contract Adapter {
  uint256 count;
  function enter(uint256 amount, uint256 minShares) external { count += amount; _before(amount, minShares); }
  function _before(uint256 amount, uint256 minShares) internal virtual { count++; }
}
contract Strict is Adapter {
  function _before(uint256 amount, uint256 minShares) internal override { require(amount > minShares); }
}`,
    ],
  },
}

const isLimit = ({ name, type }: Pick<LocalVariable, "name" | "type">): boolean =>
  type.kind === "integer" && (leastName.test(name) || mostName.test(name) || untilWhen.test(name))

/** Variables that are given as a limit, or computed to be one. */
function* limitsOf(flow: Flow): Iterable<LocalVariable> {
  yield* flow.fn.parameters.filter(isLimit)
  for (const node of flow.nodes)
    for (const { variable, value } of node.definitions) {
      if (variable.kind !== "LocalVariable" || value === undefined) continue
      if (isLimit(variable) && isComputed(flow, value, node)) yield variable
    }
}

/** Whether it is used from the caller's arguments rather than stored for later. */
const isComputed = (flow: Flow, value: Expr, at: FlowNode): boolean =>
  (value.kind === "BinaryOperation" || value.kind === "FunctionCall") &&
  has(flow.origins(value, at), Source.parameter | Source.calldata)

/** Whether every caller of an internal function compares the limit itself. */
const isComparedByCallers = (program: Program, fn: FunctionModel, limit: LocalVariable): boolean => {
  const callers = program.graph.callers(fn)
  return (
    !program.graph.isEntryPoint(fn) &&
    callers.length > 0 &&
    callers.every(({ from, call }) => {
      const flow = program.flow(from)
      const at = flow.siteOf(call.node)?.at
      const arg = call.args[fn.parameters.indexOf(limit)]
      return (
        at !== undefined &&
        arg !== undefined &&
        flow.origins(arg, at).parameters.some((parameter) => comparedAnywhere({ parameter, flow, at }))
      )
    })
  )
}

const told = ({ name }: Pick<LocalVariable, "name">): string =>
  untilWhen.test(name)
    ? "This deadline is never checked: the transaction can be executed at any later time."
    : "This limit is never checked: the trade executes regardless of it."
