import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { isCallersLoss } from "../../questions/call/callersLoss.ts"
import { lostResult, type LostResult } from "../../questions/call/lostResult.ts"

export const uncheckedLowLevelCall: Rule<Program> = {
  meta: {
    id: "evm/unchecked-call/unchecked-low-level-call",
    class: "unchecked-low-level",
    title: "Unchecked low-level call",
    severity: "medium",
    // The language specifies that a failed call returns false: nothing is guessed, only the loss varies.
    confidence: "high",
    cwe: [252],
    swc: 104,
    description:
      "A low-level call does not revert if the callee reverts, runs out of gas or cannot receive the ether: it " +
      "returns `false`. Here, the result is not checked. The contract continues as if the payment or the action " +
      "had happened, so an account that received nothing is marked as paid; a caller who forwards little gas, " +
      "or fills the call stack, can cause this.",
    remediation:
      'Check the first return value: `(bool ok, ) = to.call{value: amount}(""); require(ok);`. If one ' +
      "recipient's failure must not affect the others, record the amount as owed and let the recipient withdraw " +
      "it. Prefer a call through an interface, or OpenZeppelin's Address.functionCall, which revert on failure.",
    references: [
      "https://swcregistry.io/docs/SWC-104",
      "https://docs.soliditylang.org/en/latest/units-and-global-variables.html#members-of-address-types",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (!kinds.has(site.callKind) && !isWrapper(program, site)) continue
        const lost = lostResult(flow, site)
        if (lost === undefined) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          message: messages[lost],
          ...(isCallersLoss(flow, site) ? { severity: "low" as const } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // Calls that the caller lists, with and without a record.
      `pragma solidity ^0.8.20;
contract Batch {
  uint256 count;
  function send(address[] calldata to, bytes[] calldata data) external payable {
    for (uint256 i = 0; i < to.length; i++) to[i].call(data[i]); // FINDING
  }
  function sendCounted(address to, bytes calldata data) external payable {
    count += 1;
    to.call(data); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Payroll {
    mapping(address => uint256) public owed;

    function pay(address payable worker) external {
        uint256 amount = owed[worker];
        owed[worker] = 0;
        worker.call{value: amount}(""); // FINDING
    }

    function payBoth(address payable a, address payable b, uint256 amount) external {
        (bool ok, ) = a.call{value: amount}(""); // FINDING
        (ok, ) = b.call{value: amount}("");
        require(ok);
    }

    function payInAssembly(address to, uint256 amount) external {
        assembly {
            let done := call(gas(), to, amount, 0, 0, 0, 0) // FINDING
        }
    }
}`,
      `pragma solidity ^0.4.19;
contract Forwarder {
    address target;

    function forward(bytes data) public payable {
        target.call.value(msg.value).gas(50000)(data); // FINDING
    }

    function refund(address to) public {
        to.call.value(1 ether); // FINDING
    }

    function run(bytes data) public {
        bool done = target.delegatecall(data); // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Lottery {
    uint256 rounds;

    function close(address winner) public {
        (bool ok, ) = winner.call.value(1 ether)("");
        if (!ok) revert();
        if (!address(this).delegatecall(abi.encodeWithSignature("next()"))) { // FINDING
        } else {
        }
        rounds++;
    }
}`,
      `pragma solidity ^0.8.0;
contract Wrapped {
    function _send(address to, uint256 amount) internal returns (bool ok) { (ok, ) = to.call{value: amount}(""); }
    function refund(address to) external payable {
        _send(to, msg.value); // FINDING
    }
    function pay(address to) external payable { require(_send(to, msg.value)); }
}`,
      `pragma solidity ^0.4.24;
library Calls { function attempt(address to) internal returns (bool) { return to.call(); } }
contract Runner {
  function run(address to, bytes data) public {
    to.callcode(data); // FINDING
    Calls.attempt(to); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Batch {
  struct Result { bool ok; bytes data; }
  function run(address[] calldata to, bytes[] calldata data) external returns (Result[] memory results) {
    results = new Result[](to.length);
    for (uint256 i = 0; i < to.length; i++) {
      Result memory result = results[i];
      (result.ok, result.data) = to[i].call(data[i]);
    }
  }
}`,
      `pragma solidity ^0.8.20;
library Send {
    function must(bool ok) internal pure { if (!ok) revert("failed"); }
}
contract Payroll {
    mapping(address => uint256) public owed;
    mapping(address => uint256) public failed;

    function pay(address payable worker) external {
        uint256 amount = owed[worker];
        owed[worker] = 0;
        (bool ok, ) = worker.call{value: amount}("");
        Send.must(ok);
    }

    function payOrKeep(address payable worker, uint256 amount) external {
        (bool sent, ) = worker.call{value: amount}("");
        if (!sent) failed[worker] += amount;
    }

    function payOrSkip(address worker, uint256 amount) external {
        assembly {
            pop(call(gas(), worker, amount, 0, 0, 0, 0))
        }
    }

    function decimalsOf(address token) external returns (uint8) {
        (, bytes memory data) = token.call(abi.encodeWithSignature("decimals()"));
        return data.length == 32 ? abi.decode(data, (uint8)) : 18;
    }
}`,
      `pragma solidity ^0.4.24;
contract Forwarder {
    address target;

    function forward(bytes data) public payable returns (bool) {
        return target.call.value(msg.value)(data);
    }

    function strict(bytes data) public {
        if (!target.delegatecall(data)) throw;
    }

    function named(bytes data) public returns (bool ok) {
        ok = target.call(data);
    }
}`,
      `pragma solidity ^0.8.20;
contract Runner {
  bool skipped;
  function run(address to) external { probe(to); attempt(to); }
  function probe(address to) internal view returns (bool ok) { (ok, ) = to.staticcall(""); }
  function attempt(address to) internal returns (bool) {
    (bool ok, ) = to.call("");
    return ok || skipped;
  }
}`,
    ],
  },
}

const kinds = new Set(["call", "delegatecall", "callcode"])

const messages: Record<LostResult, string> = {
  incomplete: "The parentheses that would make the call are missing, so nothing is called.",
  ignored: "The success flag is discarded.",
  unread: "The success flag is assigned to a variable that is never read.",
  "no effect": "The success flag is tested, but the function continues the same way in both cases.",
  inverted: "The function reverts if the call succeeded and continues if it failed.",
}

/** An internal function that returns the success flag of a low-level call and leaves checking it to its caller. */
const isWrapper = (program: Program, { target }: CallSite): boolean => {
  if (target?.implemented !== true) return false
  if (target.returns[0]?.type.kind !== "bool") return false
  const [success] = program.flow(target).summary.results
  if (success === undefined || !only(success, Source.lowLevel)) return false
  return success.calls.every((e) => e.kind === "FunctionCall" && kinds.has(program.callOf(e)?.kind ?? ""))
}
