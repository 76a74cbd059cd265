import { accessOf } from "../../access/entries/entries.ts"
import { freeInheritedMints, freeMint } from "../../access/lacking/freeMints.ts"
import { unearnedCredit } from "../../access/lacking/unearned.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"

export const unprotectedMint: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-mint",
    class: "missing-access-control",
    title: "Unprotected mint or burn",
    severity: "high",
    confidence: "medium",
    cwe: [862, 284],
    swc: 105,
    description:
      "The function changes token balances by an amount that the caller chooses, takes nothing in return, and " +
      "does not check the caller. An attacker can credit tokens to their own account and sell them or, if the " +
      "function lowers balances, destroy everyone else's.",
    remediation:
      "Restrict the function to a minter role, or take the backing assets in the same function. Let holders " +
      "burn only their own tokens, or tokens for which they have an allowance.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://docs.openzeppelin.com/contracts/5.x/access-control"],
  },
  check: (program, report) => {
    const told = new Set<string>()
    for (const flow of program.allFlows()) {
      const { scope } = flow.fn
      for (const site of freeInheritedMints(flow)) {
        told.add(scope)
        report({ ...placeOf(site), scope })
      }
      const change = freeMint(flow)
      if (change === undefined) continue
      told.add(scope)
      const { via, event } = change
      report({
        ...placeOf(via[0] ?? event),
        scope,
        trace: [...callSteps(via), { ...placeOf(event), note: "changed by an amount chosen by the caller" }],
      })
    }
    const access = accessOf(program)
    for (const entry of access.entries) {
      const credit = told.has(entry.fn.scope) ? undefined : unearnedCredit(access, entry)
      if (credit === undefined) continue
      const { via, event } = credit.reached
      report({
        ...placeOf(via[0] ?? event),
        scope: entry.fn.scope,
        message: `\`${credit.variable!.name}\` increases by an amount that the caller chooses, and nothing is received in return.`, // a write
        trace: [...callSteps(via), { ...placeOf(event), note: "credited here" }],
      })
    }
  },

  examples: {
    vulnerable: [
      // Nothing comes in for the entry that goes up: beside other calls, in a record, by an internal ledger, up to a cap.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
interface IHook { function notify(address who) external; function paused() external returns (bool); }
contract Farm {
  IToken token;
  IHook hook;
  mapping(address => uint256) staked;
  uint256 total;
  function stake(address who, uint256 amount) external {
    require(!hook.paused() && amount > 0);
    total += amount;
    staked[who] += amount; // FINDING
  }
  function leave(uint256 amount) external {
    staked[msg.sender] -= amount;
    total -= amount;
    token.transfer(msg.sender, amount);
  }
}
library Sums { function add(uint256 a, uint256 b) internal pure returns (uint256 c) { c = a + b; require(c >= a); } }
contract Bank {
  using Sums for uint256;
  struct Account { uint256 balance; uint64 since; }
  mapping(bytes32 => mapping(address => Account)) accounts;
  IHook hook;
  uint256 cap;
  uint256 total;
  function depositFor(bytes32 kind, uint256 amount) external {
    require(msg.sender != address(0) && total + amount <= cap);
    total = total.add(amount);
    hook.notify(msg.sender);
    _credit(accounts[kind][msg.sender], amount); // FINDING
  }
  function _credit(Account storage to, uint256 amount) private { to.balance = to.balance.add(amount); to.since = uint64(block.timestamp); }
  function withdraw(bytes32 kind, uint256 amount) external {
    accounts[kind][msg.sender].balance -= amount;
    (bool ok, ) = msg.sender.call{ value: amount }("");
    require(ok);
  }
}`,
      // Neither what is there anyway nor what is noted pays for it.
      `pragma solidity ^0.8.20;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Basket {
  mapping(address => uint256) public balanceOf;
  mapping(IERC20 => uint256) held;
  uint256 public totalSupply;
  IERC20[] assets;
  constructor(IERC20 one) { assets.push(one); totalSupply = 1e18; balanceOf[msg.sender] = 1e18; }
  function transfer(address to, uint256 n) external { balanceOf[msg.sender] -= n; balanceOf[to] += n; }
  function mint(address to, uint256 n) external {
    for (uint256 i = 0; i < assets.length; i++) {
      require(assets[i].balanceOf(address(this)) >= held[assets[i]]);
      held[assets[i]]++;
    }
    give(to, n); // FINDING
  }
  function grant(address to, uint256 n) external {
    for (uint256 i = 0; i < assets.length; i++) {
      require(held[assets[i]] + n < 1e30);
      held[assets[i]] += n;
    }
    give(to, n); // FINDING
  }
  function give(address to, uint256 n) private { totalSupply += n; balanceOf[to] += n; }
}`,
      `pragma solidity ^0.8.20;
library Ledger {
  struct Data { mapping(address => uint256) credit; uint256 cap; address keeper; }
  function data() internal pure returns (Data storage d) {
    bytes32 slot = keccak256("acme.ledger");
    assembly { d.slot := slot }
  }
}
contract Rewards {
  function credit(address who, uint256 amount) external {
    Ledger.data().credit[who] += amount; // FINDING
  }
  function setCap(uint256 cap) external {
    require(msg.sender == Ledger.data().keeper, "keeper");
    Ledger.data().cap = cap;
  }
  function take(uint256 amount) external {
    Ledger.data().credit[msg.sender] -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
  }
  receive() external payable {}
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balanceOf;
  uint256 public totalSupply;
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function mint(address to, uint256 amount) external {
    totalSupply += amount;
    balanceOf[to] += amount; // FINDING
  }
}`,
      `pragma solidity ^0.4.24;
contract Coin {
  mapping(address => uint256) balances;
  function transfer(address to, uint256 amount) public returns (bool) {
    require(balances[msg.sender] >= amount);
    balances[msg.sender] = balances[msg.sender] - amount;
    balances[to] = balances[to] + amount;
    return true;
  }
  function destroy(address from, uint256 amount) public {
    require(balances[from] >= amount);
    lower(from, amount); // FINDING
  }
  function lower(address from, uint256 amount) internal {
    balances[from] -= amount;
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Coin is ERC20 {
  constructor() ERC20("Coin", "C") { _mint(msg.sender, 1e24); }
  function mint(address to, uint256 amount) external {
    _mint(to, amount); // FINDING
  }
  function burn(uint256 amount) external { _burn(msg.sender, amount); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import "./Lawful.sol";
contract Coin is ERC20Pausable, Lawful {
  constructor() ERC20("Coin", "C") { _mint(msg.sender, 1e24); }
  function mint(address to, uint256 amount) external whenNotPaused {
    _mint(to, amount); // FINDING
  }
  function issue(address to, uint256 amount) external lawful { _mint(to, amount); }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balanceOf;
  function transfer(address to, uint256 amount) external { _move(msg.sender, to, amount); }
  function _move(address from, address to, uint256 amount) public {
    balanceOf[from] -= amount; // FINDING
    balanceOf[to] += amount;
  }
}`,
      `pragma solidity ^0.8.20;
abstract contract Base {
  mapping(address => uint256) balances;
  uint256 public totalSupply;
  function transfer(address to, uint256 amount) external { _update(msg.sender, to, amount); }
  function _update(address from, address to, uint256 amount) internal {
    if (from == address(0)) totalSupply += amount;
    else balances[from] -= amount;
    if (to == address(0)) totalSupply -= amount;
    else balances[to] += amount;
  }
  function _mint(address to, uint256 amount) internal { _update(address(0), to, amount); }
}
contract Coin is Base {
  function mint(address to, uint256 amount) external {
    _mint(to, amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Iou {
  mapping(address => uint256) held;
  uint256 public totalSupply;
  address minter = msg.sender;
  function balanceOf(address who) external view returns (uint256) { return held[who]; }
  function transfer(address, uint256) external pure returns (bool) { revert("Iou: stays where it is"); }
  function mint(address to, uint256 amount) external {
    _mint(to, amount); // FINDING
  }
  function _mint(address to, uint256 amount) private {
    require(to != address(0));
    totalSupply += amount;
    held[to] += amount;
  }
}`,
      // A cap is not a check of the caller, and a table in a struct is a table.
      `pragma solidity ^0.8.20;
contract Coin {
  struct Book { mapping(address => uint256) held; uint256 total; }
  Book book;
  uint256 cap = 1e24;
  address immutable fund = msg.sender;
  function transfer(address to, uint256 amount) external { book.held[msg.sender] -= amount; book.held[to] += amount; }
  function mint(address to, uint256 amount) external {
    require(book.total + amount <= cap);
    book.total += amount;
    book.held[to] += amount; // FINDING
  }
  function moveWithFee(address from, address to, uint256 amount) external {
    book.held[from] -= amount + 1; // FINDING
    book.held[to] += amount;
    book.held[fund] += 1;
  }
}
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Rewards {
  IERC20 immutable token;
  mapping(address => uint256) due;
  constructor(IERC20 t) { token = t; }
  function reward(address who, uint256 amount) external {
    due[who] += amount; // FINDING
  }
  function claim(uint256 amount) external { due[msg.sender] -= amount; token.transfer(msg.sender, amount); }
}`,
      // A table read under a key of the contract's own is not that of the holders.
      `pragma solidity ^0.8.20;
contract Iou {
  mapping(address => uint256) held;
  uint256 public totalSupply;
  address minter = msg.sender;
  function balanceOf(address who) external view returns (uint256) { return held[who] * rate[epoch]; }
  uint256 public epoch;
  mapping(uint256 => uint256) rate;
  function setRate(uint256 of, uint256 more) external { rate[of] += more; }
  function transfer(address, uint256) external pure returns (bool) { revert("Iou: stays where it is"); }
  function mint(address to, uint256 amount) external {
    _mint(to, amount); // FINDING
  }
  function _mint(address to, uint256 amount) private {
    require(to != address(0));
    totalSupply += amount;
    held[to] += amount;
  }
}`,
      // That somebody is told of the amount pays for nothing.
      `pragma solidity ^0.8.20;
interface IHooks { function hookOf(address who) external view returns (address); }
interface IHook { function received(address by, address to, uint256 amount) external; }
contract Ledger {
  IHooks immutable hooks;
  mapping(address => uint256) public balanceOf;
  constructor(IHooks h) { hooks = h; }
  function transfer(address to, uint256 amount) external { balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }
  function mint(address to, uint256 amount) external {
    balanceOf[to] += amount; // FINDING
    IHook(hooks.hookOf(to)).received(msg.sender, to, amount);
  }
}`,
    ],
    safe: [
      // What an account has earned is noted, whoever calls.
      `pragma solidity ^0.8.20;
contract Staked {
  mapping(address => uint256) public balanceOf;
  mapping(address => uint256) shares;
  uint256 public totalSupply;
  uint256 rate = 3;
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function stake() external payable { shares[msg.sender] += msg.value; totalSupply += msg.value; }
  function update(address who) external { _update(who); }
  function _update(address who) internal { balanceOf[who] += shares[who] * rate; }
}`,
      `pragma solidity ^0.8.20;
contract Tickets {
  uint256 public constant PRICE = 0.1 ether;
  mapping(address => uint256) public balanceOf;
  function transfer(address to, uint256 n) external { balanceOf[msg.sender] -= n; balanceOf[to] += n; }
  function buy(address to, uint256 n) external payable {
    require(msg.value == n * PRICE, "price");
    balanceOf[to] += n;
  }
}`,
      // Something is taken or given up for it, or shown to permit it, or it is worth nothing, or is the caller's own book.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); function take(address from, uint256 amount) external; }
interface IGate { function mayHold(address who) external returns (bool); function covers(bytes32 note, uint256 amount) external view returns (bool); }
contract Farm {
  IToken token;
  IGate gate;
  address owner = msg.sender;
  mapping(address => uint256) staked;
  mapping(address => uint256) idle;
  mapping(address => uint256) limit;
  mapping(address => uint256) gift;
  mapping(address => uint256) points;
  mapping(address => bool) member;
  mapping(uint256 => uint256) rewards;
  mapping(address => mapping(address => uint256)) allowed;
  mapping(IToken => mapping(uint256 => uint256)) books;
  bool begun;
  function stake(uint256 amount) external { token.take(msg.sender, amount); staked[msg.sender] += amount; }
  function restake(uint256 amount) external { idle[msg.sender] -= amount; staked[msg.sender] += amount; }
  function accept(uint256 amount) external { delete gift[msg.sender]; staked[msg.sender] += amount; }
  function draw(uint256 amount) external { require(amount <= limit[msg.sender]); staked[msg.sender] += amount; }
  function join(uint256 amount) external { require(gate.mayHold(msg.sender)); staked[msg.sender] += amount; }
  function present(bytes32 note, uint256 amount) external { require(gate.covers(note, amount)); staked[msg.sender] += amount; }
  function collect(uint256 id) external { staked[msg.sender] += rewards[id]; }
  function enter(uint256 amount) external { require(member[msg.sender]); staked[msg.sender] += amount; }
  function solve(uint256 amount, uint256 salt) external { require(keccak256(abi.encode(salt)) == bytes32(uint256(7))); staked[msg.sender] += amount; }
  function begin(uint256 amount) external { require(!begun); begun = true; staked[msg.sender] += amount; }
  function buy(uint256 amount) external payable { require(msg.value == amount); staked[msg.sender] += amount; }
  function give(address to, uint256 amount) external { require(msg.sender == owner); staked[to] += amount; }
  function hint(uint256 amount) external { staked[msg.sender] += uint256(keccak256(abi.encode(amount))) % 3; }
  function score(uint256 amount) external { points[msg.sender] += amount; }
  function trust(address who, uint256 amount) external { allowed[msg.sender][who] += amount; }
  function book(uint256 id, uint256 amount) external { books[IToken(msg.sender)][id] += amount; }
  function unbook(uint256 id, uint256 amount) external { books[IToken(msg.sender)][id] -= amount; token.transfer(owner, amount); }
  function leave(uint256 amount) external { staked[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function out(uint256 amount) external { idle[msg.sender] -= amount; token.transfer(msg.sender, amount); }
  function spend(address from, uint256 amount) external { allowed[from][msg.sender] -= amount; idle[from] -= amount; token.transfer(msg.sender, amount); }
}
contract Remote is Unseen {
  IToken token;
  mapping(uint256 => mapping(address => uint256)) held;
  function put(uint256 kind, uint256 amount) external { pull(msg.sender, amount); held[kind][msg.sender] += amount; }
  function take(uint256 kind, uint256 amount) external { held[kind][msg.sender] -= amount; token.transfer(msg.sender, amount); }
}`,
      // All slots that assembly computes are one variable: an approval in one of them is not a balance.
      `pragma solidity ^0.8.20;
contract Coin {
  function transfer(address to, uint256 amount) external returns (bool) {
    assembly {
      mstore(0x0c, 0x87a211a2)
      mstore(0x00, caller())
      let from := keccak256(0x0c, 0x20)
      sstore(from, sub(sload(from), amount))
      mstore(0x00, to)
      let into := keccak256(0x0c, 0x20)
      sstore(into, add(sload(into), amount))
    }
    return true;
  }
  function setApprovalForAll(address operator, bool isApproved) external {
    assembly {
      mstore(0x20, 0x9a31110384e0b0c9)
      mstore(0x14, caller())
      mstore(0x00, operator)
      sstore(keccak256(0x0c, 0x34), isApproved)
    }
  }
}`,
      // Each asset has come in before.
      `pragma solidity ^0.8.20;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Basket {
  mapping(address => uint256) public balanceOf;
  mapping(IERC20 => uint256) held;
  uint256 public totalSupply;
  IERC20[] assets;
  constructor(IERC20 one) { assets.push(one); totalSupply = 1e18; balanceOf[msg.sender] = 1e18; }
  function transfer(address to, uint256 n) external { balanceOf[msg.sender] -= n; balanceOf[to] += n; }
  function mint(address to, uint256 n) external {
    uint256 ratio = (n * 1e18) / totalSupply;
    for (uint256 i = 0; i < assets.length; i++) {
      uint256 due = (held[assets[i]] * ratio) / 1e18;
      require(assets[i].balanceOf(address(this)) >= held[assets[i]] + due);
      held[assets[i]] += due;
    }
    give(to, n);
  }
  function give(address to, uint256 n) private { totalSupply += n; balanceOf[to] += n; }
}`,
      `pragma solidity ^0.8.20;
contract Token {
  mapping(address => uint256) public balanceOf;
  bool private ready;
  function begin() internal { require(!ready, "begun"); ready = true; }
  function setUp(uint256 supply) public { begin(); balanceOf[msg.sender] += supply; }
  function setUp(bytes calldata data) external { setUp(abi.decode(data, (uint256))); }
  function setUpFor(address first, uint256 supply) external { begin(); _give(first, supply); }
  function _give(address to, uint256 amount) internal { balanceOf[to] += amount; }
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
}`,
      `pragma solidity ^0.8.20;
library Ledger {
  struct Data { mapping(address => uint256) credit; uint256 cap; address keeper; }
  function data() internal pure returns (Data storage d) {
    bytes32 slot = keccak256("acme.ledger");
    assembly { d.slot := slot }
  }
}
contract Rewards {
  function credit(address who, uint256 amount) external {
    require(msg.sender == Ledger.data().keeper, "keeper");
    Ledger.data().credit[who] += amount;
  }
  function setCap(uint256 cap) external {
    require(msg.sender == Ledger.data().keeper, "keeper");
    Ledger.data().cap = cap;
  }
  function take(uint256 amount) external {
    Ledger.data().credit[msg.sender] -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
  }
  receive() external payable {}
}`,
      `pragma solidity ^0.8.20;
contract Wrapped {
  struct Account { uint256 free; mapping(address => uint256) allowance; }
  mapping(address => Account) accounts;
  function balanceOf(address who) external view returns (uint256) { return accounts[who].free; }
  function deposit() external payable { accounts[msg.sender].free += msg.value; }
  function approve(address spender, uint256 amount) external returns (bool) {
    accounts[msg.sender].allowance[spender] = amount;
    return true;
  }
  function transfer(address to, uint256 amount) external returns (bool) {
    accounts[msg.sender].free -= amount;
    accounts[to].free += amount;
    return true;
  }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  address minter = msg.sender;
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    allowance[from][msg.sender] -= amount;
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function burnFrom(address from, uint256 amount) external {
    allowance[from][msg.sender] -= amount;
    balanceOf[from] -= amount;
  }
  function mint(address to, uint256 amount) external { require(msg.sender == minter); balanceOf[to] += amount; }
  function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Wrapped {
  IERC20 immutable base;
  mapping(address => uint256) public balanceOf;
  mapping(address => uint256) public claimable;
  constructor(IERC20 b) { base = b; }
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function deposit() external payable { balanceOf[msg.sender] += msg.value; }
  function wrap(uint256 amount) external {
    require(base.transferFrom(msg.sender, address(this), amount));
    balanceOf[msg.sender] += amount;
  }
  function claim(uint256 amount) external { claimable[msg.sender] -= amount; balanceOf[msg.sender] += amount; }
}`,
      // Whoever is credited gives something up, or does not choose how much.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
interface IVault { function take(address from, uint256 amount) external; }
contract Coin is ERC20 {
  IVault immutable vault;
  mapping(address => uint256) points;
  constructor(IVault v) ERC20("Coin", "C") { vault = v; }
  function stake(uint256 amount) external { vault.take(msg.sender, amount); _mint(msg.sender, amount); }
  function swap(uint256 amount) external { _burnPoints(msg.sender, amount); _mint(msg.sender, amount); }
  function claim(uint256 amount) external { points[msg.sender] -= amount; _mint(msg.sender, amount); }
  function draw(uint256 salt) external { _mint(msg.sender, uint256(keccak256(abi.encode(salt, block.number)))); }
  function _grant(address to, uint256 amount) internal { _mint(to, amount); }
}
contract Cards is ERC1155 {
  constructor() ERC1155("") {}
  function mint(uint256 kind) external { _mint(msg.sender, kind, 1, ""); }
}
contract Points {
  mapping(address => uint256) public balanceOf;
  mapping(address => uint256) quota;
  mapping(address => uint256) granted;
  uint256 gift = 5;
  address keeper = msg.sender;
  function transfer(address to, uint256 amount) external { balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }
  function greet() external { _credit(msg.sender, gift); }
  function use(address to, uint256 amount) external { require(amount <= quota[msg.sender]); balanceOf[to] += amount; }
  function collect(address to, uint256 amount) external { require(amount <= granted[to]); balanceOf[to] += amount; }
  function grant(address to, uint256 most) external { require(msg.sender == keeper); quota[to] = most; granted[to] = most; }
  function roll(uint256 salt) external { balanceOf[msg.sender] += uint256(keccak256(abi.encode(salt, block.number))) % 10; }
  function _credit(address to, uint256 amount) private { balanceOf[to] += amount; }
}
interface IHook { function ping() external; }
contract Club {
  IHook immutable hook;
  mapping(address => uint256) seats;
  mapping(bytes32 => uint256) pots;
  constructor(IHook h) payable { hook = h; }
  function leave() external { seats[msg.sender] -= 1; hook.ping(); }
  function reserve(address who, uint256 more) external { seats[who] += more; }
  function tip() external { pots["tips"] -= 1; payable(msg.sender).transfer(1); }
  function note(bytes32 pot, uint256 more) external { pots[pot] += more; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
contract Wrapped {
  IERC20 immutable asset;
  mapping(address => uint256) public balanceOf;
  uint256 public booked;
  constructor(IERC20 a) { asset = a; }
  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }
  function wrap(address to, uint256 amount) external {
    balanceOf[to] += amount;
    require(amount <= asset.balanceOf(address(this)) - booked, "nothing arrived");
    booked += amount;
  }
}`,
    ],
  },
}
