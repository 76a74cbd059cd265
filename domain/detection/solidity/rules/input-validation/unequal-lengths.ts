import type { Rule } from "../../../Rule.ts"
import type { FlowNode, Loop } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const unequalLengths: Rule<Program> = {
  meta: {
    id: "evm/input-validation/unequal-lengths",
    class: "missing-length-check",
    title: "Missing array length check",
    severity: "low",
    confidence: "medium",
    cwe: [130, 20],
    description:
      "The function iterates over one of the caller's arrays and reads another at the same index, but never " +
      "compares their lengths. If the second array is longer, its last entries are silently ignored: amounts " +
      "are not paid, accounts not removed. If it is shorter, the call fails with a panic instead of a " +
      "descriptive error.",
    remediation: "Require equal lengths before the loop, or take one array of structs.",
    references: ["https://cwe.mitre.org/data/definitions/130.html"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.mutability === "view" || fn.mutability === "pure") continue
      if (!program.graph.isEntryPoint(fn)) continue
      const arrays = fn.parameters.filter(({ type }) => type.kind === "array" && !type.fixed)
      if (arrays.length < 2) continue
      const found = unmatched(flow, arrays)
      if (found === undefined) continue
      const { walked, other, at } = found
      report({
        file: fn.source.file,
        span: at,
        scope: fn.scope,
        message: `\`${other.name}\` is read at the positions of \`${walked.name}\`, but their lengths are not compared.`,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Drop {
  address immutable owner = msg.sender;
  mapping(address => uint256) due;
  mapping(address => bool) barred;
  function give(address[] calldata to, uint256[] calldata amounts) external {
    require(msg.sender == owner);
    for (uint256 i = 0; i < to.length; i++) {
      due[to[i]] += amounts[i]; // FINDING
    }
  }
  function bar(address[] memory who, bool[] memory to, uint256 most) external {
    require(msg.sender == owner && who.length <= 100);
    uint256 n = who.length < most ? who.length : most;
    uint256 i;
    while (i < n) {
      barred[who[i]] = to[i]; // FINDING
      i++;
    }
  }
}`,
      `pragma solidity ^0.8.20;
interface ITarget { function run(bytes calldata data) external; }
library Sums { function sum(uint256[] calldata all) internal pure returns (uint256 s) { for (uint256 i; i < all.length; i++) s += all[i]; } }
contract Batch {
  using Sums for uint256[];
  address immutable owner = msg.sender;
  mapping(address => uint256) due;
  uint256 total;
  function pay(address[] calldata to, uint256[] calldata amounts) external {
    require(msg.sender == owner && amounts.sum() <= address(this).balance);
    for (uint256 i; i < to.length; ++i) due[to[i]] += amounts[i]; // FINDING
    for (uint256 i; i < amounts.length; ++i) total += amounts[i];
  }
  function run(ITarget[] calldata targets, bytes[] calldata data, uint256[] calldata order) external {
    require(msg.sender == owner && targets.length == order.length);
    for (uint256 i; i < targets.length; ++i) {
      ITarget target = targets[order[i]];
      if (data[i].length > 0) { // FINDING
        target.run(data[i]);
      }
    }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Drop {
  address immutable owner = msg.sender;
  mapping(address => uint256) due;
  mapping(bytes32 => bool) known;
  error Lengths();
  modifier equal(uint256 a, uint256 b) { if (a != b) revert Lengths(); _; }
  function give(address[] calldata to, uint256[] calldata amounts) external {
    uint256 count = amounts.length;
    require(msg.sender == owner && to.length == count);
    for (uint256 i = 0; i < to.length; i++) due[to[i]] += amounts[i];
  }
  function take(address[] calldata from, uint256[] calldata amounts) external equal(from.length, amounts.length) {
    require(msg.sender == owner);
    for (uint256 i = 0; i < from.length; i++) due[from[i]] -= amounts[i];
  }
  function known_(address[] calldata to, uint256[] calldata amounts) external {
    require(known[hash(to, amounts)]);
    for (uint256 i = 0; i < to.length; i++) due[to[i]] += amounts[i];
  }
  function hash(address[] calldata to, uint256[] calldata amounts) public pure returns (bytes32) { return keccak256(abi.encode(to, amounts)); }
  function least(uint256 a, uint256 b) private pure returns (uint256) { return a < b ? a : b; }
  function some(address[] calldata to, uint256[] calldata amounts) external {
    require(msg.sender == owner);
    for (uint256 i = 0; i < least(to.length, amounts.length); i++) due[to[i]] += amounts[i];
  }
  function product(uint256[] calldata a, uint256[] calldata b) external pure returns (uint256 all) {
    for (uint256 i = 0; i < a.length; i++) all += a[i] * b[i];
  }
  function sum(address[] calldata to, uint256[] calldata weights) external view returns (uint256 all) {
    for (uint256 i = 0; i < to.length; i++) all += due[to[i]] * weights[i];
  }
}`,
      `pragma solidity ^0.8.20;
contract Pairs {
  mapping(address => mapping(uint256 => bool)) seen;
  mapping(uint256 => uint256) sums;
  uint256[2] weights;
  function each(address[] calldata who, uint256[] calldata ids) external {
    for (uint256 i; i < who.length; i++) {
      for (uint256 j; j < ids.length; j++) seen[who[i]][ids[j]] = true;
    }
  }
  function fixedOnes(uint256[] calldata ids, uint256[2] calldata by) external {
    for (uint256 i; i < ids.length; i++) sums[ids[i]] += by[i];
  }
  function _inner(uint256[] memory ids, uint256[] memory by) internal {
    for (uint256 i; i < ids.length; i++) sums[ids[i]] += by[i];
  }
  function outer(uint256[] memory ids, uint256[] memory by) external {
    require(ids.length == by.length);
    _inner(ids, by);
  }
}`,
    ],
  },
}

interface Unmatched {
  readonly walked: LocalVariable
  readonly other: LocalVariable
  readonly at: S.Expression
}

/** An array that is read at the positions of another, without a comparison of its length with anything. */
const unmatched = (flow: Flow, arrays: ReadonlyArray<LocalVariable>): Unmatched | undefined => {
  const walks = new Map(flow.loops.flatMap((loop) => walkOf(flow, loop, arrays)))
  const limits = new Set(flow.loops.flatMap(({ condition }) => condition ?? []))
  const compared = new Set(
    flow.conditionNodes().flatMap((node) => (limits.has(node) ? [] : measuredIn(flow, node, arrays))),
  )
  for (const node of flow.nodes) {
    for (let { loop } = node; loop !== undefined; loop = loop.outer) {
      const walked = walks.get(loop)
      const found = walked === undefined ? undefined : readBeside(flow, node, walked, arrays)
      if (found !== undefined && !compared.has(found.other) && !isHandedOn(flow, found)) return found
    }
  }
  return undefined
}

/** Whether one call is given both arrays: a hash of them, or a function that compares them. */
const isHandedOn = (flow: Flow, { walked, other }: Unmatched): boolean =>
  flow
    .calls()
    .some(({ args }) =>
      [walked, other].every((array) =>
        args.some((arg) => arg.kind === "Identifier" && flow.program.referenceOf(arg) === array),
      ),
    )

interface Walk {
  readonly walked: LocalVariable
  readonly counter: LocalVariable
}

/** `i < a.length`, also with the length in a local. */
const walkOf = (flow: Flow, loop: Loop, arrays: ReadonlyArray<LocalVariable>): ReadonlyArray<readonly [Loop, Walk]> => {
  const { condition } = loop
  if (condition?.expression?.kind !== "BinaryOperation") return []
  const counter = flow.program.referenceOf(condition.expression.left)
  const [walked, ...others] = measuredIn(flow, condition, arrays)
  if (walked === undefined || others.length > 0 || counter?.kind !== "LocalVariable") return []
  return [[loop, { walked, counter }]]
}

/** The arrays whose length a condition mentions, by itself or through a local. */
const measuredIn = (flow: Flow, at: FlowNode, arrays: ReadonlyArray<LocalVariable>): ReadonlyArray<LocalVariable> => {
  const found = new Set<LocalVariable>()
  walk(at.expression!, (part) => {
    const isLength = part.kind === "MemberAccess" && part.member === "length" && part.object.kind !== "IndexAccess"
    const isNumber = part.kind === "Identifier" && flow.program.typeOf(part).kind === "integer"
    if (isLength || isNumber)
      for (const parameter of flow.origins(part, at).parameters) if (arrays.includes(parameter)) found.add(parameter)
  })
  return [...found]
}

const readBeside = (
  { program }: Flow,
  { expression }: FlowNode,
  { walked, counter }: Walk,
  arrays: ReadonlyArray<LocalVariable>,
): Unmatched | undefined => {
  let found: Unmatched | undefined
  if (expression === undefined) return undefined
  walk(expression, (part) => {
    if (part.kind !== "IndexAccess" || part.index?.kind !== "Identifier") return
    const other = program.referenceOf(part.base)
    if (other?.kind !== "LocalVariable" || other === walked || !arrays.includes(other)) return
    if (program.referenceOf(part.index) === counter) found ??= { walked, other, at: part }
  })
  return found
}
