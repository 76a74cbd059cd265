import type { Rule } from "../../../Rule.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { areRelated, exposedBy, forwarders, isDelegating, layoutOf } from "../../questions/authority/forwarding.ts"
import { abiName } from "../../types.ts"
import { walk } from "../../visit.ts"
import type * as S from "../../syntax.ts"

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
    const done = new Set<CallSite["node"]>()
    const bySignature = implementations(program)
    for (const flow of program.allFlows()) {
      const { context } = flow
      if (context === undefined || context.node.contractKind !== "contract") continue
      for (const site of flow.calls()) {
        if (!isDelegating(site) || site.call === undefined) continue
        const clash = selectedClash(flow, site, context, bySignature)
        if (clash === undefined) continue
        done.add(site.node)
        report({
          ...placeOf(site),
          scope: flow.fn.scope,
          message: `${clash.fn.scope} writes ${clash.theirs.name} where this contract has ${clash.ours?.name ?? "nothing"}.`,
          trace: [
            { ...placeOf(site), note: "runs the other contract's code on this storage" },
            { file: clash.fn.source.file, span: clash.fn.node.nameSpan, note: `writes ${clash.theirs.name}` },
          ],
        })
      }
    }
    for (const forwarder of forwarders(program)) {
      const { contract, flow, site } = forwarder
      // the worse problem is reported by the rule on untrusted delegate calls
      if (exposedBy(forwarder) !== undefined) continue
      const stored = ordinaryTarget(program, flow, site, contract)
      if (stored === undefined || done.has(site.node) || hasTwin(program, contract)) continue
      report({
        ...placeOf(site),
        scope: flow.fn.scope,
        message: `${stored.name} lies in an ordinary slot, which the code called may use for something else.`,
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
    ],
    safe: [
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
    ],
  },
}

interface Clash {
  readonly fn: FunctionModel
  readonly theirs: StateVariable
  readonly ours: StateVariable | undefined
}

const implementations = (program: Program): ReadonlyMap<string, ReadonlyArray<FunctionModel>> => {
  const found = new Map<string, Array<FunctionModel>>()
  for (const fn of program.functions) {
    if (!fn.implemented || !program.graph.isEntryPoint(fn)) continue
    const known = found.get(fn.signature)
    if (known === undefined) found.set(fn.signature, [fn])
    else known.push(fn)
  }
  return found
}

/** A function that the calldata names writes a variable that stands where this contract has another one. */
const selectedClash = (
  flow: Flow,
  site: CallSite,
  contract: ContractModel,
  bySignature: ReadonlyMap<string, ReadonlyArray<FunctionModel>>,
): Clash | undefined => {
  const { program } = flow
  const ours = layoutOf(program, contract)
  if (ours.length === 0) return undefined
  for (const signature of site.args.flatMap((arg) => signaturesIn(program, arg))) {
    const candidates = bySignature.get(signature) ?? []
    // one of several was made for this layout: that is the one that is meant
    if (candidates.length > 1 && candidates.some((fn) => sharesLayout(program, fn, contract))) continue
    for (const fn of candidates) {
      if (fn.contract === undefined || areRelated(fn.contract, contract)) continue
      const inner = program.flow(fn)
      const theirs = layoutOf(program, inner.context ?? fn.contract)
      for (const { place } of inner.writes) {
        for (const variable of place?.variables ?? []) {
          const index = theirs.indexOf(variable)
          if (index < 0 || isSame(variable, ours[index])) continue
          // beyond the last of ours nothing is overwritten
          if (index < ours.length) return { fn, theirs: variable, ours: ours[index] }
        }
      }
    }
  }
  return undefined
}

const sharesLayout = (program: Program, fn: FunctionModel, contract: ContractModel): boolean => {
  if (fn.contract === undefined) return false
  if (areRelated(fn.contract, contract)) return true
  const ours = layoutOf(program, contract)
  const theirs = layoutOf(program, program.flow(fn).context ?? fn.contract)
  return theirs.length > 0 && theirs.every((variable, i) => i >= ours.length || isSame(variable, ours[i]))
}

/** Signatures named in calldata that is put together here: as text, or by a function's selector. */
const signaturesIn = (program: Program, e: Expr): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (part: S.Node, depth: number): void =>
    walk(part, (node) => {
      // arguments of the call are not what is called
      if (node.kind === "FunctionCall" && node.args.length > 1 && isEncoding(program, node)) {
        look(node.args[0]!, depth)
        return false
      }
      if (node.kind === "Literal" && node.literalKind === "string" && /^\w+\(.*\)$/.test(node.value))
        found.push(node.value)
      if (node.kind === "Identifier") {
        const variable = program.referenceOf(node)
        if (variable?.kind === "StateVariable" && variable.node?.value !== undefined && depth < 2)
          look(variable.node.value, depth + 1)
      }
      if (node.kind === "MemberAccess") {
        const target = program.referenceOf(node)
        if (target?.kind === "Function") found.push(target.signature)
      }
      return true
    })
  look(e, 0)
  return found
}

const isEncoding = (program: Program, e: S.FunctionCall): boolean => {
  const call = program.callOf(e)
  return call?.kind === "builtin" && /^abi\.encode(?:WithS\w+|Call)$/.test(call.name)
}

const isSame = (a: StateVariable, b: StateVariable | undefined): boolean =>
  b !== undefined && a.name === b.name && abiName(a.type) === abiName(b.type)

/** The state variable in which the target is stored, when it lies among the ordinary ones. */
const ordinaryTarget = (
  program: Program,
  flow: Flow,
  site: CallSite,
  contract: ContractModel,
): StateVariable | undefined => {
  if (site.receiver === undefined) return undefined
  const inside = site.at.callable.kind === "Function" ? program.flow(site.at.callable) : flow
  const { state } = inside.expand(inside.origins(site.receiver, site.at))
  const layout = layoutOf(program, contract)
  return state.find((variable) => layout.includes(variable))
}

/** Some other contract of the project has the same first variables: the layouts were made for each other. */
const hasTwin = (program: Program, contract: ContractModel): boolean => {
  const ours = layoutOf(program, contract)
  return program.everything.contracts.some((other) => {
    if (other === contract || other.node.contractKind !== "contract" || other.linearization.includes(contract))
      return false
    const theirs = layoutOf(program, other)
    return theirs.length >= ours.length && ours.every((variable, i) => isSame(variable, theirs[i]))
  })
}
