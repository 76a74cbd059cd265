import { relationsIn } from "../../flow/facts/facts.ts"
import type { Rule } from "../../../Rule.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"

export const enumConversion: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/enum-conversion",
    class: "enum-conversion",
    title: "Enum conversion without a range check",
    severity: "medium",
    confidence: "medium",
    cwe: [704],
    description:
      "Compilers before 0.4.5, which the pragma permits, convert any number to an enum without a range check. " +
      "If the caller passes a number that is too large, comparisons with all members fail, and the contract " +
      "enters a state that no branch handles.",
    remediation:
      "Raise the pragma to 0.4.5 or later, ideally to 0.8, where the conversion reverts; or check the range " +
      "first: `require(value <= uint(State.Last))`.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#dangerous-enum-conversion"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (flow.fn.source.version.min >= checkedFrom || !program.graph.isReachable(flow.fn)) continue
      for (const site of flow.calls()) {
        const [arg] = site.args
        if (site.call?.type?.kind !== "enum" || arg === undefined) continue
        const value = flow.origins(arg, site.at)
        if (!has(value, Source.parameter | Source.calldata)) continue
        const isChecked = relationsIn(flow.facts(site.at)).some(
          ({ left, right }) =>
            right !== undefined &&
            [left, right].some((side) => side.parameters.some((p) => value.parameters.includes(p))),
        )
        if (isChecked) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.2;
contract Order {
    enum State { Open, Paid, Sent }
    State state;

    function set(uint8 value) public {
        state = State(value); // FINDING
    }
}`,
      `pragma solidity 0.4.4;
contract Game {
    enum Move { Rock, Paper }
    mapping(address => Move) moves;

    function play(uint choice) public {
        uint picked = choice;
        moves[msg.sender] = Move(picked); // FINDING
    }
}`,
      `pragma solidity 0.4.4;
contract Order {
  enum State { Open, Paid }
  State state;
  function set(uint256 x, uint256 y) public {
    require(y > 2);
    state = State(x); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Order {
    enum State { Open, Paid, Sent }
    State state;

    function set(uint8 value) public {
        state = State(value);
    }
}`,
      `pragma solidity ^0.4.2;
contract Game {
    enum Move { Rock, Paper }
    mapping(address => Move) moves;

    function play(uint choice) public {
        require(choice <= uint(Move.Paper));
        moves[msg.sender] = Move(choice);
        moves[0] = Move(1);
    }
}`,
      `pragma solidity 0.4.5;
contract Order {
  enum State { Open, Paid }
  State state;
  function set(uint256 x) public { state = State(x); }
}`,
      `pragma solidity 0.4.4;
contract Order {
  enum State { Open, Paid }
  State state;
  uint8 small;
  function set(uint256 x) public { small = uint8(x); }
  function unused(uint256 x) private { state = State(x); }
}`,
    ],
  },
}

/** Compilers from 0.4.5 on check the range. */
const checkedFrom = 4005
