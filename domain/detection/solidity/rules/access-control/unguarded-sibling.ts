import type { Severity } from "../../../../finding/Severity.ts"
import type { Match, Rule } from "../../../Rule.ts"
import { accessOf } from "../../access/entries/entries.ts"
import { whyUncertain } from "../../access/gravity/circumstantial.ts"
import { whyHarmless } from "../../access/gravity/harmless.ts"
import { type Deviation, deviations } from "../../access/lacking/deviations.ts"
import { scopesOf } from "../../access/table/reported.ts"
import { checkedSteps, deviationMessage, openStep } from "../../access/table/words.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { arbitraryCall } from "../dangerous-call/arbitrary-call.ts"
import { untrustedDelegatecall } from "../dangerous-call/untrusted-delegatecall.ts"
import { openInitializer } from "../initialization/open-initializer.ts"
import { arbitrarySendEth } from "./arbitrary-send-eth.ts"
import { arbitraryTransferFrom } from "./arbitrary-transfer-from.ts"
import { unprotectedCallback } from "./unprotected-callback.ts"
import { unprotectedMint } from "./unprotected-mint.ts"
import { unprotectedOwnership } from "./unprotected-ownership.ts"
import { unprotectedSelfdestruct } from "./unprotected-selfdestruct.ts"
import { unprotectedSetter } from "./unprotected-setter.ts"
import { unprotectedTokenWithdrawal } from "./unprotected-token-withdrawal.ts"

export const unguardedSibling: Rule<Program> = {
  meta: {
    id: "evm/access-control/unguarded-sibling",
    class: "missing-access-control",
    title: "Access check missing where sibling functions have one",
    // the value of the deed is unknown, only that similar ones are guarded
    severity: "medium",
    confidence: "medium",
    cwe: [862, 284],
    swc: 105,
    description:
      "Other functions perform a check, usually of the caller, before they do the same kind of thing: write " +
      "this variable, call this contract, or change anything at all. This one does not, so any account can call " +
      "it. If the check was forgotten, an attacker can do what the other functions prevent.",
    remediation:
      "Add the check that the other functions have (a modifier or `require`). If the function is meant for " +
      "everyone, say so in a comment and suppress the finding.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/862.html"],
  },
  check: (program, report) => {
    const found = deviations(program)
    if (found.length === 0) return
    const told = scopesOf(program, natural)
    const access = accessOf(program)
    for (const deviation of found) {
      if (scopesIn(deviation).some((scope) => told.has(scope))) continue
      const { entry, deed } = deviation
      const { via, event } = deed.reached
      report({
        ...placeOf(via[0] ?? event),
        scope: entry.fn.scope,
        ...weighed(deviationMessage(deviation), whyHarmless(access, deviation) ?? whyUncertain(deviation)),
        trace: [
          ...callSteps(via),
          { ...placeOf(event), note: openStep(deed) },
          ...checkedSteps(deviation.guarded),
          ...unusedCheck(deviation),
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      // The caller says what is taken off a list; what only the first call does is of no use to the second.
      `pragma solidity ^0.8.20;
contract Tokens {
  address immutable governor = msg.sender;
  address[] tokens;
  uint256 weight;
  function add(address token) external {
    require(msg.sender == governor);
    uint256 n = tokens.length;
    for (uint256 i = 0; i < n; i++) require(tokens[i] != token);
    tokens.push(token);
  }
  function remove(address token) external {
    uint256 n = tokens.length;
    for (uint256 i = 0; i < n; i++) {
      if (tokens[i] == token) {
        tokens[i] = tokens[n - 1];
        tokens.pop(); // FINDING
        return;
      }
    }
  }
}
contract Pool {
  address immutable governor = msg.sender;
  address distributor;
  uint256 price;
  uint256 touched;
  function setPrice(uint256 to) external { require(msg.sender == governor); price = to; }
  function initialize(address to, uint256 first) external {
    if (distributor == address(0)) {
      distributor = to;
      price = first;
    }
    touched++;
  }
  function quote(uint256 n) external view returns (uint256) { require(msg.sender == distributor); return n * price + touched; }
}`,
      // A base without source moves tokens of the sender, or of whom the caller names.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
interface IReceiver { function onTransfer(address from, uint256 n, bytes calldata data) external; }
contract BridgedToken is ERC20Upgradeable {
  address immutable gateway;
  uint256 fee;
  constructor(address g) { gateway = g; }
  function mint(address to, uint256 n) external { require(msg.sender == gateway); _mint(to, n); }
  function burn(address from, uint256 n) external { require(msg.sender == gateway); _burn(from, n); }
  function setFee(uint256 to) external { require(msg.sender == gateway); fee = to; }
  function transferAndCall(address to, uint256 n, bytes calldata data) external {
    ERC20Upgradeable.transfer(to, n);
    IReceiver(to).onTransfer(msg.sender, n, data);
  }
}
contract LooseToken is ERC20Upgradeable {
  address immutable gateway;
  uint256 fee;
  constructor(address g) { gateway = g; }
  function mint(address to, uint256 n) external { require(msg.sender == gateway); _mint(to, n); }
  function burn(address from, uint256 n) external { require(msg.sender == gateway); _burn(from, n); }
  function setFee(uint256 to) external { require(msg.sender == gateway); fee = to; }
  function moveAndCall(address from, address to, uint256 n, bytes calldata data) external {
    ERC20Upgradeable._transfer(from, to, n); // FINDING
    IReceiver(to).onTransfer(msg.sender, n, data);
  }
}`,
      // What has been paid out of the balance is added up, or whatever the caller says.
      `pragma solidity ^0.8.20;
interface IMessenger { function send(address to) external payable; }
contract FeeVault {
  address immutable owner = msg.sender;
  IMessenger messenger;
  address recipient;
  uint256 total;
  constructor(IMessenger m, address to) { messenger = m; recipient = to; }
  receive() external payable {}
  function setMessenger(IMessenger to) external { require(msg.sender == owner); messenger = to; }
  function setRecipient(address to) external { require(msg.sender == owner && total > 0); recipient = to; }
  function withdraw(uint256 n) external {
    require(n <= address(this).balance);
    total += n; // FINDING
    messenger.send{value: n}(recipient);
  }
}
contract OpenVault {
  address immutable owner = msg.sender;
  IMessenger messenger;
  address recipient;
  uint256 total;
  constructor(IMessenger m, address to) { messenger = m; recipient = to; }
  receive() external payable {}
  function setMessenger(IMessenger to) external { require(msg.sender == owner); messenger = to; }
  function setRecipient(address to) external { require(msg.sender == owner && total > 0); recipient = to; }
  function withdraw(uint256 n) external {
    total += n; // FINDING
    messenger.send{value: 1}(recipient);
  }
}`,
      // What runs on another chain only matters less than what runs on this one.
      `pragma solidity ^0.8.20;
contract Delays {
  address immutable owner = msg.sender;
  uint256 immutable chain = block.chainid;
  uint256 delay;
  uint256 count;
  function setDelay(uint256 to) external { require(msg.sender == owner); delay = to; }
  function removeDelayAfterFork() external {
    require(chain != block.chainid);
    delay = 1; // FINDING
  }
  function pass() external { require(msg.sender == owner && block.timestamp > delay); count++; }
}
contract OwnDelays {
  address immutable owner = msg.sender;
  uint256 immutable chain = block.chainid;
  uint256 delay;
  uint256 count;
  function setDelay(uint256 to) external { require(msg.sender == owner); delay = to; }
  function removeDelay() external {
    require(chain == block.chainid);
    delay = 1; // FINDING
  }
  function pass() external { require(msg.sender == owner && block.timestamp > delay); count++; }
}`,
      // What is taken off a list is no switch.
      `pragma solidity ^0.8.20;
interface IPool { function redeem(uint256 n) external; function held() external view returns (uint256); }
contract Redeemer {
  address immutable liquidator = msg.sender;
  address[] pending;
  function liquidate(address pool) external {
    require(msg.sender == liquidator);
    pending.push(pool);
    _redeem();
  }
  function redeem() external {
    _redeem(); // FINDING
  }
  function _redeem() internal {
    for (uint256 i = pending.length; i > 0; i--) {
      IPool pool = IPool(pending[i - 1]);
      pool.redeem(pool.held());
      pending[i - 1] = pending[pending.length - 1];
      pending.pop();
    }
  }
}`,
      // A count that only grows shows that the setup has run; one that can be lowered does not.
      `pragma solidity ^0.8.20;
contract Director {
  address immutable governor = msg.sender;
  uint8 private count;
  uint256 weight;
  mapping(address => uint8) vaults;
  function initialize(address[] calldata fresh) external { require(count == 0); _list(fresh); }
  function list(address[] calldata fresh) external { require(msg.sender == governor); _list(fresh); }
  function setWeight(uint256 to) external { require(msg.sender == governor); weight = to * count; }
  function _list(address[] calldata fresh) internal {
    for (uint256 i = 0; i < fresh.length; i++) {
      count += 1;
      vaults[fresh[i]] = count;
    }
  }
}
contract ShrinkingDirector {
  address immutable governor = msg.sender;
  uint8 private count;
  uint256 weight;
  mapping(address => uint8) vaults;
  function initialize(address[] calldata fresh) external {
    require(count == 0);
    _list(fresh); // FINDING
  }
  function list(address[] calldata fresh) external { require(msg.sender == governor); _list(fresh); }
  function drop() external { require(msg.sender == governor); count--; }
  function setWeight(uint256 to) external { require(msg.sender == governor); weight = to * count; }
  function _list(address[] calldata fresh) internal {
    for (uint256 i = 0; i < fresh.length; i++) {
      count += 1;
      vaults[fresh[i]] = count;
    }
  }
}`,
      // What a function takes off is as much as the items that it has checked, or as the caller says.
      `pragma solidity ^0.8.20;
interface IEscrow { function ownerOf(uint256 id) external view returns (address); }
contract Claims {
  IEscrow immutable escrow;
  address owner = msg.sender;
  uint256 left;
  uint256 fee;
  uint256 start;
  uint256 pokes;
  mapping(uint256 => address) holders;
  constructor(IEscrow e) { escrow = e; left = 9; }
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
  function setStart(uint256 to) external { require(msg.sender == owner); start = to; }
  function claim(uint256[] calldata ids) external {
    for (uint256 i = 0; i < ids.length; i++) {
      require(escrow.ownerOf(ids[i]) == msg.sender && left > fee + start);
      holders[ids[i]] = msg.sender;
    }
    left -= ids.length;
  }
  function poke() external { pokes++; }
  function lower(uint256 n) external {
    left -= n; // FINDING
  }
}`,
      // That the new account is not the holder is no condition on the caller.
      `pragma solidity ^0.8.20;
contract Deeds {
  mapping(uint256 => address) holders;
  mapping(uint256 => address) agents;
  address minter = msg.sender;
  function appoint(address to, uint256 id) public {
    address holder = holders[id];
    require(to != holder);
    agents[id] = to; // FINDING
  }
  function transfer(address from, address to, uint256 id) public {
    require(holders[id] == from);
    require(msg.sender == from || agents[id] == msg.sender);
    agents[id] = address(0);
    holders[id] = to;
  }
  function issue(uint256 id) external {
    require(msg.sender == minter);
    require(holders[id] == address(0));
    holders[id] = msg.sender;
  }
}`,
      // All others ask who calls, each in its own way; this one asks only about the item. The overridden function does
      // nothing but ask.
      `pragma solidity ^0.8.20;
interface IWallet { function owner() external view returns (address); function allow(address module, bool on) external; }
contract Module {
  mapping(address => uint256) internal locks;
  mapping(address => mapping(address => bool)) public guardian;
  modifier onlyUnlocked(address wallet) { require(locks[wallet] <= block.timestamp); _; }
  modifier onlyOwnerOf(address wallet) { require(msg.sender == IWallet(wallet).owner()); _; }
  modifier onlyGuardian(address wallet) { require(guardian[wallet][msg.sender]); _; }
  function add(address wallet, address module) external onlyUnlocked(wallet) {
    IWallet(wallet).allow(module, true); // FINDING
  }
  function remove(address wallet, address module) external onlyOwnerOf(wallet) onlyUnlocked(wallet) { IWallet(wallet).allow(module, false); }
  function lock(address wallet) external onlyGuardian(wallet) onlyUnlocked(wallet) { locks[wallet] = block.timestamp + 5 days; }
  function unlock(address wallet) external onlyGuardian(wallet) { locks[wallet] = 0; }
  function setGuardian(address wallet, address who) external onlyOwnerOf(wallet) { guardian[wallet][who] = true; }
}
interface IPot { function drip() external; }
contract Delegate {
  address internal admin = msg.sender;
  uint256 internal marks;
  function resign() public virtual { require(msg.sender == admin); }
  function mark() external { marks += 1; }
}
contract PotDelegate is Delegate {
  IPot immutable pot;
  constructor(IPot p) { pot = p; }
  function resign() public override {
    pot.drip(); // FINDING
  }
}`,
      // Who is paid or votes in place of an account that holds something.
      `pragma solidity ^0.8.20;
contract Earnings {
  mapping(address => address) public receiver;
  mapping(address => uint256) public due;
  function earn(address who) external payable { due[who] += msg.value; }
  function setReceiver(address who, address to) external { receiver[who] = to; } // FINDING
  function pay(address who) external {
    uint256 n = due[who];
    due[who] = 0;
    payable(receiver[who] == address(0) ? who : receiver[who]).transfer(n);
  }
}
contract Votes {
  mapping(address => address) public delegateOf;
  mapping(address => uint256) public votes;
  mapping(address => uint256) public weight;
  function join() external payable { weight[msg.sender] += msg.value; }
  function delegate(address from, address to) external {
    votes[delegateOf[from]] -= weight[from];
    delegateOf[from] = to; // FINDING
    votes[to] += weight[from];
  }
}`,
      // Members of a list count as often as they call.
      `pragma solidity ^0.8.20;
contract Multisig {
  mapping(address => bool) public member;
  mapping(bytes32 => uint256) public count;
  uint256 immutable need;
  constructor(address[] memory members, uint256 k) { for (uint256 i; i < members.length; i++) member[members[i]] = true; need = k; }
  function approve(bytes32 id) external { require(member[msg.sender]); count[id]++; } // FINDING
  function run(address to, bytes calldata data) external {
    require(count[keccak256(abi.encode(to, data))] >= need);
    (bool ok, ) = to.call(data);
    require(ok);
  }
}`,
      // The sender has allowed it themselves, instead of the account that pays.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Deposits {
  mapping(address => mapping(address => bool)) public allows;
  mapping(address => uint256) public held;
  IToken immutable token;
  constructor(IToken t) { token = t; }
  function allow(address who, bool ok) external { allows[msg.sender][who] = ok; }
  function put(uint256 n) external { token.transferFrom(msg.sender, address(this), n); held[msg.sender] += n; }
  function get(uint256 n) external { held[msg.sender] -= n; token.transfer(msg.sender, n); }
  function take(address from, address to, uint256 n) external {
    require(allows[msg.sender][from]);
    held[from] -= n; // FINDING
    token.transfer(to, n);
  }
}`,
      // What an account is owed is paid to somebody else by a helper; what it has pledged goes to whoever asks for it.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Rewards {
  mapping(address => uint256) public accrued;
  mapping(address => uint256) public claimed;
  IToken immutable token;
  constructor(IToken t) { token = t; }
  function put(uint256 n) external { token.transferFrom(msg.sender, address(this), n); accrued[msg.sender] += n; }
  function claimTo(address from, address to) external {
    if (accrued[from] > claimed[from]) {
      uint256 owed = accrued[from] - claimed[from];
      claimed[from] = accrued[from]; // FINDING
      pay(to, owed);
    }
  }
  function pay(address to, uint256 n) private {
    uint256 all = token.balanceOf(address(this));
    if (n > all) n = all;
    token.transfer(to, n);
  }
}
contract Loans {
  mapping(address => uint256) public debt;
  mapping(address => uint256) public pledged;
  IToken immutable token;
  IToken immutable pledge;
  constructor(IToken t, IToken p) { token = t; pledge = p; }
  function put(uint256 n) external { pledge.transferFrom(msg.sender, address(this), n); pledged[msg.sender] += n; }
  function borrow(uint256 n) external { debt[msg.sender] += n; require(debt[msg.sender] <= pledged[msg.sender]); token.transfer(msg.sender, n); }
  function liquidate(address who) external {
    token.transferFrom(msg.sender, address(this), debt[who]);
    uint256 n = pledged[who];
    pledged[who] = 0; // FINDING
    pledge.transfer(msg.sender, n);
  }
}`,
      // An account that the contract has known from its creation, and that nothing compares with the caller: to call back
      // what is held, to set a value once, to buy what is held.
      `pragma solidity ^0.8.20;
interface IToken {
  function transfer(address to, uint256 n) external returns (bool);
  function transferFrom(address from, address to, uint256 n) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
  function changeAdmin(address to) external;
}
contract Clawback {
  address public constant guardian = 0x8ace03Fc45139fDDba944c6A4082b604041d19FC;
  IToken immutable token;
  address immutable home;
  constructor(IToken t, address to) { token = t; home = to; }
  function recover() external { token.transfer(home, token.balanceOf(address(this))); } // FINDING
}
contract Rate {
  address public immutable keeper;
  uint256 public rate;
  constructor(address who) { keeper = who; }
  function setRate(uint256 to) external { require(rate == 0); rate = to; } // FINDING
  function quote(uint256 n) external view returns (uint256) { return n * rate; }
}
contract Escrow {
  IToken immutable held;
  IToken immutable paid;
  address immutable buyer;
  address immutable seller;
  constructor(IToken h, IToken p, address b, address s) { held = h; paid = p; buyer = b; seller = s; }
  function buy(address admin) external {
    paid.transferFrom(msg.sender, seller, 100);
    held.changeAdmin(admin); // FINDING
  }
}`,
      // One of two parties agrees on behalf of the other.
      `pragma solidity ^0.8.20;
contract Merger {
  address public immutable first;
  address public immutable second;
  bool public firstAgreed;
  bool public secondAgreed;
  bool public agreed;
  uint256 done;
  event Agreed(address who);
  constructor(address a, address b) { first = a; second = b; }
  function agreeFirst() external { firstAgreed = true; emit Agreed(first); } // FINDING
  function agreeSecond() external { require(msg.sender == second); secondAgreed = true; emit Agreed(second); }
  function settle() external { require(firstAgreed && secondAgreed && first != second); agreed = true; }
  function exchange() external { require(agreed); done++; }
}`,
      // The governor admits anyone's word to what only the governor may call, where its other functions repeat decisions.
      `pragma solidity ^0.8.20;
contract Lock {
  address public admin;
  mapping(bytes32 => bool) public queued;
  constructor(address first) { admin = first; }
  function queueCall(address to, bytes calldata data) external { require(msg.sender == admin); queued[keccak256(abi.encode(to, data))] = true; }
}
contract Governor {
  struct Proposal { address to; bytes data; uint256 votes; }
  Lock public lock;
  address public guardian;
  mapping(uint256 => Proposal) public proposals;
  mapping(address => uint256) weight;
  mapping(uint256 => mapping(address => bool)) voted;
  constructor(Lock l) { lock = l; guardian = msg.sender; weight[msg.sender] = 101; }
  function vote(uint256 id) external {
    require(!voted[id][msg.sender] && weight[msg.sender] > 0);
    voted[id][msg.sender] = true;
    proposals[id].votes += weight[msg.sender];
  }
  function queue(uint256 id) external { require(proposals[id].votes > 100); lock.queueCall(proposals[id].to, proposals[id].data); }
  function abdicate() external { require(msg.sender == guardian); guardian = address(0); }
  function queueAdmin(address to) external { lock.queueCall(address(lock), abi.encode(to)); } // FINDING
}`,
      // Another contract pays an account of the caller's choosing for what is taken from anyone's record.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/math/SafeMath.sol";
interface IMinter { function send(address to, uint256 n) external; }
contract OldBonds {
  using SafeMath for uint256;
  IMinter immutable minter;
  mapping(address => uint256) public fees;
  mapping(address => uint256) seen;
  constructor(IMinter m) { minter = m; }
  function earn() external payable { fees[msg.sender] = fees[msg.sender].add(msg.value); }
  function withdrawOf(address who, address to, uint256 n) external {
    seen[msg.sender] = block.number;
    require(fees[who] >= n);
    fees[who] = fees[who].sub(n); // FINDING
    minter.send(to, n);
  }
  function earnFor(address who, address to, uint256 n) external {
    seen[msg.sender] = block.number;
    fees[who] = fees[who].add(n);
    minter.send(to, n);
  }
}
contract Bonds {
  IMinter immutable minter;
  mapping(address => uint256) public fees;
  mapping(address => uint256) public spent;
  mapping(address => uint256) seen;
  constructor(IMinter m) { minter = m; }
  function earn() external payable { fees[msg.sender] += msg.value; }
  function withdraw(address to, uint256 n) external { fees[msg.sender] -= n; minter.send(to, n); }
  function withdrawOf(address who, address to, uint256 n) external {
    seen[msg.sender] = block.number;
    fees[who] -= n; // FINDING
    minter.send(to, n);
  }
  function settle(address who, uint256 n) external {
    seen[msg.sender] = block.number;
    fees[who] -= n;
    minter.send(who, n);
  }
}`,
      // What is left to the caller: how much of what there is, or of what is owed; a setting within limits; any amount, of
      // anything, for anyone.
      `pragma solidity ^0.8.20;
interface IBank { function held(address who) external view returns (uint256); function rate(uint256 of) external view returns (uint256); function note() external; }
contract Desk {
  address immutable boss = msg.sender;
  IBank immutable bank;
  uint256 public debt;
  uint256 public fee;
  uint256 public cap;
  mapping(address => uint256) public owed;
  constructor(IBank b) { bank = b; cap = 5; }
  function setCap(uint256 n) external { require(msg.sender == boss); cap = n; }
  function noteIt() external { require(msg.sender == boss); bank.note(); }
  function addDebt(uint256 n) external { require(msg.sender == boss); debt += n; }
  function addFee(uint256 n) external { require(msg.sender == boss); fee += n; }
  function clear() external { require(msg.sender == boss); debt = 0; fee = 1; }
  function set(address who, uint256 n) external { require(msg.sender == boss); owed[who] = n; }
  function reset(address who) external { require(msg.sender == boss); owed[who] = 0; }
  function raise(address who) external { require(msg.sender == boss); owed[who] += 1; }
  function setBoth(address who, uint256 n) external { require(msg.sender == boss); owed[who] = n; debt = n; }
  function held(uint256 n) external {
    require(n <= bank.held(address(this)));
    debt -= n; // FINDING
  }
  function due(uint256 n) external {
    require(debt >= n);
    debt = debt - n;
    fee -= n; // FINDING
  }
  function within(uint256 n) external {
    require(n <= cap);
    debt -= n; // FINDING
  }
  function told(uint256 n, uint256 of) external {
    require(n <= bank.rate(of));
    debt -= n; // FINDING
  }
  function exactly(uint256 n) external {
    require(n != bank.held(address(this)));
    debt -= n; // FINDING
  }
  function exactlyTurned(uint256 n) external {
    require(bank.held(address(this)) != n);
    debt -= n; // FINDING
  }
  function other(uint256 n, uint256 m) external {
    require(m <= debt && n != m);
    debt -= n; // FINDING
  }
  function least(uint256 n) external {
    require(n >= bank.held(address(this)));
    debt -= n; // FINDING
  }
  function growFee(uint256 n) external {
    require(n <= bank.held(address(this)));
    fee += n; // FINDING
  }
  function forAnyone(address who, uint256 n) external {
    require(n <= bank.held(address(this)));
    owed[who] -= n; // FINDING
  }
}`,
      // What is confirmed, and on which evidence: all of it on a proof; by whom the caller names; a part; on nothing; on what is
      // kept.
      `pragma solidity ^0.8.20;
interface IVerifier { function check(bytes32 key, bytes calldata proof) external view returns (bool); function knows(bytes32 key) external view returns (bool); }
contract Registry {
  address immutable boss = msg.sender;
  IVerifier immutable verifier;
  mapping(bytes32 => uint256) public a;
  mapping(bytes32 => uint256) public b;
  mapping(bytes32 => uint256) public c;
  mapping(bytes32 => uint256) public d;
  mapping(bytes32 => uint256) public e;
  mapping(bytes32 => bytes) public proofs;
  constructor(IVerifier v) { verifier = v; }
  function set(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; d[k] = i; e[k] = i; }
  function fix(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; d[k] = i; e[k] = i; }
  function put(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; d[k] = i; e[k] = i; }
  function store(bytes32 k, bytes calldata proof) external { require(msg.sender == boss); proofs[k] = proof; }
  function proven(bytes32 key, bytes calldata proof) external {
    require(verifier.check(key, proof));
    a[key] = 1; // FINDING
  }
  function named(IVerifier by, bytes32 key, bytes calldata proof) external {
    require(by.check(key, proof));
    b[key] = 1; // FINDING
  }
  function part(bytes32 key, bytes32 other, bytes calldata proof) external {
    require(verifier.check(other, proof));
    c[key] = 1; // FINDING
  }
  function known(bytes32 key) external {
    require(verifier.knows(key));
    d[key] = 1; // FINDING
  }
  function kept(bytes32 key, bytes calldata proof) external {
    require(verifier.check(key, proof));
    e[key] = 1; // FINDING
    proofs[key] = proof;
  }
}`,
      // On which evidence: bytes, with something else that nobody chooses; a number; a list.
      `pragma solidity ^0.8.20;
interface IVerifier {
  function check(bytes32 key, bytes calldata proof) external view returns (bool);
  function counts(bytes32 key, uint256 n) external view returns (bool);
  function proves(bytes32 key, bytes32[] calldata path) external view returns (bool);
}
contract Register {
  address immutable boss = msg.sender;
  IVerifier immutable verifier;
  mapping(bytes32 => uint256) public a;
  mapping(bytes32 => uint256) public b;
  mapping(bytes32 => uint256) public c;
  uint256 public total;
  constructor(IVerifier v) { verifier = v; }
  function set(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; total = i; }
  function fix(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; total = i; }
  function put(bytes32 k, uint256 i) external { require(msg.sender == boss); a[k] = i; b[k] = i; c[k] = i; total = i; }
  function counted(bytes32 key, bytes calldata proof) external {
    require(verifier.check(key, proof));
    a[key] = 1; // FINDING
    total = 7;
  }
  function numbered(bytes32 key, uint256 n) external {
    require(verifier.counts(key, n));
    b[key] = 1; // FINDING
  }
  function proven(bytes32 key, bytes32[] calldata path) external {
    require(verifier.proves(key, path));
    c[key] = 1; // FINDING
  }
}`,
      // Nearly everything is for one account, and this is not: a request to another contract, a payment, a record.
      `pragma solidity ^0.8.20;
interface IKeeper { function update(address asset) external; function setUint(bytes32 key, uint256 value) external; }
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Hub {
  address immutable boss = msg.sender;
  address immutable vault = msg.sender;
  IKeeper immutable keeper;
  IToken immutable token;
  uint256 public a;
  uint256 public b;
  uint256 public c;
  constructor(IKeeper k, IToken t) { keeper = k; token = t; }
  function setA(uint256 n) external { require(msg.sender == boss); a = n; }
  function setB(uint256 n) external { require(msg.sender == boss); b = n; }
  function setC(uint256 n) external { require(msg.sender == boss); c = n; }
  function setAB(uint256 n) external { require(msg.sender == boss); a = n; b = n; }
  function setAC(uint256 n) external { require(msg.sender == boss); a = n; c = n; }
  function setBC(uint256 n) external { require(msg.sender == boss); b = n; c = n; }
  function addA(uint256 n) external { require(msg.sender == boss); a += n; }
  function addB(uint256 n) external { require(msg.sender == boss); b += n; }
  function addC(uint256 n) external { require(msg.sender == boss); c += n; }
  function addAll(uint256 n) external { require(msg.sender == boss); a += n; b += n; c += n; }
  function update(address asset) external {
    keeper.update(asset); // FINDING
  }
  function pay(uint256 n) external {
    require(token.transfer(vault, n)); // FINDING
  }
  function record(uint256 n) external {
    keeper.setUint(keccak256("rate"), n); // FINDING
  }
  function forward(uint256 n) external {
    (bool ok, ) = vault.call(abi.encodeWithSignature("run(uint256)", n)); // FINDING
    require(ok);
  }
  function grow(uint256 n) external {
    a += n; // FINDING
  }
}`,
      // All others that serve their caller serve members only; any caller becomes what another contract lets few accounts choose.
      `pragma solidity ^0.8.20;
interface IRegistry { function isNode(address who) external view returns (bool); }
interface ICore {
  function add(address by, bytes calldata data) external;
  function second(address by, uint256 id) external;
  function drop(address by, uint256 id) external;
  function vote(address by, uint256 id, bool yes) external;
}
contract Front {
  IRegistry immutable registry;
  ICore immutable core;
  constructor(IRegistry r, ICore c) { registry = r; core = c; }
  modifier node(address who) { require(registry.isNode(who), "node"); _; }
  function propose(bytes calldata data) external node(msg.sender) { core.add(msg.sender, data); }
  function second(uint256 id) external node(msg.sender) { core.second(msg.sender, id); }
  function drop(uint256 id) external node(msg.sender) { core.drop(msg.sender, id); }
  function vote(uint256 id, bool yes) external {
    core.vote(msg.sender, id, yes); // FINDING
  }
}
contract Coin {
  address minter = msg.sender;
  mapping(address => uint256) public balanceOf;
  function mint(address to, uint256 n) external { require(msg.sender == minter); balanceOf[to] += n; }
  function setMinter(address to) external { require(msg.sender == minter); minter = to; }
}
contract Bank {
  Coin immutable coin;
  address immutable governor = msg.sender;
  constructor(Coin c) { coin = c; }
  function issue(address to, uint256 n) external { require(msg.sender == governor); coin.mint(to, n); }
  function reclaim() external {
    coin.setMinter(msg.sender); // FINDING
  }
}`,
      // All other implementations of one function ask who calls.
      `pragma solidity ^0.8.20;
interface IPool { function put(address asset, uint256 amount) external; }
interface IERC20 { function balanceOf(address who) external view returns (uint256); }
abstract contract Plan {
  address immutable vault = msg.sender;
  modifier byVault() { require(msg.sender == vault); _; }
  function placeAll() external virtual;
}
contract Near is Plan {
  uint256 near;
  function placeAll() external override byVault { near = block.number; }
}
contract Far is Plan {
  uint256 far;
  function placeAll() external override byVault { far = 0; }
}
contract Pooled is Plan {
  IPool immutable pool;
  address immutable asset;
  uint256 public placed;
  constructor(IPool p, address a) { pool = p; asset = a; }
  function placeAll() external override {
    uint256 amount = IERC20(asset).balanceOf(address(this)) - placed;
    placed += amount; // FINDING
    pool.put(asset, amount);
  }
  function note() external { placed = IERC20(asset).balanceOf(address(this)); }
}`,
      // Whom a record names, and nobody looks at; the success of a payment admits nobody; a check about an item that heirs answer.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Grants {
  struct Grant { address heir; uint64 start; uint64 span; uint256 total; uint256 taken; }
  IERC20 immutable token;
  Grant[] public grants;
  constructor(IERC20 t) { token = t; }
  function grant(address who, uint256 total, uint64 span) external {
    token.transferFrom(msg.sender, address(this), total);
    grants.push(Grant(who, uint64(block.timestamp), span, total, 0));
  }
  function release(uint256 id, address to) external {
    Grant storage g = grants[id];
    uint256 vested = g.total * (block.timestamp - g.start) / g.span;
    uint256 due = vested - g.taken;
    g.taken = vested; // FINDING
    token.transfer(to, due);
  }
}
contract Deals {
  struct Deal { address payable buyer; address payable seller; address arbiter; uint256 amount; }
  mapping(uint256 => Deal) public deals;
  uint256 count;
  function open(address payable seller, address arbiter) external payable {
    Deal storage d = deals[++count];
    d.buyer = payable(msg.sender);
    d.seller = seller;
    d.arbiter = arbiter;
    d.amount = msg.value;
  }
  function resolve(uint256 id, bool toSeller) external {
    Deal memory d = deals[id];
    delete deals[id]; // FINDING
    (toSeller ? d.seller : d.buyer).transfer(d.amount);
  }
}
library Tokens {
  function transfer(address token, address to, uint256 amount) internal { run(token, abi.encodeWithSelector(0xa9059cbb, to, amount)); }
  function run(address token, bytes memory data) private {
    (bool ok, bytes memory answer) = token.call(data);
    require(ok && (answer.length == 0 || abi.decode(answer, (bool))));
  }
}
contract Payouts {
  address immutable token;
  address tracker;
  address head = msg.sender;
  uint256 rate;
  uint256 last;
  constructor(address t) { token = t; }
  modifier byHead() { require(msg.sender == head); _; }
  function setRate(uint256 to) external byHead { rate = to; }
  function setTracker(address to) external byHead { tracker = to; }
  function setHead(address to) external byHead { head = to; }
  function begin() external byHead { last = block.timestamp; }
  function take(address other, uint256 amount) external byHead { Tokens.transfer(other, head, amount); }
  function distribute() external {
    uint256 amount = rate * (block.timestamp - last);
    last = block.timestamp;
    Tokens.transfer(token, msg.sender, amount); // FINDING
  }
}
abstract contract Items {
  function mayEdit(bytes32 item) internal view virtual returns (bool);
  modifier editable(bytes32 item) { require(mayEdit(item), "edit"); _; }
}
abstract contract Contents is Items {
  mapping(bytes32 => bytes) public contentOf;
  function setContent(bytes32 item, bytes calldata to) external {
    contentOf[item] = to; // FINDING
  }
}
contract Directory is Contents {
  mapping(bytes32 => address) keeper;
  function register(bytes32 item) external payable { require(msg.value == 1 ether && keeper[item] == address(0)); keeper[item] = msg.sender; }
  function mayEdit(bytes32 item) internal view override returns (bool) { return keeper[item] == msg.sender; }
}`,
      // What nearly all that move something ask of the contract's state, in any words; who asks, and what moves, differs.
      `pragma solidity ^0.8.20;
interface IToken {
  function mint(address to, uint256 amount) external;
  function burn(address from, uint256 amount) external;
  function transfer(address to, uint256 amount) external returns (bool);
}
contract Shop {
  IToken immutable token;
  address immutable owner = msg.sender;
  address keeper;
  uint256 live = 1;
  uint256 opening;
  uint256 least;
  bool early;
  mapping(address => uint256) due;
  error Closed();
  constructor(IToken t) { token = t; }
  modifier counted() { _whenOpen(); _; }
  function setKeeper(address to) external { require(msg.sender == owner); keeper = to; }
  function open(uint256 at, bool to) external { require(msg.sender == owner); opening = at; early = to; least = at; }
  function close() external { require(msg.sender == owner); live = 0; }
  function grant(address to, uint256 n) external counted { require(live == 1 && msg.sender == keeper); token.mint(to, n); }
  function revoke(address to, uint256 n) external counted { require(live == 1 && msg.sender == keeper); token.burn(to, n); }
  function buy() external payable counted { if (live != 1) revert Closed(); token.mint(msg.sender, msg.value); }
  function sell(uint256 n) external counted {
    token.burn(msg.sender, n);
    due[msg.sender] += n; // FINDING
  }
  function swap(uint256 n) external {
    _asLive();
    require(least < 5);
    token.burn(msg.sender, n); // FINDING
    token.mint(msg.sender, n);
  }
  function _asLive() private view { require(live == 1); }
  function _whenOpen() private view { if (block.timestamp < opening && !early) revert Closed(); }
}`,
      // Which state an item is in is worked out, and all others that act on it ask.
      `pragma solidity ^0.8.20;
interface ICourt { enum Stage { None, Open, Over } function stageOf(bytes32 id) external view returns (Stage); }
contract Votes {
  enum State { None, Open, Passed, Failed }
  mapping(uint256 => uint256) ends;
  mapping(uint256 => uint256) ayes;
  mapping(uint256 => mapping(address => bool)) seen;
  mapping(bytes32 => uint256) bonds;
  mapping(bytes32 => address) juror;
  mapping(bytes32 => bytes32) root;
  uint256 done;
  ICourt immutable court;
  constructor(ICourt c) { court = c; }
  function stateOf(uint256 id) public view returns (State) {
    if (ends[id] == 0) return State.None;
    if (block.timestamp < ends[id]) return State.Open;
    return ayes[id] > 10 ? State.Passed : State.Failed;
  }
  function finish(uint256 id) external { require(stateOf(id) == State.Passed); ends[id] = 1; done++; }
  function bury(uint256 id) external { State state = stateOf(id); if (state != State.Failed) revert(); delete ayes[id]; done++; }
  function vote(uint256 id) external {
    require(!seen[id][msg.sender]);
    seen[id][msg.sender] = true; // FINDING
    ayes[id]++;
  }
  function back(bytes32 dispute) external payable { require(court.stageOf(dispute) == ICourt.Stage.Open); bonds[dispute] += msg.value; }
  function answer(bytes32 dispute, bytes32 to) external payable {
    if (court.stageOf(dispute) == ICourt.Stage.Over) revert();
    root[dispute] = to;
  }
  function take(bytes32 dispute) external payable {
    require(juror[dispute] == address(0) && msg.value == 1 ether);
    juror[dispute] = msg.sender; // FINDING
  }
}`,
      // From one state into the next.
      `pragma solidity ^0.8.20;
contract Loans {
  enum State { None, Open, Paid, Lost }
  struct Loan { address by; State state; uint256 due; }
  mapping(uint256 => Loan) loans;
  uint256 lent;
  address immutable keeper = msg.sender;
  modifier known(uint256 id) { require(loans[id].by != address(0)); _; }
  function begin(uint256 id) external payable {
    require(loans[id].state == State.None);
    loans[id] = Loan(msg.sender, State.Open, msg.value);
  }
  function repay(uint256 id) external payable known(id) {
    require(loans[id].state == State.Open && msg.value >= loans[id].due);
    lent -= loans[id].due;
    loans[id].state = State.Paid;
  }
  function lose(uint256 id) external known(id) {
    require(msg.sender == keeper);
    loans[id].state = State.Lost; // FINDING
  }
}`,
      // Whoever added a signer removes it: the item is somebody's, though the caller says no more than which one.
      `pragma solidity ^0.8.20;
contract Signers {
  struct Grant { address by; uint256 ends; bool revoked; }
  mapping(address => Grant) grants;
  uint256 immutable delay = 1 days;
  modifier byGranter(address signer) { require(grants[signer].by == msg.sender); _; }
  function add(address signer) external { require(grants[signer].by == address(0)); grants[signer].by = msg.sender; }
  function end(address signer) external {
    grants[signer].ends = block.timestamp + delay; // FINDING
  }
  function keep(address signer) external byGranter(signer) { grants[signer].ends = 0; }
  function revoke(address signer) external byGranter(signer) {
    require(grants[signer].ends != 0 && grants[signer].ends < block.timestamp);
    grants[signer].revoked = true;
  }
}`,
      // What all others of its kind do only for some: the calls of one contract, and those of one account.
      `pragma solidity ^0.8.20;
interface IStore { function put(uint256 key, uint256 to) external; function flush() external; }
contract Switchboard {
  IStore immutable store;
  address keeper = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d;
  modifier onlyKeeper() { require(msg.sender == keeper); _; }
  constructor(IStore s) { store = s; }
  function setA(uint256 to) external onlyKeeper { a = to; }
  function setB(uint256 to) external onlyKeeper { b = to; }
  function setC(uint256 to) external onlyKeeper { c = to; }
  function setD(uint256 to) external onlyKeeper { d = to; }
  function give(address to) external onlyKeeper { keeper = to; }
  function sync() external {
    store.flush(); // FINDING
  }
}
interface ISafe { function execute(address to, bytes calldata data) external returns (bool); function ping() external; }
abstract contract Module {
  ISafe immutable safe;
  address immutable operator = msg.sender;
  constructor(ISafe s) { safe = s; }
  modifier onlyOperator() { require(msg.sender == operator); _; }
}
contract Claims is Module {
  constructor(ISafe s) Module(s) {}
  function claim(address from) external onlyOperator { safe.execute(from, "claim"); }
}
contract Bridges is Module {
  constructor(ISafe s) Module(s) {}
  function bridge(address by) external onlyOperator { safe.execute(by, "bridge"); }
}
contract Stakes is Module {
  constructor(ISafe s) Module(s) {}
  function stake(address on) external onlyOperator { safe.execute(on, "stake"); }
}
contract Rewards is Module {
  address constant POOL = address(0xbeef);
  constructor(ISafe s) Module(s) {}
  function collect() external {
    safe.ping();
    safe.execute(POOL, "collect"); // FINDING
  }
}`,
      // Neither what is cleared when it is done nor the setup of a new contract can be done only once.
      `pragma solidity ^0.8.20;
interface IRelay { function send(uint256 amount) external; }
interface IHeld { function balanceOf(address who) external view returns (uint256); }
contract Sender {
  IHeld immutable held;
  IRelay immutable relay;
  address immutable vault;
  uint256 pending;
  uint256 floor;
  uint256 nonce;
  constructor(IRelay r, IHeld h) { relay = r; held = h; vault = msg.sender; }
  modifier onlyVault() { require(msg.sender == vault); _; }
  function setFloor(uint256 to) external onlyVault { floor = to; }
  function skip(uint256 to) external onlyVault { nonce = to; }
  function lift() external onlyVault { floor++; }
  function next() external onlyVault { nonce++; }
  function settle() external onlyVault { pending = 0; }
  function push() external {
    require(pending == 0);
    pending = held.balanceOf(address(this)); // FINDING
    relay.send(pending);
  }
}
contract Initializable { bool begun; modifier initializer() { require(!begun); begun = true; _; } }
contract Vault is Initializable {
  address asset;
  function initialize(address a) external initializer { asset = a; }
}
contract Makers {
  address immutable owner = msg.sender;
  address[] vaults;
  uint256 fee;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setFee(uint256 to) external onlyOwner { fee = to; }
  function drop() external onlyOwner { vaults.pop(); }
  function add(address vault) external onlyOwner { vaults.push(vault); }
  function list(address vault) external onlyOwner { vaults.push(vault); }
  function make(address asset) external {
    Vault vault = new Vault();
    vault.initialize(asset); // FINDING
    vaults.push(address(vault));
  }
}`,
      // Whether anybody is asked is the caller's choice.
      `pragma solidity ^0.8.20;
contract Shares {
  mapping(uint256 => address) public holder;
  mapping(uint256 => address) public approved;
  address immutable owner = msg.sender;
  function _move(address to, uint256 id, address by) internal {
    if (by != address(0)) require(holder[id] == by || approved[id] == by, "by");
    holder[id] = to;
  }
  function approve(address to, uint256 id) external { require(holder[id] == msg.sender); approved[id] = to; }
  function move(address to, uint256 id) external { require(holder[id] == msg.sender); holder[id] = to; }
  function give(address to, uint256 id) external { _move(to, id, msg.sender); }
  function burnAll(uint256[] calldata ids, address by) external {
    for (uint256 i = 0; i < ids.length; i++) {
      _move(address(0), ids[i], by); // FINDING
    }
  }
  function mint(address to, uint256 id) external { require(msg.sender == owner); _move(to, id, address(0)); }
}`,
      // The caller picks an item that has to meet a condition, decides how much, or carries out what was announced.
      `pragma solidity ^0.8.20;
interface IVat {
  function grab(bytes32 kind, address who, int256 ink, int256 art) external;
  function urns(bytes32 kind, address who) external view returns (uint256 ink, uint256 art);
}
contract Cutter {
  address immutable board = msg.sender;
  IVat immutable vat;
  bool public live = true;
  mapping(bytes32 => uint256) public price;
  mapping(bytes32 => uint256) public cut;
  constructor(IVat v) { vat = v; }
  modifier byBoard() { require(msg.sender == board, "board"); _; }
  function setPrice(bytes32 kind, uint256 to) external byBoard { price[kind] = to; }
  function setCut(bytes32 kind, uint256 to) external byBoard { cut[kind] = to; }
  function stop() external byBoard { live = false; }
  function seize(bytes32 kind, address who, int256 ink) external byBoard { vat.grab(kind, who, ink, 0); }
  function bite(bytes32 kind, address who) external {
    (uint256 ink, uint256 art) = vat.urns(kind, who);
    require(ink * price[kind] < art, "safe");
    vat.grab(kind, who, -int256(ink), -int256(art)); // FINDING
  }
}
contract Cutter2 {
  address immutable board = msg.sender;
  IVat immutable vat;
  bool public live = true;
  mapping(bytes32 => uint256) public price;
  mapping(bytes32 => uint256) public cut;
  constructor(IVat v) { vat = v; }
  modifier byBoard() { require(msg.sender == board, "board"); _; }
  function setPrice(bytes32 kind, uint256 to) external byBoard { price[kind] = to; }
  function setCut(bytes32 kind, uint256 to) external byBoard { cut[kind] = to; }
  function stop() external byBoard { live = false; }
  function seize(bytes32 kind, address who, int256 ink) external byBoard { vat.grab(kind, who, ink, 0); }
  function bite(bytes32 kind, address who, int256 some) external {
    (uint256 ink, uint256 art) = vat.urns(kind, who);
    require(ink * price[kind] < art, "safe");
    vat.grab(kind, who, -some, -int256(art)); // FINDING
  }
}
contract Changes {
  struct Change { address target; bytes data; }
  address immutable board = msg.sender;
  mapping(bytes32 => uint256) public from;
  modifier byBoard() { require(msg.sender == board, "board"); _; }
  function announce(Change calldata change) external byBoard { from[keccak256(abi.encode(change))] = block.timestamp + 2 days; }
  function drop(Change calldata change) external byBoard { delete from[keccak256(abi.encode(change))]; }
  function carryOut(Change calldata change) external {
    bytes32 id = keccak256(abi.encode(change));
    require(from[id] != 0 && from[id] <= block.timestamp, "time");
    delete from[id]; // FINDING
    (bool ok, ) = change.target.call(change.data);
    require(ok);
  }
}`,
      // What anyone enters for themselves vouches for nobody.
      `pragma solidity ^0.8.20;
contract Keys {
  address public keeper = msg.sender;
  uint256 public fee;
  mapping(address => bool) public asked;
  mapping(address => uint256) public until;
  mapping(address => bool) public invited;
  mapping(uint256 => bool) public offered;
  uint256 public topic;
  function setFee(uint256 to) external { require(msg.sender == keeper); fee = to; }
  function give(address next) external { require(msg.sender == keeper); keeper = next; }
  function abandon() external { require(msg.sender == keeper); keeper = address(0); }
  function ask() external { asked[msg.sender] = true; until[msg.sender] = block.timestamp + 2 days; }
  function invite(address who) external { require(msg.sender == keeper); invited[who] = true; }
  function complete(address next) external {
    require(asked[next]);
    keeper = next; // FINDING
  }
  function settle(address next) external {
    require(block.timestamp <= until[next], "late");
    delete until[next];
    keeper = next; // FINDING
  }
  function enter(address next) external { require(invited[next]); keeper = next; }
  function offer(uint256 id) external { offered[id] = true; }
  function choose(uint256 id) external { require(offered[id]); topic = id; }
}`,
      // What the sender may take is asked, taken, and can be taken again; what only members say, anyone says.
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public held;
  mapping(address => mapping(address => uint256)) public allowed;
  function approve(address who, uint256 amount) external { allowed[msg.sender][who] = amount; }
  function transfer(address to, uint256 amount) external { held[msg.sender] -= amount; held[to] += amount; }
  function transferFrom(address from, address to, uint256 amount) external {
    if (from != msg.sender && allowed[from][msg.sender] != type(uint256).max) {
      require(amount <= allowed[from][msg.sender], "allowance");
    }
    held[from] -= amount; // FINDING
    held[to] += amount;
  }
}
contract Council {
  mapping(address => bool) public seat;
  mapping(address => mapping(bytes32 => bool)) public agreed;
  mapping(bytes32 => bool) public open;
  constructor() { seat[msg.sender] = true; }
  modifier seated() { require(seat[msg.sender]); _; }
  function admit(address who) external seated { agreed[msg.sender][keccak256(abi.encode("in", who))] = true; }
  function expel(address who) external seated { agreed[msg.sender][keccak256(abi.encode("out", who))] = true; }
  function spend(uint256 amount) external seated { agreed[msg.sender][keccak256(abi.encode("pay", amount))] = true; }
  function change(bytes32 what) external {
    require(open[what]);
    agreed[msg.sender][what] = true; // FINDING
  }
  function propose(bytes32 what) external seated { open[what] = true; }
}`,
      // What is passed on to one account; what is made on no condition; what a base that restricts was inherited for.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/access/Ownable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
interface IModel { function setRate(bytes32 market, uint256 to) external; function setCap(bytes32 market, uint256 to) external; }
contract Levers {
  IModel immutable model;
  address immutable board;
  constructor(IModel m, address b) { model = m; board = b; }
  function setCap(bytes32 market, uint256 to) external { if (msg.sender != board) revert(); model.setCap(market, to); }
  function setRate(bytes32 market, uint256 to) external {
    model.setRate(market, to); // FINDING
  }
}
contract Pass is ERC721, Ownable {
  uint256 next;
  string base;
  constructor() ERC721("Pass", "PASS") Ownable(msg.sender) {}
  function setBase(string calldata to) external onlyOwner { base = to; }
  function issue(address to) external {
    _safeMint(to, next++); // FINDING
  }
}
contract Debts is OwnableUpgradeable {
  mapping(address => uint256) public limitOf;
  function initialize() external initializer { __Ownable_init(msg.sender); }
  function setLimit(address who, uint256 to) external {
    limitOf[who] = to; // FINDING
  }
}`,
      // Who brings a message is asked, and not who sent it.
      `pragma solidity ^0.8.20;
interface IMail { function dispatch(uint32 to, bytes32 whom, bytes calldata body) external payable; }
contract Remote {
  IMail immutable mail;
  address immutable governor = msg.sender;
  mapping(uint32 => bytes32) public routers;
  mapping(address => uint256) public held;
  constructor(IMail m) { mail = m; }
  function enroll(uint32 domain, bytes32 router) external { require(msg.sender == governor); routers[domain] = router; }
  function send(uint32 domain, uint256 amount) external payable {
    held[msg.sender] -= amount;
    mail.dispatch{value: msg.value}(domain, routers[domain], abi.encode(msg.sender, amount));
  }
  function handle(uint32 domain, bytes32 from, bytes calldata body) external {
    require(msg.sender == address(mail), "mail");
    (address to, uint256 amount) = abi.decode(body, (address, uint256));
    held[to] += amount; // FINDING
  }
}
interface IMessenger {
  function messageSender() external view returns (address);
  function send(address to, bytes calldata data) external;
}
contract Gate {
  IMessenger immutable messenger;
  address immutable other;
  mapping(address => uint256) public held;
  constructor(IMessenger m, address o) { messenger = m; other = o; }
  function leave(uint256 amount) external {
    held[msg.sender] -= amount;
    messenger.send(other, abi.encode(msg.sender, amount));
  }
  function arrive(address to, uint256 amount) external {
    require(msg.sender == address(messenger), "messenger");
    held[to] += amount; // FINDING
  }
}`,
      // Which state an item is in does not say who may change that.
      `pragma solidity ^0.8.20;
contract Escrow {
  enum Stage { Open, Funded, Released, Refunded }
  struct Deal { address payable buyer; address payable seller; address judge; uint256 amount; Stage stage; }
  mapping(bytes32 => Deal) deals;
  function begin(bytes32 id, address payable seller, address judge) external payable {
    require(deals[id].buyer == address(0) && msg.value > 0);
    deals[id] = Deal(payable(msg.sender), seller, judge, msg.value, Stage.Funded);
  }
  function release(bytes32 id) external {
    Deal storage d = deals[id];
    require(d.stage == Stage.Funded, "stage");
    d.stage = Stage.Released; // FINDING
    d.seller.transfer(d.amount);
  }
  function refund(bytes32 id) external {
    Deal storage d = deals[id];
    require(d.stage == Stage.Funded, "stage");
    require(msg.sender == d.seller || msg.sender == d.judge, "who");
    d.stage = Stage.Refunded;
    d.buyer.transfer(d.amount);
  }
}
contract Loans {
  enum Stage { None, Offered, Active, Void, Closed }
  struct Loan { address lender; address borrower; uint256 amount; Stage stage; }
  Loan[] loans;
  function offer(address borrower) external payable { loans.push(Loan(msg.sender, borrower, msg.value, Stage.Offered)); }
  function accept(uint256 id) external {
    Loan storage l = loans[id];
    require(l.stage == Stage.Offered && l.borrower == msg.sender);
    l.stage = Stage.Active;
    payable(msg.sender).transfer(l.amount);
  }
  function cancel(uint256 id) external {
    Loan storage l = loans[id];
    require(l.stage == Stage.Offered);
    l.stage = Stage.Void; // FINDING
    payable(l.lender).transfer(l.amount);
  }
}`,
      // How many accounts say so decides, and any account is counted.
      `pragma solidity ^0.8.20;
interface IStore {
  function getBool(bytes32 key) external view returns (bool);
  function setBool(bytes32 key, bool value) external;
  function getUint(bytes32 key) external view returns (uint256);
  function setUint(bytes32 key, uint256 value) external;
}
contract Prices {
  mapping(bytes32 => mapping(address => bool)) told;
  mapping(bytes32 => uint256) public count;
  uint256 immutable quorum;
  uint256 public price;
  constructor(uint256 q) { quorum = q; }
  function tell(uint256 round, uint256 to) external {
    bytes32 key = keccak256(abi.encode(round, to));
    require(!told[key][msg.sender], "twice");
    told[key][msg.sender] = true;
    count[key]++; // FINDING
    if (count[key] >= quorum) price = to;
  }
}
contract Penalties {
  IStore immutable store;
  constructor(IStore s) { store = s; }
  function punish(address whom, uint256 amount) external {
    bytes32 own = keccak256(abi.encodePacked("told", msg.sender, whom, amount));
    bytes32 all = keccak256(abi.encodePacked("count", whom, amount));
    require(!store.getBool(own), "twice");
    store.setBool(own, true);
    uint256 count = store.getUint(all) + 1;
    store.setUint(all, count); // FINDING
    _apply(whom, amount, count);
  }
  function _apply(address whom, uint256 amount, uint256 count) internal {
    if (count * 100 > 51) store.setUint(keccak256(abi.encodePacked("penalty", whom)), amount);
  }
}`,
      // Another contract is asked, and can only refuse.
      `pragma solidity ^0.8.20;
interface IRoles { function demand(bytes32 role, address who) external view; }
contract Rates {
  IRoles immutable roles;
  mapping(address => uint256) public rateOf;
  mapping(address => bool) public halted;
  constructor(IRoles r) { roles = r; }
  function setRate(address asset, uint256 to) external { roles.demand("rates", msg.sender); rateOf[asset] = to; }
  function resume(address asset) external { roles.demand("halts", msg.sender); halted[asset] = false; }
  function restart(address asset) external { roles.demand("halts", msg.sender); delete halted[asset]; }
  function halt(address asset) external {
    halted[asset] = true; // FINDING
  }
}`,
      // Who has a place on a list that others keep is one of them.
      `pragma solidity ^0.8.20;
library Lists {
  struct List { address[] all; mapping(address => uint256) place; }
  function put(List storage list, address who) internal {
    if (list.place[who] != 0) return;
    list.all.push(who);
    list.place[who] = list.all.length;
  }
  function cut(List storage list, address who) internal {
    address last = list.all[list.all.length - 1];
    list.all[list.place[who] - 1] = last;
    list.place[last] = list.place[who];
    list.all.pop();
    delete list.place[who];
  }
  function has(List storage list, address who) internal view returns (bool) { return list.place[who] != 0; }
}
contract Council {
  using Lists for Lists.List;
  Lists.List private seats;
  mapping(bytes32 => uint256) public quotas;
  mapping(bytes32 => bool) public closed;
  constructor() { seats.put(msg.sender); }
  modifier seated() { require(seats.has(msg.sender), "seat"); _; }
  function seat(address who) external seated { seats.put(who); }
  function unseat(address who) external seated { seats.cut(who); }
  function setQuota(bytes32 of_, uint256 to) external seated { quotas[of_] = to; }
  function close(bytes32 of_) external seated { closed[of_] = true; }
  function reopen(bytes32 of_) external {
    closed[of_] = false; // FINDING
  }
}`,
      // A list of accounts is kept, and nothing asks who is on it.
      `pragma solidity ^0.8.20;
contract Recovery {
  address owner;
  mapping(address => bool) public friends;
  mapping(bytes32 => mapping(address => bool)) seen;
  mapping(bytes32 => uint256) voices;
  constructor(address[] memory all) { owner = msg.sender; for (uint256 i = 0; i < all.length; i++) friends[all[i]] = true; }
  function speak(address next) external {
    bytes32 key = keccak256(abi.encode(next));
    require(!seen[key][msg.sender], "spoke");
    seen[key][msg.sender] = true;
    voices[key]++; // FINDING
  }
  function recover() external {
    bytes32 key = keccak256(abi.encode(msg.sender));
    require(voices[key] > 2, "few");
    voices[key] = 0;
    owner = msg.sender;
  }
  function spend(address payable to, uint256 amount) external { require(msg.sender == owner); to.transfer(amount); }
}
interface ISafe { function run(address to, bytes calldata data) external; }
contract Module {
  ISafe immutable safe;
  address immutable owner = msg.sender;
  mapping(address => bool) bots;
  constructor(ISafe s) { safe = s; }
  function setBot(address bot, bool on) external { require(msg.sender == owner); bots[bot] = on; }
  function run(address to, bytes calldata data) external {
    safe.run(to, data); // FINDING
  }
}`,
      // The check that the contract declares is not the one of that name that another asks for.
      `pragma solidity ^0.8.20;
contract Tax {
  address immutable issuer = msg.sender;
  uint256 public due;
  modifier byIssuer() { require(msg.sender == issuer); _; }
  function levy(uint256 by) external byIssuer { due += by; }
}
contract Dividends {
  address immutable issuer = msg.sender;
  uint256 public perShare;
  modifier byIssuer() { require(msg.sender == issuer); _; }
  function raise(uint256 reward) external {
    perShare += reward; // FINDING
  }
}`,
      // What another contract answers to a removal says nothing about who may have it made.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
contract Signers {
  using EnumerableSet for EnumerableSet.AddressSet;
  EnumerableSet.AddressSet private signers;
  mapping(bytes32 => uint256) public quota;
  constructor(address first) { signers.add(first); }
  modifier bySigner() { require(signers.contains(msg.sender), "signer"); _; }
  function add(address who) external bySigner { require(signers.add(who)); }
  function setQuota(bytes32 of_, uint256 to) external bySigner { quota[of_] = to; }
  function remove(address who) external {
    require(signers.remove(who)); // FINDING
  }
}`,
      // Whose an item is, and who may act for whom, is held against the caller in one function and open in another.
      `pragma solidity ^0.8.20;
contract Names {
  struct Record { address owner; address resolver; }
  mapping(bytes32 => Record) public records;
  mapping(uint256 => address) holder;
  mapping(uint256 => address) approved;
  mapping(address => address) delegates;
  mapping(address => address) public payee;
  mapping(address => uint256) votes;
  uint256 count;
  constructor() { records[0].owner = msg.sender; }
  modifier authorized(bytes32 node) { require(records[node].owner == msg.sender); _; }
  function setSubnodeOwner(bytes32 node, bytes32 label, address owner) external authorized(node) {
    records[keccak256(abi.encode(node, label))].owner = owner;
  }
  function setResolver(bytes32 node, address resolver) external {
    records[node].resolver = resolver; // FINDING
  }
  function create() external { holder[count++] = msg.sender; }
  function approve(address to, uint256 id) external {
    approved[id] = to; // FINDING
  }
  function burn(uint256 id) external {
    require(holder[id] != address(0));
    delete holder[id]; // FINDING
  }
  function move(uint256 id, address to) external {
    address from = holder[id];
    require(from == msg.sender || approved[id] == msg.sender);
    holder[id] = to;
  }
  function vote() external { votes[delegates[msg.sender]]++; }
  function delegate(address from, address to) external {
    delegates[from] = to; // FINDING
  }
  function setPayee(address to) external { payee[msg.sender] = to; }
  function collectFor(address who) external {
    payee[who] = msg.sender; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface ICollection {
  function ownerOf(uint256 id) external view returns (address);
  function transferFrom(address from, address to, uint256 id) external;
}
interface IRegistry { function final_(uint256 id) external view returns (bool); }
contract Market {
  struct Listing { address seller; uint256 price; uint64 until; uint256 answer; }
  mapping(ICollection => mapping(uint256 => Listing)) listings;
  mapping(address => uint256) proceeds;
  IRegistry immutable registry;
  constructor(IRegistry r) { registry = r; }
  function list(ICollection c, uint256 id, uint256 price) external {
    require(c.ownerOf(id) == msg.sender, "owner");
    listings[c][id] = Listing(msg.sender, price, uint64(block.timestamp) + 7 days, 0);
  }
  function reprice(ICollection c, uint256 id, uint256 price) external {
    require(price > 0 && listings[c][id].until > block.timestamp, "over");
    listings[c][id].price = price; // FINDING
  }
  function answer(ICollection c, uint256 id, uint256 value) external {
    require(registry.final_(id), "open");
    listings[c][id].answer = value;
  }
  function takeOver(ICollection c, uint256 id, uint256 price) external {
    require(c.ownerOf(id) == msg.sender, "owner");
    listings[c][id].seller = msg.sender;
    listings[c][id].price = price;
  }
  function buy(ICollection c, uint256 id) external payable {
    Listing memory l = listings[c][id];
    require(l.price > 0 && msg.value == l.price, "price");
    delete listings[c][id];
    proceeds[l.seller] += msg.value;
    c.transferFrom(l.seller, msg.sender, id);
  }
  function withdraw() external {
    uint256 amount = proceeds[msg.sender];
    proceeds[msg.sender] = 0;
    payable(msg.sender).transfer(amount);
  }
}`,
      // The entry is the sender's own only if they name nobody.
      `pragma solidity ^0.8.20;
contract Limits {
    mapping(address => uint256) private limitOf;
    mapping(address => bool) private frozen;
    address public keeper = msg.sender;

    modifier onlyKeeper() {
        require(msg.sender == keeper, "keeper");
        _;
    }

    function setLimit(address who, uint256 limit) external {
        address target = who == address(0) ? msg.sender : who;
        limitOf[target] = limit; // FINDING
    }

    function raiseLimit(address who, uint256 by) external onlyKeeper {
        limitOf[who] += by;
    }

    function clearLimit(address who) external onlyKeeper {
        delete limitOf[who];
    }

    function freeze(address who) external onlyKeeper {
        frozen[who] = true;
    }
}`,
      `pragma solidity ^0.8.20;
interface IStore {
  function getUint(bytes32 key) external view returns (uint256);
  function setUint(bytes32 key, uint256 value) external;
}
library Keys {
  bytes32 constant LIMIT = keccak256(abi.encode("LIMIT"));
  function limitOf(address market) internal pure returns (bytes32) { return keccak256(abi.encode(LIMIT, market)); }
}
abstract contract Base {
  IStore immutable store;
  address immutable governor;
  bytes32 constant feeKey = keccak256("fee");
  constructor(IStore s) { store = s; governor = msg.sender; }
  modifier onlyGovernor() { require(msg.sender == governor, "no"); _; }
  function setUint(bytes32 key, uint256 value) internal { store.setUint(key, value); }
}
contract Fees is Base {
  constructor(IStore s) Base(s) {}
  function setFee(uint256 value) external onlyGovernor { setUint(feeKey, value); }
  function raiseFee(uint256 value) external onlyGovernor { store.setUint(keccak256("fee"), value); }
  function setLimit(address market, uint256 value) external onlyGovernor { store.setUint(Keys.limitOf(market), value); }
  function raiseLimit(address market, uint256 value) external onlyGovernor { store.setUint(Keys.limitOf(market), value); }
}
contract Markets is Base {
  constructor(IStore s) Base(s) {}
  function lowerFee(uint256 value) external {
    bytes32 key = keccak256(abi.encodePacked("fee"));
    setUint(key, value); // FINDING
  }
  function lowerLimit(address market, uint256 value) external {
    store.setUint(Keys.limitOf(market), value); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Claims {
  address judge = msg.sender;
  struct Claim { address by; uint8 state; uint256 stake; }
  mapping(bytes32 => Claim) claims;
  modifier onlyClaimant(bytes32 claimId) { require(claims[claimId].by == msg.sender); _; }
  function settle(bytes32 claimId, uint256 stake) external onlyClaimant(claimId) { claims[claimId].stake = stake; }
  function withdraw(bytes32 claimId) external onlyClaimant(claimId) { claims[claimId].state = 3; }
  function extend(bytes32 claimId, uint256 by) external {
    claims[claimId].stake += by; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Moves {
  address immutable here = address(this);
  address target;
  uint256 version;
  modifier delegated() { require(address(this) != here, "called itself"); _; }
  function first(address to) external delegated { target = to; }
  function second(uint256 to) external delegated { version = to; }
  function third(address to, uint256 v) external delegated { target = to; version = v; }
  function fourth(address to) external {
    target = to; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IStrategy { function finish(address to) external; }
contract Caller {
  address public parent;
  IStrategy immutable strategy;
  constructor(address by, IStrategy s) { parent = by; strategy = s; }
  function finish(address to) external {
    strategy.finish(to); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Desk {
  address chief = msg.sender;
  uint256 fee;
  address feed;
  address vault;
  uint256 cap;
  bool shut;
  struct Wish { address by; address target; bytes data; }
  mapping(uint256 => Wish) wishes;
  uint256 count;
  modifier byChief() { require(msg.sender == chief); _; }
  function setFee(uint256 to) external byChief { fee = to; }
  function setFeed(address to) external byChief { feed = to; }
  function setVault(address to) external byChief { vault = to; }
  function setCap(uint256 to) external byChief { cap = to; }
  function setShut(bool to) external byChief { shut = to; }
  function propose(address target, bytes calldata data) external {
    wishes[++count] = Wish(msg.sender, target, data); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Council {
  address chair = msg.sender;
  struct Motion { bytes32 text; uint256 votes; bool closed; }
  mapping(uint256 => Motion) motions;
  uint256 count;
  modifier byChair() { require(msg.sender == chair, "chair"); _; }
  function open(bytes32 text) external byChair { motions[++count].text = text; }
  function close(uint256 id) external byChair { motions[id].closed = true; }
  function reopen(uint256 id) external byChair { motions[id].closed = false; }
  function strike(uint256 id) external {
    delete motions[id]; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface ILedger { function move(address from, address to, uint256 amount) external; }
contract Ledger {
  mapping(address => bool) desks;
  mapping(address => uint256) public held;
  constructor(address desk) { desks[desk] = true; }
  function move(address from, address to, uint256 amount) external {
    require(desks[msg.sender]);
    held[from] -= amount;
    held[to] += amount;
  }
}
contract Desk {
  ILedger immutable ledger;
  address clerk = msg.sender;
  uint256 day;
  constructor(ILedger l) { ledger = l; }
  function nextDay() external { if (msg.sender != clerk) revert(); day++; }
  function settle(address from, address to, uint256 amount) external {
    ledger.move(from, to, amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract NorthGate {
  address keeper = msg.sender;
  bool live = true;
  uint256 debt;
  function cage() external { require(msg.sender == keeper); live = false; debt = 0; }
}
contract SouthGate {
  mapping(address => uint256) wards;
  bool live = true;
  constructor() { wards[msg.sender] = 1; }
  function cage() external { require(wards[msg.sender] == 1); live = false; }
}
contract WestGate {
  bool live = true;
  uint256 passed;
  function pass() external payable { require(live); passed += msg.value; }
  function cage() external {
    live = false; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IRegistry { function at(bytes32 name) external view returns (address); }
interface IStore { function setUint(bytes32 key, uint256 value) external; }
contract Pool {
  IRegistry registry;
  constructor(IRegistry r) { registry = r; }
  modifier onlyLatest(bytes32 name, address who) { require(registry.at(name) == who, "old"); _; }
  function store() internal view returns (IStore) { return IStore(registry.at("store")); }
  function setFee(uint256 to) external onlyLatest("dao", msg.sender) { store().setUint("fee", to); }
  function setCap(uint256 to) external onlyLatest("dao", msg.sender) { store().setUint("cap", to); }
  function setFloor(uint256 to) external onlyLatest("dao", msg.sender) { store().setUint("floor", to); }
  function setStep(uint256 to) external {
    store().setUint("step", to); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Settings {
  address board = msg.sender;
  mapping(bytes32 => uint256) internal values;
  modifier byBoard() { require(msg.sender == board); _; }
  function set(bytes32 key, uint256 to) public virtual byBoard { values[key] = to; }
}
contract NodeSettings is Settings {
  function set(bytes32 key, uint256 to) public override {
    require(to < 1 ether);
    values[key] = to; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Rewards {
  address immutable issuer;
  uint256 public perShare;
  constructor(address from) { issuer = from; }
  modifier byIssuer() { require(msg.sender == issuer); _; }
  function notify(uint256 reward) external {
    perShare += reward; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IProxy { function upgradeTo(address implementation) external; }
abstract contract Owned {
  address owner = msg.sender;
  modifier onlyOwner() { _check(); _; }
  function _check() internal view { require(msg.sender == owner); }
  function hand(address to) external onlyOwner { owner = to; }
}
contract Admin is Owned {
  function upgrade(IProxy proxy, address implementation) external {
    proxy.upgradeTo(implementation); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Desk {
  address admin = msg.sender;
  mapping(address => bool) signers;
  mapping(bytes32 => bool) pending;
  mapping(bytes32 => bool) signed;
  mapping(address => uint256) limits;
  modifier onlyAdmin() { require(msg.sender == admin); _; }
  function _known(bytes32 id) private view { require(pending[id]); }
  function _signed(bytes32 id) private view { require(signed[id]); }
  function ask(bytes32 id) external onlyAdmin { pending[id] = true; }
  function sign(bytes32 id) external { require(signers[msg.sender]); _known(id); signed[id] = true; }
  function raise(bytes32 id, address of_) external onlyAdmin { _known(id); _signed(id); limits[of_]++; delete pending[id]; }
  function lower(bytes32 id, address of_) external onlyAdmin { _known(id); _signed(id); limits[of_]--; delete pending[id]; }
  function add(bytes32 id, address who) external onlyAdmin { _known(id); _signed(id); signers[who] = true; delete pending[id]; }
  function remove(bytes32 id, address who) external onlyAdmin { _known(id);
    signers[who] = false; // FINDING
    delete pending[id];
  }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  mapping(address => mapping(bytes32 => uint256)) public points;
  function give(address to, bytes32 kind, uint256 amount) external {
    points[msg.sender][kind] -= amount;
    points[to][kind] += amount;
  }
  function burn(address from, bytes32 kind, uint256 amount) external {
    points[from][kind] -= amount; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IVat { function file(bytes32 what, uint256 to) external; }
contract Levers {
  address immutable captain = msg.sender;
  address immutable vat;
  constructor(address v) { vat = v; }
  modifier byCaptain() { require(msg.sender == captain); _; }
  function setLine(uint256 to) external byCaptain { _pull("line", to); }
  function setDust(uint256 to) external byCaptain { _pull("dust", to); }
  function setSpot(uint256 to) external byCaptain { _pull("spot", to); }
  function setRate(uint256 to) external {
    _pull("rate", to); // FINDING
  }
  function _pull(bytes32 what, uint256 to) private {
    address target = vat;
    bytes4 selector = IVat.file.selector;
    assembly {
      let p := mload(0x40)
      mstore(p, selector)
      mstore(add(p, 4), what)
      mstore(add(p, 36), to)
      if iszero(call(gas(), target, 0, p, 68, 0, 0)) { revert(0, 0) }
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Season {
  address host = msg.sender;
  uint8 stage = 1;
  uint256 pot;
  mapping(uint256 => uint256) prize;
  modifier byHost() { require(msg.sender == host); _; }
  modifier whenOpen() { require(stage == 1, "closed"); _; }
  function setFirst(uint256 to) external byHost whenOpen { prize[1] = to; }
  function setSecond(uint256 to) external byHost whenOpen { prize[2] = to; }
  function setThird(uint256 to) external byHost whenOpen { prize[3] = to; }
  function raise(uint256 by) external byHost whenOpen { pot += by; }
  function lower(uint256 by) external byHost whenOpen { pot -= by; }
  function close() external byHost whenOpen { stage = 2; }
  function setFourth(uint256 to) external byHost {
    prize[4] = to; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Tide {
  address pilot = msg.sender;
  uint256 public mark;
  uint256 public count;
  function set(uint256 to) external { require(msg.sender == pilot); mark = to; }
  function clear() external { require(msg.sender == pilot); mark = 0; }
  function shift(uint256 by) external {
    mark += by; // FINDING
  }
  function look() external { count++; }
}`,
      `pragma solidity ^0.8.20;
contract Stakes {
  address keeper = msg.sender;
  bool halted;
  mapping(address => uint256) stakes;
  mapping(address => uint256) prizes;
  modifier running() { require(!halted, "halted"); _; }
  function halt(bool to) external { require(msg.sender == keeper); halted = to; }
  function join() external payable running { stakes[msg.sender] += msg.value; }
  function move(address to, uint256 amount) external running { stakes[msg.sender] -= amount; stakes[to] += amount; }
  function claim() external running { stakes[msg.sender] += prizes[msg.sender]; prizes[msg.sender] = 0; }
  function drop(uint256 amount) external {
    stakes[msg.sender] -= amount; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IBook { function known(address who) external view returns (bool); }
contract Nodes {
  IBook immutable book;
  mapping(address => bytes32) zones;
  mapping(address => address) pools;
  mapping(address => bool) smooth;
  constructor(IBook b) { book = b; }
  modifier onlyKnown(address who) { require(book.known(who), "unknown"); _; }
  function setZone(bytes32 to) external onlyKnown(msg.sender) { zones[msg.sender] = to; }
  function setPool(address to) external onlyKnown(msg.sender) { pools[msg.sender] = to; }
  function dropPool() external onlyKnown(msg.sender) { delete pools[msg.sender]; }
  function setSmooth(bool to) external {
    smooth[msg.sender] = to; // FINDING
  }
}`,
      // A limit on how often one account calls keeps nobody out; whoever carries out what is due does not decide it.
      `pragma solidity ^0.8.20;
contract Desk {
  address admin = msg.sender;
  mapping(address => bool) buyers;
  mapping(address => uint256) lastBlock;
  mapping(address => uint256) asked;
  mapping(bytes32 => bool) closed;
  uint256 most = 3;
  uint256 fee;
  modifier paced() { require(block.number > lastBlock[msg.sender], "same block"); lastBlock[msg.sender] = block.number; _; }
  modifier byAdmin() { require(msg.sender == admin); _; }
  function admit(address who) external paced {
    buyers[who] = true; // FINDING
  }
  function expel(address who) external byAdmin paced { buyers[who] = false; }
  function close(bytes32 what) external {
    require(asked[msg.sender] < most, "often");
    asked[msg.sender]++;
    closed[what] = true; // FINDING
  }
  function reopen(bytes32 what) external byAdmin { closed[what] = false; }
  function setFee(uint256 to, uint256 times) external byAdmin { fee = to; most = times; }
  function buy(bytes32 what) external view returns (uint256) { require(buyers[msg.sender] && !closed[what]); return fee; }
}
contract Plans {
  address admin = msg.sender;
  mapping(bytes32 => uint256) due;
  mapping(bytes32 => uint256) planned;
  mapping(bytes32 => uint256) public values;
  modifier byAdmin() { require(msg.sender == admin); _; }
  function _drop(bytes32 what) internal { due[what] = 0; planned[what] = 0; }
  function _apply(bytes32 what) internal {
    require(due[what] != 0 && block.timestamp >= due[what], "early");
    values[what] = planned[what];
    _drop(what);
  }
  function plan(bytes32 what, uint256 to) external byAdmin { due[what] = block.timestamp + 3 days; planned[what] = to; }
  function dropFee() external byAdmin { _drop("fee"); }
  function dropCap() external {
    _drop("cap"); // FINDING
  }
  function applyFee() external { _apply("fee"); }
  function applyCap() external { _apply("cap"); }
}`,
      // The other position of a switch; what is held elsewhere and sent to the caller; a restriction that none uses.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/Ownable.sol";
import "@openzeppelin/contracts/security/Pausable.sol";
interface IPool { function withdraw(address asset, uint256 amount, address to) external returns (uint256); }
contract Escrow is Pausable {
  enum State { Active, Refunding, Closed }
  State state;
  address owner = msg.sender;
  mapping(address => uint256) public held;
  function deposit() external payable whenNotPaused { require(state == State.Active); held[msg.sender] += msg.value; }
  function close() external {
    require(state == State.Active);
    state = State.Closed; // FINDING
  }
  function refund() external { require(msg.sender == owner && state == State.Active); state = State.Refunding; }
  function pause() external { require(msg.sender == owner); _pause(); }
  function unpause() external {
    _unpause(); // FINDING
  }
}
contract Strategy {
  IPool immutable pool;
  address immutable asset;
  address immutable vault = msg.sender;
  constructor(IPool p, address a) { pool = p; asset = a; }
  function all() external { require(msg.sender == vault); pool.withdraw(asset, type(uint256).max, msg.sender); }
  function some(uint256 amount) external {
    require(amount > 0);
    pool.withdraw(asset, amount, msg.sender); // FINDING
  }
}
contract Gold {
  address forger = msg.sender;
  mapping(address => uint256) public held;
  function setForger(address to) external { require(msg.sender == forger); forger = to; }
  function forge(address to, uint256 amount) external { require(msg.sender == forger); held[to] += amount; }
}
interface IGold { function forge(address to, uint256 amount) external; }
contract Smith is Ownable {
  IGold immutable gold;
  uint256 immutable from = block.timestamp + 365 days;
  constructor(IGold g) { gold = g; }
  function forge(address to, uint256 amount) external {
    require(block.timestamp > from, "early");
    gold.forge(to, amount); // FINDING
  }
}`,
      // That an item is not barred says nothing about who may have it.
      `pragma solidity ^0.8.20;
interface INames { function assign(bytes32 label, address to) external; }
contract Names {
  address root = msg.sender;
  mapping(bytes32 => address) public ownerOf;
  function setRoot(address to) external { require(msg.sender == root); root = to; }
  function assign(bytes32 label, address to) external { require(msg.sender == root); ownerOf[label] = to; }
}
contract Root {
  INames immutable names;
  address immutable owner = msg.sender;
  mapping(bytes32 => bool) public locked;
  constructor(INames n) { names = n; }
  function lock(bytes32 label) external { require(msg.sender == owner); locked[label] = true; }
  function assign(bytes32 label, address to) external {
    require(!locked[label], "locked");
    names.assign(label, to); // FINDING
  }
}`,
      // What is paid comes out of an entry that the caller names, and goes to somebody else.
      `pragma solidity ^0.8.20;
contract Bank {
  struct Account { uint256 fees; uint256 last; }
  mapping(address => Account) accounts;
  function put() external payable { accounts[msg.sender].fees += msg.value; }
  function take(address who, address payable to, uint256 amount) external {
    Account storage account = accounts[who];
    require(who != address(0) && account.fees >= amount);
    _lower(account, amount); // FINDING
    accounts[msg.sender].last = block.number;
    (bool done, ) = to.call{value: amount}("");
    require(done);
  }
  function _lower(Account storage account, uint256 amount) private { account.fees -= amount; }
}`,
      // The caller decides only when the fees leave: the receiver and the amount are stored.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Market {
  IERC20 immutable token;
  address immutable keeper = msg.sender;
  address immutable treasury;
  uint256 public fees;
  constructor(IERC20 t, address to) { token = t; treasury = to; }
  function book(uint256 amount) external {
    require(msg.sender == keeper, "keeper");
    fees += amount;
  }
  function waive() external {
    require(msg.sender == keeper, "keeper");
    fees = 0;
  }
  function collect() external {
    uint256 amount = fees;
    fees = 0; // FINDING
    require(token.transfer(treasury, amount));
  }
}`,
      // All other functions keep strangers out; this one does something for whoever calls.
      `pragma solidity ^0.8.20;
interface ICore { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Desk {
  ICore immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICore to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function sweep(uint256 n) external {
    core.send(abi.encode(msg.sender, n)); // FINDING
  }
}`,
      // A lock whose positions an enum, or a library, names: the function can run more than once.
      `pragma solidity ^0.8.20;
interface IPool { function add(uint256 n) external; function remove(uint256 n) external; function claim(uint256 n) external; }
library Stages { uint8 internal constant IDLE = 1; uint8 internal constant BUSY = 2; }
contract Manager {
  enum Lock { Idle, Busy }
  Lock lockState;
  IPool immutable pool;
  address immutable operator = msg.sender;
  constructor(IPool p) { pool = p; }
  modifier lock() { require(lockState == Lock.Idle); lockState = Lock.Busy; _; lockState = Lock.Idle; }
  function add(uint256 n) external lock { require(msg.sender == operator); pool.add(n); }
  function remove(uint256 n) external lock { require(msg.sender == operator); pool.remove(n); }
  function both(uint256 n) external lock { require(msg.sender == operator); pool.remove(n); pool.add(n); }
  function claim(uint256 n) external lock {
    pool.claim(n); // FINDING
  }
}
contract Other {
  uint8 lockState = Stages.IDLE;
  IPool immutable pool;
  address immutable operator = msg.sender;
  constructor(IPool p) { pool = p; }
  modifier lock() { require(lockState == Stages.IDLE); lockState = Stages.BUSY; _; lockState = Stages.IDLE; }
  function add(uint256 n) external lock { require(msg.sender == operator); pool.add(n); }
  function remove(uint256 n) external lock { require(msg.sender == operator); pool.remove(n); }
  function both(uint256 n) external lock { require(msg.sender == operator); pool.remove(n); pool.add(n); }
  function claim(uint256 n) external lock {
    pool.claim(n); // FINDING
  }
}`,
      // Two checks that go together: one of them is not enough.
      `pragma solidity ^0.8.20;
interface IRegistry { function isAccount(address who) external view returns (bool); }
contract Synth {
  IRegistry immutable registry;
  address immutable boss = msg.sender;
  mapping(address => uint256) caps;
  mapping(address => bool) ignored;
  constructor(IRegistry r) { registry = r; }
  modifier real() { require(registry.isAccount(msg.sender)); _; }
  modifier onlyBoss() { require(msg.sender == boss); _; }
  function setCap(address who, uint256 n) external real onlyBoss { caps[who] = n; }
  function ignore(address who) external real onlyBoss { ignored[who] = true; }
  function heed(address who) external real onlyBoss { ignored[who] = false; }
  function clear(address who) external real {
    delete caps[who]; // FINDING
  }
}`,
      // What a constant names is one slot, whichever functions write to it; the time that is waited for has not come.
      `pragma solidity ^0.8.20;
library Slots {
  function set(bytes32 slot, uint256 n) internal { assembly { sstore(slot, n) } }
  function get(bytes32 slot) internal view returns (uint256 n) { assembly { n := sload(slot) } }
}
contract Pausable {
  using Slots for bytes32;
  bytes32 internal constant RESUME = keccak256("resume");
  bytes32 internal constant EPOCH = keccak256("epoch");
  address immutable boss = msg.sender;
  function pauseFor(uint256 n) external { require(msg.sender == boss); RESUME.set(block.timestamp + n); }
  function pauseUntil(uint256 n) external { require(msg.sender == boss); RESUME.set(n); }
  function resume() external {
    require(block.timestamp < RESUME.get());
    RESUME.set(block.timestamp); // FINDING
  }
}`,
      // Single bits are switched, also in assembly.
      `pragma solidity ^0.8.20;
library Words {
  function put(bytes32 w, bool on, uint256 at) internal pure returns (bytes32 r) { assembly { r := or(and(w, not(shl(at, 1))), shl(at, on)) } }
}
contract Pool {
  using Words for bytes32;
  bytes32 state;
  bytes32 flags;
  uint256 a; uint256 b; uint256 c; uint256 d;
  address immutable boss = msg.sender;
  modifier only() { require(msg.sender == boss); _; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function begin() external only { flags = bytes32(uint256(7)); }
  function recover() external {
    state = state.put(true, 3); // FINDING
  }
  function stop() external {
    flags = flags | bytes32(uint256(1)); // FINDING
  }
  function isOn() external view returns (bool) { return state != 0 && flags != 0 && a + b + c + d > 0; }
}`,
      // Whoever passes the one condition is anyone but the owner, also if a helper tests it.
      `pragma solidity ^0.8.20;
contract Owned {
  address owner = msg.sender;
  mapping(address => uint256) caps;
  function _require(bool yes) internal pure { if (!yes) revert(); }
  function setCap(address who, uint256 n) external { require(msg.sender == owner); caps[who] = n; }
  function setCaps(address who, uint256 n) external { require(msg.sender == owner); caps[who] = n + 1; }
  function noCap(address who) external {
    _require(msg.sender != owner);
    caps[who] = 0; // FINDING
  }
}`,
      // Nothing is required, and strangers can do nothing else.
      `pragma solidity ^0.8.20;
contract List {
  address boss = msg.sender;
  mapping(bytes32 => bool) public listed;
  bool public disabled;
  function add(bytes32 who) external { require(msg.sender == boss); listed[who] = true; }
  function remove(bytes32 who) external { require(msg.sender == boss); listed[who] = false; }
  function disable() external {
    disabled = true; // FINDING
  }
}`,
      // Both outcomes of the question about the item lead on.
      `pragma solidity ^0.8.20;
interface IResolver { function jobOf(address token) external view returns (uint256); }
interface IStrategy { function harvest(address token, uint256 min) external; function pay(address token) external; }
contract Harvester {
  IResolver resolver;
  IStrategy strategy;
  uint256 maxGas;
  address immutable boss = msg.sender;
  function setResolver(IResolver r) external { require(msg.sender == boss); resolver = r; }
  function setStrategy(IStrategy s) external { require(msg.sender == boss); strategy = s; }
  function setMaxGas(uint256 n) external { require(msg.sender == boss); maxGas = n; }
  function harvest(address token, uint256 min) external {
    require(tx.gasprice <= maxGas);
    strategy.harvest(token, min); // FINDING
    if (resolver.jobOf(token) != 0) strategy.pay(token);
  }
}`,
      // That somebody is told who acted is not a service to the caller.
      `pragma solidity ^0.8.20;
interface IHooks { function hookOf(address who) external view returns (address); }
interface IHook { function received(address by, address to, uint256 amount) external; function sent(address by, address from, uint256 amount) external; }
contract Ledger {
  IHooks immutable hooks;
  address immutable host = msg.sender;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  constructor(IHooks h) { hooks = h; }
  modifier onlyHost() { require(msg.sender == host); _; }
  function transfer(address to, uint256 amount) external { balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }
  function hostApprove(address from, address to, uint256 amount) external onlyHost { allowance[from][to] = amount; }
  function hostTransfer(address from, address to, uint256 amount) external onlyHost { _move(from, to, amount); }
  function hostRaise(address from, address to, uint256 amount) external onlyHost { allowance[from][to] += amount; }
  function hostSend(address from, address to, uint256 amount) external {
    _tell(from, to, amount);
    _move(from, to, amount); // FINDING
  }
  function _tell(address from, address to, uint256 amount) private {
    IHook(hooks.hookOf(from)).sent(msg.sender, from, amount);
    IHook(hooks.hookOf(to)).received(msg.sender, to, amount);
  }
  function _move(address from, address to, uint256 amount) private { balanceOf[from] -= amount; balanceOf[to] += amount; }
}`,
      `pragma solidity ^0.8.20;
// What is in a set without source says nothing about who may change it; what has been proposed takes effect at anyone's
// word; a switch that cannot be set back is no setup.
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
interface IDevice { function halt() external; function start() external; }
contract Registry {
  using EnumerableSet for EnumerableSet.AddressSet;
  EnumerableSet.AddressSet private items;
  address owner = msg.sender;
  address public main;
  mapping(address => address) public sourceOf;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function add(address item, address from) external onlyOwner { require(!items.contains(item)); items.add(item); sourceOf[item] = from; }
  function remove(address item) external {
    require(item != main && items.contains(item));
    items.remove(item); // FINDING
  }
  function setMain(address item) external onlyOwner { main = item; }
}
contract Proposed {
  address owner = msg.sender;
  address public next;
  address public checker;
  uint256 public a;
  uint256 public b;
  uint256 public c;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setA(uint256 to) external onlyOwner { a = to; }
  function setB(uint256 to) external onlyOwner { b = to; }
  function setC(uint256 to) external onlyOwner { c = to; }
  function give(address to) external onlyOwner { owner = to; }
  function propose(address to) external onlyOwner { next = to; }
  function take() external { checker = next; } // FINDING
}
contract OneWay {
  address owner = msg.sender;
  uint256 public a;
  uint256 public b;
  uint256 public c;
  bool public second;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setA(uint256 to) external onlyOwner { a = to; }
  function setB(uint256 to) external onlyOwner { b = to; }
  function setC(uint256 to) external onlyOwner { c = to; }
  function enable() external { require(!second); second = true; } // FINDING
  function read() external view returns (uint256) { return second ? a * b : c; }
}
contract Guarded {
  address immutable owner = msg.sender;
  modifier authenticate() { require(msg.sender == owner); _; }
}
contract Factory is Guarded {
  bool disabled;
  mapping(address => bool) public made;
  function ensureEnabled() internal view { require(!disabled); }
  function disable() external {
    ensureEnabled();
    disabled = true; // FINDING
  }
  function create() external returns (address at) { ensureEnabled(); at = address(new Made()); made[at] = true; }
}
contract Made { uint256 public x; }
contract Halts {
  address owner = msg.sender;
  IDevice immutable left;
  IDevice immutable right;
  uint256 public width;
  constructor(IDevice l, IDevice r) { left = l; right = r; }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function stop() external {
    left.halt(); // FINDING
    right.halt();
  }
  function stopLeft() external onlyOwner { left.halt(); }
  function stopRight() external onlyOwner { right.halt(); }
}`,
      `pragma solidity ^0.8.20;
// The record of an account that the caller names becomes the caller's.
contract Terms {
  struct Term { uint256 share; uint256 most; }
  mapping(address => Term) public terms;
  mapping(address => address) public successor;
  address immutable giver = msg.sender;
  function add(address who, uint256 share, uint256 most) external { require(msg.sender == giver); terms[who] = Term(share, most); }
  function push(address to) external { require(terms[msg.sender].share != 0); successor[msg.sender] = to; }
  function pull(address from) external {
    successor[from] = address(0);
    terms[msg.sender] = terms[from];
    delete terms[from]; // FINDING
  }
  function use(uint256 n) external { terms[msg.sender].most -= n; }
}
contract Operators {
  struct Operator { bool on; address pay; }
  mapping(uint256 => Operator) public operators;
  mapping(address => uint256) public idOf;
  mapping(uint256 => address) public proposed;
  uint256 last;
  function join(address pay) external { require(idOf[msg.sender] == 0); idOf[msg.sender] = ++last; operators[last] = Operator(true, pay); }
  function propose(address who, address pay) external { require(msg.sender == operators[idOf[who]].pay); proposed[idOf[who]] = pay; }
  function confirm(address who) external {
    uint256 id = idOf[who];
    require(operators[id].on);
    delete proposed[id]; // FINDING
    operators[id].pay = msg.sender;
  }
  function reward(uint256 id) external payable { payable(operators[id].pay).transfer(msg.value); }
}
// A getter that nobody calls is all that still reads the account.
interface ISource { function value() external view returns (uint256); }
contract Router {
  address private immutable registry;
  mapping(address => address) private sources;
  constructor(address r) { registry = r; }
  function setSources(address[] calldata keys, address[] calldata to) external {
    for (uint256 i; i < keys.length; i++) sources[keys[i]] = to[i]; // FINDING
  }
  function valueOf(address key) external view returns (uint256) { return ISource(sources[key]).value(); }
  function getRegistry() external view returns (address) { return registry; }
}`,
      // Anyone sets what the contract goes by: for all, for an entry that they name, at the end of a list, or back to where
      // it was.
      `pragma solidity ^0.8.20;
contract Tracker {
  address immutable safe;
  uint256 immutable most;
  uint256 public invested;
  constructor(address s, uint256 n) { safe = s; most = n; }
  function held() external view returns (uint256) { return safe.balance + invested; }
  function update(uint256 n) external {
    require(n <= most);
    invested = n; // FINDING
  }
}
contract Outbox {
  address immutable boss = msg.sender;
  mapping(bytes32 => bytes32) public roots;
  mapping(bytes32 => bytes) public images;
  uint256 public paid;
  function setRoot(bytes32 root, bytes32 block_) external {
    roots[root] = block_; // FINDING
  }
  function setRootOf(bytes calldata what, bytes32 block_) external {
    roots[keccak256(what)] = block_; // FINDING
  }
  function keep(bytes calldata image) external { images[keccak256(image)] = image; }
  function pay(bytes32 root, uint256 n) external {
    require(roots[root] != 0 && images[root].length > 0);
    paid += n;
    payable(boss).transfer(n);
  }
}
contract Dials {
  struct Dial { address to; uint256 cap; }
  Dial[] internal dials;
  uint256 public budget;
  bool public live;
  function add(address to, uint256 cap) external {
    Dial storage dial = dials.push();
    dial.to = to; // FINDING
    dial.cap = cap;
  }
  function spend(uint256 n) external payable { budget += msg.value; require(n <= budget); budget -= n; payable(dials[0].to).transfer(n); }
  function reset() external {
    budget = 0; // FINDING
  }
  function settle() external { if (budget > 5) budget = 0; }
  function open() external { if (budget > 9) live = true; }
  function enter() external { live = true; }
  function leave() external { require(live); budget -= 1; }
}
contract Wrappers {
  mapping(address => address) public wrapper;
  mapping(address => uint256) public due;
  mapping(address => uint256) public seen;
  function earn(address who) external payable { due[who] += msg.value; }
  function wrap(address token, address by) external {
    wrapper[token] = by; // FINDING
  }
  function look(address token) external { if (wrapper[token] != address(0)) seen[token] += 1; }
  function pay(address who) external { uint256 n = due[who]; due[who] = 0; payable(who).transfer(n); }
}`,
      // One entry is looked at, and another is changed: what the sender has allowed, or is owed; what was offered to an account.
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  constructor() { balanceOf[msg.sender] = 100; }
  function approve(address who, uint256 n) external { allowance[msg.sender][who] = n; }
  function transferFrom(address from, address to, uint256 n) external {
    if (from != msg.sender) {
      require(n <= allowance[msg.sender][from]);
      allowance[from][msg.sender] -= n; // FINDING
    }
    balanceOf[from] -= n;
    balanceOf[to] += n;
  }
}
contract Rewards {
  struct User { uint256 owed; uint256 seen; }
  mapping(address => User) public users;
  mapping(address => bytes32) public wishes;
  function earn(address who) external payable { users[who].owed += msg.value; }
  function wish(address who, bytes32 what) external {
    if (wishes[msg.sender] != 0) delete wishes[who]; // FINDING
    wishes[msg.sender] = what;
  }
  function claim(address who) external {
    uint256 n = users[msg.sender].owed;
    users[who].owed = 0; // FINDING
    users[msg.sender].seen = block.number;
    payable(msg.sender).transfer(n);
  }
}
contract Managers {
  struct Offer { address to; uint256 ends; }
  mapping(uint256 => address) public managerOf;
  mapping(uint256 => Offer) internal offers;
  uint256 internal count;
  function found() external { managerOf[count++] = msg.sender; }
  function offer(uint256 id, address to) external { require(managerOf[id] == msg.sender); offers[id] = Offer(to, block.timestamp + 1 days); }
  function accept(uint256 id) external {
    require(offers[id].ends > block.timestamp);
    managerOf[id] = msg.sender;
    delete offers[id]; // FINDING
  }
}`,
      // The account that a market names, which the other function asks for; that only some may call at all does not replace it.
      `pragma solidity ^0.8.20;
interface ICoin { function mint(address to, uint256 n) external; function burn(address from, uint256 n) external; }
contract Markets {
  struct Market { address by; uint256 credit; }
  address immutable boss = msg.sender;
  address constant FORWARDER = 0x8ace03Fc45139fDDba944c6A4082b604041d19FC;
  ICoin immutable coin;
  bool public all;
  mapping(address => bool) public allowed;
  mapping(uint256 => Market) internal markets;
  uint256 internal count;
  constructor(ICoin c) { coin = c; }
  function allow(address who, bool everyone) external { require(msg.sender == boss); allowed[who] = true; all = everyone; }
  function register(address by) external returns (uint256 id) { require(msg.sender == boss); id = ++count; markets[id].by = by; }
  function sender() internal view returns (address who) {
    who = msg.sender;
    if (who == FORWARDER && msg.data.length >= 20) assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) }
  }
  function put(uint256 id, address from, uint256 n) external {
    require(all || allowed[msg.sender]);
    require(markets[id].by == sender());
    markets[id].credit += n;
    coin.burn(from, n);
  }
  function take(uint256 id, address to, uint256 n) external {
    require(all || allowed[msg.sender]);
    require(markets[id].credit >= n);
    markets[id].credit -= n; // FINDING
    coin.mint(to, n);
  }
}`,
      // A proxy that the caller names says who may have it upgraded; one implementation does not ask.
      `pragma solidity ^0.8.20;
interface IProxy { function admin() external view returns (address); function accept() external; function take(address by) external; }
contract First { uint256 internal sum; function become(IProxy proxy) external { require(msg.sender == proxy.admin()); proxy.accept(); } function put() external payable { sum += msg.value; } }
contract Second {
  uint256 internal sum;
  function put() external payable { sum += msg.value; }
  function become(IProxy proxy) external {
    proxy.accept(); // FINDING
  }
}
contract Third {
  uint256 internal sum;
  function put() external payable { sum += msg.value; }
  function become(IProxy proxy, IProxy other) external { require(msg.sender == other.admin()); proxy.take(address(other)); }
}
contract Fourth {
  uint256 internal sum;
  function put() external payable { sum += msg.value; }
  function become(IProxy proxy, IProxy other) external { proxy.take(address(other)); }
}`,
    ],
    safe: [
      // An entry belongs to a token, not to an account.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Farm {
  struct Soul { uint256 perShare; uint256 state; }
  IToken immutable reward;
  mapping(address => Soul) souls;
  mapping(address => mapping(address => uint256)) staked;
  constructor(IToken r) { reward = r; }
  function list(address token) external payable { require(msg.value > 0); souls[token].perShare += msg.value; }
  function stake(address token, uint256 n) external {
    uint256 due = staked[token][msg.sender] * souls[token].perShare;
    IToken(token).transferFrom(msg.sender, address(this), n);
    staked[token][msg.sender] += n;
    souls[token].perShare -= due;
    reward.transfer(msg.sender, due);
  }
}`,
      // What the sender may take, and what they take it from; an offer that is taken up by whom it names; an entry that is
      // looked at before it is cleared; a market that pays for itself, or whose account has signed.
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => mapping(address => uint256)) public credit;
  constructor() { balanceOf[msg.sender] = 100; }
  function approve(address who, uint256 n) external { allowance[msg.sender][who] = n; }
  function lend(address who, uint256 n) external { require(n <= allowance[msg.sender][who]); allowance[msg.sender][who] -= n; credit[who][msg.sender] += n; }
  function transferFrom(address from, address to, uint256 n) external {
    if (from != msg.sender) {
      require(n <= allowance[from][msg.sender]);
      allowance[from][msg.sender] -= n;
    }
    balanceOf[from] -= n;
    balanceOf[to] += n;
  }
}
contract Rewards {
  mapping(address => uint256) public owed;
  mapping(address => uint256) public limit;
  function earn(address who) external payable { owed[who] += msg.value; }
  function claimFor(address who) external {
    uint256 n = owed[who];
    require(n > owed[msg.sender] / 2);
    owed[who] = 0;
    payable(who).transfer(n);
  }
}
contract Managers {
  struct Offer { address to; uint256 ends; }
  mapping(uint256 => address) public managerOf;
  mapping(uint256 => Offer) internal offers;
  uint256 internal count;
  function found() external { managerOf[count++] = msg.sender; }
  function offer(uint256 id, address to) external { require(managerOf[id] == msg.sender); offers[id] = Offer(to, block.timestamp + 1 days); }
  function accept(uint256 id) external {
    require(offers[id].ends > block.timestamp && offers[id].to == msg.sender);
    managerOf[id] = msg.sender;
    delete offers[id];
  }
}
contract Markets {
  struct Market { address by; uint256 credit; }
  address immutable boss = msg.sender;
  bool public all;
  mapping(address => bool) public allowed;
  mapping(address => mapping(uint256 => bool)) public mayPut;
  mapping(uint256 => Market) internal markets;
  uint256 internal count;
  function allow(address who, bool everyone, uint256 id) external { require(msg.sender == boss); allowed[who] = true; all = everyone; mayPut[who][id] = true; }
  function register(address by) external returns (uint256 id) { require(msg.sender == boss); id = ++count; markets[id].by = by; }
  function found(uint256 id, address by, uint256 n) external {
    require(id > count && markets[id].credit == 0);
    markets[id].by = by;
    markets[id].credit = n;
  }
  function take(uint256 id, uint256 n) external {
    require(markets[id].by == msg.sender);
    markets[id].credit -= n;
    payable(msg.sender).transfer(n);
  }
  function put(uint256 id, uint256 n) external payable {
    require((all || allowed[msg.sender]) && msg.value == n);
    markets[id].credit += n;
  }
  function putFor(uint256 id, uint256 n) external {
    require(all || mayPut[msg.sender][id]);
    markets[id].credit += n;
  }
}`,
      // What anyone may set: nothing that is ever read; an entry that is still free, or is found by its own hash; what a
      // known contract confirms; the storage of whoever runs the code; something for a test.
      `pragma solidity ^0.8.20;
interface IBook { function knows(bytes32 root) external view returns (bool); }
contract Board {
  IBook immutable book;
  uint256 internal note;
  mapping(bytes32 => bytes32) public roots;
  mapping(bytes32 => address) public names;
  mapping(bytes32 => bytes) public images;
  uint256 public sum;
  constructor(IBook b) { book = b; }
  function leave(uint256 n) external { note = n; }
  function setRoot(bytes32 root, bytes32 block_) external { require(book.knows(root)); roots[root] = block_; }
  function take(bytes32 name, address who) external { require(names[name] == address(0)); names[name] = who; }
  function keep(bytes calldata image) external { images[keccak256(image)] = image; }
  function count(uint256 n) external { require(roots[bytes32(n)] != 0 && names[bytes32(n)] != address(0) && images[bytes32(n)].length > 0); sum += n; }
}
contract Setup {
  address immutable here = address(this);
  uint256 internal version;
  function setUp(uint256 to) external {
    require(address(this) != here);
    version = to;
  }
  function current() external view returns (uint256) { return version; }
}`,
      // Elsewhere the same word means other people's requests; here callers claim what is theirs.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
interface IBook { function payee(address operator) external view returns (address); }
contract Rewards {
  IToken immutable token;
  address immutable pool;
  mapping(address => uint256) earned;
  constructor(IToken t, address p) { token = t; pool = p; }
  function claim(address account) external {
    require(msg.sender == pool);
    uint256 amount = earned[account];
    earned[account] = 0;
    token.transfer(account, amount);
  }
}
contract Requests {
  IToken immutable token;
  mapping(uint256 => address) ownerOf;
  mapping(uint256 => uint256) amounts;
  constructor(IToken t) { token = t; }
  function claim(uint256 id) external {
    require(msg.sender == ownerOf[id]);
    uint256 amount = amounts[id];
    delete amounts[id];
    token.transfer(ownerOf[id], amount);
  }
}
contract Social {
  IToken immutable token;
  IBook immutable book;
  mapping(address => mapping(uint256 => bool)) claimed;
  mapping(uint256 => uint256) most;
  constructor(IToken t, IBook b) { token = t; book = b; }
  function claim(uint256[] calldata ids, uint256[] calldata amounts) external {
    uint256 sum;
    for (uint256 i; i < ids.length; i++) {
      require(!claimed[msg.sender][ids[i]]);
      require(amounts[i] <= most[ids[i]]);
      claimed[msg.sender][ids[i]] = true;
      sum += amounts[i];
    }
    token.transfer(book.payee(msg.sender), sum);
  }
}`,
      // Who calls is asked of a base without source.
      `pragma solidity ^0.8.20;
import {ERC2771Context} from "./ERC2771Context.sol";
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Escrow is ERC2771Context {
  IToken immutable token;
  address immutable boss;
  uint256 locked;
  constructor(IToken t) { token = t; boss = msg.sender; }
  function withdraw(uint256 amount) external {
    address sender = _msgSender();
    require(boss == sender);
    locked -= amount;
    token.transfer(msg.sender, amount);
  }
}
contract Gauge is ERC2771Context {
  IToken immutable token;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  constructor(IToken t) { token = t; }
  function deposit(uint256 amount, address to) external { address sender = _msgSender(); _deposit(sender, amount, to); }
  function _deposit(address sender, uint256 amount, address to) private { token.transferFrom(sender, address(this), amount); totalSupply += amount; balanceOf[to] += amount; }
  function withdraw(uint256 amount) external {
    address sender = _msgSender();
    totalSupply -= amount;
    balanceOf[sender] -= amount;
    token.transfer(sender, amount);
  }
}`,
      // Some of the others ask nobody, either; the one that overrides asks through the overridden, which otherwise asks
      // nothing.
      `pragma solidity ^0.8.20;
interface IWallet { function owner() external view returns (address); function allow(address module, bool on) external; function sync(address what) external; }
contract Module {
  mapping(address => uint256) internal locks;
  modifier onlyUnlocked(address wallet) { require(locks[wallet] <= block.timestamp); _; }
  modifier onlyOwnerOf(address wallet) { require(msg.sender == IWallet(wallet).owner()); _; }
  function sync(address wallet, address what) external onlyUnlocked(wallet) { IWallet(wallet).sync(what); }
  function resync(address wallet, address what) external onlyUnlocked(wallet) { IWallet(wallet).sync(what); }
  function remove(address wallet, address module) external onlyOwnerOf(wallet) onlyUnlocked(wallet) { IWallet(wallet).allow(module, false); }
  function add(address wallet, address module) external onlyOwnerOf(wallet) onlyUnlocked(wallet) { IWallet(wallet).allow(module, true); }
}
interface IPot { function drip() external; }
contract Delegate {
  address internal admin = msg.sender;
  function resign() public virtual { require(msg.sender == admin); }
  function begin() public virtual {}
}
contract PotDelegate is Delegate {
  IPot immutable pot;
  constructor(IPot p) { pot = p; }
  function resign() public override { super.resign(); pot.drip(); }
  function begin() public override { pot.drip(); }
}`,
      // Everyone sets their own, what nobody has set is free, or what is set concerns nothing that anyone holds.
      `pragma solidity ^0.8.20;
interface INames { function addressOf(address who) external view returns (address); }
contract Earnings {
  INames immutable names;
  constructor(INames n) { names = n; }
  mapping(address => address) public receiver;
  mapping(address => address) public referrer;
  mapping(address => uint256) public due;
  function earn(address who) external payable { due[who] += msg.value; }
  function setReceiver(address to) external { receiver[msg.sender] = to; }
  function follow(address who) external { receiver[who] = names.addressOf(who); }
  function refer(address who, address by) external { require(referrer[who] == address(0)); referrer[who] = by; }
  function pay(address who) external {
    uint256 n = due[who];
    due[who] = 0;
    address to = receiver[who] == address(0) ? who : receiver[who];
    payable(to).transfer(n - n / 10);
    if (referrer[who] != address(0)) payable(referrer[who]).transfer(n / 10);
  }
}`,
      // Whoever has counted is recorded; a number that only the owner raises, or that decides nothing, counts no accounts.
      `pragma solidity ^0.8.20;
contract Multisig {
  address immutable owner = msg.sender;
  mapping(address => bool) public member;
  mapping(bytes32 => uint256) public count;
  mapping(bytes32 => uint256) public round;
  mapping(bytes32 => uint256) public views;
  mapping(bytes32 => mapping(address => bool)) public has;
  uint256 immutable need;
  constructor(address[] memory members, uint256 k) { for (uint256 i; i < members.length; i++) member[members[i]] = true; need = k; }
  function approve(bytes32 id) external { require(member[msg.sender] && !has[id][msg.sender]); has[id][msg.sender] = true; count[id]++; }
  function next(bytes32 id) external { require(msg.sender == owner); round[id]++; }
  function look(bytes32 id) external { require(member[msg.sender]); views[id]++; }
  function run(address to, bytes calldata data) external {
    bytes32 id = keccak256(abi.encode(to, data));
    require(count[id] >= need && round[id] >= 2);
    (bool ok, ) = to.call(data);
    require(ok);
  }
}`,
      // The account that pays has allowed it, or an administrator has.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Deposits {
  address immutable owner = msg.sender;
  mapping(address => mapping(address => bool)) public allows;
  mapping(address => mapping(address => bool)) public manages;
  mapping(address => uint256) public held;
  IToken immutable token;
  constructor(IToken t) { token = t; }
  function allow(address who, bool ok) external { allows[msg.sender][who] = ok; }
  function setManager(address who, address of, bool ok) external { require(msg.sender == owner); manages[who][of] = ok; }
  function put(uint256 n) external { token.transferFrom(msg.sender, address(this), n); held[msg.sender] += n; }
  function get(uint256 n) external { held[msg.sender] -= n; token.transfer(msg.sender, n); }
  function take(address from, address to, uint256 n) external { require(allows[from][msg.sender]); held[from] -= n; token.transfer(to, n); }
  function manage(address from, address to, uint256 n) external { require(manages[msg.sender][from]); held[from] -= n; token.transfer(to, n); }
}`,
      // What an account is owed goes to that account, or to whom it allows; a pledge is taken on a condition.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 n) external returns (bool); function transferFrom(address from, address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
interface IPrices { function price() external view returns (uint256); }
contract Loans {
  mapping(address => uint256) public debt;
  mapping(address => uint256) public pledged;
  mapping(address => uint256) public ends;
  mapping(address => uint256) public accrued;
  mapping(address => mapping(address => bool)) public allows;
  IToken immutable token;
  IToken immutable pledge;
  IPrices immutable prices;
  constructor(IToken t, IToken p, IPrices o) { token = t; pledge = p; prices = o; }
  function allow(address who, bool ok) external { allows[msg.sender][who] = ok; }
  function put(uint256 n) external { pledge.transferFrom(msg.sender, address(this), n); pledged[msg.sender] += n; accrued[msg.sender] += n; }
  function borrow(uint256 n) external { debt[msg.sender] += n; ends[msg.sender] = block.timestamp + 10; require(debt[msg.sender] <= pledged[msg.sender]); token.transfer(msg.sender, n); }
  function liquidate(address who) external {
    require(debt[who] > pledged[who] * prices.price() / 2);
    token.transferFrom(msg.sender, address(this), debt[who]);
    uint256 n = pledged[who];
    debt[who] = 0;
    pledged[who] = 0;
    pledge.transfer(msg.sender, n);
  }
  function foreclose(address who) external {
    require(ends[who] < block.timestamp && debt[who] > 0);
    uint256 n = pledged[who];
    debt[who] = 0;
    pledged[who] = 0;
    pledge.transfer(msg.sender, n);
  }
  function claimFor(address who) external { uint256 n = accrued[who]; accrued[who] = 0; token.transfer(who, n); }
  function claimTo(address who, address to) external { require(allows[who][msg.sender]); uint256 n = accrued[who]; accrued[who] = 0; token.transfer(to, n); }
}`,
      // Constants that are nobody's account, one that is compared, and a contract that is initialized.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IToken { function transfer(address to, uint256 n) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract Sweeper {
  address public constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
  address public constant EVERYWHERE = address(type(uint160).max);
  IToken public constant SPENT = IToken(0x8ace03Fc45139fDDba944c6A4082b604041d19FC);
  IToken immutable token;
  address immutable home;
  constructor(IToken t, address to) { token = t; home = to; }
  function sweep() external { token.transfer(home, token.balanceOf(address(this))); }
}
contract Guarded {
  address public constant guardian = 0x8ace03Fc45139fDDba944c6A4082b604041d19FC;
  IToken immutable token;
  constructor(IToken t) { token = t; }
  function recover(address to) external { require(msg.sender == guardian); token.transfer(to, token.balanceOf(address(this))); }
}
contract Clone is Initializable {
  address public immutable factory = msg.sender;
  uint256 public rate;
  function initialize(uint256 to) external initializer { rate = to; }
}
contract Counter {
  address public admin;
  uint256 public start;
  constructor() { admin = msg.sender; }
  function begin(uint256 at) external { require(start == 0); start = at; }
}`,
      // A flag that says that there is work to do, one that nobody waits for, and one that is raised in time.
      `pragma solidity ^0.8.20;
contract Work {
  address immutable boss = msg.sender;
  uint256 public rate;
  uint256 public total;
  uint256 public ends;
  bool public stale;
  bool public seen;
  bool public over;
  bool public halted;
  function setRate(uint256 to) external { require(msg.sender == boss); rate = to; ends = block.timestamp + 10; }
  function poke() external { stale = true; }
  function look() external { seen = true; }
  function halt() external { halted = true; }
  function end() external { require(block.timestamp > ends); over = true; }
  function refresh() external { require(stale && !halted); stale = false; total += rate; }
  function close() external { require(over && msg.sender == boss); total = 0; }
  function isSeen() external view returns (bool) { return seen; }
}`,
      // An address that comes with the code is only logged.
      `pragma solidity ^0.8.20;
interface IInbox { function send(address to, uint256 n) external payable; }
contract Adapter {
  IInbox immutable inbox;
  address immutable refund;
  address immutable hub = 0xd297fA914353c44B2e33EBE05F21846f1048CFeB;
  event Relayed(address to);
  constructor(IInbox i) { inbox = i; refund = msg.sender; }
  function relay(bytes memory data) external payable {
    inbox.send{ value: 1 }(refund, abi.decode(data, (uint256)));
    emit Relayed(hub);
  }
}`,
      // Some of those that serve their caller check something else, or are few; who called last is noted elsewhere, and whoever is chosen may be chosen by the governor.
      `pragma solidity ^0.8.20;
interface IRegistry { function isNode(address who) external view returns (bool); function isGuest(address who) external view returns (bool); }
abstract contract Checked {
  IRegistry immutable registry;
  constructor(IRegistry r) { registry = r; }
  modifier node(address who) { require(registry.isNode(who), "node"); _; }
  modifier guest(address who) { require(registry.isGuest(who), "guest"); _; }
}
interface ICore {
  function add(address by, bytes calldata data) external;
  function second(address by, uint256 id) external;
  function drop(address by, uint256 id) external;
  function vote(address by, uint256 id, bool yes) external;
}
contract Front is Checked {
  ICore immutable core;
  constructor(IRegistry r, ICore c) Checked(r) { core = c; }
  function propose(bytes calldata data) external node(msg.sender) { core.add(msg.sender, data); }
  function second(uint256 id) external node(msg.sender) { core.second(msg.sender, id); }
  function drop(uint256 id) external node(msg.sender) { core.drop(msg.sender, id); }
  function vote(uint256 id, bool yes) external guest(msg.sender) { core.vote(msg.sender, id, yes); }
}
contract Few is Checked {
  ICore immutable core;
  constructor(IRegistry r, ICore c) Checked(r) { core = c; }
  function propose(bytes calldata data) external node(msg.sender) { core.add(msg.sender, data); }
  function second(uint256 id) external node(msg.sender) { core.second(msg.sender, id); }
  function vote(uint256 id, bool yes) external { core.vote(msg.sender, id, yes); }
}
contract Mixed is Checked {
  ICore immutable core;
  constructor(IRegistry r, ICore c) Checked(r) { core = c; }
  function propose(bytes calldata data) external node(msg.sender) { core.add(msg.sender, data); }
  function second(uint256 id) external node(msg.sender) { core.second(msg.sender, id); }
  function drop(uint256 id) external guest(msg.sender) { core.drop(msg.sender, id); }
  function vote(uint256 id, bool yes) external { core.vote(msg.sender, id, yes); }
}
contract Timed is Checked {
  ICore immutable core;
  constructor(IRegistry r, ICore c) Checked(r) { core = c; }
  modifier until(uint256 time) { require(block.timestamp <= time); _; }
  function propose(bytes calldata data, uint256 time) external until(time) { core.add(msg.sender, data); }
  function second(uint256 id, uint256 time) external until(time) { core.second(msg.sender, id); }
  function drop(uint256 id, uint256 time) external until(time) { core.drop(msg.sender, id); }
  function vote(uint256 id, bool yes) external { core.vote(msg.sender, id, yes); }
}
contract Whole is Checked {
  ICore immutable core;
  constructor(IRegistry r, ICore c) Checked(r) { core = c; }
  function propose(bytes calldata data) external node(msg.sender) { core.add(msg.sender, data); }
  function second(uint256 id) public node(msg.sender) { core.second(msg.sender, id); }
  function drop(uint256 id) external node(msg.sender) { core.drop(msg.sender, id); }
  function secondBoth(uint256 id, uint256 other) external { second(id); second(other); }
}
contract Unit {
  address public keeper = msg.sender;
  address public last;
  function setKeeper(address to) external { require(msg.sender == keeper); keeper = to; }
  function setLast(address to) external { require(msg.sender == keeper && to != last); last = to; }
}
contract Hub {
  Unit immutable unit = new Unit();
  address governor = msg.sender;
  function create() external { Unit made = new Unit(); made.setKeeper(msg.sender); }
  uint256 public visits;
  function visit() external { unit.setLast(msg.sender); }
  function restore() external { unit.setKeeper(governor); }
  function count() external {
    visits++;
    if (msg.sender == governor) unit.setKeeper(msg.sender);
  }
  function give(address to) external { require(msg.sender == governor); unit.setKeeper(to); }
  function reclaim() external { require(msg.sender == governor); unit.setKeeper(msg.sender); }
}`,
      // What a contract keeps in a store of its own; two functions that pass anyone's request on to a third.
      `pragma solidity ^0.8.20;
contract Store {
  address immutable boss = msg.sender;
  mapping(address => bool) isModule;
  mapping(bytes32 => uint256) values;
  function setModule(address module) external { require(msg.sender == boss); isModule[module] = true; }
  function setUint(bytes32 key, uint256 value) external { require(isModule[msg.sender]); values[key] = value; }
}
contract Module {
  Store immutable store;
  address immutable boss = msg.sender;
  constructor(Store s) { store = s; }
  function clear() external { require(msg.sender == boss); store.setUint(keccak256("cleared"), block.number); }
  function finish(uint256 id, uint256 how) external { store.setUint(keccak256(abi.encodePacked("finished", id)), how); }
}
contract Line {
  address immutable boss = msg.sender;
  mapping(address => bool) isDesk;
  uint256 public first;
  function setDesk(address desk) external { require(msg.sender == boss); isDesk[desk] = true; }
  function take(uint256 n) external { require(isDesk[msg.sender]); first += n; }
}
contract Desk {
  Line immutable line;
  address immutable boss = msg.sender;
  uint256 public most;
  constructor(Line l) { line = l; }
  function setMost(uint256 n) external { require(msg.sender == boss); most = n; }
  function serve(uint256 n) external { line.take(n); }
  function serveSome(uint256 n) external { require(n <= most); line.take(n); }
}`,
      // One implementation is paid for, another asks what has to be true; one other is not a rule.
      `pragma solidity ^0.8.20;
abstract contract Step { address immutable head = msg.sender; function step(uint256 to) external payable virtual; }
contract First is Step { uint256 one; function step(uint256 to) external payable override { require(msg.sender == head); one = to; } }
contract Second is Step { uint256 two; function step(uint256 to) external payable override { require(msg.sender == head); two = to; } }
contract Sold is Step {
  uint256 public sold;
  mapping(uint256 => uint256) public at;
  function step(uint256 to) external payable override { require(msg.value == 1 ether); sold++; at[sold] = to; }
}
abstract contract Turn { address immutable head = msg.sender; function turn() external virtual; }
contract Left is Turn { uint256 left; function turn() external override { require(msg.sender == head); left++; } }
contract Right is Turn { uint256 public right; function turn() external override { right = block.number; } }`,
      // A lock in assembly is not a state of the contract; what is exchanged is paid for; whom a record names is looked at from
      // elsewhere, or votes and time decide.
      `pragma solidity ^0.8.20;
abstract contract Locked {
  bytes32 constant LOCK = keccak256("lock");
  modifier locked() {
    bytes32 slot = LOCK;
    uint256 taken;
    assembly { taken := sload(slot) }
    require(taken == 0);
    assembly { sstore(slot, 1) }
    _;
    assembly { sstore(slot, 0) }
  }
}
contract Box is Locked {
  mapping(address => uint256) held;
  mapping(address => uint256) told;
  function put() external payable locked { held[msg.sender] += msg.value; }
  function take() external locked { uint256 v = held[msg.sender]; held[msg.sender] = 0; payable(msg.sender).transfer(v); }
  function move(address to, uint256 v) external locked { held[msg.sender] -= v; held[to] += v; }
  function tell(uint256 v) external { told[msg.sender] = v; }
}
library Tokens {
  function transfer(address token, address to, uint256 amount) internal { run(token, abi.encodeWithSelector(0xa9059cbb, to, amount)); }
  function transferFrom(address token, address from, address to, uint256 amount) internal { run(token, abi.encodeWithSelector(0x23b872dd, from, to, amount)); }
  function run(address token, bytes memory data) private {
    (bool ok, bytes memory answer) = token.call(data);
    require(ok && (answer.length == 0 || abi.decode(answer, (bool))));
  }
}
contract Wrap {
  address immutable inner;
  address immutable outer;
  address head = msg.sender;
  constructor(address i, address o) { inner = i; outer = o; }
  function wrap(uint256 amount, address to) external { Tokens.transferFrom(inner, msg.sender, address(this), amount); Tokens.transfer(outer, to, amount); }
  function rescue(address token, uint256 amount) external { require(msg.sender == head); Tokens.transfer(token, head, amount); }
  function setHead(address to) external { require(msg.sender == head); head = to; }
}
contract Council {
  struct Motion { address author; uint256 yes; uint256 no; uint256 end; bool done; address target; }
  mapping(uint256 => Motion) public motions;
  mapping(uint256 => mapping(address => bool)) voted;
  mapping(address => uint256) public power;
  uint256 count;
  function join() external payable { power[msg.sender] += msg.value; }
  function move(address target) external {
    require(power[msg.sender] > 1 ether);
    motions[++count] = Motion(msg.sender, 0, 0, block.timestamp + 3 days, false, target);
  }
  function vote(uint256 id, bool yes) external {
    require(!voted[id][msg.sender] && block.timestamp < motions[id].end);
    voted[id][msg.sender] = true;
    if (yes) motions[id].yes += power[msg.sender];
    else motions[id].no += power[msg.sender];
  }
  enum Stage { Open, Passed, Failed }
  function stage(uint256 id) public view returns (Stage) {
    if (block.timestamp < motions[id].end) return Stage.Open;
    return motions[id].yes > motions[id].no ? Stage.Passed : Stage.Failed;
  }
  function settle(uint256 id) external {
    require(stage(id) == Stage.Passed);
    motions[id].done = true;
  }
  function carryOut(uint256 id) external {
    Motion storage m = motions[id];
    require(!m.done && block.timestamp >= m.end && m.yes > m.no);
    m.done = true;
    (bool ok, ) = m.target.call("");
    require(ok);
  }
}
contract Shelf {
  struct Book { address lender; uint256 price; bool lent; }
  mapping(uint256 => Book) public books;
  uint256 count;
  function add(uint256 price) external { books[++count] = Book(msg.sender, price, false); }
  function hand(uint256 id) external { books[id].lent = true; }
}
contract Reader {
  Shelf immutable shelf;
  mapping(address => uint256) public lentBy;
  constructor(Shelf s) { shelf = s; }
  function note(uint256 id) external { (address lender, , ) = shelf.books(id); lentBy[lender] = block.number; }
}`,
      // Conditions that others share and this contract's last function has no part in, none of them about a phase: a
      // lock, a library's argument, what was fixed at deployment, amounts, accounts, the caller's number, the caller.
      `pragma solidity ^0.8.20;
interface IToken { function mint(address to, uint256 amount) external; function burn(address from, uint256 amount) external; }
library Rates { function half(uint256 a) internal pure returns (uint256) { require(a < 1e30); return a / 2; } }
contract Shop {
  IToken immutable token;
  address immutable owner = msg.sender;
  uint256 immutable cap;
  uint256 constant RUNNING = 2;
  uint256 busy = 1;
  bool paused;
  uint256 rate;
  uint256 total;
  uint256 least;
  address next;
  address keeper;
  constructor(IToken t, uint256 c) { token = t; cap = c; }
  modifier locked() { require(busy != RUNNING); busy = RUNNING; _; busy = 1; }
  modifier alone() {
    bool on;
    assembly { on := tload(0) }
    require(!on);
    assembly { tstore(0, 1) }
    _;
    assembly { tstore(0, 0) }
  }
  modifier sound(uint256 n) {
    require(cap < 1e30 && total != 0 && total > least && next != address(1) && least < n);
    require(rate == 7 || msg.sender == keeper);
    _;
  }
  modifier whenOn() { require(!paused); _; }
  function set(uint256 r, uint256 t, uint256 l, address n, address k) external { require(msg.sender == owner); rate = r; total = t; least = l; next = n; keeper = k; }
  function pause(bool to) external { require(msg.sender == owner); paused = to; }
  function buy(uint256 n) external payable locked alone sound(n) whenOn { token.mint(msg.sender, Rates.half(rate)); }
  function sell(uint256 n) external locked alone sound(n) whenOn { token.burn(msg.sender, Rates.half(rate)); }
  function swap(uint256 n) external locked alone sound(n) whenOn { token.burn(msg.sender, Rates.half(rate)); token.mint(msg.sender, n); }
  function leave(uint256 n) external whenOn { token.burn(msg.sender, n); }
}
contract Till {
  IToken immutable token;
  address immutable owner = msg.sender;
  bool paused;
  uint256 due;
  constructor(IToken t) { token = t; }
  function pause(bool to) external { require(msg.sender == owner); paused = to; }
  function buy() external payable { require(!paused); token.mint(msg.sender, msg.value); }
  function sell(uint256 n) external { require(!paused); token.burn(msg.sender, n); }
  function swap(uint256 n) external { require(!paused); token.burn(msg.sender, n); token.mint(msg.sender, n); }
  function collect() external { require(msg.sender == owner); token.mint(owner, due); due = 0; }
}
contract Shelf {
  enum Grade { None, Low, High }
  struct Item { Grade grade; uint256 price; }
  address immutable owner = msg.sender;
  Grade grade;
  mapping(uint256 => Item) items;
  function sort(Grade to) external { require(msg.sender == owner); grade = to; }
  function list(uint256 id) external { Item memory item = items[id]; Grade now_ = item.grade; require(now_ == Grade.None); items[id].grade = Grade.Low; }
  function raise(uint256 id) external { require(items[id].grade == Grade.Low); items[id].grade = Grade.High; }
}`,
      // It depends on the state in its own way, the state is another's, or too few ask.
      `pragma solidity ^0.8.20;
contract Votes {
  enum State { None, Open, Passed }
  mapping(uint256 => uint256) ends;
  mapping(uint256 => uint256) ayes;
  mapping(uint256 => mapping(address => bool)) seen;
  mapping(uint256 => uint256) notes;
  mapping(uint256 => uint256) backed;
  mapping(address => State) level;
  uint256 done;
  function stateOf(uint256 id) public view returns (State) {
    if (ends[id] == 0) return State.None;
    return block.timestamp < ends[id] ? State.Open : State.Passed;
  }
  function finish(uint256 id) external { require(stateOf(id) == State.Passed); ends[id] = 1; done++; }
  function bury(uint256 id) external { require(stateOf(id) != State.Open); delete ayes[id]; done++; }
  function vote(uint256 id) external {
    require(!seen[id][msg.sender]);
    seen[id][msg.sender] = true;
    if (stateOf(id) == State.Open) ayes[id]++;
  }
  function join(address who) external payable { require(level[who] == State.None); done++; }
  function note(uint256 n, uint256 at) external { require(level[msg.sender] == State.Open && n > 0); notes[at] = block.number; }
  function mark(uint256 n, uint256 at) external { require(level[msg.sender] == State.Open && n > 1); notes[at] = block.timestamp; }
  function buy(uint256 n) external payable { require(msg.value == n); done += n; }
  function raise() external { level[msg.sender] = State.Open; }
  function back(uint256 item) external payable { require(stateOf(item) == State.Open); backed[item] += msg.value; }
  function add(uint256 item) external payable { backed[item] += msg.value; }
}`,
      // Some that move nothing, two that ask for another state, a lock in assembly, and a clock that each brings up to date.
      `pragma solidity ^0.8.20;
interface IToken { function mint(address to, uint256 amount) external; function burn(address from, uint256 amount) external; function pull() external; }
contract Shop {
  enum State { None, Open, Ended }
  IToken immutable token;
  address immutable owner = msg.sender;
  uint256 live = 1;
  uint256 last;
  uint256 index;
  uint256 rate;
  State state;
  mapping(address => uint256) due;
  constructor(IToken t, uint256 r) { token = t; rate = r; }
  modifier locked() {
    assembly { if tload(0) { revert(0, 0) } tstore(0, 1) }
    _;
    assembly { tstore(0, 0) }
  }
  function begin() external { require(msg.sender == owner && state == State.None); state = State.Open; }
  function end() external { require(msg.sender == owner); _close(); }
  function _close() private { require(state == State.Open); state = State.Ended; }
  function setRate(uint256 to) external { require(msg.sender == owner); rate = to; }
  function accrue() public { if (block.timestamp <= last) revert(); index += rate; last = block.timestamp; }
  function buy() external payable locked { accrue(); require(live == 1); token.mint(msg.sender, msg.value); }
  function sell(uint256 n) external locked { accrue(); require(live == 1); token.burn(msg.sender, n); due[msg.sender] += n; }
  function swap(uint256 n) external locked { accrue(); require(live == 1); token.burn(msg.sender, n); token.mint(msg.sender, n); }
  function leave(uint256 n) external { require(live == 0); token.burn(msg.sender, n); }
  function note() external { due[msg.sender] = 0; }
}`,
      // Each knows the account for itself, or few others call it, or the call is paid for.
      `pragma solidity ^0.8.20;
interface IStore { function flush() external; function fill(address whom) external payable; }
contract Part { IStore internal store; address internal keeper = msg.sender; modifier onlyKeeper() { require(msg.sender == keeper); _; } }
contract First is Part { function run() external onlyKeeper { store.flush(); } }
contract Second is Part { function start() external onlyKeeper { store.flush(); } }
contract Third is Part { function sync() external { store.flush(); } }
contract Apart1 { IStore store; address keeper = msg.sender; function run() external { require(msg.sender == keeper); store.flush(); } }
contract Apart2 { IStore store; address keeper = msg.sender; function start() external { require(msg.sender == keeper); store.flush(); } }
contract Apart3 { IStore store; address keeper = msg.sender; function begin() external { require(msg.sender == keeper); store.flush(); } }
contract Apart4 { IStore store; function sync() external { store.flush(); } }
contract Levels {
  IStore immutable store;
  address keeper = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d;
  constructor(IStore s) { store = s; }
  function setA(uint256 to) external { require(msg.sender == keeper); a = to; }
  function setB(uint256 to) external { require(msg.sender == keeper); b = to; }
  function setC(uint256 to) external { require(msg.sender == keeper); c = to; }
  function setD(uint256 to) external { require(msg.sender == keeper); d = to; }
  function give(address to) external { require(msg.sender == keeper); keeper = to; }
  function pay() external payable { require(msg.value > 1 ether); store.flush(); }
}
contract Opened {
  IStore immutable store;
  address keeper = msg.sender;
  uint256 a; uint256 b; uint256 c;
  bool begun;
  modifier onlyKeeper() { require(msg.sender == keeper); _; }
  constructor(IStore s) { store = s; }
  function setA(uint256 to) external onlyKeeper { a = to; }
  function setB(uint256 to) external onlyKeeper { b = to; }
  function setC(uint256 to) external onlyKeeper { c = to; }
  function setD(uint256 to) external onlyKeeper { a = b = to; }
  function give(address to) external onlyKeeper { keeper = to; }
  function open() external { require(!begun); begun = true; store.flush(); }
}`,
      // What is asked of the sender in a function called in a loop, unless nobody is named.
      `pragma solidity ^0.8.20;
contract Shares {
  mapping(uint256 => address) public holder;
  mapping(uint256 => address) public approved;
  address immutable owner = msg.sender;
  function _move(address to, uint256 id, address by) internal {
    if (by != address(0)) require(holder[id] == by || approved[id] == by, "by");
    holder[id] = to;
  }
  function approve(address to, uint256 id) external { require(holder[id] == msg.sender); approved[id] = to; }
  function move(address to, uint256 id) external { require(holder[id] == msg.sender); holder[id] = to; }
  function give(address to, uint256 id) external { _move(to, id, msg.sender); }
  function burnAll(uint256[] calldata ids) external { for (uint256 i = 0; i < ids.length; i++) _move(address(0), ids[i], msg.sender); }
  function mint(address to, uint256 id) external { require(msg.sender == owner); _move(to, id, address(0)); }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  address immutable owner = msg.sender;
  mapping(address => uint256) public held;
  mapping(address => mapping(address => uint256)) public allowed;
  mapping(address => mapping(uint256 => uint256)) public capOn;
  mapping(address => mapping(address => bool)) public operator;
  mapping(address => uint256) public stake;
  function approve(address who, uint256 amount) external { allowed[msg.sender][who] = amount; }
  function setOperator(address who, bool on) external { operator[msg.sender][who] = on; }
  function transferFrom(address from, address to, uint256 amount) external {
    require(amount <= allowed[from][msg.sender], "allowance");
    _move(from, to, amount);
    if (allowed[from][msg.sender] != type(uint256).max) allowed[from][msg.sender] -= amount;
  }
  function moveFrom(address from, address to, uint256 amount) external { require(operator[from][msg.sender]); _move(from, to, amount); }
  function _move(address from, address to, uint256 amount) internal { held[from] -= amount; held[to] += amount; }
  function lock(uint256 amount, uint256 day) external { require(amount <= capOn[msg.sender][day]); held[msg.sender] -= amount; stake[msg.sender] += amount; }
  function seize(address from, uint256 amount) external { require(msg.sender == owner && allowed[from][msg.sender] >= amount); held[from] -= amount; }
}
contract Club {
  mapping(address => bool) public seat;
  mapping(address => mapping(uint256 => bool)) public coming;
  mapping(address => mapping(uint256 => uint256)) public guests;
  constructor() { seat[msg.sender] = true; }
  function come(uint256 to) external { require(seat[msg.sender]); coming[msg.sender][to] = true; guests[msg.sender][to] = 1; }
  function comeWith(uint256 to, uint256 n) external { require(seat[msg.sender]); coming[msg.sender][to] = true; guests[msg.sender][to] = n; }
  function bring(uint256 to, uint256 n) external { require(seat[msg.sender]); guests[msg.sender][to] += n; }
  function stayAway(uint256 to) external { coming[msg.sender][to] = false; }
  function leave(uint256 to, uint256 n) external { guests[msg.sender][to] = n; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/access/Ownable.sol";
interface IModel { function setRate(bytes32 market, uint256 to) external; function poke(bytes32 market) external; }
contract Levers {
  IModel immutable model;
  address immutable board;
  mapping(bytes32 => uint256) turn;
  constructor(IModel m, address b) { model = m; board = b; }
  function setRate(bytes32 market, uint256 to) external { if (msg.sender != board) revert(); model.setRate(market, to); }
  function poke(bytes32 market) external { turn[market] = block.number; model.poke(market); }
}
contract Pass is ERC721, Ownable {
  uint256 next;
  string base;
  constructor() ERC721("Pass", "PASS") Ownable(msg.sender) {}
  function setBase(string calldata to) external onlyOwner { base = to; }
  function issue(address to) external { require(next < 1000); _safeMint(to, next++); }
}`,
      `pragma solidity ^0.8.20;
interface IMail { function dispatch(uint32 to, bytes32 whom, bytes calldata body) external payable; }
interface IMessenger {
  function messageSender() external view returns (address);
  function send(address to, bytes calldata data) external;
}
contract Remote {
  IMail immutable mail;
  address immutable governor = msg.sender;
  mapping(uint32 => bytes32) public routers;
  mapping(address => uint256) public held;
  constructor(IMail m) { mail = m; }
  function enroll(uint32 domain, bytes32 router) external { require(msg.sender == governor); routers[domain] = router; }
  function send(uint32 domain, uint256 amount) external payable {
    held[msg.sender] -= amount;
    mail.dispatch{value: msg.value}(domain, routers[domain], abi.encode(msg.sender, amount));
  }
  function handle(uint32 domain, bytes32 from, bytes calldata body) external {
    require(msg.sender == address(mail) && routers[domain] == from, "mail");
    (address to, uint256 amount) = abi.decode(body, (address, uint256));
    held[to] += amount;
  }
}
contract Gate {
  IMessenger immutable messenger;
  address immutable other;
  mapping(address => uint256) public held;
  constructor(IMessenger m, address o) { messenger = m; other = o; }
  function leave(uint256 amount) external {
    held[msg.sender] -= amount;
    messenger.send(other, abi.encode(msg.sender, amount));
  }
  function arrive(address to, uint256 amount) external {
    require(msg.sender == address(messenger) && messenger.messageSender() == other, "messenger");
    held[to] += amount;
  }
}`,
      // The time of the item has come, or who it belongs to may do it, one way or the other.
      `pragma solidity ^0.8.20;
contract Escrow {
  enum Stage { Open, Funded, Released, Refunded }
  struct Deal { address payable buyer; address payable seller; uint64 until; uint256 amount; Stage stage; }
  mapping(bytes32 => Deal) deals;
  function begin(bytes32 id, address payable seller, uint64 until) external payable {
    require(deals[id].buyer == address(0) && msg.value > 0);
    deals[id] = Deal(payable(msg.sender), seller, until, msg.value, Stage.Funded);
  }
  function release(bytes32 id) external {
    Deal storage d = deals[id];
    require(d.stage == Stage.Funded && msg.sender == d.buyer, "stage");
    d.stage = Stage.Released;
    d.seller.transfer(d.amount);
  }
  function refund(bytes32 id) external {
    Deal storage d = deals[id];
    require(d.stage == Stage.Funded && block.timestamp > d.until, "stage");
    d.stage = Stage.Refunded;
    d.buyer.transfer(d.amount);
  }
}`,
      // Accounts are counted up to a limit, by what they hold, for a fee, or to be shown.
      `pragma solidity ^0.8.20;
contract Counts {
  mapping(address => bool) had;
  mapping(uint256 => mapping(address => bool)) said;
  mapping(address => uint256) stake;
  uint256 public drops;
  mapping(uint256 => uint256) public likes;
  mapping(uint256 => uint256) public yes;
  mapping(uint256 => uint256) public paid;
  mapping(uint256 => bool) public passed;
  function drop() external { require(!had[msg.sender] && drops < 100); had[msg.sender] = true; drops++; }
  function like(uint256 id) external { require(!said[id][msg.sender]); said[id][msg.sender] = true; likes[id]++; }
  function enter() external payable { stake[msg.sender] += msg.value; }
  function vote(uint256 id) external {
    require(stake[msg.sender] > 1 ether && !said[id][msg.sender]);
    said[id][msg.sender] = true;
    yes[id]++;
  }
  function join(uint256 id) external payable {
    require(msg.value == 1 ether && !said[id][msg.sender]);
    said[id][msg.sender] = true;
    paid[id]++;
  }
  function pass(uint256 id) external { require(yes[id] > 10 && paid[id] > 10); passed[id] = true; }
}`,
      // Lists that anyone can join, or that tell what there is, are none of those who may do things.
      `pragma solidity ^0.8.20;
contract Club {
  mapping(address => uint256) place;
  uint256 count;
  mapping(bytes32 => uint256) public topics;
  mapping(bytes32 => bool) public open;
  function join() external { place[msg.sender] = ++count; }
  function setTopic(bytes32 id, uint256 to) external { require(place[msg.sender] != 0); topics[id] = to; }
  function begin(bytes32 id) external { require(place[msg.sender] != 0); open[id] = true; }
  function end(bytes32 id) external { open[id] = false; }
}
contract Factory {
  address immutable curator = msg.sender;
  mapping(address => bool) public made;
  mapping(address => address) public maker;
  function make(uint256 salt) external returns (address made_) {
    made_ = address(new Club{salt: bytes32(salt)}());
    made[made_] = true;
    maker[made_] = msg.sender;
  }
  function retire(address one) external { require(msg.sender == curator); made[one] = false; }
}
contract Lots {
  mapping(bytes32 => uint256) public announced;
  address immutable keeper = msg.sender;
  address public target;
  function isTarget() external view returns (bool) { return msg.sender == target; }
  function announce(address next) external { require(msg.sender == keeper); announced[keccak256(abi.encode(next))] = 1; }
  function move(address next) external { require(announced[keccak256(abi.encode(next))] == 1); target = next; }
}`,
      `pragma solidity ^0.8.20;
contract Names {
  mapping(uint256 => address) public holder;
  mapping(uint256 => address) approved;
  mapping(uint256 => uint256) price;
  mapping(uint256 => uint256) ends;
  mapping(address => mapping(address => bool)) operators;
  mapping(address => address) public payee;
  uint256 count;
  function create(uint256 p, uint256 until) external {
    holder[count] = msg.sender;
    price[count] = p;
    ends[count++] = until;
  }
  function approve(address to, uint256 id) external {
    require(holder[id] == msg.sender || operators[holder[id]][msg.sender]);
    approved[id] = to;
  }
  function move(address from, address to, uint256 id) external {
    require(holder[id] == from);
    require(from == msg.sender || approved[id] == msg.sender);
    holder[id] = to;
  }
  function setOperator(address operator, bool yes) external { operators[msg.sender][operator] = yes; }
  function setPayee(address to) external { payee[msg.sender] = to; }
  // whoever comes first has what is free
  function register(uint256 id) external { require(holder[id] == address(0)); holder[id] = msg.sender; }
  function sponsor(address who) external { require(payee[who] == address(0)); payee[who] = msg.sender; }
  // paid for
  function buy(uint256 id) external payable {
    require(msg.value == price[id]);
    address seller = holder[id];
    holder[id] = msg.sender;
    (bool ok, ) = seller.call{value: msg.value}("");
    require(ok);
  }
  // over
  function expire(uint256 id) external { require(block.timestamp > ends[id]); delete holder[id]; }
}`,
      `pragma solidity ^0.8.20;
interface ICollection {
  function ownerOf(uint256 id) external view returns (address);
  function transferFrom(address from, address to, uint256 id) external;
}
interface IRegistry { function final_(uint256 id) external view returns (bool); }
contract Market {
  struct Listing { address seller; uint256 price; uint64 until; uint256 answer; }
  mapping(ICollection => mapping(uint256 => Listing)) listings;
  mapping(address => uint256) proceeds;
  IRegistry immutable registry;
  constructor(IRegistry r) { registry = r; }
  function list(ICollection c, uint256 id, uint256 price) external {
    require(c.ownerOf(id) == msg.sender, "owner");
    listings[c][id] = Listing(msg.sender, price, uint64(block.timestamp) + 7 days, 0);
  }
  function reprice(ICollection c, uint256 id, uint256 price) external {
    require(price > 0 && listings[c][id].until > block.timestamp, "over");
    require(listings[c][id].seller == msg.sender, "seller");
    listings[c][id].price = price;
  }
  function answer(ICollection c, uint256 id, uint256 value) external {
    require(registry.final_(id), "open");
    listings[c][id].answer = value;
  }
  function takeOver(ICollection c, uint256 id, uint256 price) external {
    require(c.ownerOf(id) == msg.sender, "owner");
    listings[c][id].seller = msg.sender;
    listings[c][id].price = price;
  }
  function buy(ICollection c, uint256 id) external payable {
    Listing memory l = listings[c][id];
    require(l.price > 0 && msg.value == l.price, "price");
    delete listings[c][id];
    proceeds[l.seller] += msg.value;
    c.transferFrom(l.seller, msg.sender, id);
  }
  function withdraw() external {
    uint256 amount = proceeds[msg.sender];
    proceeds[msg.sender] = 0;
    payable(msg.sender).transfer(amount);
  }
}`,
      // The entry is the sender's own in any case.
      `pragma solidity ^0.8.20;
contract Limits {
    mapping(address => uint256) private limitOf;
    mapping(address => bool) private frozen;
    address public keeper = msg.sender;

    modifier onlyKeeper() {
        require(msg.sender == keeper, "keeper");
        _;
    }

    function setLimit(address who, uint256 limit) external {
        address target = who == address(0) ? msg.sender : sender();
        limitOf[target] = limit;
    }

    function raiseLimit(address who, uint256 by) external onlyKeeper {
        limitOf[who] += by;
    }

    function clearLimit(address who) external onlyKeeper {
        delete limitOf[who];
    }

    function sender() internal view returns (address) {
        return msg.sender;
    }

    function freeze(address who) external onlyKeeper {
        frozen[who] = true;
    }
}`,
      `pragma solidity ^0.8.20;
interface IStore {
  function getUint(bytes32 key) external view returns (uint256);
  function setUint(bytes32 key, uint256 value) external;
}
library Keys {
  bytes32 constant LIMIT = keccak256(abi.encode("LIMIT"));
  function limitOf(address market) internal pure returns (bytes32) { return keccak256(abi.encode(LIMIT, market)); }
}
abstract contract Base {
  IStore immutable store;
  address immutable governor;
  bytes32 constant feeKey = keccak256("fee");
  constructor(IStore s) { store = s; governor = msg.sender; }
  modifier onlyGovernor() { require(msg.sender == governor, "no"); _; }
  function setUint(bytes32 key, uint256 value) internal { store.setUint(key, value); }
}
contract Fees is Base {
  constructor(IStore s) Base(s) {}
  function setFee(uint256 value) external onlyGovernor { setUint(feeKey, value); }
  function raiseFee(uint256 value) external onlyGovernor { store.setUint(keccak256("fee"), value); }
  function setLimit(address market, uint256 value) external onlyGovernor { store.setUint(Keys.limitOf(market), value); }
  function raiseLimit(address market, uint256 value) external onlyGovernor { store.setUint(Keys.limitOf(market), value); }
}
contract Markets is Base {
  constructor(IStore s) Base(s) {}
  function vote(uint256 value) external {
    bytes32 key = keccak256(abi.encodePacked("fee.vote", msg.sender));
    setUint(key, value);
  }
  function note(address market, uint256 value) external {
    store.setUint(keccak256(abi.encode("fee", market, msg.sender)), value);
  }
}`,
      `pragma solidity ^0.8.20;
interface ICoin {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
interface IBorrower { function onLoan(uint256 amount) external; }
contract Store {
  address desk = msg.sender;
  ICoin immutable coin;
  uint256 kept;
  constructor(ICoin c) { coin = c; }
  modifier byDesk() { require(msg.sender == desk); _; }
  function put(address from, uint256 amount) external byDesk { _in(from, amount); }
  function take(address to, uint256 amount) external byDesk { _out(to, amount); }
  function setDesk(address to) external byDesk { desk = to; }
  function lend(IBorrower to, uint256 amount) external {
    _out(address(to), amount);
    to.onLoan(amount);
    _in(address(to), amount);
  }
  function _in(address from, uint256 amount) private { kept += amount; require(coin.transferFrom(from, address(this), amount)); }
  function _out(address to, uint256 amount) private { kept -= amount; require(coin.transfer(to, amount)); }
}`,
      `pragma solidity ^0.8.20;
contract Ballots {
  address chair = msg.sender;
  uint256 quorum;
  uint256 length;
  uint256 delay;
  mapping(address => address) public delegates;
  mapping(address => uint256) public nonces;
  modifier byChair() { require(msg.sender == chair); _; }
  function setQuorum(uint256 to) external byChair { quorum = to; }
  function setLength(uint256 to) external byChair { length = to; }
  function setDelay(uint256 to) external byChair { delay = to; }
  function setChair(address to) external byChair { chair = to; }
  function delegate(address to) external { _delegate(msg.sender, to); }
  function delegateBySignature(address to, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    address by = ecrecover(keccak256(abi.encode(to, nonce, address(this), block.chainid)), v, r, s);
    require(by != address(0) && nonce == nonces[by]++, "signature");
    _delegate(by, to);
  }
  function _delegate(address by, address to) private { delegates[by] = to; }
}`,
      `pragma solidity ^0.8.20;
interface IVat { function file(bytes32 what, uint256 to) external; function poke() external; }
contract Levers {
  address immutable captain = msg.sender;
  address immutable vat;
  mapping(address => uint256) public last;
  constructor(address v) { vat = v; }
  modifier byCaptain() { require(msg.sender == captain); _; }
  function setLine(uint256 to) external byCaptain { _pull("line", to); }
  function setDust(uint256 to) external byCaptain { _pull("dust", to); }
  function setSpot(uint256 to) external byCaptain { _pull("spot", to); }
  function touch() external {
    last[msg.sender] = block.timestamp;
    address target = vat;
    bytes4 selector = IVat.poke.selector;
    assembly {
      mstore(0, selector)
      if iszero(call(gas(), target, 0, 0, 4, 0, 0)) { revert(0, 0) }
    }
  }
  function _pull(bytes32 what, uint256 to) private {
    address target = vat;
    bytes4 selector = IVat.file.selector;
    assembly {
      let p := mload(0x40)
      mstore(p, selector)
      mstore(add(p, 4), what)
      mstore(add(p, 36), to)
      if iszero(call(gas(), target, 0, p, 68, 0, 0)) { revert(0, 0) }
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Season {
  address host = msg.sender;
  uint8 stage = 1;
  uint256 pot;
  mapping(uint256 => uint256) prize;
  modifier byHost() { require(msg.sender == host); _; }
  modifier whenOpen() { require(stage == 1, "closed"); _; }
  function setFirst(uint256 to) external byHost whenOpen { prize[1] = to; }
  function setSecond(uint256 to) external byHost whenOpen { prize[2] = to; }
  function setThird(uint256 to) external byHost whenOpen { prize[3] = to; }
  function raise(uint256 by) external byHost whenOpen { pot += by; }
  function lower(uint256 by) external byHost whenOpen { pot -= by; }
  function close() external byHost whenOpen { stage = 2; }
  function refill() external payable whenOpen { pot += msg.value; }
}`,
      `pragma solidity ^0.8.20;
contract Tide {
  address pilot = msg.sender;
  uint256 public mark;
  uint256 public seen;
  function set(uint256 to) external { require(msg.sender == pilot); mark = to; }
  function clear() external { require(msg.sender == pilot); mark = 0; }
  function see() external { seen = mark; }
}
contract Window {
  address chief = msg.sender;
  uint256 opens;
  uint256 cap;
  uint256 next;
  function setOpens(uint256 to) external { require(msg.sender == chief); opens = to; }
  function setNext(uint256 to) external { require(msg.sender == chief); next = to; }
  function setCap(uint256 to) external { require(msg.sender == chief); cap = to; }
  function roll() external {
    require(block.number >= opens, "early");
    opens = block.number + 100;
  }
}`,
      `pragma solidity ^0.8.20;
contract Stakes {
  address keeper = msg.sender;
  bool halted;
  bool frozen;
  mapping(address => uint256) stakes;
  modifier running() { require(!halted, "halted"); _; }
  modifier warm() { require(!frozen, "frozen"); _; }
  function halt(bool to) external { require(msg.sender == keeper); halted = to; }
  function freeze(bool to) external { require(msg.sender == keeper); frozen = to; }
  function join() external payable running { stakes[msg.sender] += msg.value; }
  function move(address to, uint256 amount) external running { stakes[msg.sender] -= amount; stakes[to] += amount; }
  function leave(uint256 amount) external warm { stakes[msg.sender] -= amount; }
}`,
      `pragma solidity ^0.8.20;
contract Nodes {
  mapping(address => bool) known;
  mapping(address => bytes32) zones;
  mapping(address => address) pools;
  modifier onlyKnown(address who) { require(known[who], "unknown"); _; }
  function enter() external { require(!known[msg.sender]); known[msg.sender] = true; }
  function setZone(bytes32 to) external onlyKnown(msg.sender) { zones[msg.sender] = to; }
  function setPool(address to) external onlyKnown(msg.sender) { pools[msg.sender] = to; }
}`,
      `pragma solidity ^0.8.20;
contract Stakes {
  address keeper = msg.sender;
  bool halted;
  mapping(address => uint256) stakes;
  mapping(address => uint256) prizes;
  modifier running() { require(!halted, "halted"); _; }
  function halt(bool to) external { require(msg.sender == keeper); halted = to; }
  function join() external payable running { stakes[msg.sender] += msg.value; }
  function move(address to, uint256 amount) public running { stakes[msg.sender] -= amount; stakes[to] += amount; }
  function moveAll(address to) external { move(to, stakes[msg.sender]); }
  function claim() external running { stakes[msg.sender] += prizes[msg.sender]; prizes[msg.sender] = 0; }
}`,
      `pragma solidity ^0.8.20;
contract Claims {
  struct Claim { address by; uint256 stake; }
  mapping(bytes32 => Claim) claims;
  modifier onlyClaimant(bytes32 claimId) { require(claims[claimId].by == msg.sender); _; }
  function settle(bytes32 claimId, uint256 stake) external onlyClaimant(claimId) { claims[claimId].stake = stake; }
  function withdraw(bytes32 claimId) external onlyClaimant(claimId) { delete claims[claimId]; }
  function begin(bytes32 claimId, address by) external {
    require(claims[claimId].by == address(0));
    claims[claimId].by = by;
  }
}`,
      `pragma solidity ^0.8.20;
interface IStrategy { function finish(address to) external; }
contract Caller {
  address public parent;
  IStrategy immutable strategy;
  constructor(address by, IStrategy s) { parent = by; strategy = s; }
  function finish() external { strategy.finish(parent); }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  mapping(address => mapping(bytes32 => uint256)) public points;
  mapping(address => uint256) public closes;
  function give(address to, bytes32 kind, uint256 amount) external {
    points[msg.sender][kind] -= amount;
    points[to][kind] += amount;
  }
  function clear(address of_, bytes32 kind) external {
    require(closes[of_] < block.timestamp);
    delete points[of_][kind];
  }
}`,
      `pragma solidity ^0.8.20;
contract Council {
  address chair = msg.sender;
  struct Motion { bytes32 text; uint256 votes; bool closed; }
  mapping(uint256 => Motion) motions;
  mapping(uint256 => mapping(address => bool)) voted;
  uint256 count;
  modifier byChair() { _check(); _; }
  function _check() internal view { require(msg.sender == chair, "chair"); }
  function open(bytes32 text) external byChair { motions[++count].text = text; }
  function close(uint256 id) external byChair { motions[id].closed = true; }
  function strike(uint256 id) external byChair { delete motions[id]; }
  function vote(uint256 id) external {
    require(!voted[id][msg.sender]);
    voted[id][msg.sender] = true;
    motions[id].votes++;
  }
}`,
      `pragma solidity ^0.8.20;
interface IFeed { function peek(bytes32 kind) external view returns (uint256); }
contract Spot {
  mapping(address => uint256) wards;
  mapping(bytes32 => uint256) public price;
  mapping(bytes32 => IFeed) feeds;
  uint256 public par;
  uint256 public last;
  constructor() { wards[msg.sender] = 1; }
  modifier auth() { require(wards[msg.sender] == 1); _; }
  function file(bytes32 kind, IFeed feed) external auth { feeds[kind] = feed; }
  function setPar(uint256 to) external auth { par = to; }
  function stop(bytes32 kind) external auth { delete feeds[kind]; }
  function poke(bytes32 kind) external { price[kind] = feeds[kind].peek(kind) * par; }
  function beat() external { last = block.timestamp; }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Bank {
  IToken token;
  address owner = msg.sender;
  uint256 public total;
  uint256 cap;
  mapping(address => uint256) public shares;
  constructor(IToken t) { token = t; }
  modifier onlyOwner() { require(owner == msg.sender); _; }
  function setCap(uint256 to) external onlyOwner { cap = to; }
  function setToken(IToken to) external onlyOwner { token = to; }
  function skim(uint256 amount) external onlyOwner { total -= amount; token.transfer(owner, amount); }
  function deposit(uint256 amount) external {
    require(total + amount <= cap);
    total += amount;
    shares[msg.sender] += amount;
    require(token.transferFrom(msg.sender, address(this), amount));
  }
  function multicall(bytes[] calldata data) external {
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]);
      require(ok);
    }
  }
}`,
      `pragma solidity ^0.8.20;
interface IMessenger { function sender() external view returns (address); }
contract Remote {
  IMessenger immutable messenger;
  address public admin;
  uint256 public limit;
  uint256 public rate;
  bool inCall;
  constructor(IMessenger m, address a) { messenger = m; admin = a; }
  function setLimit(uint256 to) external { require(messenger.sender() == admin); limit = to; }
  function receiveCall(bytes calldata data) external {
    require(msg.sender == admin);
    inCall = true;
    (bool ok, ) = address(this).call(data);
    require(ok);
    inCall = false;
  }
  function setRate(uint256 to) external { require(inCall, "not validated"); rate = to; }
}`,
      `pragma solidity ^0.8.20;
contract Settings {
  address board = msg.sender;
  mapping(bytes32 => uint256) internal values;
  modifier byBoard() { require(msg.sender == board); _; }
  function set(bytes32 key, uint256 to) public virtual byBoard { values[key] = to; }
}
contract NodeSettings is Settings {
  function set(bytes32 key, uint256 to) public override {
    require(to < 1 ether);
    super.set(key, to);
  }
}`,
      `pragma solidity ^0.8.20;
abstract contract Owned {
  address owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function hand(address to) external onlyOwner { owner = to; }
}
contract Wishes is Owned {
  mapping(address => uint256) public wish;
  uint256 public beats;
  modifier byPerson() { require(msg.sender == tx.origin); _; }
  function want(uint256 amount) external { wish[msg.sender] = amount; }
  function beat() external { beats++; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Claims {
  IERC20 token;
  address keeper = msg.sender;
  uint256 rate;
  mapping(address => uint256) since;
  modifier byKeeper() { require(msg.sender == keeper); _; }
  constructor(IERC20 t) { token = t; }
  function setRate(uint256 to) external byKeeper { rate = to; }
  function setToken(IERC20 to) external byKeeper { token = to; }
  function setKeeper(address to) external byKeeper { keeper = to; }
  function enroll(address who) external byKeeper { since[who] = block.timestamp; }
  function claim() external {
    require(since[msg.sender] != 0);
    uint256 amount = rate * (block.timestamp - since[msg.sender]);
    since[msg.sender] = block.timestamp;
    require(token.transfer(msg.sender, amount));
  }
}`,
      // What is due may be carried out one by one or together; a record of the sender's that is more than a limit.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Plans {
  address admin = msg.sender;
  mapping(address => uint256) due;
  mapping(address => uint256) planned;
  mapping(address => uint256) public weights;
  modifier byAdmin() { require(msg.sender == admin); _; }
  function plan(address who, uint256 to) external byAdmin { due[who] = block.timestamp + 1 days; planned[who] = to; }
  function drop(address who) external byAdmin { due[who] = 0; planned[who] = 0; }
  function dropAll(address[] calldata all) external byAdmin {
    for (uint256 i = 0; i < all.length; i++) { due[all[i]] = 0; planned[all[i]] = 0; }
  }
  function carry(address who) external { _carry(who); }
  function carryBoth(address a, address b) external { _carry(a); _carry(b); }
  function _carry(address who) internal {
    require(due[who] != 0 && due[who] < block.timestamp);
    weights[who] = planned[who];
    due[who] = 0;
    planned[who] = 0;
  }
}
contract Rewards {
  struct Earned { uint128 sum; uint128 seen; }
  IERC20 immutable token;
  address admin = msg.sender;
  uint128 index;
  uint256 rate;
  uint256 end;
  mapping(address => Earned) earned;
  mapping(address => uint256) stakeOf;
  constructor(IERC20 t) { token = t; }
  function setRate(uint256 to) external { require(msg.sender == admin); rate = to; }
  function setEnd(uint256 to) external { require(msg.sender == admin); end = to; }
  function setIndex(uint128 to) external { require(msg.sender == admin && to > index); index = to; }
  function set(address who, uint256 to) external { require(msg.sender == admin && rate < end); stakeOf[who] = to; }
  function claim(address to) external {
    Earned memory own = earned[msg.sender];
    require(own.seen < index, "nothing");
    earned[msg.sender].sum = 0;
    earned[msg.sender].seen = index;
    token.transfer(to, own.sum);
  }
}`,
      // A sale switches; what else is set beside a switch; who pays is named first, or pays before.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/Ownable.sol";
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
interface IPool {
  function withdraw(address asset, uint256 amount, address to) external returns (uint256);
  function withdraw(address from, address asset, uint256 amount) external returns (uint256);
  function redeem(uint256 amount, address to, address from) external;
  function withdrawVested(uint256 grant, uint256 amount, address to) external;
}
contract Sale {
  enum State { Open, Sold, Gone }
  State state;
  address owner = msg.sender;
  uint256 public at;
  function buy() external payable { require(msg.value == 1 ether && state == State.Open); state = State.Sold; }
  function note() external { require(state == State.Sold); at = block.timestamp; state = State.Gone; }
  function relist() external { require(msg.sender == owner && state == State.Sold); state = State.Open; }
}
contract Desk {
  IPool immutable pool;
  IERC20 immutable share;
  address immutable vault = msg.sender;
  constructor(IPool p, IERC20 s) { pool = p; share = s; }
  function all() external { require(msg.sender == vault); pool.withdraw(address(share), type(uint256).max, msg.sender); }
  function pull() external { require(msg.sender == vault); pool.redeem(1, msg.sender, address(this)); }
  function pullOld() external { require(msg.sender == vault); pool.withdrawVested(0, 1, msg.sender); }
  function some(uint256 amount) external {
    share.transferFrom(msg.sender, address(this), amount);
    pool.withdraw(address(share), amount, msg.sender);
  }
  function own(uint256 amount) external { pool.withdraw(msg.sender, address(share), amount); }
  function ownShares(uint256 amount) external { pool.redeem(amount, msg.sender, msg.sender); }
  function ownGrant(uint256 grant, uint256 amount) external { pool.withdrawVested(grant, amount, msg.sender); }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Farm {
  IERC20 immutable token;
  mapping(address => uint256) stakes;
  mapping(address => uint256) debts;
  mapping(address => mapping(address => uint256)) allowed;
  mapping(address => uint256) seen;
  uint256 price = 5;
  constructor(IERC20 t) { token = t; }
  modifier noted() { seen[msg.sender] = block.number; _; }
  function stake(uint256 amount) external noted {
    require(token.transferFrom(msg.sender, address(this), amount));
    stakes[msg.sender] += amount;
  }
  function payOut(address who, uint256 amount) external noted {
    stakes[who] -= amount;
    require(token.transfer(who, amount));
  }
  function takeFrom(address who, uint256 amount) external noted {
    if (msg.sender != who) { require(allowed[who][msg.sender] >= amount); allowed[who][msg.sender] -= amount; }
    stakes[who] -= amount;
    require(token.transfer(msg.sender, amount));
  }
  function approved(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external noted {
    bytes32 digest = keccak256(abi.encode(block.chainid, address(this), who, msg.sender, amount));
    require(who != address(0) && ecrecover(digest, v, r, s) == who);
    stakes[who] -= amount;
    require(token.transfer(msg.sender, amount));
  }
  function liquidate(address who, uint256 amount) external noted {
    require(debts[who] > stakes[who] * price);
    require(token.transferFrom(msg.sender, address(this), amount));
    stakes[who] -= amount;
    require(token.transfer(msg.sender, amount));
  }
}`,
      // The caller pays, gives something up or spends what is theirs, or others are open as well.
      `pragma solidity ^0.8.20;
interface ICoreKept { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Kept {
  ICoreKept immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICoreKept to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function sweep(uint256 n) external only { core.send(abi.encode(msg.sender, n)); }
}
interface ICorePaid { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Paid {
  ICorePaid immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICorePaid to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function buy(uint256 n) external payable { core.send(abi.encode(msg.sender, n)); }
}
interface ICoreGiven { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Given {
  ICoreGiven immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICoreGiven to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function hand(uint256 n) external { core.take(msg.sender, n); core.burn(msg.sender, n); }
}
interface ICoreCounted { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Counted {
  ICoreCounted immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICoreCounted to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function spend(uint256 n) external { points[msg.sender] -= n; core.send(abi.encode(msg.sender, n)); }
  function credit(address to, uint256 n) external only { points[to] = n; }
}
interface ICoreOpen { function send(bytes calldata what) external; function take(address from, uint256 n) external; function burn(address from, uint256 n) external; }
contract Open {
  ICoreOpen immutable core;
  address immutable admin = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 e;
  mapping(address => uint256) points;
  modifier only() { require(msg.sender == admin); _; }
  constructor(ICoreOpen to) { core = to; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function setE(uint256 n) external only { e = n; }
  function one(uint256 n) external { core.send(abi.encode(msg.sender, n)); }
  function two(uint256 n) external { core.send(abi.encode(n, msg.sender)); }
}`,
      // Checks that need not go together, a lock, a question with one outcome, what is not a switch, and what has its time.
      `pragma solidity ^0.8.20;
interface IRegistry { function isAccount(address who) external view returns (bool); }
interface IResolver { function jobOf(address token) external view returns (uint256); }
interface IStrategy { function harvest(address token, uint256 min) external; function pay(address token) external; }
interface IFeed { function price() external view returns (uint256); }
abstract contract Synth is Guard {
  IRegistry immutable registry;
  address immutable boss = msg.sender;
  mapping(address => uint256) caps;
  mapping(address => bool) ignored;
  constructor(IRegistry r) { registry = r; }
  modifier real() { require(registry.isAccount(msg.sender)); _; }
  modifier onlyBoss() { require(msg.sender == boss); _; }
  function setCap(address who, uint256 n) external real onlyBoss { caps[who] = n; }
  function ignore(address who) external real onlyBoss { ignored[who] = true; }
  function heed(address who) external real onlyBoss { ignored[who] = false; }
  function setCaps(address who, uint256 n) external onlyBoss { caps[who] = n + 1; }
  function clear(address who) external real { delete caps[who]; }
}
abstract contract Locked is Guard {
  address immutable boss = msg.sender;
  mapping(address => uint256) caps;
  mapping(address => bool) ignored;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  function setCap(address who, uint256 n) external nonReentrant onlyBoss { caps[who] = n; }
  function ignore(address who) external nonReentrant onlyBoss { ignored[who] = true; }
  function heed(address who) external nonReentrant onlyBoss { ignored[who] = false; }
  function clear(address who) external onlyBoss { delete caps[who]; }
}
contract Vested {
  address immutable boss = msg.sender;
  mapping(address => uint256) caps;
  mapping(address => bool) ignored;
  modifier onlyBoss() { require(msg.sender == boss); _; }
  modifier named(address who) { require(who != address(0)); _; }
  function setCap(address who, uint256 n) external named(who) onlyBoss { caps[who] = n; }
  function ignore(address who) external named(who) onlyBoss { ignored[who] = true; }
  function heed(address who) external named(who) onlyBoss { ignored[who] = false; }
  function setFirst(uint256 n) external onlyBoss { caps[boss] = n; }
}
contract Harvester {
  IResolver resolver;
  IStrategy strategy;
  uint256 maxGas;
  address immutable boss = msg.sender;
  function setResolver(IResolver r) external { require(msg.sender == boss); resolver = r; }
  function setStrategy(IStrategy s) external { require(msg.sender == boss); strategy = s; }
  function setMaxGas(uint256 n) external { require(msg.sender == boss); maxGas = n; }
  function harvest(address token, uint256 min) external {
    require(tx.gasprice <= maxGas && resolver.jobOf(token) != 0);
    strategy.harvest(token, min);
    if (resolver.jobOf(token) != 1) strategy.pay(token);
  }
}
contract Store {
  IFeed immutable feed;
  address immutable boss = msg.sender;
  uint256 a; uint256 b; uint256 c; uint256 d; uint256 public e;
  constructor(IFeed f) { feed = f; }
  function setA(uint256 n) external { require(msg.sender == boss); a = n; }
  function setB(uint256 n) external { require(msg.sender == boss); b = n; }
  function setC(uint256 n) external { require(msg.sender == boss); c = n; }
  function setD(uint256 n) external { require(msg.sender == boss); d = n; }
  function setAll(uint256 n) external { require(msg.sender == boss); a = n; b = n; c = n; d = n; }
  function snap() external { e = feed.price(); }
}
contract Sale {
  address boss = msg.sender;
  mapping(bytes32 => bool) public listed;
  bool public closed;
  uint256 public immutable end = block.timestamp + 1 days;
  function add(bytes32 who) external { require(msg.sender == boss); listed[who] = true; }
  function remove(bytes32 who) external { require(msg.sender == boss); listed[who] = false; }
  function close() external { require(block.timestamp > end); closed = true; }
}`,
      // The time has come; another slot; bits of something else, a counter, an index brought up to date.
      `pragma solidity ^0.8.20;
library Slots {
  function set(bytes32 slot, uint256 n) internal { assembly { sstore(slot, n) } }
  function get(bytes32 slot) internal view returns (uint256 n) { assembly { n := sload(slot) } }
}
contract Rounds {
  using Slots for bytes32;
  bytes32 internal constant DUE = keccak256("due");
  bytes32 internal constant ROUND = keccak256("round");
  address immutable boss = msg.sender;
  function begin(uint256 n) external { require(msg.sender == boss); DUE.set(n); }
  function delay(uint256 n) external { require(msg.sender == boss); DUE.set(block.timestamp + n); }
  function next() external {
    require(block.timestamp >= DUE.get());
    DUE.set(block.timestamp);
  }
  function touch() external { ROUND.set(block.number); }
}
library Words {
  function put(bytes32 w, bool on, uint256 at) internal pure returns (bytes32 r) { assembly { r := or(and(w, not(shl(at, 1))), shl(at, on)) } }
}
contract Pool {
  using Words for bytes32;
  bytes32 state;
  bytes32 mirrored;
  uint256 count;
  uint256 index;
  uint256 last;
  uint256 a; uint256 b; uint256 c; uint256 d;
  address immutable boss = msg.sender;
  modifier only() { require(msg.sender == boss); _; }
  function setA(uint256 n) external only { a = n; }
  function setB(uint256 n) external only { b = n; }
  function setC(uint256 n) external only { c = n; }
  function setD(uint256 n) external only { d = n; }
  function recover() external only { state = state.put(true, 3); }
  function mirror() external { mirrored = state | bytes32(uint256(1)); }
  function tick() external { count = count + 1; }
  function accrue() external { index += a * (block.timestamp - last); last = block.timestamp; }
  function shown() external view returns (bool) { return mirrored != 0 && b + c + d > index; }
}`,
      // What is done for the caller elsewhere.
      `pragma solidity ^0.8.20;
interface IVaults { function vaultOf(address token) external view returns (address); }
interface IVault {
  function deposit(address from, uint256 amount) external;
  function pull(address from, address token, uint256 amount) external returns (uint256);
  function take(address from, address token, uint256 amount) external;
}
contract Router {
  IVaults immutable vaults;
  IVault immutable vault;
  address immutable boss = msg.sender;
  mapping(address => uint256) public totals;
  mapping(address => uint256) public pulled;
  mapping(address => uint256) public taken;
  constructor(IVaults v, IVault one) { vaults = v; vault = one; }
  modifier only() { require(msg.sender == boss); _; }
  function setTotal(address token, uint256 n) external only { totals[token] = n; pulled[token] = n; taken[token] = n; }
  function addTotal(address token, uint256 n) external only { totals[token] += n; pulled[token] += n; taken[token] += n; }
  function subTotal(address token, uint256 n) external only { totals[token] -= n; pulled[token] -= n; taken[token] -= n; }
  function deposit(address token, uint256 n) external {
    totals[token] += n;
    IVault(vaults.vaultOf(token)).deposit(msg.sender, n);
  }
  function pull(address token, uint256 n) external {
    uint256 got = IVault(vaults.vaultOf(token)).pull(msg.sender, token, n);
    pulled[token] += got;
  }
  function take(address token, uint256 n) external {
    taken[token] += n;
    vault.take(msg.sender, token, n);
  }
}`,
      `pragma solidity ^0.8.20;
// Others know the getter by an interface; what was announced takes effect when its time has come; what is broken may be
// stopped; the set that is asked is another one.
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
interface ILibrary { function current() external view returns (address); }
contract Deployer is ILibrary {
  address private code;
  constructor(address c) { code = c; }
  function deploy(bytes memory data) external returns (address made) { made = address(new Deployed(data, this)); }
  function current() external view override returns (address) { return code; }
}
contract Deployed {
  constructor(bytes memory data, ILibrary from) { (bool ok, ) = from.current().delegatecall(data); require(ok); }
}
contract Announced {
  address owner = msg.sender;
  address public next;
  address public checker;
  uint256 public at;
  uint256 public a;
  uint256 public b;
  uint256 public c;
  function setA(uint256 to) external { require(msg.sender == owner); a = to; }
  function setB(uint256 to) external { require(msg.sender == owner); b = to; }
  function setC(uint256 to) external { require(msg.sender == owner); c = to; }
  function give(address to) external { require(msg.sender == owner); owner = to; }
  function announce(address to) external { require(msg.sender == owner); next = to; at = block.timestamp + 2 days; }
  function take() external { require(at != 0 && block.timestamp >= at); checker = next; }
}
interface IDevice { function halt() external; function broken() external view returns (bool); }
contract Halts {
  address owner = msg.sender;
  IDevice immutable left;
  IDevice immutable right;
  constructor(IDevice l, IDevice r) { left = l; right = r; }
  function stop() external { require(left.broken()); left.halt(); right.halt(); }
  function stopLeft() external { require(msg.sender == owner); left.halt(); }
  function stopRight() external { require(msg.sender == owner); right.halt(); }
}
contract Listed {
  using EnumerableSet for EnumerableSet.AddressSet;
  EnumerableSet.AddressSet private allowed;
  mapping(address => uint256) public seen;
  address owner = msg.sender;
  function allow(address item) external { require(msg.sender == owner); allowed.add(item); }
  function forget(address item) external { require(msg.sender == owner); seen[item] = 0; }
  function note(address item) external { require(allowed.contains(item)); seen[item] = 2; }
}
contract Merged {
  mapping(address => uint256) public terms;
  mapping(address => address) public successor;
  function join() external payable { terms[msg.sender] += msg.value; }
  function push(address to) external { successor[msg.sender] = to; }
  function pull(address from) external { require(successor[from] == msg.sender); terms[msg.sender] = terms[from]; delete terms[from]; }
}`,
    ],
  },
}

/** The entry point, and the functions through which it does the deed. */
const scopesIn = ({ entry, deed }: Deviation): ReadonlyArray<string> => [
  entry.fn.scope,
  ...deed.reached.via.flatMap(({ target }) => target?.scope ?? []),
]

const unusedCheck = ({ check }: Deviation): NonNullable<Match["trace"]> =>
  check?.source === undefined || check.node === undefined
    ? []
    : [{ file: check.source.file, span: check.node.nameSpan, note: "this check is never used" }]

const weighed = (message: string, harmless: string | undefined): { message: string; severity?: Severity } =>
  harmless === undefined ? { message } : { message: `${message} ${harmless}`, severity: "low" }

/** Rules about the nature of the flaw, which therefore say more. */
const natural: ReadonlyArray<Rule<Program>> = [
  arbitraryCall,
  arbitrarySendEth,
  arbitraryTransferFrom,
  openInitializer,
  unprotectedCallback,
  unprotectedMint,
  unprotectedOwnership,
  unprotectedSelfdestruct,
  unprotectedSetter,
  unprotectedTokenWithdrawal,
  untrustedDelegatecall,
]
