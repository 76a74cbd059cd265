import { oncePer } from "../../../oncePer.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { has, noOrigins, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { indexTables } from "../../demands/callerInspection.ts"
import type { Type } from "../../types.ts"
import { isPartOf, type StoragePlace } from "../../flow/graph/storagePlace.ts"

/** State that decides who may do something: `owner`, `isAdmin[…]`. */
export interface Authority {
  readonly variable: StateVariable
  /** True for the sender's entry in a table, false for a single account. */
  readonly table: boolean
  /** For a struct, the members that are compared (`.owner`, `[].admin`); empty if unknown. */
  readonly members: ReadonlySet<string>
  /** One of the effects that happen only after the check. */
  readonly guarded: CallSite | StorageAccess
  readonly flow: Flow
  /** Whether it guards ether, code, or the authorities themselves. */
  readonly strong: boolean
  /** Whether the account it names can take something over: the second of two steps. */
  readonly accepts: boolean
  /** Whether it guards nothing: it is the account that deployed the contract, stored for information. */
  readonly deployerOnly: boolean
}

/** Effects examined per function. */
const effectLimit = 200

/** State compared with the sender, or looked up by the sender, before an effect that concerns more than the sender. */
export const authorities = oncePer((program: Program): ReadonlyMap<StateVariable, Authority> => {
  const found = new Map<StateVariable, Authority & { readonly members: Set<string> }>()
  for (const flow of program.allFlows()) {
    let looked = 0
    for (const effect of effects(flow)) {
      if (++looked > effectLimit) break
      const strong = isStrong(flow, effect)
      const taken = takenOver(flow, effect)
      for (const fact of flow.facts(effect.at)) {
        for (const { variable, table } of deciders(program, fact)) {
          const known = found.get(variable)
          const takesOver = has(taken, Source.sender) || taken.state.includes(variable)
          const accepts = takesOver || known?.accepts === true
          const members = known?.members ?? new Set<string>()
          for (const member of membersIn(program, fact, variable)) members.add(member)
          if (known === undefined || (strong && !known.strong)) {
            const part = { variable, table, members, guarded: effect.event, flow }
            found.set(variable, { ...part, strong, accepts, deployerOnly: false })
          } else if (accepts !== known.accepts) found.set(variable, { ...known, accepts })
        }
      }
    }
  }
  for (const [variable, { event, flow }] of deployerState(program)) {
    if (found.has(variable)) continue
    const plain = { variable, table: false, members: new Set<string>(), guarded: event, flow }
    found.set(variable, { ...plain, strong: false, accepts: false, deployerOnly: true })
  }
  return found
})

/** Whether part of the variable, or something that it is part of, is an authority. */
export const decidesWho = (program: Program, variable: StateVariable): boolean => {
  const known = authorities(program)
  if (known.has(variable)) return true
  if (variable.whole === undefined && variable.type.kind !== "struct") return false
  return [...known.keys()].some((authority) => isPartOf(authority, variable) || isPartOf(variable, authority))
}

/** The members of a variable that a condition reads, in its own expression or in the functions that it calls. */
export const membersIn = (program: Program, fact: Fact, variable: StateVariable): ReadonlyArray<string> => {
  const paths = (place: StoragePlace | undefined): ReadonlyArray<string> =>
    place?.variables.includes(variable) === true && place.path.includes(".") ? [place.path] : []
  return fact.at.events.flatMap((event) =>
    event.kind !== "call"
      ? paths(event.place)
      : event.target?.implemented === true && (event.callKind === "internal" || event.callKind === "library")
        ? program.flow(event.target).reads.flatMap((read) => paths(read.place))
        : [],
  )
}

/** Variables to which a constructor assigns the deploying account. */
const deployerState = (
  program: Program,
): ReadonlyMap<StateVariable, { readonly event: StorageAccess; readonly flow: Flow }> => {
  const found = new Map<StateVariable, { readonly event: StorageAccess; readonly flow: Flow }>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role !== "constructor") continue
    for (const { event, place, via, at } of flow.writes) {
      const variable = place?.variables[0]
      if (variable === undefined || via.length > 0 || place?.path !== "" || event.value === undefined) continue
      if (flow.origins(event.value, at).sources === Source.sender && isPlain(variable))
        found.set(variable, { event, flow })
    }
  }
  return found
}

/** Writes other than to the sender's own entries, calls that leave the contract, and selfdestruct. */
function* effects(flow: Flow): Iterable<Reached<CallSite | StorageAccess>> {
  for (const write of flow.writes) {
    if (write.place === undefined || write.place.variables.length === 0) continue
    if ((write.place.keys.sources & Source.sender) === 0) yield write
  }
  for (const call of flow.externalCalls) if (!call.event.isStatic) yield call
  for (const site of flow.calls())
    if (site.callKind === "builtin" && (site.name === "selfdestruct" || site.name === "suicide"))
      yield { event: site, via: [], at: site.at, order: site.order, place: undefined }
}

const isStrong = (flow: Flow, { event, place, via }: Reached<CallSite | StorageAccess>): boolean => {
  if (event.kind === "write") return place?.path === "" && place.variables[0]?.type.kind === "address"
  if (event.kind !== "call") return false
  if (event.callKind === "builtin" || event.callKind === "delegatecall" || event.callKind === "callcode") return true
  return (
    via.length === 0 &&
    event.value !== undefined &&
    (flow.origins(event.value, event.at).sources & Source.balance) !== 0
  )
}

/** What is written: the sender, or the account that the authority names, takes something over. */
const takenOver = (flow: Flow, { event }: Reached<CallSite | StorageAccess>): Origins => {
  if (event.kind !== "write" || event.value === undefined) return noOrigins
  const inside = event.at.callable.kind === "Function" ? flow.program.flow(event.at.callable) : flow
  return inside.expand(inside.origins(event.value, event.at))
}

/** The state by which a fact constrains the caller, if it belongs to the contract rather than to one item or user. */
const deciders = (program: Program, fact: Fact): ReadonlyArray<{ variable: StateVariable; table: boolean }> => {
  if (fact.kind === "any") return fact.options.flatMap((option) => option.flatMap((f) => deciders(program, f)))
  const { left, right } = fact
  const check = callerCheck(fact)
  if (check === undefined) return []
  const sides = right === undefined ? [left] : [left, right]
  switch (check.kind) {
    case "owner":
    case "origin": {
      if (fact.operator !== "==") return []
      const stored = sides.find((side) => (side.sources & Source.state) !== 0)
      // ownerOf[id] belongs to an item
      if (stored === undefined || (stored.keys & (Source.parameter | Source.calldata)) !== 0) return []
      return stored.state
        .filter((variable) => isPlain(variable) && (variable.whole === undefined || holdsAccounts(variable.type)))
        .map((variable) => ({ variable, table: isTable(variable.type) }))
    }
    case "member":
    case "holder": {
      const table = sides.find((side) => (side.keys & (Source.sender | Source.txOrigin)) !== 0)
      if (table === undefined) return []
      const indices = indexTables(program, fact)
      return table.state
        .filter((variable) => isPlain(variable) && (isTable(variable.type) || !isOneOfMany(table, variable)))
        .filter(
          (variable) =>
            isFlag(variable.type) ||
            (comparesWithFixed(fact) && !isOneOfMany(table, variable)) ||
            indices.includes(variable),
        )
        .map((variable) => ({ variable, table: true }))
    }
    default:
      return []
  }
}

/** Whether the value may be any member of a struct: of those, only a table can have been looked up by the sender. */
const isOneOfMany = ({ state }: Origins, variable: StateVariable): boolean =>
  state.some(
    ({ whole }) => whole === variable || (whole !== undefined && whole === variable.whole && state.includes(whole)),
  )

/** `wards[msg.sender] == 1`, `roles[msg.sender].active`. */
const comparesWithFixed = ({ operator, right, withZero }: Relation): boolean =>
  right === undefined || (operator === "==" && !withZero && (right.sources & ~(Source.literal | Source.constant)) === 0)

const isPlain = (variable: StateVariable): boolean => !variable.constant && !variable.immutable

const leaf = (type: Type): Type => (type.kind === "mapping" ? leaf(type.value) : type)

/** Whether values of the type can name an account. */
const holdsAccounts = (type: Type): boolean => ["address", "contract", "bytes", "fixedBytes"].includes(leaf(type).kind)

const isTable = (type: Type): boolean => type.kind === "mapping" || type.kind === "array"

/** Whether the table entry, or one of its parts, says yes rather than holding an amount. */
const isFlag = (type: Type): boolean => ["bool", "address", "enum", "contract"].includes(leaf(type).kind)

/** Whether a fact on the way compares something with the payment: the caller buys the place. */
export const isPaidFor = (facts: ReadonlyArray<Fact>): boolean =>
  facts.some((fact) =>
    fact.kind === "any"
      ? fact.options.every(isPaidFor)
      : mentions(fact.left, Source.value) || (fact.right !== undefined && mentions(fact.right, Source.value)),
  )

const mentions = (o: Origins, sources: number): boolean => (o.sources & sources) !== 0

/** Whether a fact on the way compares something stored in one of `variables`. */
export const dependsOn = (facts: ReadonlyArray<Fact>, variables: (variable: StateVariable) => boolean): boolean =>
  facts.some((fact) =>
    fact.kind === "any"
      ? fact.options.some((option) => dependsOn(option, variables))
      : fact.left.state.some(variables) || (fact.right?.state.some(variables) ?? false),
  )
