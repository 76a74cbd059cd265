import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import {
  callSteps,
  directCalls,
  isLibraryFunction,
  ownCall,
  placeOf,
  strangersPath,
} from "../../questions/authority/attackerControl.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"
import { exposedBy, forwarders, isDelegating } from "../../questions/authority/forwarding.ts"
import { openState, openTable } from "../../questions/authority/openState.ts"
import { isUndone } from "../../questions/call/undone.ts"

export const untrustedDelegatecall: Rule<Program> = {
  meta: {
    id: "evm/dangerous-call/untrusted-delegatecall",
    class: "delegatecall-untrusted",
    title: "Delegatecall to a caller-chosen address",
    severity: "high",
    confidence: "high",
    cwe: [829, 94],
    swc: 112,
    description:
      "`delegatecall` runs another contract's code with this contract's storage, balance and identity. Here, " +
      "the address of that code comes from the caller, or from state that anyone can set. An attacker can pass " +
      "a contract of their own that overwrites the owner, moves every token that this contract holds or may " +
      "spend, or destroys it.",
    remediation:
      "Delegate only to addresses that are constant, immutable, or set by a protected function; or check the " +
      "target against an allowlist that only an administrator can change. If the code does not need to write to " +
      "this contract's storage, use an ordinary call.",
    references: [
      "https://swcregistry.io/docs/SWC-112",
      "https://docs.soliditylang.org/en/latest/introduction-to-smart-contracts.html#delegatecall-and-libraries",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isReachable(flow.fn) || isLibraryFunction(flow.fn)) continue
      for (const call of directCalls(flow)) {
        const { event } = call
        if (!isDelegating(event) || event.receiver === undefined) continue
        if (flow.onceAt(call.at) !== undefined || isUndone(flow, call) || isForHosts(flow, call.at)) continue
        const target = originsThrough(flow, call, event.receiver)
        const path = strangersPath(flow, call.at, target, Source.calldata | Source.sender)
        const step = { ...placeOf(event), note: "runs the code at that address on this contract's storage" }
        const site = ownCall(call)
        const outer = path?.[0]?.at
        if (outer?.callable.kind === "Function" && isForHosts(program.flow(outer.callable), outer)) continue
        if (path !== undefined) {
          report({
            ...placeOf(site),
            scope: flow.fn.scope,
            message: "The address comes from the caller.",
            trace: [...callSteps(path), ...callSteps(call.via), step],
          })
          continue
        }
        const write = target.state.flatMap(
          (variable) => openState(flow, variable) ?? openTable(flow, variable, target) ?? [],
        )[0]
        if (write === undefined) continue
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          message: "Anyone can set the address.",
          // What is stored besides it, such as the votes for it, may decide.
          ...(isUnderCondition(flow, call.at) ? { severity: "medium" as const } : {}),
          trace: [{ ...placeOf(write.event), note: "the address is set without checking the caller" }, step],
        })
      }
    }
    for (const forwarder of forwarders(program)) {
      const { flow, site, at } = forwarder
      const exposed = flow.isRestricted(at) ? undefined : exposedBy(forwarder)
      if (exposed === undefined) continue
      report({
        ...placeOf(site),
        scope: flow.fn.scope,
        message: `Callers can run \`${exposed.fn.scope}\` on this contract's storage and overwrite \`${exposed.ours.name}\`.`,
        confidence: "medium",
        trace: [
          { ...placeOf(site), note: "any function of the target can be called" },
          { file: exposed.fn.source.file, span: exposed.fn.node.nameSpan, note: `overwrites \`${exposed.ours.name}\`` },
        ],
      })
    }
  },
  examples: {
    vulnerable: [
      // The entry that holds the code can be written by its key; so can any that the caller reads by name.
      `pragma solidity ^0.8.20;
abstract contract Table {
  mapping(bytes32 => address) internal addresses;
  function put(bytes32 key, address to) internal { addresses[key] = to; }
}
contract Proxy is Table {
  bytes32 constant CODE = bytes32(uint256(0x360894));
  constructor(address code) { put(CODE, code); }
  function register(bytes32 key, address to) external { put(key, to); }
  fallback() external payable {
    (bool ok, ) = addresses[CODE].delegatecall(msg.data); // FINDING
    require(ok);
  }
}
contract Modules {
  mapping(bytes32 => address) codes;
  function register(string calldata name, address to) external { codes[keccak256(bytes(name))] = to; }
  function run(string calldata name, bytes calldata data) external {
    (bool ok, ) = codes[keccak256(bytes(name))].delegatecall(data); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Vault {
  address public admin = msg.sender;
  function execute(address module, bytes calldata data) external returns (bytes memory) {
    (bool ok, bytes memory answer) = module.delegatecall(data); // FINDING
    require(ok, "failed");
    return answer;
  }
}`,
      `pragma solidity ^0.4.24;
contract Forwarder {
  address callee;
  address owner = msg.sender;
  function setCallee(address next) public { callee = next; }
  function forward(bytes data) public {
    require(callee.delegatecall(data)); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Runner {
  function run(bytes calldata input) external {
    (address code, bytes memory data) = abi.decode(input, (address, bytes));
    _run(code, data);
  }
  function _run(address code, bytes memory data) private {
    assembly {
      let ok := delegatecall(gas(), code, add(data, 32), mload(data), 0, 0) // FINDING
      if iszero(ok) { revert(0, 0) }
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Proxy {
  bytes32 constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  function upgrade(address to) external { assembly { let s := SLOT sstore(s, to) } }
  fallback() external payable {
    bytes32 slot = SLOT;
    assembly {
      let to := sload(slot)
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) // FINDING
      if iszero(ok) { revert(0, 0) }
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Worker {
  address public boss;
  function takeOver() external { boss = msg.sender; }
}
contract Front {
  address public owner = msg.sender;
  Worker worker;
  constructor(Worker w) { worker = w; }
  fallback() external {
    (bool ok, ) = address(worker).delegatecall(msg.data); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.18;
contract Modules {
  mapping(bytes4 => address) modules;
  function register(bytes4 selector, address module) external { modules[selector] = module; }
  fallback() external payable {
    (bool ok, ) = modules[msg.sig].delegatecall(msg.data); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Stateful {
  address immutable self = address(this);
  uint256 public count;
  function run(address to) external {
    require(address(this) != self);
    (bool ok, ) = to.delegatecall(""); // FINDING
    require(ok);
  }
}
contract Stateless {
  address immutable self = address(this);
  function here(address to) external {
    require(address(this) == self);
    (bool ok, ) = to.delegatecall(""); // FINDING
    require(ok);
  }
  function sender(address to) external {
    require(msg.sender != self);
    (bool ok, ) = to.delegatecall(""); // FINDING
    require(ok);
  }
  function other(address to, address than) external {
    require(address(this) != than);
    (bool ok, ) = to.delegatecall(""); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
abstract contract Settings {
  mapping(bytes32 => address) internal current;
  function _set(bytes32 key, address value) internal { current[key] = value; }
}
contract Runner is Settings {
  address public governance = msg.sender;
  function setModule(bytes32 key, address module) external {
    require(msg.sender == governance, "only governance");
    _set(key, module);
  }
  function run(bytes32 key, bytes calldata data) external {
    (bool ok, ) = current[key].delegatecall(data); // FINDING
    require(ok, "failed");
  }
}
contract OpenRunner is Runner {
  function replaceModule(bytes32 key, address module) external { _set(key, module); }
}`,
      // What one module of a proxy stores, another one runs.
      `pragma solidity ^0.8.20;
abstract contract Modular {
  mapping(bytes4 => address) internal modules;
}
contract Router is Modular {
  address public immutable core;
  constructor(address core_) { core = core_; }
  fallback() external payable {
    (bool ok, ) = core.delegatecall(msg.data);
    require(ok, "failed");
  }
}
contract Registry is Modular {
  function register(bytes4 selector, address module) external { modules[selector] = module; }
}
contract Runner is Modular {
  function run(bytes4 selector, bytes calldata data) external {
    (bool ok, ) = modules[selector].delegatecall(data); // FINDING
    require(ok, "failed");
  }
}`,
      // The caller may name the code, or leave it to the contract.
      `pragma solidity ^0.8.20;
contract Account {
  address immutable fallbackCode;
  constructor(address code) { fallbackCode = code; }
  function run(address code, bytes calldata data) external {
    address target = code == address(0) ? fallbackCode : code;
    (bool ok, ) = target.delegatecall(data); // FINDING
    require(ok);
  }
}`,
      // The library is right: whoever calls it decides what runs.
      `pragma solidity ^0.8.20;
library Delegates {
  function functionDelegateCall(address target, bytes memory data) internal returns (bytes memory) {
    (bool ok, bytes memory result) = target.delegatecall(data);
    require(ok, "failed");
    return result;
  }
}
contract Account {
  using Delegates for address;
  function run(address target, bytes calldata data) external returns (bytes memory) {
    return target.functionDelegateCall(data); // FINDING
  }
}`,
      // The code is named by the calldata, or is the caller itself.
      `pragma solidity ^0.8.20;
contract Relay {
  address public last;
  fallback() external {
    address target = address(bytes20(msg.data[:20]));
    (bool ok, ) = target.delegatecall(msg.data[20:]); // FINDING
    require(ok);
  }
  function back(bytes calldata data) external {
    (bool ok, ) = msg.sender.delegatecall(data); // FINDING
    require(ok);
  }
}`,
      `// Votes decide which of the addresses that anyone proposes is run.
pragma solidity ^0.8.20;
contract Proposals {
  mapping(uint256 => address) code;
  mapping(uint256 => uint256) votes;
  mapping(address => uint256) weight;
  uint256 quorum = 100;
  function propose(uint256 id, address what) external { code[id] = what; }
  function vote(uint256 id) external { votes[id] += weight[msg.sender]; weight[msg.sender] = 0; }
  function run(uint256 id) external {
    require(votes[id] > quorum);
    (bool ok, ) = code[id].delegatecall(abi.encodeWithSignature("execute()")); // FINDING
    require(ok);
  }
}
`,
    ],
    safe: [
      // A trial that is always undone.
      `pragma solidity ^0.8.20;
contract Upgrades {
  address implementation;
  address owner = msg.sender;
  function set(address to) external { require(msg.sender == owner); implementation = to; }
  function simulate(address to) external {
    implementation = to;
    revert();
  }
  function run(bytes calldata data) external {
    (bool ok, ) = implementation.delegatecall(data);
    require(ok);
  }
}`,
      // Entries of the table whose key is a hash of a name are not the one that holds the code.
      `pragma solidity ^0.8.20;
abstract contract Table {
  mapping(bytes32 => address) private addresses;
  function get(bytes32 key) public view returns (address) { return addresses[key]; }
  function put(bytes32 key, address to) internal { addresses[key] = to; }
}
contract Tokens is Table {
  mapping(bytes32 => uint256) seen;
  function register(string calldata symbol, address token) external {
    bytes32 key = keccak256(abi.encode("token", symbol));
    seen[key] = block.timestamp;
    put(key, token);
  }
}
contract Proxy is Table {
  bytes32 constant CODE = bytes32(uint256(0x360894));
  constructor(address code) { put(CODE, code); }
  fallback() external payable {
    address to = get(CODE);
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch ok
      case 0 { revert(0, returndatasize()) }
      default { return(0, returndatasize()) }
    }
  }
}`,
      // The writer belongs to another contract with the same base and its own storage.
      `pragma solidity ^0.8.20;
abstract contract Settings {
  mapping(bytes32 => address) internal current;
  function _set(bytes32 key, address value) internal { current[key] = value; }
}
contract Runner is Settings {
  address public governance = msg.sender;
  function setModule(bytes32 key, address module) external {
    require(msg.sender == governance, "only governance");
    _set(key, module);
  }
  function run(bytes32 key, bytes calldata data) external {
    (bool ok, ) = current[key].delegatecall(data);
    require(ok, "failed");
  }
}
contract Names is Settings {
  function claim(bytes32 key, address value) external { _set(key, value); }
}`,
      `pragma solidity ^0.8.0;
contract Account {
  address owner = msg.sender;
  function simulate(address target, bytes memory data) external {
    assembly {
      let ok := delegatecall(gas(), target, add(data, 0x20), mload(data), 0, 0)
      mstore(0, ok)
      revert(0, 32)
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Proxy {
  address immutable code;
  address owner = msg.sender;
  address second;
  constructor(address to) { code = to; }
  function upgrade(address to) external { require(msg.sender == owner); second = to; }
  fallback() external payable {
    (bool ok, ) = (msg.value > 0 ? second : code).delegatecall(msg.data);
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  mapping(address => bool) allowed;
  address private admin = msg.sender;
  modifier auth() { if (msg.sender != admin) revert(); _; }
  function allow(address module) external auth { allowed[module] = true; }
  function execute(address module, bytes calldata data) external {
    require(allowed[module], "unknown module");
    (bool ok, ) = module.delegatecall(data);
    require(ok);
  }
  function anything(address module, bytes calldata data) external auth {
    (bool ok, ) = module.delegatecall(data);
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Batch {
  function batch(bytes[] calldata data) external {
    for (uint256 i; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]);
      require(ok);
    }
  }
}`,
      `pragma solidity ^0.8.20;
library Runs { function run(address to) internal { (bool ok, ) = to.delegatecall(""); require(ok); } }
contract Hosted {
  uint256 constant VERSION = 1;
  address immutable self = address(this);
  function direct(address to) external {
    require(address(this) != self);
    (bool ok, ) = to.delegatecall("");
    require(ok);
  }
  function handed(address to) external { require(address(this) != self); _run(to); }
  function _run(address to) private { (bool ok, ) = to.delegatecall(""); require(ok); }
}
contract Plain {
  bool done;
  function call(address to) external { (bool ok, ) = to.call(""); require(ok); }
  function once(address to) external { require(!done); done = true; (bool ok, ) = to.delegatecall(""); require(ok); }
  function unused(address to) private { (bool ok, ) = to.delegatecall(""); require(ok); }
}`,
      // Only as the code of its hosts, whichever side of the comparison comes first.
      `pragma solidity ^0.8.20;
contract Script {
  address private immutable self = address(this);
  function run(address target, bytes calldata data) external {
    require(self != address(this), "not by itself");
    (bool ok, ) = target.delegatecall(data);
    require(ok);
  }
}`,
    ],
  },
}

/** Whether something about stored values holds at this step. */
const isUnderCondition = (flow: Flow, at: FlowNode): boolean =>
  flow.facts(at).some((fact) => fact.kind !== "any" && sidesOf(fact).some(({ state }) => state.length > 0))

/**
 * Stateless code that refuses to run except on another contract's storage (`address(this)` is not where it was
 * deployed): the delegating contract decides.
 */
const isForHosts = (flow: Flow, at: FlowNode): boolean => {
  const { program, context } = flow
  if (context === undefined || program.stateVariablesOf(context).some((v) => !v.constant && !v.immutable)) return false
  return flow.facts(at).some(
    (fact) =>
      fact.kind === "relation" &&
      fact.operator === "!=" &&
      [
        [fact.left, fact.right],
        [fact.right, fact.left],
      ].some(([a, b]) => a?.sources === Source.self && b !== undefined && only(b, Source.immutable)),
  )
}
