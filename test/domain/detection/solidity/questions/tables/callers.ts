import { accountOwnedTables } from "../../../../../../domain/detection/solidity/access/lacking/holders.ts"
import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import {
  decidesOnlyWhen,
  isAnnounced,
  isGlobal,
  isSetting,
  isVetted,
  servesCaller,
} from "../../../../../../domain/detection/solidity/access/entries/intent.ts"
import { demandsAt } from "../../../../../../domain/detection/solidity/demands/demands.ts"
import type { Deed } from "../../../../../../domain/detection/solidity/access/entries/deeds.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const entryOf = ({ program, fn }: Flow): Entry => accessOf(program).entryOf.get(fn)!

const aboutDeed = (deed: Deed): string => {
  const { variable, reached, demands } = deed
  const name = variable?.name ?? (reached.event.kind === "call" ? reached.event.name : "write")
  const facts = {
    vetted: isVetted(deed),
    announced: isAnnounced(deed),
    setting: isSetting(deed),
    global: isGlobal(deed),
  }
  const holding = Object.entries(facts).flatMap(([fact, holds]) => (holds ? [fact] : []))
  return [name, demands.standing, ...holding].join(" ")
}

/** Who can reach a step, and what the caller decides about what is done there. */
export const callers = questionTable(
  "callers",
  {
    standing: (flow, _, at) => {
      const { standing, kinds, inspected } = demandsAt(flow, at)
      return [standing, ...kinds, ...(inspected ? ["inspected"] : [])].join(" ")
    },
    deeds: (flow) => entryOf(flow).deeds.map(aboutDeed).join(", "),
    serves: (flow) => servesCaller(entryOf(flow)),
    onlyWhen: (flow) => decidesOnlyWhen(entryOf(flow)),
    held: ({ program }) =>
      [...accountOwnedTables(accessOf(program)).keys()]
        .map(({ name }) => name)
        .toSorted()
        .join(" "),
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks {
  function standing(string memory) internal pure {}
  function deeds(string memory) internal pure {}
  function serves(string memory) internal pure {}
  function onlyWhen(string memory) internal pure {}
  function held(string memory) internal pure {}
}
interface IRegistry { function isMember(address who) external view returns (bool); }
interface IBridge { function sender() external view returns (address); }
library Checks { function only(address a, address b) internal pure { require(a == b); } }
contract Callers is Asks {
  address owner = msg.sender;
  IRegistry immutable registry;
  IBridge bridge;
  mapping(address => bool) admins;
  mapping(address => uint256) seats;
  mapping(address => uint256) openSeats;
  mapping(address => uint256) balances;
  mapping(address => uint256) last;
  mapping(address => bool) barred;
  mapping(address => uint256) mixed;
  mapping(address => uint256) counted;
  mapping(address => uint256) given;
  mapping(address => uint256) joined;
  mapping(uint256 => address) owners;
  mapping(bytes32 => bool) known;
  uint256 value;
  uint256 amount;
  bool begun;
  bool running;
  bool idle = true;
  bool free;
  constructor(IRegistry r) { registry = r; }

  function byAnyone() external { standing("open"); value = 1; }
  function byOwner() external { require(msg.sender == owner); standing("guarded owner"); value = 1; }
  function byOwnerAfter() external { standing("guarded owner"); value = 1; if (owner != msg.sender) revert(); }
  function byOwnerSometimes(bool asked) external {
    if (asked) require(msg.sender == owner);
    standing("open");
    value = 1;
  }
  function byOwnerOrArgument(address who) external {
    require(msg.sender == owner || msg.sender == who);
    standing("tied self inspected");
    value = 1;
  }
  function byOwnerOrAdmin() external { require(msg.sender == owner || admins[msg.sender]); standing("guarded owner inspected"); value = 1; }
  function byOwnerOrAmount(uint256 n) external { require(msg.sender == owner || n > 10); standing("open"); value = 1; }
  function byHelper() external { _only(); standing("guarded owner inspected"); value = 1; }
  function _only() private view { if (msg.sender != owner) revert(); }
  function byHelperOf() external { _onlyOne(msg.sender, 1); standing("guarded owner inspected"); value = 1; }
  function _onlyOne(address who, uint256 n) private view { require(n > 0 && who == owner); }
  function byDeepHelper() external { _deep(msg.sender); standing("guarded owner inspected"); value = 1; }
  function _deep(address who) private view { if (!_isOne(who)) revert(); }
  function _isOne(address who) private view returns (bool) { return who == owner || admins[who]; }
  function byAmountHelper() external { _hasMany(msg.sender); standing("tied holder"); value = 1; }
  function _hasMany(address who) private view { require(balances[who] > 5); }
  function byOtherHelper(uint256 n) external { _isSmall(n); standing("open"); value = 1; }
  function _isSmall(uint256 n) private pure { require(n != 7); }
  function byOuterHelper() external { _outer(msg.sender, 1); standing("guarded owner inspected"); value = 1; }
  function _outer(address who, uint256 n) private view { _isSmall(n); _deep(who); }
  function byOuterOfAmount() external { _outerOfAmount(msg.sender, 1); standing("tied inspected"); value = 1; }
  function _outerOfAmount(address who, uint256 n) private view { _isSmall(n); _isSmall(balances[who]); }
  function byUnhanded() external { _unhanded(msg.sender, 1); standing("open"); value = 1; }
  function _unhanded(address, uint256 n) private pure { _isSmall(n); }
  function byOwnSender() external { _sender(); standing("guarded owner inspected"); value = 1; }
  function _sender() private view { _inner(); }
  function _inner() private view { if (!_isOne(msg.sender)) revert(); }
  function byFewHelper() external { _hasFew(msg.sender); standing("open"); value = 1; }
  function _hasFew(address who) private view { require(!(balances[who] > 5)); }
  function byAmounts() external { _amounts(msg.sender); standing("tied holder"); value = 1; }
  function _amounts(address who) private view { require(balances[who] > 5 && 0 != balances[who]); }
  function byAmountAndOwner() external { _amountAndOwner(msg.sender); standing("guarded holder owner inspected"); value = 1; }
  function _amountAndOwner(address who) private view { require(balances[who] > 5 && who == owner); }
  function byOwnerAndAmount() external { _ownerAndAmount(msg.sender); standing("guarded owner holder inspected"); value = 1; }
  function _ownerAndAmount(address who) private view { require(who == owner && balances[who] > 5); }
  function byExactHelper() external { _exact(msg.sender); standing("guarded member inspected"); value = 1; }
  function _exact(address who) private view { require(last[who] == 5); }
  function byLibrary() external { Checks.only(owner, msg.sender); standing("guarded owner inspected"); value = 1; }
  function byArgumentOrAmount(address who, uint256 n) external {
    require(msg.sender == who || n > 10);
    standing("tied");
    value = 1;
  }
  function byMixed() external { require(mixed[msg.sender] != 0); standing("tied holder"); value = 1; }
  function byCounted() external { require(counted[msg.sender] != 0); standing("tied holder"); value = 1; }
  function byGiven() external { require(given[msg.sender] != 0); standing("guarded listed inspected"); value = 1; }
  function byJoined() external { require(joined[msg.sender] != 0); standing("tied holder inspected"); value = 1; }
  function mix(address who, uint256 n) external { require(msg.sender == owner); mixed[who] = n; }
  function mixFixed(address who) external { require(msg.sender == owner); mixed[who] = 1; }
  function count(address who) external { require(msg.sender == owner); counted[who]++; }
  function giveFixed(address who) external { require(msg.sender == owner); given[who] = 1; }
  function takeGiven(address who) external { require(msg.sender == owner); delete given[who]; }
  function join() external { joined[msg.sender] = 1; }
  function joinOther(address who) external { require(msg.sender == owner); joined[who] = 1; }
  function byAdmin() external { require(admins[msg.sender]); standing("guarded member"); value = 1; }
  function byRegistry() external { require(registry.isMember(msg.sender)); standing("guarded external"); value = 1; }
  function byBridge() external { require(bridge.sender() == owner); standing("guarded messenger"); value = 1; }
  function byHash(bytes calldata data) external { require(known[keccak256(data)]); standing("open"); value = 1; }
  function bySignature(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(h, v, r, s) == owner);
    standing("guarded signature");
    value = 1;
  }
  function bySelf(address who) external { require(msg.sender == who); standing("tied self"); value = 1; }
  function byOrigin() external { require(tx.origin == owner); standing("guarded origin"); value = 1; }
  function bySeat() external { require(seats[msg.sender] != 0); standing("guarded listed inspected"); value = 1; }
  function byOpenSeat() external { require(openSeats[msg.sender] != 0); standing("tied holder inspected"); value = 1; }
  function byBalance() external { require(balances[msg.sender] != 0); standing("tied holder"); value = 1; }
  function byNewcomer() external { require(balances[msg.sender] == 0); standing("open"); value = 1; }
  function byUnbarred() external { require(!barred[msg.sender]); standing("open"); value = 1; }
  function byNobodyElse(uint256 id) external { require(msg.sender != owners[id]); standing("open"); value = 1; }
  function bySomebody() external { require(msg.sender != address(0)); standing("open"); value = 1; }
  function byRested() external {
    require(last[msg.sender] + 1 days < block.timestamp);
    standing("open");
    last[msg.sender] = block.timestamp;
  }
  function byRestedTurned() external { require(block.timestamp >= last[msg.sender]); standing("open"); value = 1; }
  function byFirst() external { require(!begun); begun = true; standing("open once"); value = 1; }
  function byPayment(address to) external {
    (bool ok, ) = to.call(abi.encodeWithSignature("give(address)", msg.sender));
    require(ok);
    standing("open");
    value = 1;
  }
  function byBranch(uint256 to) external {
    if (registry.isMember(msg.sender) && value > 0) last[owner] = to;
    standing("open");
    value = 1;
  }
  function byEither() external { require(registry.isMember(msg.sender) || begun); standing("tied inspected"); value = 1; }
  function duringRun() external { require(running); standing("guarded session"); value = 1; }
  function run() external { require(msg.sender == owner); running = true; registry.isMember(owner); running = false; }
  function runAlone() external { running = true; part(); running = false; }
  function part() internal { require(running); standing("guarded session"); value = 1; }
  function duringOwn() external { running = true; require(running); standing("open"); running = false; }
  // a lock that is set while nothing runs, and lifted for a callback
  function whenIdle() external { require(idle); standing("open"); value = 1; }
  function whenFree() external { require(free); standing("open"); value = 1; }
  function lift() external { idle = true; free = true; registry.isMember(owner); idle = false; free = false; }
  function close() external { free = false; registry.isMember(owner); free = true; }
  function seat(address who) external { require(msg.sender == owner); seats[who] = block.number; }
  function takeSeat() external { openSeats[msg.sender] = 1; }
  function admit(address who) external { require(msg.sender == owner); admins[who] = true; }
  function bar(address who) external { require(msg.sender == owner); barred[who] = true; }
  function note(bytes32 what) external { require(msg.sender == owner); known[what] = true; }
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function own(uint256 id) external { require(owners[id] == address(0)); owners[id] = msg.sender; }
}`,
    `pragma solidity ^0.8.20;
abstract contract Asks {
  function standing(string memory) internal pure {}
  function deeds(string memory) internal pure {}
  function serves(string memory) internal pure {}
  function onlyWhen(string memory) internal pure {}
  function held(string memory) internal pure {}
}
interface IToken {
  function transfer(address to, uint256 n) external returns (bool);
  function transferFrom(address from, address to, uint256 n) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
interface IList { function allows(address who) external view returns (bool); }
interface IBook { function rate() external view returns (uint256); }
library Address { function isContract(address a) internal view returns (bool) { return a.code.length > 0; } }
contract Deeds is Asks {
  using Address for address;
  struct Order { address maker; uint256 price; }
  address owner = msg.sender;
  address treasury = msg.sender;
  IToken token;
  IList list;
  address feed;
  uint256 fee;
  uint256 due;
  uint256 unlock;
  uint256 updated;
  bytes32 announced;
  mapping(bytes32 => uint256) queued;
  mapping(uint256 => Order) orders;
  mapping(uint256 => address) names;
  mapping(address => uint256) rates;
  mapping(address => uint256) balances;
  mapping(address => uint256) last;
  mapping(address => bool) locked;
  mapping(address => bool) loose;
  address[] players;

  function setFee(uint256 to) external { fee = to; deeds("fee open setting global"); serves("false"); onlyWhen("false"); }
  function setFeeOfOwner(uint256 to) external { require(msg.sender == owner); fee = to; deeds("fee guarded setting global"); }
  function raiseFee(uint256 to) external { require(to > fee); fee = to; deeds("fee open setting global"); }
  function setFeeLater(uint256 to) external { require(block.timestamp > unlock); fee = to; deeds("fee open setting global"); }
  function openFee() external { require(block.timestamp > unlock); fee = due; deeds("fee open vetted"); onlyWhen("true"); }
  function setFeed(address to) external { require(list.allows(to)); feed = to; deeds("feed open vetted setting global"); }
  function setFeedChosen(address to, IList by) external { require(by.allows(to)); feed = to; deeds("feed open setting global"); }
  function setFeedCode(address to) external { require(to.isContract()); feed = to; deeds("feed open setting global"); }
  function setFeedUnlocked(address to) external { require(!locked[to]); feed = to; deeds("feed open setting global"); }
  function setFeedLoose(address to) external { require(!loose[to]); feed = to; deeds("feed open vetted setting global"); }
  function setFeedHashed(address to) external { require(keccak256(abi.encode(to)) == announced); feed = to; deeds("feed guarded vetted setting global"); }
  function setFeedQueued(address to) external {
    require(queued[keccak256(abi.encode(to))] != 0);
    feed = to;
    deeds("feed open vetted announced setting global");
  }
  function lock(address who) external { require(msg.sender == owner); locked[who] = true; deeds("locked guarded setting"); }
  function loosen(address who) external { loose[who] = true; deeds("loose open setting"); }
  function queue(bytes32 what) external { require(msg.sender == owner); queued[what] = 1; announced = what; }
  function setRate(address of_, uint256 to) external { rates[of_] = to; deeds("rates open setting"); }
  function setRateOf(address of_) external { rates[of_] = IBook(of_).rate(); deeds("rates open"); }
  function clearRate(address of_) external { delete rates[of_]; deeds("rates open setting"); }
  function setRateOnce(address of_, uint256 to) external { require(rates[of_] == 0); rates[of_] = to; deeds("rates open setting"); }
  function setFirst(uint256 to) external { rates[owner] = to; deeds("rates open"); }
  function update() external { updated = block.timestamp; due += fee; deeds("updated open, due open"); onlyWhen("true"); }
  function collect() external { token.transfer(treasury, due); due = 0; deeds("due open, transfer open"); serves("false"); onlyWhen("true"); }
  function collectFor(address who) external {
    uint256 n = balances[who];
    balances[who] = 0;
    token.transfer(treasury, n);
    deeds("balances open setting, transfer open");
    onlyWhen("true");
  }
  function send(address to, uint256 n) external { token.transfer(to, n); deeds("transfer open"); serves("false"); onlyWhen("false"); }
  function deposit() external payable { balances[msg.sender] += msg.value; deeds("balances open"); serves("true"); }
  function paid() external payable { due += msg.value; serves("true"); }
  function stake(uint256 n) external { token.transferFrom(msg.sender, address(this), n); due += n; serves("true"); }
  function give(uint256 n) external { token.transfer(msg.sender, n); due -= n; serves("false"); }
  function poke() external {
    require(last[msg.sender] + 1 days < block.timestamp);
    last[msg.sender] = block.timestamp;
    fee += 1;
    serves("false");
  }
  function pokeOften() external { last[msg.sender] = block.timestamp; fee += 1; serves("true"); }
  function place(uint256 id, uint256 price) external {
    require(orders[id].maker == address(0));
    orders[id] = Order(msg.sender, price);
    deeds("orders open");
    held("names orders players");
  }
  function name(uint256 id) external { names[id] = msg.sender; deeds("names open"); }
  function play() external { players.push(msg.sender); deeds("players open"); }
}`,
    // Who is asked was put in place by the caller.
    `pragma solidity ^0.8.20;
interface IHub { function allows(address who) external view returns (bool); function admin() external view returns (address); }
contract Appointed {
  address owner;
  address keeper;
  address other;
  IHub hub;
  IHub second;
  address[2] pair;
  mapping(uint256 => address) owners;
  uint256 number;
  uint256 value;
  function standing(string memory) internal pure {}
  function byOwner(address next) external { owner = next; require(msg.sender == owner); standing("open"); value = 1; }
  function byOwnerTurned(address next) external { owner = next; require(owner == msg.sender); standing("open"); value = 1; }
  function byOther(address next) external { keeper = next; require(msg.sender == owner); standing("guarded owner"); value = 1; }
  function before(address next) external { require(msg.sender == owner); owner = next; standing("guarded owner"); value = 1; }
  function byStored() external { owner = other; require(msg.sender == owner); standing("guarded owner"); value = 1; }
  function byFixed() external { owner = address(7); require(msg.sender == owner); standing("guarded owner"); value = 1; }
  function bySome(address next, bool yes) external {
    if (yes) owner = next;
    require(msg.sender == owner);
    standing("guarded owner");
    value = 1;
  }
  function byHub(IHub next) external { hub = next; require(hub.allows(msg.sender)); standing("open"); value = 1; }
  function byHubsAdmin(IHub next) external { hub = next; require(msg.sender == hub.admin()); standing("open"); value = 1; }
  function bySecondHub(IHub next) external { hub = next; require(second.allows(msg.sender)); standing("guarded external"); value = 1; }
  function byBothHubs(IHub next) external {
    hub = next;
    require(hub.allows(msg.sender));
    require(second.allows(msg.sender));
    standing("guarded external");
    value = 1;
  }
  function bySetter(address next) external { _set(next); require(msg.sender == owner); standing("open"); value = 1; }
  function _set(address next) internal { owner = next; }
  function bySetterOfOther() external { _set(other); require(msg.sender == owner); standing("guarded owner"); value = 1; }
  // Limit: entries of tables.
  function byEntry(uint256 id, address next) external { owners[id] = next; require(msg.sender == owners[id]); standing("guarded owner"); value = 1; }
  function byOtherEntry(address next) external { owners[2] = next; require(msg.sender == owners[1]); standing("guarded owner"); value = 1; }
  function byNumber(uint256 n) external {
    number = n;
    require(uint256(uint160(msg.sender)) == number);
    standing("guarded owner");
    value = 1;
  }
  function twice(address next) external { owner = other; owner = next; require(msg.sender == owner); standing("open"); value = 1; }
  function twiceAsked(address a, address b) external {
    owner = a;
    require(msg.sender == owner);
    owner = b;
    standing("open");
    value = 1;
  }
  struct Order { address maker; uint256 price; }
  mapping(uint256 => Order) orders;
  Order first;
  Order last;
  function byMaker(uint256 id, address next) external {
    orders[id].maker = next;
    require(msg.sender == orders[1].maker);
    standing("guarded owner");
    value = 1;
  }
  function byEither(bool yes, address next) external {
    Order storage one = yes ? first : last;
    one.maker = next;
    require(msg.sender == first.maker);
    standing("guarded owner");
    value = 1;
  }
  function byFirst(address next) external { first.maker = next; require(msg.sender == first.maker); standing("open"); value = 1; }
  function cleared() external { delete owner; require(msg.sender == owner); standing("guarded owner"); value = 1; }
}`,
  ],
)
