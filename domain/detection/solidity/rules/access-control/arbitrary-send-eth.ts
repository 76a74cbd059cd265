import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../effects.ts"
import type { Fact } from "../../facts.ts"
import { type Flow, sendsEther } from "../../flow.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { has, type Origins, Source } from "../../origins.ts"
import type { Program } from "../../program.ts"
import { arbitraryCallPath } from "../../questions/arbitraryCall.ts"
import { callSteps, placeOf, strangersPath } from "../../questions/attackerControl.ts"

/** Sources by which a condition on the way may make the payment somebody's due: paid for, drawn, proven, answered. */
const earning =
  Source.value |
  Source.blockEntropy |
  Source.hash |
  Source.recovered |
  Source.external |
  Source.lowLevel |
  Source.unknown |
  Source.gas |
  Source.code |
  Source.tokenBalance

/** Amounts that come with the caller or from another contract. */
const ownMoney = Source.value | Source.external | Source.lowLevel | Source.tokenBalance | Source.unknown | Source.gas

/** A condition about the caller, a table entry, or something only an eligible caller knows. */
const makesDue = (fact: Fact, literal: boolean): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((f) => makesDue(f, literal)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  return sides.some(
    (side) =>
      has(side, earning) ||
      // a draw; that some time has passed entitles nobody in particular
      (fact.operator === "==" && has(side, Source.timestamp | Source.blockNumber)) ||
      (side.keys & (Source.sender | Source.parameter | Source.txOrigin | Source.calldata)) !== 0 ||
      // a fixed sum handed out against a counter or a flag is a rule of the game
      (literal && has(side, Source.state)),
  )
}

/** The account's entry in some table goes down, now or afterwards, or is handed over in another contract. */
const isSettled = (flow: Flow, site: CallSite, parameters: ReadonlyArray<LocalVariable>): boolean => {
  const concerns = (o: Origins): boolean =>
    (o.keys & Source.sender) !== 0 || has(o, Source.sender) || o.parameters.some((p) => parameters.includes(p))
  for (const write of flow.writes) if (write.place !== undefined && concerns(write.place.keys)) return true
  for (const { event, at, via } of flow.externalCalls) {
    if (at === site.at || event.isStatic || !flow.dominates(at, site.at)) continue
    // in another function the arguments are not in terms of this one
    if (via.length > 0 || event.args.some((arg) => concerns(flow.origins(arg, event.at)))) return true
  }
  return false
}

/** Some condition on the way, in a loop or a branch that is over, is about the caller. */
const asksForSender = (flow: Flow, site: CallSite): boolean => {
  for (const node of flow.conditionNodes()) {
    if (node.expression === undefined || !flow.reaches(node, site.at)) continue
    const { sources, keys } = flow.origins(node.expression, node)
    if (((sources | keys) & Source.sender) !== 0 && (sources & Source.state) !== 0) return true
  }
  return false
}

/** A scalar that somebody's payment or turn is recorded in: it is written where the ether leaves. */
const writesAny = (flow: Flow, variables: ReadonlyArray<StateVariable>): boolean =>
  variables.length > 0 &&
  flow.writes.some((write) => write.place?.variables.some((v) => variables.includes(v)) === true)

export const arbitrarySendEth: Rule<Program> = {
  meta: {
    id: "evm/access-control/arbitrary-send-eth",
    class: "arbitrary-send-eth",
    title: "Anyone can have the contract's ether sent to them",
    severity: "high",
    // what entitles somebody to a payment can be written in ways that the conditions do not show
    confidence: "medium",
    cwe: [284, 862],
    swc: 105,
    description:
      "The function sends ether that belongs to the contract to an address that the caller chooses (a parameter, or the " +
      "caller), and nothing on the way checks that the caller may have it: no check of the caller, no balance of theirs " +
      "that goes down, no payment, signature or secret. Whoever calls it first takes the ether.",
    remediation:
      "Let only an owner or a role call the function, or pay out what the caller is owed: look up the caller's balance, " +
      "reduce it, then send exactly that.",
    references: ["https://swcregistry.io/docs/SWC-105"],
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Pot {
  receive() external payable {}
  function take(address payable to, uint256 amount) external {
    to.transfer(amount); // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract Pot {
  address owner = msg.sender;
  function () public payable {}
  function sweep() public {
    _send(msg.sender, this.balance);
  }
  function _send(address to, uint256 amount) private {
    require(to.call.value(amount)()); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Pot {
  uint256 public raised;
  function give() external payable { raised += msg.value; }
  function refund(address to) external {
    require(to != address(0));
    assembly {
      pop(call(gas(), to, selfbalance(), 0, 0, 0, 0)) // FINDING
    }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  address immutable owner = msg.sender;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw(address payable to, uint256 amount) external {
    balances[msg.sender] -= amount;
    to.transfer(amount);
  }
  function sweep(address payable to) external {
    _only();
    to.transfer(address(this).balance);
  }
  function forward(address payable to) external payable { to.transfer(msg.value); }
  function _only() private view { if (msg.sender != owner) revert(); }
}`,
      `pragma solidity ^0.8.20;
interface IWETH { function withdrawFrom(address from, uint256 amount) external; }
contract Router {
  IWETH immutable weth;
  mapping(bytes32 => bool) used;
  address signer;
  constructor(IWETH token, address by) { weth = token; signer = by; }
  function unwrap(uint256 amount, address payable to) external {
    weth.withdrawFrom(msg.sender, amount);
    to.transfer(amount);
  }
  function claim(address payable to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 h = keccak256(abi.encode(to, amount));
    require(!used[h]);
    require(ecrecover(h, v, r, s) == signer);
    used[h] = true;
    to.transfer(amount);
  }
}`,
      `pragma solidity ^0.4.24;
contract Beneficiary {
  address beneficiary;
  address token;
  function Beneficiary(address to) public { beneficiary = to; }
  function release() public { beneficiary.transfer(this.balance); }
}`,
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        const { receiver, value } = site
        if (receiver === undefined || value === undefined || !sendsEther(site)) continue
        if (site.callKind === "create" || !program.graph.isReachable(flow.fn)) continue
        const to = flow.origins(receiver, site.at)
        if (!has(to, Source.parameter | Source.calldata | Source.sender)) continue
        const path = strangersPath(flow, site.at, to, Source.parameter | Source.calldata | Source.sender)
        if (path === undefined || arbitraryCallPath(flow, site) !== undefined || isEarned(flow, site, path)) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          trace: [...callSteps(path), { ...placeOf(site), note: "ether leaves to an address of the caller's choice" }],
        })
      }
    }
  },
}

/** Whether something in this function or those on the way to it makes the payment the caller's due. */
const isEarned = (flow: Flow, site: CallSite, path: ReadonlyArray<CallSite>): boolean => {
  const amount = flow.origins(site.value!, site.at)
  const chosen = flow.origins(site.receiver!, site.at)
  if (has(amount, ownMoney)) return true
  const isLiteral = !has(amount, Source.balance | Source.parameter | Source.state)
  // an entry of a table: what the caller is owed (whether it is reduced is the business of other rules)
  if ((amount.keys & (Source.sender | Source.parameter | Source.calldata)) !== 0) return true
  if (flow.facts(site.at).some((fact) => makesDue(fact, isLiteral || has(chosen, Source.sender)))) return true
  if (flow.consumedAt(site.at).length > 0 || asksForSender(flow, site)) return true
  const parameters = [...amount.parameters, ...chosen.parameters]
  if (isSettled(flow, site, parameters) || writesAny(flow, amount.state)) return true
  return path.some((via) => {
    const caller = callerOf(flow.program, via)
    return (
      caller !== undefined &&
      (caller.facts(via.at).some((fact) => makesDue(fact, isLiteral || has(chosen, Source.sender))) ||
        caller.consumedAt(via.at).length > 0 ||
        isSettled(caller, via, parametersOf(caller, via)) ||
        via.args.some((arg) => {
          const o = caller.origins(arg, via.at)
          return has(o, ownMoney) || (has(o, Source.state) && (o.keys & (Source.sender | Source.parameter)) !== 0)
        }))
    )
  })
}

const parametersOf = (flow: Flow, site: CallSite): ReadonlyArray<LocalVariable> =>
  site.args.flatMap((arg) => flow.origins(arg, site.at).parameters)

/** The function in which a call of the path stands. */
const callerOf = (program: Program, site: CallSite): Flow | undefined => {
  const { callable } = site.at
  return callable.kind === "Function" ? program.flow(callable) : undefined
}
