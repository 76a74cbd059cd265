import { unreadMarks } from "../../access/unreadMarks.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"

export const unreadMark: Rule<Program> = {
  meta: {
    id: "evm/logic/unread-mark",
    class: "repeatable-action",
    title: "A mark that something was done is never checked",
    severity: "high",
    confidence: "medium",
    cwe: [841, 799],
    description:
      "The function records that an account or an entry has had its turn (claimed, voted, executed, last paid), and no " +
      "function that changes state ever reads the record. The same caller can claim, vote or execute again, as often as they like.",
    remediation:
      "Check the mark before it is set: `require(!claimed[msg.sender]); claimed[msg.sender] = true;`, or for a time " +
      "`require(block.timestamp >= last[msg.sender] + interval);`.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },

  check: (program, report) => {
    for (const { flow, variable, mark, repeated } of unreadMarks(program)) {
      report({
        ...placeOf(mark.event),
        scope: flow.fn.scope,
        message: `No function that changes state reads \`${variable.name}\`, so this can be done again.`,
        trace: [...callSteps(mark.via), { ...placeOf(repeated.event), note: "happens each time" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Airdrop {
  mapping(address => bool) public claimed;
  mapping(address => uint256) last;
  mapping(address => uint256) due;
  constructor(address[] memory to) payable { for (uint256 i = 0; i < to.length; i++) due[to[i]] = 1 ether; }
  function claim() external {
    claimed[msg.sender] = true; // FINDING
    (bool ok, ) = msg.sender.call{value: due[msg.sender]}("");
    require(ok);
  }
  function drip() external {
    last[msg.sender] = block.timestamp; // FINDING
    payable(msg.sender).transfer(0.1 ether);
  }
}`,
      `pragma solidity ^0.8.20;
contract Council {
  struct Proposal { address target; bytes data; uint256 yes; bool executed; }
  mapping(uint256 => Proposal) proposals;
  mapping(uint256 => mapping(address => bool)) voted;
  mapping(address => uint256) public weight;
  uint256 count;
  constructor(address[] memory members) { for (uint256 i = 0; i < members.length; i++) weight[members[i]] = 1; }
  function propose(address target, bytes calldata data) external {
    require(weight[msg.sender] > 0);
    proposals[count].target = target;
    proposals[count++].data = data;
  }
  function hasVoted(uint256 id, address who) external view returns (bool) { return voted[id][who]; }
  function vote(uint256 id) external {
    require(weight[msg.sender] > 0);
    voted[id][msg.sender] = true; // FINDING
    proposals[id].yes += weight[msg.sender];
  }
  function execute(uint256 id) external {
    Proposal storage p = proposals[id];
    require(p.yes >= 10);
    p.executed = true; // FINDING
    (bool ok, ) = p.target.call(p.data);
    require(ok);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Airdrop {
  mapping(address => bool) public claimed;
  mapping(address => uint256) last;
  uint256 constant DAY = 1 days;
  modifier daily() { require(block.timestamp >= last[msg.sender] + DAY); _; }
  constructor() payable {}
  function claim() external {
    require(!claimed[msg.sender]);
    claimed[msg.sender] = true;
    payable(msg.sender).transfer(1 ether);
  }
  function drip() external daily {
    last[msg.sender] = block.timestamp;
    payable(msg.sender).transfer(0.1 ether);
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function burnFrom(address from, uint256 amount) external;
}
interface IRegistry { function settled(uint256 id) external view returns (bool); }
contract Desk is IRegistry {
  IToken immutable token;
  address immutable owner = msg.sender;
  mapping(address => uint256) public due;
  mapping(address => bool) public paid;
  mapping(address => bool) public redeemed;
  mapping(address => bool) public listed;
  mapping(address => bool) public joined;
  mapping(address => bool) public granted;
  mapping(address => bool) public bought;
  mapping(address => bool) public returned;
  mapping(address => uint256) public seen;
  mapping(uint256 => bool) public settled;
  mapping(bytes32 => bool) done;
  uint256 sold;
  uint256 visits;
  constructor(IToken t) payable { token = t; }
  // what is paid is used up
  function withdraw() external {
    uint256 amount = due[msg.sender];
    due[msg.sender] = 0;
    paid[msg.sender] = true;
    require(token.transfer(msg.sender, amount));
  }
  function redeem(uint256 amount) external {
    redeemed[msg.sender] = true;
    token.burnFrom(msg.sender, amount);
    payable(msg.sender).transfer(amount);
  }
  // nothing is repeated
  function list() external { listed[msg.sender] = true; }
  function leave() external { returned[msg.sender] = false; payable(owner).transfer(1); }
  // each time is paid for
  function buy() external payable { bought[msg.sender] = true; sold += msg.value; }
  function grant(address to) external {
    require(msg.sender == owner);
    granted[to] = true;
    require(token.transfer(to, 1));
  }
  // a record of when, of what may be done at any time
  function visit() external { seen[msg.sender] = block.timestamp; visits++; }
  // another contract asks
  function settle(uint256 id) external { settled[id] = true; visits++; }
  function isDone(bytes32 key) public view returns (bool) { return done[key]; }
  function run(bytes32 key) external {
    require(!isDone(key));
    done[key] = true;
    visits++;
  }
}
contract Reader {
  IRegistry registry;
  uint256 total;
  function count(uint256 id) external { require(!registry.settled(id)); total++; }
}`,
    ],
  },
}
