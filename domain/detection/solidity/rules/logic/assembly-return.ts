import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

export const assemblyReturn: Rule<Program> = {
  meta: {
    id: "evm/logic/assembly-return",
    class: "assembly-return",
    title: "Assembly return ends the whole call",
    severity: "high",
    confidence: "medium",
    cwe: [670],
    swc: 127,
    description:
      "`return` and `stop` in assembly do not leave the function; they end the execution of the contract. Code " +
      "that follows in the callers of this function, or in modifiers around it, never runs: balances are not " +
      "updated, a reentrancy lock stays locked forever, or a check is skipped.",
    remediation:
      "Assign the result to a return variable and let the function end, or use `leave` inside an assembly function. Keep " +
      "`return` in assembly for the outermost function, such as the fallback of a proxy.",
    references: [
      "https://docs.soliditylang.org/en/latest/yul.html#evm-dialect",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#incorrect-return-in-assembly",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const ends = endsIn(flow)
      if (ends.length === 0) continue
      // one finding covers all of them
      const { at, e } = ends[0]!
      const skipped = expectedAfter(program, flow.fn) ?? skippedModifier(flow, at)
      if (skipped === undefined) continue
      report({
        file: at.callable.source.file,
        span: e,
        scope: flow.fn.scope,
        trace: [
          { file: at.callable.source.file, span: e, note: "the call ends here" },
          {
            file: skipped.callable.source.file,
            span: skipped.expression ?? skipped.node ?? e,
            note: "never reached",
          },
        ],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Counter {
    uint256 public count;
    function read() internal view returns (uint256 a, uint256 b) {
        assembly {
            mstore(0, 5)
            mstore(32, 6)
            return(0, 64) // FINDING
        }
    }
    function raise() external {
        (uint256 a, uint256 b) = read();
        count += a + b;
    }
}`,
      `pragma solidity ^0.8.0;
contract Locked {
    uint256 flag = 1;
    uint256 public total;
    modifier once() {
        require(flag == 1);
        flag = 2;
        _;
        flag = 1;
    }
    function take() external once returns (uint256) {
        total += 1;
        assembly {
            mstore(0, 1)
            return(0, 32) // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Halts {
    uint256 public depth;
    uint256 public total;

    modifier counted() {
        depth++;
        _;
        depth--;
    }

    function halt() external counted {
        assembly {
            stop() // FINDING
        }
    }

    function _give(uint256 n) internal pure returns (uint256 sum) {
        assembly {
            mstore(0, n)
            return(0, 32) // FINDING
        }
    }

    function sum(uint256 n) external pure returns (uint256) {
        uint256 twice;
        _give(n);
        twice = n;
        return twice;
    }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Fees {
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function _quote(uint256 amount) internal pure returns (uint256) {
    assembly {
      mstore(0, div(amount, 100))
      return(0, 32) // FINDING
    }
  }
  function pay(uint256 amount) external {
    uint256 fee = _quote(amount);
    require(token.transferFrom(msg.sender, address(this), fee));
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Query {
  function ask(uint256 n) external pure returns (uint256 half, uint256 rest) {
    answer(n);
    return (half, rest);
  }
  function answer(uint256 n) private pure {
    assembly {
      mstore(0, div(n, 2))
      mstore(32, mod(n, 2))
      return(0, 64)
    }
  }
}`,
      `pragma solidity ^0.8.0;
contract Proxy {
    address implementation;
    modifier known() { require(implementation != address(0)); _; }
    constructor(address i) { implementation = i; }
    function run(address to) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
    function forward() internal { run(implementation); }
    fallback() external payable known { forward(); }
}`,
      `pragma solidity ^0.8.0;
contract Counter {
    uint256 public count;
    function read() internal pure returns (uint256 a) {
        assembly {
            function five() -> x { x := 5 leave }
            a := five()
        }
    }
    function raise() external { count += read(); }
    function raw() external pure returns (uint256) {
        assembly {
            mstore(0, 7)
            return(0, 32)
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Proxy {
    uint256 public calls;
    bool closed;
    event Ran();

    modifier counted() {
        calls++;
        if (closed) revert();
        _;
    }

    function run(uint256 n) external counted returns (uint256) {
        if (n == 0) {
            calls = 0;
        } else {
            assembly {
                mstore(0, n)
                return(0, 32)
            }
        }
        return calls;
    }

    function _pair() internal pure {
        assembly {
            mstore(0, 1)
            mstore(32, 2)
            return(0, 64)
        }
    }

    function pair() external pure returns (uint256 a, uint256 b) {
        _pair();
        return (a, b);
    }
}`,
    ],
  },
}

const callerLimit = 24

const depthLimit = 4

/** Opcodes that end the whole call, by the node that contains them. */
const endsIn = (flow: Flow): ReadonlyArray<{ readonly at: FlowNode; readonly e: S.YulFunctionCall }> =>
  flow.nodes.flatMap((at) => {
    const e = at.expression
    const ends = e?.kind === "YulFunctionCall" && (e.name === "return" || e.name === "stop") && at.callable === flow.fn
    return ends ? [{ at, e }] : []
  })

/** `return (a, b);` of return variables that are never set: written for the compiler, which expects a return. */
const returnsUnset = (flow: Flow, e: S.Expression | undefined): boolean => {
  if (e === undefined) return true
  if (e.kind === "TupleExpression") return e.components.every((one) => returnsUnset(flow, one))
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return false
  return flow.definitionsOf(variable).every(({ at }) => at.node?.kind === "ReturnStatement")
}

/** What runs after a step: another step on a path to the normal end. */
const goesOn = (flow: Flow, at: FlowNode): FlowNode | undefined =>
  flow.nodes.find(
    (node) =>
      node !== at &&
      (node.kind === "step" || node.kind === "condition") &&
      (node.node?.kind === "ReturnStatement"
        ? !returnsUnset(flow, node.node.value)
        : node.events.length > 0 || node.definitions.length > 0) &&
      flow.reaches(at, node),
  )

/** What a caller expects to do after the function has returned, which never happens. */
const expectedAfter = (program: Program, fn: FunctionModel, depth = 0): FlowNode | undefined => {
  if (depth > depthLimit) return undefined
  for (const { from, call } of program.graph.callers(fn).slice(0, callerLimit)) {
    const caller = program.flow(from)
    const site = caller.siteOf(call.node)
    if (site === undefined) continue
    const after = goesOn(caller, site.at) ?? expectedAfter(program, from, depth + 1)
    if (after !== undefined) return after
  }
  return undefined
}

const changesState = (e: FlowNode["expression"]): boolean => e?.kind === "Assignment" || e?.kind === "UnaryOperation"

/** A modifier's code after `_`: a lock that stays closed, or a count that is not decreased. */
const skippedModifier = (flow: Flow, end: FlowNode): FlowNode | undefined =>
  flow.nodes.find(
    (node) => node.callable.kind === "Modifier" && changesState(node.expression) && !flow.reaches(node, end),
  )
