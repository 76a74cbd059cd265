import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const retryableOrder: Rule<Program> = {
  meta: {
    id: "evm/logic/retryable-order",
    class: "retryable-order",
    title: "Retryable tickets assumed to execute in order",
    severity: "medium",
    confidence: "medium",
    cwe: [362],
    description:
      "The function creates more than one retryable ticket on Arbitrum. A ticket whose first execution fails, " +
      "for lack of gas or because the price rose, stays in the buffer, and anyone can redeem it later, so the " +
      "second ticket may run before the first: an attacker makes the first one fail and runs the action on " +
      "state that does not exist yet.",
    remediation:
      "Put all interdependent steps into one ticket, or have each step check on the other side that the " +
      "previous one has run.",
    references: [
      "https://docs.arbitrum.io/how-arbitrum-works/l1-to-l2-messaging",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#out-of-order-retryable-transactions",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn)) continue
      const tickets = flow.externalCalls.filter(isTicket)
      for (const second of tickets) {
        const first = tickets.find((ticket) => ticket !== second && flow.follows(ticket, second))
        if (first === undefined) continue
        report({
          ...placeOf(second.via[0] ?? second.event),
          scope: flow.fn.scope,
          trace: [
            { ...placeOf(first.event), note: "creates the first ticket" },
            { ...placeOf(second.event), note: "creates another one" },
          ],
        })
        break
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IInbox {
    function createRetryableTicket(address to, uint256 value, uint256 cost, address a, address b, uint256 gasLimit, uint256 fee, bytes calldata data) external payable returns (uint256);
}
contract Bridge {
    IInbox inbox;
    address other;
    constructor(IInbox i, address o) { inbox = i; other = o; }
    function move() external {
        inbox.createRetryableTicket(other, 0, 0, msg.sender, msg.sender, 1, 1, "claim");
        inbox.createRetryableTicket(other, 0, 0, msg.sender, msg.sender, 1, 1, "unstake"); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IInbox {
    function unsafeCreateRetryableTicket(address to, bytes calldata data) external payable returns (uint256);
}
contract Bridge {
    IInbox inbox;
    address other;
    constructor(IInbox i, address o) { inbox = i; other = o; }
    function first() internal { inbox.unsafeCreateRetryableTicket(other, "first"); }
    function move() external {
        first();
        inbox.unsafeCreateRetryableTicket(other, "second"); // FINDING
    }
}`,
      // Other functions that make tickets.
      `pragma solidity ^0.8.20;
interface IInbox { function createRetryableTicketNoRefundAliasRewrite(address to, uint256 value, bytes calldata data) external payable; }
interface IGateway { function outboundTransferCustomRefund(address token, address refund, address to, uint256 amount) external payable; }
contract Bridge {
  IInbox immutable inbox;
  IGateway immutable gateway;
  constructor(IInbox i, IGateway g) { inbox = i; gateway = g; }
  function both(address token, uint256 amount) external payable {
    gateway.outboundTransferCustomRefund{value: 1}(token, msg.sender, address(this), amount);
    inbox.createRetryableTicketNoRefundAliasRewrite{value: 1}(address(this), 0, ""); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IInbox {
    function createRetryableTicket(address to, bytes calldata data) external payable returns (uint256);
}
contract Bridge {
    IInbox inbox;
    address other;
    constructor(IInbox i, address o) { inbox = i; other = o; }
    function move(bool fast) external {
        if (fast) {
            inbox.createRetryableTicket(other, "fast");
        } else {
            inbox.createRetryableTicket(other, "slow");
        }
    }
    function again() external { inbox.createRetryableTicket(other, "again"); }
}`,
      `pragma solidity ^0.8.0;
interface IInbox {
    function createRetryableTicket(address to, bytes calldata data) external payable returns (uint256);
    function depositEth() external payable returns (uint256);
}
contract Bridge {
    IInbox inbox;
    constructor(IInbox i) { inbox = i; }
    function move() external payable {
        inbox.depositEth{value: msg.value}();
        inbox.createRetryableTicket(msg.sender, "one");
    }
}`,
      // One ticket for each transfer; none needs another one.
      `pragma solidity ^0.8.20;
interface IInbox {
  function createRetryableTicket(
    address to, uint256 value, uint256 maxSubmissionCost, address excessFeeRefundAddress,
    address callValueRefundAddress, uint256 gasLimit, uint256 maxFeePerGas, bytes calldata data
  ) external payable returns (uint256);
}
contract Bridge {
  IInbox immutable inbox;
  constructor(IInbox i) { inbox = i; }
  function sendAll(address[] calldata to, bytes[] calldata data) external payable {
    for (uint256 i = 0; i < to.length; i++)
      inbox.createRetryableTicket{value: msg.value / to.length}(to[i], 0, 1e15, msg.sender, msg.sender, 1e6, 1e9, data[i]);
  }
}`,
    ],
  },
}

/** Functions of Arbitrum's inbox and gateways that each create one retryable ticket. */
const ticketMakers = new Set([
  "createRetryableTicket",
  "unsafeCreateRetryableTicket",
  "createRetryableTicketNoRefundAliasRewrite",
  "outboundTransferCustomRefund",
])

const isTicket = ({ event }: Reached<CallSite>): boolean => ticketMakers.has(event.name)
