import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Program } from "../../program.ts"
import { outcomeByType, outcomeOfSame, outcomeOfTwo } from "../../questions/value/fixedOutcome.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const tautology: Rule<Program> = {
  meta: {
    id: "evm/arithmetic/tautology",
    class: "tautology",
    title: "Condition is always true or always false",
    severity: "medium",
    confidence: "high",
    cwe: [570, 571],
    description:
      "The comparison always has the same result: an unsigned number is never below zero, a `uint8` is never " +
      "above 255, a value always equals itself. A check that was meant to protect the code lets everything " +
      "through, or nothing.",
    remediation:
      "Write the intended condition: compare before subtracting (`a >= b` rather than `a - b >= 0`), use a " +
      "wider or a signed type, or compare with the other variable. Remove the condition if it is not needed.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#tautology-or-contradiction",
      "https://cwe.mitre.org/data/definitions/570.html",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.equality | Shape.ordering)) {
        const root = node.expression
        if (root === undefined) continue
        const { file } = node.callable.source
        const isUnchecked = node.unchecked || !flow.fn.source.version.checkedArithmetic
        let harmless = root.start
        walk(root, (e) => {
          if (e.kind !== "BinaryOperation") return true
          const isConnective = e.operator === "||" || e.operator === "&&"
          // A suppressed result of a payment is reported as an unchecked payment; what contains none was searched once.
          if (isConnective && e.end > harmless && pays(program, e)) return false
          if (isConnective) harmless = e.end
          const byType = outcomeByType(program, e, isUnchecked)
          const outcome = isConnective ? outcomeOfTwo(program, e) : (byType ?? outcomeOfSame(program, e))
          if (outcome === undefined) return true
          report({
            file,
            span: e,
            scope: node.callable.scope,
            message: `This comparison is always ${outcome}.`,
            // What no value of the type can violate is superfluous, unless a loop waits for it.
            ...(byType === undefined || isEndless(node, byType) ? {} : { severity: "low" as const }),
          })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Roles {
  mapping(bytes32 => address) holders;
  uint256 public rate;
  uint256 private turns;
  function holder(bytes32 role) public view returns (address) { return holders[role]; }
  function next() private returns (uint256) { return turns++; }
  function setRate(uint256 to) external {
    require(holder(keccak256("keeper")) == holder(keccak256("keeper"))); // FINDING
    rate = to;
  }
  function setOther(uint256 to) external {
    require(holder("keeper") == holder("chief") && next() == next());
    rate = to;
  }
}`,
      // A loop that never runs.
      `pragma solidity ^0.8.0;
contract Steps {
    uint256 public sum;
    function none(uint256 from) external { while (from < 0) sum += from; } // FINDING
}`,
      // Whatever the account is, it differs from one of the two.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Sweep {
    IToken immutable share;
    IToken reserve;
    address keeper;
    constructor(IToken s) { share = s; reserve = s; keeper = msg.sender; }
    function sweep(address token, address to) external {
        require(token != address(share) || token != address(reserve), "held"); // FINDING
        if (token != address(0) || token != address(this) || token != to) IToken(token).transfer(to, 2); // FINDING
        if (to == address(0) && to == address(this)) revert(); // FINDING
        if (msg.sender != keeper || address(0) != msg.sender) IToken(token).transfer(to, 1); // FINDING
    }
}`,
      // A loop that nothing ends, and others that something does.
      `pragma solidity ^0.8.0;
contract Steps {
    uint256 public sum;
    function down(uint256 from) external {
        unchecked {
            for (uint256 i = from; i >= 0; i--) sum += i; // FINDING
        }
    }
    function downTo(uint256 from) external {
        for (uint256 i = from; i >= 0; i--) { // FINDING
            sum += i;
            if (i == 0) break;
        }
    }
    function find(uint256 from) external view returns (uint256) {
        for (uint256 i = from; i >= 0; i--) { // FINDING
            if (i % 7 == 0) return i;
        }
        return 0;
    }
}`,
      `pragma solidity ^0.8.0;
contract Roles {
    enum State { Open, Closed, Paid }
    State state;
    uint256 public role;
    function set(uint256 to) external {
        require(to != 1 || to != 2); // FINDING
        if (to > 10 && to < 5) revert(); // FINDING
        require(state != State.Open || state != State.Paid); // FINDING
        require(to != 3 && to != 4 && (to < 2 || to > 4));
        role = to;
        state = State.Closed;
    }
}`,
      `pragma solidity ^0.8.0;
contract Limits {
    mapping(address => uint256) balances;
    uint8 constant MOST = 255;

    function take(uint256 amount) external {
        require(amount >= 0); // FINDING
        require(balances[msg.sender] - amount >= 0); // FINDING
        balances[msg.sender] -= amount;
    }

    function set(uint8 level) external pure returns (uint8) {
        if (level > MOST) revert(); // FINDING
        return level;
    }
}`,
      `pragma solidity ^0.4.24;
contract Auth {
    address owner;
    uint count;

    function same(address next) public {
        require(owner == owner); // FINDING
        owner = next;
    }

    function go(uint x) public {
        if (x > 3 || 1 == 1) count++; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
contract Limits {
  enum Role { A, B, C }
  function a(uint8 x) external pure returns (bool) { return x < 256; } // FINDING
  function b(uint8 x) external pure returns (bool) { return x < 0; } // FINDING
  function c(uint8 x) external pure returns (bool) { return x <= 255; } // FINDING
  function d(int8 x) external pure returns (bool) { return x <= -129; } // FINDING
  function e(int8 x) external pure returns (bool) { return x > -129; } // FINDING
  function f(int8 x) external pure returns (bool) { return x > 127; } // FINDING
  function g(int8 x) external pure returns (bool) { return x >= -128; } // FINDING
  function h(uint8 x) external pure returns (bool) { return x >= 256; } // FINDING
  function i(uint8 x) external pure returns (bool) { return x == 256; } // FINDING
  function j(int8 x) external pure returns (bool) { return x == -129; } // FINDING
  function k(uint8 x) external pure returns (bool) { return x != 256; } // FINDING
  function l(int8 x) external pure returns (bool) { return x != -129; } // FINDING
  function m(uint8 x, uint8 y) external pure returns (bool) { return x - y >= 0; } // FINDING
  function n(uint8 x) external pure returns (bool) { return x <= 5 && x >= 6; } // FINDING
  function o(uint8 x) external pure returns (bool) { return x == 5 && x == 6; } // FINDING
  function p(uint8 x) external pure returns (bool) { return x < 5 || x >= 5; } // FINDING
  function q(int8 x) external pure returns (bool) { return x < 0 || x >= 0; } // FINDING
  function r(int8 x) external pure returns (bool) { return x < -5 && x > 5; } // FINDING
  function s(Role x) external pure returns (bool) { return x != Role.A || x != Role.B; } // FINDING
  function t(Role x) external pure returns (bool) { return x == Role.A && x == Role.B; } // FINDING
}`,
      `pragma solidity ^0.7.0;
contract Sums {
  function a(uint8 x, uint8 y) external pure returns (bool) { return x + y >= 0; } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Ranges {
    uint256 public last;

    function set(uint256 to) external {
        if (to > 0 || to == 0) last = to; // FINDING
    }
}`,
      // Whatever the number is.
      `pragma solidity ^0.8.20;
contract Desk {
  function atMost(uint256 a) external pure returns (uint256) {
    require(a <= a); // FINDING
    return a;
  }
  function atLeast(uint256 a) external pure returns (uint256) {
    require(a >= a); // FINDING
    return a;
  }
}`,
    ],
    safe: [
      // Two accounts that a caller names may be the same.
      `pragma solidity ^0.8.20;
contract Pairs {
    mapping(address => uint256) held;
    function differ(address token, address to, address from) external {
        if (token != to || token != from) held[token] = 1;
    }
}`,
      // Accounts that are excluded one by one, and one of two that is admitted.
      `pragma solidity ^0.8.20;
contract Sweep {
    address immutable share;
    address reserve;
    address keeper;
    uint256 fee;
    uint256 least;
    mapping(address => uint256) held;
    function take(address token, address to) external {
        require(token != share && token != address(0));
        require(token != reserve || to != address(this));
        if (msg.sender != keeper && msg.sender != reserve) revert();
        if (to == address(0) || to == address(this)) revert();
        if (fee != least || fee != held[to]) held[token] = 0;
        if (held[to] != fee || held[to] != least) held[token] = 0;
    }
}`,
      `pragma solidity ^0.8.0;
contract Limits {
    int256 lowest;
    uint256 steps;
    uint8 constant BITS = 8;

    function take(int256 amount, uint8 level) external {
        require(amount >= 0);
        require(level < 255 && level > 0);
        lowest = amount;
        while (true) {
            if (++steps > 10) break;
        }
        if (BITS == 8) steps = 0;
    }
}`,
      `pragma solidity ^0.7.0;
contract Calls {
    uint256 last;

    function next() internal returns (uint256) {
        return ++last;
    }

    function differ() external returns (bool) {
        do {
            last--;
            if (last < 3) return false;
        } while (false);
        return next() == next();
    }
}`,
      `pragma solidity ^0.8.20;
contract Limits {
  enum Role { A, B, C }
  uint8 constant CAP = 10;
  function a(uint8 x) external pure returns (bool) { return x < 255; }
  function b(uint8 x) external pure returns (bool) { return x < 1; }
  function c(uint8 x) external pure returns (bool) { return x <= 254; }
  function d(int8 x) external pure returns (bool) { return x <= -128; }
  function e(int8 x) external pure returns (bool) { return x > -128; }
  function f(int8 x) external pure returns (bool) { return x > 126; }
  function g(int8 x) external pure returns (bool) { return x >= -127; }
  function h(uint8 x) external pure returns (bool) { return x >= 255; }
  function i(uint8 x) external pure returns (bool) { return x == 255 || x == 0; }
  function j(uint8 x) external pure returns (bool) { return x != 255 && x != 0; }
  function k() external pure returns (bool) { return CAP > 300; }
  function l(uint8 x, uint8 y) external pure returns (bool) { unchecked { return x - y >= 0; } }
  function m(uint8 x) external pure returns (bool) { return x <= 5 && x >= 5; }
  function n(uint8 x, uint8 y) external pure returns (bool) { return x < 5 && y > 10; }
  function o(Role x) external pure returns (bool) { return x == Role.A || x == Role.B; }
  function p(Role x) external pure returns (bool) { return x != Role.A && x != Role.B; }
  function q(Role x) external pure returns (bool) { return x != Role.A || x == Role.B; }
  function r(Role x) external pure returns (bool) { return x == Role.A || x != Role.B; }
}`,
      `pragma solidity ^0.7.0;
contract Sums {
  function a(uint8 x, uint8 y) external pure returns (bool) { return x - y >= 0; }
}`,
      `pragma solidity ^0.8.0;
contract Ranges {
    uint256 public last;

    function set(uint256 to, address payable who) external {
        require(to <= 5 && to >= 5 || to + to == last);
        if (who.send(1) || 1 == 1) last = 1;
    }

    function run(address target, bytes memory data) external {
        (bool done, ) = target.call(data);
        if (done || data.length == 1) last = 2;
    }
}`,
      // Limits by name, whose numbers are not known here; to ask the same twice is another mistake.
      `pragma solidity ^0.8.20;
library Bounds {
  uint256 internal constant LEAST = uint256(keccak256("least"));
  uint256 internal constant MOST = uint256(keccak256("most"));
}
contract Gate {
  enum Role { None, Guest, Host }
  Role role;
  uint256 public level;
  function raise(uint256 to) external {
    require(to > Bounds.LEAST && to < 100, "level");
    require(to >= 5 && to <= Bounds.MOST, "limit");
    level = to;
  }
  function isGuest() external view returns (bool) { return role == Role.Guest && role == Role.Guest; }
}`,
    ],
  },
}

/** Whether a loop goes on for as long as this is true, and nothing else ends it. */
const isEndless = (at: FlowNode, outcome: boolean): boolean => {
  if (!outcome || at.loop?.condition !== at) return false
  let ends = false
  walk(at.loop.node, (inner) => {
    ends ||= inner.kind === "BreakStatement" || inner.kind === "ReturnStatement"
    return !ends
  })
  return !ends
}

/** Whether it sends ether. */
const pays = (program: Program, e: S.Expression): boolean => {
  let found = false
  walk(e, (inner) => {
    const kind = inner.kind === "FunctionCall" ? program.callOf(inner)?.kind : undefined
    found ||= kind === "send" || kind === "call" || kind === "delegatecall"
    return !found
  })
  return found
}
