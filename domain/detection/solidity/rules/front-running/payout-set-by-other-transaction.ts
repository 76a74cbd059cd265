import type { Rule } from "../../../Rule.ts"
import { shutsOut } from "../../demands/demands.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { StateVariable } from "../../model.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { paymentsOf } from "../../questions/call/payments.ts"

export const payoutSetByOtherTransaction: Rule<Program> = {
  meta: {
    id: "evm/front-running/payout-set-by-other-transaction",
    class: "front-running",
    title: "Payment amount depends on transaction order",
    severity: "medium",
    // The dependence is certain; whether anyone gains by it is for the reader to judge.
    confidence: "medium",
    cwe: [362],
    swc: 114,
    description:
      "The caller is paid, or charged in tokens, an amount that another function can change at any time. Both " +
      "transactions wait in the mempool together: whoever sets the amount can see a claim coming and lower it " +
      "first, or someone who sees an increase can claim before everyone else. The caller does not get what they " +
      "saw when they signed.",
    remediation:
      "Let the caller state the expected amount and revert otherwise (`require(reward >= minReward)`), fix the " +
      "amount when the claim begins, or delay changes before they take effect.",
    references: [
      "https://swcregistry.io/docs/SWC-114",
      "https://consensys.github.io/smart-contract-best-practices/attacks/frontrunning/",
    ],
  },

  check: (program, report) => {
    let setters: ReadonlyMap<StateVariable, ReadonlyArray<Flow>> | undefined
    for (const flow of program.allFlows()) {
      for (const { event, amount } of transfersOf(flow)) {
        const { at } = event
        const variable = amountVariable(flow, amount, at)
        if (variable === undefined || isExpected(flow, variable, event) || flow.isRestricted(at)) continue
        setters ??= settersOf(program)
        const other = setters.get(variable)?.find((setter) => setter !== flow)
        if (other === undefined) continue
        const place = { file: event.at.callable.source.file, span: event.node }
        const write = other.writes.find((w) => w.place?.variables.includes(variable) === true)
        report({
          ...place,
          scope: event.at.callable.scope,
          // a fee in tokens is limited by the sender's approval
          ...(event.args.length >= 3
            ? { confidence: "low" as const, ...(isTrusted(other, write) ? { severity: "low" as const } : {}) }
            : {}),
          message: `\`${variable.name}\` can be set by \`${other.fn.scope}\`.`,
          ...(write === undefined
            ? {}
            : {
                trace: [
                  {
                    file: write.event.at.callable.source.file,
                    span: write.event.expression,
                    note: "set by another transaction",
                  },
                  { ...place, note: "paid out" },
                ],
              }),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.16;
contract Rewards {
    address public owner = msg.sender;
    bool public claimed;
    uint public reward;

    function setReward() public payable {
        require(!claimed);
        require(msg.sender == owner);
        owner.transfer(reward);
        reward = msg.value;
    }

    function claimReward(uint256 submission) public {
        require(!claimed);
        require(submission < 10);
        msg.sender.transfer(reward); // FINDING
        claimed = true;
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Buyback {
    address owner = msg.sender;
    uint256 public price;
    mapping(address => uint256) tokens;
    IERC20 coin;

    function buy() external {
        tokens[msg.sender] += 1;
        require(coin.transferFrom(msg.sender, owner, price)); // FINDING
    }

    function setPrice(uint256 p) external {
        require(msg.sender == owner);
        price = p;
    }

    function sell(uint256 amount) external {
        tokens[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount * price}(""); // FINDING
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract Fees {
    IERC20 immutable token;
    uint256 public fee;
    mapping(address => bool) member;

    constructor(IERC20 t) {
        token = t;
    }

    function setFee(uint256 to) external {
        fee = to;
    }

    function join() external {
        require(fee > 0);
        SafeERC20.safeTransferFrom(token, msg.sender, address(this), fee); // FINDING
        member[msg.sender] = true;
    }
}`,
      // Who sets the amount that the sender pays: the owner, or anyone.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Bonds {
  address immutable owner = msg.sender;
  IToken immutable token;
  uint256 bond;
  uint256 fee;
  constructor(IToken t) { token = t; }
  function setBond(uint256 to) external { require(msg.sender == owner); bond = to; }
  function setFee(uint256 to) external { fee = to; }
  function propose() external { require(token.transferFrom(msg.sender, address(this), bond)); } // FINDING
  function join() external { require(token.transferFrom(msg.sender, address(this), fee)); } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Buyback {
    address owner = msg.sender;
    uint256 public price;
    mapping(address => uint256) tokens;
    mapping(address => uint256) owed;

    function setPrice(uint256 p) external {
        require(msg.sender == owner);
        price = p;
    }

    function sell(uint256 amount, uint256 minPrice) external {
        require(price >= minPrice);
        tokens[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount * price}("");
        require(ok);
    }

    function withdraw() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}`,
      `pragma solidity ^0.8.0;
contract Fixed {
    address payable owner = payable(msg.sender);
    uint256 immutable reward;
    uint256 fees;

    constructor(uint256 r) {
        reward = r;
    }

    function claim() external {
        payable(msg.sender).transfer(reward);
    }

    function setFees(uint256 f) external {
        require(msg.sender == owner);
        fees = f;
    }

    function collect() external {
        require(msg.sender == owner);
        payable(msg.sender).transfer(fees);
    }
}`,
      `pragma solidity ^0.8.0;
interface IBook {
    function record(address who, uint256 id, uint256 amount) external;
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Pot {
    uint256 public pot;
    uint256 public due;
    uint256 public rate;
    uint256 public price;
    uint256 private hidden;
    address payable immutable owner = payable(msg.sender);
    mapping(address => uint256) held;
    IBook book;

    function add() external payable {
        pot += msg.value;
    }

    function close() external {
        due = 0;
    }

    function setRate(uint256 to) external {
        rate = to;
        price = to;
    }

    function _hide(uint256 to) internal {
        hidden = to;
    }

    function win() external {
        payable(msg.sender).transfer(pot + due + hidden);
    }

    function _pay() internal {
        payable(msg.sender).transfer(price);
    }

    function flush() external {
        owner.transfer(price);
        book.record(msg.sender, 1, price);
        require(book.transferFrom(owner, msg.sender, price));
    }

    function swap() external payable {
        payable(msg.sender).transfer(msg.value * rate);
    }

    function take() external {
        payable(msg.sender).transfer(held[msg.sender] * rate);
    }
}`,
    ],
  },
}

const isTrusted = (setter: Flow, write: Reached<StorageAccess> | undefined): boolean =>
  write !== undefined && shutsOut(setter, write.at)

/** Functions other than constructors that set a variable to a new amount. */
const settersOf = (program: Program): ReadonlyMap<StateVariable, ReadonlyArray<Flow>> => {
  const setters = new Map<StateVariable, Array<Flow>>()
  for (const flow of program.allFlows()) {
    if (!program.graph.isEntryPoint(flow.fn)) continue
    for (const { event, via, place } of flow.writes) {
      if (via.length > 0 || event.operation !== "assign" || event.value === undefined || place?.path !== "") continue
      if (!has(flow.origins(event.value, event.at), Source.parameter | Source.value)) continue
      for (const variable of place.variables) {
        const known = setters.get(variable)
        if (known === undefined) setters.set(variable, [flow])
        else known.push(flow)
      }
    }
  }
  return setters
}

/** Ether paid to the sender, and tokens taken from the sender, in this function's own text. */
const transfersOf = (flow: Flow): ReadonlyArray<{ readonly event: CallSite; readonly amount: Expr }> => [
  ...paymentsOf(flow).flatMap(({ event, via }) => {
    if (via.length > 0 || event.receiver === undefined || event.value === undefined) return []
    return has(flow.origins(event.receiver, event.at), Source.sender) ? [{ event, amount: event.value }] : []
  }),
  ...[...flow.calls()].flatMap((event) => {
    const amount = event.args[2]
    if (!/^(?:safeT|t)ransferFrom$/.test(event.name) || amount === undefined) return []
    // with `using`, the token itself is the first argument
    const [from, value] = event.args.length === 4 ? [event.args[1]!, event.args[3]!] : [event.args[0]!, amount]
    return only(flow.origins(from, event.at), Source.sender) ? [{ event, amount: value }] : []
  }),
]

/** The single variable that is the amount, not an entry of a table kept for the receiver. */
const amountVariable = (flow: Flow, e: Expr, at: FlowNode): StateVariable | undefined => {
  const amount = flow.origins(e, at)
  if (has(amount, Source.balance | Source.value) || amount.keys !== 0) return undefined
  return amount.state.find((v) => v.type.kind === "integer")
}

/** Whether the caller states the expected amount, and it is compared with the variable. */
const isExpected = (flow: Flow, variable: StateVariable, site: CallSite): boolean =>
  flow
    .facts(site.at)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        fact.right !== undefined &&
        [[fact.left, fact.right] as const, [fact.right, fact.left] as const].some(
          ([a, b]) => a.state.includes(variable) && has(b, Source.parameter),
        ),
    )
