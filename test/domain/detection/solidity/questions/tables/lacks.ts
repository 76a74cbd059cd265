import { accessOf } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import { type Deviation, deviations } from "../../../../../../domain/detection/solidity/access/lacking/deviations.ts"
import { type Lack, lackOf } from "../../../../../../domain/detection/solidity/access/lacking/lacking.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** A contract with these functions, of which `odd` states what it lacks. */
const desk = (functions: string, answer: string): string => `pragma solidity ^0.8.20;
interface IList { function knows(address who) external view returns (bool); function tell(uint256 n) external; function note(uint256 n) external; function give(address who) external; function burn(address who) external; function move(address who, address by) external; }
interface ICoin { function transfer(address to, uint256 n) external returns (bool); }
contract Desk {
  enum State { Open, Shut, Gone }
  address owner = msg.sender;
  IList list;
  address to; IList from; ICoin coin;
  mapping(uint256 => uint256) sizes;
  mapping(uint256 => address) makers;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e; uint256 f; uint256 g; uint256 h;
  uint256 begun; uint256 ended;
  State stage; bool paused;
  mapping(address => bool) friends;
  mapping(address => uint256) held;
  mapping(uint256 => State) states;
  mapping(uint256 => State) fates;
  constructor(IList l, address friend_) { list = l; friends[friend_] = true; held[friend_] = 1; }
  modifier real() { require(list.knows(msg.sender)); _; }
  modifier only() { require(msg.sender == owner); _; }
  modifier friend() { require(friends[msg.sender]); _; }
  modifier isReal(address who) { require(list.knows(who)); _; }
  modifier holding() { require(held[msg.sender] > 0); _; }
  modifier named(address who) { require(who != address(0)); _; }
  modifier until(uint256 t) { require(t > block.timestamp); _; }
  modifier latest(string memory name, address who) { require(list.knows(who)); _; }
  modifier whenOpen() { require(!paused); _; }
  modifier whenShut() { require(paused); _; }
  function lack(string memory) internal {}
  function used() external view real only friend isReal(msg.sender) holding named(owner) until(1) latest("", owner) returns (uint256) { return a + b + c + d + e + f + g + h; }
  ${functions.replace("ASK", `lack("${answer}");`)}
}`

const toldOf = ({ reason, guarded, of, deed, check }: Lack | Deviation): string =>
  [
    `${reason} ${deed.variable?.name ?? "call"}`,
    ...(guarded.length === 0 ? [] : [`like ${guarded.length} of ${of}`]),
    ...(check === undefined ? [] : [`by ${check.name}`]),
  ].join(" ")

/** Which check a function lacks that the others perform, and, if something else deviates more, what. */
export const lacks = questionTable(
  "lacks",
  {
    lack: ({ program, fn }) => {
      const access = accessOf(program)
      const entry = access.entryOf.get(fn)
      const found = entry === undefined ? undefined : lackOf(program, access, entry)
      const deviation = deviations(program).find((each) => each.entry === entry)
      const said = deviation === undefined || deviation.reason === found?.reason ? [] : [`; ${toldOf(deviation)}`]
      return [found === undefined ? "nothing" : toldOf(found), ...said].join("")
    },
  },
  [
    // All others perform a check.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function odd(uint256 n) external { ASK d = n; }",
      "lacking d like 3 of 4; setter d like 3 of 4",
    ),
    // Two of three do.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external { c = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 2 of 4",
    ),
    // There are too few.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 2 of 3",
    ),
    // This one performs another check.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function odd(uint256 n, address w) external named(w) { ASK d = n; }",
      "lacking d like 3 of 4; setter d like 3 of 4",
    ),
    // This one performs the same.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function odd(uint256 n) external real { ASK d = n; }",
      "nothing",
    ),
    // This one serves its caller.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function odd() external payable { ASK d += msg.value; }",
      "nothing",
    ),
    // Three of five do, and this one sets a value.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function f4() external { e = block.timestamp; } function f5() external { f = block.timestamp; } function odd(uint256 n) external { ASK d = n; }",
      "lacking d like 3 of 6; setter d like 3 of 4",
    ),
    // Three of five do, and this one only updates.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function f4() external { e = block.timestamp; } function f5() external { f = block.timestamp; } function odd() external { ASK d = block.timestamp; }",
      "nothing",
    ),
    // All do, and this one only updates.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function odd() external { ASK d = block.timestamp; }",
      "lacking d like 3 of 4",
    ),
    // Three of five do, and this one tells another.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function f4() external { e = block.timestamp; } function f5() external { f = block.timestamp; } function odd(uint256 n) external { ASK list.tell(n); }",
      "lacking call like 3 of 6",
    ),
    // Three of five do, and this one adds.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external real { b = n; } function f3(uint256 n) external real { c = n; } function f4() external { e = block.timestamp; } function f5() external { f = block.timestamp; } function odd(uint256 n) external { ASK d = d + n; }",
      "lacking d like 3 of 6",
    ),
    // The check is about the contract itself.
    desk(
      'function f1(uint256 n) external latest("pool", address(this)) { a = n; } function f2(uint256 n) external latest("pool", address(this)) { b = n; } function f3(uint256 n) external latest("pool", address(this)) { c = n; } function odd(uint256 n, address w) external named(w) { ASK d = n; }',
      "lacking d like 3 of 4",
    ),
    // Three of four perform a check of the contract itself.
    desk(
      'function f1(uint256 n) external latest("pool", address(this)) { a = n; } function f2(uint256 n) external latest("pool", address(this)) { b = n; } function f3(uint256 n) external latest("pool", address(this)) { c = n; } function f4(uint256 n) external { e = n; } function odd(uint256 n) external { ASK d = n; }',
      "nothing; dictated d",
    ),
    // All ask who calls, each in its own way; this one asks about the time.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external only { b = n; } function f3(uint256 n) external friend { c = n; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "lacking d like 3 of 4; setter d like 3 of 4",
    ),
    // One of them asks about the time as well.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external only { b = n; } function f3(uint256 n) external until(n) { c = n; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "nothing; setter d like 2 of 4",
    ),
    // This one asks what its caller holds.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external only { b = n; } function f3(uint256 n) external friend { c = n; } function odd(uint256 t) external holding { ASK d = t; }",
      "nothing",
    ),
    // This one asks about the time, and updates.
    desk(
      "function f1(uint256 n) external real { a = n; } function f2(uint256 n) external only { b = n; } function f3(uint256 n) external friend { c = n; } function odd(uint256 t) external until(t) { ASK d = block.timestamp; }",
      "nothing",
    ),
    // The others who serve their caller serve members.
    desk(
      "function f1() external payable real { held[msg.sender] += msg.value; } function f2() external payable real { e += msg.value; } function f3() external payable real { f += msg.value; } function odd() external payable { ASK held[msg.sender] += msg.value; }",
      "lacking held like 3 of 4",
    ),
    // Two others who serve their caller serve members.
    desk(
      "function f1() external payable real { held[msg.sender] += msg.value; } function f2() external payable real { e += msg.value; } function f3(uint256 n) external { f = n; } function odd() external payable { ASK held[msg.sender] += msg.value; }",
      "nothing",
    ),
    // The others who serve their caller ask about the time.
    desk(
      "function f1(uint256 t) external payable until(t) { held[msg.sender] += msg.value; } function f2(uint256 t) external payable until(t) { e += msg.value; } function f3(uint256 t) external payable until(t) { f += msg.value; } function odd() external payable { ASK held[msg.sender] += msg.value; }",
      "nothing",
    ),
    // The others who serve their caller hand them to a check.
    desk(
      "function f1() external payable isReal(msg.sender) { held[msg.sender] += msg.value; } function f2() external payable isReal(msg.sender) { e += msg.value; } function f3() external payable isReal(msg.sender) { f += msg.value; } function odd() external payable { ASK held[msg.sender] += msg.value; }",
      "lacking held like 3 of 4",
    ),
    // This one who serves its caller performs another check.
    desk(
      "function f1() external payable real { held[msg.sender] += msg.value; } function f2() external payable real { e += msg.value; } function f3() external payable real { f += msg.value; } function odd(uint256 t) external payable until(t) { ASK held[msg.sender] += msg.value; }",
      "nothing",
    ),
    // The others serve members, one by another check.
    desk(
      "function f1() external payable real { held[msg.sender] += msg.value; } function f2() external payable real { e += msg.value; } function f3() external payable friend { f += msg.value; } function odd() external payable { ASK held[msg.sender] += msg.value; }",
      "nothing",
    ),
    // It does what another does, which checks.
    desk(
      "function f1() public payable real { held[msg.sender] += msg.value; } function f2() external payable real { e += msg.value; } function f3() external payable real { f += msg.value; } function odd() external payable { ASK f1(); g += msg.value; }",
      "nothing",
    ),
    // Both others that write it check the name.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function f2(address w, uint256 n) external named(w) { a = n + 1; } function odd(uint256 n) external { ASK a = n; }",
      "lacking a like 2 of 3",
    ),
    // The other that writes it checks the name.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function odd(uint256 n) external { ASK a = n; }",
      "nothing; dictated a",
    ),
    // Both others that write it check different things.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function f2(uint256 t, uint256 n) external until(t) { a = n + 1; } function odd(uint256 n) external { ASK a = n; }",
      "nothing; dictated a",
    ),
    // Both others that write it check the name; this one only updates.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function f2(address w, uint256 n) external named(w) { a = n + 1; } function odd() external { ASK a = block.timestamp; }",
      "nothing",
    ),
    // Both others that write it check the name; this one adds.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function f2(address w, uint256 n) external named(w) { a = n + 1; } function odd(uint256 n) external { ASK a = a + n; }",
      "lacking a like 2 of 3",
    ),
    // Both others that write it check the name; this one is for holders.
    desk(
      "function f1(address w, uint256 n) external named(w) { a = n; } function f2(address w, uint256 n) external named(w) { a = n + 1; } function odd(uint256 n) external { ASK require(held[msg.sender] > 0); a = n; }",
      "nothing",
    ),
    // Both others that write it check the name; this one writes its caller's.
    desk(
      "function f1(address w, uint256 n) external named(w) { held[w] = n; } function f2(address w, uint256 n) external named(w) { held[w] = n + 1; } function odd(uint256 n) external { ASK held[msg.sender] = n; }",
      "nothing",
    ),
    // All write their caller's, and the others check the time.
    desk(
      "function f1(uint256 t, uint256 n) external until(t) { held[msg.sender] = n; } function f2(uint256 t, uint256 n) external until(t) { held[msg.sender] = n + 1; } function odd(uint256 n) external { ASK held[msg.sender] = n; }",
      "lacking held like 2 of 3",
    ),
    // All with both of its checks perform a third.
    desk(
      "function f1(address w, uint256 t) external real named(w) until(t) { a = t; } function f2(address w, uint256 t) external real named(w) until(t) { b = t; } function f3(address w, uint256 t) external real named(w) until(t) { c = t; } function odd(address w, uint256 t) external real named(w) { ASK d = t; }",
      "lacking d like 3 of 4",
    ),
    // The third check is about the contract itself.
    desk(
      'function f1(address w, uint256 t) external real named(w) latest("p", address(this)) { a = t; } function f2(address w, uint256 t) external real named(w) latest("p", address(this)) { b = t; } function f3(address w, uint256 t) external real named(w) latest("p", address(this)) { c = t; } function odd(address w, uint256 t) external real named(w) { ASK d = t; }',
      "nothing",
    ),
    // One of those with both of its checks does not.
    desk(
      "function f1(address w, uint256 t) external real named(w) until(t) { a = t; } function f2(address w, uint256 t) external real named(w) until(t) { b = t; } function f3(address w, uint256 t) external real named(w) { c = t; } function odd(address w, uint256 t) external real named(w) { ASK d = t; }",
      "nothing",
    ),
    // Two are too few.
    desk(
      "function f1(address w, uint256 t) external real named(w) until(t) { a = t; } function f2(address w, uint256 t) external real named(w) until(t) { b = t; } function odd(address w, uint256 t) external real named(w) { ASK d = t; }",
      "nothing",
    ),
    // The others ask two things together, or nothing.
    desk(
      "function f1(uint256 t) external until(t) real { a = t; } function f2(uint256 t) external until(t) real { b = t; } function f3(uint256 t) external until(t) real { c = t; } function f4(uint256 n) external { e = n; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "lacking d like 3 of 4; setter d like 3 of 5",
    ),
    // Another asks one of them alone.
    desk(
      "function f1(uint256 t) external until(t) real { a = t; } function f2(uint256 t) external until(t) real { b = t; } function f3(uint256 t) external until(t) real { c = t; } function f4(uint256 n) external real { e = n; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "lacking d like 4 of 5; setter d like 4 of 5",
    ),
    // The other thing is not who calls.
    desk(
      "function f1(uint256 t, address w) external until(t) named(w) { a = t; } function f2(uint256 t, address w) external until(t) named(w) { b = t; } function f3(uint256 t, address w) external until(t) named(w) { c = t; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "nothing; dictated d",
    ),
    // They ask three things.
    desk(
      "function f1(uint256 t, address w) external until(t) real named(w) { a = t; } function f2(uint256 t, address w) external until(t) real named(w) { b = t; } function f3(uint256 t, address w) external until(t) real named(w) { c = t; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "lacking d like 3 of 4; setter d like 3 of 4",
    ),
    // One of them asks something else.
    desk(
      "function f1(uint256 t) external until(t) real { a = t; } function f2(uint256 t) external until(t) real { b = t; } function f3(uint256 t, address w) external until(t) named(w) { c = t; } function odd(uint256 t) external until(t) { ASK d = t; }",
      "nothing; setter d like 2 of 4",
    ),
    // The other thing is about the contract itself.
    desk(
      'function f1(uint256 t) external until(t) latest("p", address(this)) { a = t; } function f2(uint256 t) external until(t) latest("p", address(this)) { b = t; } function f3(uint256 t) external until(t) latest("p", address(this)) { c = t; } function odd(uint256 t) external until(t) { ASK d = t; }',
      "lacking d like 3 of 4",
    ),
    // The others must be open.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = n; } function f2(uint256 n) external { require(stage == State.Open); b = n; } function f3(uint256 n) external { require(stage == State.Open); c = n; } function odd(uint256 n) external { ASK d = n; }",
      "phase d like 3 of 4",
    ),
    // Both others that write it must be open.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); d = n; } function f2(uint256 n) external { require(stage == State.Open); d = n + 1; } function f3(uint256 n) external { c = n; } function odd(uint256 n) external { ASK d = n + 2; }",
      "phase d like 2 of 3",
    ),
    // Two others must be open.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = n; } function f2(uint256 n) external { require(stage == State.Open); b = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // Settings of the owner may change while it is paused.
    desk(
      "function f1(uint256 n) external only { require(stage == State.Open); a = n; } function f2(uint256 n) external only { require(stage == State.Open); b = n; } function f3(uint256 n) external only { require(stage == State.Open); c = n; } function odd(uint256 n) external only { ASK d = n; }",
      "nothing",
    ),
    // What the owner does besides may not.
    desk(
      "function f1(uint256 n) external only { require(stage == State.Open); a = n; } function f2(uint256 n) external only { require(stage == State.Open); b = n; } function f3(uint256 n) external only { require(stage == State.Open); c = n; } function odd(uint256 n) external only { ASK d = d + n; }",
      "phase d like 3 of 4",
    ),
    // The owner may do while it is paused what others may not.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = a + n; } function f2(uint256 n) external { require(stage == State.Open); b = b + n; } function f3(uint256 n) external { require(stage == State.Open); c = c + n; } function odd(uint256 n) external only { ASK d = d + n; }",
      "nothing",
    ),
    // One of seven is excepted.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = n; } function f2(uint256 n) external { require(stage == State.Open); b = n; } function f3(uint256 n) external { require(stage == State.Open); c = n; } function f4(uint256 n) external { require(stage == State.Open); e = n; } function f5(uint256 n) external { require(stage == State.Open); f = n; } function f6(uint256 n) external { require(stage == State.Open); g = n; } function f7(uint256 n) external { h = n; } function odd(uint256 n) external { ASK d = n; }",
      "phase d like 6 of 8",
    ),
    // One of six is not.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = n; } function f2(uint256 n) external { require(stage == State.Open); b = n; } function f3(uint256 n) external { require(stage == State.Open); c = n; } function f4(uint256 n) external { require(stage == State.Open); e = n; } function f5(uint256 n) external { require(stage == State.Open); f = n; } function f7(uint256 n) external { h = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // This one must be paused.
    desk(
      "function f1(uint256 n) external whenOpen { a = n; } function f2(uint256 n) external whenOpen { b = n; } function f3(uint256 n) external whenOpen { c = n; } function odd(uint256 n) external whenShut { ASK d = n; }",
      "nothing; dictated d",
    ),
    // The others must be open.
    desk(
      "function f1(uint256 n) external whenOpen { a = n; } function f2(uint256 n) external whenOpen { b = n; } function f3(uint256 n) external whenOpen { c = n; } function odd(uint256 n) external { ASK d = n; }",
      "phase d like 3 of 4",
    ),
    // It asks the same of the state otherwise.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); a = n; } function f2(uint256 n) external { require(stage == State.Open); b = n; } function f3(uint256 n) external { require(stage == State.Open); c = n; } function odd(uint256 n) external { ASK if (stage == State.Shut && n > 3) revert(); d = n; }",
      "nothing; dictated d",
    ),
    // It asks for another state.
    desk(
      "function f1(uint256 n) external { require(begun < 5); a = n; } function f2(uint256 n) external { require(begun < 5); b = n; } function f3(uint256 n) external { require(begun < 5); c = n; } function odd(uint256 n) external { ASK require(ended < 5); d = n; }",
      "nothing; dictated d",
    ),
    // They use up what they ask for.
    desk(
      "function f1(uint256 n) external { require(begun < 5); begun = 7; a = n; } function f2(uint256 n) external { require(begun < 5); begun = 8; b = n; } function f3(uint256 n) external { require(begun < 5); begun = 9; c = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // Those that call others must be open.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); list.tell(n); } function f2(uint256 n) external { require(stage == State.Open); list.tell(n + 1); } function f3(uint256 n) external { require(stage == State.Open); list.tell(n + 2); } function f4(uint256 n) external { a = n; } function odd(uint256 n) external { ASK list.tell(n + 3); }",
      "phase call like 3 of 4",
    ),
    // Those that call others must be open; this one calls nobody.
    desk(
      "function f1(uint256 n) external { require(stage == State.Open); list.tell(n); } function f2(uint256 n) external { require(stage == State.Open); list.tell(n + 1); } function f3(uint256 n) external { require(stage == State.Open); list.tell(n + 2); } function f4(uint256 n) external { a = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // Those with its check must be open.
    desk(
      "function f1(uint256 n, address w) external named(w) { require(stage == State.Open); a = n; } function f2(uint256 n, address w) external named(w) { require(stage == State.Open); b = n; } function f3(uint256 n, address w) external named(w) { require(stage == State.Open); c = n; } function f4(uint256 n) external { e = n; } function odd(uint256 n, address w) external named(w) { ASK d = n; }",
      "phase d like 3 of 4",
    ),
    // The other that changes the state checks it.
    desk(
      "function f1(uint256 id) external { require(states[id] == State.Open); states[id] = State.Shut; } function odd(uint256 id) external { ASK states[id] = State.Gone; }",
      "phase states like 1 of 2",
    ),
    // The other that changes the state does not check it.
    desk(
      "function f1(uint256 id) external { states[id] = State.Shut; } function odd(uint256 id) external { ASK states[id] = State.Gone; }",
      "nothing",
    ),
    // One of the others does not.
    desk(
      "function f1(uint256 id) external { require(states[id] == State.Open); states[id] = State.Shut; } function f2(uint256 id) external { states[id] = State.Open; } function odd(uint256 id) external { ASK states[id] = State.Gone; }",
      "nothing",
    ),
    // The other checks another state.
    desk(
      "function f1(uint256 id) external { require(fates[id] == State.Open); states[id] = State.Shut; } function odd(uint256 id) external { ASK states[id] = State.Gone; }",
      "nothing",
    ),
    // A check is declared and never used.
    desk(
      "modifier idle() { require(msg.sender == owner); _; } function odd(uint256 n) external { ASK d = n; }",
      "unused d by idle",
    ),
    // An account is known from the beginning and never asked for.
    desk("address immutable boss = msg.sender; function odd(uint256 n) external { ASK d = n; }", "unused d by boss"),
    // The same, and it runs once.
    desk(
      "address immutable boss = msg.sender; function odd(uint256 n) external { ASK require(d == 0); d = n; }",
      "unused d by boss",
    ),
    // It is asked for.
    desk(
      "address immutable boss = msg.sender; function f1(uint256 n) external { require(msg.sender == boss); a = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 1 of 2",
    ),
    // It may be meant for many.
    desk(
      "address immutable boss = msg.sender; function f1(uint256 n) external { a = n; } function f2(uint256 n) external { b = n; } function f3(uint256 n) external { c = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // It may be meant for few.
    desk(
      "address immutable boss = msg.sender; function f1(uint256 n) external { a = n; } function f2(uint256 n) external { b = n; } function odd(uint256 n) external { ASK d = n; }",
      "unused d by boss",
    ),
    // The time has been paid for.
    desk(
      "address immutable boss = msg.sender; function odd(uint256 n) external payable { ASK require(msg.value > 3); d = n; }",
      "nothing",
    ),
    // Nobody's word is obeyed.
    desk("address immutable boss = msg.sender; function odd() external { ASK d = block.timestamp; }", "nothing"),
    // The overridden function performs a check.
    desk(
      "function odd(uint256 n) external virtual real { d = n; } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) external override { ASK d = n; }",
      "override d like 1 of 2; twin d like 1 of 2",
    ),
    // It is called.
    desk(
      "function odd(uint256 n) public virtual real { d = n; } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) public override { ASK d = n; super.odd(n); }",
      "nothing",
    ),
    // Both perform one, of an argument.
    desk(
      "function odd(address w, uint256 n) external virtual named(w) { d = n; } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(address w, uint256 n) external override named(w) { ASK d = n; }",
      "unused d by real",
    ),
    // The overridden function performs one of a name.
    desk(
      "function odd(address w, uint256 n) external virtual named(w) { d = n; } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(address w, uint256 n) external override { ASK d = n; }",
      "override d like 1 of 2",
    ),
    // The overridden function performs none.
    desk(
      "function odd(uint256 n) external virtual { d = n; } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) external override { ASK d = n; }",
      "unused d by real",
    ),
    // The overridden function only refuses.
    desk(
      "function odd(uint256 n) external virtual { require(msg.sender == owner); } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) external override { ASK d = n; }",
      "override d by odd",
    ),
    // It only refuses, and is called.
    desk(
      "function odd(uint256 n) public virtual { require(msg.sender == owner); } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) public override { ASK super.odd(n); d = n; }",
      "nothing",
    ),
    // The overridden function refuses everyone.
    desk(
      "function odd(uint256 n) external virtual { revert(); } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) external override { ASK d = n; }",
      "unused d by real",
    ),
    // The overridden function does nothing.
    desk(
      "function odd(uint256 n) external virtual { } } contract Sub is Desk { constructor(IList l) Desk(l, msg.sender) {} function odd(uint256 n) external override { ASK d = n; }",
      "unused d by real",
    ),
    // Both of the same signature perform a check.
    desk(
      "function odd(address w, uint256 n) external  { ASK d = n; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; }",
      "alike d like 2 of 3",
    ),
    // One of the same signature does.
    desk(
      "function odd(address w, uint256 n) external  { ASK d = n; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external  { d = n; }",
      "nothing; dictated d",
    ),
    // Only one does the same.
    desk(
      "function odd(address w, uint256 n) external  { ASK d = n; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { x = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; }",
      "nothing; dictated d",
    ),
    // This one does, too.
    desk(
      "function odd(address w, uint256 n) external named(w) { ASK d = n; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; }",
      "nothing; dictated d",
    ),
    // Theirs is about the contract itself.
    desk(
      'function odd(address w, uint256 n) external  { ASK d = n; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external latest("p", address(this)) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external latest("p", address(this)) { d = n; }',
      "nothing; dictated d",
    ),
    // This one serves its caller, unlike those of the same signature.
    desk(
      "function odd(address w, uint256 n) external payable { ASK d = n; e += msg.value; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; }",
      "nothing",
    ),
    // This one only updates, unlike those of the same signature.
    desk(
      "function odd(address w, uint256 n) external { ASK d = block.timestamp; } } contract Two { uint256 d; uint256 x; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; } } contract Three { uint256 d; modifier named(address who) { require(who != address(0)); _; } modifier latest(string memory name, address who) { require(who != msg.sender); _; } function odd(address w, uint256 n) external named(w) { d = n; }",
      "nothing",
    ),
    // Others write it behind a check.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function odd(uint256 n) external { ASK d = n; }",
      "lacking d like 2 of 3; same d like 2 of 3",
    ),
    // Others write it behind a check; this one updates it.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function odd() external { ASK d = block.timestamp; }",
      "nothing; same d like 2 of 3",
    ),
    // Three others write it behind a check; this one adds.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function g3(uint256 n) external only { d = n + 2; } function odd(uint256 n) external { ASK d = d + n; }",
      "lacking d like 3 of 4; same d like 3 of 4",
    ),
    // Two others write it behind a check; this one adds.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function odd(uint256 n) external { ASK d = d + n; }",
      "lacking d like 2 of 3; same d like 2 of 3",
    ),
    // Two write it behind a check, one does not.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function o1(uint256 n) external { d = n + 5; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 2 of 4",
    ),
    // Three write it behind a check, one does not.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function g3(uint256 n) external only { d = n + 2; } function o1(uint256 n) external { d = n + 5; } function odd(uint256 n) external { ASK d = n; }",
      "lacking d like 3 of 5; same d like 3 of 5",
    ),
    // Three set it behind a check, one does not; this one fixes it.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function g3(uint256 n) external only { d = n + 2; } function o1(uint256 n) external { d = n + 5; } function odd() external { ASK d = 7; }",
      "nothing; same d like 3 of 5",
    ),
    // Three set the account behind a check, one does not; this one copies it.
    desk(
      "function g1(address n) external only { to = n; } function g2(address n) external only { to = n; a = 1; } function g3(address n) external only { to = n; b = 1; } function o1(address n) external { to = n; } function odd() external { ASK to = owner; }",
      "nothing; same to like 3 of 5",
    ),
    // Three set the list behind a check, one does not; this one copies it.
    desk(
      "function g1(IList n) external only { from = n; } function g2(IList n) external only { from = n; a = 1; } function g3(IList n) external only { from = n; b = 1; } function o1(IList n) external { from = n; } function odd() external { ASK from = list; }",
      "nothing; same from like 3 of 5",
    ),
    // Three set the number behind a check, one does not; this one copies it.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function g3(uint256 n) external only { d = n + 2; } function o1(uint256 n) external { d = n + 5; } function odd() external { ASK d = a; }",
      "nothing",
    ),
    // It has been paid for.
    desk(
      "function g1(uint256 n) external only { d = n; } function g2(uint256 n) external only { d = n + 1; } function odd(uint256 n) external payable { ASK require(msg.value > 3); d = n; }",
      "lacking d like 2 of 3",
    ),
    // It is switched the other way behind a check.
    desk(
      "function g1() external only { paused = true; } function odd() external { ASK paused = false; }",
      "nothing; same paused like 1 of 2",
    ),
    // It is switched both ways by anyone, and behind a check.
    desk(
      "function g1() external only { paused = true; } function o1() external { paused = true; a = 1; } function odd() external { ASK paused = false; }",
      "nothing",
    ),
    // It is switched along with another.
    desk(
      "function g1() external only { paused = true; } function odd(uint256 n) external { ASK paused = false; a = n; }",
      "nothing; same paused like 1 of 2",
    ),
    // Another setter is guarded.
    desk(
      "function g1(uint256 n) external only { a = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 1 of 2",
    ),
    // Another setter is guarded, and one is not.
    desk(
      "function g1(uint256 n) external only { a = n; } function o1(uint256 n) external { b = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; global d like 1 of 3",
    ),
    // Two other setters are guarded, and one is not.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { c = n; } function o1(uint256 n) external { b = n; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; setter d like 2 of 4",
    ),
    // Another setter is guarded, and this one also tells.
    desk(
      "function g1(uint256 n) external only { a = n; } function odd(uint256 n) external { ASK d = n; list.tell(n); }",
      "nothing; global d like 1 of 2",
    ),
    // What is set is read.
    desk(
      "function g1(uint256 n) external only { list.tell(n); } function look() external view returns (uint256) { return d; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; global d like 1 of 2",
    ),
    // The owner tells nobody.
    desk(
      "function look() external view returns (uint256) { return d; } function odd(uint256 n) external { ASK d = n; }",
      "nothing; dictated d",
    ),
    // Five others are guarded, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { list.tell(n); } function odd() external { ASK coin.transfer(owner, d); }",
      "lacking call like 5 of 6; most call like 5 of 6",
    ),
    // Four others are guarded, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { list.tell(n); } function odd() external { ASK coin.transfer(owner, d); }",
      "lacking call like 4 of 5; most call like 4 of 5",
    ),
    // Three others are guarded, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { list.tell(n); } function odd() external { ASK coin.transfer(owner, d); }",
      "lacking call like 3 of 4",
    ),
    // Five others are guarded, one is open, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { list.tell(n); } function o1() external { f = block.timestamp; } function odd() external { ASK coin.transfer(owner, d); }",
      "nothing; most call like 5 of 7",
    ),
    // Five others are guarded, two are open, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { list.tell(n); } function o1() external { f = block.timestamp; } function o2() external { g = block.timestamp; } function odd() external { ASK coin.transfer(owner, d); }",
      "nothing",
    ),
    // Eight others are guarded, two are open, and this one pays.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { list.tell(n); } function g6(uint256 n) external only { list.tell(n + 1); } function g7(uint256 n) external only { list.tell(n + 2); } function g8(uint256 n) external only { list.tell(n + 3); } function o1() external { f = block.timestamp; } function o2() external { g = block.timestamp; } function odd() external { ASK coin.transfer(owner, d); }",
      "nothing",
    ),
    // Four others are guarded, and this one switches.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { list.tell(n); } function odd() external { ASK paused = true; }",
      "lacking paused like 4 of 5; most paused like 4 of 5",
    ),
    // Four others are guarded, and this one switches in a state.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { list.tell(n); } function odd() external { ASK require(ended > 5); paused = true; }",
      "lacking paused like 4 of 5",
    ),
    // Four others are guarded, and this one switches, for good.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { list.tell(n); } function odd() external { ASK require(!paused); paused = true; }",
      "lacking paused like 4 of 5; most paused like 4 of 5",
    ),
    // One other is guarded, and this one switches what a third awaits.
    desk(
      "function g1(uint256 n) external only { list.tell(n); } function f1(uint256 n) external { require(paused); require(held[msg.sender] > 0); held[msg.sender] = n; } function odd() external { ASK paused = true; }",
      "nothing; consent paused like 1 of 2",
    ),
    // Two others are guarded, and this one tells a number.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { list.tell(n); } function odd(uint256 n) external { ASK list.tell(d + n); }",
      "nothing; same call like 1 of 2",
    ),
    // One other is guarded, and this one tells a number.
    desk(
      "function g1(uint256 n) external only { a = n; } function odd(uint256 n) external { ASK list.tell(d + n); }",
      "nothing",
    ),
    // One other passes numbers on behind a check.
    desk(
      "function g1(uint256 n) external only { list.tell(n); } function odd(uint256 n) external { ASK list.note(n); }",
      "nothing; most call like 1 of 2",
    ),
    // Two others are guarded, one is open, and this one tells a number.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function o1() external { f = block.timestamp; } function odd(uint256 n) external { ASK list.tell(d + n); }",
      "nothing; most call like 2 of 4",
    ),
    // Five others are guarded; this one tells a vetted number.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { list.tell(n); } function odd(uint256 id) external { ASK require(sizes[id] > a); list.tell(id); }",
      "lacking call like 5 of 6; most call like 5 of 6",
    ),
    // Four others are guarded; this one tells a vetted number.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { list.tell(n); } function odd(uint256 id) external { ASK require(sizes[id] > a); list.tell(id); }",
      "lacking call like 4 of 5",
    ),
    // Five others are guarded; this one tells what is kept.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external { ASK list.tell(d); }",
      "lacking call like 5 of 6",
    ),
    // Four others are guarded; this one tells what is kept.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function odd() external { ASK list.tell(d); }",
      "lacking call like 4 of 5",
    ),
    // Five others are guarded; this one gives its caller something.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external { ASK list.give(msg.sender); }",
      "nothing; alone call like 5 of 6",
    ),
    // Five others are guarded; this one gives its caller something for ether.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external payable { ASK list.give(msg.sender); }",
      "nothing",
    ),
    // Five others are guarded; this one gives its caller something and burns.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external { ASK list.give(msg.sender); list.burn(msg.sender); }",
      "nothing",
    ),
    // Five others are guarded; this one gives its caller something and notes it.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external { ASK list.give(msg.sender); held[msg.sender] = 0; }",
      "nothing",
    ),
    // Five others are guarded; this one gives its caller something from the contract.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd() external { ASK list.move(msg.sender, address(this)); }",
      "nothing",
    ),
    // Five others are guarded; this one records a request.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd(uint256 id, uint256 n) external { ASK makers[id] = msg.sender; sizes[id] = n; }",
      "nothing; most sizes like 5 of 6",
    ),
    // Four others are guarded; this one records a request.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function odd(uint256 id, uint256 n) external { ASK makers[id] = msg.sender; sizes[id] = n; }",
      "nothing",
    ),
    // Five others are guarded; this one records a request for ether.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd(uint256 id, uint256 n) external payable { ASK makers[id] = msg.sender; sizes[id] = n; }",
      "nothing",
    ),
    // Five others are guarded; this one records a request of its caller's.
    desk(
      "function g1(uint256 n) external only { a = n; } function g2(uint256 n) external only { b = n; } function g3(uint256 n) external only { c = n; } function g4(uint256 n) external only { e = n; } function g5(uint256 n) external only { f = n; } function odd(uint256 id, uint256 n) external { ASK makers[id] = msg.sender; held[msg.sender] = n; sizes[id] = n; }",
      "nothing",
    ),
    // Others lower only their caller's.
    desk(
      "function f1(uint256 n) external { held[msg.sender] -= n; } function f2(uint256 n) external only { a = n; } function odd(address w, uint256 n) external { ASK held[w] -= n; }",
      "nothing; setter held like 1 of 2",
    ),
    // Others raise only their caller's.
    desk(
      "function f1(uint256 n) external { held[msg.sender] += n; } function f2(uint256 n) external only { a = n; } function odd(address w, uint256 n) external { ASK held[w] += n; }",
      "nothing; setter held like 1 of 2",
    ),
    // Others lower anyone's, too.
    desk(
      "function f1(uint256 n) external { held[msg.sender] -= n; } function f2(address w, uint256 n) external { held[w] -= n; a = 1; } function odd(address w, uint256 n) external { ASK held[w] -= n; }",
      "nothing",
    ),
  ],
)
