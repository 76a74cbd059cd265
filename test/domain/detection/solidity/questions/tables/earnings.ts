import { Source } from "../../../../../../domain/detection/solidity/flow/graph/origins.ts"
import type { CallSite } from "../../../../../../domain/detection/solidity/flow/graph/events.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import {
  isEarned,
  isSweptInBatch,
  type Payment,
} from "../../../../../../domain/detection/solidity/questions/authority/entitlement.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Payments of ether by `transfer` and `send`, and of tokens by `transfer(to, amount)`. */
const paymentOf = (flow: Flow, site: CallSite): Payment | undefined => {
  const { receiver, args, at, callKind } = site
  const isEther = callKind === "transfer" || callKind === "send"
  if (receiver === undefined || !(isEther || (site.name === "transfer" && args.length === 2))) return undefined
  return {
    site,
    receiver: flow.origins(isEther ? receiver : args[0]!, at),
    amount: flow.origins(args.at(-1)!, at),
    holdings: isEther ? Source.balance : Source.tokenBalance,
  }
}

type Asked = (flow: Flow, payment: Payment, path: ReadonlyArray<CallSite>) => boolean

/** The answer for the last payment of a function, which may be in a helper. */
const lastPayment =
  (asked: Asked) =>
  (flow: Flow): boolean | undefined =>
    flow.externalCalls
      .flatMap(({ event, via }) => {
        const target = via.at(-1)?.target
        const inner = target === undefined ? flow : flow.program.flow(target)
        const payment = paymentOf(inner, event)
        return payment === undefined ? [] : [asked(inner, payment, via)]
      })
      .at(-1)

/** Whether what is paid is due to whoever calls, or is what a batch of calls has left over. */
export const earnings = questionTable(
  "earnings",
  { earned: lastPayment(isEarned), swept: lastPayment(isSweptInBatch) },
  [
    `pragma solidity ^0.8.20;
import "./Missing.sol";
abstract contract Asks { function earned(string memory) internal pure {} function swept(string memory) internal pure {} }
interface IToken { function transfer(address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
interface IStrategy { function withdraw(uint256 n) external; function withdrawFor(address who) external; function preview(address who) external view returns (uint256); function pull(uint256 n) external; function swap() external payable; function peerOf(uint256 id) external view returns (address); function deposit(uint256 n, address who) external; }
contract Payer is Asks {
  IToken immutable token;
  IStrategy immutable strategy;
  address immutable home;
  mapping(uint256 => address) peers;
  mapping(uint256 => uint256) used;
  mapping(uint256 => bool) claimed;
  mapping(uint256 => bool) openFor;
  mapping(address => bool) has;
  mapping(address => uint256) held;
  mapping(address => uint256) owed;
  mapping(address => uint256) level;
  mapping(address => uint256) ids;
  mapping(uint256 => uint256) byId;
  uint256 reward;
  uint256 cut;
  uint256 total;
  bool done;
  constructor(IToken t, IStrategy s, address h) { token = t; strategy = s; home = h; }

  // Nothing makes it due.
  function all(address payable to) external { to.transfer(address(this).balance); earned("false"); }
  function sum(address payable to, uint256 n) external { to.transfer(n); earned("false"); }
  function others(address payable to) external { require(msg.sender != to); to.transfer(address(this).balance); earned("false"); }
  function enough(address payable to, uint256 n) external { require(address(this).balance >= n); to.transfer(n); earned("false"); }
  function late(address payable to, uint256 n) external { require(block.timestamp > 5); to.transfer(n); earned("false"); }
  // The caller has paid, or a condition concerns them or an entry.
  function paid(address payable to) external payable { require(msg.value == 1 ether); to.transfer(address(this).balance); earned("true"); }
  function paidWithin(address payable to) external payable { require(address(this).balance >= msg.value); to.transfer(address(this).balance); earned("true"); }
  function back(address payable to) external payable { to.transfer(msg.value); earned("true"); }
  function backLess(address payable to) external payable { to.transfer(address(this).balance - msg.value); earned("true"); }
  function exactly(address payable to) external { require(block.timestamp == total); to.transfer(address(this).balance); earned("true"); }
  function byEntry(address payable to, uint256 id) external { require(openFor[id]); to.transfer(address(this).balance); earned("true"); }
  function byHelper(address payable to) external { _only(msg.sender); to.transfer(address(this).balance); earned("true"); }
  function _only(address who) private view { require(level[who] > 3); }
  function byLevel(address payable to) external { require(level[msg.sender] > 2); to.transfer(address(this).balance); earned("true"); }
  function owes(address payable to) external { to.transfer(owed[to]); earned("true"); }
  function once(address payable to) external { require(!done); done = true; to.transfer(address(this).balance); earned("true"); }
  // The caller repeats what is stored, or names what nobody else has used.
  function copied(address payable to, uint256 id, address peer) external { require(peers[id] == peer); to.transfer(address(this).balance); earned("false"); }
  function copiedNot(address payable to, uint256 id, address peer) external { require(peers[id] != peer); to.transfer(address(this).balance); earned("true"); }
  function copiedStored(address payable to, uint256 id, uint256 other) external { require(peers[id] == peers[other]); to.transfer(address(this).balance); earned("true"); }
  function copiedAnswer(address payable to, uint256 id, address peer) external { require(strategy.peerOf(id) == peer); to.transfer(address(this).balance); earned("true"); }
  function free(address payable to, uint256 id, uint256 n) external { require(!claimed[id]); claimed[id] = true; to.transfer(n); earned("false"); }
  function freeBySum(address payable to, uint256 n) external { require(!claimed[n]); claimed[n] = true; to.transfer(n); earned("false"); }
  function freeNumber(address payable to, uint256 id, uint256 n) external { require(used[id] == 0); used[id] = 1; to.transfer(n); earned("false"); }
  function freeTurned(address payable to, uint256 id, uint256 n) external { require(0 == used[id]); used[id] = 1; to.transfer(n); earned("false"); }
  function freeLevel(address payable to, uint256 id, uint256 n) external { require(used[id] == 3); to.transfer(n); earned("true"); }
  function freeMore(address payable to, uint256 id, uint256 n) external { require(used[id] > 0); to.transfer(n); earned("true"); }
  function freeAll(address payable to) external { require(!has[to]); has[to] = true; to.transfer(address(this).balance); earned("true"); }
  function freeUnused(address payable to) external { require(!has[to]); to.transfer(address(this).balance); earned("true"); }
  // Somebody is told to take it.
  function looked(address to, uint256 n) external { require(strategy.preview(to) > 0 || n > 1); strategy.preview(to); token.transfer(to, n); earned("true"); }
  function onlyLooked(address to, uint256 n) external { strategy.preview(to); token.transfer(to, n); earned("false"); }
  function told(address to, uint256 n) external { strategy.withdraw(n); token.transfer(to, n); earned("false"); }
  function toldMore(address to, uint256 n) external { strategy.withdraw(n + reward); token.transfer(to, n); earned("true"); }
  function toldBoth(address to, uint256 n) external { strategy.withdraw(n); strategy.pull(n + reward); token.transfer(to, n); earned("true"); }
  function toldWhose(address to, uint256 n) external { strategy.withdrawFor(to); token.transfer(to, n); earned("true"); }
  function toldAndSent(address payable to, uint256 n) external { strategy.withdraw(n); if (!to.send(n)) revert(); earned("true"); }
  function toldByHelper(address payable to) external { _pull(); to.transfer(address(this).balance); earned("true"); }
  function _pull() private { strategy.pull(1); }
  function toldLevel(address payable to) external { strategy.pull(level[msg.sender]); to.transfer(address(this).balance); earned("true"); }
  function spent(address payable to) external payable { strategy.swap{ value: msg.value }(); to.transfer(address(this).balance); earned("true"); }
  // Something of theirs changes.
  function lowered(address payable to) external { held[msg.sender] = 0; to.transfer(address(this).balance); earned("true"); }
  function loweredById(address payable to) external { byId[ids[msg.sender]] = 0; to.transfer(address(this).balance); earned("true"); }
  function loweredFor(address payable to) external { held[to] = 0; to.transfer(address(this).balance); earned("true"); }
  function noted(address payable to, uint256 n, uint256 m) external { held[to] = m; to.transfer(n); earned("false"); }
  function notedSum(address payable to, uint256 n) external { held[to] -= n; to.transfer(n); earned("true"); }
  function notedSlot(address payable to, uint256 n) external { assembly { mstore(0, to) let s := keccak256(0, 32) sstore(s, 0) } to.transfer(n); earned("true"); }
  function counted(address payable to) external { total -= 1; to.transfer(total); earned("true"); }
  function kept(address payable to) external { to.transfer(total); earned("false"); }
  // A keeper's share, where the rest goes where it belongs.
  function keep() external { uint256 b = token.balanceOf(address(this)); token.transfer(home, b - b * cut / 100); token.transfer(msg.sender, b * cut / 100); earned("true"); }
  function keepFixed() external { uint256 b = token.balanceOf(address(this)); token.transfer(home, b); token.transfer(msg.sender, reward); earned("false"); }
  function keepNamed(uint256 n) external { uint256 b = token.balanceOf(address(this)); token.transfer(home, b); token.transfer(msg.sender, b * n * cut); earned("false"); }
  function keepFor(address to) external { uint256 b = token.balanceOf(address(this)); token.transfer(home, b - b * cut / 100); token.transfer(to, b * cut / 100); earned("false"); }
  function keepElsewhere(address to) external { uint256 b = token.balanceOf(address(this)); token.transfer(to, b - b * cut / 100); token.transfer(msg.sender, b * cut / 100); earned("false"); }
  function keepDeposit() external { uint256 b = token.balanceOf(address(this)); strategy.deposit(b - b * cut / 100, address(this)); token.transfer(msg.sender, b * cut / 100); earned("true"); }
  function keepEther() external { uint256 b = address(this).balance; (bool ok, ) = home.call{ value: b - b * cut / 100 }(""); payable(msg.sender).transfer(b * cut / 100); done = ok; earned("true"); }
  // On the way to a helper.
  function _send(address to, uint256 n) private { token.transfer(to, n); }
  function viaNothing(address to, uint256 n) external { _send(to, n); earned("false"); }
  function viaEntry(address to, uint256 n, uint256 id) external { require(openFor[id]); _send(to, n); earned("true"); }
  function viaLowered(address to, uint256 n) external { held[to] = 0; _send(to, n); earned("true"); }
  function viaOwed(address to) external { _send(to, owed[to]); earned("true"); }
  function viaTotal(address to) external { _send(to, total); earned("false"); }
  function viaAll(address to) external { _send(to, token.balanceOf(address(this))); earned("false"); }
  function viaAnswer(address to, uint256 id) external { _send(to, uint160(strategy.peerOf(id))); earned("true"); }
}
contract Based is Missing, Asks {
  IToken immutable token;
  IStrategy immutable strategy;
  uint256 rate;
  function burn(uint256 n) external { _burn(msg.sender, n); payable(msg.sender).transfer(n); earned("true"); }
  function burnFixed(uint256 n) external { _burn(msg.sender, 5); payable(msg.sender).transfer(n); earned("true"); }
  function burnRate(uint256 n) external { _burn(msg.sender, rate); payable(msg.sender).transfer(n); earned("false"); }
  function burnNamed(address payable to, uint256 n) external { _burn(to, n); to.transfer(n); earned("false"); }
  function burnOther(address who, uint256 n) external { _burn(who, 5); payable(msg.sender).transfer(n); earned("false"); }
  function mark(uint256 n) external { _mark(msg.sender); payable(msg.sender).transfer(n); earned("false"); }
  function burnSometimes(uint256 n) external { if (n > 3) _burn(msg.sender, n); payable(msg.sender).transfer(n); earned("false"); }
  function told(address to, uint256 n) external { strategy.withdraw(n); _note(n); token.transfer(to, n); earned("false"); }
  function toldToBase(address to, uint256 n) external { strategy.withdraw(n); _burn(to, n); token.transfer(to, n); earned("true"); }
}
contract Batch is Asks {
  function sweep(address payable to) external payable { to.transfer(address(this).balance); swept("true"); }
  function sweepAlone(address payable to) external { to.transfer(address(this).balance); swept("false"); }
  function send(address payable to, uint256 n) external payable { to.transfer(n); swept("false"); }
  function _out(address payable to, uint256 n) private { to.transfer(n); }
  function sweepVia(address payable to) external payable { _out(to, address(this).balance); swept("true"); }
  function sweepAloneVia(address payable to) external { _out(to, address(this).balance); swept("false"); }
  function multicall(bytes[] calldata data) external payable { for (uint256 i; i < data.length; i++) { (bool ok, ) = address(this).delegatecall(data[i]); require(ok); } }
}
contract UnpaidBatch is Asks {
  function sweep(address payable to) external payable { to.transfer(address(this).balance); swept("false"); }
  function multicall(bytes[] calldata data) external { for (uint256 i; i < data.length; i++) { (bool ok, ) = address(this).delegatecall(data[i]); require(ok); } }
}
contract CallBatch is Asks {
  function sweep(address payable to) external payable { to.transfer(address(this).balance); swept("false"); }
  function multicall(bytes[] calldata data) external payable { for (uint256 i; i < data.length; i++) { (bool ok, ) = address(this).call(data[i]); require(ok); } }
}
contract ElsewhereBatch is Asks {
  address immutable logic = msg.sender;
  function sweep(address payable to) external payable { to.transfer(address(this).balance); swept("false"); }
  function multicall(bytes[] calldata data) external payable { for (uint256 i; i < data.length; i++) { (bool ok, ) = logic.delegatecall(data[i]); require(ok); } }
}`,
  ],
)
