import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { constantTruth } from "../../questions/value/constantTruth.ts"
import { walk } from "../../visit.ts"

export const assertForInput: Rule<Program> = {
  meta: {
    id: "evm/error-handling/assert-for-input",
    class: "assert-violation",
    title: "assert on a condition that can fail",
    severity: "low",
    confidence: "medium",
    cwe: [670],
    swc: 110,
    description:
      "`assert` is meant for conditions that can never be false, but here its condition depends on caller input " +
      "or on the caller, or has side effects. Before 0.8, a failed assert burns all of the caller's gas; " +
      "analyzers and integrators interpret it as a bug in the contract; and if a tool removes it as always " +
      "true, its side effects disappear with it.",
    remediation:
      "Use `require` (or `revert` with an error) for inputs, callers and results of other contracts. Make state " +
      "changes in a separate statement, and assert their result.",
    references: [
      "https://swcregistry.io/docs/SWC-110",
      "https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require",
    ],
  },

  check: (program, report) => {
    // a contract that asserts its inputs does so everywhere: one finding is enough
    const told = new Set<ContractModel | undefined>()
    for (const flow of program.allFlows()) {
      for (const node of flow.conditionNodes()) {
        const e = assertOf(program, node)
        const condition = e?.args[0]
        if (e === undefined || condition === undefined) continue
        const place = { file: node.callable.source.file, span: e, scope: node.callable.scope }
        if (constantTruth(program, condition) === false) {
          // behind a condition, it says that the place is unreachable
          if (program.graph.isEntryPoint(flow.fn) && flow.facts(node).length === 0)
            report({ ...place, message: "The assertion always fails." })
          continue
        }
        if (changesState(program, condition)) {
          report({ ...place, message: "The condition changes state." })
          continue
        }
        // helpers check values computed by their callers
        if (!program.graph.isEntryPoint(flow.fn) || node.callable !== flow.fn) continue
        if (told.has(flow.fn.contract) || !checksInput(flow, node, condition)) continue
        told.add(flow.fn.contract)
        report({ ...place, message: "The caller decides whether the condition holds." })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Even {
    uint256 public last;
    function set(uint256 x) external {
        assert(x % 2 == 0); // FINDING
        last = x;
    }
}`,
      `pragma solidity ^0.5.0;
contract Limits {
    uint256 count;
    function set(uint256 x) external {
        assert(x > 10); // FINDING
        count = x;
    }
}
contract Closing {
    uint256 count = 1;
    address owner = msg.sender;
    function close() external {
        assert(msg.sender == owner); // FINDING
        count = 0;
    }
}`,
      `pragma solidity ^0.8.0;
contract Counter {
    uint256 count;
    function raise() internal returns (uint256) { return ++count; }
    function next() external {
        assert(raise() > 0); // FINDING
    }
    function never() external {
        assert(false); // FINDING
    }
    function add() external {
        assert((count += 1) > 1); // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Counter {
  uint256 count;
  function a() public {
    assert(count++ < 5); // FINDING
  }
  function b() public {
    assert(--count > 0); // FINDING
  }
  function c(address to) public {
    assert(to.send(1)); // FINDING
  }
  function d(address to) public {
    assert(to.call()); // FINDING
  }
  function e(address to) public {
    assert(to.delegatecall()); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Even {
  function a(uint256 x) external pure {
    assert((x & 1) == 0); // FINDING
  }
  function told(uint256 x) external pure { assert(x > 5); }
}
contract Both {
  uint256 count;
  function a(uint256 x) external view {
    assert(count + 1 > 0 && x > 5); // FINDING
  }
}
contract Either {
  uint256 count;
  function a(uint256 x) external view {
    assert(count + 1 > 2 || x > 5); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        assert(c >= a);
        return c;
    }
    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        assert(b <= a);
        return a - b;
    }
}
contract Bank {
    mapping(address => uint256) balances;
    function deposit() public payable {
        assert(balances[msg.sender] + msg.value >= balances[msg.sender]);
        balances[msg.sender] += msg.value;
    }
}`,
      `pragma solidity ^0.8.0;
contract Totals {
    uint256 total;
    uint256 count;
    function add(uint256 x) external {
        require(x > 0);
        total += x;
        count += 1;
        assert(total >= count);
    }
    function pick(uint256 x) external pure returns (uint256) {
        if (x < 2) return 1;
        if (x >= 2) return 2;
        assert(false);
        return 0;
    }
    function check() external view { assert(total > 0 || count == 0); }
}`,
      `pragma solidity ^0.8.20;
contract Checks {
  mapping(uint256 => bool) ok;
  uint256 public count;
  modifier above(uint256 x) { assert(x > 5); _; }
  function a(uint256 x) external above(x) { count += x; }
  function unreachable() internal pure { assert(false); }
  function b() external view { assert(isFine()); }
  function isFine() internal view returns (bool) { return count > 0; }
  function c(uint256 x) external view { assert(ok[x + 1]); }
  function d(int256 x) external pure { assert(-x < 5); }
  function e(uint256 x) external pure { assert((x + 1) % 2 == 0); }
  function f(uint256 x) external pure { assert(x % (x + 1) == 0); }
  function g(uint256 x) external pure { uint256 y = x * 2; assert(y > 5); }
  function h(uint256 x) external pure { if (x > 5) unreachable(); }
}`,
    ],
  },
}

/** The condition of an assert, if this node is one. */
const assertOf = (program: Program, node: FlowNode): S.FunctionCall | undefined => {
  const statement = node.node
  const e = statement?.kind === "ExpressionStatement" ? statement.expression : statement
  if (e?.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  return call?.kind === "builtin" && call.name === "assert" ? e : undefined
}

/** A state change inside the condition: it is lost, or relied on, together with the check. */
const changesState = (program: Program, condition: S.Expression): boolean => {
  let found = false
  walk(condition, (e) => {
    if (e.kind === "Assignment") found = true
    if (e.kind === "UnaryOperation" && (e.operator === "++" || e.operator === "--")) found = true
    if (e.kind === "FunctionCall") {
      const call = program.callOf(e)
      if (call?.kind === "send" || call?.kind === "call" || call?.kind === "delegatecall") found = true
      if (call?.kind === "internal" && call.target !== undefined) found ||= program.flow(call.target).writes.length > 0
    }
    return !found
  })
  return found
}

const outside = Source.parameter | Source.calldata | Source.sender | Source.value | Source.txOrigin | Source.external

/** Plain values only: sums and products in a comparison are checks of the arithmetic, for which assert is meant. */
const isPlain = (e: S.Expression): boolean => {
  switch (e.kind) {
    case "Identifier":
    case "Literal":
    case "IndexAccess":
      return true
    case "MemberAccess":
      return isPlain(e.object)
    case "UnaryOperation":
      return e.operator === "!"
    case "FunctionCall":
      return e.args.every(isPlain)
    case "BinaryOperation":
      // whether it is even, a multiple, or has a bit
      return (e.operator === "%" || e.operator === "&") && isPlain(e.left) && isPlain(e.right)
    default:
      return false
  }
}

/** A comparison, or a flag, that the caller decides. */
const checksInput = (flow: Flow, node: FlowNode, condition: S.Expression): boolean => {
  const parts: Array<S.Expression> = [condition]
  for (let e = parts.pop(); e !== undefined; e = parts.pop()) {
    if (e.kind === "BinaryOperation" && (e.operator === "&&" || e.operator === "||")) {
      parts.push(e.left, e.right)
      continue
    }
    if (e.kind === "UnaryOperation") {
      parts.push(e.operand)
      continue
    }
    const sides = e.kind === "BinaryOperation" ? [e.left, e.right] : [e]
    if (!sides.every(isPlain)) continue
    // a local is the result of an earlier computation
    if (sides.some((side) => directlyOutside(flow, side, node))) return true
  }
  return false
}

const directlyOutside = (flow: Flow, e: S.Expression, node: FlowNode): boolean => {
  const found = flow.program.referenceOf(e)
  if (found?.kind === "LocalVariable" && found.role !== "parameter") return false
  return has(flow.origins(e, node), outside)
}
