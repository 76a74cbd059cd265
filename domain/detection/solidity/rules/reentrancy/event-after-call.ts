import type { Rule } from "../../../Rule.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { calleeOf, isGuarded, mayReenter, staleWrite } from "../../questions/authority/callOut.ts"

export const eventAfterCall: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/event-after-call",
    class: "reentrancy-events",
    title: "Event emitted after an external call",
    severity: "informational",
    confidence: "medium",
    cwe: [841],
    swc: 107,
    description:
      "The function emits an event after calling a contract that the caller can choose. If that contract calls " +
      "back, the events of the inner call come first, so the log shows a different order than what happened. " +
      "Indexers, bridges and accounting systems that replay the log then compute wrong balances.",
    remediation: "Emit the event before the call, together with the state change it reports, or use a reentrancy lock.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#reentrancy-vulnerabilities-3"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      const call = flow.externalCalls.find(
        (candidate) =>
          canReenter(candidate.event) &&
          candidate.event.callKind !== "delegatecall" &&
          calleeOf(flow, candidate) === "stranger" &&
          !isGuarded(flow, candidate),
      )
      if (call === undefined || staleWrite(flow, call) !== undefined) continue
      for (const site of flow.calls()) {
        if (site.callKind !== "event" || !flow.follows(call, site)) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          trace: [
            { ...placeOf(call.event), note: "a contract chosen by the caller runs" },
            { ...placeOf(site), note: "the event is emitted afterwards" },
          ],
        })
        break
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract Counter {
  uint256 count;
  event Counted(uint256 count);
  function bump(IHook hook) external {
    count += 1;
    hook.ping();
    emit Counted(count); // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract Bank {
  mapping(address => uint) balances;
  event Paid(address to, uint amount);
  function withdraw() public {
    uint amount = balances[msg.sender];
    balances[msg.sender] = 0;
    require(msg.sender.call.value(amount)());
    Paid(msg.sender, amount); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract Counter {
  uint256 count;
  event Counted(uint256 count);
  function bump(IHook hook) external {
    count += 1;
    emit Counted(count);
    hook.ping();
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Payer {
  IToken immutable token;
  bool busy;
  event Paid(address to, uint256 amount);
  constructor(IToken t) { token = t; }
  function pay(address to, uint256 amount) external { require(token.transfer(to, amount)); emit Paid(to, amount); }
  function poke(IToken other) external {
    require(!busy);
    busy = true;
    require(other.transfer(msg.sender, 1));
    emit Paid(msg.sender, 1);
    busy = false;
  }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract Counter {
  uint256 count;
  event Counted(uint256 count);
  constructor(IHook hook) { hook.ping(); emit Counted(0); }
  function refund(address payable to) external { to.transfer(1 wei); emit Counted(1); }
  function run(address code) external { (bool ok, ) = code.delegatecall(""); require(ok); emit Counted(1); }
  function once(IHook hook) external { require(count == 0); hook.ping(); count = 1; emit Counted(1); }
  function quiet(IHook hook) external { hook.ping(); check(); }
  function check() internal view { require(count > 0); }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
contract Counter {
  event Counted(uint256 count);
  function unused(IHook hook) private { hook.ping(); emit Counted(1); }
}`,
    ],
  },
}
