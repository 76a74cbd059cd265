import { oncePer } from "../../../oncePer.ts"
import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole, isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { StateVariable } from "../../model.ts"
import { isNothing } from "../../flow/values/isZero.ts"
import type { Flow, Program } from "../../program.ts"
import { membersIn } from "../../questions/authority/authorities.ts"
import { storageUse } from "../../questions/value/storageUse.ts"
import type { Type } from "../../types.ts"
import type { Deed } from "../entries/deeds.ts"
import { accessOf, type Entry } from "../entries/entries.ts"

// Marks that must be unset, `require(!executed[id])`, although nothing ever sets them.

export interface UnsetMark {
  readonly entry: Entry
  /** What the condition is a condition of. */
  readonly deed: Deed
  readonly fact: Relation
  readonly variable: StateVariable
}

/** Limit: conditions of one entry point that are examined. */
const factLimit = 100

/** Conditions that nothing can ever make fail, before something that the entry point does. */
export const unsetMarks = oncePer((program: Program): ReadonlyArray<UnsetMark> => {
  const { entries } = accessOf(program)
  const writes = writesOf(program)
  const { handed } = storageUse(program)
  const isEverSet = (variable: StateVariable, members: ReadonlyArray<string>): boolean =>
    (variable.node?.value !== undefined && !isNothing(variable.node.value)) ||
    variable.constant ||
    handed.has(declaredWhole(variable)) ||
    wholes(variable).some((whole) => writes.has(whole)) ||
    (writes.get(variable) ?? []).some((write) => maySet(program, write, members))
  const seen = new Set<Expr>()
  return entries.flatMap((entry) => {
    // the state of whoever runs its code is set by others
    if (entry.deeds.some(({ demands }) => demands.facts.some(isBorrowed))) return []
    // deeds at one step share their facts
    const byFacts = new Map(entry.deeds.map((deed) => [deed.demands.facts, deed] as const))
    const facts = new Map([...byFacts].flatMap(([shared, deed]) => shared.map((fact) => [fact, deed] as const)))
    return [...facts].slice(0, factLimit).flatMap(([fact, deed]): ReadonlyArray<UnsetMark> => {
      const variable = markIn(fact)
      if (variable === undefined || fact.kind === "any" || seen.has(fact.expression)) return []
      if (isEverSet(variable, membersIn(program, fact, variable))) return []
      seen.add(fact.expression)
      return [{ entry, deed, fact, variable }]
    })
  })
})

/** `address(this) != self`: only another contract can run it, by `delegatecall`. */
const isBorrowed = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "!=" &&
  [fact.left, fact.right].some((side) => side?.sources === Source.self) &&
  [fact.left, fact.right].some((side) => side?.sources === Source.immutable)

/** The variable that must be unset, or whose entry must be. */
const markIn = (fact: Fact): StateVariable | undefined => {
  if (fact.kind === "any") return undefined
  const { operator, left, right, withZero } = fact
  if (operator !== "false" && !(operator === "==" && withZero)) return undefined
  const mark = [left, right].find((side): side is Origins => side?.sources === Source.state)
  const [variable] = mark?.state ?? []
  return variable === undefined || mark!.state.length > 1 || isComputedSlot(variable) || isList(variable.type)
    ? undefined
    : variable
}

/** Arrays and text, whose length is compared. */
const isList = (type: Type): boolean =>
  type.kind === "mapping"
    ? isList(type.value)
    : type.kind === "array" || type.kind === "string" || type.kind === "bytes"

export interface Write {
  readonly flow: Flow
  readonly event: StorageAccess
  /** The step of `flow`. */
  readonly at: FlowNode
  readonly path: string
}

/** Writes of anything but zero. */
export const writesOf = oncePer((program: Program): ReadonlyMap<StateVariable, ReadonlyArray<Write>> => {
  const writes = new Map<StateVariable, Array<Write>>()
  const seen = new Set<StorageAccess>()
  const reset = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    for (const { event, place, at } of flow.writes) {
      // a place that is passed to the function differs from caller to caller
      if (place === undefined || (seen.has(event) && event.place.parameters.length === 0)) continue
      seen.add(event)
      if (isReset(event)) {
        // what must be unset anyway is not reset
        const unset = new Set(flow.nodes[at.id] === at ? flow.facts(at).flatMap((fact) => markIn(fact) ?? []) : [])
        for (const variable of place.variables) if (!unset.has(variable)) reset.add(variable)
        continue
      }
      for (const variable of place.variables) {
        const known = writes.get(variable)
        if (known === undefined) writes.set(variable, [{ flow, event, at, path: place.path }])
        else known.push({ flow, event, at, path: place.path })
      }
    }
  }
  for (const [variable, all] of writes) if (!reset.has(variable) && all.every(locks)) writes.delete(variable)
  return writes
})

/** A constructor that sets a flag for good locks the contract it runs for; proxies do not run it. */
const locks = ({ flow, event: { operation, value, at }, path }: Write): boolean =>
  flow.fn.role === "constructor" &&
  flow.nodes[at.id] === at &&
  path === "" &&
  operation === "assign" &&
  value?.kind === "Literal" &&
  flow.dominates(at, flow.exit)

const isReset = ({ operation, value }: StorageAccess): boolean =>
  operation === "delete" || (operation === "assign" && value !== undefined && isNothing(value))

/**
 * Whether a write may set the variable or, for an entry that is a struct, a member that the condition reads. Where
 * pointers join, only the end of a path is known.
 */
export const maySet = (
  program: Program,
  { event: { value }, path }: Write,
  members: ReadonlyArray<string>,
): boolean => {
  if (members.length === 0 || members.some((member) => lastOf(member) === lastOf(path))) return true
  const call = value?.kind === "FunctionCall" ? program.callOf(value) : undefined
  if (call?.kind !== "struct" || call.type?.kind !== "struct") return members.some((member) => member.startsWith(path))
  const { args, names } = call.node
  return call.type.struct.members.some(({ name }, i) => {
    const given = args[names === undefined ? i : names.indexOf(name)]
    return members.some((member) => lastOf(member) === name) && (given === undefined || !isNothing(given))
  })
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

/** The structs that a member belongs to. */
export const wholes = ({ whole }: StateVariable): ReadonlyArray<StateVariable> =>
  whole === undefined ? [] : [whole, ...wholes(whole)]
