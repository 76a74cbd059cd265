import { callerNumber } from "../../../../../../domain/detection/solidity/questions/value/callerNumbers.ts"
import {
  checksItself,
  isUnguarded,
  operationOf,
  shortenedArray,
  surelyWraps,
  wrapsBy,
} from "../../../../../../domain/detection/solidity/questions/value/wrappingOperation.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Which arithmetic a stranger, or nothing but literals, makes wrap around. */
export const wraps = questionTable(
  "wraps",
  {
    number: (flow, [e], at) => callerNumber(flow, e!, at, 256)?.parameter.name,
    wraps: (flow, [e], at) => wrapsBy(flow, operationOf(flow.program, e!)!, at)?.parameter.name,
    surely: (flow, [e], at) => surelyWraps(flow, operationOf(flow.program, e!)!, at),
    check: (flow, [e], at) => checksItself(flow, e!, at),
    shortened: (flow, [e], at) => {
      const target = shortenedArray(flow.program, e!)
      return target === undefined ? undefined : isUnguarded(flow, target, at)
    },
  },
  [
    `pragma solidity ^0.4.24;
contract Token { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function other(address to, uint256 n) external; }
contract Wraps {
  struct Box { uint256 length; }
  mapping(address => uint256) balances;
  mapping(address => mapping(address => uint256)) allowed;
  Token token;
  uint256 total;
  uint256 fee;
  uint8 small;
  uint8 tiny;
  uint128 half;
  uint256[] list;
  uint256[] other;
  Box box;
  address owner = msg.sender;
  function number(uint256, string) internal {}
  function wraps(uint256, string) internal {}
  function surely(uint256, string) internal {}
  function check(bool, string) internal {}
  function shortened(uint256, string) internal {}

  // A number of the caller's, by way of locals, conversions and sums.
  function plain(uint256 n) external { number(n, "n"); total = n; }
  function sum(uint256 n) external { number(total + n, "n"); total = n; }
  function quotient(uint256 n) external { number(n / 3, "undefined"); total = n; }
  function negative(int256 n) external { number(uint256(-n), "n"); total = 1; }
  function stored() external { number(total, "undefined"); total = 1; }
  function narrow(uint8 n) external { number(n, "undefined"); total = n; }
  function narrowed(uint256 n) external { number(uint256(uint128(n)), "undefined"); total = n; }
  function narrowedHalf(uint256 n) external { number(uint128(n), "undefined"); total = n; }
  function local(uint256 n) external { uint256 m = n; number(m, "n"); total = n; }
  function replaced(uint256 n) external { n = 5; number(n, "undefined"); total = n; }
  function looped(uint256 n) external { uint256 m = n; for (uint256 i = 0; i < 3; i++) m = m + m; number(m, "n"); total = m; }
  function smaller(uint256 n) external { number(n < 5 ? n : 5, "undefined"); total = n; }
  function either(uint256 n, bool yes) external { number(yes ? n : 5, "n"); total = n; }
  function entry(uint256[] ns) external { number(ns[0], "ns"); total = 1; }
  function yes(bool b) external { number(b ? 1 : 0, "undefined"); total = 1; }
  function looks(uint256 n) external view { number(n, "undefined"); }
  function assigned(uint256 n) external { uint256 m; number(m = n, "n"); total = m; }
  function pair(uint256 n) external { var (a, b) = two(n); number(a, "undefined"); total = b; }
  function two(uint256 n) internal returns (uint256, uint256) { return (n, n); }
  function assembled(uint256 n) external { uint256 m; assembly { m := n } number(m, "undefined"); total = m; }
  function inner(uint256 n) internal { number(n, "m"); total = n; }
  function outer(uint256 m) external { inner(m); }
  function innerOwned(uint256 n) internal { number(n, "undefined"); total = n; }
  function outerOwned(uint256 m) external { require(msg.sender == owner); innerOwned(m); }
  function innerCapped(uint256 n) internal { require(n < total); number(n, "undefined"); total = n; }
  function outerCapped(uint256 m) external { innerCapped(m); }
  function innerOfCapped(uint256 n) internal { number(n, "undefined"); total = n; }
  function outerOfCapped(uint256 m) external { require(m <= fee); innerOfCapped(m); }
  function innerTwice(uint256 n) internal { number(n, "m"); if (n > 5) innerTwice(n - 1); total = n; }
  function outerTwice(uint256 m) external { innerTwice(m); }
  function unused(uint256 n) internal { number(n, "undefined"); total = n; }

  // Whether anything limits the sum or the difference.
  function plus(uint256 n) external { wraps(total + n, "n"); total += n; }
  function minus(uint256 n) external { wraps(balances[msg.sender] - n, "n"); total = 1; }
  function times(uint256 n) external { wraps(fee * n, "n"); total = 1; }
  function plusNarrow(uint8 n) external { wraps(n + total, "undefined"); total = 1; }
  function plusNarrowTurned(uint8 n) external { wraps(total + n, "undefined"); total = 1; }
  function tinyPlus(uint8 n) external { wraps(tiny + n, "n"); total = 1; }
  function tinyAdd(uint8 n) external { wraps(tiny += n, "n"); total = 1; }
  function wideAdd(uint8 n) external { wraps(total += n, "undefined"); total = 1; }
  function minusChecked(uint256 n) external { require(balances[msg.sender] >= n); wraps(balances[msg.sender] - n, "undefined"); total = 1; }
  function minusCheckedTurned(uint256 n) external { require(n <= balances[msg.sender]); wraps(balances[msg.sender] - n, "undefined"); total = 1; }
  function minusUnequal(uint256 n) external { require(balances[msg.sender] != n); wraps(balances[msg.sender] - n, "n"); total = 1; }
  function minusPositive(uint256 n) external { require(n > 0); wraps(balances[msg.sender] - n, "n"); total = 1; }
  function minusOther(uint256 n) external { require(fee >= n); wraps(balances[msg.sender] - n, "n"); total = 1; }
  function minusWithin(uint256 n, uint256 m) external { require(n <= m); wraps(balances[msg.sender] - n * fee, "n"); total = 1; }
  function plusWithin(uint256 n, uint256 m) external { require(n <= m); wraps(total + n * fee, "n"); total = 1; }
  function minusTotal(uint256 n) external { require(balances[msg.sender] >= n); wraps(total - n, "undefined"); total = 1; }
  function minusEntryCapped(uint256 n) external { require(fee >= n); wraps(balances[owner] - n, "n"); total = 1; }
  function plusCapped(uint256 n) external { require(n < fee); wraps(total + n, "undefined"); total = 1; }
  function plusCappedTurned(uint256 n) external { require(fee > n); wraps(total + n, "undefined"); total = 1; }
  function plusEqual(uint256 n) external { require(fee == n); wraps(total + n, "undefined"); total = 1; }
  function plusAtLeast(uint256 n) external { require(n > fee); wraps(total + n, "n"); total = 1; }
  function plusBelowOther(uint256 n, uint256 m) external { require(n < m); wraps(total + n, "n"); total = 1; }
  function plusAfter(uint256 n) external { uint256 c = total + n; wraps(total + n, "undefined"); require(c >= n); total = c; }
  function plusAfterSame(uint256 n) external { wraps(total + n, "undefined"); require(total + n >= total); total = 1; }
  function plusAfterUnrelated(uint256 n) external { wraps(total + n, "n"); require(fee >= 5); total = 1; }
  function plusAfterZero(uint256 n) external { wraps(total + n, "n"); require(total + n > 0); total = 1; }
  function plusAfterNot(uint256 n) external { wraps(total + n, "undefined"); require(!(total + n < total)); total = 1; }
  function timesAfter(uint256 n) external { wraps(fee * n, "undefined"); require(fee * n / n == fee); total = 1; }
  function timesAfterUnlike(uint256 n) external { wraps(fee * n, "undefined"); if (fee * n / fee != n) revert(); total = 1; }
  function timesAfterEqual(uint256 n) external { wraps(fee * n, "n"); require(fee * n == total); total = 1; }
  function plusAfterEither(uint256 n) external { wraps(total + n, "n"); if (total + n >= total) fee = 1; total = 1; }
  function plusAfterHelper(uint256 n) external { wraps(total + n, "undefined"); insist(total + n >= total); total = 1; }
  function insist(bool ok) internal { require(ok); }
  function plusAfterNoHelper(uint256 n) external { wraps(total + n, "n"); note(total + n >= total); total = 1; }
  function note(bool ok) internal { fee = ok ? 1 : 2; }
  function plusPaid(uint256 n) external { token.transferFrom(msg.sender, this, n); wraps(total + n, "undefined"); total = 1; }
  function minusPaid(uint256 n) external { token.transfer(msg.sender, n); wraps(balances[msg.sender] - n, "n"); total = 1; }
  function plusPaidByChosen(Token t, uint256 n) external { t.transferFrom(msg.sender, this, n); wraps(total + n, "n"); total = 1; }
  function plusTold(uint256 n) external { token.other(msg.sender, n); wraps(total + n, "n"); total = 1; }
  function plusPaidOther(uint256 n, uint256 m) external { token.transferFrom(msg.sender, this, m); wraps(total + n, "n"); total = 1; }
  function grant(address who, uint256 n) external { wraps(allowed[msg.sender][who] += n, "undefined"); total = 1; }
  function grantSum(address who, uint256 n) external { wraps(allowed[msg.sender][who] + n, "n"); total = 1; }
  function grantLess(address who, uint256 n) external { wraps(allowed[msg.sender][who] -= n, "n"); total = 1; }
  function grantOf(address from, address who, uint256 n) external { wraps(allowed[from][who] += n, "n"); total = 1; }
  function grantOwn(uint256 n) external { wraps(balances[msg.sender] += n, "n"); total = 1; }

  // Literals alone.
  function literals() external {
    uint8 a = 255; uint8 b = 1; uint8 c = 254; uint8 d = 0; uint8 e = 200; uint8 f = 2;
    surely(a + b, "true");
    surely(c + b, "false");
    surely(d - b, "true");
    surely(b - b, "false");
    surely(e * f, "true");
    surely(b * f, "false");
    surely(e ** f, "false");
    surely(a + tiny, "false");
    total = a;
  }

  // What is itself a check.
  function itself(uint256 n, uint256 m) external {
    check(total + n < n, "true");
    check(n > total + n, "true");
    check(total + n >= total, "true");
    check(total - n <= total, "false");
    check(total + n == m, "false");
    check(n + 5 days == m, "true");
    check(m == 5 + n, "true");
    check(n - 1 != m, "true");
    check(n * 2 == m, "false");
    check(total < n, "false");
    check(fee + 1 < n, "false");
    total = n;
  }

  // An array that is made shorter.
  function shorten() external { shortened(list.length--, "true"); list.length--; }
  function shortenBy(uint256 n) external { shortened(list.length -= n, "true"); list.length -= n; }
  function lengthen() external {
    shortened(list.length++, "undefined");
    shortened(list.length += 1, "undefined");
    shortened(box.length--, "undefined");
    shortened(total--, "undefined");
    shortened(total -= 1, "undefined");
  }
  function shortenSome() external { require(list.length > 0); shortened(list.length--, "false"); list.length--; }
  function shortenOther() external { require(other.length > 0); shortened(list.length--, "true"); list.length--; }
  function shortenOwned() external { require(msg.sender == owner); shortened(list.length--, "false"); list.length--; }
  function shortenLocal() external { uint256[] storage l = list; shortened(l.length--, "true"); l.length--; }
}`,
    `pragma solidity ^0.8.20;
contract Unchecked {
  mapping(address => uint256) balances;
  uint256 total;
  function wraps(uint256, string memory) internal pure {}
  function plain(uint256 n) external { unchecked { wraps(total + n, "n"); } total = 1; }
  function compared(uint256 n) external { if (n > 5) total = 2; unchecked { wraps(total + n, "undefined"); } total = 1; }
  function comparedZero(uint256 n) external { if (n > 0) total = 2; unchecked { wraps(total + n, "n"); } total = 1; }
  function comparedEqual(uint256 n) external { if (n == 7) total = 2; unchecked { wraps(total + n, "n"); } total = 1; }
  function width(uint256 n) external { if (n >> 128 == 0) total = 2; unchecked { wraps(total + n, "undefined"); } total = 1; }
  function widthTurned(uint256 n) external { if (0 != n >> 128) total = 2; unchecked { wraps(total + n, "undefined"); } total = 1; }
  function widthOther(uint256 n) external { if (n >> 128 == 7) total = 2; unchecked { wraps(total + n, "n"); } total = 1; }
  function shifted(uint256 n) external { if (n << 128 == 0) total = 2; unchecked { wraps(total + n, "n"); } total = 1; }
  function inner(uint256 n) private { if (n > 5) total = 2; unchecked { wraps(total + n, "undefined"); } total = 1; }
  function outer(uint256 m) external { inner(m); }
  function innerPlain(uint256 n) private { unchecked { wraps(total + n, "m"); } total = 1; }
  function outerPlain(uint256 m) external { innerPlain(m); }
  function innerAsked(uint256 n) private { unchecked { wraps(total + n, "undefined"); } total = 1; }
  function outerAsked(uint256 m, uint256 k) external { if (m > k) total = 2; innerAsked(m); }
}`,
  ],
)
