import type { Rule } from "../../../Rule.ts"
import { type Imbalance, imbalances } from "../../amounts/imbalances.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const unbalancedAmount: Rule<Program> = {
  meta: {
    id: "evm/logic/unbalanced-amount",
    class: "missing-update",
    title: "Stored amounts do not add up",
    severity: "medium",
    confidence: "medium",
    cwe: [682, 840],
    description:
      "Two stored amounts change together, such as an account's balance and the total, but one of them only " +
      "ever increases or only ever decreases; or a value that should be added to an amount, or subtracted from " +
      "it, overwrites it or is added instead. From then on, the books are wrong: the remainder cannot be " +
      "withdrawn, a cap is reached for good, or more is paid out than came in.",
    remediation:
      "Change both amounts in every function that changes one of them, ideally in one internal function per " +
      "direction, and test that the sum of all entries equals the total after each call.",
    references: ["https://cwe.mitre.org/data/definitions/682.html"],
  },

  check: (program, report) => {
    for (const found of imbalances(program)) {
      const { change, evidence } = found
      report({
        ...placeOf(change.event),
        scope: change.flow.fn.scope,
        // that it never goes down may be meant: some totals count everything that ever came in
        ...(found.kind === "oneWay" && !found.isNeverRaised ? { severity: "low" as const } : {}),
        message: told(found),
        trace: evidence === undefined ? [] : [{ ...placeOf(evidence.event), note: "both change here" }],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Loans {
  mapping(address => uint256) debt;
  uint256 outstanding;
  function borrow(uint256 n) external {
    require(outstanding + n <= 100 ether);
    debt[msg.sender] += n; // FINDING
    payable(msg.sender).transfer(n);
  }
  function repay() external payable { debt[msg.sender] -= msg.value; outstanding -= msg.value; }
}
contract Coin {
  mapping(address => uint256) held;
  function put() external payable { held[msg.sender] += msg.value; }
  function move(address to, uint256 n) external {
    require(held[msg.sender] >= n);
    held[msg.sender] += n; // FINDING
    held[to] += n;
  }
  function give(address to, uint256 n) external {
    require(to != msg.sender);
    held[msg.sender] -= n; // FINDING
  }
  function send(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
library SafeMath {
  function add(uint256 a, uint256 b) internal pure returns (uint256 c) { c = a + b; require(c >= a); }
  function sub(uint256 a, uint256 b, string memory why) internal pure returns (uint256) { require(b <= a, why); return a - b; }
}
contract Orders {
  using SafeMath for uint256;
  struct Account { uint256 placed; uint256 since; }
  mapping(address => Account) accounts;
  mapping(address => uint256) saved;
  uint256 reserved;
  uint256 all;
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function place(uint256 n) external {
    require(token.transferFrom(msg.sender, address(this), n));
    accounts[msg.sender].placed = accounts[msg.sender].placed.add(n);
    reserved = reserved.add(n);
  }
  function end(uint256 n) external {
    accounts[msg.sender].placed = accounts[msg.sender].placed.sub(n, "few"); // FINDING
    require(token.transfer(msg.sender, n));
  }
  function free() external view returns (uint256) { return address(this).balance - reserved; }
  function save(uint256 n) external {
    require(token.transferFrom(msg.sender, address(this), n));
    saved[msg.sender] = n; // FINDING
  }
  function saveFor(address who, uint256 n) external {
    require(token.transferFrom(msg.sender, address(this), n));
    saved[who] += n;
  }
  function draw(uint256 n) external {
    saved[msg.sender] += n; // FINDING
    require(token.transfer(msg.sender, n));
  }
  function pass(address to, uint256 n) external {
    saved[msg.sender] -= n;
    saved[to] = n; // FINDING
  }
}`,
      // One of two amounts that change together everywhere else; the total without its entry; enough, and then more.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Ledger {
  mapping(address => uint256) credit;
  uint256 issued;
  uint256 backing;
  address immutable boss = msg.sender;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  function issue(address who, uint256 n) external onlyBoss { credit[who] += n; issued += n; backing += n; }
  function cancel(address who, uint256 n) external onlyBoss { credit[who] -= n; issued -= n; backing -= n; }
  function spend(uint256 n) external {
    credit[msg.sender] -= n; // FINDING
    issued -= n; // FINDING
  }
  function pass(address to, uint256 n) external { credit[msg.sender] -= n; credit[to] += n; }
}
contract Coin {
  mapping(address => uint256) held;
  uint256 total;
  address immutable boss = msg.sender;
  function mint(address to, uint256 n) external { require(msg.sender == boss); held[to] += n; total += n; }
  function burn(uint256 n) external {
    total -= n; // FINDING
  }
  function pass(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
}
contract Pools {
  struct Pool { bool open; uint256 free; uint256 lent; }
  mapping(IERC20 => Pool) pools;
  mapping(address => uint256) quota;
  function supply(IERC20 token, uint256 n) external {
    require(pools[token].open);
    pools[token].free = n; // FINDING
    require(token.transferFrom(msg.sender, address(this), n));
  }
  function lend(IERC20 token, uint256 n) external {
    require(quota[msg.sender] >= n, "quota");
    quota[msg.sender] += n; // FINDING
    require(n <= pools[token].lent);
    pools[token].lent += n; // FINDING
    pools[token].free -= n;
    require(token.transfer(msg.sender, n));
  }
}`,
      // Changes that are written out.
      `pragma solidity ^0.8.20;
contract Plain {
  mapping(address => uint256) held;
  function put() external payable { held[msg.sender] = held[msg.sender] + msg.value; }
  function left(address to, uint256 n) external {
    require(held[msg.sender] >= n);
    held[msg.sender] = held[msg.sender] + n; // FINDING
    held[to] = n + held[to];
  }
  function right(address to, uint256 n) external {
    require(held[msg.sender] >= n);
    held[msg.sender] = n + held[msg.sender]; // FINDING
    held[to] = held[to] + n;
  }
}
contract Loans {
  mapping(address => uint256) debt;
  uint256 outstanding;
  function borrow(uint256 n) external {
    require(outstanding + n <= 100 ether);
    debt[msg.sender] = debt[msg.sender] + n; // FINDING
    payable(msg.sender).transfer(n);
  }
  function repay() external payable { debt[msg.sender] = debt[msg.sender] - msg.value; outstanding = outstanding - msg.value; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Ledger {
  mapping(address => uint256) held;
  mapping(address => mapping(address => uint256)) allowance;
  mapping(address => uint256) locked;
  mapping(address => uint256) leaving;
  uint256 sum;
  uint256 total;
  uint256 cap;
  uint256 samples;
  uint256 bonus;
  int256 drift;
  uint256 base;
  address immutable boss = msg.sender;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  function mint(address to, uint256 n) external onlyBoss { require(total <= n); held[to] += n; total += n; cap += n; }
  function burn(uint256 n) external { held[msg.sender] -= n; total -= n; cap -= n; }
  function pass(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
  function leave(uint256 n) external { held[msg.sender] -= n; total -= n; _sink(n); }
  function _sink(uint256 n) private { cap -= n; }
  function lock(uint256 n) external { locked[msg.sender] += n; sum += n; leaving[msg.sender] += 2 * n; }
  function prepare(uint256 n) external { leaving[msg.sender] += n; }
  function unlock(uint256 n) external { leaving[msg.sender] -= n; locked[msg.sender] -= n; sum -= n; }
  function sample() external { if (samples >= 1) samples += 1; }
  function grant(uint256 n) external onlyBoss { base += n; bonus += n; }
  function revoke(uint256 n) external onlyBoss { base -= n; bonus -= n; }
  function settle() external onlyBoss { base += bonus; }
}
contract Signed {
  mapping(address => int256) drift;
  int256 sum;
  int256 debt;
  function up(int256 n) external { drift[msg.sender] += n; sum += n; debt += n; }
  function down(int256 n) external { drift[msg.sender] -= n; sum -= n; debt -= n; }
  function shift(int256 n) external { drift[msg.sender] += n; sum += n; }
}
contract Stash {
  mapping(address => uint256) stashed;
  mapping(address => mapping(address => uint256)) allowed;
  uint256 locked;
  function lock(uint256 n) external { locked += n; }
  function prepare(uint256 n) external { stashed[msg.sender] += n; }
  function leave(uint256 n) external { stashed[msg.sender] -= n; locked -= n; }
  function allow(address who, uint256 n) external { allowed[msg.sender][who] = n; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Books {
  mapping(address => uint256) held;
  mapping(address => uint256) debt;
  mapping(address => uint256) quota;
  mapping(address => uint256) first;
  uint256 total;
  uint256 lent;
  uint256 paid;
  uint256 rounds;
  IERC20 immutable token;
  address immutable owner = msg.sender;
  constructor(IERC20 t) { token = t; }
  function put(uint256 n) external { require(token.transferFrom(msg.sender, address(this), n)); held[msg.sender] += n; total += n; rounds += 1; }
  function take(uint256 n) external { held[msg.sender] -= n; total -= n; require(token.transfer(msg.sender, n)); }
  function move(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
  function slash(address who, uint256 n) external { require(msg.sender == owner); held[who] -= n; }
  function borrow(uint256 n) external { debt[msg.sender] += n; lent += n; require(token.transfer(msg.sender, n)); }
  function repay(uint256 n) external { require(token.transferFrom(msg.sender, address(this), n)); debt[msg.sender] -= n; lent -= n; }
  function allow(address who, uint256 n) external { require(msg.sender == owner); quota[who] += n; paid += n; }
  function use(uint256 n) external { quota[msg.sender] -= n; rounds += n; }
  function begin(uint256 n) external { require(first[msg.sender] == 0); require(token.transferFrom(msg.sender, address(this), n)); first[msg.sender] = n; }
  function more(uint256 n) external { require(token.transferFrom(msg.sender, address(this), n)); first[msg.sender] += n; }
  function less(uint256 n) external { first[msg.sender] -= n; total += n; }
}`,
      `pragma solidity ^0.8.20;
contract Rewards {
  mapping(address => uint256) due;
  mapping(address => uint256) points;
  uint256 issued;
  uint256 ever;
  function refer(address by) external payable { due[msg.sender] += msg.value; due[by] += msg.value / 10; }
  function bonus(address a, address b) external { points[a] += 5; points[b] += 5; }
  function lose(uint256 n) external { points[msg.sender] -= n; issued -= n; }
  function earn(address who, uint256 n) external { points[who] += n; issued += n; ever += n; }
  function spend(uint256 n) external { points[msg.sender] -= n; issued -= n; }
  function claim(uint256 n) external { due[msg.sender] -= n; payable(msg.sender).transfer(n); }
}`,
      // Set to something else, which the same operators work out.
      `pragma solidity ^0.8.20;
contract Scaled {
  mapping(address => uint256) held;
  function put() external payable { held[msg.sender] += msg.value; }
  function scale(address to, uint256 n) external {
    require(held[msg.sender] >= n);
    held[msg.sender] = n * held[msg.sender];
    held[to] = n * held[to];
  }
  function fill(address to, uint256 n) external {
    require(held[msg.sender] >= n);
    held[msg.sender] = 100 + n;
    held[to] = 100 + n;
  }
}
contract Rooms {
  mapping(address => uint256) room;
  uint256 total;
  function raise(uint256 n) external { require(total + n <= 100 ether); room[msg.sender] += n; payable(msg.sender).transfer(n); }
  function set(address who, uint256 n) external { room[who] = 100 - n; total = 100 - n; }
}
contract Shares {
  mapping(address => uint256) share;
  uint256 total;
  function raise(uint256 n) external { require(total + n <= 100 ether); share[msg.sender] += n; payable(msg.sender).transfer(n); }
  function cut(address who, uint256 n) external { share[who] = share[who] / n; total = total / n; }
}`,
    ],
  },
}

const told = ({ kind, variable, change, isNeverRaised }: Imbalance): string => {
  switch (kind) {
    case "oneWay":
      return isNeverRaised
        ? `\`${variable.name}\` decreases with \`${change.variable.name}\` but never increases: here, only \`${change.variable.name}\` is increased.`
        : `\`${variable.name}\` increases with \`${change.variable.name}\` but never decreases: here, only \`${change.variable.name}\` is decreased.`
    case "overwritten":
      return `\`${variable.name}\` is overwritten, so what it held before is lost.`
    case "swelling":
      return `\`${variable.name}\` increases by what is paid out.`
    case "doubled":
      return `Both entries of \`${variable.name}\` increase by the same amount; neither decreases.`
    case "alone":
      return `\`${variable.name}\` changes with \`${change.variable.name}\` in every other function, but not here.`
    case "unspent":
      return `\`${variable.name}\` increases by the amount that it was just checked to cover.`
    case "lost":
      return `What is deducted from \`${variable.name}\` is not credited to anyone.`
  }
}
