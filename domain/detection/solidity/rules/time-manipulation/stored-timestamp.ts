import type { Rule } from "../../../Rule.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

export const storedTimestamp: Rule<Program> = {
  meta: {
    id: "evm/time-manipulation/stored-timestamp",
    class: "timestamp",
    title: "Block timestamp stored in state",
    severity: "informational",
    confidence: "low",
    cwe: [829],
    swc: 116,
    description:
      "A state variable stores the time of the current block. The block proposer can choose that time within a " +
      "few seconds, so anything computed from the variable later (who came last, how much interest has accrued, " +
      "when a round ends) starts from a value that the proposer can influence.",
    remediation:
      "No change is needed if a few seconds do not matter. Do not use the value as a seed or as a unique key, " +
      "and do not let a round of a few seconds depend on it; use the block number for ordering.",
    references: ["https://swcregistry.io/docs/SWC-116"],
  },

  check: (program, report) => {
    const told = new Set<StateVariable>()
    const once = (variable: StateVariable): boolean => !told.has(variable) && told.add(variable).has(variable)
    for (const contract of program.contracts) {
      for (const variable of contract.stateVariables) {
        const value = variable.node?.value
        if (value === undefined || variable.immutable || !isNow(program, value) || !once(variable)) continue
        report({ file: contract.source.file, span: variable.node!, scope: `${contract.name}.${variable.name}` })
      }
    }
    for (const flow of program.allFlows()) {
      for (const { event, via, place } of flow.writes) {
        if (via.length > 0 || event.value === undefined || !isNow(program, event.value as S.Node)) continue
        const variable = place?.variables[0]
        // a time in an entry of a list or log is a record, not a setting
        if (variable === undefined || variable.whole !== undefined || place?.path !== "" || !once(variable)) continue
        report({ file: event.at.callable.source.file, span: event.expression, scope: event.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Round {
    uint256 public opened = block.timestamp; // FINDING
    uint256 public last;

    function invest() external payable {
        last = block.timestamp; // FINDING
    }

    function again() external payable {
        last = block.timestamp;
    }
}`,
      `pragma solidity ^0.4.11;
contract Credit {
    uint64 lastLoan;
    uint public total;

    function lend() payable {
        total += msg.value;
        lastLoan = uint64(now); // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 public start = block.timestamp; // FINDING
  function reset() external { start = block.timestamp; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Vesting {
    uint256 public immutable start = block.timestamp;
    uint256 public end;

    constructor() {
        end = block.timestamp + 365 days;
    }

    function left() external view returns (uint256) {
        uint256 time = block.timestamp;
        return time > end ? 0 : end - time;
    }
}`,
      `pragma solidity ^0.8.0;
contract Log {
    struct Entry { address by; uint256 at; }
    event Seen(uint256 time);
    uint256 public count;
    Entry last;

    function note() external {
        count = count + 1;
        last.at = block.timestamp;
        emit Seen(block.timestamp);
    }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  struct Config { uint256 since; uint256 fee; }
  uint256 public price = 5;
  uint64 public cap;
  Config config;
  function set(uint256 c) external { cap = uint64(c); config.since = block.timestamp; config.fee = c; }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 public price;
  mapping(address => uint256) public since;
  function reset() external { delete price; since[msg.sender] = block.timestamp; }
}`,
    ],
  },
}

/** `block.timestamp` itself, possibly converted. */
const isNow = (program: Program, e: S.Node): boolean => {
  if (e.kind === "FunctionCall") {
    const call = program.callOf(e)
    return call?.kind === "conversion" && call.args[0] !== undefined && isNow(program, call.args[0])
  }
  return (e.kind === "Identifier" || e.kind === "MemberAccess") && program.isBuiltin(e, "block.timestamp")
}
