import type { Match, Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { exposedBy, forwarders, isDelegating } from "../../questions/authority/forwarding.ts"
import { implementationsOf, proxiesOf } from "../../questions/authority/implementations.ts"
import { hasTwin, ordinaryTarget, placedCollision, writtenCollision } from "../../questions/upgrades/collisions.ts"

export const storageCollision: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/storage-collision",
    class: "storage-collision",
    title: "Storage collision with delegated code",
    severity: "high",
    confidence: "medium",
    cwe: [119, 787],
    swc: 124,
    description:
      "`delegatecall` runs another contract's code on this contract's storage, and variables are located by " +
      "position. The other contract's first variable occupies the same slot as this contract's first variable, " +
      "which is often the implementation address or the owner. A harmless setter behind the proxy overwrites " +
      "it, with a value that an attacker can choose.",
    remediation:
      "Keep the proxy's own state in slots that no layout reaches (EIP-1967, EIP-7201, `constant` or " +
      "`immutable`), or have both contracts inherit their first variables from the same base contract.",
    references: [
      "https://eips.ethereum.org/EIPS/eip-1967",
      "https://docs.openzeppelin.com/upgrades-plugins/proxies#unstructured-storage-proxies",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { context } = flow
      if (context === undefined || context.node.contractKind !== "contract") continue
      for (const site of flow.calls()) {
        if (!isDelegating(site)) continue
        const clash = writtenCollision(flow, site, context)
        if (clash === undefined) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          message: `\`${clash.fn.scope}\` writes \`${clash.theirs.name}\` where this contract has \`${clash.ours.name}\`.`,
          trace: [
            { ...placeOf(site), note: "runs the other contract's code on this storage" },
            { file: clash.fn.source.file, span: clash.fn.node.nameSpan, note: `writes \`${clash.theirs.name}\`` },
          ],
        })
      }
    }
    const bare = [...proxiesOf(program)].flatMap(([contract, forwarder]) => (forwarder === undefined ? [contract] : []))
    for (const contract of bare) {
      const place = { file: contract.source.file, span: contract.node.nameSpan }
      reportPlaced(program, contract, { ...place, scope: contract.name }, report)
    }
    for (const forwarder of forwarders(program)) {
      const { contract, flow, site } = forwarder
      // the rule on untrusted delegate calls reports the worse problem
      if (exposedBy(forwarder) !== undefined) continue
      if (reportPlaced(program, contract, { ...placeOf(site), scope: flow.fn.scope }, report)) continue
      const stored = ordinaryTarget(program, forwarder)
      // if it is known whose code is called, that code leaves the slot alone
      if (stored === undefined || implementationsOf(program, contract).length > 0 || hasTwin(program, contract))
        continue
      report({
        ...placeOf(site),
        scope: flow.fn.scope,
        message: `\`${stored.name}\` is in an ordinary slot, which the delegated code may use for something else.`,
        // nothing shows that it does
        severity: "medium",
        confidence: "low",
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.18;
contract Front {
  address public implementation;
  constructor(address to) { implementation = to; }
  function guest() public {
    (bool ok, ) = implementation.delegatecall(abi.encodeWithSignature("setGuest(address)", msg.sender)); // FINDING
    require(ok);
  }
}
contract Back {
  address public guest;
  function setGuest(address who) public { guest = who; }
}`,
      `pragma solidity ^0.4.24;
contract Balance {
  address public math;
  uint256 public value;
  bytes4 constant SIG = bytes4(keccak256("compute(uint256)"));
  constructor(address to) public { math = to; }
  function next(uint256 n) public {
    require(math.delegatecall(SIG, n)); // FINDING
  }
}
contract Math {
  uint256 public start;
  uint256 public value;
  function compute(uint256 n) public { start = n; value = start + n; }
}`,
      `pragma solidity ^0.8.18;
contract Proxy {
  address logic;
  address owner;
  constructor(address to) { logic = to; owner = msg.sender; }
  function upgrade(address to) external { require(msg.sender == owner); logic = to; }
  fallback() external payable {
    (bool ok, ) = logic.delegatecall(msg.data); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.18;
contract Shell {
  bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  bool public frozen;
  constructor(address to) { assembly { sstore(SLOT, to) } }
  function freeze() external { frozen = true; }
  fallback() external payable {
    require(!frozen);
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0) // FINDING
      if iszero(ok) { revert(0, 0) }
    }
  }
}
contract Escrow {
  uint8 public stage;
  address public owner;
  function advance() external { require(msg.sender == owner); stage += 1; }
  function setUp(address first) external { require(owner == address(0)); owner = first; }
}
contract Opener {
  function open(address code) external returns (Escrow made) {
    Shell shell = new Shell(code);
    made = Escrow(address(shell));
    made.setUp(msg.sender);
  }
}`,
      `pragma solidity ^0.8.18;
contract Dispatcher {
  uint256[2] private reserved;
  struct Setup { address code; uint64 since; }
  Setup private setup;
  function pointTo(address to) external { require(setup.code == address(0)); setup = Setup(to, uint64(block.timestamp)); }
  fallback() external payable {
    (bool ok, ) = setup.code.delegatecall(msg.data); // FINDING
    require(ok);
  }
}
contract Ledger {
  mapping(address => uint256) public credit;
  uint256[] private history;
  uint256 public total;
  function add(uint256 amount) external { credit[msg.sender] += amount; history.push(amount); total += amount; }
}
contract Deployer {
  function deploy() external returns (address) {
    Dispatcher proxy = new Dispatcher();
    address code = address(new Ledger());
    proxy.pointTo(code);
    return address(proxy);
  }
}`,
      // Neither of two contracts with such a function was made for this layout.
      `pragma solidity ^0.8.20;
contract Idle { function set(uint256) external {} }
contract Left {
  uint256 left;
  function set(uint256 to) external { left = to; }
}
contract Right {
  uint256 right;
  function set(uint256 to) external { right = to; }
}
contract Runner {
  address code;
  constructor(address to) { code = to; }
  function run(uint256 to) external {
    (bool ok, ) = code.delegatecall(abi.encodeWithSignature("set(uint256)", to)); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.18;
contract Router {
  address private code;
  address private keeper;
  constructor(address to) { code = to; keeper = msg.sender; }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data); // FINDING
    require(ok);
  }
}
contract Book {
  address private __code;
  uint256 private cap;
  function capOf() external view returns (uint256) { return cap; }
}
contract Setup {
  function deploy() external { new Router(address(new Book())); }
}`,
      // The proxy points to the code by itself, inherits the forwarding, or is given code that was stored before.
      `pragma solidity ^0.8.18;
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Counter {
  uint256 public count;
  function add() external { count++; }
}
abstract contract Forwarding {
  bytes32 private constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
  function _point(address to) internal { bytes32 at = SLOT; assembly { sstore(at, to) } }
  fallback() external payable {
    bytes32 at = SLOT;
    assembly {
      let to := sload(at)
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) // FINDING
      if iszero(ok) { revert(0, 0) }
    }
  }
}
contract Gate is Forwarding {
  address public chief;
  constructor() { chief = msg.sender; _point(address(new Counter())); }
  function point(address to) external { require(msg.sender == chief); _point(to); }
}
contract Door is ERC1967Proxy { // FINDING
  address public chief;
  constructor(address to) ERC1967Proxy(to, "") { chief = msg.sender; }
  function leave() external { require(msg.sender == chief); chief = address(0); }
}
contract Setup {
  address private immutable code;
  constructor() { code = address(new Counter()); }
  function open() external { new Door(code); }
}`,
      // The struct begins with something else, or not at the first slot.
      `pragma solidity ^0.8.18;
contract GovernorProxy {
  address public admin;
  address public logic;
  constructor(address to) { logic = to; admin = msg.sender; }
  function upgrade(address to) external { require(msg.sender == admin); logic = to; }
  fallback() external payable {
    (bool ok, ) = logic.delegatecall(msg.data); // FINDING
    require(ok);
  }
}
contract GovernorLogic {
  struct Main { address admin; uint256 delay; address logic; }
  Main internal main;
  function setDelay(uint256 to) external { require(msg.sender == main.admin); main.delay = to; }
}
contract ShiftedLogic {
  struct Main { address admin; address logic; }
  address internal keeper = msg.sender;
  Main internal main;
  function setLogic(address to) external { require(msg.sender == keeper); main.logic = to; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.18;
contract Dispatcher {
  address private code;
  address private keeper;
  constructor(address to) { code = to; keeper = msg.sender; }
  function pointTo(address to) external { require(msg.sender == keeper); code = to; }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}
contract Ledger {
  address private code;
  address private __keeper;
  uint256 public total;
  function add(uint256 amount) external { total += amount; }
}
contract Reserved {
  uint256[20] private reserved;
  uint256 public total;
  function add(uint256 amount) external { total += amount; }
}
contract Spaced {
  bytes32 private constant PLACE = keccak256("spaced");
  struct Main { uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = PLACE; assembly { $.slot := at } }
  function add(uint256 amount) external { main().total += amount; }
}
contract Deployer {
  function deploy() external {
    Dispatcher proxy = new Dispatcher(address(new Ledger()));
    Reserved(address(new Dispatcher(address(new Reserved())))).add(1);
    proxy.pointTo(address(new Spaced()));
  }
}`,
      `pragma solidity ^0.8.18;
contract Slots { address internal logic; address internal owner; }
contract Proxy is Slots {
  constructor(address to) { logic = to; owner = msg.sender; }
  fallback() external payable {
    (bool ok, ) = logic.delegatecall(msg.data);
    require(ok);
  }
}
contract Logic is Slots {
  uint256 total;
  function add() external { total += 1; }
}`,
      `pragma solidity ^0.8.18;
contract Proxy {
  bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  address private immutable first;
  constructor(address to) { first = to; assembly { sstore(SLOT, to) } }
  fallback() external payable {
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
      if iszero(ok) { revert(0, 0) }
    }
  }
}
contract Logic {
  uint256 total;
  function add() external { total += 1; }
}`,
      // The code that is run was made for this layout, or is the contract's own.
      `pragma solidity ^0.8.20;
contract Mirror {
  address code;
  uint256 count;
  function set(uint256 to) external { count = to; }
  function note(string calldata text) external {}
}
contract Stranger {
  uint256 other;
  function set(uint256 to) external { other = to; }
  function put(uint256 to) external { other = to; }
}
contract Runner {
  address code;
  uint256 count;
  constructor(address to) { code = to; }
  function run(uint256 to) external {
    require(count < to);
    (bool ok, ) = code.delegatecall(abi.encodeWithSignature("set(uint256)", to));
    require(ok);
  }
  function tell() external {
    (bool ok, ) = code.delegatecall(abi.encodeWithSignature("note(string)", "put(uint256)"));
    require(ok);
  }
}
abstract contract First { uint256 internal one; }
abstract contract Second {
  address internal two;
  function set(address to) external { two = to; }
}
contract Batch is First, Second {
  function run(address to) external {
    require(one > 0);
    (bool ok, ) = address(this).delegatecall(abi.encodeWithSignature("set(address)", to));
    require(ok);
  }
}
contract Logic { function ping() external pure returns (uint256) { return 1; } }
contract Forwarder {
  address private code = address(new Logic());
  function set(address to) external { code = to; }
  fallback() external payable {
    address to = code;
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }
}`,
      `pragma solidity ^0.8.18;
contract Router {
  address private code;
  constructor(address to) { code = to; }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}
// It keeps nothing among the ordinary slots.
contract Spaced {
  bytes32 private constant PLACE = keccak256("spaced");
  struct Main { uint256 total; }
  function main() private pure returns (Main storage $) { bytes32 at = PLACE; assembly { $.slot := at } }
  function add(uint256 amount) external { main().total += amount; }
}
contract Setup {
  function deploy() external { new Router(address(new Spaced())); }
}`,
      // The code behind the proxy keeps its state in a struct that begins with the proxy's.
      `pragma solidity ^0.8.18;
contract GovernorProxy {
  address public admin;
  address public logic;
  constructor(address to) { logic = to; admin = msg.sender; }
  function upgrade(address to) external { require(msg.sender == admin); logic = to; }
  fallback() external payable {
    (bool ok, ) = logic.delegatecall(msg.data);
    require(ok);
  }
}
contract GovernorLogic {
  struct Main { address admin; address logic; uint256 delay; }
  Main internal main;
  function setDelay(uint256 to) external { require(msg.sender == main.admin); main.delay = to; }
}`,
    ],
  },
}

/** Reports the first collision with code behind a proxy, if there is one. */
const reportPlaced = (
  program: Program,
  contract: ContractModel,
  at: Pick<Match, "file" | "span" | "scope">,
  report: (match: Match) => void,
): boolean => {
  const collision = placedCollision(program, contract)
  if (collision === undefined) return false
  const { theirs, ours, implementation } = collision
  const { logic, site: shown } = implementation
  report({
    ...at,
    message: `\`${theirs.name}\` of \`${logic.name}\` occupies the slot of \`${ours.name}\`.`,
    trace: [
      { ...placeOf(shown), note: `shows that \`${contract.name}\` runs the code of \`${logic.name}\`` },
      ...declaration(ours, "is stored here"),
      ...declaration(theirs, "is stored in the same place"),
    ],
  })
  return true
}

const declaration = ({ source, node, name, contract }: StateVariable, where: string) =>
  source === undefined || node === undefined
    ? []
    : [
        {
          file: source.file,
          span: node.nameSpan,
          note: `\`${name}\` ${contract === undefined ? "" : `of \`${contract.name}\` `}${where}`,
        },
      ]
