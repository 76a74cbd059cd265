import type { Rule } from "../../../Rule.ts"
import { type Divergence, divergences } from "../../copies/divergences.ts"
import type { Program } from "../../program.ts"

export const divergedCopy: Rule<Program> = {
  meta: {
    id: "evm/logic/diverged-copy",
    class: "missing-update",
    title: "Copied function lacks a check or update that other copies have",
    severity: "low",
    confidence: "medium",
    cwe: [670, 691],
    description:
      "Several contracts of the project contain this function. The copies do the same, apart from the names of " +
      "locals, but this one lacks a check or an update, or reverses a comparison or an operation. Copied code " +
      "is often fixed in one place but not in the other, or broken in one of them.",
    remediation:
      "Add what is missing, or move the shared code to a base contract or library. If the difference is " +
      "intended, say so in a comment and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/670.html"],
  },

  check: (program, report) => {
    for (const divergence of divergences(program)) {
      const { fn, item, instead, of } = divergence
      const [one] = of
      if (one === undefined) continue
      report({
        file: fn.source.file,
        span: instead?.node ?? fn.node.nameSpan,
        scope: fn.scope,
        message: whatDiffers(divergence),
        // of two, either may be wrong
        ...(of.length === 1 ? { severity: "low" } : {}),
        trace: [{ file: one.source.file, span: item.node, note: `part of \`${one.scope}\`` }],
      })
    }
  },

  examples: {
    vulnerable: [
      // A check is missing, locals are named differently.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Vault {
  IToken token;
  mapping(address => uint256) held;
  mapping(address => uint256) lockedUntil;
  uint256 total;
  constructor(IToken t) { token = t; }
  function lock(uint256 time) external { lockedUntil[msg.sender] = block.timestamp + time; }
  function withdraw(uint256 amount, address to) external {
    require(held[msg.sender] >= amount, "too much");
    require(lockedUntil[msg.sender] < block.timestamp, "locked");
    held[msg.sender] -= amount;
    total -= amount;
    require(token.transfer(to, amount));
  }
}
contract SecondVault {
  error TooMuch();
  IToken token;
  mapping(address => uint256) held;
  mapping(address => uint256) lockedUntil;
  uint256 total;
  constructor(IToken t) { token = t; }
  function lock(uint256 time) external { lockedUntil[msg.sender] = block.timestamp + time; }
  function withdraw(uint256 value, address receiver) external { // FINDING
    if (value > held[msg.sender]) revert TooMuch();
    held[msg.sender] -= value;
    total -= value;
    require(token.transfer(receiver, value));
  }
}`,
      // An update is missing from one of three versions, which differ in other respects as well.
      `pragma solidity ^0.8.20;
abstract contract Interest {
  uint256 index;
  function _accrue() internal { index += block.timestamp; }
}
contract MarketA is Interest {
  mapping(address => uint256) debt;
  uint256 borrowed;
  uint256 reserve;
  function repay(address who, uint256 n) external payable {
    _accrue();
    require(n <= debt[who] && msg.value == n);
    debt[who] -= n;
    borrowed -= n;
    reserve += n / 10;
  }
}
contract MarketB is Interest {
  mapping(address => uint256) debt;
  uint256 borrowed;
  uint256 reserve;
  uint256 last;
  function repay(address who, uint256 n) external payable {
    _accrue();
    require(n <= debt[who] && msg.value == n);
    debt[who] -= n;
    borrowed -= n;
    reserve += n / 10;
    last = block.number;
  }
}
contract MarketC is Interest {
  mapping(address => uint256) debt;
  uint256 borrowed;
  uint256 reserve;
  uint256 last;
  uint256 count;
  function touch() external { _accrue(); }
  function repay(address of, uint256 n) external payable { // FINDING
    require(n <= debt[of] && msg.value == n);
    debt[of] -= n;
    borrowed -= n;
    reserve += n / 10;
    last = block.number;
    count++;
  }
}`,
      // One of three compares or counts the other way round.
      `pragma solidity ^0.8.20;
library PoolV1 {
  struct Pool { uint256 cap; uint256 sum; uint256 moves; mapping(address => uint256) share; }
  function join(Pool storage pool, address who, uint256 n) internal {
    require(pool.sum + n <= pool.cap);
    pool.share[who] += n;
    pool.sum += n;
  }
  function leave(Pool storage pool, address who, uint256 n) internal {
    require(n > 0);
    pool.share[who] -= n;
    pool.moves++;
    pool.sum -= n;
  }
}
library PoolV2 {
  struct Pool { uint256 cap; uint256 sum; uint256 moves; mapping(address => uint256) share; }
  function join(Pool storage p, address to, uint256 amount) internal {
    if (amount + p.sum > p.cap) revert();
    p.share[to] += amount;
    p.sum += amount;
  }
  function leave(Pool storage p, address to, uint256 amount) internal {
    require(amount > 0);
    p.share[to] -= amount;
    p.moves++;
    p.sum -= amount;
  }
}
library PoolV3 {
  struct Pool { uint256 cap; uint256 sum; uint256 moves; mapping(address => uint256) share; }
  function join(Pool storage pool, address who, uint256 n) internal {
    require(pool.sum + n <= pool.cap);
    pool.share[who] += n;
    pool.sum += n;
  }
  function leave(Pool storage pool, address who, uint256 n) internal {
    require(n > 0);
    pool.share[who] -= n;
    pool.moves++;
    pool.sum += n; // FINDING
  }
}`,
    ],
    safe: [
      // What is missing is asked by a function that it calls or that calls it, in other words, or of state that it does
      // not have.
      `pragma solidity ^0.8.20;
contract Gate {
  mapping(address => bool) barred;
  mapping(address => uint256) held;
  uint256 total;
  bool closed;
  function bar(address who) external { require(who == msg.sender); barred[who] = true; closed = true; }
}
contract First is Gate {
  function put(uint256 n) external payable { require(!barred[msg.sender]); require(msg.value == n); held[msg.sender] += n; total += n; }
  function _take(uint256 n) internal { require(!barred[msg.sender]); require(n > 0); held[msg.sender] -= n; total -= n; }
  function take(uint256 n) external { _take(n); }
  function join(uint256 n) external payable { require(!barred[msg.sender] && msg.value == n); held[msg.sender] += n; total += n; }
}
contract Second is Gate {
  function _ask() internal view { require(!barred[msg.sender]); }
  function put(uint256 n) external payable { _ask(); require(msg.value == n); held[msg.sender] += n; total += n; }
  function _take(uint256 n) internal { require(n > 0); held[msg.sender] -= n; total -= n; }
  function take(uint256 n) external { require(!barred[msg.sender]); _take(n); }
  modifier admitted() { if (barred[msg.sender]) revert(); _; }
  function join(uint256 n) external payable admitted { require(msg.value == n); held[msg.sender] += n; total += n; }
}
contract Third {
  mapping(address => uint256) held;
  uint256 total;
  function put(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; }
}`,
      // An override, a constructor, other names and functions that change nothing may differ.
      `pragma solidity ^0.8.20;
contract Base {
  mapping(address => uint256) held;
  uint256 total;
  bool open = true;
  constructor(uint256 n) { require(open); held[msg.sender] += n; total += n; held[address(this)] += n; }
  function put(uint256 n) external payable virtual { require(open && msg.value == n); held[msg.sender] += n; total += n; }
  function add(uint256 n) external payable { require(open && msg.value == n); held[msg.sender] += n; total += n; }
  function what(uint256 n) external view returns (uint256) { require(open); require(n > 0); uint256 sum = held[msg.sender] + n; uint256 all = total + n; return sum * all; }
}
contract Heir is Base(1) {
  function put(uint256 n) external payable override { require(msg.value == n); held[msg.sender] += n; total += n; }
}
contract Other {
  mapping(address => uint256) held;
  uint256 total;
  bool open = true;
  constructor(uint256 n) { held[msg.sender] += n; total += n; held[address(this)] += n; }
  function give(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; }
  function what(uint256 n) external view returns (uint256) { require(n > 0); uint256 sum = held[msg.sender] + n; uint256 all = total + n; return sum * all; }
  function shut() external { open = false; }
}`,
      // Copies that do not agree, one that stands alone against more, another check instead, and steps of a computation.
      `pragma solidity ^0.8.20;
abstract contract State {
  mapping(address => uint256) held;
  mapping(address => bool) known;
  uint256 total;
  uint256 limit;
  uint256 last;
  uint256 count;
  bool open;
  function set(uint256 n) external { require(n < 10); limit = n; open = n > 1; known[msg.sender] = true; }
}
contract A is State {
  function put(uint256 n) external payable { require(open); require(msg.value == n); held[msg.sender] += n; total += n; }
  function pay(uint256 n) external payable { require(open); require(msg.value == n); held[msg.sender] += n; total += n; }
  function move(address to, uint256 n) external { require(open); held[msg.sender] -= n; held[to] += n; last = n; }
  function join(uint256 n) external payable { uint256 m = n; m += 1; require(msg.value == m); held[msg.sender] += n; total += n; }
  function drop(uint256 n) external { require(n < limit); held[msg.sender] -= n; total -= n; }
  function tell(uint256 n) external { require(open); held[msg.sender] -= n; last = n; total -= n; }
}
contract B is State {
  function put(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; }
  function pay(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; }
  function move(address to, uint256 n) external { require(known[to]); held[msg.sender] -= n; held[to] += n; last = n; }
  function join(uint256 n) external payable { uint256 m = n; require(msg.value == m); held[msg.sender] += n; total += n; }
  function drop(uint256 n) external { require(n <= limit); held[msg.sender] -= n; total -= n; }
  function tell(uint256 n) external { held[msg.sender] -= n; last = n; total -= n; count++; }
}
contract C is State {
  function put(uint256 n) external payable { require(open); require(msg.value == n); held[msg.sender] += n; total += n; last = n; }
  function pay(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; last = n; }
  function move(address to, uint256 n) external { require(open); held[msg.sender] -= n; held[to] += n; last = n; count++; }
}
contract D is State {
  function put(uint256 n) external payable { require(msg.value == n); held[msg.sender] += n; total += n; }
}`,
      // The order in which a sum or a comparison is written, and functions too small to be copies.
      `pragma solidity ^0.8.20;
contract One {
  mapping(address => uint256) held;
  uint256 total;
  uint256 fee;
  address owner = msg.sender;
  function put(uint256 n) external payable { require(msg.value == n + fee); held[msg.sender] += n; total += n; }
  function setFee(uint256 n) external { require(msg.sender == owner); require(n < 100); fee = n; }
}
contract Two {
  mapping(address => uint256) held;
  uint256 total;
  uint256 fee;
  address owner = msg.sender;
  function put(uint256 n) external payable { require(msg.value == n + fee); held[msg.sender] += n; total += n; }
  function setFee(uint256 n) external { require(msg.sender == owner); require(n < 100); fee = n; }
}
contract Three {
  mapping(address => uint256) held;
  uint256 total;
  uint256 fee;
  address owner = msg.sender;
  function put(uint256 n) external payable { require(fee + n == msg.value); held[msg.sender] += n; total += n; }
  function setFee(uint256 n) external { require(msg.sender == owner); fee = n; }
}`,
    ],
  },
}

const whatDiffers = ({ fn, item, instead, of }: Divergence): string => {
  const others =
    of.length === 1
      ? `\`${of[0]!.scope}\` is otherwise identical, but it`
      : `The ${of.length} other versions of \`${fn.name}\` all`
  const s = of.length === 1 ? "s" : ""
  if (instead !== undefined) return `${others} write${s} this differently.`
  return `${others} ${item.kind === "guard" ? `perform${s} a check` : `do${s} something`} that is missing here.`
}
