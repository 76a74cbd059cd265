import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"

export const repeatablePayout: Rule<Program> = {
  meta: {
    id: "evm/logic/repeatable-payout",
    class: "arbitrary-send-eth",
    title: "Balance paid out without being reduced",
    severity: "high",
    confidence: "high",
    cwe: [841, 840],
    description:
      "The function sends the caller the amount recorded for them without changing that record or any other " +
      "state. The same balance can be paid out repeatedly: an attacker deposits a little and calls the function " +
      "until everyone's ether is gone.",
    remediation:
      "Set the balance to zero, or reduce it by what is paid, before the payment: " +
      "`uint amount = balances[msg.sender]; balances[msg.sender] = 0; payable(msg.sender).transfer(amount);`",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/840.html"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn) || flow.writes.length > 0) continue
      for (const call of flow.externalCalls) {
        const { event, at } = call
        if (event.value === undefined || event.receiver === undefined) continue
        const amount = originsThrough(flow, call, event.value)
        const isEntry = only(amount, Source.state) && (amount.keys & Source.sender) !== 0
        const bound = isEntry ? amount.state : only(amount, Source.parameter) ? entriesAsked(flow, at) : []
        const variable = isEntry ? bound[0] : bound.find((v) => isDepositTable(program, v))
        if (variable === undefined) continue
        const to = originsThrough(flow, call, event.receiver)
        if (!has(to, Source.sender | Source.parameter) || flow.isRestricted(at) || settlesElsewhere(flow, call))
          continue
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          message: `${variable.name} keeps its value.`,
          trace: [...callSteps(call.via), { ...placeOf(event), note: "paid without recording it" }],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Wallet {
  mapping(address => uint256) balances;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function refund() public {
    msg.sender.transfer(balances[msg.sender]); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  struct Account { uint256 amount; uint256 since; }
  mapping(address => Account) accounts;
  event Paid(address to, uint256 amount);
  function deposit() public payable { accounts[msg.sender].amount += msg.value; }
  function withdraw(address payable to) public {
    Account storage account = accounts[msg.sender];
    require(account.amount > 0 && account.since < block.timestamp);
    _pay(to, account.amount);
    emit Paid(to, account.amount);
  }
  function _pay(address payable to, uint256 amount) private {
    (bool ok, ) = to.call{value: amount}(""); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  mapping(address => uint256) balances;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function withdraw(uint256 amount) public {
    require(balances[msg.sender] >= amount);
    payable(msg.sender).transfer(amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
interface IGate {
    function isOpen() external view returns (bool);
    function told(address who) external;
}
contract Rewards {
    mapping(address => uint256) public rewards;
    IGate gate;

    function grant(address who, uint256 amount) external {
        rewards[who] = amount;
    }

    function claim() external {
        require(gate.isOpen());
        payable(msg.sender).transfer(rewards[msg.sender]); // FINDING
        gate.told(msg.sender);
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Wallet {
  mapping(address => uint256) balances;
  mapping(address => bool) paid;
  address owner = msg.sender;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function withdraw() public {
    uint256 amount = balances[msg.sender];
    delete balances[msg.sender];
    payable(msg.sender).transfer(amount);
  }
  function once() public {
    require(!paid[msg.sender]);
    paid[msg.sender] = true;
    payable(msg.sender).transfer(balances[msg.sender]);
  }
  function sweep() public { require(msg.sender == owner); payable(msg.sender).transfer(balances[msg.sender]); }
}`,
      `pragma solidity ^0.8.20;
interface IShares { function burn(address who, uint256 amount) external; }
contract Redeem {
  IShares immutable shares;
  mapping(address => uint256) rate;
  constructor(IShares s) { shares = s; }
  function redeem(uint256 amount) external {
    shares.burn(msg.sender, amount);
    payable(msg.sender).transfer(amount * rate[msg.sender]);
  }
}`,
      `pragma solidity ^0.8.0;
interface IShares {
    function burnFrom(address who, uint256 amount) external;
}
contract Fund {
    mapping(address => uint256) public held;
    mapping(address => uint256) public limit;
    address payable immutable owner = payable(msg.sender);
    uint256 drip = 1;
    IShares shares;

    function put() external payable {
        held[msg.sender] += msg.value;
    }

    function setLimit(address who, uint256 to) external {
        require(msg.sender == owner);
        limit[who] = to;
    }

    function _pay() internal {
        payable(msg.sender).transfer(held[msg.sender]);
    }

    function withdraw() external {
        _pay();
        held[msg.sender] = 0;
    }

    function sample() external {
        payable(msg.sender).transfer(drip);
    }

    function borrow(uint256 amount) external {
        require(limit[msg.sender] >= amount);
        payable(msg.sender).transfer(amount);
    }

    function forward() external {
        owner.transfer(held[msg.sender]);
    }

    function redeem() external {
        shares.burnFrom(msg.sender, held[msg.sender]);
        payable(msg.sender).transfer(held[msg.sender]);
    }
}`,
    ],
  },
}

/** Whether another contract is called first, which may take what the caller hands in. */
const settlesElsewhere = (flow: Flow, call: Reached<CallSite>): boolean =>
  flow.externalCalls.some(({ event, at }) => event !== call.event && !event.isStatic && flow.dominates(at, call.at))

/** Tables whose entry for the sender is compared on the way: `require(balances[msg.sender] >= amount)`. */
const entriesAsked = (flow: Flow, at: FlowNode): ReadonlyArray<StateVariable> =>
  flow
    .facts(at)
    .flatMap((fact) => (fact.kind === "any" ? [] : [fact.left, fact.right]))
    .flatMap((side) =>
      side !== undefined && only(side, Source.state) && (side.keys & Source.sender) !== 0 ? side.state : [],
    )

const depositMemo = new WeakMap<Program, ReadonlySet<StateVariable>>()

/** Payments by senders that are added to their entry. */
const isDepositTable = (program: Program, variable: StateVariable): boolean => {
  let found = depositMemo.get(program)
  if (found === undefined) {
    const tables = new Set<StateVariable>()
    for (const flow of program.allFlows()) {
      for (const { place, event, via, at } of flow.writes) {
        if (via.length > 0 || event.value === undefined) continue
        if (has(flow.origins(event.value, at), Source.value)) for (const v of place?.variables ?? []) tables.add(v)
      }
    }
    depositMemo.set(program, (found = tables))
  }
  return found.has(variable)
}
