import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import { uncheckedMessageOrigin } from "../../../../../../domain/detection/solidity/access/lacking/messengers.ts"
import { changesOwnerOrApproval } from "../../../../../../domain/detection/solidity/access/lacking/rights.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const entryOf = ({ program, fn }: Flow): Entry => accessOf(program).entryOf.get(fn)!

/** Which functions change whose an item is, and which take a messenger's word for who is behind it. */
export const rights = questionTable(
  "rights",
  {
    right: (flow) => {
      const access = accessOf(flow.program)
      return entryOf(flow)
        .deeds.flatMap((deed) => {
          const asks = changesOwnerOrApproval(access, deed)
          return asks === undefined ? [] : `${deed.variable!.name}${deed.path} ${asks.fn.name}`
        })
        .join(", ")
    },
    origin: (flow) => uncheckedMessageOrigin(flow.program, accessOf(flow.program), entryOf(flow))?.check?.name ?? "",
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks { function right(string memory) internal pure {} }
interface IAccount { function run() external; }
interface IDirectory { function ownerOf(uint256 id) external view returns (address); }
contract Owners is Asks {
  mapping(uint256 => address) owners;
  mapping(uint256 => address) agents;
  mapping(uint256 => address) shunned;
  mapping(uint256 => address) others;
  mapping(uint256 => address) derived;
  mapping(uint256 => address) masked;
  mapping(uint256 => IAccount) accounts;
  mapping(uint256 => uint256) numbers;
  mapping(address => address) delegates;
  mapping(address => uint256) scores;
  mapping(address => mapping(address => bool)) approved;
  mapping(uint256 => mapping(address => bool)) barred;
  mapping(uint256 => bool) wanted;
  mapping(address => bool) flags;
  mapping(uint256 => bytes32) names;
  mapping(uint256 => uint256) prices;
  address[] list;
  address single;
  uint160 mask;
  uint256 done;
  IDirectory directory;
  mapping(uint256 => IDirectory) directories;

  function first(uint256 id) external { require(owners[id] == msg.sender); done = id; }
  function second(uint256 id) external { require(msg.sender == owners[id]); done = id + 1; }
  function byAgent(uint256 id, address who) external { require(who == msg.sender); require(agents[id] == who); done = id; }
  function byAnyoneElse(uint256 id) external { require(shunned[id] != msg.sender); done = id; }
  function byAnother(uint256 id, address who) external { require(who != msg.sender); require(others[id] == who); done = id; }
  function byDerived(uint256 id, address who) external { require(address(uint160(who) ^ mask) == msg.sender); require(derived[id] == who); done = id; }
  function byMasked(uint256 id, address who) external { require(who == msg.sender); require(masked[id] == address(uint160(who) ^ mask)); done = id; }
  function byAccount(uint256 id) external { require(address(accounts[id]) == msg.sender); done = id; }
  function byNumber(uint256 id) external { require(numbers[id] == uint160(msg.sender)); done = id; }
  function byDelegate() external { if (delegates[msg.sender] != address(0)) done = 1; }
  function byDelegateAgain() external { if (delegates[msg.sender] != address(0)) done = 2; }
  function byScore() external { if (scores[msg.sender] > 3) done = 1; }
  function byApproved(address account) external { require(approved[account][msg.sender]); done = 1; }
  function byApprovedOrSingle(uint256 k) external { require(list[k] == msg.sender || single == msg.sender); done = 1; }
  function byUnbarred(uint256 id) external { require(!barred[id][msg.sender]); done = id; }
  function byFlag(uint256 id) external { require(flags[msg.sender] == wanted[id]); done = id; }
  function byDirectories(uint256 k, uint256 id) external { require(directories[k].ownerOf(id) == msg.sender); done = id; }
  function byDirectory(uint256 id) external { require(directory.ownerOf(id) == msg.sender); done = id; }

  function give(uint256 id, address to) external { owners[id] = to; right("owners[] first"); }
  function remove(uint256 id) external { delete owners[id]; right("owners[] first"); }
  function clear(uint256 id) external { owners[id] = address(0); right(""); }
  function giveFirst(address to) external { owners[1] = to; right(""); }
  function giveAgent(uint256 id, address to) external { agents[id] = to; right("agents[] byAgent"); }
  function giveShunned(uint256 id, address to) external { shunned[id] = to; right(""); }
  function giveOther(uint256 id, address to) external { others[id] = to; right(""); }
  function giveDerived(uint256 id, address to) external { derived[id] = to; right(""); }
  function giveMasked(uint256 id, address to) external { masked[id] = to; right(""); }
  function giveAccount(uint256 id, IAccount to) external { accounts[id] = to; right("accounts[] byAccount"); }
  function giveNumber(uint256 id, uint256 to) external { numbers[id] = to; right(""); }
  function delegate(address from, address to) external { delegates[from] = to; right("delegates[] byDelegate"); }
  function score(address who, uint256 n) external { scores[who] = n; right(""); }
  function approve(address account, address who, bool ok) external { approved[account][who] = ok; right("approved[][] byApproved"); }
  function listed(uint256 k, address to) external { list[k] = to; right("list[] byApprovedOrSingle"); }
  function replace(address to) external { single = to; right(""); }
  function bar(uint256 id, address who, bool on) external { barred[id][who] = on; right(""); }
  function want(uint256 id, bool on) external { wanted[id] = on; right(""); }
  function guide(IDirectory to) external { directory = to; right(""); }
  // Whoever does it has to be entitled to it.
  function giveOwn(uint256 id, address to) external { require(owners[id] == msg.sender); owners[id] = to; right(""); }
  function giveFree(uint256 id, address to) external { require(owners[id] == address(0)); owners[id] = to; right(""); }
  function sell(uint256 id, address to) external payable { require(msg.value == 1 ether); owners[id] = to; right(""); }
  function sellAt(uint256 id, address to) external payable { require(msg.value >= prices[id]); owners[id] = to; right(""); }
  function giveNamed(uint256 id, address to, bytes32 name) external { require(names[id] == name); owners[id] = to; right("owners[] first"); }
  function giveFrom(uint256 id, address from, address to) external { require(owners[id] == from); owners[id] = to; right("owners[] first"); }
  function giveFromHashed(uint256 id, bytes memory word, address to) external { require(names[id] == keccak256(word)); owners[id] = to; right(""); }
  function giveFromOther(uint256 id, uint256 k, address to) external { require(owners[id] == list[k]); owners[id] = to; right(""); }
  function giveSaid(uint256 id, address from, address to) external { require(directory.ownerOf(id) == from); owners[id] = to; right(""); }
  function guideOf(uint256 k, IDirectory to) external { directories[k] = to; right(""); }
  function giveUnlike(uint256 id, bytes32 name, address to) external { require(names[id] != name); owners[id] = to; right("owners[] first"); }
}`,
    `pragma solidity ^0.8.20;
abstract contract Asks { function right(string memory) internal pure {} }
contract Records is Asks {
  enum State { Open, Sold, Gone }
  struct Item { address owner; address agent; uint256 price; State state; State other; mapping(uint256 => uint256) parts; }
  struct User { bool active; uint256 rank; }
  struct Copied { address owner; uint256 price; }
  mapping(uint256 => Item) items;
  mapping(address => Item) homes;
  mapping(address => User) users;
  mapping(uint256 => Copied) copies;
  mapping(uint256 => Copied) whole;
  Item only;
  uint256 done;
  uint256 ends;
  function act(uint256 id) external { require(items[id].owner == msg.sender); done = id; }
  function actHome(address at) external { require(homes[at].owner == msg.sender); done = 1; }
  function actUser() external { require(users[msg.sender].active); done = 1; }
  function actCopy(uint256 id) external { Copied memory c = copies[id]; require(c.owner == msg.sender); done = 1; }
  function actWhole(uint256 id) external { require(whole[id].owner == msg.sender); done = 1; }
  function actOnly() external { require(only.owner == msg.sender); done = 1; }

  function give(uint256 id, address to) external { items[id].owner = to; right("items[].owner act"); }
  function giveAgent(uint256 id, address to) external { items[id].agent = to; right("items[].agent act"); }
  function price(uint256 id, uint256 n) external { items[id].price = n; right("items[].price act"); }
  function raise(uint256 id, uint256 n) external { items[id].price += n; right(""); }
  function unprice(uint256 id) external { delete items[id].price; right(""); }
  function part(uint256 id, uint256 k, uint256 n) external { items[id].parts[k] = n; right(""); }
  function unpart(uint256 id, uint256 k) external { delete items[id].parts[k]; right("items[].parts[] act"); }
  function disown(uint256 id) external { delete items[id].owner; right("items[].owner act"); }
  function takeHome(address at) external { homes[at].owner = msg.sender; right("homes[].owner actHome"); }
  function activate(address who, bool on) external { users[who].active = on; right(""); }
  function rank(address who, uint256 n) external { users[who].rank = n; right(""); }
  function giveCopy(uint256 id, address to) external { copies[id].owner = to; right(""); }
  function dropCopy(uint256 id) external { delete copies[id]; right(""); }
  function set(uint256 id, address to, uint256 n) external { whole[id] = Copied(to, n); right(""); }
  function drop(uint256 id) external { delete whole[id]; right("whole[] actWhole"); }
  function giveOnly(address to) external { only.owner = to; right(""); }
}
contract States is Asks {
  enum State { Open, Sold, Gone }
  struct Item { address owner; address agent; State state; State fate; State course; State stage; State turn; State end; State lot; State mark; State paid; State fare; uint256 until; uint256 seen; uint256 times; uint256 least; uint256 price; }
  mapping(uint256 => Item) items;
  mapping(uint256 => mapping(address => bool)) known;
  uint256 ends;
  address boss = msg.sender;
  // The owner moves it, or one of two accounts named in it; here anyone does.
  function close(uint256 id) external { require(items[id].owner == msg.sender); items[id].state = State.Gone; right(""); }
  function closeAny(uint256 id) external { items[id].state = State.Sold; right("items[].state close"); }
  function closeAgreed(uint256 id) external { require(items[id].owner == msg.sender || items[id].agent == msg.sender); items[id].fate = State.Gone; right(""); }
  function closeAgreedAny(uint256 id) external { require(items[id].fate == State.Open); items[id].fate = State.Sold; right("items[].fate closeAgreed"); }
  // Once it is time, anyone may; for a price, too.
  function end(uint256 id) external { require(items[id].owner == msg.sender); items[id].end = State.Gone; right(""); }
  function endDue(uint256 id) external { require(items[id].until < block.timestamp); items[id].end = State.Gone; right(""); }
  function endPaid(uint256 id) external payable { require(msg.value >= 1 ether); items[id].paid = State.Gone; right(""); }
  function endHeld(uint256 id) external { require(items[id].owner == msg.sender); items[id].paid = State.Gone; right(""); }
  function endAny(uint256 id) external { items[id].end = State.Sold; right("items[].end end"); }
  function turn(uint256 id) external { require(items[id].owner == msg.sender); items[id].turn = State.Gone; right(""); }
  function turnOver(uint256 id) external { require(block.timestamp > ends); items[id].turn = State.Sold; right(""); }
  function turnAny(uint256 id) external { items[id].turn = State.Sold; right("items[].turn turn"); }
  // More than one function leaves it to anyone.
  function course(uint256 id) external { require(items[id].owner == msg.sender); items[id].course = State.Gone; right(""); }
  function courseAny(uint256 id) external { items[id].course = State.Sold; right(""); }
  function courseToo(uint256 id) external { items[id].course = State.Open; right(""); }
  // Nobody in particular moves it, or everyone but the owner.
  function stage(uint256 id) external { items[id].stage = State.Sold; right(""); }
  function lot(uint256 id) external { require(items[id].owner != msg.sender && known[id][msg.sender]); items[id].lot = State.Gone; right(""); }
  function lotAny(uint256 id) external { items[id].lot = State.Sold; right(""); }
  function mark(uint256 id) external { require(known[id][msg.sender] && items[id].price == 5); items[id].mark = State.Gone; right(""); }
  function fare(uint256 id) external { require(msg.sender == boss); items[id].fare = State.Gone; right(""); }
  function fareAny(uint256 id) external { items[id].fare = State.Sold; right(""); }
  // What changes is no state.
  function forget(uint256 id) external { require(items[id].owner == msg.sender); items[id].seen = 0; right(""); }
  function see(uint256 id) external { items[id].seen = block.timestamp; right(""); }
  function count(uint256 id) external { require(items[id].owner == msg.sender); items[id].times += 1; right(""); }
  function countAny(uint256 id) external { items[id].times += 1; right(""); }
  function limit(uint256 id, uint256 n) external { require(items[id].owner == msg.sender); items[id].least = n; right(""); }
  function limitAny(uint256 id) external { items[id].least = 1; right(""); }
  function markAny(uint256 id) external { items[id].mark = State.Sold; right(""); }
}`,
    `pragma solidity ^0.8.20;
abstract contract Asks { function origin(string memory) internal pure {} }
interface IMessenger { function send(address to, bytes calldata data) external; function xDomainMessageSender() external view returns (address); }
interface IMute { function send(address to, bytes calldata data) external; function senderOf(uint256 id) external view returns (address); function source() external returns (address); function senderAndOrigin() external view returns (address, address); function senders() external view returns (uint256); function admin() external view returns (address); }
interface IHeard { function send(address to, bytes calldata data) external; function heardSender() external view returns (address); }
contract Portal is Asks {
  IMessenger messenger;
  address peer;
  address home;
  uint256 count;
  mapping(address => bool) known;
  mapping(address => uint256) credit;
  function write(bytes calldata data) external { messenger.send(peer, data); origin(""); }
  function read(address who, uint256 n) external { require(msg.sender == address(messenger)); credit[who] = n; origin("peer"); }
  function readTurned(address who, uint256 n) external { require(address(messenger) == msg.sender); credit[who] += n; origin("peer"); }
  function readOnce(address who) external { require(msg.sender == address(messenger)); credit[who] = 1; origin("peer"); }
  function readAll(uint256 n) external { require(msg.sender == address(messenger)); count = n; origin("peer"); }
  function tick() external { require(msg.sender == address(messenger)); count++; xDomainMessageSender(); origin(""); }
  function xDomainMessageSender() internal pure returns (address) { return address(1); }
  function readUnlike(address who, uint256 n) external { require(msg.sender == address(messenger) && msg.sender != home); credit[who] = n; origin("peer"); }
  function readWhen(address who, uint256 n) external { require(msg.sender == address(messenger)); require(count == 3); credit[who] = n; origin("peer"); }
  function readPartly(address who, uint256 n) external { if (n > 3) { require(msg.sender == address(messenger)); credit[who] = n; } else { count = n; } origin(""); }
  function readListed(address who, uint256 n) external { require(msg.sender == address(messenger)); require(known[msg.sender]); credit[who] = n; origin(""); }
  function readAbout(address who, uint256 n) external { require(msg.sender == address(messenger)); require(who != peer); credit[who] = n; origin(""); }
  function readAboutTurned(address who, uint256 n) external { require(msg.sender == address(messenger)); require(peer != who); credit[who] = n; origin(""); }
  function readEither(address who, uint256 n) external { require(msg.sender == address(messenger)); require(n > 1 || who != address(0)); credit[who] = n; origin(""); }
  function readAnyone(address who, uint256 n) external { credit[who] = n; origin(""); }
  function readNobody(address who, uint256 n) external { require(msg.sender != address(messenger)); credit[who] = n; origin(""); }
}
contract Guarded is Asks {
  IMessenger messenger;
  address peer;
  address owner = msg.sender;
  mapping(address => uint256) credit;
  // Only the owner writes.
  function write(bytes calldata data) external { require(msg.sender == owner); messenger.send(peer, data); }
  function read(address who, uint256 n) external { require(msg.sender == address(messenger)); credit[who] = n; origin(""); }
}
contract Alone is Asks {
  IMessenger messenger;
  IMessenger other;
  uint256 peer;
  mapping(address => uint256) credit;
  function write(bytes calldata data) external { messenger.send(address(uint160(peer)), data); }
  function writeOther(bytes calldata data) external { other.send(address(other), data); }
  function read(address who, uint256 n) external { require(msg.sender == address(messenger)); credit[who] = n; origin(""); }
  function readOther(address who, uint256 n) external { require(msg.sender == address(other)); credit[who] = n; origin(""); }
}
contract Noted is Asks {
  IMessenger messenger;
  IMessenger first;
  address peer;
  mapping(address => uint256) credit;
  mapping(address => address) routes;
  mapping(address => bool) known;
  // What is kept beside a message is not sent.
  function note() external { first.send(address(1), ""); credit[peer] = 1; routes[address(messenger)] = peer; }
  function read(address who, uint256 n) external { require(msg.sender == address(messenger)); credit[who] = n; origin(""); }
  function write(bytes calldata data) external { first.send(peer, data); }
  function readFirst(address who, uint256 n) external { require(msg.sender == address(first)); credit[who] = n; origin("peer"); }
  // Others may call as well, or two are asked.
  function readKnown(address who, uint256 n) external { require(known[msg.sender]); credit[who] = n; origin(""); }
  function readBothTurned(address who, uint256 n) external { require(msg.sender == address(messenger)); require(msg.sender == address(first)); credit[who] = n; origin(""); }
  function readBoth(address who, uint256 n) external { require(msg.sender == address(first)); require(msg.sender == address(messenger)); credit[who] = n; origin(""); }
}
contract Quiet is Asks {
  IMute mute;
  IHeard heard;
  address plain;
  address peer;
  mapping(address => uint256) credit;
  function write(bytes calldata data) external { mute.send(peer, data); }
  function writeHeard(bytes calldata data) external { heard.send(peer, data); }
  // It cannot tell who is behind it, or is asked.
  function read(address who, uint256 n) external { require(msg.sender == address(mute)); credit[who] = n; origin(""); }
  function readHeard(address who, uint256 n) external { require(msg.sender == address(heard)); credit[who] = n; origin(""); }
  function ask() external view returns (address) { return heard.heardSender(); }
}
interface IEndpoint { function dispatch(uint32 to, bytes32 peer, bytes calldata data) external; function call(uint32 to, address peer, bytes calldata data) external; function write(uint32 to, bytes calldata peer, bytes calldata data) external; function tell(uint32 to, uint256 peer) external; }
contract Chains is Asks {
  IEndpoint mailbox;
  mapping(uint32 => bytes32) peers;
  mapping(address => uint256) credit;
  function write(uint32 to, bytes calldata data) external { mailbox.dispatch(to, peers[to], data); }
  function read(uint32 from, bytes32 by, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin("peers"); }
  function readAsked(uint32 from, bytes32 by, address who) external { require(msg.sender == address(mailbox)); require(by != 0); credit[who] = from; origin(""); }
  function readNumber(uint32 from, uint256 number, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin(""); }
  function readFrom(uint32 from, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin(""); }
}
contract Mailboxes is Asks {
  mapping(uint256 => IEndpoint) mailboxes;
  mapping(uint32 => bytes32) peers;
  mapping(address => uint256) credit;
  function write(uint256 id, uint32 to, bytes calldata data) external { mailboxes[id].dispatch(to, peers[to], data); }
  function read(uint256 id, uint32 from, bytes32 by, address who) external { require(msg.sender == address(mailboxes[id])); credit[who] = from; origin(""); }
}
contract AddressChains is Asks {
  IEndpoint mailbox;
  mapping(uint32 => address) peers;
  mapping(address => uint256) credit;
  function write(uint32 to, bytes calldata data) external { mailbox.call(to, peers[to], data); }
  function read(uint32 from, address by, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin("peers"); }
}
contract ByteChains is Asks {
  IEndpoint mailbox;
  mapping(uint32 => bytes) peers;
  mapping(address => uint256) credit;
  function write(uint32 to, bytes calldata data) external { mailbox.write(to, peers[to], data); }
  function read(uint32 from, bytes calldata by, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin("peers"); }
}
contract Numbers is Asks {
  IEndpoint mailbox;
  mapping(uint32 => uint256) fees;
  mapping(address => address) homes;
  mapping(address => uint256) credit;
  function tell(uint32 to) external { mailbox.tell(to, fees[to]); }
  function call(bytes calldata data) external { mailbox.call(1, homes[msg.sender], data); }
  function read(uint32 from, uint256 fee, address by, address who) external { require(msg.sender == address(mailbox)); credit[who] = from; origin(""); }
}
contract Contracts is Asks {
  IMessenger messenger;
  IMute peer;
  mapping(address => uint256) credit;
  function write(bytes calldata data) external { messenger.send(address(peer), data); }
  function read(address who, uint256 n) external { require(msg.sender == address(messenger)); credit[who] = n; origin("peer"); }
}`,
  ],
)
