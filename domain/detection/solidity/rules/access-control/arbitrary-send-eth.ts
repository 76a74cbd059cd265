import type { Rule } from "../../../Rule.ts"
import { sendsEther } from "../../flow/events/outgoingCalls.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { arbitraryCallPath } from "../../questions/call/arbitraryCall.ts"
import {
  callSteps,
  directCalls,
  isLibraryFunction,
  placeOf,
  strangersPath,
} from "../../questions/authority/attackerControl.ts"
import { handsOutEther, originsThrough } from "../../questions/authority/callOut.ts"
import { redirectedPayment } from "../../access/lacking/holders.ts"
import { isEarned, isSweptInBatch, type Payment } from "../../questions/authority/entitlement.ts"

export const arbitrarySendEth: Rule<Program> = {
  meta: {
    id: "evm/access-control/arbitrary-send-eth",
    class: "arbitrary-send-eth",
    title: "Unprotected ether withdrawal",
    severity: "high",
    // the right to a payment can be expressed in ways that the conditions do not show
    confidence: "medium",
    cwe: [284, 862],
    swc: 105,
    description:
      "The function sends the contract's ether to an address that the caller chooses (a parameter, or the " +
      "caller itself) without checking that the caller is entitled to it: there is no caller check, no balance " +
      "that is reduced, no payment, signature or secret. The first account to call it takes the ether.",
    remediation:
      "Restrict the function to an owner or a role, or pay only what the caller is owed: look up the caller's " +
      "balance, reduce it, then send exactly that amount.",
    references: ["https://swcregistry.io/docs/SWC-105"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (isLibraryFunction(flow.fn) || !takesEther(flow.context)) continue
      for (const call of directCalls(flow)) {
        const { event, via } = call
        const { receiver, value } = event
        if (receiver === undefined || value === undefined) continue
        if (!handsOutEther(program, call)) continue
        const to = originsThrough(flow, call, receiver)
        const site = via[0] ?? event
        const path = strangersPath(flow, site.at, to, Source.parameter | Source.calldata | Source.sender)
        if (path === undefined || arbitraryCallPath(flow, call) !== undefined) continue
        const amount = originsThrough(flow, call, value)
        const payment = { site, receiver: to, amount, holdings: Source.balance }
        const due = redirectedPayment(flow, payment, path)
        if (due === undefined && isEarned(flow, payment, path)) continue
        if (isLeftover(flow, payment) || isSweptInBatch(flow, payment, path)) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          ...(isPaidTo(flow.context) ? {} : strayOnly),
          trace: [
            ...callSteps(due ?? path),
            ...callSteps(via),
            { ...placeOf(event), note: "ether is sent to an address chosen by the caller" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // An entry is cleared, whatever sum the caller names.
      `pragma solidity ^0.8.20;
contract Auction {
  address seller = msg.sender;
  uint256 best;
  address leader;
  mapping(address => uint256) refunds;
  function bid() external payable {
    require(msg.value > best);
    refunds[leader] += best;
    leader = msg.sender;
    best = msg.value;
  }
  function collect() external { settle(msg.sender, refunds[msg.sender]); }
  function settle(address to, uint256 amount) public {
    refunds[to] = 0;
    payable(to).transfer(amount); // FINDING
  }
}
contract Tips {
  mapping(address => uint256) tips;
  function tip(address who) external payable { tips[who] += msg.value; }
  function collect() external { _pay(msg.sender, payable(msg.sender)); }
  function collectFor(address who, address payable to) external { _pay(who, to); }
  function _pay(address who, address payable to) private {
    uint256 amount = tips[who];
    delete tips[who];
    to.transfer(amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
library Address {
  function functionCall(address target, bytes memory data) internal returns (bytes memory) {
    return functionCallWithValue(target, data, 0);
  }
  function functionCallWithValue(address target, bytes memory data, uint256 value) internal returns (bytes memory) {
    (bool ok, bytes memory answer) = target.call{value: value}(data);
    require(ok);
    return answer;
  }
}
contract Router {
  receive() external payable {}
  function pay(address to, uint256 amount) external {
    Address.functionCallWithValue(to, "", amount); // FINDING
  }
}`,
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
    require(to != address(0) && block.timestamp > 1e9);
    assembly {
      pop(call(gas(), to, selfbalance(), 0, 0, 0, 0)) // FINDING
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Later {
  uint256 public end;
  constructor() payable { end = block.timestamp + 1 days; }
  function claim() external {
    require(block.timestamp > end);
    payable(msg.sender).transfer(address(this).balance); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
library Address {
  function sendValue(address payable to, uint256 amount) internal { (bool ok, ) = to.call{value: amount}(""); require(ok); }
}
contract Pot {
  using Address for address payable;
  receive() external payable {}
  function take(address payable to, uint256 amount) external {
    to.sendValue(amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Bank {
  mapping(address => uint256) due;
  function deposit() external payable { due[msg.sender] += msg.value; }
  function withdraw(address from, address payable to) external {
    uint256 amount = due[from];
    due[from] = 0;
    to.transfer(amount); // FINDING
  }
  function push(address payable to) external { uint256 amount = due[to]; due[to] = 0; to.transfer(amount); }
}`,
      // More than the rest of what came with the call is sent, and by contracts that take ether.
      `pragma solidity ^0.8.20;
import {Vault} from "./Vault.sol";
interface IShop { function buy() external payable; function open() external; }
abstract contract Pays {
  function pay(address payable to, uint256 amount) external {
    to.transfer(amount); // FINDING
  }
}
library Payment {
  address constant NATIVE = address(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE);
  function send(address payable to, uint256 amount) internal { to.transfer(amount); }
}
contract Pot is Vault {
  function pay(address payable to, uint256 amount) external {
    to.transfer(amount); // FINDING
  }
}
contract Till {
  receive() external payable {}
  function pay(address payable to, uint256 amount) external {
    Payment.send(to, amount); // FINDING
  }
}
contract Router {
  IShop immutable shop;
  constructor(IShop s) { shop = s; }
  receive() external payable {}
  function buyFromStock() external {
    shop.buy{value: 1}();
    payable(msg.sender).transfer(address(this).balance); // FINDING
  }
  function sweep() external payable {
    shop.open();
    payable(msg.sender).transfer(address(this).balance); // FINDING
  }
  function buyAndTake(uint256 amount) external payable {
    shop.buy{value: 1}();
    payable(msg.sender).transfer(amount); // FINDING
  }
}`,
      // An account among several keys, and after a time that says nothing of who may collect.
      `pragma solidity ^0.8.20;
contract Sale {
  mapping(uint256 => uint256) public ends;
  mapping(uint256 => mapping(address => uint256)) paidIn;
  mapping(uint256 => mapping(address => uint256)) refunds;
  mapping(address => uint256) bonds;
  mapping(address => uint64) public freeAt;
  uint256 scale;
  modifier scaled() { scale = scale == 0 ? 1 : scale + 1; _; }
  function buy(uint256 id) external payable { paidIn[id][msg.sender] += msg.value; }
  function outbid(uint256 id, address last) external payable { refunds[id][last] += 1; }
  function bond() external payable { bonds[msg.sender] += msg.value; }
  function refund(uint256 id, address buyer) external {
    require(block.timestamp > ends[id], "running");
    uint256 amount = paidIn[id][buyer];
    paidIn[id][buyer] = 0;
    payable(msg.sender).transfer(amount); // FINDING
  }
  function collect(uint256 id, address bidder) external scaled {
    uint256 amount = refunds[id][bidder];
    refunds[id][bidder] = 0;
    payable(msg.sender).transfer(amount); // FINDING
  }
  function unbond(address of_) external {
    require(freeAt[of_] != 0 && block.timestamp >= freeAt[of_], "locked");
    uint256 amount = bonds[of_];
    delete bonds[of_];
    payable(msg.sender).transfer(amount); // FINDING
  }
}`,
      // Nothing accepts ether: it can only be forced upon the contract.
      `pragma solidity ^0.8.20;
contract Book {
  uint256 entries;
  function note() external { entries++; }
  function claim(address payable to) external {
    to.transfer(address(this).balance); // FINDING
  }
}`,
      // The caller pays for all calls together, for fewer, or for something else.
      `pragma solidity ^0.8.20;
contract Batch {
  struct Call { address target; uint256 value; bytes data; }
  receive() external payable {}
  function run(Call[] calldata calls) external payable {
    uint256 sum;
    for (uint256 i = 0; i < calls.length; i++) {
      uint256 n = calls[i].value;
      sum += n;
      (bool ok, ) = calls[i].target.call{value: n}(abi.encodePacked(calls[i].data, msg.sender));
      require(ok);
    }
    if (msg.value != sum) revert();
  }
  function runCheaply(Call[] calldata calls) external payable {
    uint256 sum;
    for (uint256 i = 0; i < calls.length; i++) {
      uint256 n = calls[i].value;
      sum += n;
      (bool ok, ) = calls[i].target.call{value: n}(abi.encodePacked(calls[i].data, msg.sender)); // FINDING
      require(ok);
    }
    if (msg.value > sum) revert();
  }
  function runFixed(Call[] calldata calls, uint256 fee) external payable {
    for (uint256 i = 0; i < calls.length; i++) {
      (bool ok, ) = calls[i].target.call{value: calls[i].value}(abi.encodePacked(calls[i].data, msg.sender)); // FINDING
      require(ok);
    }
    if (msg.value != fee) revert();
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Tips {
  address payable house;
  constructor(address payable to) { house = to; }
  receive() external payable {}
  uint256 constant CUT = 5;
  function flush() external {
    uint256 held = address(this).balance;
    payable(msg.sender).transfer((held * CUT) / 100);
    house.transfer(held - (held * CUT) / 100);
  }
  function push() external {
    uint256 held = address(this).balance;
    (bool ok, ) = house.call{value: held - (held * CUT) / 100}("");
    require(ok);
    payable(msg.sender).transfer((held * CUT) / 100);
  }
}`,
      `pragma solidity ^0.8.20;
contract Auction {
  uint256 best;
  address leader;
  mapping(address => uint256) refunds;
  function bid() external payable {
    require(msg.value > best);
    refunds[leader] += best;
    leader = msg.sender;
    best = msg.value;
  }
  function collect() external { settle(msg.sender, refunds[msg.sender]); }
  function collectPart(uint256 amount) external { refunds[msg.sender] -= amount; payable(msg.sender).transfer(amount); }
  function settle(address to, uint256 amount) internal {
    refunds[to] = 0;
    payable(to).transfer(amount);
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address, address, uint256) external returns (bool); }
library Address {
  function functionCall(address target, bytes memory data) internal returns (bytes memory) {
    return functionCallWithValue(target, data, 0);
  }
  function functionCallWithValue(address target, bytes memory data, uint256 value) internal returns (bytes memory) {
    (bool ok, bytes memory answer) = target.call{value: value}(data);
    require(ok);
    return answer;
  }
}
contract Router {
  address vault;
  receive() external payable {}
  function pay(address token, uint256 amount) external {
    bytes memory data = abi.encodeWithSelector(IERC20.transferFrom.selector, msg.sender, vault, amount);
    Address.functionCall(token, data);
  }
}`,
      `pragma solidity ^0.8.20;
contract SendScript {
  function send(address to, uint256 amount) external returns (bool) {
    (bool sent, ) = to.call{value: amount}("");
    return sent;
  }
}`,
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
interface IPay { function pay() external payable; }
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
  function wrap(address to) external payable {
    IPay(to).pay{value: msg.value / 2}();
    payable(msg.sender).transfer(address(this).balance);
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
      // The caller gets what they brought, or no function pays whom they name.
      `pragma solidity ^0.8.20;
interface IShop { function buy() external payable; }
contract Purse { address immutable owner; constructor(address to) payable { owner = to; } }
contract Router {
  IShop immutable shop;
  constructor(IShop s) { shop = s; }
  function buy() external payable {
    shop.buy{value: 1}();
    payable(msg.sender).transfer(address(this).balance);
  }
  function make(address to, uint256 amount) external { new Purse{value: amount}(to); }
  function run(address to, bytes calldata data) external {
    (bool ok, ) = to.call{value: address(this).balance}(data);
    require(ok);
  }
  function _pay(address payable to, uint256 amount) internal { to.transfer(amount); }
}
contract Batch {
  function multicall(bytes[] calldata parts) external payable {
    for (uint256 i = 0; i < parts.length; i++) {
      (bool ok, ) = address(this).delegatecall(parts[i]);
      require(ok);
    }
  }
  function sweep(address payable to) external payable { to.transfer(address(this).balance); }
}`,
      // Each to whom it belongs, although anyone may call.
      `pragma solidity ^0.8.20;
contract Sale {
  struct Lot { address seller; uint256 price; }
  mapping(uint256 => uint256) public ends;
  mapping(uint256 => mapping(address => uint256)) paidIn;
  mapping(address => mapping(uint256 => Lot)) lots;
  mapping(address => mapping(address => bool)) agents;
  uint256 sold;
  function buy(uint256 id) external payable { paidIn[id][msg.sender] += msg.value; }
  function appoint(address agent, bool on) external { agents[msg.sender][agent] = on; }
  function offer(address shop, uint256 id) external payable { lots[shop][id] = Lot(msg.sender, msg.value); }
  function refund(uint256 id, address payable buyer) external {
    require(block.timestamp > ends[id], "running");
    uint256 amount = paidIn[id][buyer];
    paidIn[id][buyer] = 0;
    buyer.transfer(amount);
  }
  function refundVia(uint256 id, address buyer) external {
    require(sold == 0 || buyer == msg.sender || agents[buyer][msg.sender], "agent");
    uint256 amount = paidIn[id][buyer];
    paidIn[id][buyer] = 0;
    payable(msg.sender).transfer(amount);
  }
  function take(address shop, uint256 id) external {
    Lot memory lot = lots[shop][id];
    require(lot.seller == msg.sender, "seller");
    delete lots[shop][id];
    payable(msg.sender).transfer(lot.price);
  }
}`,
    ],
  },
}

/** What is left of the ether that came with the call, after the contract has paid others with it: nothing stays behind. */
const isLeftover = ({ program, fn }: Flow, { amount }: Payment): boolean => {
  if (!only(amount, Source.balance | Source.self)) return false
  return program.graph
    .entryPointsOf(fn)
    .every(
      (entry) =>
        entry.mutability === "payable" &&
        program.flow(entry).externalCalls.some(({ event }) => event.callKind === "external" && sendsEther(event)),
    )
}

/**
 * Whether some function of the contract accepts ether, or it delegates to unknown code. A script that others run holds
 * none.
 */
const takesEther = (contract: ContractModel | undefined): boolean =>
  contract === undefined ||
  contract.linearization.some(
    ({ functions, missingBases, stateVariables, node }) =>
      node.abstract || missingBases.length > 0 || stateVariables.length > 0 || functions.some(isPayable),
  )

/** Whether a function shows the contract to accept ether. */
const isPaidTo = (contract: ContractModel | undefined): boolean =>
  contract === undefined || contract.linearization.some(({ functions }) => functions.some(isPayable))

const isPayable = ({ mutability }: FunctionModel): boolean => mutability === "payable"

const strayOnly = {
  message:
    "No function here accepts ether: what there is has been forced upon the contract, or a base without source took it.",
  severity: "low",
} as const
