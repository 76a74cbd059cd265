import { demandsAt } from "../../../../../../domain/detection/solidity/demands/demands.ts"
import { openingOf } from "../../../../../../domain/detection/solidity/demands/openings.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Whom a condition keeps out, and how anyone gets past it. */
export const standings = questionTable(
  "standings",
  {
    who: (flow, _, at) => {
      const { standing, kinds, inspected, facts } = demandsAt(flow, at)
      const openings = new Set(facts.flatMap((fact) => openingOf(fact) ?? []))
      return [standing, ...kinds, ...(inspected ? ["inspected"] : []), ...openings].join(" ")
    },
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks { function who(string memory) internal pure {} }
interface IHub { function allows(address who) external view returns (bool); function sender() external view returns (address); function senderOf(uint256 id) external view returns (address); function count() external view returns (uint256); function balanceOf(address who) external view returns (uint256); function onCall(address who) external returns (bytes4); function give(address who) external returns (bool); function ownerOf(uint256 id) external view returns (address); }
library Lists { function isIn(mapping(address => bool) storage list, address a) internal view returns (bool) { return list[a]; } function same(address a, address b) internal pure returns (bool) { return a == b; } }
contract Who is Asks {
  using Lists for mapping(address => bool);
  address owner = msg.sender;
  address keeper = msg.sender;
  address pending;
  address immutable boss = msg.sender;
  address constant ZERO_OWNER = 0x8ace03Fc45139fDDba944c6A4082b604041d19FC;
  IHub hub;
  IHub immutable fixedHub;
  uint256 value;
  uint256 limit;
  uint256 gate;
  bool begun;
  mapping(address => bool) members;
  mapping(address => bool) barred;
  mapping(address => uint256) debt;
  mapping(address => uint256) last;
  mapping(address => uint256) rank;
  mapping(address => address) guardians;
  mapping(uint256 => address) owners;
  mapping(uint256 => IHub) hubs;
  constructor(IHub h) { fixedHub = h; }
  function admit(address a) external { require(msg.sender == owner); members[a] = true; barred[a] = true; pending = a; rank[a] += 1; guardians[a] = a; owners[1] = a; keeper = a; hub = IHub(a); }
  function owe() external payable { debt[msg.sender] += msg.value; last[msg.sender] = block.timestamp; }

  // What a new account meets as well.
  function unowned(uint256 id) external { require(msg.sender != owners[id]); who("open"); value = 1; }
  function unownedTurned(uint256 id) external { require(owners[id] != msg.sender); who("open"); value = 1; }
  function notOwner() external { require(msg.sender != owner); who("open inverted"); value = 1; }
  function notOwnerTurned() external { require(owner != msg.sender); who("open inverted"); value = 1; }
  function notBoss() external { require(msg.sender != boss); who("open inverted"); value = 1; }
  function notZero() external { require(msg.sender != address(0)); who("open"); value = 1; }
  function notZeroTurned() external { require(address(0) != msg.sender); who("open"); value = 1; }
  function notArgument(address a) external { require(msg.sender != a); who("tied"); value = 1; }
  function notAnswer(uint256 id) external { require(msg.sender != hub.ownerOf(id)); who("open"); value = 1; }
  function noDebt() external { require(debt[msg.sender] == 0); who("open"); value = 1; }
  function noDebtLess() external { require(debt[msg.sender] <= 0); who("open"); value = 1; }
  function noDebtTurned() external { require(0 == debt[msg.sender]); who("open"); value = 1; }
  function someDebt() external { require(debt[msg.sender] == 7); who("guarded member"); value = 1; }
  function lessDebt() external { require(debt[msg.sender] <= 7); who("open"); value = 1; }
  function lessDebtStrictly() external { require(debt[msg.sender] < 7); who("open"); value = 1; }
  function lessDebtTurned() external { require(7 >= debt[msg.sender]); who("open"); value = 1; }
  function lessDebtTurnedStrictly() external { require(7 > debt[msg.sender]); who("open"); value = 1; }
  function moreDebt() external { require(debt[msg.sender] > 7); who("tied holder"); value = 1; }
  function lessThanOther(address a) external { require(debt[msg.sender] < debt[a]); who("tied"); value = 1; }
  function lessThanLimit() external { require(debt[msg.sender] < limit); who("open"); value = 1; }
  function lessThanAnswer() external { require(debt[msg.sender] < hub.count()); who("tied"); value = 1; }
  function lessThanArgument(uint256 n) external { require(debt[msg.sender] < n); who("tied"); value = 1; }
  function answerBelow() external { require(hub.balanceOf(msg.sender) < 7); who("tied"); value = 1; }
  function sumBelow(uint256 n) external { require(debt[msg.sender] + n < 7); who("tied"); value = 1; }
  function notMember() external { require(!members[msg.sender]); who("open"); value = 1; }
  function notKnown() external { require(!hub.allows(msg.sender)); who("tied"); value = 1; }
  function notListed() external { require(!members.isIn(msg.sender)); who("open"); value = 1; }
  function noBalance() external { require(hub.balanceOf(msg.sender) == 0); who("tied"); value = 1; }
  function noBalanceLess() external { require(hub.balanceOf(msg.sender) <= 0); who("tied"); value = 1; }
  function smallBalance() external { require(hub.balanceOf(msg.sender) <= 7); who("tied"); value = 1; }
  function anyBalance() external { require(hub.balanceOf(msg.sender) >= 0); who("tied"); value = 1; }
  function someSum() external { require(debt[msg.sender] + debt[owner] != 0); who("tied holder"); value = 1; }
  function unlikeGuardian() external { require(guardians[msg.sender] != owner); who("tied"); value = 1; }
  function unlikeGuardianTurned() external { require(owner != guardians[msg.sender]); who("tied"); value = 1; }
  function notArgumentTurned(address a) external { require(a != msg.sender); who("tied"); value = 1; }
  function unlikeLimit() external { require(limit != debt[msg.sender]); who("tied"); value = 1; }
  // What a call of theirs answers.
  function given() external { require(hub.give(msg.sender)); who("guarded external"); value = 1; }
  function asked() external { require(hub.allows(msg.sender)); who("guarded external"); value = 1; }
  function hooked() external { require(IHub(msg.sender).onCall(msg.sender) == IHub.onCall.selector); who("open"); value = 1; }
  function lowLevelTold() external { (bool ok, ) = owner.call(abi.encode(msg.sender)); require(ok); who("open"); value = 1; }
  function lowLevel() external { (bool ok, ) = msg.sender.call(""); require(ok); who("open"); value = 1; }
  // Who is behind the caller.
  function behind() external { require(hub.sender() == owner); who("guarded messenger"); value = 1; }
  function behindTurned() external { require(owner == hub.sender()); who("guarded messenger"); value = 1; }
  function behindNot() external { require(hub.sender() != owner); who("open"); value = 1; }
  function behindOf(uint256 id) external { require(hub.senderOf(id) == owner); who("open"); value = 1; }
  function behindFixed() external { require(hub.senderOf(1) == owner); who("open"); value = 1; }
  function behindChosen(IHub h) external { require(h.sender() == owner); who("open"); value = 1; }
  function behindListed(uint256 id) external { require(hubs[id].sender() == owner); who("open"); value = 1; }
  function behindBoss() external { require(hub.sender() == boss); who("guarded messenger"); value = 1; }
  function behindHub() external { require(hub.sender() == address(hub)); who("guarded messenger"); value = 1; }
  function behindArgument(address a) external { require(hub.sender() == a); who("open"); value = 1; }
  function behindNumber() external { require(hub.count() == limit); who("open"); value = 1; }
  function behindBalance() external { require(hub.balanceOf(address(this)) == limit); who("open"); value = 1; }
  function behindAnswer() external { require(hub.sender() == fixedHub.sender()); who("open"); value = 1; }
  function behindEntry(uint256 id) external { require(hub.sender() == owners[id]); who("open"); value = 1; }
  // Alternatives, of which anyone meets one.
  function orOther() external { require(msg.sender == owner || msg.sender == keeper); who("guarded owner inspected"); value = 1; }
  function notBoth() external { require(msg.sender != owner || msg.sender != keeper); who("open inverted"); value = 1; }
  function notOr(uint256 n) external { require(msg.sender != owner || n > 3); who("open inverted"); value = 1; }
  function notOrLimit() external { require(msg.sender != owner || limit > 3); who("open inverted"); value = 1; }
  function notAndLimit() external { require((msg.sender != owner && limit > 3) || gate == 2); who("open"); value = 1; }
  function orArgument(uint256 n) external { require(msg.sender == owner || n > 3); who("open optional"); value = 1; }
  function orNone(uint256 n) external { require(msg.sender == owner || n == 0); who("tied inspected"); value = 1; }
  function orSome(uint256 n) external { require(msg.sender == owner || n != 0); who("open optional"); value = 1; }
  function orZero() external { require(msg.sender == owner || msg.sender == address(0)); who("guarded owner inspected"); value = 1; }
  function orLess(uint256 n) external { require(msg.sender == owner || n <= 0); who("tied inspected"); value = 1; }
  function orNobody(address a) external { require(msg.sender == owner || a == address(0)); who("open optional"); value = 1; }
  function orEmpty(bytes calldata data) external { require(msg.sender == owner || data.length == 0); who("tied inspected"); value = 1; }
  function orSame(uint256 n, uint256 m) external { require(msg.sender == owner || n == m); who("open optional"); value = 1; }
  function orStored(uint256 n) external { require(msg.sender == owner || n > limit); who("tied inspected"); value = 1; }
  function orStoredAndArgument(uint256 n) external { require(msg.sender == owner || (n > 3 && limit > 3)); who("tied inspected"); value = 1; }
  function orFlag() external { require(msg.sender == owner || begun); who("tied inspected"); value = 1; }
  function orContract() external { require(msg.sender == owner || msg.sender == tx.origin); who("open optional"); value = 1; }
  function orContractOrMember() external { require(members[msg.sender] || msg.sender == tx.origin); who("tied inspected"); value = 1; }
  function orNoContract() external { require(msg.sender == owner || msg.sender != tx.origin); who("tied inspected"); value = 1; }
  function orAnybody() external { require(msg.sender == owner || msg.sender != address(0)); who("open optional"); value = 1; }
  function orSomeone() external { require(msg.sender == owner || owner != address(0)); who("open optional"); value = 1; }
  function orOtherSet() external { require(msg.sender == owner || keeper != address(0)); who("tied inspected"); value = 1; }
  function orSetTurned() external { require(owner == msg.sender || address(0) != owner); who("open optional"); value = 1; }
  function orUnset() external { require(msg.sender == pending || pending == address(0)); who("tied inspected"); value = 1; }
  function orMember() external { require(members[msg.sender] || begun); who("tied inspected"); value = 1; }
  // Branches.
  function branch() external { if (members[msg.sender]) limit = 1; else gate = 1; who("open"); value = 1; }
  function branchAnswer() external { if (hub.allows(msg.sender)) limit = 1; else gate = 1; who("open"); value = 1; }
  function branchOwner() external { if (msg.sender == owner) limit = 1; else gate = 1; who("tied inspected"); value = 1; }
  function branchDebt() external { if (debt[msg.sender] > 5) limit = 1; else gate = 1; who("open"); value = 1; }
  function branchBoth(uint256 n) external { if (debt[msg.sender] > 5 && n > 3) limit = 1; else gate = 1; who("open"); value = 1; }
  function branchReverts() external { if (members[msg.sender]) limit = 1; else require(msg.sender == owner); who("guarded member inspected"); value = 1; }
  function branchLeaves() external { if (!members[msg.sender]) return; who("guarded member"); value = 1; }
  function inBranch() external { if (members[msg.sender]) { who("guarded member"); limit = 1; } value = 1; }
  // Helpers that ask.
  function _only(address a) private view { require(a == owner); }
  function _onlyWrites(address a) private { require(rank[a] == 4); value = 1; }
  function _calls(address a) private { require(rank[a] == 4); hub.give(a); }
  function _level(address a) private view returns (uint256) { if (rank[a] == 4) return 1; return 2; }
  function _isOne(address a) private view returns (bool) { if (rank[a] == 4) return true; return false; }
  function _requires(address a) private view returns (uint256) { require(rank[a] == 4); return 1; }
  function _both(address a) private view { require(rank[a] > 4 || rank[a] == 0); }
  function _deep1(address a) private view { _deep2(a); }
  function _deep2(address a) private view { require(rank[a] == 4); }
  function _notOwner(address a) private view { require(a != owner); }
  function _unlike(address a) private view returns (bool) { return a != owner; }
  function byOnly() external { _only(msg.sender); who("guarded owner inspected"); value = 1; }
  function byWriting() external { _onlyWrites(msg.sender); who("guarded member"); value = 1; }
  function byCalling() external { _calls(msg.sender); who("guarded member"); value = 1; }
  function byLevel() external { limit = _level(msg.sender); who("tied inspected"); value = 1; }
  function byOne() external { begun = _isOne(msg.sender); who("tied inspected"); value = 1; }
  function byRequired() external { limit = _requires(msg.sender); who("guarded member inspected"); value = 1; }
  function byBoth() external { _both(msg.sender); who("tied"); value = 1; }
  function byDeep() external { _deep1(msg.sender); who("guarded member inspected"); value = 1; }
  function byOther(address a) external { _only(a); who("open"); value = 1; }
  function bySometimes(bool yes) external { if (yes) _deep2(msg.sender); who("open optional"); value = 1; }
  function byNotOwner() external { _notOwner(msg.sender); who("open inverted"); value = 1; }
  function byUnlike() external { require(_unlike(msg.sender)); who("open inverted"); value = 1; }
  function byLibrary() external { require(Lists.same(msg.sender, owner)); who("guarded owner"); value = 1; }
  function byList() external { require(members.isIn(msg.sender)); who("guarded member"); value = 1; }
  function byGuardian(address a) external { require(guardians[a] == msg.sender); who("guarded owner"); value = 1; }
  // Where it is asked.
  function after_() external { who("guarded owner"); value = 1; require(msg.sender == owner); }
  function never() external { require(msg.sender == owner); who("guarded owner"); revert(); }
  function last_() external { value = 1; require(msg.sender == owner); who("guarded owner"); }
}`,
    // Whom the caller puts in place judges nothing; a condition that was met before that stands, among others as well.
    `pragma solidity ^0.8.20;
abstract contract Asks { function who(string memory) internal pure {} }
interface IHub { function owner() external view returns (address); function allows(address who) external view returns (bool); }
contract Replaced is Asks {
  IHub hub;
  address owner;
  modifier onlyHub() { if (msg.sender != address(hub)) { if (msg.sender != hub.owner()) revert(); } _; }
  modifier onlySet() { if (owner != address(0)) require(msg.sender == owner); _; }
  function setHub(IHub to) external onlyHub { hub = to; who("guarded owner inspected"); }
  function setHubAfter(IHub to) external { hub = to; who("open"); if (msg.sender != address(hub)) { if (msg.sender != hub.owner()) revert(); } }
  function setHubAsked(IHub to) external { hub = to; require(hub.allows(msg.sender)); who("open"); }
  function setOwner(address to) external onlySet { who("tied inspected"); owner = to; }
}`,
    // A mask that the contract chooses asks for certain bits of the caller's entry, or of another contract's answer.
    `pragma solidity ^0.8.20;
abstract contract Asks { function who(string memory) internal pure {} }
interface IRegistry { function indexOf(address who) external view returns (uint256); }
uint256 constant GOVERNOR = 1 << 1;
contract Bits is Asks {
  mapping(address => uint256) roles;
  IRegistry immutable registry;
  uint256 value;
  constructor(IRegistry r) { registry = r; roles[msg.sender] = 1; }
  modifier only(uint256 mask) {
    uint256 index = msg.sender == address(registry) ? 1 : registry.indexOf(msg.sender);
    bool isAllowed = index & mask != 0;
    require(isAllowed);
    _;
  }
  function byAnswer() external only(GOVERNOR) { who("guarded external"); value = 1; }
  function byEntry() external { require((roles[msg.sender] & 2) != 0); who("guarded member"); value = 1; }
  function byIndex() external { require(registry.indexOf(msg.sender) != 0); who("tied"); value = 1; }
  function byChoice(uint256 mask) external { require(registry.indexOf(msg.sender) & mask != 0); who("tied"); value = 1; }
  function byNone() external { require(registry.indexOf(msg.sender) & 1 == 0); who("tied"); value = 1; }
}`,
    // A called function with a modifier that is missing from the sources.
    `pragma solidity ^0.8.20;
import {Roles} from "@roles/Roles.sol";
abstract contract Asks { function who(string memory) internal pure {} }
contract Unseen is Asks, Roles {
  uint256 value;
  function _authorizeUpgrade(address) internal onlyOwner {}
  function _note() internal whenNotPaused {}
  function upgrade(address to) external { _authorizeUpgrade(to); who("guarded unseen"); value = 1; }
  function note() external { _note(); who("open"); value = 1; }
  function change(address to) external { _changeAdmin(to); who("open"); value = 1; }
  function maybe(address to) external { if (to != address(0)) _authorizeUpgrade(to); who("open"); value = 1; }
}`,
    // What a known contract has recorded by its hash, and what a contract says that the caller names.
    `pragma solidity ^0.8.20;
abstract contract Asks { function who(string memory) internal pure {} }
interface IBridge { function entries(uint256 id) external view returns (bytes32); }
contract Included is Asks {
  IBridge immutable bridge;
  uint256 count;
  constructor(IBridge b) { bridge = b; }
  function include(uint256 id, bytes calldata message) external { require(bridge.entries(id) == keccak256(abi.encode(id, message))); who("guarded proof"); count = id; }
  function includeOf(IBridge by, uint256 id, bytes calldata message) external { require(by.entries(id) == keccak256(message)); who("open"); count = id; }
  function includeOther(uint256 id, bytes calldata message) external { require(bridge.entries(id) != keccak256(message)); who("open"); count = id; }
}`,
  ],
)
