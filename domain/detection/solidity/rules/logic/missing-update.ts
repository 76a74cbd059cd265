import type { Rule } from "../../../Rule.ts"
import { deviants } from "../../company/deviants.ts"
import { companySteps } from "../../company/words.ts"
import type { Program } from "../../program.ts"

export const missingUpdate: Rule<Program> = {
  meta: {
    id: "evm/logic/missing-update",
    class: "missing-update",
    title: "State left unchanged where sibling functions change it",
    // only the siblings show that the two belong together
    severity: "low",
    confidence: "medium",
    cwe: [840, 682],
    description:
      "The other functions that raise or lower an amount change another part of the state along with it: the total, " +
      "the time of the last accrual, the debt of the account. This one changes only the one, so from then on the two " +
      "disagree, and whatever is computed from the other pays out too much, too little, or fails.",
    remediation:
      "Change both here as well, ideally in one internal function that every change goes through. If they are meant " +
      "to differ, say so in a comment and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/840.html"],
  },

  check: (program, report) => {
    for (const { flow, lacks, subject, company, kind } of deviants(program)) {
      if (kind !== "update") continue
      report({
        file: flow.fn.source.file,
        span: flow.fn.node.nameSpan,
        scope: flow.fn.scope,
        message: `All ${company.length} other functions that ${subject} also change ${lacks}; this one does not.`,
        trace: companySteps(company, "both are changed here"),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Pool {
  mapping(address => uint256) public held;
  uint256 public total;
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function join(uint256 n) external { require(token.transferFrom(msg.sender, address(this), n)); held[msg.sender] += n; total += n; }
  function joinFor(address who, uint256 n) external { require(token.transferFrom(msg.sender, address(this), n)); held[who] += n; total += n; }
  function leave(uint256 n) external { held[msg.sender] -= n; total -= n; require(token.transfer(msg.sender, n)); }
  function leaveTo(address to, uint256 n) external { // FINDING
    held[msg.sender] -= n;
    require(token.transfer(to, n));
  }
}`,
      `pragma solidity ^0.8.20;
contract Debts {
  struct Book { uint256 index; uint256 last; uint256 debt; }
  struct Account { uint256 debt; uint256 index; }
  Book book;
  mapping(address => Account) accounts;
  mapping(address => uint256) limit;
  address owner = msg.sender;
  function _touch() internal { book.index += (block.timestamp - book.last) * 5; book.last = block.timestamp; }
  function allow(address who, uint256 n) external { require(msg.sender == owner); limit[who] = n; }
  function draw(uint256 n) external { _touch(); Account storage a = accounts[msg.sender]; require(a.debt + n <= limit[msg.sender]); a.debt += n; book.debt += n; }
  function repay(uint256 n) external { _touch(); accounts[msg.sender].debt -= n; book.debt -= n; }
  function repayFor(address who, uint256 n) external { _touch(); accounts[who].debt -= n; book.debt -= n; }
  function settle(uint256 n) external { // FINDING
    accounts[msg.sender].debt -= n;
    book.debt -= n;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Pool {
  mapping(address => uint256) public held;
  mapping(address => uint256) public since;
  mapping(address => uint256) public score;
  uint256 public total;
  uint256 public best;
  function join() external payable { held[msg.sender] += msg.value; total += msg.value; since[msg.sender] = block.timestamp; }
  function joinFor(address who) external payable { held[who] += msg.value; total += msg.value; }
  function leave(uint256 n) external { held[msg.sender] -= n; total -= n; payable(msg.sender).transfer(n); }
  function move(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
  function up(uint256 n) external { score[msg.sender] += n; if (n > best) best = n; }
  function upTwice(uint256 n) external { score[msg.sender] += 2 * n; if (n > best) best = n; }
  function down(uint256 n) external { score[msg.sender] -= n; }
}`,
      `pragma solidity ^0.8.20;
contract Two {
  mapping(address => uint256) a;
  mapping(address => uint256) b;
  mapping(address => uint256) c;
  uint256 d;
  function first(uint256 n) external { a[msg.sender] += n; b[msg.sender] += n; c[msg.sender] += n; }
  function second(uint256 n) external { a[msg.sender] += n; b[msg.sender] += n; c[msg.sender] += n; }
  function third(uint256 n) external { a[msg.sender] += n; }
  function fourth(uint256 n) external { d += n; b[msg.sender] = n; }
  function fifth(uint256 n) external { d += n; b[msg.sender] -= n; }
  function sixth(uint256 n) external { d -= n; }
}`,
    ],
  },
}
