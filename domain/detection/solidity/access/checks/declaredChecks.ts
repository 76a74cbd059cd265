import { oncePer } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel, ModifierModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"

/** Limit: nested helpers of a check that are followed. */
const depthLimit = 3

/** Modifiers and helpers of a contract that only some callers pass: one of them, and one that no function uses. */
interface Declared {
  readonly first: ModifierModel | FunctionModel
  readonly unused: ModifierModel | FunctionModel | undefined
}

export const declaredChecks = oncePer((program: Program): ReadonlyMap<ContractModel, Declared> => {
  const found = new Map<ContractModel, Declared>()
  const note = (contract: ContractModel, check: ModifierModel | FunctionModel, isUnused: boolean): void => {
    const known = found.get(contract)
    found.set(contract, { first: known?.first ?? check, unused: known?.unused ?? (isUnused ? check : undefined) })
  }
  // A modifier without source may be any of that name.
  const unseen = new Set<string>()
  const named = new Map<string, Set<ContractModel | undefined>>()
  for (const { modifiers } of program.everything.functions)
    for (const { node, modifier } of modifiers) {
      const name = node.path.at(-1)!
      if (modifier === undefined) unseen.add(name)
      else named.set(name, (named.get(name) ?? new Set()).add(modifier.contract))
    }
  // An overriding one is used under its own name.
  const isNamed = ({ name, contract }: ModifierModel): boolean => {
    const by = named.get(name)
    const near = contract === undefined ? [] : [...contract.linearization, ...contract.derived]
    return unseen.has(name) || near.some((each) => by?.has(each) === true)
  }
  for (const contract of program.contracts) {
    for (const modifier of contract.modifiers) {
      if (asksSender(program, modifier, 0) || asksByHook(program, modifier))
        note(contract, modifier, !isNamed(modifier))
    }
    for (const fn of contract.functions) {
      if (fn.visibility !== "internal" && fn.visibility !== "private") continue
      if (fn.returns.length > 0 || fn.mutability !== "view" || program.graph.callers(fn).length > 0) continue
      if (asksSender(program, fn, 0)) note(contract, fn, true)
    }
  }
  return found
})

/** The names of restrictive bases in common libraries. */
const restricts = /^(Ownable|OwnableRoles|Owned|Auth|RolesAuthority|DSAuth|AccessControl|AccessManaged)/

/** Whether it inherits a base without source whose name suggests that it restricts callers. */
export const inheritsRestriction = ({ linearization }: ContractModel): boolean =>
  linearization.some(({ missingBases }) => missingBases.some((name) => restricts.test(name)))

/** Limit: derived contracts in which the implementation of a hook is looked for. */
const heirLimit = 8

/** Whether derived contracts decide by the sender about the item that the modifier is given. */
const asksByHook = (program: Program, { parameters, contract, node }: ModifierModel): boolean => {
  if (parameters.length === 0 || contract === undefined || node.body === undefined) return false
  let asks = false
  walk(node.body, (part) => {
    const hook = part.kind === "FunctionCall" ? program.callOf(part)?.target : undefined
    if (hook !== undefined && !hook.implemented && !asks)
      asks = contract.derived
        .slice(0, heirLimit)
        .some(({ functions }) =>
          functions.some((fn) => fn.signature === hook.signature && fn.implemented && asksSender(program, fn, 1)),
        )
    return !asks
  })
  return asks
}

/** Whether it inspects the caller, changes nothing, and is not about contracts as callers. */
export const asksSender = (program: Program, callable: ModifierModel | FunctionModel, depth: number): boolean => {
  const { body } = callable.node
  if (body === undefined) return false
  let asks = false
  let other = false
  walk(body, (node) => {
    if (node.kind === "Assignment" || (node.kind === "MemberAccess" && program.isBuiltin(node, "tx.origin")))
      other = true
    if (node.kind === "MemberAccess" && program.isBuiltin(node, "msg.sender")) asks = true
    if (node.kind === "FunctionCall") {
      const call = program.callOf(node)
      if (call?.name === "_msgSender") asks = true
      else if (call?.kind === "internal" && call.target !== undefined && depth < depthLimit && !asks)
        asks = asksSender(program, call.target, depth + 1)
    }
    return !other
  })
  return asks && !other
}
