import { holdsIn, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import type { Rule } from "../../../Rule.ts"
import { callsInitializer } from "../../questions/deployment/initializer.ts"
import { shutsOut } from "../../demands/demands.ts"
import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { type CallerNumber, callerNumber, comparedAnywhere, isCapped } from "../../questions/value/callerNumbers.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { isTokenAmount } from "../../questions/value/wrappingOperation.ts"
import { writtenAs } from "../../questions/value/writtenAs.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { children, walk } from "../../visit.ts"

interface Cast {
  readonly node: S.FunctionCall
  readonly value: S.Expression
  readonly bits: number
  readonly message: string
}

interface Comparison {
  readonly left: Origins
  readonly right: Origins
}

export const unsafeCast: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/unsafe-cast",
    class: "unsafe-cast",
    title: "Unsafe downcast of a caller-supplied value",
    severity: "high",
    // The truncation is certain; a limit elsewhere (a token's supply) is not always visible.
    confidence: "medium",
    cwe: [681, 197],
    swc: 101,
    description:
      "In every version of Solidity, a conversion to a narrower integer type silently drops the upper bits, and " +
      "a conversion to a signed type of the same width turns large numbers negative. Here, the caller chooses " +
      "the number: `uint128(2**128 + 1)` is 1. As a result, the amount taken and the amount recorded differ.",
    remediation:
      "Use OpenZeppelin's SafeCast (`amount.toUint128()`), or check first: `require(amount <= " +
      "type(uint128).max)`. Alternatively, declare the parameter with the narrow type, so that the ABI decoder " +
      "rejects values that do not fit.",
    references: [
      "https://docs.soliditylang.org/en/latest/types.html#explicit-conversions",
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#SafeCast",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.call)) {
        const { callable, expression } = node
        if (expression === undefined || node.node?.kind === "EmitStatement") continue
        let parents: ReadonlyMap<S.Node, S.Node> | undefined
        walk(expression, (e) => {
          const cast = castOf(program, e)
          if (cast === undefined) return true
          parents ??= parentsIn(expression)
          if (isUnpacking(program, parents.get(e)) || isLowPart(flow, cast) || isLength(flow, cast, node)) return true
          if (isPaidAmount(program, flow, cast, node)) {
            report({
              file: callable.source.file,
              span: e,
              scope: callable.scope,
              message: "More ether can be sent than fits.",
            })
            return false
          }
          const number = callerNumber(flow, cast.value, node, cast.bits)
          if (number === undefined || isChecked(flow, cast, number, node) || shutsOut(flow, node)) return true
          // who deploys it decides
          if (callsInitializer(flow) || flow.onceAt(node) !== undefined) return true
          const isOwn = isOnlyCut(flow, cast, number)
          report({
            file: callable.source.file,
            span: e,
            scope: callable.scope,
            message: isOwn ? `${cast.message} The caller could have passed the result.` : cast.message,
            ...(isOwn ? { severity: "low" as const } : {}),
            trace: [
              { file: number.flow.fn.source.file, span: number.parameter.node, note: "chosen by the caller" },
              { file: callable.source.file, span: e, note: "truncated" },
            ],
          })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Only what is left of the number counts, or the whole number counts elsewhere, too.
      `pragma solidity ^0.8.20;
contract Prices {
  event Set(uint256 to);
  mapping(address => uint64) price;
  mapping(address => int64) change;
  mapping(address => uint64) kept;
  mapping(address => uint8) count;
  mapping(bytes32 => bool) used;
  mapping(bytes32 => uint256) roots;
  uint256 sum;
  function proveOther(uint256 amount, uint256 other) external {
    require(roots[keccak256(abi.encode(other))] != 0);
    kept[msg.sender] = uint64(amount); // FINDING
    sum += amount;
  }
  function unset(uint256 amount) external {
    require(roots[keccak256(abi.encode(amount))] == 0);
    kept[msg.sender] = uint64(amount); // FINDING
    sum += amount;
  }
  function notFive(uint256 amount) external {
    require(roots[keccak256(abi.encode(amount))] != 5);
    kept[msg.sender] = uint64(amount); // FINDING
    sum += amount;
  }
  function signed(int256 amount) external { change[msg.sender] = int64(amount); } // FINDING
  function negative(uint256 amount) external { change[msg.sender] = int64(uint64(amount)); } // FINDING
  function once(uint256 amount) external {
    require(!used[keccak256(abi.encode(amount))]);
    kept[msg.sender] = uint64(amount); // FINDING
    sum += amount;
  }
  function set(uint256 to) external { price[msg.sender] = uint64(to); emit Set(to); } // FINDING
  function move(uint256 by) external { change[msg.sender] = int64(int256(by)); } // FINDING
  function keep(uint256 amount) external { kept[msg.sender] = uint64(amount); sum += amount; } // FINDING
  function list(uint256[] calldata all) external { count[msg.sender] = uint8(all.length); sum += all.length; } // FINDING
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Vault {
    IERC20 token;
    mapping(address => uint128) public balances;

    function withdraw(uint256 amount) external {
        balances[msg.sender] -= uint128(amount); // FINDING
        require(token.transferFrom(address(this), msg.sender, amount));
    }
}`,
      `pragma solidity ^0.7.0;
contract Positions {
    mapping(address => int256) public net;
    mapping(address => uint64) public until;

    function change(uint256 by) external {
        _change(msg.sender, by);
    }

    function _change(address who, uint256 by) internal {
        net[who] -= int256(by); // FINDING
    }

    function lock(uint256 time) external {
        until[msg.sender] = uint64(time); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Deposits {
    mapping(address => uint64) deposited;
    mapping(address => uint96) large;
    function deposit() external payable {
        deposited[msg.sender] += uint64(msg.value); // FINDING
        large[msg.sender] += uint96(msg.value);
    }
}`,
      `pragma solidity ^0.8.20;
contract Casts {
  uint256 kept;
  uint256 high;
  mapping(uint64 => bool) seen;
  function paid(uint256 n) external payable { require(n < 5); kept = uint64(msg.value); } // FINDING
  function some() external payable { require(msg.value != 0); kept = uint64(msg.value); } // FINDING
  function other(uint256 x, uint256 y) external { high = y >> 8; kept = uint8(x); } // FINDING
  function wide(uint256 x) external { high = x >> 16; kept = uint8(x); } // FINDING
  function left(uint256 x) external { high = x << 8; kept = uint8(x); } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Slots {
    mapping(address => uint64) public slots;

    function set(uint256 to, uint256 other) external {
        require(to != 0 && 1 != to && other < 5);
        slots[msg.sender] = uint64(to); // FINDING
    }
}`,
    ],
    safe: [
      // Part of what was proven; an amount that was transferred elsewhere; a length.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Outbox {
  IToken immutable token;
  mapping(bytes32 => uint256) roots;
  mapping(bytes32 => bool) known;
  bytes32 root;
  mapping(address => int256) locked;
  uint128 lastBlock;
  uint256 sum;
  uint64 count;
  constructor(IToken t) { token = t; }
  function run(uint256 at, uint256 amount) external {
    require(roots[keccak256(abi.encode(at, amount))] != 0);
    lastBlock = uint128(at);
    sum += at;
  }
  function runKnown(uint256 at) external {
    require(known[keccak256(abi.encode(at))]);
    lastBlock = uint128(at);
    sum += at;
  }
  function runRoot(uint256 at) external {
    require(keccak256(abi.encode(at)) == root);
    lastBlock = uint128(at);
    sum += at;
  }
  function lock(uint256 amount) external { _lock(msg.sender, amount); }
  function _lock(address who, uint256 amount) internal {
    locked[who] += int256(amount);
    require(token.transferFrom(who, address(this), amount));
  }
  function list(uint256[] calldata all) external { count = uint64(all.length); sum += all.length; }
}`,
      // Who deploys the contract sets it, once.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Shop is Initializable {
  uint64 fee;
  function initialize(uint256 first) external initializer { fee = uint64(first); }
}
contract Stall {
  bool begun;
  uint64 fee;
  function begin(uint256 first) external {
    require(!begun);
    begun = true;
    fee = uint64(first);
  }
}`,
      // A proxy states on whose behalf it calls; the internal function has the limit.
      `pragma solidity ^0.8.0;
contract Periods {
  address immutable proxy;
  address owner = msg.sender;
  address sender;
  uint64 start;
  uint64 length;
  uint256 longest = 4 weeks;
  constructor(address p) { proxy = p; }
  modifier forOwner() { if (msg.sender != proxy) sender = msg.sender; require(sender == owner); _; }
  function setSender(address to) external { require(msg.sender == proxy); sender = to; }
  function setLongest(uint256 to) external forOwner { longest = to; }
  function setStart(uint256 to) external forOwner { start = uint64(to); }
  function begin(uint256 to) external forOwner { _begin(to); }
  function _begin(uint256 to) internal { start = uint64(to); }
  function extend(uint256 to) external { _extend(to); }
  function _extend(uint256 to) internal { require(to > 0 && to <= longest); length = uint64(to); }
}`,
      `pragma solidity ^0.8.0;
contract Nonces {
  mapping(uint248 => uint256) used;
  event Used(uint24 module);
  function use(uint256 nonce, uint256 module) external {
    uint248 word = uint248(nonce >> 8);
    uint8 low = uint8(nonce);
    uint256 bit = 1 << low;
    require(used[word] & bit == 0);
    used[word] |= bit;
    emit Used(uint24(module));
  }
}`,
      `pragma solidity ^0.8.0;
library Cast {
    function to128(uint256 x) internal pure returns (uint128 y) {
        require((y = uint128(x)) == x);
    }
    function to64(uint256 x) internal pure returns (uint64) {
        if (x > type(uint64).max) revert();
        return uint64(x);
    }
}
contract Vault {
    using Cast for uint256;
    address owner = msg.sender;
    mapping(address => uint128) public balances;
    mapping(address => uint64) public until;
    uint32 fee;
    uint32 last;

    function add(uint256 amount, uint256 time, uint128 direct) external {
        balances[msg.sender] += amount.to128();
        until[msg.sender] = time.to64();
        balances[msg.sender] += uint128(direct);
        last = uint32(block.timestamp);
    }

    function setFee(uint256 next) external {
        require(msg.sender == owner);
        fee = uint32(next);
    }
}`,
      `pragma solidity ^0.8.0;
contract Packed {
    mapping(address => bool) seen;
    mapping(uint8 => uint256) slots;

    function unpack(uint256 word) external {
        seen[address(uint160(word))] = true;
        slots[uint8(word >> 8)] = word & 0xff;
        slots[uint8(word % 10)] = 1;
    }

    function low(uint256 word) external pure returns (uint128) {
        return uint128(word);
    }
}`,
      `pragma solidity ^0.8.20;
contract Casts {
  uint256 kept;
  int256 signed;
  bytes1 byte1;
  address who;
  uint256 cap = 100;
  constructor(uint256 x) { kept = uint64(x); }
  function a(uint256 x) external { kept = uint8(x) | 1; }
  function b(uint256 x) external { kept = uint8(x) & 7; }
  function c(uint256 x) external { kept = uint8(x) ^ 7; }
  function d(uint256 x) external { kept = uint8(x) << 1; }
  function e(uint256 x) external { kept = uint8(x) >> 1; }
  function f(uint256 x) external { kept = uint8(x) % 7; }
  function g(uint256 x) external { kept = ~uint8(x); }
  function h(uint256 x) external { byte1 = bytes1(uint8(x)); }
  function i(uint256 x) external { who = address(uint160(x)); }
  function j(int256 x) external { signed = int256(x); }
  function k(uint128 x) external { signed = int256(uint256(x)); }
  function l() external payable { require(msg.value < 1 ether); kept = uint64(msg.value); }
  function m() external payable { kept = uint96(msg.value); }
  function n(uint256 x) external { if (uint128(x) != x) revert(); kept = uint128(x); }
  function o(uint256 x) external { require(x < cap); kept = uint64(x); }
  function p(uint256 x) external { require(cap >= x); kept = uint64(x); }
  function q(uint256 x) external { kept = uint64(x); if (x <= cap) kept = 0; }
  function unused(uint256 x) private { kept = uint64(x); }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
    IERC20 token;
    mapping(address => uint160) held;
    mapping(address => uint88) paid;
    mapping(address => uint64) slots;
    uint256 limit;

    function put(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        held[msg.sender] += uint160(amount);
    }

    function pay() external payable {
        paid[msg.sender] += uint88(msg.value);
    }

    function set(uint256 to) external {
        require(limit > to);
        slots[msg.sender] = uint64(to);
    }
}`,
      `pragma solidity ^0.8.20;
contract Desk {
  uint256 constant WHOLE = 10_000;
  mapping(address => int256) public margins;
  function close(uint256 percent) external {
    int256 all = margins[msg.sender];
    int256 some = all * int256(percent) / int256(WHOLE);
    if (percent < WHOLE) margins[msg.sender] -= some;
    else margins[msg.sender] -= all;
  }
}`,
      `pragma solidity ^0.8.20;
contract Stakes {
  uint256 public cap;
  mapping(address => uint96) public staked;
  constructor(uint256 c) { cap = c; }
  function stake(uint256 amount) external {
    staked[msg.sender] += uint96(amount);
    require(cap >= amount, "cap");
  }
  function stakeBoth(uint256 mine, uint256 yours) external {
    require((mine | yours) >> 96 == 0, "wide");
    staked[msg.sender] += uint96(mine) + uint96(yours);
  }
  function stakeMost(uint256 amount) external { _stake(amount); }
  function _stake(uint256 amount) private {
    if (cap < amount) revert();
    staked[msg.sender] += uint96(amount);
  }
}`,
    ],
  },
}

/** A conversion to fewer bits, or from unsigned to signed of the same width. */
const castOf = (program: Program, e: S.Node): Cast | undefined => {
  if (e.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  const [value] = call?.args ?? []
  if (call?.kind !== "conversion" || call.type?.kind !== "integer" || value === undefined) return undefined
  const from = program.typeOf(value)
  if (from.kind !== "integer") return undefined
  const to = call.type
  if (to.bits < from.bits) {
    return { node: e, value, bits: from.bits, message: `${from.bits - to.bits} of ${from.bits} bits are dropped.` }
  }
  if (to.bits === from.bits && to.signed && !from.signed) {
    return { node: e, value, bits: from.bits, message: "A large number becomes negative." }
  }
  return undefined
}

/** All existing ether, in wei, has fewer bits. */
const etherBits = 88

/** No token's supply comes close to 2^160 units. */
const supplyBits = 160

/** `uint64(msg.value)`, without a limit on the payment. */
const isPaidAmount = (program: Program, flow: Flow, { node, value }: Cast, at: FlowNode): boolean => {
  if (!program.isBuiltin(value, "msg.value")) return false
  const type = program.callOf(node)?.type
  return (
    type?.kind === "integer" &&
    type.bits < etherBits &&
    !relationsIn(flow.facts(at)).some(({ left, right, operator }) =>
      [left, right].some((side) => side !== undefined && has(side, Source.value) && operator !== "!="),
    )
  )
}

const parentsIn = (root: S.Node): ReadonlyMap<S.Node, S.Node> => {
  const parents = new Map<S.Node, S.Node>()
  walk(root, (e) => {
    for (const below of children(e)) parents.set(below, e)
  })
  return parents
}

/** Where truncation is intended: addresses unpacked from words, parts combined by bits, hashes. */
const isUnpacking = (program: Program, parent: S.Node | undefined): boolean => {
  if (parent === undefined) return false
  if (parent.kind === "BinaryOperation") return ["|", "&", "^", "<<", ">>", "%"].includes(parent.operator)
  if (parent.kind === "UnaryOperation") return parent.operator === "~"
  if (parent.kind !== "FunctionCall") return false
  const type = program.callOf(parent)?.type
  return type?.kind === "address" || type?.kind === "fixedBytes"
}

/** `x >> 8` beside `uint8(x)`: the number is split, and its upper part is used as well. */
const isLowPart = (flow: Flow, { node, value }: Cast): boolean => {
  const type = flow.program.callOf(node)?.type
  const shifts = shiftsIn(flow).get(flow.program.referenceOf(value))
  return type?.kind === "integer" && shifts?.has(BigInt(type.bits)) === true
}

/** No list or text that fits into a transaction has as many elements. */
const lengthBits = 32

const isLength = (flow: Flow, { node, value }: Cast, at: FlowNode): boolean => {
  const type = flow.program.callOf(node)?.type
  const { e } = writtenAs(flow, value, at)
  return type?.kind === "integer" && type.bits >= lengthBits && e.kind === "MemberAccess" && e.member === "length"
}

/** By how many bits a function shifts its variables to the right. */
const shiftsIn = oncePer((flow: Flow) => {
  const found = new Map<ReturnType<Program["referenceOf"]>, Set<bigint>>()
  for (const { expression } of flow.stepsWith(Shape.bits))
    if (expression !== undefined)
      walk(expression, (e) => {
        if (e.kind !== "BinaryOperation" || e.operator !== ">>") return
        const bits = constantNumber(flow.program, e.right)
        const variable = flow.program.referenceOf(e.left)
        if (bits !== undefined) found.set(variable, (found.get(variable) ?? new Set()).add(bits))
      })
  return found
})

/**
 * Whether nothing but the event is computed from the whole number: what is left of it, the caller could have passed. A
 * number that becomes negative could not be passed.
 */
const isOnlyCut = (flow: Flow, { node, value }: Cast, { parameter, flow: outer }: CallerNumber): boolean => {
  const to = flow.program.callOf(node)?.type
  const from = flow.program.typeOf(value)
  if (flow !== outer || to?.kind !== "integer" || from.kind !== "integer" || to.signed !== from.signed) return false
  return usesIn(flow).get(parameter) === 1
}

/** How often a function and its modifiers mention each variable, other than in events. */
const usesIn = oncePer((flow: Flow): ReadonlyMap<unknown, number> => {
  const uses = new Map<unknown, number>()
  for (const root of [flow.fn.node.body, ...flow.fn.node.modifiers]) {
    if (root === undefined) continue
    walk(root, (e) => {
      const variable = e.kind === "Identifier" ? flow.program.referenceOf(e) : undefined
      if (variable !== undefined) uses.set(variable, (uses.get(variable) ?? 0) + 1)
      return e.kind !== "EmitStatement"
    })
  }
  return uses
})

/** Whether something is stored under a hash of which the number is part: `require(roots[hash(…, number)] != 0)`. */
const isProven = ({ parameter, flow, at }: CallerNumber): boolean =>
  holdsIn(
    flow.facts(at),
    (relation) =>
      (relation.operator === "true" || (relation.operator === "!=" && relation.withZero)) &&
      sidesOf(relation).some(
        ({ keys, keyParameters }) => keyParameters.includes(parameter) && (keys & Source.hash) !== 0,
      ),
  )

/** `require(uint128(x) == x)` before or after; any comparison of the number with a limit. */
const isChecked = (flow: Flow, cast: Cast, number: CallerNumber, at: FlowNode): boolean => {
  if (isCapped(number) || comparedAnywhere(number) || isProven(number)) return true
  const type = flow.program.callOf(cast.node)?.type
  const value: Origins = flow.origins(cast.value, at)
  const numbers = [number, ...value.parameters.map((parameter) => ({ parameter, flow, at }))]
  if (type?.kind === "integer" && type.bits >= supplyBits && numbers.some(isTokenAmount)) return true
  const common = (side: Origins): boolean => side.parameters.some((p) => value.parameters.includes(p))
  return comparisonsIn(flow).some(({ left, right }) => common(left) && common(right))
}

/** Comparisons in the conditions of a function. */
const comparisonsIn = oncePer((flow: Flow): ReadonlyArray<Comparison> => {
  const found: Array<Comparison> = []
  for (const node of flow.conditionNodes()) {
    if ((node.shape & Shape.equality) === 0) continue
    walk(node.expression!, (e) => {
      if (e.kind !== "BinaryOperation") return
      if (e.operator !== "==" && e.operator !== "!=") return
      found.push({ left: flow.origins(e.left, node), right: flow.origins(e.right, node) })
    })
  }
  return found
})
