import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { idleTimes } from "../../questions/value/idleTimes.ts"

export const unreadTime: Rule<Program> = {
  meta: {
    id: "evm/logic/unread-time",
    class: "ignored-setting",
    title: "Waiting time is stored but never checked",
    severity: "medium",
    confidence: "medium",
    cwe: [1164, 841],
    description:
      "The function stores a time to come, such as the end of a lock or the earliest execution of a proposal, but no " +
      "function that changes state looks at it. What should wait can be done at once: locked funds are withdrawn, a " +
      "change takes effect before anyone can object, or an offer never expires.",
    remediation: "Compare the stored time with `block.timestamp` in the function that has to wait for it.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },

  check: (program, report) => {
    for (const { flow, event, variable, member, ends } of idleTimes(program)) {
      const [end] = ends
      report({
        ...placeOf(end?.event ?? event),
        scope: end?.at.callable.scope ?? flow.fn.scope,
        // others may read it from outside
        ...(variable.visibility === "public" ? { severity: "low" as const } : {}),
        message: `\`${variable.name}${member}\` is set to a later time, and no function that changes state reads it.`,
        trace: [{ ...placeOf(event), note: "the time is stored here" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Lock {
  mapping(address => uint256) held;
  mapping(address => uint256) until;
  function lock() external payable {
    held[msg.sender] += msg.value;
    until[msg.sender] = block.timestamp + 7 days; // FINDING
  }
  function unlock() external { uint256 n = held[msg.sender]; held[msg.sender] = 0; payable(msg.sender).transfer(n); }
  function left(address who) external view returns (uint256) { return until[who] - block.timestamp; }
}`,
      `pragma solidity ^0.8.20;
contract Exits {
  struct Ask { uint256 amount; uint64 eta; }
  mapping(address => Ask) asks;
  mapping(address => uint256) held;
  uint64 constant WAIT = 3 days;
  uint256 end;
  address owner = msg.sender;
  function put() external payable { held[msg.sender] += msg.value; }
  function ask(uint256 amount) external {
    held[msg.sender] -= amount;
    asks[msg.sender] = Ask({ eta: uint64(block.timestamp) + WAIT, amount: amount });
  }
  function finish() external {
    uint256 amount = asks[msg.sender].amount;
    delete asks[msg.sender]; // FINDING
    payable(msg.sender).transfer(amount);
  }
  function open(uint256 length) external {
    require(msg.sender == owner);
    end = block.number + length;
  }
  function close() external {
    require(msg.sender == owner);
    end = 0; // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Lock {
  struct Ask { uint256 amount; uint64 eta; }
  mapping(address => Ask) asks;
  mapping(address => Ask) others;
  mapping(address => uint256) held;
  mapping(address => uint256) since;
  uint256 until;
  uint256 next;
  function lock(uint256 amount) external { asks[msg.sender] = Ask(amount, uint64(block.timestamp + 1 days)); since[msg.sender] = block.timestamp; until = block.timestamp + 1; }
  function unlock() external {
    Ask storage mine = asks[msg.sender];
    require(mine.eta <= block.timestamp && left() == 0);
    held[msg.sender] += mine.amount;
    delete asks[msg.sender];
  }
  function left() public view returns (uint256) { return until > block.timestamp ? until - block.timestamp : 0; }
  function offer(uint256 amount) external { others[msg.sender] = Ask(amount, uint64(block.timestamp + 1 days)); }
  function take(address from) external { Ask memory theirs = others[from]; require(theirs.eta > block.timestamp); held[msg.sender] += theirs.amount; }
  function step() external { require(next < block.number); next = block.number + 5; }
}`,
      `pragma solidity ^0.8.20;
interface ITimes { function end() external view returns (uint256); }
contract Shell {
  address immutable code;
  uint256 until;
  constructor(address c) { code = c; until = block.timestamp + 30 days; }
  fallback() external payable { (bool ok, ) = code.delegatecall(msg.data); require(ok); }
}
library Due { function put(uint256[1] storage self, uint256 to) internal { self[0] = to; } }
contract Times is ITimes {
  uint256 last;
  uint256 seen;
  uint256 sum;
  function set(uint256 by) external { last = block.timestamp + by; seen = block.timestamp; sum = by + 1; }
  function end() external view override returns (uint256) { return last; }
}`,
    ],
  },
}
