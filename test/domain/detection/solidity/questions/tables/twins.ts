import {
  accessOf,
  type Access,
  type Entry,
  type Subject,
  subjectOf,
} from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import type { Alike } from "../../../../../../domain/detection/solidity/access/siblings/alike.ts"
import {
  implementationsOf,
  isForwardedElsewhere,
  namesakesOf,
  peersOf,
  sameSignatureFunctions,
  twinsOf,
} from "../../../../../../domain/detection/solidity/access/siblings/namesakes.ts"
import {
  positionsOf,
  sameCalleeFunctions,
  sameSubject,
} from "../../../../../../domain/detection/solidity/access/siblings/sameSubject.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const named = (entries: ReadonlyArray<Entry>): string =>
  entries.map(({ contract, fn }) => `${contract.node.name}.${fn.name}`).join(" ")

const shown = ({ guarded, open }: Alike): string => [named(guarded), open].join(" ").trim()

/** What its first effect is on. */
const firstOf = ({ deeds: [deed] }: Entry): Subject => subjectOf(deed!)!

const about = (question: (access: Access, entry: Entry) => unknown) => (flow: Flow) => {
  const access = accessOf(flow.program)
  return question(access, access.entryOf.get(flow.fn)!)
}

/** Which functions of other contracts do the same: those that check, and how many that do not. */
export const twins = questionTable(
  "twins",
  {
    twins: about((access, entry) => shown(twinsOf(access, entry, firstOf(entry)))),
    others: about((access, entry) => shown(namesakesOf(access, entry, firstOf(entry)))),
    same: about((access, entry) => named(sameSignatureFunctions(access, entry))),
    made: about((access, entry) => shown(implementationsOf(access, entry))),
    peers: about((access, entry) => named(peersOf(access, entry, entry.deeds[0]!))),
    alike: about((access, entry) => shown(sameSubject(access, entry, entry.deeds[0]!, firstOf(entry)))),
    called: about((access, entry) => shown(sameCalleeFunctions(access, entry, entry.deeds[0]!))),
    turned: about((access, entry) => shown(positionsOf(access, entry, firstOf(entry)))),
    passed: about((access, entry) => isForwardedElsewhere(access, entry, entry.deeds[0]!)),
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks {
  address owner = msg.sender;
  modifier only() { require(msg.sender == owner); _; }
  function twins(string memory) internal {}
  function others(string memory) internal {}
  function same(string memory) internal {}
  function made(string memory) internal {}
}
contract A is Asks {
  uint256 rate; uint256 size;
  function set(uint256 n) external only { twins("B.set 1"); rate = n; }
  function set(uint256 n, uint256 m) external only { others("B.set 2"); rate = n + m; }
  function resize(uint256 n) external { twins("0"); size = n; }
}
contract B is Asks {
  uint256 rate; uint256 length;
  function set(uint256 n) external only { twins("A.set 1"); rate = n; }
  function resize(uint256 n) external only { length = n; }
}
contract C is Asks {
  uint256 rate;
  function set(uint256 n) external { twins("A.set B.set 0"); same("A.set B.set"); rate = n; }
  function set(uint256 n, uint256 m) external { others("A.set A.set B.set 0"); rate = n + m; }
}
// Implementations of what one base declares.
abstract contract Base { uint256 kept; function keep(uint256 n) external virtual; }
contract D is Base, Asks { function keep(uint256 n) external override { made("E.keep 1"); kept = n; } }
contract E is Base, Asks { function keep(uint256 n) external override only { made("2"); kept = n; } }
contract F is Base, Asks { function keep(uint256 n) external override { kept = n; } }
contract G is Asks { uint256 kept; function keep(uint256 n) external only { made("0"); kept = n; } }
`,
    `pragma solidity ^0.8.20;
interface IRegistry { function most(uint256 n) external; function half(uint256 n) external; function few(uint256 n) external; function word(uint256 n) external; function own(uint256 n) external; function paid(uint256 n) external; function lone(uint256 n) external; }
abstract contract Asks {
  address owner = msg.sender;
  modifier only() { require(msg.sender == owner); _; }
  function peers(string memory) internal {}
  function passed(string memory) internal {}
}
contract A is Asks {
  uint256 rate;
  function most(uint256 n) external only { rate = n; }
  function half(uint256 n) external only { rate = n; }
  function few(uint256 n) external only { rate = n; }
}
contract B is Asks {
  uint256 rate;
  function most(uint256 n) external only { rate = n; }
  function half(uint256 n) external { rate = n; }
  function few(uint256 n) external { rate = n; }
}
contract C is Asks {
  uint256 rate;
  function most(uint256 n) external { rate = n; }
  function few(uint256 n) external { rate = n; }
}
contract Calls is Asks {
  IRegistry registry;
  mapping(address => uint256) held;
  constructor(IRegistry r) { registry = r; }
  function most2(uint256 n) external { peers("A.most B.most"); registry.most(n); }
  function half2(uint256 n) external { peers(""); registry.half(n); }
  function few2(uint256 n) external { peers(""); registry.few(n); }
  function word2(uint256 n) external { passed("true"); registry.word(n); }
  function word3(uint256 n) external { passed("true"); registry.word(n); }
  function word4(uint256 n) external { passed("false"); registry.lone(n); }
  function word5() external { passed("true"); registry.lone(5); }
  function join() external { held[msg.sender] = 7; }
  function own2(uint256 n) external { passed("false"); registry.own(5); }
  function own3(uint256 n) external { held[msg.sender] -= n; registry.own(n); }
  function paid2(uint256 n) external { passed("false"); registry.paid(5); }
  function paid3(uint256 n) external payable { require(msg.value > 9); registry.paid(n); }
}
`,
    `pragma solidity ^0.8.20;
interface IRegistry { function note(uint256 n) external; function tell(uint256 n) external; function pause() external; }
abstract contract Asks {
  address owner = msg.sender;
  modifier only() { require(msg.sender == owner); _; }
  function alike(string memory) internal {}
  function called(string memory) internal {}
  function turned(string memory) internal {}
}
contract A is Asks {
  uint256 rate; uint256 size; uint256 end; uint256 begun; uint256 due; bool started;
  uint256[] list;
  function setRate(uint256 n) external only { alike("A.resetRate A.clearRate A.cutRate 2"); rate = n; }
  function resetRate() external only { rate = 5; }
  function openRate(uint256 n) external { alike("A.setRate A.resetRate A.clearRate A.cutRate 1"); rate = n; }
  function clearRate() external only { require(block.timestamp > end); rate = 0; }
  // Anyone may clear it in time; that says nothing about who may set it.
  function expireRate() external { require(block.timestamp > end); alike("A.setRate A.resetRate A.clearRate A.cutRate 2"); rate = 0; }
  function lateRate() external { require(block.timestamp > 1000); rate = 0; }
  function cutRate(uint256 n) external only { rate = n; }
  function start(uint256 n) external { require(!started); started = true; rate = n; }
  function setSize(uint256 n) external { alike("0"); size = n; }
  function resetSize(uint256 n) external { size = n; }
  function setDue(uint256 n) external only { alike("2"); due = n; }
  function dueLater(uint256 n) external { require(block.timestamp > end); due = n; }
  function dueNow() external { due = 1; }
  function setFirst(uint256 n) external only { alike("A.drop 0"); list[0] = n; }
  function drop(uint256 i) external only { list[i] = 0; }
  function grow(uint256 n) external { list.push(n); }
}
abstract contract Known is Asks { IRegistry registry; constructor(IRegistry r) { registry = r; } }
contract K is Known { constructor(IRegistry r) Known(r) {} function go(uint256 n) external only { called("1"); registry.note(n); } }
contract T is Known {
  uint256 end;
  constructor(IRegistry r) Known(r) {}
  function tellThem(uint256 n) external only { alike("1"); registry.tell(n); }
  function tellLate() external { require(block.timestamp > end); registry.tell(5); }
}
// An override is not another function.
contract N is Asks { uint256 rate; function setRate(uint256 n) external virtual only { alike("0"); rate = n; } }
contract O is N { function setRate(uint256 n) external override { alike("0"); rate = n; } }
contract L is Known { constructor(IRegistry r) Known(r) {} function go2(uint256 n) external { called("K.go 0"); registry.note(n); } function go3(IRegistry r, uint256 n) external { called("0"); r.note(n); } }
contract M is Asks { IRegistry own; constructor(IRegistry r) { own = r; } function go4(uint256 n) external only { called("0"); own.note(n); } function go5(IRegistry r, uint256 n) external only { r.note(n); } }
`,
    `pragma solidity ^0.8.20;
import { Pausable } from "@openzeppelin/contracts/utils/Pausable.sol";
abstract contract Asks {
  address owner = msg.sender;
  modifier only() { require(msg.sender == owner); _; }
  function turned(string memory) internal {}
}
contract A is Asks {
  enum Stage { None, Open, Shut }
  Stage stage; bool paused; bool frozen; uint256 limit; uint256 size; uint256 rate;
  mapping(uint256 => bool) flags;
  function shut() external only { paused = true; }
  function unpause() external { turned("A.shut 0"); require(paused); paused = false; }
  function setPaused(bool to) external only { paused = to; }
  // On another condition, it is more than a switch; as is what switches one of many, or sets up more.
  function thaw() external { turned("0"); require(limit > 5); frozen = false; }
  function freeze() external only { frozen = true; }
  function flag(uint256 id) external only { flags[id] = true; }
  function unflag(uint256 id) external { turned("0"); flags[id] = false; }
  function begin(uint256 n) external { turned("0"); stage = Stage.Open; size = n; }
  function end() external only { stage = Stage.Shut; }
  function trim() external { turned("0"); require(size + limit > 5); size = 0; }
  function fill() external only { size = 9; }
  function bump() external { turned("0"); rate++; }
  function setRate() external only { rate = 5; }
}
// Neither an unrelated contract nor an override is evidence.
contract P is Pausable, Asks { function pause() external virtual only { turned("0"); _pause(); } }
contract Q is Pausable, Asks { function unpause() external { turned("0"); _unpause(); } }
contract R is P { function pause() external override { turned("0"); _pause(); } }
`,
  ],
)
