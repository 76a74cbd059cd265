import type { Rule } from "../../../Rule.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { handsOutEther, isGuarded, mayReenter, staleWrite } from "../../questions/authority/callOut.ts"

export const stateChangeAfterTransfer: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/state-change-after-transfer",
    class: "reentrancy-eth",
    title: "State change after a transfer with a 2,300 gas stipend",
    // exploitable only if the stipend suffices for a callback
    severity: "low",
    confidence: "medium",
    cwe: [841],
    swc: 107,
    description:
      "The function pays with `transfer` or `send` and only afterwards updates the state on which the payment " +
      "was based. Only the stipend of 2,300 gas prevents the recipient from calling back. Gas prices change " +
      "with forks (EIP-1884, EIP-2929), other chains have different prices, and once someone replaces " +
      "`transfer` with `call` to support contract wallets, the function can be drained.",
    remediation:
      "Update the state before the payment (checks-effects-interactions), or put a reentrancy lock on every " +
      "function that touches the same state.",
    references: [
      "https://swcregistry.io/docs/SWC-107",
      "https://consensys.io/diligence/blog/2019/09/stop-using-soliditys-transfer-now/",
      "https://eips.ethereum.org/EIPS/eip-1884",
    ],
  },
  check: (program, report) => {
    const reported = new Set<FunctionModel>()
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      for (const call of flow.externalCalls) {
        if (canReenter(call.event) || !handsOutEther(program, call) || call.event.callKind === "create") continue
        const write = staleWrite(flow, call)
        if (write === undefined || isGuarded(flow, call)) continue
        // what follows in the same function is the same mistake
        if (reported.has(flow.fn)) continue
        reported.add(flow.fn)
        const variable = write.place?.variables[0]?.name ?? "storage"
        report({
          ...placeOf(call.event),
          scope: flow.fn.scope,
          message: `\`${variable}\` is written after this payment.`,
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "ether is sent with 2,300 gas" },
            ...callSteps(write.via),
            { ...placeOf(write.event), note: `\`${variable}\` is written afterwards` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.5.0;
contract Bank {
  mapping(address => uint256) owed;
  function () external payable { owed[msg.sender] += msg.value; }
  function claim() public {
    require(owed[msg.sender] > 0);
    uint256 amount = owed[msg.sender];
    msg.sender.transfer(amount); // FINDING
    owed[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.4.24;
contract Once {
  bool open = true;
  address winner = msg.sender;
  function take() public {
    require(open);
    if (!winner.send(1 ether)) { // FINDING
      revert();
    }
    open = false;
  }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
  mapping(address => uint256) owed;
  address payable immutable treasury = payable(msg.sender);
  receive() external payable { owed[msg.sender] += msg.value; }
  function claim() public {
    uint256 amount = owed[msg.sender];
    treasury.transfer(amount / 100); // FINDING
    payable(msg.sender).transfer(amount - amount / 100);
    owed[msg.sender] = 0;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Bank {
  mapping(address => uint256) owed;
  receive() external payable { owed[msg.sender] += msg.value; }
  function claim() public {
    uint256 amount = owed[msg.sender];
    owed[msg.sender] = 0;
    payable(msg.sender).transfer(amount);
  }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
  address payable owner = payable(msg.sender);
  uint256 public total;
  bool busy;
  modifier single() { require(!busy); busy = true; _; busy = false; }
  receive() external payable { total += msg.value; }
  function sweep() public {
    require(msg.sender == owner);
    owner.transfer(total);
    total = 0;
  }
  function push() public single {
    owner.transfer(total);
    total = 0;
  }
}`,
      `pragma solidity ^0.8.0;
interface IOracle { function price() external view returns (uint256); }
contract Child { constructor() payable {} }
contract Once {
  bool open = true;
  uint256 total;
  Child child;
  constructor(address payable to) payable { require(open); to.transfer(1 wei); open = false; }
  function viaCall() public {
    require(open);
    (bool ok, ) = msg.sender.call{value: 1 wei}("");
    require(ok);
    open = false;
  }
  function viaChild() public { require(open); child = new Child{value: 1 wei}(); open = false; }
  function ask(IOracle oracle) public { uint256 before = total; uint256 p = oracle.price(); total = before + p; }
}`,
      `pragma solidity ^0.8.0;
contract Once {
  bool open = true;
  function unused(address payable to) private { require(open); to.transfer(1 wei); open = false; }
}`,
    ],
  },
}
