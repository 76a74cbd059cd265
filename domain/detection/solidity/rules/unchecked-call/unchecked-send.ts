import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { isCallersLoss } from "../../questions/call/callersLoss.ts"
import { lostResult, type LostResult } from "../../questions/call/lostResult.ts"

export const uncheckedSend: Rule<Program> = {
  meta: {
    id: "evm/unchecked-call/unchecked-send",
    class: "unchecked-send",
    title: "Unchecked send()",
    severity: "medium",
    confidence: "high",
    cwe: [252],
    swc: 104,
    description:
      "`send` forwards 2,300 gas and returns `false` if the recipient rejects the ether, needs more gas, or the " +
      "balance is insufficient; it never reverts. Here, the result is not checked, so the contract records a " +
      "payment that was not made: a winner that is a contract gets nothing, and the ether stays in the contract " +
      "or goes to the next claimant.",
    remediation:
      "Revert on failure (`require(to.send(amount))`, or a call whose success is required), or record the " +
      "amount as owed and let the recipient withdraw it. Set flags such as `paid` only after success.",
    references: [
      "https://swcregistry.io/docs/SWC-104",
      "https://consensys.github.io/smart-contract-best-practices/development-recommendations/general/external-calls/",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.callKind !== "send") continue
        const lost = lostResult(flow, site)
        if (lost === undefined) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          message: messages[lost],
          ...(isCallersLoss(flow, site) ? { severity: "low" as const } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // What is refunded, and what was owed.
      `pragma solidity ^0.8.20;
import "./Shares.sol";
interface IShares { function burn(address from, uint256 amount) external; }
contract Funding is Shares {
  IShares immutable shares;
  mapping(address => uint256) paid;
  mapping(address => uint256) owed;
  function fund(uint256 most) external payable {
    paid[msg.sender] += most;
    payable(msg.sender).send(msg.value - most); // FINDING
  }
  function leave(uint256 amount) external {
    shares.burn(msg.sender, amount);
    payable(msg.sender).send(amount); // FINDING
  }
  function exit(uint256 amount) external {
    _burn(msg.sender, amount);
    payable(msg.sender).send(amount); // FINDING
  }
  function clear() external {
    uint256 amount = owed[msg.sender];
    owed[msg.sender] = 0;
    payable(msg.sender).send(amount); // FINDING
  }
  function part(uint256 amount) external {
    owed[msg.sender] -= amount;
    payable(msg.sender).send(amount); // FINDING
  }
  function all() external {
    uint256 amount = owed[msg.sender];
    delete owed[msg.sender];
    payable(msg.sender).send(amount); // FINDING
  }
}`,
      `pragma solidity ^0.4.18;
contract Lotto {
    bool public paidOut = false;
    address public winner;
    uint public prize;

    function pay() public {
        require(!paidOut);
        winner.send(prize); // FINDING
        paidOut = true;
    }
}`,
      `pragma solidity ^0.8.0;
contract Refunds {
    mapping(address => uint256) deposits;

    function refund(address payable to) external {
        uint256 amount = deposits[to];
        deposits[to] = 0;
        bool sent = to.send(amount); // FINDING
    }

    function refundAll(address payable to) external {
        if (!to.send(address(this).balance) || 1 == 1) { // FINDING
            revert();
        }
    }

    function refundOdd(address payable to) external {
        if (to.send(1 ether)) { // FINDING
            revert();
        }
        deposits[to] = 0;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.18;
contract Lotto {
    address public winner;
    uint public prize;
    mapping(address => uint) pending;
    event Failed(address to);

    function pay() public {
        if (!winner.send(prize)) throw;
    }

    function payOrKeep() public {
        if (!winner.send(prize)) pending[winner] += prize;
    }

    function tell() public returns (bool) {
        bool sent = winner.send(prize);
        if (!sent) Failed(winner);
        return sent;
    }
}`,
      `pragma solidity ^0.8.0;
contract Refunds {
    mapping(address => uint256) deposits;

    function must(bool done) private pure { require(done, "failed"); }

    function refund() external {
        uint256 amount = deposits[msg.sender];
        deposits[msg.sender] = 0;
        must(payable(msg.sender).send(amount));
    }

    function hand() external {
        payable(msg.sender).transfer(1 wei);
    }
}`,
    ],
  },
}

const messages: Record<LostResult, string> = {
  incomplete: "Nothing is sent here.",
  ignored: "The result is discarded.",
  unread: "The result is assigned to a variable that is never read.",
  "no effect": "The result is tested, but the function continues the same way in both cases.",
  inverted: "The function reverts if the ether was sent and continues if it was not.",
}
