import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { handsOutEther, originsThrough } from "../../questions/authority/callOut.ts"

export const ownerCanDrain: Rule<Program> = {
  meta: {
    id: "evm/centralization/owner-can-drain",
    class: "centralization",
    title: "Privileged account can drain user deposits",
    // a matter of trust, not an attack by strangers
    severity: "low",
    confidence: "medium",
    cwe: [250],
    description:
      "Users deposit funds that the contract records as theirs, but a function restricted to a single " +
      "privileged account can send any amount anywhere, regardless of the records. Whoever holds or steals that " +
      "key can take everything, so users must trust it completely.",
    remediation:
      "Limit the function to what exceeds the recorded deposits, or put it behind a timelock and a multisig, so " +
      "that users can see a withdrawal coming and leave.",
    references: [
      "https://cwe.mitre.org/data/definitions/250.html",
      "https://docs.openzeppelin.com/contracts/5.x/access-control#delayed_operation",
    ],
  },
  check: (program, report) => {
    const holders = depositTakers(program)
    const reported = new Set<FunctionModel>()
    for (const flow of program.allFlows()) {
      const contract = flow.context
      if (contract === undefined || !program.graph.isEntryPoint(flow.fn) || !holders.has(contract)) continue
      for (const call of flow.externalCalls) {
        if (reported.has(flow.fn) || !paysAnything(flow, call) || !isByOneAccount(flow, call)) continue
        // what the records say is adjusted
        if (flow.writes.some(({ place }) => place !== undefined && place.path !== "")) continue
        reported.add(flow.fn)
        report({
          ...placeOf(call.event),
          scope: flow.fn.scope,
          trace: [...callSteps(call.via), { ...placeOf(call.event), note: "pays any amount" }],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  address owner = msg.sender;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external { uint256 a = balances[msg.sender]; balances[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function rescue(address payable to, uint256 amount) external {
    require(msg.sender == owner);
    to.transfer(amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Stake {
  IERC20 immutable token;
  address owner;
  mapping(address => uint256) staked;
  constructor(IERC20 t) { token = t; owner = msg.sender; }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function stake(uint256 amount) external { require(token.transferFrom(msg.sender, address(this), amount)); staked[msg.sender] += amount; }
  function take(uint256 amount) external onlyOwner {
    require(token.transfer(owner, amount)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract Vault {
  using SafeERC20 for IERC20;
  address payable owner = payable(msg.sender);
  uint256 last;
  mapping(address => uint256) deposits;
  modifier byOwner() { require(msg.sender == owner); _; }
  function join() external payable { deposits[msg.sender] = msg.value; }
  function twice() external byOwner {
    owner.transfer(address(this).balance / 2); // FINDING
    owner.transfer(address(this).balance);
  }
  function noted(uint256 amount) external byOwner {
    owner.transfer(amount); // FINDING
    last = block.timestamp;
  }
  function tokens(IERC20 token, uint256 amount) external byOwner {
    token.safeTransfer(owner, amount); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) public balances;
  uint256 public fees;
  address owner = msg.sender;
  function deposit() external payable { balances[msg.sender] += msg.value - 1; fees += 1; }
  function collect() external {
    require(msg.sender == owner);
    uint256 amount = fees;
    fees = 0;
    payable(owner).transfer(amount);
  }
  function refund(address payable who) external {
    require(msg.sender == owner);
    uint256 amount = balances[who];
    balances[who] = 0;
    who.transfer(amount);
  }
}`,
      `pragma solidity ^0.8.20;
contract Own {
  address owner = msg.sender;
  receive() external payable {}
  function sweep(address payable to) external {
    require(msg.sender == owner);
    to.transfer(address(this).balance);
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function approve(address to, uint256 amount) external returns (bool);
  function transfer(uint256 amount) external returns (bool);
}
contract Child { constructor() payable {} }
contract Vault {
  address payable owner = payable(msg.sender);
  uint256 fees;
  Child child;
  mapping(address => uint256) deposits;
  mapping(address => uint256) points;
  modifier byOwner() { require(msg.sender == owner); _; }
  function join() external payable { deposits[msg.sender] += msg.value; }
  function tip(uint256 amount) external { payable(msg.sender).transfer(amount); }
  function recorded(uint256 amount) external byOwner { deposits[owner] -= amount; owner.transfer(amount); }
  function some() external byOwner { owner.transfer(1 ether); }
  function earned() external byOwner { owner.transfer(fees); }
  function make(uint256 amount) external byOwner { child = new Child{value: amount}(); }
  function allow(IToken token, uint256 amount) external byOwner { token.approve(owner, amount); }
  function wrapped(IToken token, uint256 amount) external byOwner { token.transfer(amount); }
  function give(uint256 amount) external byOwner { transfer(owner, amount); }
  function transfer(address to, uint256 amount) internal { points[to] += amount; }
  function unused() private byOwner { owner.transfer(address(this).balance); }
}
contract Unpaid {
  address payable owner = payable(msg.sender);
  mapping(address => uint256) members;
  function join() external { members[msg.sender] = 1; }
  function sweep() external { require(msg.sender == owner); owner.transfer(address(this).balance); }
}
contract Gifts {
  address payable owner = payable(msg.sender);
  uint256 total;
  mapping(address => uint256) noted;
  function give() external payable { total += msg.value; delete noted[msg.sender]; }
  function sweep() external { require(msg.sender == owner); owner.transfer(address(this).balance); }
}
contract Own {
  address payable owner = payable(msg.sender);
  mapping(address => uint256) deposits;
  function fund() external payable { require(msg.sender == owner); deposits[msg.sender] += msg.value; }
  function sweep() external { require(msg.sender == owner); owner.transfer(address(this).balance); }
}`,
      // What was deposited stays: only the surplus leaves.
      `pragma solidity ^0.8.20;
contract Bank {
  address immutable owner = msg.sender;
  mapping(address => uint256) public deposits;
  uint256 public total;
  function deposit() external payable {
    deposits[msg.sender] += msg.value;
    total += msg.value;
  }
  function withdraw(uint256 amount) external {
    deposits[msg.sender] -= amount;
    total -= amount;
    payable(msg.sender).transfer(amount);
  }
  function sweep() external {
    require(msg.sender == owner, "owner");
    payable(owner).transfer(address(this).balance - total);
  }
}`,
    ],
  },
}

const tokenPayments = new Set(["transfer", "safeTransfer"])

/** The amount is the whole balance, or what the privileged caller says. */
const paysAnything = (flow: Flow, call: Reached<CallSite>): boolean => {
  const { event } = call
  const amount = handsOutEther(flow.program, call) && event.callKind !== "create" ? event.value : tokenAmount(event)
  if (amount === undefined) return false
  const o = originsThrough(flow, call, amount)
  return has(o, Source.balance | Source.tokenBalance | Source.parameter) && !has(o, Source.state | Source.value)
}

const tokenAmount = ({ name, args }: CallSite): CallSite["value"] =>
  tokenPayments.has(name) && args.length >= 2 ? args.at(-1) : undefined

const isByOneAccount = (flow: Flow, { at }: Reached<CallSite>): boolean =>
  flow.callerChecks(at).some(({ kind }) => kind === "owner")

/** Contracts in which anyone's payment is recorded as theirs. */
const depositTakers = (program: Program): ReadonlySet<ContractModel> => {
  const found = new Set<ContractModel>()
  for (const flow of program.allFlows()) {
    if (flow.context === undefined) continue
    const takesTokens = flow.externalCalls.some(({ event }) => /^(safe)?transferFrom$/i.test(event.name))
    if (flow.fn.mutability !== "payable" && !takesTokens) continue
    const records = flow.writes.some(
      ({ place, at, event }) =>
        place !== undefined &&
        (place.keys.sources & Source.sender) !== 0 &&
        (event.operation === "compound" || event.operation === "assign") &&
        !flow.isRestricted(at),
    )
    if (records) found.add(flow.context)
  }
  return found
}
