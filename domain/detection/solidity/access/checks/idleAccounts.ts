import { oncePer } from "../../../oncePer.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { storageUse } from "../../questions/value/storageUse.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { walk } from "../../visit.ts"

const isAccount = ({ kind }: Type): boolean => kind === "address" || kind === "contract"

/** A constant such as `0x8ace…19FC`; `0xEeee…EEeE` is nobody's. */
const isFixedAccount = ({ value }: S.StateVariableDeclaration): boolean =>
  value?.kind === "Literal" && /^0x[0-9a-f]{40}$/i.test(value.value) && !/^0x(.)\1{8}/i.test(value.value)

/** `keepers[account]`, possibly per role: it only states who is a member. */
const isMembership = (type: Type): boolean =>
  type.kind === "mapping" && (type.value.kind === "bool" ? type.key.kind === "address" : isMembership(type.value))

/**
 * Accounts that a contract stores but never uses: a variable or list that is set but that no function reads, except to
 * see whether it is set or to log it, or a helper that looks one up in a registry and is never called while similar
 * helpers are. Their only conceivable purpose is comparison with the sender.
 */
export const idleAccounts = oncePer((program: Program): ReadonlyMap<ContractModel, StateVariable | FunctionModel> => {
  const found = new Map<ContractModel, StateVariable | FunctionModel>()
  const { written } = storageUse(program)
  // most contracts keep no account, and then nobody's functions are walked for their sake
  const reads = new Map<ContractModel, ReadonlySet<string>>()
  const readIn = (contract: ContractModel): ReadonlySet<string> => {
    let names = reads.get(contract)
    if (names === undefined) reads.set(contract, (names = namesRead(program, contract)))
    return names
  }
  let anywhere: ReadonlySet<string> | undefined
  const isRead = (name: string): boolean => {
    anywhere ??= new Set(program.contracts.flatMap((contract) => [...readIn(contract)]))
    return anywhere.has(name)
  }
  for (const contract of program.contracts) {
    const variable = contract.stateVariables.find(
      (each) =>
        (each.constant
          ? each.node !== undefined && isFixedAccount(each.node)
          : isAccount(each.type) && (each.immutable || written.has(declaredWhole(each)))) &&
        [...contract.linearization, ...contract.derived].every(
          (one) => !readIn(one).has(each.name) && !(each.immutable && readIn(one).has(`emit ${each.name}`)),
        ),
    )
    // others may look a list up
    const list = contract.stateVariables.find(
      (each) => isMembership(each.type) && written.has(declaredWhole(each)) && !isRead(each.name),
    )
    const idle = variable ?? list ?? idleLookup(program, contract)
    if (idle !== undefined) found.set(contract, idle)
  }
  return found
})

/**
 * Names that occur in a contract's functions, other than on the left of an assignment; separately those in events, which
 * log who was the owner, but also where something of the contract's environment is.
 */
const namesRead = (program: Program, contract: ContractModel): ReadonlySet<string> => {
  const read = new Set<string>()
  for (const callable of [...contract.functions, ...contract.modifiers]) {
    const { node } = callable
    if (node.body === undefined || (callable.kind === "Function" && isUncalledGetter(program, callable))) continue
    walk(node.body, (part) => {
      if (part.kind === "EmitStatement") {
        walk(part, (logged) => {
          if (logged.kind === "Identifier") read.add(`emit ${logged.name}`)
        })
        return false
      }
      if (part.kind === "Assignment" && part.operator === "=" && setIn(part.left)) {
        for (const read of [part.right, ...keysIn(part.left)]) walk(read, note)
        return false
      }
      if (part.kind === "UnaryOperation" && part.operator === "delete" && setIn(part.operand)) {
        for (const key of keysIn(part.operand)) walk(key, note)
        return false
      }
      if (part.kind === "BinaryOperation" && (part.operator === "==" || part.operator === "!="))
        return !(isZero(part.right) && isPlain(part.left)) && !(isZero(part.left) && isPlain(part.right))
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

/** Whether it only returns a variable, as the getter of a public one does, and nothing in the program calls it. */
const isUncalledGetter = (program: Program, fn: FunctionModel): boolean => {
  const [statement, ...others] = fn.node.body?.kind === "Block" ? fn.node.body.statements : []
  return (
    others.length === 0 &&
    statement?.kind === "ReturnStatement" &&
    statement.value !== undefined &&
    isPlain(statement.value) &&
    program.graph.isEntryPoint(fn) &&
    program.graph.callers(fn).length === 0 &&
    // others know it by an interface
    !fn.contract!.linearization.slice(1).some((base) => base.functions.some((f) => f.signature === fn.signature))
  )
}

/** A variable, possibly converted to an address. */
const isPlain = (e: S.Expression): boolean =>
  e.kind === "Identifier" || (e.kind === "FunctionCall" && e.args.length === 1 && isPlain(e.args[0]!))

/** A variable, or an entry of one. */
const setIn = (e: S.Expression): boolean => e.kind === "Identifier" || (e.kind === "IndexAccess" && setIn(e.base))

const keysIn = (e: S.Expression): ReadonlyArray<S.Expression> =>
  e.kind === "IndexAccess" ? [...keysIn(e.base), ...(e.index === undefined ? [] : [e.index])] : []

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
