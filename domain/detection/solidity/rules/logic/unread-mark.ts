import { unreadMarks } from "../../access/checks/unreadMarks.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"

export const unreadMark: Rule<Program> = {
  meta: {
    id: "evm/logic/unread-mark",
    class: "repeatable-action",
    title: "Completion flag is never checked",
    severity: "high",
    confidence: "medium",
    cwe: [841, 799],
    description:
      "The function records that an account or entry has had its turn (claimed, voted, executed, last paid) without " +
      "checking that record first: nothing reads it, or only other functions do. The same caller can claim, vote or " +
      "execute again, as often as they like. A proof or signature does not help, because it can be used again as " +
      "well.",
    remediation:
      "Check the record before setting it: `require(!claimed[msg.sender]); claimed[msg.sender] = true;`, or, " +
      "for a timestamp, `require(block.timestamp >= last[msg.sender] + interval);`.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },

  check: (program, report) => {
    for (const { flow, variable, mark, repeated, isReadElsewhere } of unreadMarks(program)) {
      report({
        ...placeOf(mark.event),
        scope: flow.fn.scope,
        message: isReadElsewhere
          ? `Other functions check \`${variable.name}\`; this one sets it without checking, so the action can be repeated.`
          : `No function that changes state checks \`${variable.name}\`, so the action can be repeated.`,
        trace: [...callSteps(mark.via), { ...placeOf(repeated.event), note: "repeated on every call" }],
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
      `pragma solidity ^0.8.20;
library Bits {
  struct Map { mapping(uint256 => uint256) words; }
  function get(Map storage map, uint256 i) internal view returns (bool) { return map.words[i >> 8] >> (i & 255) & 1 == 1; }
  function set(Map storage map, uint256 i) internal {
    map.words[i >> 8] |= 1 << (i & 255); // FINDING
  }
}
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Distributor {
  using Bits for Bits.Map;
  enum Status { None, Open, Settled }
  struct Deal { address seller; uint256 price; Status status; }
  Bits.Map paid;
  mapping(uint256 => uint256) used;
  mapping(uint256 => Deal) deals;
  IToken immutable token;
  bytes32 immutable root;
  uint256 count;
  constructor(IToken t, bytes32 r) { token = t; root = r; }
  function isPaid(uint256 i) external view returns (bool) { return paid.get(i); }
  function claim(uint256 i, address to, uint256 amount, bytes32[] calldata proof) external {
    bytes32 node = keccak256(abi.encode(i, to, amount));
    for (uint256 k = 0; k < proof.length; k++) node = keccak256(abi.encode(node, proof[k]));
    require(node == root);
    paid.set(i);
    require(token.transfer(to, amount));
  }
  function redeem(uint256 i, bytes32[] calldata proof) external {
    bytes32 node = keccak256(abi.encode(i, msg.sender));
    for (uint256 k = 0; k < proof.length; k++) node = keccak256(abi.encode(node, proof[k]));
    require(node == root);
    used[i / 256] = used[i / 256] | (1 << (i % 256)); // FINDING
    require(token.transfer(msg.sender, 1 ether));
  }
  function open(uint256 price) external { deals[count++] = Deal(msg.sender, price, Status.Open); }
  function withdraw(uint256 id) external {
    Deal storage deal = deals[id];
    require(deal.seller == msg.sender && deal.status == Status.Open);
    deal.status = Status.None;
  }
  function settle(uint256 id) external {
    Deal storage deal = deals[id];
    deal.status = Status.Settled; // FINDING
    require(token.transfer(deal.seller, deal.price));
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
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Distributor {
  IToken immutable token;
  address immutable owner = msg.sender;
  bytes32 immutable root;
  mapping(uint256 => uint256) used;
  mapping(uint256 => uint256) spent;
  mapping(uint256 => uint256) packed;
  mapping(address => bool) member;
  mapping(address => uint256) last;
  uint256 joined;
  constructor(IToken t, bytes32 r) { token = t; root = r; }
  modifier proven(uint256 i, bytes32[] calldata proof) {
    bytes32 node = keccak256(abi.encode(i, msg.sender));
    for (uint256 k = 0; k < proof.length; k++) node = keccak256(abi.encode(node, proof[k]));
    require(node == root);
    _;
  }
  function claim(uint256 i, bytes32[] calldata proof) external proven(i, proof) {
    uint256 word = used[i >> 8];
    uint256 bit = 1 << (i & 255);
    require(word & bit == 0);
    used[i >> 8] |= bit;
    require(token.transfer(msg.sender, 1 ether));
  }
  // the update itself is looked at
  function redeem(uint256 i, bytes32[] calldata proof) external proven(i, proof) {
    uint256 bit = 1 << (i & 255);
    uint256 flipped = spent[i >> 8] ^= bit;
    require(flipped & bit != 0);
    require(token.transfer(msg.sender, 1 ether));
  }
  // two numbers in one word are no mark
  function note(uint256 i, uint256 low, uint256 high) external {
    packed[i] = low | (high << 128);
    require(token.transfer(owner, 1));
  }
  function noted(uint256 i) external { require(packed[i] == 0); joined++; }
  // whom a list names is asked elsewhere, and may leave it
  function join() external { member[msg.sender] = true; require(token.transfer(owner, 1)); }
  function leave() external { require(member[msg.sender]); member[msg.sender] = false; }
  // a clock that others read
  function touch() external { last[msg.sender] = block.timestamp; require(token.transfer(owner, 1)); }
  function late() external { require(block.timestamp > last[msg.sender] + 1 days); joined++; }
}`,
    ],
  },
}
