import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { Flow, Program } from "../../program.ts"

interface Change {
  readonly at: FlowNode
  readonly expression: Expr
}

export const constantFunctionWrites: Rule<Program> = {
  meta: {
    id: "evm/logic/constant-function-writes",
    class: "constant-fn-asm",
    title: "View or pure function changes state",
    severity: "medium",
    confidence: "high",
    cwe: [710],
    description:
      "Before Solidity 0.5, nothing prevented a `constant`, `view` or `pure` function from writing storage or " +
      "sending ether, and this one does. Contracts compiled with 0.5 or later call such functions with " +
      "STATICCALL: the call reverts, and funds that depend on it are stuck. Wallets and front ends mistake it " +
      "for a harmless read.",
    remediation: "Remove the `constant`, `view` or `pure` modifier, or the state change.",
    references: [
      "https://docs.soliditylang.org/en/v0.5.0/050-breaking-changes.html#interoperability-with-older-contracts",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#constant-functions-changing-the-state",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.mutability !== "view" && fn.mutability !== "pure") continue
      if (!fn.source.version.before05 || fn.contract?.node.contractKind === "interface") continue
      const change = firstChange(flow)
      if (change === undefined) continue
      report({ file: change.at.callable.source.file, span: change.expression, scope: fn.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Log {
    uint256[] log;
    function note(uint256 x) internal { log.push(x); }
    function count() public view returns (uint256) {
        note(1); // FINDING
        return log.length;
    }
}`,
      `pragma solidity ^0.4.24;
contract Counter {
    uint256 count;
    function get() public view returns (uint256) {
        count = count + 1; // FINDING
        return count;
    }
}`,
      `pragma solidity ^0.4.11;
contract Slots {
    function set(uint256 x) public constant returns (uint256) {
        assembly {
            sstore(0, x) // FINDING
        }
        return x;
    }
}`,
      `pragma solidity ^0.4.24;
contract Child {}
contract Views {
  address who;
  function a() public view { assembly { sstore(0, 1) } } // FINDING
  function b() public view { assembly { pop(create(0, 0, 0)) } } // FINDING
  function c() public view { assembly { pop(create2(0, 0, 0, 0)) } } // FINDING
  function d() public view { assembly { selfdestruct(0) } } // FINDING
  function z() public view { assembly { suicide(0) } } // FINDING
  function e() public view { assembly { log0(0, 0) } } // FINDING
  function f() public view { assembly { log1(0, 0, 1) } } // FINDING
  function g() public pure { assembly { log2(0, 0, 1, 2) } } // FINDING
  function h() public view { assembly { log3(0, 0, 1, 2, 3) } } // FINDING
  function i() public view { assembly { log4(0, 0, 1, 2, 3, 4) } } // FINDING
  function j() public view { who.transfer(1); } // FINDING
  function k() public view returns (bool) { return who.send(1); } // FINDING
  function l() public view returns (Child) { return new Child(); } // FINDING
  function m() public view { assembly { tstore(0, 1) } } // FINDING
}`,
      // The function that writes is told, not those that call it.
      `pragma solidity ^0.4.24;
contract Desk {
  uint256 count;
  function first() external view { _first(); }
  function _first() internal view {
    count += 1; // FINDING
  }
  function second() external view { _second(); }
  function _second() internal pure {
    count += 2; // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Counter {
    uint256 count;
    uint256[] list;
    function get() public view returns (uint256) {
        uint256 local = count;
        local += 1;
        uint256[] memory copy = list;
        copy[0] = 1;
        return local + copy[0];
    }
    function raise() public returns (uint256) {
        count++;
        return count;
    }
}`,
      `pragma solidity ^0.4.24;
contract Slots {
    function size(address a) public view returns (uint256 n) {
        assembly {
            n := add(extcodesize(a), sload(0))
            mstore(0, n)
        }
    }
}`,
      `pragma solidity ^0.4.24;
contract Views {
  uint256 count;
  event Read(uint256 count);
  modifier noted() { assembly { log0(0, 0) } _; }
  function a() public view noted returns (uint256) { return look() + b(); }
  function look() internal view returns (uint256 n) { assembly { n := add(sload(0), 1) } }
  function b() internal pure returns (uint256) { return uint256(keccak256("b")); }
}`,
      `pragma solidity ^0.5.0;
contract Views {
  function a() public view { assembly { log0(0, 0) } }
}`,
      // Opcodes that only read, and a function of the contract's own by the name of one that logs.
      `pragma solidity ^0.4.24;
contract Desk {
  uint256 count;
  function log0(uint256) internal constant returns (uint256) { return count; }
  function first() external constant returns (uint256) { return log0(1); }
  function second() external constant { assembly { pop(sload(0)) } }
}`,
      `pragma solidity ^0.4.24;
contract Hashes {
  function check(bytes data) public constant returns (bytes32 result) {
    assembly {
      let free := mload(0x40)
      if iszero(staticcall(gas, 2, add(data, 32), mload(data), free, 32)) { revert(0, 0) }
      result := mload(free)
    }
  }
}`,
    ],
  },
}

const changing = new Set(["selfdestruct", "suicide", "log0", "log1", "log2", "log3", "log4"])

/** The first thing in the function's own text that changes state. */
const firstChange = (flow: Flow): Change | undefined => {
  for (const { event, at, via } of flow.writes) {
    const [call] = via
    if (call === undefined) return { at: event.at, expression: event.expression }
    // a called constant function is reported itself
    const { target } = call
    if (target !== undefined && target.mutability !== "view" && target.mutability !== "pure")
      return { at, expression: call.node }
  }
  for (const site of flow.calls()) {
    if (site.at.callable !== flow.fn) continue
    const sends = site.callKind === "send" || site.callKind === "transfer" || site.callKind === "create"
    if (sends || (site.node.kind === "YulFunctionCall" && changing.has(site.name)))
      return { at: site.at, expression: site.node }
  }
  return undefined
}
