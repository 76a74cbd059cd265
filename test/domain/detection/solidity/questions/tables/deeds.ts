import { accessOf, type Entry, runsOnce } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import {
  decidesOnlyWhen,
  isAnnounced,
  isChosen,
  isSetting,
  isSwitched,
  isVetted,
  picksRipeItem,
  servesCaller,
} from "../../../../../../domain/detection/solidity/access/entries/intent.ts"
import {
  type Deed,
  claimsFreeEntry,
  sendsTokensToCaller,
  isRepaidInCall,
  isMade,
  isNotification,
  isOwn,
  isPayout,
  isTakeover,
} from "../../../../../../domain/detection/solidity/access/entries/deeds.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const nameOf = ({ variable, entryName, reached: { event } }: Deed): string =>
  entryName ?? variable?.name ?? (event.kind === "call" ? event.name : "write")

const wordsOf = (facts: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(facts).flatMap(([word, holds]) => (holds ? [word] : []))

const aboutDeed = (deed: Deed, { deeds }: Entry): string =>
  [
    nameOf(deed),
    ...wordsOf({
      own: isOwn(deed),
      takeover: isTakeover(deed),
      first: claimsFreeEntry(deed),
      notice: isNotification(deed),
      payout: isPayout(deed),
      made: isMade(deed),
      lent: isRepaidInCall(deed),
      handed: sendsTokensToCaller(deed, deeds),
      chosen: isChosen(deed),
      setting: isSetting(deed),
      switched: isSwitched(deed),
      vetted: isVetted(deed),
      announced: isAnnounced(deed),
    }),
  ].join(" ")

const entryOf = ({ program, fn }: Flow): Entry | undefined => accessOf(program).entryOf.get(fn)

/** What entry points do, on whose behalf, and what of it the caller decides. */
export const deeds = questionTable(
  "deeds",
  {
    deeds: (flow) => {
      const entry = entryOf(flow)
      return entry === undefined ? "none" : entry.deeds.map((deed) => aboutDeed(deed, entry)).join(", ")
    },
    entry: (flow) => {
      const entry = entryOf(flow)
      if (entry === undefined) return "none"
      const words = wordsOf({
        guarded: entry.guarded,
        serves: servesCaller(entry),
        when: decidesOnlyWhen(entry),
        ripe: picksRipeItem(entry),
        once: runsOnce(accessOf(flow.program), entry),
      })
      return [...words, ...(entry.open.length === 0 ? [] : ["open"]), ...entry.open.map(nameOf)].join(" ")
    },
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks { function deeds(string memory) internal pure {} function entry(string memory) internal pure {} }
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function mint(address to, uint256 n) external; function burn(address from, uint256 n) external; function balanceOf(address who) external view returns (uint256); }
interface IHook { function onReceived(address by, address from, address to, uint256 n) external; function greet(address by) external; function onItem(address by, uint256 id) external; function received(address by, address from, address to, uint256 n) external payable; }
interface IRegistry { function hookOf(address who) external view returns (address); function hookById(uint256 id) external view returns (address); function rate(uint256 of) external view returns (uint256); function isKnown(address who) external view returns (bool); }
interface IPool { function withdraw(address token, uint256 n, address to) external; function withdraw(uint256 n, address to) external; function redeem(uint256 n, address to, address from) external; function take(uint256 n, address to, uint256 m) external; }
library Bits { function put(uint256 w, uint256 bit) internal pure returns (uint256) { return w | bit; } function sum(uint256 w, uint256 n) internal pure returns (uint256) { return w + n; } }
library SafeToken { function safeTransferFrom(IToken t, address from, address to, uint256 n) internal { require(t.transferFrom(from, to, n)); } function safeTransfer(IToken t, address to, uint256 n) internal { require(t.transfer(to, n)); } }
contract Acts is Asks {
  using Bits for uint256;
  using SafeToken for IToken;
  enum State { Open, Shut }
  struct Item { address owner; uint256 price; uint256 until; State state; }
  IToken immutable token;
  IToken kept;
  IRegistry registry;
  IPool pool;
  address owner = msg.sender;
  address home = msg.sender;
  uint256 fee;
  uint256 cap;
  uint256 constant FLAG = 4;
  uint256 flags;
  uint256 other;
  uint256 at;
  bytes32 commitment;
  bool stopped;
  mapping(address => uint256) balances;
  mapping(address => uint256) nonces;
  mapping(address => uint256) seen;
  mapping(address => address) heirs;
  mapping(uint256 => address) owners;
  mapping(uint256 => Item) items;
  mapping(uint256 => uint256) stages;
  mapping(bytes32 => bool) announced;
  mapping(address => bool) barred;
  mapping(address => bool) shut;
  mapping(uint256 => bool) known;
  mapping(address => mapping(address => address)) pairs;
  uint256 transient passing;
  constructor(IToken t) { token = t; }

  // Whose it is.
  function deposit(uint256 n) external { balances[msg.sender] += n; deeds("balances own chosen"); entry("serves"); }
  function name(uint256 id) external { owners[id] = msg.sender; deeds("owners own"); entry("serves"); }
  function nameFree(uint256 id) external { require(owners[id] == address(0)); owners[id] = msg.sender; deeds("owners own first"); entry("serves"); }
  function nameUnowned(uint256 id) external { require(owners[id] != address(0)); owners[id] = msg.sender; deeds("owners own"); entry("serves"); }
  function inherit(address from) external { heirs[from] = msg.sender; deeds("heirs takeover"); entry("open heirs"); }
  function inheritFree(address from) external { require(heirs[from] == address(0)); heirs[from] = msg.sender; deeds("heirs own first"); entry("serves"); }
  function inheritOwn() external { heirs[msg.sender] = msg.sender; deeds("heirs own"); entry("serves"); }
  function become() external { owner = msg.sender; deeds("owner"); entry("open owner"); }
  function signed(uint256 n, bytes32 h, uint8 v, bytes32 r, bytes32 s) external { address by = ecrecover(h, v, r, s); nonces[by]++; balances[by] = n; deeds("nonces own, balances own chosen"); entry("serves"); }
  function signedTakeover(address from, bytes32 h, uint8 v, bytes32 r, bytes32 s) external { require(ecrecover(h, v, r, s) == from); heirs[from] = msg.sender; deeds("heirs takeover"); entry("guarded"); }
  function ownOrNot(bool mine, address who) external { balances[mine ? msg.sender : who] = 1; deeds("balances chosen"); entry("open balances"); }
  function notify(address to, uint256 n) external { IHook(registry.hookOf(to)).onReceived(msg.sender, address(0), to, n); deeds("onReceived own notice chosen"); entry(""); }
  function notifyOther(address to, uint256 n) external { IHook(registry.hookOf(home)).onReceived(msg.sender, address(0), to, n); deeds("onReceived own chosen"); entry(""); }
  function notifyDirectly(IHook hook, address to, uint256 n) external { hook.received(msg.sender, address(0), to, n); deeds("received own chosen"); entry("serves"); }
  // What leaves, and for whom.
  function pay(address to, uint256 n) external { token.transfer(to, n); deeds("transfer payout chosen"); entry("open transfer"); }
  function payMe() external { token.transfer(msg.sender, fee); deeds("transfer own payout handed"); entry("open transfer"); }
  function payMeAll() external { token.transfer(msg.sender, token.balanceOf(address(this))); deeds("transfer own payout handed"); entry("open transfer"); }
  function payMeMine() external { token.transfer(msg.sender, balances[msg.sender]); deeds("transfer own payout"); entry(""); }
  function payMeAsked() external { require(balances[msg.sender] > 3); token.transfer(msg.sender, fee); deeds("transfer own payout"); entry(""); }
  function payMeAndCount() external { balances[msg.sender] = 0; token.transfer(msg.sender, fee); deeds("balances own, transfer own payout"); entry("serves"); }
  function payMePaid() external payable { cap = msg.value; token.transfer(msg.sender, fee); deeds("cap, transfer own payout"); entry("serves when open cap"); }
  function payMeSafely() external { token.safeTransfer(msg.sender, fee); deeds("transfer own payout handed"); entry("open transfer"); }
  function make(address to, uint256 n) external { token.mint(to, n); deeds("mint payout made chosen"); entry("open mint"); }
  function makeHome(uint256 n) external { token.mint(home, n); deeds("mint payout chosen"); entry("open mint"); }
  function lend(uint256 n) external { token.transfer(msg.sender, n); IHook(msg.sender).onReceived(msg.sender, address(this), msg.sender, n); token.transferFrom(msg.sender, address(this), n); deeds("transfer own payout lent chosen, onReceived own chosen, transferFrom own chosen"); entry("serves"); }
  function lendTo(address to, uint256 n) external { token.transfer(to, n); token.transferFrom(to, address(this), n); deeds("transfer payout lent chosen, transferFrom chosen"); entry("serves open transfer transferFrom"); }
  function _lend(address to, uint256 n) private { token.transfer(to, n); token.transferFrom(to, address(this), n); }
  function lendByHelper(address to, uint256 n) external { _lend(to, n); deeds("transfer lent chosen, transferFrom chosen"); entry("serves open transfer transferFrom"); }
  function draw(uint256 n) external { pool.withdraw(address(token), n, msg.sender); deeds("withdraw chosen"); entry("open withdraw"); }
  function drawShort(uint256 n) external { pool.withdraw(n, msg.sender); deeds("withdraw own chosen"); entry("serves"); }
  function drawTheirs(uint256 n) external { pool.redeem(n, msg.sender, msg.sender); deeds("redeem own chosen"); entry("serves"); }
  function drawOther(uint256 n) external { pool.take(n, msg.sender, n); deeds("take own chosen"); entry("serves"); }
  function _draw(uint256 n) private { pool.withdraw(address(token), n, msg.sender); }
  function drawByHelper(uint256 n) external { _draw(n); deeds("withdraw own chosen"); entry("serves"); }
  function end() external { selfdestruct(payable(msg.sender)); deeds("selfdestruct"); }
  // Who is served.
  function stake(uint256 n) external { token.transferFrom(msg.sender, address(this), n); fee += n; deeds("fee chosen setting, transferFrom own chosen"); entry("serves open fee"); }
  function stakeSafely(uint256 n) external { token.safeTransferFrom(msg.sender, address(this), n); fee += n; deeds("fee chosen setting vetted, transferFrom own chosen"); entry("serves open fee"); }
  function stakeBySelector(uint256 n) external { (bool ok, ) = address(token).call(abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), n)); require(ok); deeds("call own chosen"); entry("serves"); }
  function payBySelector(uint256 n) external { (bool ok, ) = address(token).call(abi.encodeWithSelector(0xa9059cbb, msg.sender, n)); require(ok); deeds("call own chosen"); entry(""); }
  function burn(uint256 n) external { token.burn(msg.sender, n); deeds("burn own chosen"); entry("serves"); }
  function ownMove(uint256 n) external { token.transferFrom(address(this), msg.sender, n); deeds("transferFrom own chosen"); entry(""); }
  function paid() external payable { fee += msg.value; deeds("fee"); entry("serves when open fee"); }
  function forward() external payable { IHook(home).received{ value: msg.value }(home, home, home, 1); deeds("received"); entry("open received"); }
  function tick() external { require(seen[msg.sender] < 5); seen[msg.sender]++; fee += 1; deeds("seen own, fee switched"); entry("open fee"); }
  function tickBy(uint256 n) external { require(seen[msg.sender] < 5); seen[msg.sender] += n; fee += 1; deeds("seen own chosen, fee switched"); entry("serves open fee"); }
  function tickUnlimited() external { seen[msg.sender]++; fee += 1; deeds("seen own, fee switched"); entry("serves open fee"); }
  function served(uint256 n) external { if (n > 3) { require(msg.sender == owner); balances[msg.sender] = n; } else { fee = n; } deeds("balances own chosen, fee chosen setting"); entry("open fee"); }
  // What decides it.
  function setFee(uint256 to) external { fee = to; deeds("fee chosen setting"); }
  function setFeeChanged(uint256 to) external { require(fee != to); fee = to; deeds("fee chosen setting"); }
  function setFeeSame(uint256 to) external { require(stages[to] == fee); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeOfStage(uint256 to) external { require(stages[to] > 3); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeOfNumber(uint256 to) external { require(keccak256(abi.encode(to)) == commitment); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeOfOther(uint256 to, uint256 salt) external { require(keccak256(abi.encode(salt)) == commitment); fee = to; deeds("fee chosen setting"); }
  function setFeeEither(uint256 to, uint256 id) external { require(stages[to] > 3 || stages[to] <= 3); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeIfBoth(uint256 to, uint256 id) external { require((stages[to] > 3 && id > 2) || (stages[to] <= 3 && id > 1)); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeOr(uint256 to, uint256 id) external { require(stages[to] > 3 || stages[to] == 1); fee = to; deeds("fee chosen setting vetted"); }
  function setFeeTimed(uint256 to) external { require(block.timestamp > at); fee = to; deeds("fee chosen setting"); }
  function fixFee() external { require(block.timestamp > at); fee = cap; deeds("fee vetted"); entry("when open fee"); }
  function fixFeeBefore() external { require(block.timestamp < at); fee = cap; deeds("fee"); entry("when open fee"); }
  function fixFeeBeforeOr() external { require(block.timestamp < at || at == 0); fee = cap; deeds("fee"); entry("when open fee"); }
  function fixFeeAhead() external { require(block.timestamp + 5 < at); fee = cap; deeds("fee vetted"); entry("when open fee"); }
  function fixFeeAt() external { require(block.timestamp == at); fee = cap; deeds("fee vetted"); entry("when open fee"); }
  function setFeeUnbarred(uint256 to, address who) external { require(!barred[who]); home = who; fee = to; deeds("home chosen setting, fee chosen setting"); }
  function setFeeShut(uint256 to, address who) external { require(!shut[who]); home = who; fee = to; deeds("home chosen setting vetted, fee chosen setting"); }
  function setFeeStopped(uint256 to) external { require(!stopped); fee = to; deeds("fee chosen setting"); }
  function bar(address who) external { require(msg.sender == owner); barred[who] = true; }
  function stop() external { require(msg.sender == owner); stopped = true; }
  function setFeeAnnounced(uint256 to) external { require(announced[keccak256(abi.encode(to))]); fee = to; deeds("fee chosen setting vetted announced"); }
  function setFeeAnnouncedOther(uint256 to, uint256 salt) external { require(announced[keccak256(abi.encode(salt))]); fee = to; deeds("fee chosen setting"); }
  function setStage(uint256 id, uint256 to) external { stages[id] = to; deeds("stages chosen setting"); entry("open stages"); }
  function setStageNew(uint256 id, uint256 to) external { require(stages[id] == 0); stages[id] = to; deeds("stages first chosen setting"); }
  function setStageOld(uint256 id, uint256 to) external { require(stages[id] == 7); stages[id] = to; deeds("stages chosen setting vetted"); }
  function setStageBelow(uint256 id, uint256 to) external { require(stages[id] < to); stages[id] = to; deeds("stages chosen setting"); }
  function setStageKnown(uint256 id, uint256 to) external { require(stages[id] + other == 0); stages[id] = to; deeds("stages first chosen setting"); }
  function setStageRate(uint256 id) external { stages[id] = registry.rate(id); deeds("stages"); }
  function setStageMixed(IRegistry by, uint256 id, uint256 n) external { stages[id] = by.rate(id) + n; deeds("stages chosen setting"); }
  function setStageFirst(uint256 to) external { stages[1] = to; deeds("stages chosen setting"); }
  function setStageOfCap(uint256 to) external { stages[cap] = to; deeds("stages chosen"); }
  function setStageHashed(bytes memory what, uint256 to) external { stages[uint256(keccak256(what))] = to; deeds("stages chosen setting"); }
  function clearStage(uint256 id) external { delete stages[id]; deeds("stages chosen setting"); }
  function clearFee() external { delete fee; deeds("fee switched"); entry("open fee"); }
  function setStageIf(uint256 id, uint256 n, uint256 to) external { require(stages[id] == n); stages[id] = to; deeds("stages chosen setting vetted"); }
  function setStageSum(uint256 id, uint256 to) external { require(registry.rate(id) + stages[id] == 0); stages[id] = to; deeds("stages first chosen setting vetted"); }
  function setKnown(uint256 id, bool yes) external { require(known[id]); known[id] = yes; deeds("known chosen setting"); }
  function setKnownNew(uint256 id, bool yes) external { require(!known[id]); known[id] = yes; deeds("known first chosen setting"); }
  function setFeeRate(uint256 id) external { require(stages[id] > 3); fee = registry.rate(id); deeds("fee"); }
  function setFeeBy(IRegistry by) external { fee = by.rate(3); deeds("fee chosen setting"); }
  function setFeeAfter(uint256 to) external { if (stages[to] > 3) cap = 1; else cap = 2; fee = to; deeds("cap switched, cap switched, fee chosen setting"); }
  function fixFeeAtTurned() external { require(at == block.timestamp); fee = cap; deeds("fee vetted"); }
  function fixFeeTwice() external { require(block.timestamp < at || block.timestamp > other); fee = cap; deeds("fee vetted"); }
  function setPair(address who) external { pairs[msg.sender][who] = msg.sender; deeds("pairs own"); }
  function greet(address hook) external { IHook(hook).greet(msg.sender); deeds("greet own"); }
  function notifyItem(uint256 id) external { IHook(registry.hookById(id)).onItem(msg.sender, id); deeds("onItem own chosen"); }
  function _mint(address to, uint256 n) private { balances[to] += n; }
  function mintTo(address to, uint256 n) external { _mint(to, n); deeds("balances made chosen setting"); }
  function mintMe() external { _mint(msg.sender, 5); deeds("balances own"); entry("serves"); }
  function payMeWhen() external { require(cap > 3); token.transfer(msg.sender, fee); deeds("transfer own payout handed"); }
  function runOwn(bytes calldata data) external { (bool ok, ) = address(this).delegatecall(data); require(ok); entry("none"); }
  function runElsewhere(bytes calldata data) external { (bool ok, ) = home.delegatecall(data); require(ok); entry("open delegatecall"); }
  function callOwn(bytes calldata data) external { (bool ok, ) = address(this).call(data); require(ok); entry("open call"); }
  function remember(uint256 n) external { passing = n; entry("none"); }
  function assembled(address to, uint256 n) external { address t = home; assembly { mstore(0, to) mstore(32, n) pop(call(gas(), t, 0, 0, 64, 0, 0)) } deeds("call chosen"); }
  function assembledFixed(address to) external { address t = home; assembly { mstore(0, 7) pop(call(gas(), t, 0, 0, 32, 0, 0)) mstore(0, to) } deeds("call"); }
  // What switches.
  function flip() external { stopped = true; deeds("stopped switched"); }
  function flipTime() external { at = block.timestamp; deeds("at switched"); }
  function flag() external { flags = flags | FLAG; deeds("flags switched"); }
  function flagOther() external { flags = other | FLAG; deeds("flags"); }
  function flagCall() external { flags = flags.put(FLAG); deeds("flags switched"); }
  function flagSum() external { flags = flags.sum(FLAG); deeds("flags"); }
  function flagPlus() external { flags = flags + FLAG; deeds("flags"); }
  function flagUp() external { flags |= FLAG; deeds("flags switched"); }
  function flagInc() external { flags++; deeds("flags switched"); }
  function flagSame() external { flags = flags; deeds("flags"); }
  function flagStage(uint256 id) external { stages[id] = 3; deeds("stages chosen setting"); }
  // What is ripe.
  function settle(uint256 id) external { require(items[id].until < block.timestamp); items[id].state = State.Shut; deeds("items chosen setting vetted"); entry("ripe open items"); }
  function settleAt(uint256 id) external { require(items[id].until == 5); items[id].state = State.Shut; entry("open items"); }
  function settlePriced(uint256 id) external { require(items[id].price > cap); items[id].state = State.Shut; entry("ripe open items"); }
  function settleAny(uint256 id) external { require(items[id].price > 0); items[id].state = State.Shut; entry("open items"); }
  function settleTimed(uint256 id) external { require(items[id].until > 0 && items[id].until <= block.timestamp); items[id].state = State.Shut; entry("ripe open items"); }
  function settleOther(uint256 id, uint256 k) external { require(items[id].price > cap); items[k].state = State.Shut; entry("open items"); }
  function settleTo(uint256 id, uint256 n) external { require(items[id].price > cap); items[id].price = n; entry("open items"); }
  function settleFor(uint256 id) external { require(items[id].price > cap); items[id].owner = msg.sender; entry("serves"); }
  function settleMine(uint256 id) external { require(items[id].price > cap); balances[msg.sender] = 1; fee = 2; entry("serves ripe open fee"); }
  function settleWord(uint256 id) external { require(items[id].price > cap); commitment = bytes32(msg.data); entry("open commitment"); }
  function settleSum(uint256 id, uint256 n) external { require(n < cap); items[id].state = State.Shut; entry("open items"); }
  function settleOf(uint256[] calldata ns, uint256 id) external { require(ns[id] < cap); items[id].state = State.Shut; entry("open items"); }
  function settleLeft(uint256 id) external { require(items[id].until - block.timestamp > 0); items[id].state = State.Shut; entry("ripe open items"); }
  function settleNow() external { require(block.timestamp > at); items[1].state = State.Shut; entry("open items"); }
  // Only when.
  function update() external { at = block.timestamp; other += fee; entry("when open at other"); }
  function updateZero() external { other = 0; entry("open other"); }
  function updateFor(address who) external { balances[who] += fee; entry("open balances"); }
  function updateTo(uint256 n) external { other = n; entry("open other"); }
  function collect() external { token.transfer(home, other); other = 0; entry("when open other transfer"); }
  function collectFixed() external { token.transfer(home, 5); other = 0; entry("when open other transfer"); }
  function collectAway() external { token.transfer(address(7), 5); other = 0; entry("open other transfer"); }
  function collectOf(IToken t) external { t.transfer(home, other); other = 0; entry("open other transfer"); }
  function collectFor(address who) external { uint256 n = balances[who]; balances[who] = 0; token.transfer(home, n); entry("when open balances transfer"); }
  function collectMine() external { uint256 n = balances[msg.sender]; balances[msg.sender] = 0; token.transfer(home, n); entry("serves when open transfer"); }
  function inform() external { IHook(home).received(home, home, home, other); entry("open received"); }
  // What is no deed.
  function look() external view returns (uint256) { entry("none"); return fee; }
  function fail() external { fee = 1; entry("none"); revert(); }
  function nothing() external { entry("none"); }
}`,
    `pragma solidity ^0.8.20;
import "./Missing.sol";
abstract contract Asks { function deeds(string memory) internal pure {} function entry(string memory) internal pure {} }
contract Once is Asks {
  address owner;
  address first;
  uint256 level;
  uint256 begun;
  uint256 stage;
  uint256 round;
  bool ready;
  bool done;
  bool again;
  bool held;
  bool free;
  string label;
  uint256[] list;
  mapping(address => bool) joined;
  function init(address to) external { require(owner == address(0)); owner = to; entry("once open owner"); }
  function initBy(address to) external { require(!ready); ready = true; first = to; entry("once open ready first"); }
  function initLess(address to) external { require(begun <= 0); begun = block.timestamp; first = to; entry("once open begun first"); }
  function initUnset(address to) external { require(!done); first = to; entry("open first"); }
  function initStage(address to) external { require(stage == 1); stage = 2; first = to; entry("open stage first"); }
  function initReset(address to) external { require(!again); again = true; first = to; entry("open again first"); }
  function reset() external { again = false; entry("open again"); }
  function initClears(address to) external { require(!held); held = true; first = to; held = false; entry("open first"); }
  function initEither(address to) external { require(!free || msg.sender == address(5)); free = true; first = to; entry("once"); }
  function initOrSet(address to) external { require(round == 0 || round > 0); round = 1; first = to; entry("open round first"); }
  function join(address who) external { require(!joined[who]); joined[who] = true; entry("open joined"); }
  function fill(uint256 n) external { require(list.length == 0); list.push(n); entry("open list"); }
  function labeled(string calldata to) external { require(bytes(label).length == 0); label = to; entry("once open label"); }
  function sum(uint256 n) external { require(level + stage == 0); level = n; entry("open level"); }
  function partly(uint256 n) external { if (begun == 0) begun = block.timestamp; level = n; entry("open begun level"); }
}
contract OnceGuarded is Asks {
  address boss = msg.sender;
  address owner;
  bool ready;
  uint256 level;
  // A trusted account may set it again, but not to nothing.
  function init(address to) external { require(owner == address(0)); owner = to; entry("once open owner"); }
  function replace(address to) external { require(msg.sender == boss); owner = to; entry("guarded"); }
  function begin(uint256 n) external { require(!ready); ready = true; level = n; entry("open ready level"); }
  function beginAgain() external { require(msg.sender == boss); ready = true; entry("guarded"); }
}
contract OnceCleared is Asks {
  address boss = msg.sender;
  address owner;
  function init(address to) external { require(owner == address(0)); owner = to; entry("open owner"); }
  function clear() external { require(msg.sender == boss); owner = address(0); entry("guarded"); }
}
contract Other is Asks {
  address owner;
  function set(address to) external { owner = to; entry("open owner"); }
}
contract OnceTimed is Asks {
  uint256 start;
  uint256 level;
  function begin(uint256 n) external { require(start == 0); start = 5; level = n; entry("once open start level"); }
  function move() external { start = block.timestamp; entry("when open start"); }
  function moveTo(uint256 n) external { level = n; entry("open level"); }
}
contract OnceTurned is Asks {
  address owner;
  function init(address to) external { require(address(0) == owner); owner = to; entry("once open owner"); }
}
contract OnceSum is Asks {
  uint256 a;
  uint256 b;
  function begin(uint256 n) external { require(a + b == 0); a = n; entry("open a"); }
}
contract OnceSet is Asks {
  uint256 a;
  function more(uint256 n) external { require(a != 0); a = n; entry("open a"); }
}
contract OnceState is Asks {
  enum State { Open, Shut, Gone }
  State state;
  State kind;
  function shutIt() external { require(state == State.Open); state = State.Shut; entry("once open state"); }
  function change() external { require(kind != State.Open); kind = State.Gone; entry("open kind"); }
}
contract OnceOpen is Asks {
  address owner;
  function initFirst(address to) external { require(owner == address(0)); owner = to; entry("open owner"); }
  function setAny(address to) external { owner = to; entry("open owner"); }
}
contract OncePresent is Asks {
  uint256 level;
  uint256 part;
  function __Part_init(uint256 n) internal { part = n; }
  function beginPresent(uint256 n) external { __Part_init(n); level = n; entry("open level part"); }
}
contract OnceBased is Initializable, Asks {
  uint256 level;
  address owner;
  function begin(uint256 n) external initializer { level = n; entry("once open level"); }
  function beginPart(uint256 n) external { __Ownable_init(); level = n; entry("once open level __Ownable_init"); }
  function notPart(uint256 n) external { _init(); level = n; entry("open level _init"); }
}`,
  ],
)
