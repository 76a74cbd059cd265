import { shutsOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { Deed } from "../../access/entries/deeds.ts"
import { isForOtherChain } from "../../access/gravity/harmless.ts"
import { type Deviation, deviations } from "../../access/lacking/deviations.ts"
import { accessOf, isNamed, runsOnce } from "../../access/entries/entries.ts"
import { isDue, isSetting, isVetted, servesCaller } from "../../access/entries/intent.ts"
import { checkedSteps, deviationMessage } from "../../access/table/words.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { callSteps, directCalls, placeOf } from "../../questions/authority/attackerControl.ts"
import { authorities } from "../../questions/authority/authorities.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"

export const unprotectedSetter: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-setter",
    class: "missing-access-control",
    title: "Unprotected setter",
    severity: "high",
    // whether it is a setting or meant for everyone is inferred from the rest of the contract
    confidence: "medium",
    cwe: [862, 284],
    swc: 105,
    description:
      "The contract restricts who may change its settings, but this function lets any account set one of them: " +
      "a variable that another function changes only for privileged callers, or the address of a contract that " +
      "is called or paid. An attacker can set the price, the oracle, the token or the receiver of funds to " +
      "their advantage.",
    remediation: "Add the check that the other functions have (a modifier or `require`), or remove the function.",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/862.html"],
  },
  check: (program, report) => {
    for (const deviation of settings(program)) {
      const { entry, deed, guarded } = deviation
      const { reached, variable } = deed
      const { event } = reached
      report({
        // the check is missing here, not in the helper or library that others call as well
        ...placeOf(reached.via[0] ?? event),
        scope: entry.fn.scope,
        message: deviationMessage(deviation),
        ...severityOf(deed),
        trace: [
          ...callSteps(reached.via),
          { ...placeOf(event), note: `\`${variable!.name}\` is set without checking the caller` },
          ...checkedSteps(guarded),
        ],
      })
    }
    const called = calledState(program)
    const access = accessOf(program)
    const told = new Set(settings(program).map(({ entry }) => entry))
    for (const entry of access.entries) {
      if (told.has(entry) || runsOnce(access, entry)) continue
      for (const deed of entry.open) {
        const { reached, variable, path } = deed
        if (variable === undefined || path !== "" || !called.has(variable) || !isNamed(deed.value)) continue
        const { event } = reached
        if (isVetted(deed) || deed.demands.facts.some(isDue)) continue
        // what is added beside everything else, for what the caller gives
        if (event.kind === "write" && event.operation === "push" && servesCaller(entry)) continue
        if (isAuthority(program, deed)) continue
        report({
          ...placeOf(reached.via[0] ?? event),
          scope: entry.fn.scope,
          message: `\`${variable.name}\` is called or paid by this contract.`,
          ...severityOf(deed),
          trace: [
            ...callSteps(reached.via),
            { ...placeOf(event), note: `\`${variable.name}\` is set without checking the caller` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // Whoever answers the check was named by the caller.
      `pragma solidity ^0.8.20;
interface IHub { function hasRole(bytes32 role, address who) external view returns (bool); function vault() external view returns (address); }
contract Part {
  IHub public hub;
  address public vault;
  uint256 public ratio;
  modifier governance() { require(hub.hasRole("OWNER", msg.sender)); _; }
  function _setUp(IHub h) internal { hub = h; vault = h.vault(); }
  function setRatio(uint256 to) public governance { ratio = to; }
  function setTwice(uint256 to) public governance { ratio = 2 * to; }
  function init(IHub h, uint256 to) external {
    _setUp(h); // FINDING
    setRatio(to);
  }
}`,
      // Until the board takes it up, anyone may say what it is about: whoever votes can look.
      `pragma solidity 0.8.20;

interface IBoard { function current() external view returns (address); }
interface IFeed { function price() external view returns (uint256); }

contract Motion {
    IBoard immutable board;
    IFeed feed;

    constructor(IBoard b) { board = b; }

    modifier notCurrent() { require(board.current() != address(this)); _; }

    function parameterize(IFeed next) external notCurrent { feed = next; } // FINDING

    function execute() external view returns (uint256) {
        require(msg.sender == address(board));
        return feed.price();
    }
}
`,
      // What a contract says of itself is recorded beside what the caller says of it; whom to call is added for nothing.
      `pragma solidity ^0.8.20;
interface IUnit { function scale() external view returns (uint256); }
interface IHook { function run() external; }
contract Payments {
  struct Config { address token; uint256 scale; }
  mapping(address => Config) public configs;
  mapping(address => uint256) paid;
  IHook[] hooks;
  IHook last;
  address owner = msg.sender;
  function configure(address unit, address token) external {
    require(configs[unit].token == address(0));
    configs[unit] = Config(token, IUnit(unit).scale()); // FINDING
  }
  function setPaid(address who, uint256 to) external { require(msg.sender == owner); paid[who] = to; }
  function move(address to) external { require(msg.sender == owner); owner = to; }
  function rescale(address unit, uint256 to) external { require(msg.sender == owner); configs[unit].scale = to; }
  function add(IHook hook) external {
    hooks.push(hook); // FINDING
  }
  function run(uint256 i) external { require(msg.sender == owner); hooks[i].run(); }
}
contract Split {
  address payable[] heirs;
  function add(address payable heir) external {
    heirs.push(heir); // FINDING
  }
  function pay(uint256 i) external { heirs[i].transfer(address(this).balance); }
  receive() external payable {}
}
contract Funded {
  mapping(address => uint256) given;
  IHook hook;
  address immutable owner = msg.sender;
  function fund(IHook to) external payable {
    given[msg.sender] += msg.value;
    hook = to; // FINDING
  }
  function run() external { require(msg.sender == owner); hook.run(); }
}`,
      // Giving a role asks nobody; a part of an initializer runs within it.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/access/AccessControl.sol";
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract Club is AccessControl {
  bytes32 constant MEMBER = keccak256("member");
  mapping(address => uint256) public seatOf;
  uint256 public dues;
  uint256 public cap;
  constructor() { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
  function setDues(uint256 to) external onlyRole(DEFAULT_ADMIN_ROLE) { dues = to; }
  function setCap(uint256 to) external onlyRole(DEFAULT_ADMIN_ROLE) { cap = to; }
  function move(address who, uint256 to) external onlyRole(DEFAULT_ADMIN_ROLE) { seatOf[who] = to; }
  function seat(address who, uint256 to) external {
    _grantRole(MEMBER, who);
    seatOf[who] = to; // FINDING
  }
  function pay() external payable { require(msg.value == dues && seatOf[msg.sender] < cap); }
}
abstract contract Part is Initializable {
  address chief;
  uint256 fee;
  function __Part_init(address to) public onlyInitializing { chief = to; }
  function setFee(uint256 to) external { require(msg.sender == chief); fee = to; }
  function setChief(address to) external { require(msg.sender == chief); chief = to; }
}
abstract contract OpenPart is Initializable {
  uint256 public cap;
  address chief = msg.sender;
  uint256 public fee;
  function __OpenPart_init(uint256 to) public {
    cap = to; // FINDING
  }
  function setFee(uint256 to) external { require(msg.sender == chief); fee = to; }
  function setCap(uint256 to) external { require(msg.sender == chief); cap = to; }
}`,
      // What some callers get besides keeps nobody from the rest; what a number depends on, neither.
      `pragma solidity ^0.8.20;
interface IRoles { function hasRole(bytes32 role, address who) external view returns (bool); }
contract Pool {
  struct Reserve { uint128 cap; uint128 debt; bool apart; }
  IRoles immutable roles;
  mapping(address => Reserve) reserves;
  mapping(address => uint256) public flags;
  constructor(IRoles r) { roles = r; }
  function setDebt(address asset, uint128 to) external { require(roles.hasRole("risk", msg.sender)); reserves[asset].debt = to; }
  function setApart(address asset, bool to) external { require(roles.hasRole("risk", msg.sender)); reserves[asset].apart = to; }
  function setCap(address asset, uint128 to) external {
    reserves[asset].cap = to; // FINDING
    if (roles.hasRole("supplier", msg.sender) && !reserves[asset].apart) flags[msg.sender] = 1;
  }
}
contract Relayed {
  address immutable relay;
  address head;
  uint256 public cap;
  uint256 public fee;
  uint256 public rate;
  event Set(address by, uint256 to);
  constructor(address r) { relay = r; head = sender(); }
  function sender() internal view returns (address who) {
    if (msg.sender == relay && msg.data.length >= 20) { assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) } }
    else who = msg.sender;
  }
  function setFee(uint256 to) external { require(sender() == head); fee = to; emit Set(sender(), to); }
  function setRate(uint256 to) external { require(sender() == head); rate = to; emit Set(sender(), to); }
  function setCap(uint256 to) external {
    cap = to; // FINDING
    emit Set(sender(), to);
  }
  function use() external payable { require(msg.value <= cap * rate + fee); }
}`,
      // A fallback of a contract that reads what it is told; a chain that is the only one.
      `pragma solidity ^0.8.20;
interface ILoan { function close() external; }
contract Kept {
  address head = msg.sender;
  ILoan loan;
  uint256 rate;
  function setRate(uint256 to) external { require(msg.sender == head); rate = to; }
  function decode(bytes calldata data) public pure returns (ILoan) { return abi.decode(data, (ILoan)); }
  fallback() external {
    loan = decode(msg.data); // FINDING
  }
  function end() external { require(msg.sender == head); loan.close(); }
}
contract Place {
  address immutable head = msg.sender;
  ILoan loan;
  uint256 rate;
  function setRate(uint256 to) external { require(msg.sender == head); rate = to; }
  function setLoan(ILoan to) external {
    require(block.chainid == 1);
    loan = to; // FINDING
  }
  function setOther(ILoan to) external {
    require(block.chainid != 1);
    loan = to; // FINDING
  }
  function end() external { require(msg.sender == head); loan.close(); }
}`,
      // What is cleared on one way only, or kept by another function, is there for the next caller.
      `pragma solidity ^0.8.20;
interface IMade { function begin() external; }
contract Maker {
  address immutable head = msg.sender;
  uint256 public root;
  uint256 public kind;
  function make(IMade to, uint256 r, bool keep) external {
    root = r; // FINDING
    to.begin();
    if (!keep) delete root;
  }
  function shape(IMade to, uint256 k) external {
    kind = k; // FINDING
    to.begin();
    delete kind;
  }
  function makeBy(IMade to, uint256 r) external { require(msg.sender == head); root = r; to.begin(); delete root; }
  function setKind(uint256 k) external { require(msg.sender == head); kind = k; }
}`,
      // An account that is made for the purpose owes nothing, and is not the one that is kept out.
      `pragma solidity ^0.8.20;
contract Terms {
  address immutable owner = msg.sender;
  mapping(address => uint256) public debt;
  mapping(address => bool) public barred;
  mapping(uint256 => uint256) public rate;
  mapping(uint256 => uint256) public cap;
  mapping(uint256 => uint256) public floor;
  function setRate(uint256 market, uint256 to) external { require(msg.sender == owner); rate[market] = to; }
  function setCap(uint256 market, uint256 to) external { require(msg.sender == owner); cap[market] = to; }
  function bar(address who) external { require(msg.sender == owner); barred[who] = true; }
  function borrow(uint256 market) external { debt[msg.sender] = rate[market] * cap[market] * floor[market]; }
  function setFloor(uint256 market, uint256 to) external {
    require(debt[msg.sender] == 0 && !barred[msg.sender]);
    floor[market] = to; // FINDING
  }
}`,
      // The contract's own functions show what is intended, whatever its base leaves open.
      `pragma solidity ^0.8.20;
contract Notes {
  mapping(address => string) noteOf;
  mapping(bytes32 => uint256) tally;
  function note(string calldata to) external { noteOf[msg.sender] = to; }
  function count(bytes32 id, uint256 to) external { tally[id] = to; }
}
contract Desk is Notes {
  address immutable head = msg.sender;
  mapping(address => uint256) limitOf;
  mapping(address => uint256) stepOf;
  function setStep(address who, uint256 to) external { require(msg.sender == head); stepOf[who] = to; }
  function setLimit(address who, uint256 to) external {
    limitOf[who] = to; // FINDING
  }
  function take() external view returns (uint256) { return limitOf[msg.sender] * stepOf[msg.sender]; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Sends {
  IERC20 internal token;
  function setToken(IERC20 next) public virtual {
    token = next; // FINDING
  }
  function pay(address to, uint256 amount) internal { token.transfer(to, amount); }
}
contract Hook is Sends {
  address owner = msg.sender;
  function draw() external { require(msg.sender == owner); pay(owner, 1); }
  function setToken(IERC20 next) public override { require(msg.sender == owner); super.setToken(next); }
}
contract Maker {
  function make() external returns (Sends) { return new Sends(); }
}`,
      `pragma solidity ^0.8.20;
contract Shop {
  address owner = msg.sender;
  uint256 public price;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setPrice(uint256 next) external onlyOwner { price = next; }
  function updatePrice(uint256 next) external {
    price = next; // FINDING
  }
  function buy() external payable { require(msg.value >= price); }
}`,
      `pragma solidity ^0.8.20;
interface IOracle { function price() external view returns (uint256); }
contract Lender {
  address admin;
  IOracle oracle;
  uint256 rate;
  constructor(IOracle o) { admin = msg.sender; oracle = o; }
  function setRate(uint256 next) external { if (msg.sender != admin) revert(); rate = next; }
  function setOracle(IOracle next) external {
    require(address(next) != address(0));
    _set(next); // FINDING
  }
  function _set(IOracle next) private {
    oracle = next;
  }
  function value() external view returns (uint256) { return oracle.price() * rate; }
}`,
      `pragma solidity ^0.8.20;
contract Pausable {
  address owner = msg.sender;
  bool public paused;
  uint256 count;
  function pause() external {
    paused = true; // FINDING
  }
  function unpause() external { require(msg.sender == owner); paused = false; }
  function use() external { require(!paused); count++; }
}`,
      `pragma solidity ^0.8.20;
contract Splitter {
  address payable receiver;
  receive() external payable {}
  function setReceiver(address payable to) external {
    receiver = to; // FINDING
  }
  function flush() external { receiver.transfer(address(this).balance); }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  uint256 constant MOST = 1000;
  address owner = msg.sender;
  uint256 fee;
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
  function changeFee(uint256 to) external {
    require(to <= MOST && to != fee);
    fee = to; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Window {
  address chief = msg.sender;
  uint256 opens;
  uint256 cap;
  function setOpens(uint256 to) external { require(msg.sender == chief); opens = to; }
  function setCap(uint256 to) external { require(msg.sender == chief); cap = to; }
  function zeroCap() external { require(msg.sender == chief); cap = 0; }
  function raise(uint256 to) external {
    require(block.number >= opens, "early");
    cap = to; // FINDING
  }
}`,
      // Who holds the role is kept beside the setting.
      `pragma solidity ^0.8.20;
contract Fees {
  struct Roles { address head; uint256 fee; }
  Roles roles;
  constructor() { roles.head = msg.sender; }
  function setFee(uint256 to) external { require(msg.sender == roles.head); roles.fee = to; }
  function changeFee(uint256 to) external {
    roles.fee = to; // FINDING
  }
}`,
      // A contract's address may be one member of what is set.
      `pragma solidity ^0.8.20;
interface IFeed { function read() external returns (uint256); }
contract Oracle {
  struct Source { IFeed feed; uint256 delay; }
  address head = msg.sender;
  Source source;
  uint256 scale;
  uint256 public last;
  function setScale(uint256 to) external { require(msg.sender == head); scale = to; }
  function setSource(Source calldata to) external {
    source = to; // FINDING
  }
  function update() external { last = source.feed.read() * scale; }
}
contract Fees {
  struct Roles { address head; address collector; }
  Roles roles;
  address payable receiver;
  constructor() { roles.head = msg.sender; }
  function setHead(address to) external { require(msg.sender == roles.head); roles.head = to; }
  function setCollector(address to) external {
    roles.collector = to; // FINDING
  }
  function collect() external { require(msg.sender == roles.head); payable(roles.collector).transfer(address(this).balance); }
}`,
      // What a contract of the caller's choosing says is the caller's word.
      `pragma solidity ^0.8.20;
interface IBook { function coin() external view returns (address); function rate() external view returns (uint256); }
contract Fund {
  address immutable admin = msg.sender;
  address coin;
  mapping(address => uint256) owed;
  uint256 public most;
  modifier byAdmin() { require(msg.sender == admin); _; }
  function sync(IBook book) external {
    coin = book.coin(); // FINDING
  }
  function setMost(uint256 to) external byAdmin { most = to; }
  function owe(address who, uint256 to) external byAdmin { owed[who] = to; }
  function paid() external view returns (address, uint256) { return (coin, owed[msg.sender] > most ? most : owed[msg.sender]); }
}`,
      // Who may edit is an account that a base without source names.
      `pragma solidity ^0.8.20;
import {Owned} from "owned/Owned.sol";
contract Book is Owned {
  mapping(bytes32 => mapping(uint256 => address)) internal entries;
  function mayEdit(bytes32) internal view virtual returns (bool) { return msg.sender == owner(); }
  modifier editable(bytes32 id) { require(mayEdit(id)); _; }
  function set(bytes32 id, address to) external editable(id) { entries[id][0] = to; }
  function setAt(bytes32 id, uint256 at, address to) external {
    entries[id][at] = to; // FINDING
  }
  function entry(bytes32 id) external view returns (address) { return entries[id][0]; }
}`,
      // Who owns an item says nothing about the caller.
      `pragma solidity ^0.8.20;
interface ISeats { function ownerOf(uint256 id) external view returns (address); }
contract Desk {
  ISeats immutable seats;
  address immutable treasury;
  address immutable chief = msg.sender;
  uint256 internal seat;
  address public feed;
  constructor(ISeats s, address t) { seats = s; treasury = t; }
  function setFeed(address to) external {
    require(seats.ownerOf(seat) == treasury, "sold");
    feed = to; // FINDING
  }
  function resetFeed(address to) external { require(msg.sender == chief); feed = to; }
  function ask() external returns (bool ok) { (ok, ) = feed.call(""); }
}`,
      // Two contracts lack the check, and both write by the same line of a library.
      `pragma solidity ^0.8.20;
library Sets {
  struct Set { address[] values; mapping(address => uint256) indexes; }
  function add(Set storage set, address each) internal {
    require(set.indexes[each] == 0);
    set.values.push(each);
    set.indexes[each] = set.values.length;
  }
  function remove(Set storage set, address each) internal { set.values.pop(); delete set.indexes[each]; }
}
contract Wallets {
  using Sets for Sets.Set;
  Sets.Set allowed;
  address immutable admin = msg.sender;
  function allow(address wallet) external { allowed.add(wallet); } // FINDING
  function deny(address wallet) external { require(msg.sender == admin); allowed.remove(wallet); }
  function isAllowed(address wallet) external view returns (bool) { return allowed.indexes[wallet] > 0; }
}
contract Factories {
  using Sets for Sets.Set;
  Sets.Set known;
  address immutable admin = msg.sender;
  function enlist(address factory) external { known.add(factory); } // FINDING
  function remove(address factory) external { require(msg.sender == admin); known.remove(factory); }
  function isKnown(address factory) external view returns (bool) { return known.indexes[factory] > 0; }
}`,
      // What is compared by its hash is not a secret; a number that is converted is still the caller's.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/math/SafeCast.sol";
contract Kinds {
  using SafeCast for uint256;
  address immutable admin = msg.sender;
  string kind = "A";
  mapping(string => address) makers;
  struct Frame { uint64 length; uint64 start; }
  Frame frame;
  function setMaker(address maker, string calldata of_) external {
    require(keccak256(bytes(of_)) == keccak256(bytes(kind)));
    makers[of_] = maker; // FINDING
  }
  function clearMaker(string calldata of_) external { require(msg.sender == admin); makers[of_] = address(0); }
  function setLength(uint256 length) external {
    frame = Frame(length.toUint64(), 1); // FINDING
  }
  function setFrame(uint256 length, uint256 start) external {
    require(msg.sender == admin);
    frame = Frame(length.toUint64(), start.toUint64());
  }
  function make(uint256 at) external view returns (address) { return at < frame.length ? makers[kind] : admin; }
}`,
      // One slot must be unset, and another is set.
      `pragma solidity ^0.8.20;
contract Oracle {
  bytes32 constant STOPPED = keccak256("oracle.stopped");
  bytes32 constant LAST = keccak256("oracle.last");
  address immutable admin = msg.sender;
  uint256 public rate;
  function report(uint256 to) external {
    require(_at(STOPPED) == 0);
    _set(LAST, to);
    rate = to; // FINDING
  }
  function setRate(uint256 to) external { require(msg.sender == admin); rate = to; }
  function _at(bytes32 slot) internal view returns (uint256 value) { assembly { value := sload(slot) } }
  function _set(bytes32 slot, uint256 value) internal { assembly { sstore(slot, value) } }
}`,
      // A constant names the slot of the setting.
      `pragma solidity ^0.8.20;
library Slots {
  function set(bytes32 slot, uint256 n) internal { assembly { sstore(slot, n) } }
  function get(bytes32 slot) internal view returns (uint256 n) { assembly { n := sload(slot) } }
}
contract Legacy {
  using Slots for bytes32;
  bytes32 internal constant TIME = keccak256("time");
  bytes32 internal constant POOLED = keccak256("pooled");
  address immutable boss = msg.sender;
  function last() external view returns (uint256) { return TIME.get() + POOLED.get(); }
  function begin(uint256 n) external { require(msg.sender == boss); TIME.set(n); }
  function report(uint256 n) external {
    POOLED.set(n); // FINDING
  }
}`,
      // The fee is kept within bounds, and adjusted by anyone according to demand; only the setter is privileged.
      `pragma solidity ^0.8.20;
contract Desk {
  uint256 constant MOST = 1000 ether;
  uint256 constant LEAST = 1 gwei;
  address public admin = msg.sender;
  uint256 public fee;
  uint64 public timeout;
  uint64 public target;
  modifier onlyAdmin() { require(msg.sender == admin); _; }
  function setTimeout(uint64 t) external onlyAdmin { if (t > 7 days) revert(); timeout = t; }
  function setTarget(uint64 t) external onlyAdmin { if (t > 1 days) revert(); target = t; }
  function setFee(uint256 f) external {
    if (f > MOST || f < LEAST) revert();
    fee = f; // FINDING
  }
  function settle() external {
    fee = (fee * (block.timestamp - target)) / timeout;
    if (fee > MOST) fee = MOST;
    else if (fee < LEAST) fee = LEAST;
  }
}`,
      // Nobody checks who has the code run on the storage of the shell.
      `pragma solidity ^0.8.20;
interface ICode {
  function setPool(address to) external;
  function setRouter(address to) external;
}
contract Shell {
  address immutable vault;
  address immutable code;
  constructor(address v, address c) { vault = v; code = c; }
  function setPool(address to) external {
    require(vault != address(0));
    (bool ok, ) = code.delegatecall(abi.encodeCall(ICode.setPool, (to)));
    require(ok);
  }
  function setRouter(address to) external {
    require(vault != address(0));
    bytes memory data = abi.encodeWithSelector(ICode.setRouter.selector, to);
    (bool ok, ) = code.delegatecall(data);
    require(ok);
  }
  function setKeeper(address) external {
    require(vault != address(0));
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
  function setOracle(address to) external {
    require(vault != address(0));
    (bool ok, ) = code.delegatecall(abi.encodeWithSignature("setOracle(address)", to));
    require(ok);
  }
}
interface IPart { function poke() external; }
contract Code {
  address immutable boss = msg.sender;
  uint256 public halted;
  IPart pool;
  IPart router;
  IPart keeper;
  IPart oracle;
  function setPool(address to) external { pool = IPart(to); } // FINDING
  function setRouter(address to) external { router = IPart(to); } // FINDING
  function setKeeper(address to) external { keeper = IPart(to); } // FINDING
  function setOracle(address to) external { oracle = IPart(to); } // FINDING
  function halt() external { require(msg.sender == boss); halted = block.number; }
  function poke() external { pool.poke(); router.poke(); keeper.poke(); oracle.poke(); }
}`,
      // The contract has its own function run, which anyone may call as well.
      `pragma solidity ^0.8.20;
interface IPart { function poke() external; }
contract Code {
  address immutable boss = msg.sender;
  IPart pool;
  function setPool(address to) external { pool = IPart(to); } // FINDING
  function reset(address to) external {
    require(msg.sender == boss);
    (bool ok, ) = address(this).delegatecall(abi.encodeWithSignature("setPool(address)", to));
    require(ok);
  }
  function poke() external { pool.poke(); }
}`,
      // What is called for the role hands it out.
      `pragma solidity ^0.8.20;
abstract contract Roles {
  mapping(address => mapping(bytes32 => bool)) public has;
  function requireRole(bytes32 role, address who) external virtual;
}
contract OwnRoles is Roles {
  address immutable boss = msg.sender;
  function give(bytes32 role, address who) external { require(msg.sender == boss); has[who][role] = true; }
  function requireRole(bytes32 role, address who) external override { if (!has[who][role]) has[who][role] = true; }
}
interface IPart { function poke() external; }
contract Policy {
  Roles immutable roles;
  address immutable boss = msg.sender;
  uint256 public halted;
  IPart part;
  constructor(Roles r) { roles = r; }
  function halt() external { require(msg.sender == boss); halted = block.number; }
  modifier only(bytes32 role) { roles.requireRole(role, msg.sender); _; }
  function setPart(IPart p) external only("admin") { part = p; } // FINDING
  function poke() external { part.poke(); }
}`,
      `pragma solidity ^0.8.20;
// Flipped by whoever comes next; a name selects the setting, and only another one may have to wait for the keepers; what
// selects the entry is hashed in assembly.
struct Pair { address base; address quote; uint256 ratio; }
library Pairs { function idOf(Pair memory pair) internal pure returns (bytes32 id) { assembly ("memory-safe") { id := keccak256(pair, 96) } } }
contract Sale {
  address immutable owner = msg.sender;
  bool public open;
  uint256 price = 1 ether;
  mapping(address => uint256) public bought;
  function setPrice(uint256 to) external { require(msg.sender == owner); price = to; }
  function flip() external { open = !open; } // FINDING
  function buy() external payable { require(open && msg.value >= price); bought[msg.sender] += 1; }
  function refund() external { uint256 n = bought[msg.sender]; bought[msg.sender] = 0; payable(msg.sender).transfer(n * price); }
}
contract Vesting {
  address immutable owner = msg.sender;
  mapping(address => bool) keepers;
  address manager;
  uint256 fee;
  uint256 period;
  uint256 last;
  uint256 total;
  function setManager(address to) external { require(msg.sender == owner); manager = to; }
  function setKeeper(address who) external { require(msg.sender == owner); keepers[who] = true; }
  function accrue() public { if (block.timestamp < last + 1 days && !keepers[msg.sender]) revert(); last = block.timestamp; total += fee * period; }
  function file(bytes32 what, uint256 to) external {
    if (what == "fee") fee = to; // FINDING
    else { accrue(); if (what == "period") period = to; else revert(); }
  }
}
contract Markets {
  using Pairs for Pair;
  struct Market { uint256 fee; uint256 since; }
  mapping(bytes32 => Market) markets;
  mapping(bytes32 => mapping(address => uint256)) held;
  address owner = msg.sender;
  address feeTo;
  function setFeeTo(address to) external { require(msg.sender == owner); feeTo = to; }
  function setOwner(address to) external { require(msg.sender == owner); owner = to; }
  function setFee(Pair memory pair, uint256 to) external {
    bytes32 id = pair.idOf();
    require(markets[id].since != 0 && to <= 1e17);
    markets[id].fee = to; // FINDING
  }
  function create(Pair memory pair) external { bytes32 id = pair.idOf(); require(markets[id].since == 0); markets[id].since = block.timestamp; }
}`,
      // What must not be zero is what the caller passes, not what is stored.
      `pragma solidity ^0.8.20;
interface IBridge { function send(bytes calldata data) external; }
contract Inbox {
  address immutable admin = msg.sender;
  IBridge public bridge;
  error Zero();
  function initialize(IBridge to) external {
    if (to == IBridge(address(0))) revert Zero();
    bridge = to; // FINDING
  }
  function send(bytes calldata data) external { require(msg.sender == admin); bridge.send(data); }
}`,
      // A record in a list that a loop walks; one of which each stands alone is a request.
      `pragma solidity ^0.8.20;
interface ICourt { function open(uint256 choices) external payable returns (uint256); }
contract Disputes {
  struct Dispute { bytes data; bool ruled; uint256 ruling; uint256 choices; }
  ICourt immutable court;
  address owner = msg.sender;
  Dispute[] disputes;
  Dispute[] walked;
  uint256 fee;
  mapping(uint256 => uint256) localOf;
  constructor(ICourt c) { court = c; }
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
  function create(bytes calldata data, uint256 choices) external payable {
    uint256 id = court.open{value: msg.value}(choices);
    localOf[id] = disputes.length;
    disputes.push(Dispute(data, false, 0, choices));
  }
  function rule(uint256 id, uint256 ruling) external {
    Dispute storage dispute = disputes[localOf[id]];
    require(msg.sender == address(court) && ruling <= dispute.choices + fee);
    dispute.ruled = true;
    dispute.ruling = ruling;
  }
  function createWalked(bytes calldata data, uint256 choices) external payable {
    walked.push(Dispute(data, false, 0, choices)); // FINDING
  }
  function close() external {
    require(msg.sender == owner);
    uint256 n = walked.length;
    for (uint256 i = 0; i < n; i++) { walked[i].ruled = true; fee += walked[i].choices; }
  }
}`,
      // One entry is set up once, or anew by anyone.
      `pragma solidity ^0.8.20;
contract Chain {
  address owner = msg.sender;
  mapping(address => bool) provers;
  mapping(address => bool) sequencers;
  mapping(uint256 => bytes32) roots;
  function setProver(address who, bool on) external { require(msg.sender == owner); provers[who] = on; }
  function setSequencer(address who, bool on) external { require(msg.sender == owner); sequencers[who] = on; }
  function importGenesis(bytes32 root) external {
    require(root != 0 && roots[0] == bytes32(0));
    roots[0] = root;
  }
  function finalize(uint256 i, bytes32 root) external { require(provers[msg.sender] && i > 0); roots[i] = root; }
  function commit(uint256 i) external view returns (bytes32) { require(sequencers[msg.sender]); return roots[i]; }
}
contract OpenChain {
  address owner = msg.sender;
  mapping(address => bool) provers;
  mapping(address => bool) sequencers;
  mapping(uint256 => bytes32) roots;
  function setProver(address who, bool on) external { require(msg.sender == owner); provers[who] = on; }
  function setSequencer(address who, bool on) external { require(msg.sender == owner); sequencers[who] = on; }
  function importGenesis(bytes32 root) external {
    require(root != 0);
    roots[0] = root; // FINDING
  }
  function finalize(uint256 i, bytes32 root) external { require(provers[msg.sender] && i > 0); roots[i] = root; }
  function commit(uint256 i) external view returns (bytes32) { require(sequencers[msg.sender]); return roots[i]; }
}`,
    ],
    safe: [
      // Only the shell's vault has the code run, on the storage of the shell.
      `pragma solidity ^0.8.20;
interface ICode {
  function setPool(address to) external;
  function setRouter(address to) external;
}
contract Shell {
  address immutable vault;
  address immutable code;
  constructor(address v, address c) { vault = v; code = c; }
  function setPool(address to) external {
    require(msg.sender == vault);
    (bool ok, ) = code.delegatecall(abi.encodeCall(ICode.setPool, (to)));
    require(ok);
  }
  function setRouter(address to) external {
    require(msg.sender == vault);
    bytes memory data = abi.encodeWithSelector(ICode.setRouter.selector, to);
    (bool ok, ) = code.delegatecall(data);
    require(ok);
  }
  function setKeeper(address) external {
    require(msg.sender == vault);
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
  function setOracle(address to) external {
    require(msg.sender == vault);
    (bool ok, ) = code.delegatecall(abi.encodeWithSignature("setOracle(address)", to));
    require(ok);
  }
}
interface IPart { function poke() external; }
contract Code {
  address immutable boss = msg.sender;
  uint256 public halted;
  IPart pool;
  IPart router;
  IPart keeper;
  IPart oracle;
  function setPool(address to) external { pool = IPart(to); }
  function setRouter(address to) external { router = IPart(to); }
  function setKeeper(address to) external { keeper = IPart(to); }
  function setOracle(address to) external { oracle = IPart(to); }
  function halt() external { require(msg.sender == boss); halted = block.number; }
  function poke() external { pool.poke(); router.poke(); keeper.poke(); oracle.poke(); }
}`,
      // The abstract function may change something, but the one that runs only refuses.
      `pragma solidity ^0.8.20;
abstract contract Roles {
  mapping(address => mapping(bytes32 => bool)) public has;
  function requireRole(bytes32 role, address who) external virtual;
}
contract OwnRoles is Roles {
  address immutable boss = msg.sender;
  function give(bytes32 role, address who) external { require(msg.sender == boss); has[who][role] = true; }
  function requireRole(bytes32 role, address who) external view override { if (!has[who][role]) revert(); }
}
interface IPart { function poke() external; }
contract Policy {
  Roles immutable roles;
  address immutable boss = msg.sender;
  uint256 public halted;
  IPart part;
  constructor(Roles r) { roles = r; }
  function halt() external { require(msg.sender == boss); halted = block.number; }
  modifier only(bytes32 role) { roles.requireRole(role, msg.sender); _; }
  function setPart(IPart p) external only("admin") { part = p; }
  function poke() external { part.poke(); }
}`,
      // The present hub is asked first, or only the caller is recorded, which the owner is compared with.
      `pragma solidity ^0.8.20;
interface IHub { function hasRole(bytes32 role, address who) external view returns (bool); }
interface IRegistry { function hub() external view returns (IHub); }
contract Part {
  IHub public hub;
  IHub public other;
  IRegistry immutable registry;
  uint256 public ratio;
  constructor(IHub h, IRegistry r) { hub = h; registry = r; }
  modifier governance() { require(hub.hasRole("OWNER", msg.sender)); _; }
  function setRatio(uint256 to) public governance { ratio = to; }
  function setHub(IHub h, uint256 to) external governance { hub = h; setRatio(to); }
  function adopt(uint256 to) external { hub = registry.hub(); setRatio(to); }
  function admit(IHub h, uint256 to) external { other = h; setRatio(to); }
}
contract Proxied {
  address public proxy;
  address public owner;
  address public messageSender;
  IHub public hub;
  constructor(address p) { proxy = p; owner = msg.sender; }
  modifier asProxied() { if (msg.sender != proxy && messageSender != msg.sender) messageSender = msg.sender; _; }
  function setMessageSender(address who) external { require(msg.sender == proxy); messageSender = who; }
  function setHub(IHub h) external asProxied { require(messageSender == owner); hub = h; }
  function ask() external view returns (bool) { return hub.hasRole("x", msg.sender); }
}`,
      // An offer is added for what the caller pays.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Auction {
  struct Bounty { address token; uint256 amount; }
  Bounty[] bounties;
  address winner;
  uint256 fee;
  address immutable owner = msg.sender;
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
  function add(IERC20 token, uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    bounties.push(Bounty(address(token), amount));
  }
  function settle(uint256 id, address to) external {
    require(msg.sender == owner);
    require(IERC20(bounties[id].token).transfer(to, bounties[id].amount - fee));
  }
}`,
      // A factory has a new proxy run the fallback, which reads nothing of what it sets.
      `pragma solidity ^0.8.20;
interface ILoan { function close() external; }
contract Stored { ILoan internal loan; address internal pool; }
contract Setup is Stored {
  function decode(bytes calldata data) public pure returns (ILoan, address) { return abi.decode(data, (ILoan, address)); }
  fallback() external { (loan, pool) = decode(msg.data); }
}
contract Locker is Stored {
  function setLoan(ILoan to) external { require(msg.sender == pool); loan = to; }
  function setPool(address to) external { require(msg.sender == pool); pool = to; }
  function close() external { require(msg.sender == pool); loan.close(); }
}`,
      // What a created contract asks its maker for is there only while the call runs.
      `pragma solidity ^0.8.20;
contract Made {
  uint256 public immutable root;
  address public immutable asset;
  constructor() { root = Maker(msg.sender).root(); (asset, ) = Maker(msg.sender).order(); }
}
contract Maker {
  struct Order { address asset; uint256 size; }
  address immutable head = msg.sender;
  uint256 public root;
  Order public order;
  function make(uint256 r, address a) external { root = r; order.asset = a; build(); }
  function makeBy(uint256 r, address a) external { require(msg.sender == head); root = r; order.asset = a; build(); }
  function build() private { new Made(); delete root; delete order; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
abstract contract Sends {
  IERC20 internal token;
  function setToken(IERC20 next) public virtual { token = next; }
  function pay(address to, uint256 amount) internal { token.transfer(to, amount); }
}
contract Hook is Sends {
  address owner = msg.sender;
  function draw() external { require(msg.sender == owner); pay(owner, 1); }
  function setToken(IERC20 next) public override { require(msg.sender == owner); super.setToken(next); }
}`,
      `pragma solidity ^0.8.20;
interface IOracle { function price() external view returns (uint256); }
contract Lender {
  address admin = msg.sender;
  IOracle oracle;
  uint256 rate;
  mapping(address => uint256) public wish;
  modifier byAdmin() { _check(); _; }
  function _check() internal view { require(msg.sender == admin); }
  function setRate(uint256 next) external byAdmin { rate = next; }
  function setOracle(IOracle next) external byAdmin { oracle = next; }
  function want(uint256 amount) external { wish[msg.sender] = amount; }
  function value() external view returns (uint256) { return oracle.price() * rate; }
}`,
      `pragma solidity ^0.8.20;
contract Auction {
  address owner = msg.sender;
  address payable leader;
  uint256 public best;
  string public motto;
  bool over;
  function bid() external payable {
    require(msg.value > best);
    if (leader != address(0)) { (bool ok, ) = leader.call{value: best, gas: 2300}(""); ok; }
    best = msg.value;
    leader = payable(msg.sender);
  }
  function say(string calldata words) external { motto = words; }
  function reset() external { require(msg.sender == owner); best = 0; leader = payable(address(0)); }
}`,
      // Set once, paid for, signed, or another rule's business.
      `pragma solidity ^0.8.20;
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
interface IOracle { function price() external view returns (uint256); }
contract Lender {
  address payable admin = payable(msg.sender);
  address signer = msg.sender;
  IOracle first;
  IOracle paid;
  IOracle signed;
  uint256 rate;
  function setRate(uint256 to) external { require(msg.sender == admin); rate = to; }
  function begin(IOracle to) external { require(address(first) == address(0)); first = to; }
  function buy(IOracle to) external payable { require(msg.value >= 1 ether); paid = to; }
  function sign(IOracle to, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(to, this)), v, r, s) == signer);
    signed = to;
  }
  function claim(address payable to) external { admin = to; }
  function sweep() external { require(msg.sender == admin); admin.transfer(address(this).balance); }
  function value() external view returns (uint256) { return (first.price() + paid.price() + signed.price()) * rate; }
}
contract Reader is ReentrancyGuard {
  IOracle oracle;
  uint256 public last;
  function setOracle(IOracle to) external { oracle = to; }
  function read() external nonReentrant { last = oracle.price(); }
}`,
      // Whom another contract is told of is neither called nor paid.
      `pragma solidity ^0.8.20;
interface IBooks { function transfer(address from, uint256 book, address to) external; function note(address who, uint256 book) external; }
contract Shelf {
  IBooks immutable books;
  address writer;
  constructor(IBooks b) { books = b; }
  function setWriter(address to) external { writer = to; }
  function hand(uint256 book) external { books.transfer(writer, book, msg.sender); }
  function note(uint256 book) external { books.note(writer, book); }
}`,
      // What a contract says is recorded as its own, or the contract is one that the owner admitted.
      `pragma solidity ^0.8.20;
interface IBook { function rate() external view returns (uint256); }
contract Rates {
  address immutable admin = msg.sender;
  mapping(IBook => uint256) public rates;
  mapping(IBook => bool) admitted;
  uint256 public last;
  uint256 public most;
  uint256 public least;
  modifier byAdmin() { require(msg.sender == admin); _; }
  function note(IBook book) external { rates[book] = book.rate(); }
  function use(IBook book) external { require(admitted[book]); last = book.rate(); }
  function useAny(IBook book) external byAdmin { last = book.rate(); }
  function admit(IBook book) external byAdmin { admitted[book] = true; }
  function setMost(uint256 to) external byAdmin { most = to; }
  function setLeast(uint256 to) external byAdmin { least = to; }
  function quote() external view returns (uint256) { return last > most ? most : last < least ? least : last; }
}`,
      // Anyone may name a feed that the registry lists.
      `pragma solidity ^0.8.20;
interface IFeed { function price() external returns (uint256); }
interface IRegistry { function isListed(IFeed feed) external view returns (bool); }
contract Oracle {
  address owner = msg.sender;
  IRegistry immutable registry;
  IFeed public feed;
  uint256 public price;
  constructor(IRegistry r) { registry = r; }
  function collect(address payable to) external { require(msg.sender == owner); to.transfer(address(this).balance); }
  function setFeed(IFeed to) external { require(registry.isListed(to), "unlisted"); feed = to; }
  function update() external { price = feed.price(); }
}`,
      // The slot that says whether it has run is named by a constant.
      `pragma solidity ^0.8.20;
contract Oracle {
  bytes32 constant VERSION = keccak256("oracle.version");
  bytes32 constant FEED = keccak256("oracle.feed");
  address immutable admin = msg.sender;
  uint256 public rate;
  function initialize(address feed, uint256 to) external {
    require(_at(VERSION) == 0);
    _set(VERSION, 1);
    _set(FEED, uint160(feed));
    rate = to;
  }
  function setFeed(address feed) external { require(msg.sender == admin); _set(FEED, uint160(feed)); }
  function setRate(uint256 to) external { require(msg.sender == admin); rate = to; }
  function _at(bytes32 slot) internal view returns (uint256 value) { assembly { value := sload(slot) } }
  function _set(bytes32 slot, uint256 value) internal { assembly { sstore(slot, value) } }
}`,
      `pragma solidity ^0.8.20;
// The role check is declared without "view", but what implements it only looks something up; a proxy checks the caller and
// runs the function of the same signature on its own state; a flag of everyone's in a contract that knows nobody.
abstract contract Roles { function demand(bytes32 role, address who) external virtual; }
contract StoredRoles is Roles {
  address immutable owner = msg.sender;
  mapping(address => mapping(bytes32 => bool)) public has;
  function demand(bytes32 role, address who) external view override { require(has[who][role]); }
  function grant(bytes32 role, address who) external { require(msg.sender == owner); has[who][role] = true; }
}
contract Policy {
  Roles immutable roles;
  uint256 public rate;
  uint256 public cap;
  address immutable owner = msg.sender;
  constructor(Roles r) { roles = r; }
  modifier onlyRole(bytes32 role) { roles.demand(role, msg.sender); _; }
  function setRate(uint256 to) external onlyRole("rate") { rate = to; }
  function setCap(uint256 to) external { require(msg.sender == owner); cap = to; }
}
contract Holder {
  address immutable vault;
  address immutable code;
  constructor(address v, address c) { vault = v; code = c; }
  function run(bytes calldata data) external {
    require(msg.sender == vault);
    (bool ok, ) = code.delegatecall(abi.encodeWithSelector(Code.run.selector, data));
    require(ok);
  }
}
contract Code {
  address borrower;
  uint256 most;
  function run(bytes calldata data) external {
    (uint256 what, address who, uint256 n) = abi.decode(data, (uint256, address, uint256));
    if (what == 0) { borrower = who; most = n; } else { most += n; }
  }
  function borrow(uint256 n) external { require(msg.sender == borrower); most -= n; payable(msg.sender).transfer(n); }
}
contract Lamp { bool public on; uint256 public flips; function flip() external { on = !on; flips += 1; } }`,
      // Whoever knows the text behind a stored hash may be anyone: that says nothing about who may change a setting.
      `pragma solidity ^0.8.20;
contract Chain {
  bytes32 head;
  uint256 period;
  uint256 last;
  function advance(bytes32 previous, bytes32 next) external {
    require(keccak256(abi.encode(previous, next)) == head && block.number > last + period);
    head = next;
    last = block.number;
  }
  function setPeriod(uint256 to) external { period = to; }
}`,
      // It runs once, whatever type the zero has.
      `pragma solidity ^0.8.20;
interface IBridge { function send(bytes calldata data) external; }
contract Inbox {
  address immutable admin = msg.sender;
  IBridge public bridge;
  error AlreadyInit();
  error Zero();
  function initialize(IBridge to) external {
    if (bridge != IBridge(address(0))) revert AlreadyInit();
    if (to == IBridge(address(0))) revert Zero();
    bridge = to;
  }
  function send(bytes calldata data) external { require(msg.sender == admin); bridge.send(data); }
}`,
    ],
  },
}

/** Settings that deviate: the caller's value is written, or a switch that others write behind a check. */
const settings = (program: Program): ReadonlyArray<Deviation> =>
  deviations(program).filter(
    ({ deed, reason }) =>
      (reason === "same" || reason === "setter" || reason === "global") &&
      // adding a value is not setting it to the caller's choice
      ((isSetting(deed) &&
        isNamed(deed.value) &&
        deed.reached.event.kind === "write" &&
        deed.reached.event.operation !== "compound") ||
        deed.variable?.type.kind === "bool") &&
      !isAuthority(program, deed),
  )

/** `require(dao.current() != address(this))`: until it is used. */
const isBeforeUse = ({ demands }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" && fact.operator === "!=" && sidesOf(fact).some((side) => only(side, Source.self)),
  )

const severityOf = (deed: Deed): { readonly severity?: "low" | "medium" } =>
  isForOtherChain(deed) ? { severity: "low" } : isBeforeUse(deed) ? { severity: "medium" } : {}

/** Another rule covers privileged accounts. */
const isAuthority = (program: Program, { variable }: Deed): boolean =>
  variable !== undefined && authorities(program).has(variable)

/** Variables whose address is paid, or called by a contract that restricts callers. */
const calledState = (program: Program): ReadonlySet<StateVariable> => {
  const owned = new Set<ContractModel | undefined>([...authorities(program).keys()].map(({ contract }) => contract))
  for (const flow of program.allFlows()) {
    if (shutsOut(flow, flow.exit)) owned.add(flow.fn.contract)
  }
  const found = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    for (const call of directCalls(flow)) {
      const { event } = call
      if (event.receiver === undefined) continue
      const pays = event.value !== undefined && has(originsThrough(flow, call, event.value), Source.balance)
      const restricts = flow.context?.linearization.some((contract) => owned.has(contract)) === true
      for (const variable of originsThrough(flow, call, event.receiver).state) {
        if (variable.contract !== undefined && (pays || restricts)) found.add(variable)
      }
      if (event.name !== "transfer" || event.args.length !== 2) continue
      for (const variable of originsThrough(flow, call, event.args[0]!).state) found.add(variable)
    }
  }
  return found
}
