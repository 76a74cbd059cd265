import type { Rule } from "../../../Rule.ts"
import { deviants } from "../../company/deviants.ts"
import { companySteps } from "../../company/words.ts"
import type { Program } from "../../program.ts"

export const missingCondition: Rule<Program> = {
  meta: {
    id: "evm/logic/missing-condition",
    class: "missing-condition",
    title: "Condition missing where sibling functions have one",
    // only the siblings show that the condition is meant
    severity: "low",
    confidence: "medium",
    cwe: [754, 840],
    description:
      "The other functions that change the same state, or that take the same argument, require a condition first: " +
      "that nothing is paused, that an order is still open, that a time has come, that an account is not zero. This " +
      "one does the same without the condition, so what it rules out can be done here.",
    remediation:
      "Require the same condition here, ideally in a modifier or helper that all of them share. If the function is " +
      "meant to work in every state, say so in a comment and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/754.html"],
  },

  check: (program, report) => {
    for (const { flow, lacks, subject, company, kind } of deviants(program)) {
      if (kind !== "condition") continue
      report({
        file: flow.fn.source.file,
        span: flow.fn.node.nameSpan,
        scope: flow.fn.scope,
        message: `All ${company.length} other functions that ${subject} require a condition on ${lacks}; this one does not.`,
        trace: companySteps(company, "the condition is required here"),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Stakes {
  bool stopped;
  address owner = msg.sender;
  mapping(address => uint256) stake;
  error Stopped();
  function stop(bool to) external { require(msg.sender == owner); stopped = to; }
  function put() external payable { if (stopped) revert Stopped(); stake[msg.sender] += msg.value; }
  function putFor(address who) external payable { if (stopped) revert Stopped(); stake[who] += msg.value; }
  function move(address to, uint256 n) external { if (stopped) revert Stopped(); stake[msg.sender] -= n; stake[to] += n; }
  function take(uint256 n) external { // FINDING
    stake[msg.sender] -= n;
    payable(msg.sender).transfer(n);
  }
}
contract Coin {
  mapping(address => uint256) held;
  address owner = msg.sender;
  function move(address to, uint256 n) external { require(to != address(0), "to"); held[msg.sender] -= n; held[to] += n; }
  function pass(address to) external { require(to != address(0), "to"); uint256 n = held[msg.sender]; held[msg.sender] -= n; held[to] += n; }
  function half(address to) external { require(to != address(0), "to"); uint256 n = held[msg.sender] / 2; held[msg.sender] -= n; held[to] += n; }
  function leave(address to) external { // FINDING
    uint256 n = held[msg.sender];
    held[msg.sender] = 0;
    held[to] += n;
  }
}`,
      `pragma solidity ^0.8.20;
interface IStatus { function live() external view returns (bool); }
contract Orders {
  enum State { None, Open, Done }
  struct Order { address maker; uint256 amount; State state; uint64 end; }
  mapping(uint256 => Order) orders;
  mapping(uint256 => uint256) filled;
  mapping(uint256 => uint256) votes;
  IStatus status;
  function open(uint256 id, uint256 n) external { require(orders[id].state == State.None); orders[id] = Order(msg.sender, n, State.Open, uint64(block.timestamp + 1 days)); }
  function fill(uint256 id, uint256 n) external { require(orders[id].state == State.Open && block.timestamp < orders[id].end); filled[id] += n; }
  function fillHalf(uint256 id) external { Order storage o = orders[id]; require(o.state == State.Open); require(block.timestamp < o.end); filled[id] += o.amount / 2; }
  function fillRest(uint256 id) external { // FINDING
    Order storage o = orders[id];
    require(o.state == State.Open);
    filled[id] += o.amount - filled[id];
  }
  function vote(uint256 id) external { require(status.live()); votes[id] += 1; }
  function voteTwice(uint256 id) external { require(status.live()); votes[id] += 2; }
  function voteThrice(uint256 id) external { // FINDING
    votes[id] += 3;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Stakes {
  bool stopped;
  address owner = msg.sender;
  uint256 private entered = 1;
  mapping(address => uint256) stake;
  mapping(address => uint256) prize;
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  function stop(bool to) external { require(msg.sender == owner); stopped = to; }
  function put() external payable lock { require(!stopped); stake[msg.sender] += msg.value; }
  function putFor(address who) external payable lock { require(!stopped); stake[who] += msg.value; }
  function move(address to, uint256 n) external { _live(); stake[msg.sender] -= n; stake[to] += n; }
  function leave() external { require(stopped); uint256 n = stake[msg.sender]; stake[msg.sender] = 0; payable(msg.sender).transfer(n); }
  function _live() internal view { if (stopped) revert(); }
  function win(address who, uint256 n) external { require(n > 0 && n < 5); prize[who] += n; }
  function winMore(address who, uint256 n) external { require(n > 0 && n < 5); prize[who] += n; }
  function winAll(address who) external { prize[who] += 5; }
}`,
      `pragma solidity ^0.8.20;
interface IBook { function find(bytes32 name) external view returns (address); }
contract Held {
  IBook book;
  address owner = msg.sender;
  mapping(address => bool) member;
  mapping(address => uint256) held;
  mapping(address => uint256) note;
  mapping(uint256 => uint256) size;
  function admit(address who) external { require(msg.sender == owner); member[who] = true; }
  function set(uint256 id, uint256 to) external { require(msg.sender == owner); size[id] = to; }
  function _find(bytes32 name) internal view returns (address found) { found = book.find(name); require(found != address(0), "none"); }
  function put(address who, uint256 n) external { require(_find("a") == msg.sender || member[who]); held[who] += n; }
  function putTwice(address who, uint256 n) external { require(_find("a") == msg.sender || member[who]); held[who] += 2 * n; }
  function take(uint256 n) external { held[msg.sender] -= n; }
  function sign(uint256 n) external { require(member[msg.sender]); note[msg.sender] += n; }
  function signTwice(uint256 n) external { require(member[msg.sender]); note[msg.sender] += 2 * n; }
  function signFor(address who, uint256 id, uint256 n) external { require(size[id] > n); note[who] += n; }
}`,
    ],
  },
}
