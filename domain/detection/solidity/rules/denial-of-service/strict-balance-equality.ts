import type { Rule } from "../../../Rule.ts"
import { isZero } from "../../facts.ts"
import { has, Source } from "../../origins.ts"
import type { Program } from "../../program.ts"
import { Shape } from "../../shape.ts"
import { walk } from "../../visit.ts"

const balances = Source.balance | Source.tokenBalance | Source.otherBalance

export const strictBalanceEquality: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/strict-balance-equality",
    class: "strict-balance-equality",
    title: "Balance is compared for equality",
    severity: "medium",
    confidence: "medium",
    cwe: [697],
    swc: 132,
    description:
      "A decision asks whether a balance is exactly some number. Anyone can raise a contract's balance without calling a " +
      "function: with `selfdestruct`, as the receiver of block rewards, by paying the address before the contract exists, or with " +
      "a plain token transfer. One wei too much makes the equality false for ever, or true for the attacker.",
    remediation:
      "Keep the sum of what was paid in through the contract's own functions in a state variable and compare that. Where the balance " +
      "itself is needed, use `>=` or `<=`.",
    references: ["https://swcregistry.io/docs/SWC-132"],
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Game {
    uint256 constant TARGET = 7 ether;
    address public winner;

    function deposit() external payable {
        uint256 balance = address(this).balance;
        require(balance <= TARGET);
        if (balance == TARGET) { // FINDING
            winner = msg.sender;
        }
    }
}`,
      `pragma solidity ^0.4.24;
contract Box {
    constructor() public payable {}
}
contract Lock {
    uint total;

    function split() public payable {
        Box box = (new Box).value(msg.value)();
        assert(address(box).balance == msg.value); // FINDING
    }

    modifier exact() {
        require(this.balance == total); // FINDING
        _;
    }

    function open() public exact {
        total = 0;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Vault {
    IERC20 token;
    uint256 deposited;

    function check() external view returns (bool) {
        return token.balanceOf(address(this)) != deposited; // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Game {
    uint256 paidIn;
    address public winner;

    function deposit() external payable {
        paidIn += msg.value;
        if (paidIn == 7 ether) winner = msg.sender;
        require(address(this).balance >= paidIn);
    }

    function close() external view returns (bool) {
        return address(this).balance == 0;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
    IERC20 token;

    function pull(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transferFrom(msg.sender, address(this), amount));
        require(token.balanceOf(address(this)) - before == amount);
        require(token.balanceOf(address(this)) == before + amount);
        require(token.balanceOf(msg.sender) == 0);
    }
}`,
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.stepsWith(Shape.equality)) {
        if (node.expression === undefined || node.assembly !== undefined) continue
        walk(node.expression, (e) => {
          if (e.kind !== "BinaryOperation" || (e.operator !== "==" && e.operator !== "!=")) return true
          if (isZero(e.left) || isZero(e.right)) return true
          const sides = [flow.origins(e.left, node), flow.origins(e.right, node)]
          const own = sides.filter((side) => has(side, balances))
          // the difference of two balances is what arrived in between
          if (own.length !== 1 || own[0]!.calls.length > 1 || [e.left, e.right].some((side) => isDifference(side, own)))
            return true
          report({ file: node.callable.source.file, span: e, scope: node.callable.scope })
          return false
        })
      }
    }
  },
}

const isDifference = (e: { readonly kind: string; readonly operator?: string }, own: ReadonlyArray<unknown>): boolean =>
  own.length > 0 && e.kind === "BinaryOperation" && e.operator === "-"
