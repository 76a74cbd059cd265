import type { Rule } from "../../../Rule.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { mentions } from "../../questions/value/mentions.ts"
import { locationOf } from "../../types.ts"
import { walk } from "../../visit.ts"
import type { Span } from "../../../SourceFile.ts"
import { oncePer } from "../../../oncePer.ts"

interface Unused extends Span {
  readonly name: string
  readonly what: string
}

export const deadCode: Rule<Program> = {
  meta: {
    id: "evm/code-quality/dead-code",
    class: "dead-code",
    title: "Unused declarations",
    severity: "informational",
    confidence: "medium",
    cwe: [1164],
    swc: 131,
    description:
      "Internal functions, variables, errors or events of the contract are never used. They cost gas at " +
      "deployment and readers' time, and they are often remnants of a check or a record that was meant to be " +
      "there.",
    remediation: "Remove them, or use them where they were intended.",
    references: [
      "https://swcregistry.io/docs/SWC-131",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#dead-code",
    ],
  },

  check: (program, report) => {
    const applied = new Set(program.functions.flatMap((fn) => fn.node.modifiers.map(({ path }) => path.at(-1) ?? "")))
    for (const contract of program.contracts) {
      if (!isFinal(contract)) continue
      const unused = unusedIn(program, contract, applied).toSorted((a, b) => a.start - b.start)
      const [first] = unused
      if (first === undefined) continue
      const shown = unused.slice(0, namesShown).map(({ what, name }) => `${what} \`${name}\``)
      const more = unused.length > namesShown ? ` and ${unused.length - namesShown} more` : ""
      report({
        file: contract.source.file,
        span: spanOf(first),
        scope: contract.name,
        message: `Unused: ${shown.join(", ")}${more}.`,
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Late {
    uint256 public total;
    function set(uint256 n) external {
        if (n > 0) revert("no");
        return;
        total = n; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Late {
    uint256 public total;
    modifier positive(uint256 n) { require(n > 0); _; } // FINDING
    function set(uint256 n) external { total = n; }
}`,
      `pragma solidity ^0.8.0;
contract Vault {
    error Refused(address who);
    uint256 private limit; // FINDING
    uint256 private total;
    function add(uint256 x) external { if (x == 0) revert Refused(msg.sender); total += x; }
    function check(uint256 x) private view { require(x < total); }
}`,
      `pragma solidity ^0.4.24;
contract Counter {
    uint256 public count;
    event Raised(uint256 to);
    function low(uint256 x) internal pure returns (uint256) { // FINDING
        return x > 3 ? 3 : x;
    }
    function raise() public { count++; emit Raised(count); }
}`,
      `pragma solidity ^0.8.0;
contract Sums {
    uint256 public total;
    function add(uint256 a, uint256 b) external {
        uint256 sum = a + b; // FINDING
        total += a;
    }
}`,
      `pragma solidity ^0.8.20;
abstract contract Base { function run() external { hook(); } function hook() internal virtual; }
contract Heir is Base {
  uint256 public count;
  function hook() internal override { count += 1; }
  function hook(uint256 by) internal { count += by; } // FINDING
}
contract Private {
  uint256 public count;
  function add() external { count += 1; }
  function more() private { count += 2; } // FINDING
}
contract Guarded {
  uint256 public count;
  modifier positive() { require(count > 0); _; } // FINDING
  function add() external { count += 1; }
}
contract Listed {
  uint256[] private list; // FINDING
  uint256 public count;
  function add() external { count += 1; }
}
contract After {
  function add(uint256 x) external pure returns (uint256) {
    return x;
    uint256 y = x; // FINDING
    y;
  }
}`,
      // The word alone is not an assembly, and a long list is cut.
      `pragma solidity ^0.8.20;
contract Desk {
  // no assembly here
  error A(); // FINDING
  error B();
  error C();
  error D();
  error E();
  error F();
  error G();
  error H();
  error I();
}`,
      `pragma solidity ^0.8.20;
contract Eight {
  error A(); // FINDING
  error B();
  error C();
  error D();
  error E();
  error F();
  error G();
  error H();
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
library Math {
    function max(uint256 a, uint256 b) internal pure returns (uint256) { return a > b ? a : b; }
}
abstract contract Base {
    error Refused(address who);
    uint256[50] private gap;
    function _hook() internal virtual {}
    function _unused() internal pure returns (uint256) { return 1; }
}
contract Vault is Base {
    uint256 constant LIMIT = 3;
    uint256 private total = LIMIT;
    function _hook() internal override { total++; }
    function add() external { _hook(); run(twice); }
    function twice(uint256 x) internal pure returns (uint256) { return 2 * x; }
    function run(function(uint256) internal pure returns (uint256) f) private { total = f(total); }
}`,
      `pragma solidity ^0.8.0;
contract Locals {
    function size(address a) external returns (uint256 n) {
        uint256 m = 5;
        (bool ok, bytes memory data) = a.call("");
        require(ok);
        bool done = a.code.length > 0;
        assembly { n := add(m, done) }
    }
}`,
      `pragma solidity ^0.8.0;
import "./Missing.sol";
contract Vault is Missing {
    uint256 internal room;
    function _authorize(address next) internal {}
}
contract Slots {
    error Closed();
    uint256 private lock;
    function close() external { assembly { sstore(lock.slot, 1) } }
}`,
      `pragma solidity ^0.6.0;
library Sums { function add(uint256 a) internal pure returns (uint256) { return a; } }
contract Made { uint256 public count; constructor() internal {} function add() external { count += 1; } }
contract Opened { uint256 public count; function hook() internal virtual { count += 1; } }
contract Only { uint256 public count; modifier positive() { require(count > 0); _; } }
contract Points {
  uint256[50] private gap;
  uint256 public count;
  function add() external { function() internal f = step; f(); }
  function step() internal { count += 1; }
  function both() internal returns (uint256, uint256) { count += 1; return (1, 2); }
  function one() internal returns (uint256) { count += 1; return 1; }
  function run(bytes calldata data) external {
    (uint256 a, uint256 b) = both();
    uint256 c = one();
    bytes memory d = data;
    count += b;
  }
}`,
      // Locals of modifiers and of tuples, and those that take what assembly says.
      `pragma solidity ^0.8.20;
contract Desk {
  uint256 count;
  modifier counted() { uint256 unused = 1; _; }
  function tell(address to) external counted {
    (bool ok, ) = to.call("");
    count += 1;
  }
  function size(address of) external view returns (uint256) {
    uint256 length;
    assembly { length := extcodesize(of) }
    return count;
  }
}`,
    ],
  },
}

const namesShown = 8

/** Nobody outside the sources can use members of a contract that is deployed as it stands. */
const isFinal = (contract: ContractModel): boolean => contract.deployable && contract.missingBases.length === 0

const unusedIn = (
  program: Program,
  contract: ContractModel,
  /** Names of the modifiers that some function has. */
  applied: ReadonlySet<string>,
): ReadonlyArray<Unused> => {
  const { declarations, unresolved } = mentions(program)
  const isUnused = (d: Parameters<typeof declarations.has>[0] & { readonly name: string }): boolean =>
    !declarations.has(d) && !unresolved.has(d.name)
  const found: Array<Unused> = []
  const overridden = ({ name, signature }: FunctionModel): boolean =>
    contract.linearization.some(
      (c) => c !== contract && c.names.get(name)?.some((d) => d.kind === "Function" && d.signature === signature),
    )
  for (const fn of contract.functions) {
    if (fn.node.virtual) continue
    if ((fn.visibility !== "internal" && fn.visibility !== "private") || program.functionValues.has(fn)) continue
    if (isUnused(fn) && !overridden(fn)) found.push({ ...spanOf(fn.node.nameSpan), name: fn.name, what: "function" })
  }
  for (const fn of contract.functions) {
    found.push(...unusedLocals(program.flow(fn)), ...unreachable(program.flow(fn)))
  }
  for (const m of contract.modifiers) {
    // without functions to call it is made to be inherited
    if (applied.has(m.name) || !contract.functions.some((fn) => program.graph.isEntryPoint(fn))) continue
    found.push({ ...spanOf(m.node.nameSpan), name: m.name, what: "modifier" })
  }
  for (const v of contract.stateVariables) {
    if (v.node === undefined || v.visibility === "public" || !isUnused(v)) continue
    // room for variables of later versions
    if (v.type.kind === "array" && v.type.fixed) continue
    found.push({ ...spanOf(v.node.nameSpan), name: v.name, what: "variable" })
  }
  // assembly reverts and logs by the selector alone
  if (contract.linearization.some(usesAssembly)) return found
  for (const e of contract.errors)
    if (isUnused(e)) found.push({ ...spanOf(e.node.nameSpan), name: e.name, what: "error" })
  for (const e of contract.events)
    if (isUnused(e)) found.push({ ...spanOf(e.node.nameSpan), name: e.name, what: "event" })
  return found
}

/** Locals that are declared, maybe assigned, and never read; one that takes a call's result runs the call. */
const unusedLocals = (flow: Flow): ReadonlyArray<Unused> =>
  flow.nodes.flatMap(({ node, callable }) => {
    if (callable !== flow.fn || node?.kind !== "VariableDeclarationStatement") return []
    const [declaration] = node.declarations
    const local = declaration === undefined ? undefined : flow.program.localOf(declaration)
    if (local === undefined || flow.isUsed(local) || locationOf(local.type) !== undefined) return []
    // a call through a pointer is no use of the local that holds it
    if (local.type.kind === "function") return []
    const isResult = flow
      .definitionsOf(local)
      .some(({ value }) => value?.kind === "FunctionCall" || value?.kind.startsWith("Yul") === true)
    if (isResult) return []
    return [{ ...spanOf(local.node), name: local.name, what: "local" }]
  })

/** The first statement behind a return, a revert or an endless loop. */
const unreachable = (flow: Flow): ReadonlyArray<Unused> => {
  const first = flow.nodes.find(
    ({ node, callable, id }) =>
      callable === flow.fn &&
      (node?.kind === "ExpressionStatement" || node?.kind === "VariableDeclarationStatement") &&
      !flow.isReachable(flow.nodes[id]!),
  )
  return first?.node === undefined
    ? []
    : [{ ...spanOf(first.node), name: flow.fn.name, what: "unreachable end of function" }]
}

const usesAssembly = oncePer((contract: ContractModel): boolean => {
  let found = false
  if (contract.source.file.text.slice(contract.node.start, contract.node.end).includes("assembly"))
    walk(contract.node, (node) => {
      if (node.kind === "InlineAssembly") found = true
      return !found
    })
  return found
})

const spanOf = ({ start, end }: Span): Span => ({ start, end })
