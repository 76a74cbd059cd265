import { shutsOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { isOrdering } from "../../questions/value/callerNumbers.ts"
import {
  checksItself,
  isUnguarded,
  operationOf,
  shortenedArray,
  surelyWraps,
  wrapsBy,
} from "../../questions/value/wrappingOperation.ts"
import { indexThatFails, isLengthOfReadArray, isLimitedByCheckedUse } from "../../questions/value/failsOnWrap.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const overflow: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/overflow",
    class: "overflow",
    title: "Integer overflow or underflow",
    severity: "high",
    // The wrap is certain; a limit imposed by another contract or the token's supply is not always visible.
    confidence: "medium",
    cwe: [190, 191],
    swc: 101,
    description:
      "Before Solidity 0.8, and inside `unchecked`, a sum, difference or product that does not fit its type " +
      "wraps around silently. Here, a caller freely chooses an operand, and the function never compares it with " +
      "the other operand. With a large number, an attacker turns a balance of 1 into almost 2^256, a lock time " +
      "into a moment in the past, or a price times an amount into zero.",
    remediation:
      "Compile with Solidity 0.8 or later and keep caller-supplied numbers out of `unchecked`. With older " +
      "compilers, use SafeMath for every operation on them, or check first: `require(balances[msg.sender] >= " +
      "amount)`, `require(a + b >= a)`.",
    references: [
      "https://swcregistry.io/docs/SWC-101",
      "https://docs.soliditylang.org/en/latest/080-breaking-changes.html",
      "https://nvd.nist.gov/vuln/detail/CVE-2018-10299",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const told = new Set<unknown>()
      let operations = 0
      for (const node of flow.nodes) {
        const failing = new Set<S.Node>()
        if (node.expression === undefined || node.kind === "branch" || node.assembly !== undefined) continue
        if (!flow.isReachable(node) || (node.callable.source.version.checkedArithmetic && !node.unchecked)) continue
        walk(node.expression, (e) => {
          if (checksItself(flow, e, node) || isHarmless(flow, e, node)) return false
          const shortened = shortenedArray(program, e)
          if (shortened !== undefined && isUnguarded(flow, shortened, node)) {
            const { file } = node.callable.source
            report({
              file,
              span: e,
              scope: node.callable.scope,
              message: "The length of an empty array becomes 2^256 - 1.",
            })
            return false
          }
          const index = indexThatFails(flow, e)
          if (index !== undefined) failing.add(index)
          const operation = operationOf(program, e)
          if (operation === undefined || failing.has(e) || ++operations > operationLimit) return true
          const { source } = node.callable
          const place = {
            file: source.file,
            span: operation.node,
            scope: node.callable.scope,
            // another compiler that the pragma allows reverts
            ...(source.version.max >= checkedFrom ? { confidence: "low" as const } : {}),
          }
          if (surelyWraps(flow, operation, node)) {
            report({ ...place, message: "The result of these constants does not fit the type." })
            return false
          }
          const by = wrapsBy(flow, operation, node)
          if (by === undefined || told.has(by.parameter) || shutsOut(flow, node)) return true
          if (isLengthOfReadArray(flow, operation) || isLimitedByCheckedUse(flow, operation, node, by)) return true
          // a missing check of one parameter is one finding
          told.add(by.parameter)
          report({
            ...place,
            message: `The caller chooses \`${by.parameter.name}\` freely.`,
            trace: [
              { file: by.flow.fn.source.file, span: by.parameter.node, note: "chosen by the caller" },
              { file: place.file, span: operation.node, note: "wraps around" },
            ],
          })
          return true
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // What is subtracted from is a copy that the caller made.
      `pragma solidity ^0.8.20;
contract Shares {
  struct Note { uint256 most; }
  mapping(address => uint256) balances;
  function take(Note memory note, uint256 amount) external {
    note.most -= amount;
    unchecked {
      balances[msg.sender] += amount; // FINDING
    }
  }
}`,
      // A limit from below, in the internal function.
      `pragma solidity 0.7.6;
contract Locks {
  uint256 shortest = 4 weeks;
  mapping(address => uint256) ends;
  function lock(uint256 time) external { _lock(msg.sender, time); }
  function _lock(address who, uint256 time) internal {
    require(time >= shortest);
    ends[who] = block.timestamp + time; // FINDING
  }
}`,
      // A record of two keys that the caller gains by; a token that the caller names.
      `pragma solidity 0.7.6;
interface Coin { function transferFrom(address from, address to, uint256 value) external returns (bool); }
contract Credits {
  mapping(address => mapping(address => uint256)) credit;
  function give(address giver, uint256 amount) external {
    credit[giver][msg.sender] += amount; // FINDING
  }
  function deposit(Coin coin, uint256 amount, uint256 rate) external {
    require(rate < 100);
    coin.transferFrom(msg.sender, address(this), amount);
    credit[address(this)][msg.sender] += amount * rate; // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Spent {
    mapping(address => uint256) points;
    mapping(address => uint256) spent;

    function spend(uint256 amount) external {
        spent[msg.sender] += amount;
        unchecked {
            points[msg.sender] -= amount; // FINDING
        }
    }

    function give(address to, uint256 amount) external {
        unchecked {
            points[to] += amount; // FINDING
        }
        points[msg.sender] -= 1;
    }

    function giveLess(address to, uint256 amount, bool all) external {
        if (!all) points[msg.sender] -= amount;
        unchecked {
            points[to] += amount; // FINDING
        }
    }
}`,
      `pragma solidity ^0.7.0;
contract Rounds {
    uint256 public total;
    uint256 public cap = 1e24;
    uint256[] list;

    function add(uint256[] calldata amounts, uint256 price) external {
        total = (amounts.length - 1) * 5; // FINDING
    }

    mapping(uint256 => uint256) rewards;

    function claim(uint256 round) external {
        total = rewards[round - 1]; // FINDING
    }

    function pick(uint256 back) external {
        total = list[list.length - back]; // FINDING
    }

    function raise(uint256 by) external {
        uint256 sum = total + by; // FINDING
        if (sum <= cap) total = sum;
    }

    function raiseBoth(uint256 by) external {
        uint256 sum = total + by; // FINDING
        if (sum < by) cap = sum;
        else total = sum;
    }
}`,
      `pragma solidity ^0.4.24;
contract Token {
    mapping(address => uint256) balances;
    mapping(address => uint256) public lockedUntil;

    function batchTransfer(address[] receivers, uint256 value) public {
        uint256 count = receivers.length;
        uint256 amount = count * value; // FINDING
        require(count > 0 && count <= 20);
        require(value > 0 && balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) balances[receivers[i]] += value;
    }

    function extend(uint256 secs) public {
        lockedUntil[msg.sender] += secs; // FINDING
    }

    function burn(uint256 value) public {
        require(balances[msg.sender] - value >= 0); // FINDING
        balances[msg.sender] -= value;
    }
}`,
      `pragma solidity ^0.8.0;
contract Points {
    mapping(address => uint256) points;

    function spend(uint256 amount) external {
        unchecked {
            points[msg.sender] -= amount; // FINDING
        }
    }
}`,
      `pragma solidity ^0.5.0;
contract Small {
    uint8 public level;

    function lower() public {
        uint8 x = 0;
        x = x - 10; // FINDING
        level = x;
    }

    function raise(uint8 by) public {
        _raise(by);
    }

    function _raise(uint8 by) internal {
        level = level + by; // FINDING
    }

    uint256[] list;

    function drop() public {
        list.length--; // FINDING
    }

    function unit(uint256 decimals) public returns (uint256) {
        level = 1;
        return 10 ** decimals; // FINDING
    }
}`,
    ],
    safe: [
      // The balance behind the pointer covers the amount, or the total has been increased by it.
      `pragma solidity ^0.8.20;
contract Shares {
  struct Book { mapping(address => uint256) balances; uint256 total; }
  Book own;
  function transfer(address to, uint256 amount) external { move(own, msg.sender, to, amount); }
  function move(Book storage book, address from, address to, uint256 amount) internal {
    book.balances[from] -= amount;
    unchecked { book.balances[to] += amount; }
  }
  function deposit(uint256 amount) external { give(own.balances, msg.sender, amount); }
  function give(mapping(address => uint256) storage table, address to, uint256 amount) internal {
    table[address(0)] += amount;
    unchecked { table[to] += amount; }
  }
}`,
      // The internal function has the limit, or a proxy states on whose behalf it calls.
      `pragma solidity 0.7.6;
contract Escrow {
  address immutable proxy;
  address owner = msg.sender;
  address sender;
  uint256 longest = 52 weeks;
  mapping(address => uint256) ends;
  uint256 start;
  constructor(address p) { proxy = p; }
  modifier forOwner() { if (msg.sender != proxy) sender = msg.sender; require(sender == owner); _; }
  function setSender(address to) external { require(msg.sender == proxy); sender = to; }
  function setLongest(uint256 to) external forOwner { longest = to; }
  function begin(uint256 delay) external forOwner { start = block.timestamp + delay; }
  function lock(uint256 time) external { _lock(msg.sender, time); }
  function _lock(address who, uint256 time) internal { require(time <= longest); ends[who] = block.timestamp + time; }
}`,
      `pragma solidity ^0.8.0;
abstract contract Token {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        unchecked {
            balanceOf[to] += amount;
        }
    }

    function deposit(uint256 amount) external {
        _mint(msg.sender, amount);
    }

    function burn(uint256 amount) external {
        balanceOf[msg.sender] = balanceOf[msg.sender] - amount;
        unchecked {
            totalSupply -= amount;
        }
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply = amount + totalSupply;
        unchecked {
            balanceOf[to] += amount;
        }
    }
}`,
      `pragma solidity ^0.5.16;
contract Codes {
    uint256 public total;
    address[] public last;

    function sum(uint256 a, uint256 b) internal pure returns (uint256, uint256) {
        uint256 c = a + b;
        if (c >= a) {
            return (0, c);
        } else {
            return (1, 0);
        }
    }

    function product(uint256 a, uint256 b) internal pure returns (uint256, uint256) {
        if (a == 0) return (0, 0);
        uint256 c = a * b;
        if (c / a != b) {
            return (1, 0);
        } else {
            return (0, c);
        }
    }

    function add(uint256 amount) external {
        (uint256 failure, uint256 next) = sum(total, amount);
        if (failure == 0) (failure, next) = product(next, amount);
        if (failure == 0) total = next;
    }

    function nth(uint256 number) external {
        last.push(last[number - 1]);
    }

    function route(address[] calldata path, bytes calldata data) external {
        for (uint256 i = 0; i < path.length - 1; i++) last.push(path[i]);
        require(path[path.length - 1] == msg.sender);
        last.push(path[path.length - 2]);
        require(data[data.length - 1] == 0x01);
    }
}`,
      `pragma solidity ^0.7.0;
contract Checked {
  mapping(address => uint256) balances;
  function _require(bool condition, uint256 code) internal pure { if (!condition) _revert(code); }
  function _revert(uint256 code) internal pure { assembly { mstore(0, code) revert(0, 32) } }
  function sub(uint256 a, uint256 b) internal pure returns (uint256) { _require(b <= a, 1); return a - b; }
  function add(uint256 a, uint256 b) internal pure returns (uint256) { uint256 c = a + b; _require(c >= a, 2); return c; }
  function send(address to, uint256 amount) external {
    balances[msg.sender] = sub(balances[msg.sender], amount);
    balances[to] = add(balances[to], amount);
  }
  function tail(uint256[] calldata list) external pure returns (uint256[] memory) { return new uint256[](list.length - 1); }
}`,
      `pragma solidity ^0.4.24;
library Numbers {
    function plus(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        assert(c >= a);
    }
    function times(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b);
        return c;
    }
    function minus(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }
}
interface Coin { function transferFrom(address from, address to, uint256 value) external returns (bool); }
contract Token {
    using Numbers for uint256;
    Coin coin;
    mapping(address => uint256) balances;
    mapping(address => mapping(address => uint256)) allowed;
    address owner = msg.sender;
    uint256 fee;
    uint256 public raised;
    uint256[] list;

    function drop() public {
        if (list.length > 0) list.length--;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        if (balances[msg.sender] < value || balances[to] + value < balances[to]) return false;
        balances[msg.sender] -= value;
        balances[to] += value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public {
        if (balances[from] >= value && allowed[from][msg.sender] >= value && value > 0) {
            balances[to] += value;
            balances[from] -= value;
            allowed[from][msg.sender] -= value;
        }
    }

    function mint(address to, uint256 value) public {
        balances[to] = balances[to].plus(value).minus(value.times(2));
    }

    function burn(uint256 value) public {
        require(balances[msg.sender] >= value);
        balances[msg.sender] -= value;
        raised -= value;
    }

    function deposit(uint256 value) public {
        require(coin.transferFrom(msg.sender, address(this), value));
        balances[msg.sender] += value;
    }

    function setFee(uint256 value) public {
        require(msg.sender == owner);
        fee = value + 1;
    }

    function buy(uint16 percent) public payable {
        require(percent <= 100);
        raised += msg.value;
        balances[msg.sender] += msg.value * percent;
        for (uint256 i = 0; i < 10; i++) fee += i;
    }
}`,
      `pragma solidity ^0.8.0;
contract Points {
    mapping(address => uint256) points;

    function _take(address from, uint256 amount) internal {
        uint256 held = points[from];
        require(held >= amount, "too few");
        unchecked {
            points[from] = held - amount;
        }
    }

    function spend(uint256 amount) external {
        _take(msg.sender, amount);
    }

    function earn(uint256 amount) external {
        points[msg.sender] += amount;
    }
}`,
      `pragma solidity 0.7.6;
contract Sums {
  uint256 total;
  uint256[] kept;
  constructor(uint256 x) { total = x + 5; }
  function sized(uint256 n) external { kept = new uint256[](n * 2); }
  function gas(uint256 n) external { require(gasleft() > n + 5000); total = 1; }
  function unused(uint256 x) private { total = x + 5; }
}`,
      // A base without source; the supply of a token; what one permits others.
      `pragma solidity ^0.8.17;
import "solmate/tokens/ERC20.sol";
contract Shares is ERC20("Shares", "SHR", 18) {
  function redeem(uint256 shares) external { move(msg.sender, address(this), shares); }
  function move(address from, address to, uint256 amount) internal {
    balanceOf[from] -= amount;
    unchecked { balanceOf[to] += amount; }
  }
}`,
      `pragma solidity 0.6.11;
interface Coin { function transferFrom(address from, address to, uint256 value) external returns (bool); }
contract Bar {
  Coin coin;
  uint256 supply = 1;
  uint256 backing = 1;
  mapping(address => uint256) shares;
  mapping(address => mapping(address => uint256)) allowance;
  function mint(uint256 amount) external {
    require(coin.transferFrom(msg.sender, address(this), amount));
    shares[msg.sender] += amount * supply / backing;
  }
  function lock(uint256 amount, uint256 weeks_) external {
    require(weeks_ < 200);
    enter(msg.sender, amount, weeks_);
  }
  function enter(address who, uint256 amount, uint256 weeks_) private {
    require(coin.transferFrom(msg.sender, address(this), amount));
    shares[who] += amount + weeks_;
  }
  function increase(address spender, uint256 amount) external { allowance[msg.sender][spender] += amount; }
}`,
    ],
  },
}

/** The first compiler that reverts on overflow. */
const checkedFrom = 8000

/** Limit: operations of one function that are examined; each queries everything checked before it. */
const operationLimit = 2000

/** A length that cannot be allocated reverts; a comparison with the remaining gas only limits gas. */
const isHarmless = (flow: Flow, e: S.Node, at: FlowNode): boolean =>
  (e.kind === "FunctionCall" && flow.program.callOf(e)?.kind === "allocation") ||
  (isOrdering(e) && [e.left, e.right].some((side) => flow.origins(side, at).sources === Source.gas))
