import { shutsOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite, Event } from "../../flow/graph/events.ts"
import type { Relation } from "../../flow/facts/facts.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, directCalls, placeOf } from "../../questions/authority/attackerControl.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"
import { isFlashCallback } from "../../questions/call/flashCallback.ts"

export const unprotectedCallback: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-callback",
    class: "unprotected-callback",
    title: "Callback does not verify its caller",
    severity: "high",
    confidence: "high",
    cwe: [346, 284],
    description:
      "The function is the callback through which a pool or lender continues a swap or flash loan. It pays, " +
      "trades or writes state without checking that `msg.sender` is that pool. Anyone can call it directly with " +
      "arbitrary data and make the contract pay a debt that does not exist, or run a strategy against itself.",
    remediation:
      "Check `msg.sender` first, against the pool address stored before the call or computed from the factory " +
      "(for Uniswap V3, `CallbackValidation.verifyCallback`). For flash loans, also check that the initiator is " +
      "this contract.",
    references: [
      "https://docs.uniswap.org/contracts/v3/guides/flash-integrations/flash-callback",
      "https://eips.ethereum.org/EIPS/eip-3156#security-considerations",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!isFlashCallback(flow.fn) || !program.graph.isEntryPoint(flow.fn)) continue
      const effect = firstEffect(flow)
      if (effect === undefined) {
        const call = forAnyInitiator(flow)
        if (call === undefined) continue
        report({
          ...placeOf(call.event),
          scope: flow.fn.scope,
          message: "The lender makes this call, but anyone can have started the loan: the initiator is not checked.",
          confidence: "medium",
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "the loan's data determines the call target" },
          ],
        })
        continue
      }
      report({
        ...placeOf(effect.event),
        scope: flow.fn.scope,
        trace: [
          { file: flow.fn.source.file, span: flow.fn.node.nameSpan, note: "anyone can call this" },
          ...callSteps(effect.via),
          { ...placeOf(effect.event), note: "runs for any caller" },
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Trader {
  function uniswapV3SwapCallback(int256 amount0, int256, bytes calldata data) external {
    address token = abi.decode(data, (address));
    IERC20(token).transfer(msg.sender, uint256(amount0)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Borrower {
  mapping(address => uint256) public profit;
  address owner = msg.sender;
  function onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes calldata) external returns (bytes32) {
    require(initiator == address(this), "not mine");
    _run(token, amount - fee);
    return keccak256("ERC3156FlashBorrower.onFlashLoan");
  }
  function _run(address token, uint256 amount) private {
    profit[token] += amount; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Borrower {
  address immutable lender;
  constructor(address l) { lender = l; }
  function executeOperation(address, uint256, uint256, address initiator, bytes calldata params) external returns (bool) {
    require(msg.sender == lender);
    (address target, bytes memory data) = abi.decode(params, (address, bytes));
    (bool ok, ) = target.call(data); // FINDING
    require(ok);
    return true;
  }
}`,
      // The name of a check is not a check, and what is done first is told.
      `pragma solidity ^0.8.20;
interface IHook { function run() external; }
contract Swaps {
  IHook immutable hook;
  uint256 public last;
  constructor(IHook h) { hook = h; }
  function uniswapV3SwapCallback(int256 amount, int256, bytes calldata) external {
    _checkPool();
    last = uint256(amount); // FINDING
    hook.run();
  }
  function pancakeV3SwapCallback(int256, int256, bytes calldata data) external {
    payable(abi.decode(data, (address))).transfer(1); // FINDING
  }
  function _checkPool() internal pure {}
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Trader {
  address immutable factory;
  constructor(address f) { factory = f; }
  function uniswapV3SwapCallback(int256 amount0, int256, bytes calldata data) external {
    (address token, uint24 fee) = abi.decode(data, (address, uint24));
    address pool = address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, keccak256(abi.encode(token, fee)))))));
    require(msg.sender == pool, "not the pool");
    IERC20(token).transfer(msg.sender, uint256(amount0));
  }
}`,
      `pragma solidity ^0.8.20;
contract Borrower {
  mapping(address => bool) lenders;
  mapping(address => uint256) public profit;
  address owner = msg.sender;
  function add(address lender) external { require(msg.sender == owner); lenders[lender] = true; }
  modifier fromLender() { require(lenders[msg.sender]); _; }
  function onFlashLoan(address, address token, uint256 amount, uint256, bytes calldata) external fromLender returns (bytes32) {
    profit[token] += amount;
    return keccak256("ERC3156FlashBorrower.onFlashLoan");
  }
}`,
      `pragma solidity ^0.8.20;
import {CallbackValidation} from "@uniswap/v3-periphery/contracts/libraries/CallbackValidation.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Router {
  address immutable factory;
  IERC20 immutable token;
  uint256 public swaps;
  constructor(address f, IERC20 t) { factory = f; token = t; }
  function uniswapV3SwapCallback(int256 paid, int256, bytes calldata data) external {
    (address a, address b, uint24 fee) = abi.decode(data, (address, address, uint24));
    CallbackValidation.verifyCallback(factory, a, b, fee);
    swaps++;
    token.transfer(msg.sender, uint256(paid));
  }
}`,
      // Nothing is done, or a helper asks who started the loan.
      `pragma solidity ^0.8.20;
interface IFeed { function read() external view returns (uint256); function run() external; }
contract Borrower {
  address immutable lender;
  IFeed immutable feed;
  uint256 public last;
  constructor(address l, IFeed f) { lender = l; feed = f; }
  function uniswapV3SwapCallback(int256, int256, bytes calldata) external view { feed.read(); }
  function onFlashLoan(address initiator, address, uint256, uint256, bytes calldata data) external returns (bytes32) {
    require(msg.sender == lender);
    _own(initiator);
    IFeed(abi.decode(data, (address))).run();
    return keccak256("ERC3156FlashBorrower.onFlashLoan");
  }
  function _own(address who) private view { require(who == address(this)); }
}
contract Reader {
  address immutable lender;
  constructor(address l) { lender = l; }
  function onFlashLoan(address, address, uint256, uint256, bytes calldata data) external returns (bytes32) {
    require(msg.sender == lender);
    require(IFeed(abi.decode(data, (address))).read() > 0);
    return keccak256("ERC3156FlashBorrower.onFlashLoan");
  }
}`,
    ],
  },
}

const verifies = /^_?(verify|validate|check)\w*(Callback|Caller|Sender|Pool|Pair)$/

/** The first effect that requires a check of the caller's identity. */
const firstEffect = (flow: Flow): Reached<Event> | undefined => {
  // `CallbackValidation.verifyCallback(factory, …)`, if the library has no source
  const unseen = flow.calls().find((site) => site.target === undefined && verifies.test(site.name))
  const open = (at: FlowNode): boolean =>
    !shutsOut(flow, at) && (unseen === undefined || !flow.dominates(unseen.at, at))
  const effects: Array<Reached<Event>> = [...flow.externalCalls.filter(({ event }) => !event.isStatic), ...flow.writes]
  return effects.toSorted((a, b) => a.at.id - b.at.id).find(({ at }) => open(at))
}

/** The parameter that identifies the initiator of the loan: Aave's `executeOperation`, ERC-3156's `onFlashLoan`. */
const initiatorAt = new Map([
  ["executeOperation", 3],
  ["onFlashLoan", 0],
])

/** A call to a contract named in the loan's data, whoever started the loan. */
const forAnyInitiator = (flow: Flow): Reached<CallSite> | undefined => {
  const { name, parameters } = flow.fn
  const index = initiatorAt.get(name)
  const initiator = index === undefined ? undefined : parameters[index]
  const data = parameters.at(-1)
  if (initiator?.type.kind !== "address" || data?.type.kind !== "bytes") return undefined
  const isAsked = flow
    .conditionNodes()
    .some((node) => flow.origins(node.expression!, node).parameters.includes(initiator))
  if (isAsked) return undefined
  return directCalls(flow).find(
    (call) =>
      !call.event.isStatic &&
      call.event.receiver !== undefined &&
      originsThrough(flow, call, call.event.receiver).parameters.includes(data) &&
      !flow.facts(call.at).some((fact) => fact.kind === "any" || isAbout(fact, initiator)),
  )
}

const isAbout = ({ left, right }: Relation, parameter: LocalVariable): boolean =>
  [left, right].some((side) => side !== undefined && [...side.parameters, ...side.keyParameters].includes(parameter))
