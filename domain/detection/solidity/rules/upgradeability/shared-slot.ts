import type { Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeAt } from "../../questions/authority/attackerControl.ts"
import { facetsOf } from "../../questions/authority/facets.ts"
import { isSameStart, isSameVariable, layoutOf, overlaps, type Placed } from "../../questions/storage/layout.ts"
import { sharedSlots, usersOf } from "../../questions/storage/namespaces.ts"
import { storageUse } from "../../questions/value/storageUse.ts"

export const sharedSlot: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/shared-slot",
    class: "storage-collision",
    title: "Storage slot shared by unrelated variables",
    severity: "high",
    confidence: "medium",
    cwe: [119, 787],
    swc: 124,
    description:
      "The facets of a diamond share one storage, and so do libraries that keep their structs at custom slots. " +
      "Here, two of them use the same slot for different things: a facet declares an ordinary variable where " +
      "another facet has its own, or inherits one before the struct that they all share, or two structs were " +
      "given the same slot, often because a constant was copied. One part overwrites what the other reads as an " +
      "owner, a balance or a limit.",
    remediation:
      "Keep the state of each facet in a struct at a slot derived from a unique name (EIP-7201), or let all " +
      "facets declare the same struct as their first and only variable.",
    references: ["https://eips.ethereum.org/EIPS/eip-7201", "https://eips.ethereum.org/EIPS/eip-2535"],
  },
  check: (program, report) => {
    for (const { one, other } of sharedSlots(program)) {
      const user = [...usersOf(program, one)].find((contract) => usersOf(program, other).has(contract))
      if (user === undefined) continue
      report({
        ...placeAt(other.at, other.expression),
        scope: other.fn.scope,
        message: `\`${user.name}\` uses one slot for both \`${one.struct.name}\` and \`${other.struct.name}\`.`,
        trace: [
          { ...placeAt(one.at, one.expression), note: `the slot of \`${one.struct.name}\`` },
          { ...placeAt(other.at, other.expression), note: `the same slot for \`${other.struct.name}\`` },
        ],
      })
    }
    for (const { contracts, isGuess } of facetsOf(program)) {
      for (const { theirs, ours, user } of facetClashes(program, contracts)) {
        report({
          file: user.source.file,
          span: user.node.nameSpan,
          ...placeOfDeclaration(theirs),
          scope: user.name,
          message: `\`${theirs.name}\` of \`${user.name}\` occupies the slot of \`${ours.name}\`, which other facets use.`,
          trace: [...declaration(ours, "is stored here"), ...declaration(theirs, "is stored in the same place")],
          ...(isGuess ? { severity: "medium", confidence: "low" } : {}),
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
library Fees {
  struct Main { uint256 rate; address to; }
  function main() internal pure returns (Main storage $) {
    assembly { $.slot := 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500 }
  }
}
library Limits {
  struct Main { mapping(address => uint256) limitOf; }
  bytes32 private constant SLOT = keccak256(abi.encode(uint256(keccak256("example.main")) - 1)) & ~bytes32(uint256(0xff));
  function main() internal pure returns (Main storage $) {
    assembly { $.slot := SLOT } // FINDING
  }
}
contract Desk {
  address immutable owner = msg.sender;
  function setRate(uint256 to) external { require(msg.sender == owner); Fees.main().rate = to; }
  function setLimit(address of, uint256 to) external { require(msg.sender == owner); Limits.main().limitOf[of] = to; }
}`,
      `pragma solidity ^0.8.20;
abstract contract Stopped {
  struct Stop { bool stopped; }
  function _stop() internal pure returns (Stop storage $) {
    bytes32 at = bytes32(uint256(keccak256("desk.main")) - 1);
    assembly { $.slot := at }
  }
}
abstract contract Owned {
  struct Owner { address owner; }
  string private constant NAME = "desk.main";
  function _owner() internal pure returns (Owner storage $) {
    bytes32 at = bytes32(uint256(keccak256(bytes(NAME))) - 1);
    assembly { $.slot := at } // FINDING
  }
}
contract Desk is Stopped, Owned {
  constructor() { _owner().owner = msg.sender; }
  function stop() external { require(msg.sender == _owner().owner); _stop().stopped = true; }
}`,
      // All facets have the diamond's struct as their only state but for one, which inherits a lock before it.
      `pragma solidity ^0.8.20;
struct State { uint256 total; mapping(address => uint256) held; }
contract Putting {
  State internal s;
  function put() external payable { s.held[msg.sender] += msg.value; s.total += msg.value; }
}
contract Showing {
  State internal state;
  function total() external view returns (uint256) { return state.total; }
}
abstract contract Locked {
  bool private locked; // FINDING
  modifier once() { require(!locked); locked = true; _; locked = false; }
}
contract Taking is Locked {
  State internal s;
  function take(uint256 n) external once { s.held[msg.sender] -= n; payable(msg.sender).transfer(n); }
}`,
      `pragma solidity ^0.8.20;
interface ICut { struct FacetCut { address facet; bytes4[] selectors; } function cut(FacetCut[] calldata) external; }
contract Loans {
  uint256 public lent;
  function lend() external payable { lent += msg.value; }
}
contract Chiefs {
  address public chief; // FINDING
  function claim() external { require(chief == address(0)); chief = msg.sender; }
}
contract Setup {
  ICut immutable diamond;
  constructor(ICut d) { diamond = d; }
  function run() external {
    ICut.FacetCut[] memory cuts = new ICut.FacetCut[](2);
    Chiefs second = new Chiefs();
    cuts[0] = ICut.FacetCut(address(new Loans()), new bytes4[](0));
    cuts[1] = ICut.FacetCut({facet: address(second), selectors: new bytes4[](0)});
    diamond.cut(cuts);
  }
}`,
      // A copy of the diamond's struct that does not start where it does, and variables that are only read or written.
      `pragma solidity ^0.8.20;
interface ICut { struct FacetCut { address facet; } function cut(FacetCut[] calldata) external; }
struct State { uint256 total; mapping(address => uint256) held; }
struct Terms { uint256 rate; mapping(address => bool) told; }
contract Putting { State internal s; function put() external payable { s.held[msg.sender] += msg.value; s.total += 1; } }
contract Showing { State internal s; function total() external view returns (uint256) { return s.total; } }
abstract contract Gap { uint256 private unused; }
contract Taking is Gap {
  State internal s; // FINDING
  function take(uint256 n) external { s.held[msg.sender] -= n; payable(msg.sender).transfer(n); }
}
contract Told { Terms internal terms; function tell() external { terms.told[msg.sender] = terms.rate > 0; } }
contract Held {
  State internal state; // FINDING
  function total() external view returns (uint256) { return state.total; }
}
contract Noted {
  address private note; // FINDING
  function set() external { note = msg.sender; }
}
contract Shown {
  bool private shown; // FINDING
  function show() external view returns (bool) { return shown; }
}
contract Setup {
  ICut immutable diamond;
  constructor(ICut d) { diamond = d; }
  function run() external {
    ICut.FacetCut[] memory cuts = new ICut.FacetCut[](4);
    cuts[0] = ICut.FacetCut(address(new Told()));
    cuts[1] = ICut.FacetCut(address(new Held()));
    cuts[2] = ICut.FacetCut(address(new Noted()));
    cuts[3] = ICut.FacetCut(address(new Shown()));
    diamond.cut(cuts);
  }
}`,
      // By name, next to a diamond.
      `pragma solidity ^0.8.20;
contract Diamond {
  struct Slots { mapping(bytes4 => address) facets; }
  function _slots() private pure returns (Slots storage $) {
    bytes32 at = keccak256("diamond");
    assembly { $.slot := at }
  }
  fallback() external payable {
    address facet = _slots().facets[msg.sig];
    require(facet != address(0));
    (bool ok, ) = facet.delegatecall(msg.data);
    require(ok);
  }
}
contract LoanFacet {
  uint256 public lent;
  function lend() external payable { lent += msg.value; }
}
contract ChiefFacetV2 {
  address public chief; // FINDING
  function claim() external { require(chief == address(0)); chief = msg.sender; }
}`,
    ],
    safe: [
      // Other slots, the same struct under two names, a later release of it.
      `pragma solidity ^0.8.20;
library Fees {
  struct Main { uint256 rate; address to; }
  bytes32 private constant SLOT = keccak256(abi.encode(uint256(keccak256("desk.fees")) - 1)) & ~bytes32(uint256(0xff));
  function main() internal pure returns (Main storage $) { assembly { $.slot := SLOT } }
}
library LaterFees {
  struct Main { uint256 rate; address _to; uint256 cap; }
  bytes32 private constant SLOT = keccak256(abi.encode(uint256(keccak256("desk.fees")) - 1)) & ~bytes32(uint256(0xff));
  function main() internal pure returns (Main storage $) { assembly { $.slot := SLOT } }
}
library Limits {
  struct Main { mapping(address => uint256) limitOf; }
  bytes32 private constant SLOT = keccak256(abi.encode(uint256(keccak256("desk.limits")) - 1)) & ~bytes32(uint256(0xff));
  function main() internal pure returns (Main storage $) { assembly { $.slot := SLOT } }
}
contract Desk {
  address immutable owner = msg.sender;
  function setRate(uint256 to) external { require(msg.sender == owner); Fees.main().rate = to; LaterFees.main().cap = to; }
  function setLimit(address of, uint256 to) external { require(msg.sender == owner); Limits.main().limitOf[of] = to; }
}`,
      // Two contracts that nothing shows to run on the same storage.
      `pragma solidity ^0.8.20;
contract Chest {
  struct Main { uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("main"); assembly { $.slot := at } }
  function add() external { main().total += 1; }
}
contract Book {
  struct Main { address chief; }
  function main() private pure returns (Main storage $) { bytes32 at = keccak256("main"); assembly { $.slot := at } }
  function set() external { require(main().chief == address(0)); main().chief = msg.sender; }
}
contract LoanFacet { uint256 public lent; function lend() external payable { lent += msg.value; } }
contract ChiefFacet { address public chief; function claim() external { require(chief == address(0)); chief = msg.sender; } }`,
      `pragma solidity ^0.8.20;
struct State { uint256 total; mapping(address => uint256) held; }
abstract contract Base { State internal s; uint256 private unused; }
contract Diamond is Base {
  mapping(bytes4 => address) internal facets;
  uint256 private cap = 5;
  fallback() external payable {
    require(s.total < cap);
    (bool ok, ) = facets[msg.sig].delegatecall(msg.data);
    require(ok);
  }
}
contract PutFacet {
  State internal state;
  function put() external payable { state.held[msg.sender] += msg.value; state.total += msg.value; }
}
contract ShowFacet is Base { function total() external view returns (uint256) { return s.total; } }
contract TakeFacet is Base { function take(uint256 n) external { s.held[msg.sender] -= n; payable(msg.sender).transfer(n); } }
// It has a use of its own for the struct.
contract Shadow {
  address public chief = msg.sender;
  State public copy;
  function note(uint256 to) external { require(msg.sender == chief); copy.total = to; }
}`,
      // The same variable twice, and a place that is left to the other facet.
      `pragma solidity ^0.8.20;
interface ICut { struct FacetCut { address facet; } function cut(FacetCut[] calldata) external; }
contract Lending { uint256 public lent; function lend() external payable { lent += msg.value; } }
contract Paying { uint256 private _lent; function pay() external payable { _lent -= msg.value; } }
contract Choosing {
  bytes32 private reserved;
  address public chief;
  function claim() external { require(chief == address(0)); chief = msg.sender; }
}
contract Setup {
  ICut immutable diamond;
  constructor(ICut d) { diamond = d; }
  function run() external {
    ICut.FacetCut[] memory cuts = new ICut.FacetCut[](3);
    cuts[0] = ICut.FacetCut(address(new Lending()));
    cuts[1] = ICut.FacetCut(address(new Paying()));
    cuts[2] = ICut.FacetCut(address(new Choosing()));
    diamond.cut(cuts);
  }
}`,
      // Two diamonds: which facets belong together, their names do not say.
      `pragma solidity ^0.8.20;
contract Diamond {
  struct Slots { mapping(bytes4 => address) facets; }
  function _slots() private pure returns (Slots storage $) {
    bytes32 at = keccak256("diamond");
    assembly { $.slot := at }
  }
  fallback() external payable {
    address facet = _slots().facets[msg.sig];
    require(facet != address(0));
    (bool ok, ) = facet.delegatecall(msg.data);
    require(ok);
  }
}
contract OldDiamond {
  struct Slots { mapping(bytes4 => address) facets; }
  function _slots() private pure returns (Slots storage $) {
    bytes32 at = keccak256("old.diamond");
    assembly { $.slot := at }
  }
  fallback() external payable {
    address facet = _slots().facets[msg.sig];
    require(facet != address(0));
    (bool ok, ) = facet.delegatecall(msg.data);
    require(ok);
  }
}
contract LoanFacet { uint256 public lent; function lend() external payable { lent += msg.value; } }
contract ChiefFacet { address public chief; function claim() external { require(chief == address(0)); chief = msg.sender; } }`,
    ],
  },
}

/** Limit: variables that are compared. */
const placesLimit = 200

interface FacetClash {
  readonly theirs: StateVariable
  readonly ours: StateVariable
  /** The facet that uses the place differently from those before it. */
  readonly user: ContractModel
}

/** For each facet, the first variable at a place where another facet keeps something else. */
const facetClashes = (program: Program, contracts: ReadonlyArray<ContractModel>): ReadonlyArray<FacetClash> => {
  const { read, written } = storageUse(program)
  const known: Array<Placed> = []
  return contracts.flatMap((user) => {
    const own = layoutOf(program, user)
      .filter(({ variable }) => read.has(variable) || written.has(variable))
      .slice(0, placesLimit)
    for (const placed of own) {
      const hit = known.find((one) => isMixedUp(one, placed))
      if (hit !== undefined) return [{ theirs: placed.variable, ours: hit.variable, user }]
    }
    if (known.length < placesLimit) known.push(...own)
    return []
  })
}

const isSameStruct = (a: Placed, b: Placed): boolean =>
  isSameStart(a, b) &&
  a.variable.type.kind === "struct" &&
  b.variable.type.kind === "struct" &&
  a.variable.type.struct === b.variable.type.struct

/** Both use the same bytes for different things. */
const isMixedUp = (a: Placed, b: Placed): boolean => overlaps(a, b) && !isSameVariable(a, b) && !isSameStruct(a, b)

const placeOfDeclaration = ({ source, node }: StateVariable) =>
  source === undefined || node === undefined ? {} : { file: source.file, span: node.nameSpan }

const declaration = (variable: StateVariable, where: string) =>
  variable.source === undefined || variable.node === undefined
    ? []
    : [
        {
          file: variable.source.file,
          span: variable.node.nameSpan,
          note: `\`${variable.name}\` ${variable.contract === undefined ? "" : `of \`${variable.contract.name}\` `}${where}`,
        },
      ]
