import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { walk } from "../../visit.ts"

export const valueInNonpayable: Rule<Program> = {
  meta: {
    id: "evm/logic/value-in-nonpayable",
    class: "payable-misuse",
    title: "msg.value used in a non-payable function",
    severity: "medium",
    // The function itself breaks: it reverts, or credits nothing.
    confidence: "high",
    cwe: [670],
    description:
      "The function reads `msg.value`, but it is not payable, and neither is any function that calls it: the value is always " +
      "zero, and sending ether reverts. A payment cannot be made, a minimum can never be met, or something is sold for nothing.",
    remediation: "Mark the function (or the one outsiders call) `payable`, or pass the amount as an argument.",
    references: ["https://docs.soliditylang.org/en/latest/contracts.html#function-modifiers"],
  },

  check: (program, report) => {
    const told = new Set<ContractModel>()
    const naming = new Set(program.sources.filter(({ file }) => mayName(file.text)))
    const paid = new Set(program.functions.filter((fn) => fn.mutability === "payable").map((fn) => fn.source))
    for (const fn of program.functions) {
      const { body } = fn.node
      if (body === undefined || !naming.has(fn.source) || fn.contract === undefined) continue
      // code from before the keyword existed (0.4.0), when every function was payable
      const { version } = fn.source
      if (!version.fromPragma && !paid.has(fn.source)) continue
      if (told.has(fn.contract)) continue
      const inModifier = fn.modifiers.find(
        ({ modifier }) => modifier?.node.body !== undefined && valueIn(program, modifier.node.body) !== undefined,
      )
      const found = valueIn(program, body) ?? inModifier?.node
      // an internal function that is never called is dead code
      if (found === undefined || (!program.graph.isReachable(fn) && fn.role !== "constructor")) continue
      if (canBePaid(program, fn)) continue
      told.add(fn.contract)
      report({ file: fn.source.file, span: found, scope: fn.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.11;
contract Store {
    mapping(address => uint256) of;
    modifier costs(uint256 price) { require(msg.value >= price); _; }
    function rent() public costs(1 ether) { // FINDING
        of[msg.sender] += 1;
    }
}`,
      `pragma solidity ^0.4.24;
contract Shop {
    mapping(address => uint256) paid;
    function buy() public {
        require(msg.value >= 1 ether); // FINDING
        paid[msg.sender] += 1;
    }
    function tip() public payable {}
}`,
      `pragma solidity ^0.8.0;
contract Shop {
    mapping(address => uint256) paid;
    function record(address who) internal {
        paid[who] += msg.value; // FINDING
    }
    function buy() external {
        record(msg.sender);
    }
}`,
      `pragma solidity ^0.4.0;
contract Deposits {
    uint256 public first;
    uint256 public total;

    function Deposits() {
        first = msg.value; // FINDING
    }

    function add() {
        total += msg.value;
    }
}`,
      `contract Purse {
    mapping(address => uint256) held;

    function put() payable {
        held[msg.sender] += 1;
    }

    function add() {
        held[msg.sender] += msg.value; // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Shop {
    mapping(address => uint256) paid;
    function record(address who) internal {
        paid[who] += msg.value;
    }
    function buy() external payable { record(msg.sender); }
    function gift(address to) external { paid[to] += 0; }
    receive() external payable { record(msg.sender); }
}`,
      `pragma solidity ^0.8.0;
library Payments {
    function paid() internal view returns (uint256) { return msg.value; }
}
abstract contract Base {
    function _record() internal virtual returns (uint256) { return msg.value; }
}
contract Once {
    uint256 public first;
    constructor() payable { first = msg.value; }
}
contract Shop is Base {
    function buy() external payable returns (uint256) { return _record() + Payments.paid(); }
}`,
      `contract Old {
    mapping(address => uint256) held;

    function put() {
        held[msg.sender] += msg.value;
    }
}`,
      `pragma solidity ^0.8.0;
library Paid {
    function least(uint256 price) public {
        require(msg.value >= price);
    }
}
function paid() returns (uint256) {
    return msg.value;
}
abstract contract Base {
    function put() public virtual {
        require(msg.value > 0);
    }
}
contract Hooks {
    uint256 public count;

    modifier counted() {
        count++;
        _;
    }

    function _unused() internal {
        require(msg.value > 0);
    }

    function _hook() private {
        require(msg.value > 1);
    }

    function _run(function() internal hook) private {
        hook();
    }

    function run() external payable {
        _run(_hook);
    }

    function reset() external counted {
        count = 0;
    }
}`,
    ],
  },
}

/** If `value` never follows `msg` in the text, its trees need not be examined. */
const mayName = (text: string): boolean => {
  for (const [piece] of text.matchAll(/\bmsg\b[^;{}]*/g)) {
    const dot = piece.indexOf(".")
    if (dot !== -1 && /\bvalue\b/.test(piece.slice(dot))) return true
  }
  return false
}

const valueIn = (program: Program, root: S.Node): S.Expression | undefined => {
  let found: S.Expression | undefined
  walk(root, (e) => {
    if (found === undefined && e.kind === "MemberAccess" && program.isBuiltin(e, "msg.value")) found = e
    return found === undefined
  })
  return found
}

/** Whether some way in accepts ether. Functions reached through pointers or from constructors may be paid, too. */
const canBePaid = (program: Program, fn: FunctionModel): boolean => {
  if (program.functionValues.has(fn)) return true
  const seen = new Set<FunctionModel>([fn])
  const queue = [fn]
  for (let i = 0; i < queue.length && i < 500; i++) {
    const at = queue[i]!
    if (at.mutability === "payable") return true
    // a base's function may be overridden, or called by a derived contract without source
    if (at.contract?.deployable === false) return true
    for (const { from } of program.graph.callers(at)) {
      if (seen.has(from)) continue
      seen.add(from)
      queue.push(from)
    }
  }
  return false
}
