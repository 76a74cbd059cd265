import type { Rule } from "../../../Rule.ts"
import { demandsAt } from "../../demands/demands.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { ContractModel, FunctionModel, LocalVariable } from "../../model.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { deploysFor } from "../../questions/authority/implementations.ts"
import { hasInitializerModifier } from "../../questions/deployment/initializer.ts"

export const deployedUninitialized: Rule<Program> = {
  meta: {
    id: "evm/initialization/deployed-uninitialized",
    class: "unprotected-initializer",
    title: "Proxy deployed without initialization",
    severity: "medium",
    confidence: "medium",
    cwe: [665, 362],
    swc: 118,
    description:
      "The function deploys a clone or proxy without initializing it in the same transaction, although the code " +
      "behind it has an initializer that accepts any caller. Anyone watching the chain can initialize it first, " +
      "with themselves as the owner or with contracts of their own, and hand over control later so that nobody " +
      "notices.",
    remediation:
      "Pass the encoded initializer call to the proxy's constructor, or call the initializer in the function that " +
      "creates the clone. Otherwise, let the initializer accept calls from the factory only.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/proxy#ERC1967Proxy",
      "https://eips.ethereum.org/EIPS/eip-1167",
      "https://swcregistry.io/docs/SWC-118",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const broadcasts = isBroadcast(flow)
      let looked = 0
      for (const site of flow.calls()) {
        const deployment = deploysFor(flow, site) ?? deployedDirectly(site)
        if (deployment === undefined) continue
        if (++looked > deploymentLimit) break
        const holders = heldIn(flow, site)
        const logic = deployment.logic ?? castOf(flow, holders, site)
        const initializer = logic === undefined ? importedInitializer(flow, site) : openInitializerOf(program, logic)
        if (initializer === undefined || isLeftToCaller(program, flow)) continue
        const isLate = isCalledOn(flow, holders, site)
        // what a script deploys without calling it is often an implementation
        if (isLate ? !broadcasts : "isDirect" in deployment) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          message: isLate
            ? `\`${initializer.scope}\` is called in a later transaction.`
            : `\`${initializer.scope}\` is not called.`,
          // whoever comes first makes the script fail
          ...(isLate ? { severity: "low" } : {}),
          ...(logic === undefined ? { confidence: "low" } : {}),
          trace: [
            { ...placeOf(site), note: "deployed here" },
            {
              file: initializer.source.file,
              span: initializer.node.nameSpan,
              note: "anyone can be the first to call this",
            },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Vault is Initializable {
  address public owner;
  function initialize(address first) external initializer { owner = first; }
}
contract Factory {
  using Clones for address;
  Vault public immutable code;
  address[] public all;
  constructor(Vault to) { code = to; }
  function make() external returns (address made) {
    made = address(code).clone(); // FINDING
    all.push(made);
  }
  function setUp(uint256 i, address owner) external { Vault(all[i]).initialize(owner); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Registry is Initializable {
  address public owner;
  constructor() { _disableInitializers(); }
  function start() external initializer { owner = msg.sender; }
}
contract Launcher {
  Registry public registry;
  function launch() external {
    ERC1967Proxy proxy = new ERC1967Proxy(address(new Registry()), ""); // FINDING
    registry = Registry(address(proxy));
  }
}`,
      `pragma solidity ^0.8.20;
import {LibClone} from "solady/utils/LibClone.sol";
interface IAccount { function setUp(address owner, uint256 limit) external; }
contract Accounts {
  address internal code;
  mapping(bytes32 => IAccount) internal accounts;
  constructor(address to) { code = to; }
  function deploy(bytes32 salt) external returns (IAccount account) {
    address made = LibClone.cloneDeterministic(code, salt); // FINDING
    account = IAccount(made);
    accounts[salt] = account;
  }
}`,
      // What is called is another contract, or does not set anything up.
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Vault {
  address public owner;
  function initialize(address first) public { require(owner == address(0)); owner = first; }
}
interface IList { function add(address made) external; }
interface IPlan { function setUp(address owner) external; }
contract Factory {
  using Clones for address;
  Vault immutable code = new Vault();
  IList immutable list;
  IPlan plan;
  Vault first;
  uint256 count;
  constructor(IList l) {
    list = l;
    first = Vault(address(code).clone()); // FINDING
  }
  function makeBesideOther() external returns (address made) {
    Vault other = first;
    made = address(code).clone(); // FINDING
    other.initialize(msg.sender);
    Vault(address(other)).initialize(msg.sender);
    _count(1);
  }
  function makePlan(address planCode) external {
    plan = IPlan(planCode.clone()); // FINDING
  }
  function makeListed() external {
    address made = address(code).clone(); // FINDING
    list.add(made);
  }
  function _count(uint256 more) private { count += more; }
}`,
      // A script sends a transaction for each call.
      `pragma solidity ^0.8.20;
import {Script} from "forge-std/Script.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Vault is Initializable {
  address public owner;
  uint256 public count;
  function initialize(address first) external initializer { owner = first; }
  function add() external { count += 1; }
}
contract Deploy is Script {
  function run() external {
    vm.startBroadcast();
    Vault code = new Vault();
    Vault vault = Vault(address(new ERC1967Proxy(address(code), ""))); // FINDING
    vault.initialize(msg.sender);
    new ERC1967Proxy(address(code), abi.encodeCall(Vault.initialize, (msg.sender)));
    vm.stopBroadcast();
  }
  function runOne() external {
    vm.broadcast();
    Vault vault = new Vault(); // FINDING
    vm.broadcast();
    vault.initialize(msg.sender);
  }
}
contract Factory {
  function make() external { Vault vault = new Vault(); vault.initialize(msg.sender); }
}
contract Resume {
  VM constant vm = VM(address(1));
  function run(address deployed) external {
    vm.startBroadcast();
    Vault vault = Vault(deployed);
    vault.initialize(msg.sender);
  }
}`,
      // A stored address is cloned, and the file knows one initializer.
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
interface IGrant { function initialize(address owner, uint64 end) external; }
contract Grant {
  address public owner;
  uint64 public end;
  function initialize(address first, uint64 last) external { require(owner == address(0)); owner = first; end = last; }
}
contract Grants {
  address immutable code;
  mapping(address => address[]) made;
  constructor(address to) { code = to; }
  function make(address owner) external { made[owner].push(Clones.clone(code)); } // FINDING
}`,
    ],
    safe: [
      // Kept in a struct until all of them exist.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Vault is Initializable {
  address public owner;
  function init(address first) external initializer { owner = first; }
}
contract Deployer {
  struct Parts { Vault first; Vault second; }
  function deploy(address logic) external returns (Vault) {
    Parts memory parts = Parts({
      first: Vault(address(new ERC1967Proxy(logic, ""))),
      second: Vault(address(new ERC1967Proxy(logic, "")))
    });
    parts.first.init(msg.sender);
    parts.second.init(msg.sender);
    return parts.first;
  }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Vault is Initializable {
  address public owner;
  function initialize(address first) external initializer { owner = first; }
}
contract Book {
  address private immutable factory = msg.sender;
  address public owner;
  function initialize(address first) external { require(msg.sender == factory && owner == address(0)); owner = first; }
}
contract Plain { uint256 public count; function add() external { count += 1; } }
contract Factory {
  using Clones for address;
  Vault public immutable code = new Vault();
  Book public immutable book = new Book();
  Plain public immutable plain = new Plain();
  mapping(address => bool) public known;
  function make() external {
    address made = address(code).clone();
    Vault(made).initialize(msg.sender);
  }
  function makeLater() external { _setUp(_clone()); }
  function _clone() private returns (Vault) { return Vault(address(code).clone()); }
  function _setUp(Vault vault) private { vault.initialize(msg.sender); }
  function makeLow(bytes calldata data) external {
    address made = address(code).clone();
    (bool ok, ) = made.call(data);
    require(ok);
  }
  function makeProxy() external {
    known[address(new ERC1967Proxy(address(code), abi.encodeCall(Vault.initialize, (msg.sender))))] = true;
  }
  function makeBook() external { known[address(book).clone()] = true; }
  function makePlain() external { known[address(plain).clone()] = true; }
}`,
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
interface IHook { function run() external; }
contract Hooks {
  address internal code;
  mapping(address => IHook) internal hooks;
  constructor(address to) { code = to; }
  function deploy() external { hooks[msg.sender] = IHook(Clones.clone(code)); }
}`,
      // Set up by a helper or another contract, or nothing is left open.
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Book} from "./Book.sol";
contract Vault is Initializable {
  address public owner;
  function initialize(address first) external initializer { owner = first; }
}
contract Locked is Initializable {
  uint256 public count;
  constructor() initializer { count = 1; }
  function _start() internal initializer { count = 2; }
  function setUp() external initializer {}
}
contract Watcher is Initializable {
  address public watched;
  constructor(address what) { watched = what; }
  function initialize() external initializer { watched = msg.sender; }
}
interface IHook {
  function initHash() external view returns (bytes32);
  function setUpCost() external pure returns (uint256);
  function run() external;
}
interface IStarter { function initialize(address made) external; }
library Setting { function run(address made) internal { Vault(made).initialize(msg.sender); } }
contract Factory is Book {
  using Clones for address;
  Vault immutable code = new Vault();
  Locked immutable locked = new Locked();
  address immutable hookCode;
  IStarter immutable starter;
  mapping(address => bool) known;
  mapping(address => address) watchers;
  IHook hook;
  constructor(IStarter s, address h) { starter = s; hookCode = h; }
  function makeBySelf() external { address made = address(code).clone(); _setUp(made); }
  function _setUp(address made) private { Vault(made).initialize(msg.sender); }
  function makeByLibrary() external { address made = address(code).clone(); Setting.run(made); }
  function makeByBase() external { address made = address(code).clone(); _enter(made); }
  function makeByStarter() external { address made = address(code).clone(); starter.initialize(made); }
  function makeByPointer(bool self) external {
    function(address) internal start = self ? _setUp : Setting.run;
    address made = address(code).clone();
    start(made);
  }
  function makeLocked() external { known[address(locked).clone()] = true; }
  function makeHook() external { hook = IHook(hookCode.clone()); }
  function makeWatched(address unknown) external {
    address made = unknown.clone();
    watchers[made] = address(new Watcher(made));
  }
}`,
      // What is cloned is not known from the file: two may be meant, or the caller says.
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Grant {
  address public owner;
  function initialize(address first) external { require(owner == address(0)); owner = first; }
}
contract Vote {
  address public chair;
  function setUp(address first, uint64) external { require(chair == address(0)); chair = first; }
}
contract Grants {
  address immutable code;
  mapping(address => address[]) made;
  constructor(address to) { code = to; }
  function make(address owner) external { made[owner].push(Clones.clone(code)); }
}`,
      `pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract Grant {
  address public owner;
  function initialize(address first) external { require(owner == address(0)); owner = first; }
}
contract Grants {
  mapping(address => address[]) made;
  function make(address code) external { made[msg.sender].push(Clones.clone(code)); }
}`,
    ],
  },
}

/** Limit: deployments of one function that are examined. */
const deploymentLimit = 20

/** Whether the function is a script of Foundry, which sends each of its calls as a transaction of its own. */
const isBroadcast = (flow: Flow): boolean =>
  flow.calls().some(({ name }) => name === "startBroadcast" || name === "broadcast")

/** A contract that is created itself, not a proxy of it. */
const deployedDirectly = ({ callKind, call }: CallSite) =>
  callKind === "create" && call?.type?.kind === "contract" ? { logic: call.type.contract, isDirect: true } : undefined

/** The local that receives the deployed contract, and locals that it is copied to. */
const heldIn = (flow: Flow, { node }: CallSite): ReadonlySet<LocalVariable> => {
  const found = new Set<LocalVariable>()
  for (const { definitions } of flow.nodes) {
    for (const { variable, value } of definitions) {
      if (variable.kind === "LocalVariable" && value !== undefined && isAbout(flow, value, node, found))
        found.add(variable)
    }
  }
  return found
}

/** Whether it is the deployed contract, converts it, or is a struct that holds it, or a member of one. */
const isAbout = (flow: Flow, e: Expr, node: CallSite["node"], holders: ReadonlySet<LocalVariable>): boolean => {
  if (e === node) return true
  if (e.kind === "Identifier") {
    const variable = flow.program.referenceOf(e)
    return variable?.kind === "LocalVariable" && holders.has(variable)
  }
  if (e.kind === "MemberAccess") return isAbout(flow, e.object, node, holders)
  if (e.kind !== "FunctionCall") return false
  const call = flow.program.callOf(e)
  return (
    (call?.kind === "conversion" || call?.kind === "struct") &&
    call.args.some((arg) => isAbout(flow, arg, node, holders))
  )
}

/** The contract or interface as which it is used. */
const castOf = (flow: Flow, holders: ReadonlySet<LocalVariable>, { node }: CallSite): ContractModel | undefined => {
  for (const { callKind, call, args } of flow.calls()) {
    if (callKind !== "conversion" || call?.type?.kind !== "contract" || args[0] === undefined) continue
    if (isAbout(flow, args[0], node, holders)) return call.type.contract
  }
  return undefined
}

const setUpNames = /^(?:init|initiali[sz]e|set_?up)(?:$|[A-Z_])/i

/** For a contract, a function that runs once for anyone; for an interface, one with a name of such. */
const openInitializerOf = (program: Program, logic: ContractModel | undefined): FunctionModel | undefined => {
  if (logic === undefined) return undefined
  return program.functionsOf(logic).find((fn) => {
    if (fn.role !== "function" || (fn.visibility !== "external" && fn.visibility !== "public")) return false
    if (fn.mutability === "view" || fn.mutability === "pure") return false
    if (!fn.implemented) return setUpNames.test(fn.name)
    if (!hasInitializerModifier(fn) && !setUpNames.test(fn.name)) return false
    const flow = program.flow(fn)
    return flow.writes.length > 0 && demandsAt(flow, flow.exit).standing !== "guarded"
  })
}

/**
 * What is cloned is a stored address: the only initializer that the file declares, or imports with another contract or
 * interface.
 */
const importedInitializer = (flow: Flow, { receiver, args, at }: CallSite): FunctionModel | undefined => {
  const { program, fn } = flow
  const isStored = [...(receiver === undefined ? [] : [receiver]), ...args].some((e) =>
    only(flow.origins(e, at), Source.state | Source.immutable | Source.constant),
  )
  const { source } = fn
  if (!isStored) return undefined
  const found = [source, ...source.imports.flatMap((one) => one.source ?? [])]
    .flatMap(({ contracts }) => contracts)
    .flatMap((contract) => (contract === fn.contract ? [] : (openInitializerOf(program, contract) ?? [])))
  return found.every(({ signature }) => signature === found[0]!.signature) ? found[0] : undefined
}

/** Whether something is called on the deployed contract, or it is passed to a function that may do so. */
const isCalledOn = (flow: Flow, holders: ReadonlySet<LocalVariable>, { node }: CallSite): boolean =>
  flow.calls().some((site) => {
    if (site.receiver !== undefined && isAbout(flow, site.receiver, node, holders)) return true
    const mayCall = site.callKind === "internal" || site.callKind === "library" || site.callKind === "pointer"
    const named = site.callKind === "unknown" || setUpNames.test(site.name)
    return (mayCall || named) && site.args.some((arg) => isAbout(flow, arg, node, holders))
  })

/** Whether an internal function returns the deployed contract to callers, which may initialize it. */
const isLeftToCaller = (program: Program, { fn }: Flow): boolean =>
  !program.graph.isEntryPoint(fn) && fn.role !== "constructor"
