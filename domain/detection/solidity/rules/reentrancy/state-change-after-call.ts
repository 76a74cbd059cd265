import type { Rule } from "../../../Rule.ts"
import { isTrustedCallee } from "../../access/checks/trustedCallee.ts"
import type { Program } from "../../program.ts"
import { callSteps, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { isGuarded, isSettledCallee, mayReenter, paysWithGas, staleWrite } from "../../questions/authority/callOut.ts"

export const stateChangeAfterCall: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/state-change-after-call",
    class: "reentrancy-eth",
    title: "State change after sending ether",
    severity: "high",
    confidence: "high",
    cwe: [841],
    swc: 107,
    description:
      "The function sends ether with a call that forwards all remaining gas to the recipient, and only " +
      "afterwards updates the state on which the payment was based. A receiving contract calls back into the " +
      "function before the update and is paid again, until the ether of all users is gone; this is how The DAO " +
      "was drained in 2016.",
    remediation:
      "Update the state before the call (checks-effects-interactions), or put a reentrancy lock on every " +
      "function that touches the same state. Prefer to let recipients withdraw their ether themselves.",
    references: [
      "https://swcregistry.io/docs/SWC-107",
      "https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      for (const call of flow.externalCalls) {
        if (!paysWithGas(program, call) || isSettledCallee(flow, call)) continue
        const write = staleWrite(flow, call)
        if (write === undefined || isGuarded(flow, call)) continue
        const variable = write.place?.variables[0]?.name ?? "storage"
        report({
          ...placeOf(ownCall(call)),
          scope: flow.fn.scope,
          message: `\`${variable}\` is written after this call.`,
          ...(call.event.receiver !== undefined && isTrustedCallee(flow, call) ? { severity: "low" as const } : {}),
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "ether is sent with all remaining gas" },
            ...callSteps(write.via),
            { ...placeOf(write.event), note: `\`${variable}\` is written afterwards` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // The owner has named the treasury, which could call back; anyone may name the other one.
      `pragma solidity ^0.8.20;
contract Fees {
  address owner = msg.sender;
  address treasury;
  address keeper;
  mapping(address => uint256) public fees;
  function setTreasury(address to) external { require(msg.sender == owner); treasury = to; }
  function setKeeper(address to) external { keeper = to; }
  function collect(address from) external {
    (bool ok, ) = treasury.call{value: fees[from]}(""); // FINDING
    require(ok);
    fees[from] = 0;
  }
  function take(address from) external {
    (bool ok, ) = keeper.call{value: fees[from]}(""); // FINDING
    require(ok);
    fees[from] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}(""); // FINDING
    require(ok, "failed");
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.4.19;
contract Bank {
  struct Account { uint256 amount; uint256 since; }
  mapping(address => Account) accounts;
  function pay(address to, uint256 amount) internal {
    require(to.call.value(amount)()); // FINDING
  }
  function withdraw(uint256 amount) public {
    var account = accounts[msg.sender];
    if (account.amount >= amount) {
      pay(msg.sender, amount);
      account.amount -= amount;
    }
  }
}`,
      `pragma solidity ^0.8.20;
library Pay {
  function send(address to, uint256 amount) internal { (bool ok, ) = to.call{value: amount}(""); require(ok); }
}
contract Bank {
  using Pay for address;
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external {
    msg.sender.send(balances[msg.sender]); // FINDING
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Named {
  struct Main { uint256 count; mapping(address => uint256) due; }
  Main main;
  function withdraw() external {
    require(main.due[msg.sender] > 0);
    main.count++;
    (bool ok, ) = msg.sender.call{value: main.due[msg.sender]}(""); // FINDING
    require(ok);
    main.due[msg.sender] = 0;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  bool private busy;
  modifier once() { require(!busy); busy = true; _; busy = false; }
  function withdraw() external once {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  function withdraw() external {
    uint256 amount = balances[msg.sender];
    balances[msg.sender] = 0;
    (bool ok, ) = msg.sender.call{value: amount}("");
    if (!ok) revert();
  }
}`,
      `pragma solidity ^0.6.0;
contract Bank {
  address payable owner = msg.sender;
  uint256 public paid;
  function _onlyOwner() internal view { require(owner == msg.sender); }
  function sweep() external {
    _onlyOwner();
    uint256 before = paid;
    (bool ok, ) = owner.call{value: address(this).balance}("");
    if (ok) paid = before + 1;
  }
}`,
      `pragma solidity ^0.8.20;
contract Named {
  struct Main { uint256 fee; address treasury; address last; uint256 count; mapping(address => uint256) due; }
  function main() private pure returns (Main storage s) { assembly { s.slot := 0x1234 } }
  function deposit() external payable { main().due[msg.sender] += msg.value; }
  function payFee() external {
    Main storage s = main();
    (bool ok, ) = s.treasury.call{value: s.fee}("");
    require(ok);
    s.last = msg.sender;
  }
}`,
      `pragma solidity ^0.8.20;
contract Named {
  struct Main { bool busy; mapping(address => uint256) due; }
  Main main;
  modifier lock() { require(!main.busy); main.busy = true; _; main.busy = false; }
  function withdraw() external lock {
    uint256 amount = main.due[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    main.due[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract Bank {
  address payable immutable treasury = payable(msg.sender);
  uint256 public owed = 1 ether;
  constructor(address to) payable { uint256 a = owed; (bool ok, ) = to.call{value: a}(""); require(ok); owed = 0; }
  function small(address payable to) external { uint256 a = owed; to.transfer(a); owed = 0; }
  function empty(IHook hook) external { uint256 a = owed; hook.ping(); owed = a - 1; }
  function settle() external { uint256 a = owed; (bool ok, ) = treasury.call{value: a}(""); require(ok); owed = 0; }
}`,
      `pragma solidity ^0.8.20;
contract Once {
  bool open = true;
  function unused(address to) private { require(open); (bool ok, ) = to.call{value: 1}(""); require(ok); open = false; }
}`,
    ],
  },
}
