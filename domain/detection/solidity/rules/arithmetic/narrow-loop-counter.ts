import type { Rule } from "../../../Rule.ts"
import type { LocalVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { costToGrow } from "../../questions/authority/growingArrays.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"

export const narrowLoopCounter: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/narrow-loop-counter",
    class: "overflow",
    title: "Loop counter too narrow for its bound",
    severity: "medium",
    confidence: "medium",
    cwe: [190, 835],
    swc: 101,
    description:
      "The type of the counter has fewer values than the limit may have: a `uint8` counts up to 255. Once the " +
      "list is longer, the counter wraps around to zero before it reaches the end (before Solidity 0.8, the " +
      "loop then runs until it is out of gas; from 0.8 on, it reverts), and the function never succeeds again. " +
      "Before 0.5, `var i = 0` declares a `uint8`.",
    remediation: "Declare the counter as `uint256`. A narrower one saves no gas.",
    references: [
      "https://swcregistry.io/docs/SWC-101",
      "https://docs.soliditylang.org/en/v0.4.26/types.html#type-deduction",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const { condition } of flow.loops) {
        const e = condition?.expression
        if (condition === undefined || e?.kind !== "BinaryOperation" || (e.operator !== "<" && e.operator !== "<="))
          continue
        const counter = program.referenceOf(e.left)
        if (counter?.kind !== "LocalVariable") continue
        const bits = bitsOf(program, counter, flow)
        if (bits === undefined || !exceeds(program, e.right, bits) || isFixedLength(program, e.right)) continue
        const limit = flow.origins(e.right, condition)
        if (!has(limit, Source.parameter | Source.state | Source.calldata | Source.external)) continue
        const isOwn = !has(limit, Source.state | Source.external) && isCalledDirectly(flow)
        const isOpen = flow.deepOrigins(e.right, condition).state.some((v) => costToGrow(flow, v) !== undefined)
        report({
          file: condition.callable.source.file,
          span: e,
          scope: condition.callable.scope,
          // What only administrators, or the sender of the transaction, can make too long is theirs to keep short.
          ...(isOpen ? {} : { severity: "low" as const }),
          ...(isOwn ? { message: "Only the caller's own transaction fails." } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Whoever includes the library may pass on what others have stored.
      `pragma solidity ^0.8.0;
library Sums {
    function first(uint256 count) internal pure returns (uint256 total) {
        for (uint8 i = 0; i < count; i++) total += i; // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract List {
    address[] members;
    mapping(address => uint) points;

    function add(address who) public {
        members.push(who);
    }

    function rewardAll() public {
        for (var i = 0; i < members.length; i++) { // FINDING
            points[members[i]]++;
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Sum {
    function sum(uint256[] calldata values) external pure returns (uint256 total) {
        for (uint8 i = 0; i < values.length; i++) { // FINDING
            total += values[i];
        }
    }
}`,
      `pragma solidity ^0.8.20;
contract List {
  uint256 total;
  function a(uint256 n) external {
    for (uint8 i = 0; i <= n; i++) total += 1; // FINDING
  }
  function b(uint256 n) external {
    for (uint16 i = 0; i < n; i++) total += 1; // FINDING
  }
}`,
      // Over a list of one's own, only one's own transaction fails.
      `pragma solidity ^0.8.20;
contract Desk {
  address[] all;
  mapping(address => bool) seen;
  constructor(address[] memory list) {
    for (uint8 i = 0; i < list.length; i++) seen[list[i]] = true; // FINDING
  }
  function add(address who) external { all.push(who); }
  function own(address[] calldata list) external {
    for (uint8 i = 0; i < list.length; i++) seen[list[i]] = true; // FINDING
  }
  function every() external {
    for (uint8 i = 0; i < all.length; i++) seen[all[i]] = true; // FINDING
  }
  function shared(address[] memory list) public {
    for (uint8 i = 0; i < list.length; i++) seen[list[i]] = true; // FINDING
  }
  function known() external { shared(all); }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract List {
    address[] members;
    mapping(address => uint) points;

    function rewardAll() public {
        for (uint i = 0; i < members.length; i++) points[members[i]]++;
        for (uint8 j = 0; j < 10; j++) points[members[j]]++;
        for (var k = 0; k < 100; k++) points[members[k]]++;
    }
}`,
      `pragma solidity ^0.8.0;
contract Fixed {
    uint256[4] values;

    function sum(uint8 count) external view returns (uint256 total) {
        for (uint8 i = 0; i < count; i++) total += values[i];
        for (uint8 i = 0; i < values.length; i++) total += values[i];
    }
}`,
      `pragma solidity ^0.4.24;
contract List {
  uint256 total;
  function a(uint256 n) public { for (uint8 i = 0; i != n; i++) total += 1; }
  function b() public { uint256 n = 5; for (uint8 i = 0; i < n; i++) total += 1; }
  function c(uint256 n) public { for (var i = 256; i < n; i++) total += 1; }
  function d(uint256 n) public { for (uint32 i = 0; i < n; i++) total += 1; }
  function e() public { for (uint8 i = 0; i < 200; i++) total += 1; }
  function f() public { for (uint8 i = 0; i < 256; i++) total += 1; }
}`,
    ],
  },
}

const isCalledDirectly = ({ fn, program }: Flow): boolean =>
  fn.role === "constructor" || (program.graph.isEntryPoint(fn) && program.graph.callers(fn).length === 0)

const widest = 16

/** A local of at most 16 bits; `var i = 0` has the 8 bits of its literal. */
const bitsOf = (program: Program, variable: LocalVariable, flow: Flow): number | undefined => {
  if (variable.node.typeName === undefined) {
    const [first] = flow.definitionsOf(variable)
    const value = first?.value
    if (value === undefined) return undefined
    const number = value.kind === "Literal" ? constantNumber(program, value) : undefined
    return number !== undefined && number < 256n ? 8 : undefined
  }
  return variable.type.kind === "integer" && variable.type.bits <= widest ? variable.type.bits : undefined
}

/** Whether the limit can be larger than the counter: a length, a parameter or state of a wider type. */
const exceeds = (program: Program, limit: S.Expression, bits: number): boolean => {
  const type = program.typeOf(limit)
  return type.kind === "integer" && type.bits > bits
}

const isFixedLength = (program: Program, limit: S.Expression): boolean => {
  if (limit.kind !== "MemberAccess") return false
  const type = program.typeOf(limit.object)
  return type.kind === "array" && type.fixed
}
