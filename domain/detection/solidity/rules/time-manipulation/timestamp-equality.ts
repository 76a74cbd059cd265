import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { StateVariable } from "../../model.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { blockDataIn } from "../../questions/value/blockDataIn.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { isOrdering } from "../../questions/value/callerNumbers.ts"
import { sameExpression } from "../../questions/value/sameExpression.ts"
import { isTimeItself } from "../../questions/value/isTimeItself.ts"
import { walk } from "../../visit.ts"

export const timestampEquality: Rule<Program> = {
  meta: {
    id: "evm/time-manipulation/timestamp-equality",
    class: "timestamp",
    title: "Exact block timestamp decides an outcome",
    severity: "medium",
    confidence: "high",
    cwe: [829, 330],
    swc: 116,
    description:
      "The outcome depends on the exact value, or the remainder, of `block.timestamp`. The block proposer " +
      "chooses the time within a few seconds before building the block, and everyone else can call from a " +
      "contract that proceeds only if the time fits: a draw by `now % 15 == 0` can be won at will. An equality " +
      "also fails if no block has that exact timestamp.",
    remediation:
      "Compare with `>=` or `<=` and use long windows (minutes or more), so that a few seconds do not matter. " +
      "For randomness, use a verifiable random function or a commit-reveal scheme, never the time.",
    references: [
      "https://swcregistry.io/docs/SWC-116",
      "https://consensys.github.io/smart-contract-best-practices/development-recommendations/solidity-specific/timestamp-dependence/",
    ],
  },

  check: (program, report) => {
    let kept: ReadonlySet<StateVariable> | undefined
    for (const flow of program.allFlows()) {
      if ((blockDataIn(flow) & Source.timestamp) === 0) continue
      for (const node of flow.nodes) {
        if (node.expression === undefined || node.kind === "branch") continue
        const decides = (left: S.Expression, right: S.Expression): boolean => {
          const sides = [flow.origins(left, node), flow.origins(right, node)] as const
          const [time, other] = isTime(sides[0]) ? sides : [sides[1], sides[0]]
          // Two answers are compared, such as whether two times have passed.
          if (isTime(other) || program.typeOf(left).kind === "bool") return false
          const [timed, against] = isTime(sides[0]) ? [left, right] : [right, left]
          if (!isTimeItself(flow, timed, node) || isNoTime(program, against)) return false
          if (isZero(against) && (isElapsed(flow, timed, node) || isNow(flow, timed, node))) return false
          // another contract's clock is compared with ours to see whether it counts seconds at all
          const clock = isTime(sides[0]) ? right : left
          if (has(flow.deepOrigins(clock, node), Source.external | Source.unknown)) return false
          if (isRemainder(left) || isRemainder(right)) return true
          kept ??= timesKept(program)
          if (isKeptMember(program, flow, against, node) || isEdge(flow, left, right)) return false
          return ![...time.state, ...other.state].some((variable) => kept!.has(variable))
        }
        const rounding = new Set<S.Node>()
        walk(node.expression, (e) => {
          if (e.kind !== "BinaryOperation") return true
          if (e.operator === "-") rounding.add(e.right)
          const found =
            e.operator === "==" || e.operator === "!="
              ? decides(e.left, e.right)
              : e.operator === "%" &&
                !rounding.has(e) &&
                isTime(flow.origins(e.left, node)) &&
                isTimeItself(flow, e.left, node) &&
                (constantNumber(program, e.right) ?? 0n) < roundingFrom
          if (!found) return true
          report({
            file: node.callable.source.file,
            span: e,
            scope: node.callable.scope,
            // Whoever deploys the contract chooses when.
            ...(flow.fn.role === "constructor" || isUnknown(flow, e, node) ? { severity: "low" as const } : {}),
          })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // What callers of a library pass on may be the time of an earlier call, or the length of a period.
      `pragma solidity ^0.8.20;
library Rounds {
  struct Round { uint64 start; uint64 length; uint256 paid; }
  function isFirst(Round memory round) internal view returns (bool) { return block.timestamp == round.start; } // FINDING
  function isLate(Round memory round) internal view returns (bool) { return (block.timestamp - 5) % round.length > 7; } // FINDING
  function isAt(uint256 start) internal view returns (bool) { return block.timestamp == start; } // FINDING
}`,
      // The remainder decides, rather than what is left without it.
      `pragma solidity ^0.8.0;
contract Draw {
  uint256 begun;
  constructor() { begun = block.timestamp; }
  function win(uint256 n) external view returns (bool) { return (block.timestamp - begun) % n > n / 2; } // FINDING
  function second() external view returns (uint256) { return (block.timestamp / 60 + 4) % 7; } // FINDING
  function less(uint256 n) external view returns (uint256) { return block.timestamp % n - 1; } // FINDING
}`,
      // Only one of the two times is in what was asked before.
      `pragma solidity ^0.8.0;
contract Openings {
  uint256 rate = 5;
  function bid(uint256 start, uint256 end) external view returns (uint256) {
    require(end > start);
    return block.timestamp == start ? rate : rate * 3; // FINDING
  }
  function ask(uint256 start, uint256 end) external view returns (uint256) {
    require(block.timestamp < end);
    return block.timestamp == start ? rate : rate * 4; // FINDING
  }
  function late(uint256 start, uint256 from) external view returns (uint256) {
    require(from < block.timestamp);
    return block.timestamp == start ? rate : rate * 5; // FINDING
  }
}`,
      // Whoever calls in the very second gets more; an order of other times.
      `pragma solidity ^0.8.0;
contract Openings {
  mapping(address => uint256) shares;
  uint256 rate = 5;
  function join(uint256 start) external {
    require(block.timestamp >= start);
    if (block.timestamp == start) shares[msg.sender] += 5; // FINDING
    shares[msg.sender] += 1;
  }
  function price(uint256 start, uint256 end) external view returns (uint256) {
    require(start < end);
    return block.timestamp == start ? rate : rate * 2; // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract Wheel {
    uint public last;

    function spin() public payable {
        require(msg.value == 1 ether);
        require(now != last);
        last = now;
        if (now % 15 == 0) { // FINDING
            msg.sender.transfer(this.balance);
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Race {
    address public winner;
    address[] public players;

    function play(uint256 start) external {
        uint256 time = block.timestamp;
        if (start + 5 days == time) { // FINDING
            winner = msg.sender;
        }
    }

    function pick() external {
        winner = players[block.timestamp % players.length]; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
contract Draw {
  uint256 immutable start;
  uint256 public won;
  constructor(uint256 s) { start = s; }
  function a() external { if (start == block.timestamp) won += 1; } // FINDING
  function b() external { if (block.timestamp != start) won += 1; } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Draws {
    uint256 start;
    uint256 mark;
    uint256 limit;

    function open() external {
        start = block.timestamp;
        mark = limit;
    }

    function draw(uint256 from) external returns (uint256) {
        if (block.timestamp - from == 100) return 1; // FINDING
        if (from - block.timestamp == 0) return 2; // FINDING
        if ((block.timestamp - start) % 7200 == 0) return 3; // FINDING
        if (0 == (block.timestamp - start) % 7200) return 4; // FINDING
        if (block.timestamp == 1700000000) return 5; // FINDING
        if (block.timestamp == mark) return 6; // FINDING
        return 0;
    }
}`,
      // An end that is stored beside others; what was elapsed on one of two ways.
      `pragma solidity ^0.8.20;
contract Auction {
  struct Lot { address leader; uint256 end; uint256 paid; }
  Lot lot;
  mapping(uint256 => Lot) lots;
  uint256 immutable start = 1700000000;
  uint256 public won;
  function put(uint256 id, uint256 end) external { lots[id].end = end; }
  function bid(uint256 id) external payable {
    if (block.timestamp == lots[id].end) won += 1; // FINDING
    if (lot.end != block.timestamp) won += 2; // FINDING
  }
  function either(bool isEarly) external {
    uint256 d = block.timestamp - start;
    if (isEarly) d = start - block.timestamp;
    if (d == 0) won += 3; // FINDING
    uint256 e = start - block.timestamp;
    if (isEarly) e = block.timestamp - start;
    if (e == 0) won += 4; // FINDING
  }
  function given(uint256 d, bool isLate) external {
    if (isLate) d = block.timestamp - start;
    if (d == 0) won += 5; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Weeks {
  uint256 immutable start;
  uint256 public supply;
  constructor(uint256 from, uint256 known) {
    if (from == block.timestamp) require(known > 0); // FINDING
    start = from;
  }
}
`,
    ],
    safe: [
      // Whether time has passed, up to an end; whether a time was given at all.
      `pragma solidity ^0.8.20;
contract Rewards {
  uint256 immutable end;
  uint256 rate = 5;
  uint256 sum;
  constructor(uint256 e) { end = e; }
  function applicable() internal view returns (uint256) { return block.timestamp < end ? block.timestamp : end; }
  function earned(uint256 last) external view returns (uint256) {
    uint256 elapsed = applicable() - last;
    if (elapsed == 0) return sum;
    return sum + elapsed * rate;
  }
  function list(uint256 start) external {
    if (start < block.timestamp) start = block.timestamp;
    if (start == 0) sum += 1;
  }
}`,
      // Times are rounded down to a period, or counted in days.
      `pragma solidity ^0.8.0;
contract Periods {
  uint256 last;
  uint256 period;
  constructor(uint256 p) { period = p; }
  function beat() external { last = block.timestamp - ((block.timestamp - last) % period); }
  function weekday() external view returns (uint256) { return ((block.timestamp / 1 days) + 4) % 7; }
  function since(uint256 day) external view returns (uint256) {
    uint256 today = (block.timestamp / 86400 + 4) % 7;
    return (today + 7 - day) % 7;
  }
}`,
      // Where no time lies between the two, something else is answered.
      `pragma solidity ^0.8.0;
contract Averages {
  uint256 sum;
  function since(uint64 from) external view returns (uint256) {
    if (from == block.timestamp) return sum;
    require(from < block.timestamp, "future");
    return sum / (block.timestamp - from);
  }
  function between(uint256 from, bool ended) external view returns (uint256) {
    uint256 end = ended ? block.timestamp : 5;
    if (end < from) return 0;
    if (from == end) return sum;
    return sum / (end - from);
  }
}`,
      `pragma solidity ^0.8.0;
library Accrual {
    struct Reserve { uint256 index; uint40 last; }
    function accrue(Reserve storage reserve) internal {
        uint40 last = reserve.last;
        if (last == block.timestamp) return;
        reserve.index += block.timestamp - last;
        reserve.last = uint40(block.timestamp);
    }
}
contract Pool {
    using Accrual for Accrual.Reserve;
    Accrual.Reserve reserve;
    uint256 immutable begin = block.timestamp;
    function epoch() public view returns (uint256) {
        return block.timestamp < begin ? type(uint256).max : (block.timestamp - begin) / 7 days;
    }
    function poke() external {
        require(epoch() != type(uint256).max);
        reserve.accrue();
    }
}`,
      `pragma solidity ^0.8.0;
contract Oracle {
    uint32 private lastUpdate;
    uint256 public sum;

    function _now() internal view returns (uint32) {
        return uint32(block.timestamp);
    }

    function update(uint256 price) external {
        uint32 time = _now();
        if (time == lastUpdate) return;
        sum += price * (time - lastUpdate);
        lastUpdate = time;
    }

    function elapsed() external view returns (uint256) {
        uint256 delta = block.timestamp - lastUpdate;
        if (delta == 0) return 0;
        return delta * sum;
    }

    function today() external view returns (uint256) {
        return block.timestamp - (block.timestamp % 1 days);
    }

    struct Step { uint256 left; uint256 at; }

    function walk(uint256 amount) external {
        Step memory step = Step({left: amount, at: block.timestamp});
        while (step.left != 0) step.left -= 1;
    }
}`,
      `pragma solidity ^0.8.0;
contract Lock {
    uint256 immutable until;

    constructor(uint256 end) {
        require(end > block.timestamp);
        until = end;
    }

    function open() external view returns (bool) {
        return block.timestamp >= until;
    }
}`,
      `pragma solidity ^0.8.20;
interface IClock { function clock() external view returns (uint256); }
contract Draw {
  struct Window { uint256 at; uint256 id; }
  uint256 immutable start = 5;
  uint256 public won;
  function never() external { if (block.timestamp == type(uint256).max) won += 1; }
  function far() external { if (block.timestamp == 1099511627776) won += 1; }
  function inStruct(uint256 id) external { Window memory w = Window(block.timestamp, id); if (w.id == start) won += 1; }
  function mirrored(uint256 id) external { Window memory w = Window(block.timestamp, id); if (start == w.id) won += 1; }
  function elapsed() external { if (block.timestamp - start == 0) won += 1; }
  function since() external { uint256 d = block.timestamp - start; if (d == 0) won += 1; }
  function fits() external { if (uint64(block.timestamp) != block.timestamp) won += 1; }
  function clock(IClock other) external { if (block.timestamp == other.clock()) won += 1; }
  function noTime(uint256 id) external { if (id == start) won += block.timestamp; }
  function part(uint256 id) external { if (id % 7 > 3) won += block.timestamp; }
}`,
      `pragma solidity ^0.8.0;
interface IClock {
    function time() external view returns (uint256);
}
contract Steps {
    struct Step {
        uint256 at;
        uint256 amount;
    }
    uint256 last;
    uint256 previous;
    uint256 constant DELAY = 10;
    uint256 rate;
    uint256 total;
    bytes32 answer;

    function step(uint256 amount) external {
        Step memory made = Step(block.timestamp, amount);
        if (made.amount == total) total = 0;
        if (total == made.amount) total = 1;
        previous = last;
        last = block.timestamp;
    }

    function owed(uint256 from) external view returns (uint256) {
        uint256 sum = rate * (block.timestamp - from);
        if (sum == 0) return 1;
        if (block.timestamp - from == 0) return 2;
        if (block.timestamp == previous) return 3;
        if (block.timestamp == last + DELAY) return 4;
        return sum;
    }

    function isSeconds(IClock clock) external view returns (bool) {
        return clock.time() == block.timestamp && block.timestamp == clock.time();
    }

    function isAnswer() external view returns (bool) {
        return keccak256(abi.encode(block.timestamp)) == answer;
    }
}`,
      // The same block as when the entry was last brought up to date.
      `pragma solidity ^0.8.20;
library Rates {
  struct Pool { uint128 index; uint128 last; }
  function accrue(Pool storage self) internal {
    if (self.last == block.timestamp) return;
    self.index += uint128(block.timestamp) - self.last;
    self.last = uint128(block.timestamp);
  }
}
contract Market {
  using Rates for Rates.Pool;
  mapping(uint256 => Rates.Pool) pools;
  function poke(uint256 id) external { pools[id].accrue(); }
}`,
      `pragma solidity ^0.8.0;
contract Rules {
  function differ(uint256 one, uint256 other) external view returns (bool) {
    bool first = block.timestamp > one;
    bool second = other > 0;
    return first != second;
  }
}
`,
    ],
  },
}

/** Rounding down to whole hours or longer divides time rather than drawing lots. */
const roundingFrom = 3600n

const isTime = (value: Origins): boolean => has(value, Source.timestamp) && !has(value, Source.hash)

/**
 * Whether it cannot be told what the time is compared with, or divided by: part of something that callers pass on, such
 * as a record of earlier times, or the length of a period.
 */
const isUnknown = (flow: Flow, e: S.BinaryOperation, at: FlowNode): boolean =>
  [e.left, e.right].some((side) => {
    const { parameters, sources } = flow.origins(side, at)
    return (
      (sources & Source.timestamp) === 0 &&
      parameters.length > 0 &&
      parameters.every(({ type }) => type.kind === "struct" || type.kind === "array")
    )
  })

const isRemainder = (e: S.Expression): boolean => e.kind === "BinaryOperation" && e.operator === "%"

/** `type(uint256).max` and the like stand for "never". */
const isNoTime = (program: Program, e: S.Expression): boolean => {
  const value = constantNumber(program, e)
  return (value !== undefined && value >= 2n ** 40n) || (e.kind === "MemberAccess" && e.member === "max")
}

/** `block.timestamp - last`, `min(block.timestamp, end) - last`, compared with zero: whether it is still the same block. */
const isElapsed = (flow: Flow, e: S.Expression, at: FlowNode): boolean => {
  const written = e.kind === "Identifier" ? definedAs(flow, e, at) : e
  return written?.kind === "BinaryOperation" && written.operator === "-" && isTime(flow.origins(written.left, at))
}

/** A time that is the present one if the caller gave another: compared with zero, whether it was given at all. */
const isNow = (flow: Flow, e: S.Expression, at: FlowNode): boolean => {
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return false
  return flow.values
    .reaching(variable, at)
    .definitions.every(
      ({ value }) => value?.kind === "MemberAccess" && flow.program.isBuiltin(value, "block.timestamp"),
    )
}

const definedAs = (flow: Flow, e: S.Expression, at: FlowNode): S.Expression | undefined => {
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return undefined
  const { definitions, initial } = flow.values.reaching(variable, at)
  const [only] = definitions
  if (initial || definitions.length !== 1 || only?.value === undefined) return undefined
  // no Yul expression remains
  return only.value.kind.startsWith("Yul") ? undefined : (only.value as S.Expression)
}

const keptMembers = oncePer((program: Program): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const other of program.allFlows()) {
    for (const { expression } of other.stepsWith(Shape.assignment)) {
      if (expression?.kind !== "Assignment") continue
      const name = memberOf(program, expression.left)
      if (name !== undefined && mentionsTime(program, expression.right)) found.add(name)
    }
  }
  return found
})

/** Members of structs in storage that a library, or anyone who receives the struct, sets to the time. */
const isKeptMember = (program: Program, flow: Flow, e: S.Expression, at: FlowNode): boolean => {
  const written = e.kind === "Identifier" ? definedAs(flow, e, at) : e
  const key = written === undefined ? undefined : memberOf(program, written)
  if (key === undefined) return false
  return keptMembers(program).has(key)
}

const memberOf = (program: Program, e: S.Expression): string | undefined => {
  if (e.kind !== "MemberAccess") return undefined
  const type = program.typeOf(e.object)
  return type.kind === "struct" ? `${type.struct.name}.${e.member}` : undefined
}

const mentionsTime = (program: Program, e: S.Expression): boolean => {
  let found = false
  walk(e, (inner) => {
    found ||= inner.kind === "MemberAccess" && program.isBuiltin(inner, "block.timestamp")
    return !found
  })
  return found
}

/** Limit: comparisons of one function that are examined. */
const orderLimit = 50

const ordersIn = oncePer((flow: Flow): ReadonlyArray<S.BinaryOperation> => {
  const orders: Array<S.BinaryOperation> = []
  for (const { expression } of flow.conditionNodes()) {
    if (expression === undefined || orders.length >= orderLimit) continue
    walk(expression, (e) => {
      if (isOrdering(e)) orders.push(e)
    })
  }
  return orders
})

/** `if (end < start) return 0; if (end == start) return now;`: what is answered where no time lies between the two. */
const isEdge = (flow: Flow, left: S.Expression, right: S.Expression): boolean => {
  const { program, fn } = flow
  if (fn.mutability !== "view") return false
  const isSame = (a: S.Expression, b: S.Expression): boolean => sameExpression(program, a, b)
  return ordersIn(flow).some(
    (order) =>
      (isSame(order.left, left) && isSame(order.right, right)) ||
      (isSame(order.left, right) && isSame(order.right, left)),
  )
}

/** State that holds times of earlier blocks: equality with it tests whether it is still the same block. */
const timesKept = (program: Program): ReadonlySet<StateVariable> => {
  const kept = new Set<StateVariable>()
  // the second pass finds values copied from a variable of the first
  for (const flow of [...program.allFlows(), ...program.allFlows()]) {
    for (const { event, via, place } of flow.writes) {
      if (via.length > 0 || event.value === undefined || place === undefined) continue
      const value = flow.origins(event.value, event.at)
      const isHandedOn = value.state.length > 0 && value.state.every((variable) => kept.has(variable))
      if (isTime(value) || isHandedOn) for (const variable of place.variables) kept.add(variable)
    }
  }
  return kept
}
