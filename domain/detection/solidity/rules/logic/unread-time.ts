import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { unenforcedTimes } from "../../access/checks/unenforcedTimes.ts"
import { idleTimes } from "../../questions/value/idleTimes.ts"

export const unreadTime: Rule<Program> = {
  meta: {
    id: "evm/logic/unread-time",
    class: "ignored-setting",
    title: "Timelock or deadline is stored but never enforced",
    severity: "medium",
    confidence: "medium",
    cwe: [1164, 841],
    description:
      "The function stores a future time, such as the end of a lock or the earliest execution of a proposal, " +
      "but no function that changes state checks it. What should wait can be done immediately: locked funds are " +
      "withdrawn, a change takes effect before anyone can object, or an offer never expires.",
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
    for (const { entry, deed, announced, name } of unenforcedTimes(program)) {
      report({
        ...placeOf(deed.reached.via[0] ?? deed.reached.event),
        scope: entry.fn.scope,
        message: `This happens without checking whether \`${name}\` has passed.`,
        trace: [...callSteps(deed.reached.via), { ...placeOf(announced.event), note: "the time is announced here" }],
      })
    }
  },

  examples: {
    vulnerable: [
      // What is carried out was announced together with its time, which is only read as the end, or to see whether it is set.
      `pragma solidity ^0.8.20;
contract Timelock {
  address immutable admin = msg.sender;
  mapping(bytes32 => bool) queued;
  mapping(bytes32 => uint256) updates;
  uint256 immutable wait;
  constructor(uint256 w) { wait = w; }
  function queue(address to, bytes calldata data, uint256 eta) external {
    require(msg.sender == admin && eta >= block.timestamp + wait);
    queued[keccak256(abi.encode(to, data, eta))] = true;
  }
  function execute(address to, bytes calldata data, uint256 eta) external {
    bytes32 hash = keccak256(abi.encode(to, data, eta));
    require(msg.sender == admin && queued[hash] && block.timestamp <= eta + 14 days);
    queued[hash] = false;
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
  function stage(bytes32 hash) external { require(msg.sender == admin && updates[hash] == 0); updates[hash] = block.number + wait; }
  function run(address to, bytes calldata data) external {
    bytes32 hash = keccak256(abi.encode(to, data));
    uint256 at = updates[hash];
    require(at != 0);
    delete updates[hash];
    (bool ok, ) = to.call(data); // FINDING
    require(ok);
  }
}
contract Hub {
  struct Proposal { bytes32 root; uint64 end; }
  Proposal proposal;
  uint64 immutable live;
  mapping(bytes32 => bool) public done;
  constructor(uint64 l) { live = l; }
  function propose(bytes32 root) external { require(proposal.root == 0); proposal.root = root; proposal.end = uint64(block.timestamp) + live; }
  function dispute() external { require(block.timestamp <= proposal.end); delete proposal; }
  function execute() external {
    require(proposal.root != 0);
    done[proposal.root] = true; // FINDING
    delete proposal;
  }
}`,
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
      // The time is asked, another condition decides, or the announcement is withdrawn.
      `pragma solidity ^0.8.20;
contract Timelock {
  address immutable admin = msg.sender;
  mapping(bytes32 => bool) queued;
  mapping(bytes32 => uint256) counts;
  uint256 immutable wait;
  event Canceled(bytes32 hash);
  constructor(uint256 w) { wait = w; }
  function queue(address to, bytes calldata data, uint256 eta) external {
    require(msg.sender == admin && eta >= block.timestamp + wait);
    queued[keccak256(abi.encode(to, data, eta))] = true;
  }
  function cancel(address to, bytes calldata data, uint256 eta) external {
    bytes32 hash = keccak256(abi.encode(to, data, eta));
    require(msg.sender == admin && queued[hash]);
    queued[hash] = false;
    emit Canceled(hash);
  }
  function execute(address to, bytes calldata data, uint256 eta) external {
    bytes32 hash = keccak256(abi.encode(to, data, eta));
    require(msg.sender == admin && queued[hash] && block.timestamp <= eta + 14 days && block.timestamp >= eta);
    queued[hash] = false;
    (bool ok, ) = to.call(data);
    require(ok);
  }
}
contract Polls {
  struct Poll { uint256 yes; uint64 end; bool over; }
  mapping(uint256 => Poll) polls;
  mapping(uint256 => bool) public passed;
  uint256 immutable quorum;
  uint256 public count;
  constructor(uint256 q) { quorum = q; }
  function open(uint256 id) external { require(polls[id].end == 0); polls[id].end = uint64(block.timestamp) + 7 days; }
  function vote(uint256 id) external { require(block.timestamp <= polls[id].end); polls[id].yes += 1; }
  function pass(uint256 id) external { require(polls[id].end != 0 && polls[id].yes > quorum); delete polls[id]; passed[id] = true; }
}
contract Auctions {
  struct Auction { address best; uint64 end; }
  mapping(uint256 => Auction) auctions;
  mapping(uint256 => address) public winner;
  mapping(uint256 => bool) public void;
  function open(uint256 id) external { require(auctions[id].end == 0); auctions[id].end = uint64(block.timestamp) + 1 days; }
  function bid(uint256 id) external { require(block.timestamp <= auctions[id].end); auctions[id].best = msg.sender; }
  function settle(uint256 id) external { require(block.timestamp > auctions[id].end && auctions[id].best != address(0)); winner[id] = auctions[id].best; delete auctions[id]; }
  function cancel(uint256 id) external { require(auctions[id].best != address(0)); void[id] = true; delete auctions[id]; }
}`,
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
