import type { Rule } from "../../../Rule.ts"
import { silentExits } from "../../copies/silentExits.ts"
import type { Program } from "../../program.ts"

export const silentExit: Rule<Program> = {
  meta: {
    id: "evm/error-handling/silent-exit",
    class: "unused-return",
    title: "Silent return where other functions revert",
    severity: "low",
    confidence: "medium",
    cwe: [755, 703],
    description:
      "If a condition does not hold, the function returns without doing anything and without an error. All " +
      "other functions that check the same condition revert. A caller, possibly a contract that goes on to pay " +
      "or record something, cannot tell that nothing happened.",
    remediation:
      "Revert, as the other functions do, or return whether anything was done. If doing nothing is intended, " +
      "say so in the name (`tryClaim`) or in a comment, and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/755.html"],
  },

  check: (program, report) => {
    for (const { fn, item, others } of silentExits(program)) {
      const [one] = others
      report({
        file: fn.source.file,
        span: item.node,
        scope: fn.scope,
        message: `${others.length} other functions revert on this condition; \`${fn.name}\` returns as if it had succeeded.`,
        ...(one === undefined
          ? {}
          : { trace: [{ file: one.fn.source.file, span: one.item.node, note: `\`${one.fn.scope}\` reverts` }] }),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Club {
  mapping(address => bool) public member;
  mapping(address => uint256) dues;
  address immutable chair = msg.sender;
  error NotMember();
  function admit(address who) external { require(msg.sender == chair); member[who] = true; }
  function pay() external payable { if (!member[msg.sender]) revert NotMember(); dues[msg.sender] += msg.value; }
  function vote(uint256 id) external { require(member[msg.sender], "no"); dues[msg.sender] -= id; }
  function give(address to, uint256 n) external {
    if (!member[msg.sender]) return; // FINDING
    dues[msg.sender] -= n;
    dues[to] += n;
  }
}`,
      `pragma solidity ^0.8.20;
contract Shop {
  struct Order { address buyer; uint256 price; uint256 until; }
  mapping(uint256 => Order) orders;
  uint256 sold;
  function isOpen(uint256 id) public view returns (bool) { return orders[id].until > block.timestamp; }
  function place(uint256 id, uint256 price) external { orders[id] = Order(msg.sender, price, block.timestamp + 1 days); }
  function fill(uint256 id) external payable {
    if (!isOpen(id)) { // FINDING
      return;
    }
    sold += msg.value;
  }
  function raise(uint256 order, uint256 by) external { require(isOpen(order)); orders[order].price += by; }
  function drop(uint256 no) external { if (!isOpen(no)) revert(); delete orders[no]; }
}
contract Bids {
  struct Bid { address by; uint256 n; }
  function take(Bid memory bid) external pure { require(bid.n > 0); }
  function look(Bid memory b) external pure { require(b.n > 0); }
  function note(Bid memory b) external {
    if (b.n <= 0) return; // FINDING
    count++;
  }
  uint256 count;
}`,
    ],
    safe: [
      // To do nothing is an outcome, others return as well, few revert, or it is about a number at hand.
      `pragma solidity ^0.8.20;
contract Club {
  uint256 constant LEAST = 3;
  mapping(address => bool) public member;
  mapping(address => bool) public guest;
  mapping(address => bool) public host;
  mapping(address => uint256) dues;
  address immutable chair = msg.sender;
  function admit(address who) external { require(msg.sender == chair); member[who] = guest[who] = host[who] = true; }
  function pay(uint256 n) external payable { require(member[msg.sender]); require(guest[msg.sender]); require(n > LEAST); dues[msg.sender] += msg.value; }
  function vote(uint256 n) external { require(member[msg.sender]); require(guest[msg.sender]); require(host[msg.sender]); require(n > LEAST); dues[msg.sender] -= n; }
  function tryGive(address to, uint256 n) external { if (!member[msg.sender]) return; dues[msg.sender] -= n; dues[to] += n; }
  function give(address to, uint256 n) external { if (!guest[msg.sender]) return; dues[msg.sender] -= n; dues[to] += n; }
  function lend(address to, uint256 n) external { if (!guest[msg.sender]) return; dues[msg.sender] -= n; dues[to] += 2 * n; }
  function owe(address to, uint256 n) external { if (!host[msg.sender]) return; if (n <= LEAST) return; dues[to] += n; }
}`,
      `pragma solidity ^0.8.20;
contract Club {
  mapping(address => bool) public member;
  mapping(address => uint256) dues;
  address immutable chair = msg.sender;
  function admit(address who) external { require(msg.sender == chair); member[who] = true; }
  function pay() external payable { require(member[msg.sender]); dues[msg.sender] += msg.value; }
  function vote(uint256 n) external { require(member[msg.sender]); dues[msg.sender] -= n; }
  // says that it did nothing
  function give(address to, uint256 n) external returns (bool) {
    if (!member[msg.sender]) return false;
    dues[msg.sender] -= n;
    dues[to] += n;
    return true;
  }
}`,
    ],
  },
}
