import { scopesOf } from "../../access/table/reported.ts"
import { unsetMarks } from "../../access/checks/unsetMarks.ts"
import type { DemandKind } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeAt, placeOf } from "../../questions/authority/attackerControl.ts"
import { openInitializer } from "../initialization/open-initializer.ts"

export const unsetMark: Rule<Program> = {
  meta: {
    id: "evm/logic/unset-mark",
    class: "repeatable-action",
    title: "Completion flag is never set",
    severity: "medium",
    confidence: "medium",
    cwe: [841, 799],
    description:
      "The function requires that something has not happened yet (initialized, claimed, filled, executed), but " +
      "no function ever records that it has, so the condition always holds. What was meant to happen once can " +
      "be repeated: someone else initializes the contract again, or the same claim or order is paid until " +
      "nothing is left.",
    remediation:
      "Set the flag where the action is performed, before any external call: `require(!done[id]); done[id] = " +
      "true;`. If nothing is meant to set it, remove the condition.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },

  check: (program, report) => {
    let told: ReadonlySet<string> | undefined
    for (const { entry, deed, fact, variable } of unsetMarks(program)) {
      told ??= scopesOf(program, [openInitializer])
      if (told.has(entry.fn.scope)) continue
      report({
        ...placeAt(fact.at, fact.expression),
        scope: entry.fn.scope,
        message: `Nothing sets \`${variable.name}\`, so this condition always holds.`,
        trace: [...callSteps(deed.reached.via), { ...placeOf(deed.reached.event), note: "can happen again" }],
        // whoever is trusted with the action may repeat it by mistake only
        ...(deed.demands.kinds.every((kind) => entitling.has(kind)) ? {} : { severity: "low" }),
      })
    }
  },

  examples: {
    vulnerable: [
      // It is reset where it must be unset anyway; the copy that proxies use is locked for good.
      `pragma solidity ^0.8.20;
contract Wrapped {
  uint256 public total;
  bool public ready = false;
  function begin(uint256 n) external {
    require(!ready); // FINDING
    ready = false;
    total += n;
  }
}
contract WrappedMaster is Wrapped { constructor() { ready = true; } }`,
      `pragma solidity ^0.8.20;
contract Account {
  bool public ready = false;
  address public owner;
  uint256 public limit;
  uint256 public pot;
  bool opened = false;
  function setUp(address first) external {
    require(!ready);
    owner = first;
  }
  function open() external { require(!opened); pot += 5; } // FINDING
  function setLimit(uint256 to) external { require(msg.sender == owner); limit = to; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Desk {
  struct Order { address maker; uint256 amount; bool filled; }
  mapping(uint256 => Order) public orders;
  mapping(uint256 => Order) named;
  uint256 count;
  IERC20 immutable token;
  constructor(IERC20 t) { token = t; }
  function make(uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    orders[count] = Order(msg.sender, amount, false);
    named[count++] = Order({filled: false, amount: amount, maker: msg.sender});
  }
  function pay(uint256 id) external {
    Order storage order = orders[id];
    if (order.filled) revert(); // FINDING
    require(token.transfer(order.maker, order.amount));
  }
  function payNamed(uint256 id) external {
    require(!named[id].filled); // FINDING
    require(token.transfer(named[id].maker, named[id].amount));
  }
}`,
      // A constructor locks the implementation only, and a signature can be used again.
      `pragma solidity ^0.8.20;
contract Relay {
  bool set = false;
  address signer;
  mapping(bytes32 => bool) used;
  uint256 total;
  constructor() { set = true; signer = msg.sender; }
  function add() external { require(!set); total += 5; } // FINDING
  function pay(address payable to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(block.chainid, address(this), to, amount));
    require(!used[digest]); // FINDING
    require(signer != address(0) && ecrecover(digest, v, r, s) == signer);
    to.transfer(amount);
  }
}`,
      // That other code may run in the contract's storage does not mean that it sets the mark.
      `pragma solidity ^0.8.20;
interface IVerifier { function verify(bytes calldata proof, bytes32 nullifier) external view returns (bool); }
contract Pool {
  struct Store { mapping(bytes32 => bool) spent; uint256 left; }
  IVerifier immutable verifier;
  address immutable owner = msg.sender;
  constructor(IVerifier v) payable { verifier = v; }
  function _store() private pure returns (Store storage s) {
    bytes32 slot = keccak256("pool");
    assembly { s.slot := slot }
  }
  function upgrade(address to, bytes calldata data) external {
    require(msg.sender == owner);
    (bool done, ) = to.delegatecall(data);
    require(done);
  }
  function leave(bytes calldata proof, bytes32 nullifier, address payable to) external {
    if (_store().spent[nullifier]) revert(); // FINDING
    require(verifier.verify(proof, nullifier));
    _store().left++;
    to.transfer(1 ether);
  }
  function reset(bytes32 nullifier) external { require(msg.sender == owner); _store().spent[nullifier] = false; }
}`,
      // What entitles to one turn is a proof, a ticket or a place on a list, or that nobody came first.
      `pragma solidity ^0.8.20;
library MerkleProof {
  function verify(bytes32[] calldata proof, bytes32 root, bytes32 leaf) internal pure returns (bool) {
    for (uint256 i; i < proof.length; i++) leaf = keccak256(abi.encode(leaf, proof[i]));
    return leaf == root;
  }
}
contract Drop {
  bytes32 immutable root;
  address immutable owner = msg.sender;
  bool begun;
  bool funded;
  address[] members;
  mapping(address => uint256) seats;
  mapping(address => uint256) paid;
  mapping(uint256 => address) public ownerOf;
  mapping(address => bool) claimed;
  mapping(address => bool) cashed;
  mapping(address => bool) collected;
  mapping(address => bool) refunded;
  mapping(uint256 => bool) redeemed;
  constructor(bytes32 r) payable { root = r; }
  function seat(address who) external { require(msg.sender == owner); members.push(who); seats[who] = members.length; }
  function join() external payable { paid[msg.sender] += msg.value; }
  function mint(uint256 id) external payable {
    require(msg.value == 1 ether && ownerOf[id] == address(0));
    ownerOf[id] = msg.sender;
  }
  function claim(address payable to, uint256 amount, bytes32[] calldata proof) external {
    require(!claimed[to]); // FINDING
    require(MerkleProof.verify(proof, root, keccak256(abi.encode(to, amount))));
    to.transfer(amount);
  }
  function cash(address payable to) external {
    require(msg.sender == to && !cashed[to]); // FINDING
    to.transfer(0.1 ether);
  }
  function collect() external {
    require(seats[msg.sender] > 0 && !collected[msg.sender]); // FINDING
    payable(msg.sender).transfer(1 ether);
  }
  function refund(uint256 amount) external {
    require(paid[msg.sender] >= amount);
    if (refunded[msg.sender]) revert(); // FINDING
    payable(msg.sender).transfer(amount);
  }
  function redeem(uint256 id) external {
    require(ownerOf[id] == msg.sender);
    if (redeemed[id]) revert(); // FINDING
    payable(msg.sender).transfer(2 ether);
  }
  function begin(address payable to) external {
    require(!begun);
    begun = true;
    require(!funded); // FINDING
    to.transfer(3 ether);
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Account {
  bool public ready = false;
  bool closed;
  address public owner;
  uint256 public limit;
  function setUp(address first) external {
    require(!ready);
    ready = true;
    owner = first;
  }
  function close() external { require(msg.sender == owner); closed = true; }
  function setLimit(uint256 to) external { require(msg.sender == owner && !closed); limit = to; }
}`,
      `pragma solidity ^0.8.20;
import "./Bits.sol";
contract Terms {
  bool immutable closed;
  bool late;
  uint256 total;
  constructor(bool isClosed, bool isLate) { closed = isClosed; late = isLate; }
  function add() external { require(!closed && !late); total += 5; }
}
contract Clock {
  uint256 live = 1;
  uint256 open;
  bool isOld;
  mapping(address => bool) barred;
  uint256 total;
  address immutable owner = msg.sender;
  constructor(IOld old) { open = 1; barred[address(old)] = true; if (old.exists()) isOld = true; }
  function stop() external { require(msg.sender == owner); live = 0; open = 0; }
  function settle() external { require(live == 0 && open == 0 && !isOld && !barred[msg.sender]); total += 5; }
}
interface IOld { function exists() external view returns (bool); }
contract Setup {
  uint256 internal nonce;
  uint256 internal total;
  address immutable self = address(this);
  function run() external { require(address(this) != self && nonce == 0); total = 5; }
}
contract Escrow {
  struct Account { uint256 held; uint256 leaving; uint256 until; }
  mapping(address => Account) accounts;
  function leave(uint256 amount) external { accounts[msg.sender].held += amount; accounts[msg.sender].leaving = amount; }
  function take(address from, uint256 amount) external {
    Account storage account = accounts[from];
    account.held -= amount;
    if (account.leaving > account.held) {
      account.leaving = account.held;
      if (account.leaving == 0) account.until = 0;
    }
  }
}
contract Marks {
  using Bits for Bits.Map;
  struct Order { address maker; bool filled; bool open; }
  struct Store { mapping(bytes32 => bool) spent; }
  bool on = true;
  bool constant CLOSED = false;
  mapping(uint256 => Order) orders;
  mapping(bytes32 => uint256) seen;
  mapping(bytes32 => bool) used;
  Bits.Map bits;
  uint256[] list;
  uint256 total;
  function _store() private pure returns (Store storage s) {
    bytes32 slot = keccak256("marks");
    assembly { s.slot := slot }
  }
  function make(uint256 id) external { orders[id] = Order(msg.sender, true, false); }
  function fill(uint256 id) external { require(!orders[id].filled); total++; }
  function take(uint256 id) external { require(!orders[id].open); orders[id].open = true; total++; }
  function spend(bytes32 id) external { require(!_store().spent[id]); _spend(_store(), id); total++; }
  function _spend(Store storage store, bytes32 id) private { store.spent[id] = true; }
  function count(bytes32 id) external { require(seen[id] == 0); seen[id]++; total++; }
  function tick(uint256 id) external { require(!bits.has(id)); bits.set(id); total++; }
  function begin() external { require(list.length == 0); total = 1; }
  function off() external { require(!on); total = 2; }
  function open() external { require(!CLOSED); total = 3; }
  function flip(bytes32 id) external {
    require(!used[id]);
    assembly {
      mstore(0, id)
      mstore(32, used.slot)
      sstore(keccak256(0, 64), 1)
    }
    total++;
  }
}`,
    ],
  },
}

/** What entitles somebody to one turn does not entitle them to two. */
const entitling: ReadonlySet<DemandKind> = new Set<DemandKind>([
  "proof",
  "signature",
  "self",
  "holder",
  "listed",
  "once",
])
