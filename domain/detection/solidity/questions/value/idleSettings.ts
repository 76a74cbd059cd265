import { oncePer } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** A number or flag that decides nothing, and the function that sets it; constants are left out. */
export interface IdleSetting {
  readonly variable: StateVariable
  readonly contract: ContractModel
  readonly setter?: FunctionModel
}

/** How the bodies of some contracts use state. */
interface Uses {
  readonly used: Set<StateVariable>
  readonly setBy: Map<StateVariable, FunctionModel>
  /** Functions that only return a variable, which counts as used if they are used. */
  readonly getters: Array<{ readonly fn: FunctionModel; readonly variable: StateVariable }>
  /** Members accessed by name, and what could not be resolved or occurs in assembly. */
  readonly names: Set<string>
}

/**
 * Limits and flags that a contract stores although no condition, computation or call uses them. Only events, getters
 * that are never called, and unused copies remain.
 */
export const idleSettings = oncePer((program: Program): ReadonlyArray<IdleSetting> => {
  const keeping = program.contracts.filter(isDeployed).flatMap((contract) => {
    const settings = contract.stateVariables.filter(isSetting)
    return settings.length === 0 ? [] : [{ contract, settings }]
  })
  if (keeping.length === 0) return []
  const near = new Set(keeping.flatMap(({ contract }) => [...contract.linearization, ...contract.derived]))
  const uses = usesIn(program, near)
  // getters that this contract or another calls
  for (const flow of program.allFlows()) for (const { name } of flow.calls()) uses.names.add(name)
  settleGetters(uses)
  return keeping.flatMap(({ contract, settings }) => {
    const idle = settings.flatMap((variable): ReadonlyArray<IdleSetting> => {
      if (uses.used.has(variable) || uses.names.has(variable.name) || isAskedFor(contract, variable)) return []
      if (variable.constant) return [{ variable, contract }]
      const setter = uses.setBy.get(variable)
      return setter === undefined ? [] : [{ variable, contract, setter }]
    })
    // A contract whose settings are all for others to read is a registry of them.
    return idle.length * 2 <= settings.length || settings.length === 1 ? idle : []
  })
})

const isDeployed = ({ deployable, derived }: ContractModel): boolean => deployable || derived.some((d) => d.deployable)

/** How limits are named, as a word of the name: nothing else distinguishes them from amounts. */
const limitWords = new Set(
  "max maximum min minimum limit cap ceiling floor bound threshold heartbeat stale staleness age timeout delay duration cooldown period window tolerance deviation slippage quorum deadline expiry expiration".split(
    " ",
  ),
)

const isLimit = (name: string): boolean =>
  name
    .replaceAll(/[A-Z][a-z]/g, " $&")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .some((word) => limitWords.has(word.toLowerCase()))

const isSetting = ({ type, name, constant, immutable }: StateVariable): boolean =>
  type.kind === "integer" ? isLimit(name) : type.kind === "bool" && !constant && !immutable

/** The variable's getter is part of what the contract promises to others. */
const isAskedFor = ({ linearization }: ContractModel, { name, visibility }: StateVariable): boolean =>
  visibility === "public" &&
  linearization.some((base) => base.missingBases.length > 0 || base.functions.some((fn) => fn.name === name))

const usesIn = (program: Program, contracts: ReadonlySet<ContractModel>): Uses => {
  const uses: Uses = { used: new Set(), setBy: new Map(), getters: [], names: new Set() }
  for (const contract of contracts) {
    for (const { node } of contract.stateVariables) if (node !== undefined) note(program, node, uses)
    for (const { node } of contract.modifiers) note(program, node, uses)
    for (const fn of contract.functions) {
      const told = toldBy(program, fn)
      if (told !== undefined) uses.getters.push({ fn, variable: told })
      else note(program, fn.node, uses, fn)
    }
  }
  return uses
}

const settleGetters = ({ getters, names, used }: Uses): void => {
  for (const { fn, variable } of getters) if (fn.node.override !== undefined || names.has(fn.name)) used.add(variable)
}

const stateOf = (program: Program, e: S.Expression | undefined): StateVariable | undefined => {
  const named = e?.kind === "Identifier" ? program.referenceOf(e) : undefined
  return named?.kind === "StateVariable" ? named : undefined
}

const toldBy = (program: Program, { node }: FunctionModel): StateVariable | undefined => {
  const [first] = node.body?.statements ?? []
  return first?.kind === "ReturnStatement" ? stateOf(program, first.value) : undefined
}

const note = (program: Program, within: S.Node, { used, setBy, names }: Uses, fn?: FunctionModel): void => {
  /** Locals that are copies, by name. */
  const copies = new Map<string, StateVariable>()
  const locals = new Set<string>()
  const passed = new Set<S.Node>()
  const setHere = new Set<StateVariable>()
  const compared = new Set<StateVariable>()
  walk(within, (part) => {
    switch (part.kind) {
      case "EmitStatement":
        return false
      case "Assignment": {
        const set = part.operator === "=" ? stateOf(program, part.left) : undefined
        if (set === undefined) return true
        passed.add(part.left)
        setHere.add(set)
        return true
      }
      case "BinaryOperation":
        // Whether it changes at all.
        if (part.operator === "==" || part.operator === "!=") passChanges(part)
        return true
      case "VariableDeclarationStatement": {
        const copied = stateOf(program, part.value)
        const copy = part.declarations[0]
        if (copied === undefined || copy === undefined) return true
        copies.set(copy.name, copied)
        passed.add(part.value!)
        return true
      }
      case "MemberAccess":
        names.add(part.member)
        return true
      case "YulIdentifier":
        names.add(part.name.replace(/\.(slot|offset)$/, ""))
        locals.add(part.name)
        return true
      case "Identifier": {
        if (passed.has(part)) return true
        const named = program.referenceOf(part)
        if (named === undefined) names.add(part.name)
        else if (named.kind === "StateVariable") used.add(named)
        else locals.add(part.name)
        return true
      }
      default:
        return true
    }
  })
  for (const [copy, variable] of copies) if (locals.has(copy)) used.add(variable)
  for (const variable of compared) if (!setHere.has(variable)) used.add(variable)
  if (fn !== undefined) for (const variable of setHere) setBy.set(variable, fn)

  function passChanges({ left, right }: S.BinaryOperation): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const kept = stateOf(program, one)
      const told = program.referenceOf(other)
      if (kept === undefined || told?.kind !== "LocalVariable" || told.role !== "parameter") continue
      passed.add(one)
      compared.add(kept)
    }
  }
}
