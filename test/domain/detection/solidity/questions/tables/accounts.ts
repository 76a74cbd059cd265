import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import type { Deed } from "../../../../../../domain/detection/solidity/access/entries/deeds.ts"
import { decides, isCallerDetermined } from "../../../../../../domain/detection/solidity/access/gravity/decides.ts"
import { isPrepared } from "../../../../../../domain/detection/solidity/access/gravity/prepared.ts"
import {
  changesOthers,
  accountOwnedTables,
  redirectedPayment,
} from "../../../../../../domain/detection/solidity/access/lacking/holders.ts"
import { pathsOfStrangers } from "../../../../../../domain/detection/solidity/access/lacking/payer.ts"
import { Source } from "../../../../../../domain/detection/solidity/flow/graph/origins.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const entryOf = ({ program, fn }: Flow): Entry => accessOf(program).entryOf.get(fn)!

const nameOf = ({ variable, reached: { event } }: Deed): string =>
  variable?.name ?? (event.kind === "call" ? event.name : "write")

/** Whose money moves, and what of it the caller decides. */
export const accounts = questionTable(
  "accounts",
  {
    // The functions from which a stranger names who pays.
    payer: (flow, _, at) => {
      const site = [...flow.calls()].findLast(({ name, at: { id } }) => name === "transferFrom" && id > at.id)!
      return [...pathsOfStrangers(flow, site.at, flow.origins(site.args[0]!, site.at))]
        .map((path) => path[0]?.at.callable.name ?? "here")
        .join(" ")
    },
    held: ({ program }) =>
      [...accountOwnedTables(accessOf(program))]
        .map(([{ name }, { fn }]) => `${name} ${fn.name}`)
        .toSorted()
        .join(", "),
    // What is written to entries of others, and whether another account's balance is paid to the caller's.
    others: (flow) => {
      const { program } = flow
      const access = accessOf(program)
      const entry = entryOf(flow)
      const changed = entry.deeds.filter((deed) => changesOthers(access, entry, deed)).map(nameOf)
      const due = flow.externalCalls.flatMap(({ event, via }) => {
        if (event.name !== "transfer" || event.args.length !== 2) return []
        const target = via.at(-1)?.target
        const inner = target === undefined ? flow : program.flow(target)
        const [receiver, amount] = [inner.origins(event.args[0]!, event.at), inner.origins(event.args[1]!, event.at)]
        const way = redirectedPayment(inner, { site: event, receiver, amount, holdings: Source.tokenBalance }, via)
        return way === undefined ? [] : ["due"]
      })
      return [...changed, ...due].join(" ")
    },
    decides: (flow) => {
      const access = accessOf(flow.program)
      const entry = entryOf(flow)
      const dictated = entry.deeds.filter(isCallerDetermined).map(nameOf)
      const prepared = entry.deeds.filter((deed) => isPrepared(access, entry, deed)).map(nameOf)
      return [
        ...(decides(access, entry) ? ["decides"] : []),
        ...(dictated.length > 0 ? ["dictates", ...dictated] : []),
        ...(prepared.length > 0 ? ["prepared", ...prepared] : []),
      ].join(" ")
    },
  },
  [
    `pragma solidity ^0.8.20;
import "./Missing.sol";
abstract contract Asks { function payer(string memory) internal pure {} function held(string memory) internal pure {} function others(string memory) internal pure {} function decides(string memory) internal pure {} }
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function mint(address to, uint256 n) external; }
interface IHub { function allows(address who) external view returns (bool); function agrees(address who, address by) external; function sender() external view returns (address); function look(address who) external view returns (uint256); function take(address from) external returns (bool); }
library Checks { function agree(address a, address b) internal view { require(a.code.length == b.code.length); } }
contract Payers is Missing, Asks {
  IToken token;
  IHub hub;
  address owner = msg.sender;
  address home;
  address immutable boss = msg.sender;
  mapping(address => bool) members;
  mapping(address => mapping(address => bool)) agreed;
  mapping(address => uint256) shares;
  mapping(uint256 => address) owners;
  mapping(uint256 => uint256) filled;
  mapping(bytes32 => bool) known;
  bool running;
  uint256 total;
  function admit(address a) external { require(msg.sender == owner); members[a] = true; home = a; owners[1] = a; }
  function run() external { require(msg.sender == owner); running = true; hub.allows(owner); running = false; }

  function any(address from, uint256 n) external { payer("here"); token.transferFrom(from, home, n); }
  function own(uint256 n) external { payer(""); token.transferFrom(msg.sender, home, n); }
  function stored(uint256 n) external { payer(""); token.transferFrom(home, owner, n); }
  function either(address from, bool mine, uint256 n) external { payer(""); token.transferFrom(mine ? msg.sender : from, home, n); }
  function byOwner(address from, uint256 n) external { require(msg.sender == owner); payer(""); token.transferFrom(from, home, n); }
  function byMember(address from, uint256 n) external { require(members[msg.sender]); payer(""); token.transferFrom(from, home, n); }
  function byHub(address from, uint256 n) external { require(hub.allows(msg.sender)); payer(""); token.transferFrom(from, home, n); }
  function byOrigin(address from, uint256 n) external { require(tx.origin == owner); payer(""); token.transferFrom(from, home, n); }
  function behind(address from, uint256 n) external { require(hub.sender() == owner); payer(""); token.transferFrom(from, home, n); }
  function during(address from, uint256 n) external { require(running); payer(""); token.transferFrom(from, home, n); }
  function unseen(address from, uint256 n) external onlyKeeper { payer(""); token.transferFrom(from, home, n); }
  function byHolder(address from, uint256 n) external { require(shares[msg.sender] > 0); payer("here"); token.transferFrom(from, home, n); }
  function same(address from, uint256 n) external { require(from == msg.sender); payer(""); token.transferFrom(from, home, n); }
  function unlike(address from, uint256 n) external { require(from != msg.sender); payer(""); token.transferFrom(from, home, n); }
  function agreedTo(address from, uint256 n) external { require(agreed[from][msg.sender]); payer(""); token.transferFrom(from, home, n); }
  function someone(address from, uint256 n) external { require(from != address(0)); payer("here"); token.transferFrom(from, home, n); }
  function notThis(address from, uint256 n) external { require(from != address(this)); payer("here"); token.transferFrom(from, home, n); }
  function onlyThis(address from, uint256 n) external { require(from == address(this)); payer(""); token.transferFrom(from, home, n); }
  function above(address from, uint256 n) external { require(uint160(from) > uint160(address(this))); payer("here"); token.transferFrom(from, home, n); }
  function known_(address from, uint256 n) external { require(known[keccak256(abi.encode(from))]); payer(""); token.transferFrom(from, home, n); }
  function signed(address from, uint256 n, bytes32 h, uint8 v, bytes32 r, bytes32 s) external { require(ecrecover(h, v, r, s) == from); payer(""); token.transferFrom(from, home, n); }
  function asBoss(address from, uint256 n) external { require(from == boss); payer(""); token.transferFrom(from, home, n); }
  function notBoss(address from, uint256 n) external { require(from != boss); payer(""); token.transferFrom(from, home, n); }
  function eitherWay(address from, uint256 n) external { require(from == msg.sender || msg.sender == owner); payer(""); token.transferFrom(from, home, n); }
  function eitherOther(address from, uint256 n) external { require(from == msg.sender || n < 5); payer("here"); token.transferFrom(from, home, n); }
  function eitherHolder(address from, uint256 n) external { require(from == msg.sender || shares[msg.sender] > 3); payer("here"); token.transferFrom(from, home, n); }
  function other(address from, address to, uint256 n) external { require(to == msg.sender); payer("here"); token.transferFrom(from, to, n); }
  function took(address from, uint256 n) external { require(hub.take(from)); payer(""); token.transferFrom(from, home, n); }
  function looked(address from, uint256 n) external { require(hub.look(from) > 3); payer(""); token.transferFrom(from, home, n); }
  function called(address from, uint256 n) external { (bool ok, ) = from.call(""); require(ok); payer("here"); token.transferFrom(from, home, n); }
  function itself(address from, uint256 n) external { payer("here"); require(token.transferFrom(from, home, n)); }
  // Handed on, with the sender.
  function _spend(address from, address by) private { agreed[from][by] = false; }
  function _note(address from) private { shares[from] = 1; }
  function _permit(address from) private { shares[from] = 1; }
  function spent(address from, uint256 n) external { _spend(from, msg.sender); payer(""); token.transferFrom(from, home, n); }
  function spentLibrary(address from, uint256 n) external { Checks.agree(from, msg.sender); payer(""); token.transferFrom(from, home, n); }
  function spentBase(address from, uint256 n) external { _spendAllowance(from, msg.sender); payer(""); token.transferFrom(from, home, n); }
  function spentElsewhere(address from, uint256 n) external { hub.agrees(from, msg.sender); payer(""); token.transferFrom(from, home, n); }
  function noted(address from, uint256 n) external { _note(from); payer("here"); token.transferFrom(from, home, n); }
  function permitted(address from, uint256 n) external { _permit(from); payer(""); token.transferFrom(from, home, n); }
  function spentOther(address from, address to, uint256 n) external { _spend(to, msg.sender); payer("here"); token.transferFrom(from, home, n); }
  function spentLater(address from, uint256 n) external { payer("here"); token.transferFrom(from, home, n); _spend(from, msg.sender); }
  // A customer, whose record goes up.
  function buy(address from, uint256 n) external { require(members[msg.sender]); shares[msg.sender] += n; payer("here"); token.transferFrom(from, home, n); }
  function sell(address from, uint256 n) external { require(members[msg.sender]); shares[msg.sender] -= n; payer(""); token.transferFrom(from, home, n); }
  function buySet(address from, uint256 n) external { require(members[msg.sender]); shares[msg.sender] = n; payer(""); token.transferFrom(from, home, n); }
  function buyOther(address from, address to, uint256 n) external { require(members[msg.sender]); shares[to] += n; payer(""); token.transferFrom(from, home, n); }
  function fill(address from, uint256 id, uint256 n) external { require(owners[id] == msg.sender); filled[id] += n; payer("here"); token.transferFrom(from, home, n); }
  function fillOther(address from, uint256 id, uint256 k, uint256 n) external { require(owners[id] == msg.sender); filled[k] += n; payer(""); token.transferFrom(from, home, n); }
  function buyMinted(address from, uint256 n) external { require(members[msg.sender]); token.mint(msg.sender, n); payer("here"); token.transferFrom(from, home, n); }
  function buyMintedHome(address from, uint256 n) external { require(members[msg.sender]); token.mint(home, n); payer(""); token.transferFrom(from, home, n); }
  function buySent(address from, uint256 n) external { require(members[msg.sender]); token.transfer(msg.sender, n); payer(""); token.transferFrom(from, home, n); }
  function buyAsOwner(address from, uint256 n) external { require(msg.sender == owner); shares[msg.sender] += n; payer(""); token.transferFrom(from, home, n); }
  function buyBehind(address from, uint256 n) external { require(members[msg.sender]); require(hub.sender() == owner); shares[msg.sender] += n; payer(""); token.transferFrom(from, home, n); }
  function buyDuring(address from, uint256 n) external { require(members[msg.sender] && running); shares[msg.sender] += n; payer(""); token.transferFrom(from, home, n); }
  function buyUnseen(address from, uint256 n) external onlyKeeper { shares[msg.sender] += n; payer(""); token.transferFrom(from, home, n); }
  // Through a helper.
  function _pull(address from, uint256 n) private { payer("pull pullAgain"); token.transferFrom(from, home, n); }
  function pull(address from, uint256 n) external { _pull(from, n); }
  function pullOwn(uint256 n) external { _pull(msg.sender, n); }
  function pullOwned(address from, uint256 n) external { require(msg.sender == owner); _pull(from, n); }
  function pullAgain(address from, uint256 n) external { _pull(from, n); _pull(msg.sender, n); }
}`,
    `pragma solidity ^0.8.20;
abstract contract Asks { function payer(string memory) internal pure {} function held(string memory) internal pure {} function others(string memory) internal pure {} function decides(string memory) internal pure {} }
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function burn(address from, uint256 n) external; function look(address who) external view returns (uint256); }
contract Holders is Asks {
  struct Order { address maker; uint256 n; uint256 price; }
  IToken token;
  mapping(uint256 => Order) orders;
  mapping(uint256 => address) titles;
  mapping(uint256 => uint256) sizes;
  mapping(uint256 => uint256) weights;
  mapping(address => address) agents;
  mapping(address => uint256) debts;
  mapping(uint256 => uint256) loose;
  mapping(address => uint256) balances;
  mapping(uint256 => mapping(address => uint256)) refunds;
  address[] queue;
  address last;
  uint256 count;
  function place(uint256 id, uint256 n) external { orders[id] = Order(msg.sender, n, 0); held("agents appoint, orders place, queue enqueue, sizes mintItem, titles mintItem"); others(""); }
  function mintItem(uint256 id, uint256 n) external { titles[id] = msg.sender; sizes[id] = n; weights[count] = n; debts[msg.sender] = n; others(""); }
  function appoint(address who) external { agents[who] = msg.sender; loose[1] = 5; others(""); }
  function enqueue() external { queue.push(msg.sender); last = msg.sender; others(""); }
  function setLoose(uint256 id, uint256 n) external { loose[id] = n; others(""); }
  function setPrice(uint256 id, uint256 n) external { orders[id].price = n; others("orders"); }
  function setPriceOfFirst(uint256 n) external { orders[1].price = n; others(""); }
  function setPriceOfLast(uint256 n) external { orders[count].price = n; others(""); }
  function setPriceMixed(uint256 id, uint256 n) external { orders[id + count].price = n; others(""); }
  function setPriceFixed(uint256 id) external { orders[id].price = 7; others(""); }
  function setWhole(uint256 id, Order calldata to) external { orders[id] = to; others(""); }
  function setSize(uint256 id, uint256 n) external { sizes[id] = n; others(""); }
  function takeOver(uint256 id, uint256 n) external { orders[id].maker = msg.sender; orders[id].price = n; others(""); }
  function takeOther(uint256 id, uint256 k, uint256 n) external { titles[k] = msg.sender; orders[id].price = n; others("orders"); }
  function setPriceAsked(uint256 id, uint256 n) external { require(orders[id].maker == msg.sender); orders[id].price = n; others(""); }
  function setPricePaid(uint256 id, uint256 n) external payable { require(msg.value > 3); orders[id].price = n; others(""); }
  function setPriceKnown(uint256 id, uint256 n) external { require(orders[id].n > 3); orders[id].price = n; others("orders"); }
  function setPriceAndPay(uint256 id, uint256 n) external { orders[id].price = n; require(token.transfer(orders[id].maker, n)); others("orders"); }
  function setPriceAfter(uint256 id, uint256 n) external { require(token.look(address(this)) > 4); orders[id].price = n; others(""); }
  // Another account's balance is paid to one that the caller names.
  function pay(address from, address to) external { uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); others("due"); }
  function payBack(address from) external { uint256 n = balances[from]; balances[from] = 0; token.transfer(from, n); others(""); }
  function payMe(address from) external { uint256 n = balances[from]; balances[from] = 0; token.transfer(msg.sender, n); others("due"); }
  function payMine(address to) external { uint256 n = balances[msg.sender]; balances[msg.sender] = 0; token.transfer(to, n); others(""); }
  function paySome(address from, address to, uint256 n) external { balances[from] -= n; token.transfer(to, n); others("due"); }
  function payMore(address from, address to, uint256 n) external { balances[from] += n; token.transfer(to, n); others(""); }
  function paySet(address from, address to, uint256 n, uint256 m) external { balances[from] = m; token.transfer(to, n); others(""); }
  function paySum(address from, address to, uint256 n) external { balances[from] = 0; token.transfer(to, n + count); others(""); }
  function payRead(address from, address to) external { token.transfer(to, balances[from]); balances[from] = 0; others("due"); }
  function payReadPlus(address from, address to, uint256 n) external { uint256 m = balances[from] + n; balances[from] = 0; token.transfer(to, m); others(""); }
  function payOrder(uint256 id, address to) external { uint256 n = orders[id].n; delete orders[id]; token.transfer(to, n); others("due"); }
  function payItem(uint256 id, address to) external { delete titles[id]; token.transfer(to, id); others("due"); }
  function payItemBack(uint256 id, uint256 k, address to) external { delete titles[id]; token.transfer(to, k); others(""); }
  function payLoose(uint256 id, address to) external { uint256 n = loose[id]; loose[id] = 0; token.transfer(to, n); others(""); }
  function payRefund(uint256 round, address from, address to) external { uint256 n = refunds[round][from]; refunds[round][from] = 0; token.transfer(to, n); others("due"); }
  function payFirst(address to) external { uint256 n = loose[1]; loose[1] = 0; token.transfer(to, n); others(""); }
  function payAndNote(address from, address to) external { uint256 n = balances[from]; balances[from] = 0; debts[msg.sender] = 1; token.transfer(to, n); others(""); }
  function payBurnt(address from, address to) external { uint256 n = balances[from]; balances[from] = 0; token.burn(msg.sender, n); token.transfer(to, n); others(""); }
  function payLooked(address from, address to) external { uint256 n = balances[from]; balances[from] = 0; token.look(msg.sender); token.transfer(to, n); others("due"); }
  function payBurntAfter(address from, address to) external { uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); token.burn(msg.sender, n); others("due"); }
  function payAsked(address from, address to) external { require(balances[msg.sender] > 3); uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); others(""); }
  function payKnown(address from, address to) external { require(count > 3); uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); others("due"); }
  function payKnownOr(address from, address to) external { require(count > 3 || from == msg.sender); uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); others(""); }
  function payApart(address from, address to, bool yes) external { if (yes) balances[from] = 0; else token.transfer(to, balances[from]); others(""); }
  function _pay(address from, address to) private { uint256 n = balances[from]; balances[from] = 0; token.transfer(to, n); }
  function payVia(address from, address to) external { _pay(from, to); others("due"); }
}
contract Prepared is Asks {
  address owner = msg.sender;
  IToken token;
  address next;
  address current;
  uint256 due;
  uint256 limit;
  uint256 rate;
  uint256 stage;
  bool approved;
  bool anyones;
  bool again;
  bool mixed;
  mapping(bytes32 => uint256) queued;
  function announce(address to) external { require(msg.sender == owner); next = to; due = block.timestamp; approved = true; limit = 4; mixed = true; again = true; }
  function raise() external { anyones = true; mixed = true; decides("decides"); }
  function accept() external { require(next != address(0)); current = next; decides("prepared current"); }
  function acceptAndClear() external { require(next != address(0)); current = next; next = address(0); decides("decides prepared current next"); }
  function acceptWhenDue() external { require(block.timestamp > due); current = next; decides("prepared current"); }
  function acceptMore() external { require(limit > 0); current = next; decides("prepared current"); }
  function acceptSome() external { require(limit > 3); current = next; decides(""); }
  function acceptExactly() external { require(limit == 4); current = next; decides(""); }
  function acceptAnyones() external { require(anyones); current = next; decides(""); }
  function acceptMixed() external { require(mixed); current = next; decides(""); }
  function acceptNamed(address to) external { require(approved); current = to; decides("decides dictates current"); }
  function revoke() external { require(approved); approved = false; decides("decides"); }
  function acceptQueued(uint256 n) external { require(queued[keccak256(abi.encode(n))] > 0); rate = n; decides("dictates rate prepared rate"); }
  function queue(bytes32 h) external { require(msg.sender == owner); queued[h] = block.timestamp; }
  // What is left to the caller.
  function settle(uint256 n) external { rate = n; decides("decides dictates rate"); }
  function settleFixed() external { rate = 3; decides("decides"); }
  function settleNow() external { rate = block.timestamp; decides(""); }
  function settlePaid() external payable { require(msg.value > 3); rate = 3; stage = msg.value; decides(""); }
  function send(address to) external { token.transfer(to, rate); decides("decides dictates transfer"); }
  function sendHome(uint256 n) external { token.transfer(owner, n); decides("decides dictates transfer"); }
  function sendAll() external { token.transfer(owner, rate); decides(""); }
  function makeOne() external { Prepared p = new Prepared(); p.settleFixed(); decides(""); }
}`,
  ],
)
