import { declaredWhole } from "../flow/graph/storagePlace.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../model.ts"
import type { Program } from "../program.ts"
import type { Type } from "../types.ts"
import { storageUse } from "../questions/value/storageUse.ts"
import { walk } from "../visit.ts"

const memo = new WeakMap<Program, ReadonlyMap<ContractModel, StateVariable | FunctionModel>>()

const isAccount = ({ kind }: Type): boolean => kind === "address" || kind === "contract"

/**
 * Accounts that a contract goes to the trouble of knowing and makes no use of: a variable that is set and that no function
 * reads, or a helper that looks one up in a registry and that none calls while others like it are called. What else could it
 * be for than to be compared with the sender?
 */
export const idleAccounts = (program: Program): ReadonlyMap<ContractModel, StateVariable | FunctionModel> => {
  let found = memo.get(program)
  if (found === undefined) memo.set(program, (found = findIdle(program)))
  return found
}

const findIdle = (program: Program): ReadonlyMap<ContractModel, StateVariable | FunctionModel> => {
  const found = new Map<ContractModel, StateVariable | FunctionModel>()
  const { written } = storageUse(program)
  const reads = new Map(program.contracts.map((contract) => [contract, namesRead(contract)]))
  for (const contract of program.contracts) {
    const variable = contract.stateVariables.find(
      (each) =>
        isAccount(each.type) &&
        !each.constant &&
        (each.immutable || written.has(declaredWhole(each))) &&
        [...contract.linearization, ...contract.derived].every((one) => reads.get(one)?.has(each.name) !== true),
    )
    const idle = variable ?? idleLookup(program, contract)
    if (idle !== undefined) found.set(contract, idle)
  }
  return found
}

/** Names that stand in a contract's functions anywhere but on the left of an assignment. */
const namesRead = (contract: ContractModel): ReadonlySet<string> => {
  const read = new Set<string>()
  for (const { node } of [...contract.functions, ...contract.modifiers]) {
    if (node.body === undefined) continue
    walk(node.body, (part) => {
      if (part.kind === "Assignment" && part.operator === "=" && part.left.kind === "Identifier") {
        walk(part.right, note)
        return false
      }
      return note(part)
    })
  }
  function note(part: { readonly kind: string; readonly name?: unknown; readonly member?: unknown }): boolean {
    if ((part.kind === "Identifier" || part.kind === "YulIdentifier") && typeof part.name === "string")
      read.add(part.name)
    if (part.kind === "MemberAccess" && typeof part.member === "string") read.add(part.member)
    return true
  }
  return read
}

const isLookup = ({ visibility, mutability, parameters, returns, implemented, role }: FunctionModel): boolean =>
  role === "function" &&
  implemented &&
  (visibility === "internal" || visibility === "private") &&
  mutability === "view" &&
  parameters.length === 0 &&
  returns.length === 1 &&
  isAccount(returns[0]!.type)

const idleLookup = (program: Program, contract: ContractModel): FunctionModel | undefined => {
  const lookups = contract.functions.filter(isLookup)
  if (lookups.length < 2) return undefined
  const idle = lookups.filter((fn) => program.graph.callers(fn).length === 0)
  return idle.length < lookups.length ? idle[0] : undefined
}
