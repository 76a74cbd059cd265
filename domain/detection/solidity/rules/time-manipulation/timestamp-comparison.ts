import type { Rule } from "../../../Rule.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { blockDataIn } from "../../questions/value/blockDataIn.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { paymentAfter } from "../../questions/call/payments.ts"
import { walk } from "../../visit.ts"

export const timestampComparison: Rule<Program> = {
  meta: {
    id: "evm/time-manipulation/timestamp-comparison",
    class: "timestamp",
    title: "Block timestamp decides an outcome",
    severity: "low",
    // most comparisons with the time are intended and tolerate some seconds
    confidence: "low",
    cwe: [829],
    swc: 116,
    description:
      "The function compares `block.timestamp` with a limit and pays or responds accordingly. The proposer of a " +
      "block sets its time and can move it by a few seconds, so near the limit it can decide on which side a " +
      "transaction falls: the last one in time, or the first one after.",
    remediation:
      "Make sure that a difference of 15 seconds does no harm; otherwise, lengthen the window or count blocks. " +
      "Keep dates in storage or constructor arguments rather than in the code.",
    references: [
      "https://swcregistry.io/docs/SWC-116",
      "https://consensys.github.io/smart-contract-best-practices/development-recommendations/solidity-specific/timestamp-dependence/",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if ((blockDataIn(flow) & Source.timestamp) === 0) continue
      for (const node of flow.stepsWith(Shape.ordering)) {
        if (node.expression === undefined) continue
        let told = false
        walk(node.expression, (e) => {
          if (told) return false
          if (e.kind !== "BinaryOperation" || !orders.has(e.operator)) return true
          const message = concern(flow, e, node)
          if (message === undefined || flow.isRestricted(node)) return true
          // the two ends of one window are a single decision
          told = true
          report({ file: node.callable.source.file, span: e, scope: node.callable.scope, message })
          return false
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Game {
    uint last;

    function claim() public {
        if (now - last > 24 hours) { // FINDING
            msg.sender.transfer(this.balance);
        }
    }

    function bid() public payable {
        last = now;
    }
}`,
      `pragma solidity ^0.8.0;
contract Sale {
    uint256 constant WINDOW = 1 minutes;
    uint256 lastBid;
    address leader;

    function isOver() public view returns (bool) {
        return block.timestamp >= 1735689600; // FINDING
    }

    function settle() external {
        require(block.timestamp > lastBid + WINDOW); // FINDING
        leader = msg.sender;
    }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 start;
  uint256 public sold;
  function a() external { if (block.timestamp < start + 60) sold += 1; } // FINDING
  function b() external { if (block.timestamp <= start + 900) sold += 1; } // FINDING
  function c() external { if (start + 60 >= block.timestamp) sold += 1; } // FINDING
  function d() external { if (block.timestamp > 1000000000) sold += 1; } // FINDING
}`,
      // One decision, once, and what is never reached decides nothing.
      `pragma solidity ^0.8.20;
contract Prize {
  uint256 start = block.timestamp + 1 days;
  uint256 end = block.timestamp + 2 days;
  receive() external payable {}
  function claim() external {
    require(
      block.timestamp > start && // FINDING
      block.timestamp < end
    );
    payable(msg.sender).transfer(1);
    return;
    if (block.timestamp > end) payable(msg.sender).transfer(2);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Router {
    mapping(address => uint256) public points;

    modifier ensure(uint256 deadline) {
        require(deadline >= block.timestamp, "expired");
        _;
    }

    function swap(address payable to, uint256 deadline) external payable ensure(deadline) {
        to.transfer(msg.value);
    }
}`,
      `pragma solidity ^0.8.0;
contract Vesting {
    address immutable owner = msg.sender;
    uint256 public end;
    uint256 public claimed;

    constructor(uint256 duration) {
        end = block.timestamp + duration;
    }

    function finish() external {
        require(block.timestamp >= end);
        claimed = 1;
    }

    function sweep(address payable to) external {
        require(msg.sender == owner);
        require(block.timestamp >= end);
        to.transfer(address(this).balance);
    }
}`,
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 start;
  uint256 rate;
  uint256 public sold;
  function long() external { if (block.timestamp < start + 901) sold += 1; }
  function small() external { if (block.timestamp > 500000) sold += 1; }
  function large() external { if (block.timestamp > 10000000000) sold += 1; }
  function none() external { if (block.timestamp > start + 0) sold += 1; }
  function same() external { if (block.timestamp == start + 60) sold += 1; }
  function given(uint256 until) external { if (until < block.timestamp) sold += 60; }
  function other(uint256 n) external { if (rate <= 60) sold += n + block.timestamp; }
  function lot() external { if (uint256(keccak256(abi.encode(block.timestamp))) % 900 < 60) sold += 1; }
  function drawn() external { if (60 > uint256(keccak256(abi.encode(block.timestamp))) % 900) sold += 1; }
  function owed() external { if ((block.timestamp - start) * rate > 0) payable(msg.sender).transfer(1); }
  function due() external { if (0 < (block.timestamp - start) * rate) payable(msg.sender).transfer(1); }
}`,
      // Callers set the deadline; a power of two is not a date.
      `pragma solidity ^0.8.20;
contract Sale {
  uint256 public price = 1 ether;
  function refund(uint256 deadline) external {
    require(block.timestamp <= deadline, "late");
    payable(msg.sender).transfer(price);
  }
  function stamp() external view returns (uint40) {
    require(block.timestamp < 2 ** 40, "too large");
    return uint40(block.timestamp);
  }
}`,
    ],
  },
}

/** Seconds within which a proposer's choice of the time matters; blocks are some 12 s apart. */
const shortWindow = 900n

/** Later than 2001: a number this large is a date rather than a duration. */
const firstDate = 1_000_000_000n

const orders = new Set(["<", "<=", ">", ">="])

/** Why the comparison deserves a look, or undefined. */
const concern = (flow: Flow, e: S.BinaryOperation, node: FlowNode): string | undefined => {
  // a price or amount derived from the time is tested for existence
  if (isZero(e.left) || isZero(e.right)) return undefined
  const [left, right] = [flow.origins(e.left, node), flow.origins(e.right, node)]
  const leftIsTime = has(left, Source.timestamp)
  const other = leftIsTime ? right : left
  if (!leftIsTime && !has(right, Source.timestamp)) return undefined
  // a deadline that callers set for themselves; a number drawn from the time is a different matter
  if (only(other, Source.parameter | Source.calldata) || has(left, Source.hash) || has(right, Source.hash))
    return undefined
  const numbers = numbersIn(flow, e)
  if (numbers.some((n) => n >= firstDate && n < firstDate * 10n))
    return "The timestamp is compared with a hard-coded date."
  if (numbers.some((n) => n > 0n && n <= shortWindow)) return "The window is so short that a few seconds matter."
  return paymentAfter(flow, node) === undefined ? undefined : "The comparison decides whether ether is paid out."
}

const numbersIn = (flow: Flow, e: S.Expression): ReadonlyArray<bigint> => {
  const numbers: Array<bigint> = []
  walk(e, (inner) => {
    if (inner.kind !== "Literal" && inner.kind !== "Identifier" && inner.kind !== "BinaryOperation") return true
    const value = constantNumber(flow.program, inner)
    if (value === undefined) return true
    numbers.push(value)
    return false
  })
  return numbers
}
