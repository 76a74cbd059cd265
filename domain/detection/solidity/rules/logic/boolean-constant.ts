import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Program } from "../../program.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const booleanConstant: Rule<Program> = {
  meta: {
    id: "evm/logic/boolean-constant",
    class: "boolean-misuse",
    title: "Boolean literal in a condition",
    severity: "medium",
    confidence: "high",
    cwe: [480],
    description:
      "A condition contains a literal `true` or `false` that decides it regardless of the other operands: `x || " +
      "true` lets everyone through, `x && false` no one, and one branch of `if (false)` never runs. Such " +
      "literals are left over from testing, and the apparent check does nothing.",
    remediation: "Remove the literal, or replace it with the intended condition.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#misuse-of-a-boolean-constant"],
  },

  check: (program, report) => {
    const seen = new Set<S.Node>()
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.truth)) {
        const { expression } = node
        if (expression === undefined || seen.has(expression)) continue
        seen.add(expression)
        const found = isDecided(node) ? expression : misuseIn(expression, node.kind === "condition")
        if (found === undefined) continue
        report({
          file: node.callable.source.file,
          span: found,
          scope: node.callable.scope,
          ...(isDeadAssignment(node) ? { severity: "low" as const, message: "The assignment never runs." } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // A check that was switched off, and an assignment that was never meant to run.
      `pragma solidity ^0.8.0;
contract Delegate {
    address public hook;
    address owner = msg.sender;
    function become() external {
        if (false) hook = address(0); // FINDING
        if (false) { hook = address(1); } // FINDING
        if (false) { revert(); } // FINDING
        if (true) hook = address(2); // FINDING
        if (false) { hook = address(3); } else { hook = address(4); } // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Sale {
    bool paid;
    uint256 public count;
    function take() external {
        if (paid = true) count++; // FINDING
        paid = false;
    }
}`,
      `pragma solidity ^0.8.0;
contract Gate {
    address owner = msg.sender;
    uint256 limit;
    function set(uint256 x) external {
        require(msg.sender == owner || true); // FINDING
        limit = x;
    }
}`,
      `pragma solidity ^0.4.24;
contract Gate {
    mapping(address => bool) allowed;
    function enter(uint256 x) public view returns (bool) {
        if (false) { // FINDING
            return true;
        }
        return (x > 3 && !false) || allowed[msg.sender]; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
contract Flags {
  bool flag;
  function a(bool x) external pure returns (bool) { return x && true; } // FINDING
  function b(bool x) external pure returns (bool) { return false || x; } // FINDING
  function c() external { flag = !false; } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Leftovers {
    uint256 total;
    uint256 limit;

    function run(uint256 n) external {
        if (false) { // FINDING
            n = n;
        } else {
            total = n;
        }
        if (true) total += total; // FINDING
        if (true) limit = total; // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Hooks {
    uint256 limit;
    function verify(address from, uint256 amount) external {
        from;
        amount;
        if (false) {
            limit = limit;
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Gate {
    mapping(address => bool) allowed;
    function run(uint256 x) external returns (bool) {
        while (true) {
            if (x > 10) break;
            x++;
        }
        allowed[msg.sender] = true;
        if (allowed[msg.sender] == true) return false;
        if (x == 3) require(false, "never");
        return x > 5 ? true : false;
    }
}`,
      `pragma solidity ^0.5.0;
contract Flags {
    bool constant DEBUG = false;
    bool open = true;
    function set(bool to) external { open = to; }
    function isOpen() external view returns (bool) { return open && !DEBUG; }
}`,
      `pragma solidity ^0.8.20;
contract Flags {
  bool flag;
  int256 n;
  function a(bool x, bool y) external { flag = x && y; flag = !x; n = -1; }
  function b(bool x) external { if (flag = x) n = 1; flag = true; }
}`,
      `pragma solidity ^0.8.0;
contract Loops {
    bool paused;
    uint256 public n;

    function check() internal view returns (bool) {
        return n > 1;
    }

    function run() external {
        bool done;
        require(!paused);
        if (done = check()) n = 2;
        while ((n = 5) > 7) n++;
    }
}`,
      // A negative number beside it, and an assignment whose value is compared.
      `pragma solidity ^0.5.17;
interface IQueue { function push(uint256 job) external returns (bool); }
contract Work {
  uint256 public refused;
  function limit(bool open) public pure returns (uint256, bool) {
    if (open) return (uint256(-1), true);
    return (0, false);
  }
  function add(IQueue queue, uint256 job) external {
    bool taken;
    if ((taken = queue.push(job)) == false) refused++;
  }
}`,
    ],
  },
}

const isBool = (e: S.Expression): e is S.Literal => e.kind === "Literal" && e.literalKind === "bool"

/** The operation that a literal true or false decides; in a condition, also `paid = true`, where `==` is intended. */
const misuseIn = (root: S.Node, isCondition: boolean): S.Expression | undefined => {
  let found: S.Expression | undefined
  walk(root, (e) => {
    if (found !== undefined) return false
    if (
      e.kind === "BinaryOperation" &&
      (e.operator === "&&" || e.operator === "||") &&
      (isBool(e.left) || isBool(e.right))
    )
      found = e
    else if (e.kind === "UnaryOperation" && isBool(e.operand)) found = e
    else if (e.kind === "Conditional" && isBool(e.condition)) found = e
    else if (isCondition && e.kind === "Assignment" && isBool(e.right)) found = e
    return found === undefined
  })
  return found
}

/** `if (true)`; infinite loops and `require(false)`, which marks a place as unreachable, are intended. */
const isDecided = (node: FlowNode): boolean =>
  node.node?.kind === "IfStatement" &&
  node.expression?.kind === "Literal" &&
  !(node.node.else === undefined && isIdle(node.node.then))

/** `if (false) { hook = address(0); }`: written to keep the compiler from suggesting `view`. */
const isDeadAssignment = ({ node, expression }: FlowNode): boolean =>
  node?.kind === "IfStatement" &&
  expression?.kind === "Literal" &&
  expression.value === "false" &&
  node.else === undefined &&
  assigns(node.then)

const assigns = (statement: S.Statement): boolean =>
  statement.kind === "Block"
    ? statement.statements.every(assigns)
    : statement.kind === "ExpressionStatement" && statement.expression.kind === "Assignment"

/** `x = x;` alone: written to silence the compiler's warning about an unused variable. */
const isIdle = (statement: S.Statement): boolean => {
  if (statement.kind === "Block") return statement.statements.every(isIdle)
  if (statement.kind !== "ExpressionStatement") return false
  const e = statement.expression
  return (
    e.kind === "Assignment" &&
    e.operator === "=" &&
    e.left.kind === "Identifier" &&
    e.right.kind === "Identifier" &&
    e.left.name === e.right.name
  )
}
