import type { Rule } from "../../../Rule.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { SourceModel } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { reachedValue } from "../../questions/value/reachedValue.ts"
import { storageUse } from "../../questions/value/storageUse.ts"

export const missingEvent: Rule<Program> = {
  meta: {
    id: "evm/code-quality/missing-event",
    class: "missing-event",
    title: "Missing event for a privileged change",
    severity: "informational",
    confidence: "medium",
    cwe: [778],
    description:
      "Functions reserved for an owner or role change an address or number that the contract relies on without " +
      "emitting an event. Users and monitoring cannot see that a fee, a limit or the owner has changed unless " +
      "they read the storage at every block, so a malicious or mistaken change goes unnoticed until it takes " +
      "effect.",
    remediation: "Emit an event with the old and the new value in each function that changes a setting.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#missing-events-access-control",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#missing-events-arithmetic",
    ],
  },

  check: (program, report) => {
    const { read } = storageUse(program)
    const silent = new Map<
      SourceModel,
      { readonly write: Reached<StorageAccess>; readonly flow: Flow; readonly names: Set<string> }
    >()
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn)) continue
      for (const write of flow.writes) {
        const name = settingOf(flow, write)
        if (name === undefined || !read.has(write.place!.variables[0]!) || !flow.isRestricted(write.at)) continue
        if (tells(program, flow)) break
        const known = silent.get(fn.source)
        if (known === undefined) silent.set(fn.source, { write, flow, names: new Set([name]) })
        else known.names.add(name)
      }
    }
    for (const { write, flow, names } of silent.values()) {
      report({
        ...placeOf(write.event),
        scope: flow.fn.scope,
        message: `Changed without an event: ${[...names].map((name) => `\`${name}\``).join(", ")}.`,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Feed {
    address owner = msg.sender;
    address source;
    function _set(address to) internal { source = to; } // FINDING
    function setSource(address to) external { require(msg.sender == owner); _set(to); }
    function get() external view returns (address) { return source; }
}`,
      `pragma solidity ^0.8.0;
contract Shop {
    address owner = msg.sender;
    uint256 fee;
    uint256 limit;
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function setFee(uint256 next) external onlyOwner {
        fee = next; // FINDING
    }
    function setLimit(uint256 next) external onlyOwner {
        limit = next;
    }
    function price(uint256 x) external view returns (uint256) {
        require(x < limit);
        return x + fee;
    }
}`,
      `pragma solidity ^0.4.24;
contract Owned {
    address public owner;
    constructor() public { owner = msg.sender; }
    function transferOwnership(address next) public {
        require(msg.sender == owner && next != address(0));
        owner = next; // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function balanceOf(address who) external view returns (uint256); }
contract Shop {
  address immutable owner = msg.sender;
  IToken token;
  function set(IToken t) external {
    require(msg.sender == owner);
    token = t; // FINDING
  }
  function held() external view returns (uint256) { return token.balanceOf(address(this)); }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Shop {
    address owner = msg.sender;
    uint256 fee;
    uint256 mine;
    event FeeChanged(uint256 from, uint256 to);
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function _tell(uint256 a, uint256 b) private { emit FeeChanged(a, b); }
    function setFee(uint256 next) external onlyOwner {
        _tell(fee, next);
        fee = next;
    }
    function setMine(uint256 x) external { mine = x; }
    function price(uint256 x) external view returns (uint256) { return x + fee + mine; }
}`,
      `pragma solidity ^0.8.0;
contract Once {
    address owner;
    uint256 noted;
    mapping(address => uint256) public limits;
    constructor(address o) { owner = o; }
    function setLimit(address of, uint256 to) external {
        require(msg.sender == owner);
        limits[of] = to;
        noted = block.timestamp;
    }
}`,
      `pragma solidity ^0.8.20;
import "./Base.sol";
library Logs { event Changed(uint256 to); function log(uint256 to) internal { emit Changed(to); } }
contract Shop is Base {
  struct Config { uint256 fee; }
  address immutable owner = msg.sender;
  uint256 unread;
  uint256 public fee;
  bool open;
  Config config;
  event Changed(uint256 to);
  modifier byOwner() { require(msg.sender == owner); _; }
  function note(uint256 x) external byOwner { unread = x; }
  function raise(uint256 x) external byOwner { fee += x; }
  function configure(uint256 x) external byOwner { config.fee = x; }
  function toggle(bool x) external byOwner { open = x; }
  function reset() external byOwner { fee = 5; }
  function based(uint256 x) external byOwner { fee = x; _log(x); }
  function told(uint256 x) external byOwner { fee = x; tell(x); }
  function viaLibrary(uint256 x) external byOwner { fee = x; Logs.log(x); }
  function tell(uint256 x) internal { emit Changed(x); }
  function read() external view returns (uint256) { return open ? config.fee : fee; }
}`,
    ],
  },
}

/** Whether an event is emitted here or in a called function; code without source may emit one. */
const tells = (program: Program, flow: Flow, depth = 0): boolean => {
  for (const site of flow.calls()) {
    if (site.callKind === "event" || site.callKind === "unknown") return true
    if (depth < 6 && site.target?.implemented === true) {
      if (tells(program, program.flow(site.target), depth + 1)) return true
    }
  }
  return false
}

/** A setting: a whole variable, an address or a number, taken from the arguments. */
const settingOf = (flow: Flow, write: Reached<StorageAccess>): string | undefined => {
  const { event, place } = write
  const variable = place?.variables[0]
  if (event.operation !== "assign" || variable === undefined) return undefined
  if (!["address", "contract", "integer"].includes(variable.type.kind)) return undefined
  return has(reachedValue(flow, write), Source.parameter) ? variable.name : undefined
}
