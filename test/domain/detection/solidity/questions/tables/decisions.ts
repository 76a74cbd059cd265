import { accessOf } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import { decides } from "../../../../../../domain/detection/solidity/access/gravity/decides.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** A contract whose function `odd` is open to anyone, and states what its callers decide. */
const desk = (odd: string): string => `pragma solidity ^0.8.20;
import "./Missing.sol";
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
interface ILedger { function note(uint256 id) external; function file(bytes32 kind, uint256 to) external; }
interface IFeed { function peek(bytes32 kind) external view returns (uint256); }
contract Notes is ILedger {
  mapping(uint256 => bool) public noted;
  mapping(bytes32 => uint256) public filed;
  mapping(address => bool) public trusted;
  constructor() { trusted[msg.sender] = true; }
  function trust(address who) external { require(trusted[msg.sender]); trusted[who] = true; }
  function note(uint256 id) external { noted[id] = true; }
  function file(bytes32 kind, uint256 to) external { require(trusted[msg.sender]); filed[kind] = to; }
}
contract Purses {
  uint256 public total;
  mapping(address => uint256) public kept;
  mapping(uint256 => address) public names;
  function put(uint256 id) external { total = id; }
  function keep(uint256 id) external { kept[msg.sender] = id; }
  function name(uint256 id) external { names[id] = msg.sender; }
}
interface IUnknown { function hear(uint256 id) external; }
contract Other { function note(uint256) external { require(msg.sender == address(0xbeef)); done = true; } bool public done; }
contract Desk is Missing {
  address owner = msg.sender;
  IERC20 immutable token;
  ILedger immutable ledger;
  IFeed immutable feed;
  address immutable treasury;
  Other other;
  IUnknown unknown;
  Purses open;
  Purses own;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 at;
  bool paused;
  uint256[] list;
  mapping(address => uint256) fees;
  mapping(uint256 => uint256) stages;
  mapping(address => bool) allowed;
  mapping(bytes32 => bool) hashes;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  constructor(IERC20 t, ILedger l, IFeed f, address to) { token = t; ledger = l; feed = f; treasury = to; }
  function setA(uint256 to) external onlyOwner { a = to; }
  function setB(uint256 to) external onlyOwner { b = to; }
  function setC(uint256 to) external onlyOwner { c = to; }
  function setD(uint256 to) external onlyOwner { d = to; }
  function give(address to) external onlyOwner { owner = to; }
  function stage(uint256 id, uint256 to) external onlyOwner { stages[id] = to; }
  function resume() external onlyOwner { paused = false; }
  function allow(address who) external onlyOwner { allowed[who] = true; }
  function charge(address who, uint256 fee) external onlyOwner { fees[who] = fee; }
  function push(uint256 one) external onlyOwner { list.push(one); }
  function clear() external onlyOwner { delete list; }
  function decides(string memory) internal pure {}
  ${odd}
}`

const decided = (odd: string, answer: string): string => desk(odd.replace("{", `{ decides("${answer}");`))

/** Whether callers decide more than when something happens, and to which item. */
export const decisions = questionTable(
  "decisions",
  {
    decides: ({ program, fn }) => {
      const access = accessOf(program)
      const entry = access.entryOf.get(fn)
      return entry === undefined ? "none" : decides(access, entry)
    },
  },
  [
    // A value
    decided("function odd(uint256 to) external { at = to; a = to; }", "true"),
    // An amount that others compute on
    decided("function odd(uint256 by) external { a = a + by; }", "true"),
    // Who has a right
    decided("function odd() external { owner = msg.sender; }", "true"),
    // That something is switched
    decided("function odd() external { paused = true; }", "true"),
    // That something at a stage is called off
    decided("function odd(uint256 id) external { require(stages[id] == 4); stages[id] = 0; }", "true"),
    // That something announced is called off
    decided("function odd(uint256 to) external { delete hashes[keccak256(abi.encode(to))]; }", "true"),
    // What a base without source does
    decided("function odd() external { _pause(); }", "true"),
    // What is not understood
    decided("function odd() external { uint256 x; assembly { x := calldataload(4) } a = x; }", "true"),
    // How much of what is looked up
    decided("function odd(uint256 id, uint256 by) external { a = stages[id] * by; }", "true"),
    // What is asked of whom it depends
    decided("function odd(uint256 id) external { other.note(id); }", "true"),
    // What is told to an unknown contract
    decided("function odd(uint256 id) external { unknown.hear(id); }", "true"),
    // For whom something is switched
    decided("function odd(address who) external { allowed[who] = false; }", "true"),
    // A value that only another contract accepts
    decided("function odd(bytes32 kind, uint256 to) external { ledger.file(kind, to); }", "true"),
    // What is thrown away
    decided("function odd() external { delete list; }", "true"),
    // An account is brought up to date
    decided("function odd(address who) external { a = feed.peek(bytes32(uint256(uint160(who)))); }", "false"),
    // Only names what another contract is told
    decided("function odd(bytes32 kind) external { ledger.file(kind, feed.peek(kind)); }", "false"),
    // Calls what anyone may call
    decided("function odd(uint256 id) external { ledger.note(id); }", "false"),
    // Goes where it is due
    decided(
      "function odd(address who) external { uint256 fee = fees[who]; fees[who] = 0; token.transfer(treasury, fee); }",
      "false",
    ),
    // Is filled again
    decided("function odd() external { delete list; list.push(feed.peek(0)); }", "false"),
    // Nothing, as it always reverts
    decided(
      "function odd(address to, bytes calldata with) external { a = 5; (bool ok, bytes memory back) = to.delegatecall(with); assembly { revert(add(back, 32), mload(back)) } }",
      "none",
    ),
    // What is announced
    decided("function odd(uint256 to) external { require(hashes[keccak256(abi.encode(to))]); a = to; }", "false"),
    // What another is told as announced
    decided(
      "function odd(address to) external { require(hashes[keccak256(abi.encode(to))]); token.transfer(to, 5); }",
      "false",
    ),
    // What is paid for
    decided("function odd(uint256 to) external payable { require(msg.value > 5); a = to; }", "false"),
    // What a new contract is told
    decided("function odd(uint256 to) external { Other o = new Other(); o.note(to); }", "false"),
    // Which entry is switched, by a number looked up
    decided("function odd(uint256 id) external { stages[list[id]] = 3; }", "true"),
    // That a fixed entry is switched
    decided("function odd() external { stages[1] = 3; }", "false"),
    // What happens besides to a vetted item
    decided("function odd(uint256 id) external { require(stages[id] > a); stages[id] = 3; b = c; }", "false"),
    // Only which vetted item is switched
    decided("function odd(uint256 id) external { require(stages[id] > a); stages[id] = 3; }", "true"),
    // What is emptied and sent on
    decided("function odd() external { token.transfer(treasury, a); a = 0; }", "false"),
    // What is emptied, where another is sent
    decided("function odd() external { token.transfer(treasury, b); a = 0; }", "true"),
    // What its data says
    decided("function odd() external { a = uint256(bytes32(msg.data)); }", "true"),
    // What a base computes of a number
    decided("function odd(uint256 n) external { a = Rates.scaled(n); }", "true"),
    // Nothing, if a base looks it up for an account
    decided("function odd(address who) external { a = Rates.of(who); }", "false"),
    // Nothing, if a base looks it up for a contract
    decided("function odd(IFeed who) external { a = Rates.of(who); }", "false"),
    // Nothing, if a base looks it up under a name
    decided("function odd(bytes32 kind) external { a = Rates.of(kind); }", "false"),
    // What a base computes of a short word
    decided("function odd(bytes4 kind) external { a = Rates.of(kind); }", "true"),
    // What a base knows
    decided("function odd() external { a = Rates.now_(); }", "true"),
    // Nothing, if an item that is looked up is told
    decided("function odd(uint256 id) external { require(stages[id] > a); unknown.hear(id); }", "false"),
    // Nothing, if an item that is looked up on the right is told
    decided("function odd(uint256 id) external { require(a < stages[id]); unknown.hear(id); }", "false"),
    // What an item that is only compared is told
    decided("function odd(uint256 id) external { require(id > 5); unknown.hear(id); }", "true"),
    // Nothing, if anyone's purse may be asked
    decided("function odd(uint256 id) external { open.put(id); }", "false"),
    // What the sender's purse is asked
    decided("function odd(uint256 id) external { own.keep(id); }", "true"),
    // What a purse is told of the sender
    decided("function odd(uint256 id) external { own.name(id); }", "true"),
  ],
)
