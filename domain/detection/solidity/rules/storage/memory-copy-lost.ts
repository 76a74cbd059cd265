import type { Rule } from "../../../Rule.ts"
import type { Definition, FlowNode } from "../../cfg.ts"
import type { Flow } from "../../flow.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { Shape } from "../../shape.ts"
import type * as S from "../../syntax.ts"
import { locationOf } from "../../types.ts"
import { isSomewhere } from "../../place.ts"
import { walk } from "../../visit.ts"

const isCopy = (variable: LocalVariable): boolean =>
  (variable.type.kind === "struct" || variable.type.kind === "array") && locationOf(variable.type) === "memory"

/** The local whose member or element an expression designates; not the local itself. */
const changedLocal = (program: Program, e: S.Expression): LocalVariable | undefined => {
  let at = e
  while (at.kind === "MemberAccess" || at.kind === "IndexAccess") at = at.kind === "MemberAccess" ? at.object : at.base
  if (at === e || at.kind !== "Identifier") return undefined
  const found = program.referenceOf(at)
  return found?.kind === "LocalVariable" ? found : undefined
}

/** The left side when a statement is nothing but a change of one place. */
const target = (e: FlowNode["expression"]): S.Expression | undefined => {
  if (e?.kind === "Assignment") return e.left
  if (e?.kind === "UnaryOperation" && (e.operator === "++" || e.operator === "--" || e.operator === "delete"))
    return e.operand
  return undefined
}

/** The value of the local is used by this step, other than to change the same local. */
const usesAt = (program: Program, node: FlowNode, variable: LocalVariable): boolean => {
  if (node.kind === "branch" || node.expression === undefined) return false
  const changed = target(node.expression)
  const own = changed !== undefined && changedLocal(program, changed) === variable ? changed : undefined
  let used = false
  walk(node.expression, (e) => {
    if (e === own) {
      // indices of the place changed may use the local
      return false
    }
    if ((e.kind === "Identifier" || e.kind === "YulIdentifier") && program.referenceOf(e) === variable) {
      // `x = …` gives the local another value
      const replaced = node.expression?.kind === "Assignment" && node.expression.left === e
      if (!replaced) used = true
    }
    return !used
  })
  return used
}

/** Changes of members or elements of memory locals, by local. */
const changesIn = (program: Program, flow: Flow): ReadonlyMap<LocalVariable, ReadonlyArray<FlowNode>> => {
  const changes = new Map<LocalVariable, Array<FlowNode>>()
  for (const node of flow.stepsWith(Shape.assignment | Shape.change)) {
    if (!flow.isReachable(node)) continue
    const changed = target(node.expression)
    const variable = changed === undefined ? undefined : changedLocal(program, changed)
    if (variable === undefined || !isCopy(variable)) continue
    const known = changes.get(variable)
    if (known === undefined) changes.set(variable, [node])
    else known.push(node)
  }
  return changes
}

/** Changes of one local that are followed; code with more of them computes in memory. */
const changeLimit = 32

const isUsedAfter = (program: Program, flow: Flow, variable: LocalVariable, change: FlowNode): boolean =>
  variable.role === "return" ||
  flow.nodes.some((node) => node !== change && flow.reaches(change, node) && usesAt(program, node, variable))

const fromStorage = (flow: Flow, d: Definition | undefined): d is Definition & { readonly value: S.Expression } =>
  d?.value !== undefined && !d.value.kind.startsWith("Yul") && isSomewhere(flow.place(d.value as S.Expression, d.at)) // not Yul: it is Solidity's expression

/** Parameters of a function that it changes and lets go of, so that only the caller's copy could matter. */
const lostParameters = (program: Program, fn: FunctionModel): ReadonlyMap<LocalVariable, FlowNode> => {
  const lost = new Map<LocalVariable, FlowNode>()
  if (!fn.implemented || !fn.parameters.some(isCopy)) return lost
  const flow = program.flow(fn)
  for (const [variable, nodes] of changesIn(program, flow)) {
    if (!fn.parameters.includes(variable) || nodes.length > changeLimit) continue
    if (nodes.every((node) => !isUsedAfter(program, flow, variable, node))) lost.set(variable, nodes[0]!)
  }
  return lost
}

export const memoryCopyLost: Rule<Program> = {
  meta: {
    id: "evm/storage/memory-copy-lost",
    class: "storage-memory-copy",
    title: "Change is made to a copy of storage and lost",
    severity: "high",
    confidence: "high",
    cwe: [664],
    description:
      "A struct or array of storage is copied into memory, the copy is changed, and nothing is done with it afterwards: the " +
      "contract's state stays as it was. The function seems to record a payment, a reward or a lock, and the next call finds " +
      "the old values, so that the same amount can be claimed again or is never credited.",
    remediation:
      "Declare the local (or the parameter of the internal function) as `storage` when the state is meant to change, or write " +
      "the copy back: `users[id] = user;`.",
    references: [
      "https://docs.soliditylang.org/en/latest/types.html#data-location-and-assignment-behavior",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#modifying-storage-array-by-value",
    ],
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;

    function settle(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt; // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Marks {
    uint256[3] public marks;

    function set(uint256[3] memory all) internal pure {
        all[0] = 1;
    }

    function reset() external {
        set(marks); // FINDING
    }

    function clear() external {
        uint256[3] memory all = marks;
        for (uint256 i = 0; i < 3; i++) {
            all[i] = 0; // FINDING
        }
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;
    event Settled(User user);

    function settle(uint256 debt) external {
        User storage user = users[msg.sender];
        user.debt = debt;
    }

    function back(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt;
        users[msg.sender] = user;
    }

    function preview(uint256 debt) external view returns (User memory) {
        User memory user = users[msg.sender];
        user.debt = debt;
        return user;
    }

    function log(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt += debt;
        if (user.debt > user.amount) emit Settled(user);
    }
}`,
      `pragma solidity ^0.8.0;
contract Sorted {
    uint256[] values;

    function median() external view returns (uint256) {
        uint256[] memory all = values;
        sort(all);
        return all[all.length / 2];
    }

    function sort(uint256[] memory all) internal pure {
        for (uint256 i = 1; i < all.length; i++) {
            uint256 x = all[i];
            all[i] = all[i - 1];
            all[i - 1] = x;
        }
    }

    function set(uint256[] storage all) internal {
        all[0] = 1;
    }

    function reset() external {
        set(values);
    }
}`,
    ],
  },

  check: (program, report) => {
    const lost = new Map<FunctionModel, ReadonlyMap<LocalVariable, FlowNode>>()
    for (const flow of program.allFlows()) {
      for (const [variable, nodes] of changesIn(program, flow)) {
        const [first] = nodes
        if (
          first === undefined ||
          nodes.length > changeLimit ||
          nodes.some((node) => isUsedAfter(program, flow, variable, node))
        )
          continue
        const { definitions, initial } = flow.values.reaching(variable, first)
        const copy = definitions.find(({ keepsOld }) => !keepsOld)
        if (initial || !fromStorage(flow, copy)) continue
        const { file } = first.callable.source
        report({
          file,
          span: first.expression!,
          scope: first.callable.scope,
          trace: [
            { file, span: copy.value, note: "copied from storage into memory" },
            { file, span: first.expression!, note: "changes the copy, which is not used any more" },
          ],
        })
      }
      for (const site of flow.calls()) {
        if ((site.callKind !== "internal" && site.callKind !== "library") || site.target === undefined) continue
        let parameters = lost.get(site.target)
        if (parameters === undefined) lost.set(site.target, (parameters = lostParameters(program, site.target)))
        for (const [parameter, node] of parameters) {
          const arg = site.args[site.target.parameters.indexOf(parameter)]
          // not Yul: arguments of a call in Solidity
          if (arg === undefined || !isSomewhere(flow.place(arg as S.Expression, site.at))) continue
          report({
            file: site.at.callable.source.file,
            span: site.node,
            scope: site.at.callable.scope,
            message: `\`${site.name}\` changes a copy of what is passed to it.`,
            trace: [
              { file: site.at.callable.source.file, span: arg, note: "copied from storage into memory" },
              { file: node.callable.source.file, span: node.expression!, note: "changes the copy" },
            ],
          })
        }
      }
    }
  },
}
