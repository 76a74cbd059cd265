import { indexBy } from "../../../indexBy.ts"
import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { ContractModel, EnumModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { type Access, type Entry, runsOnce } from "../entries/entries.ts"
import { walk } from "../../visit.ts"
import { compared } from "../siblings/alike.ts"
import { keyOf } from "./items.ts"
import type { Lack } from "./lacking.ts"

/** The minimum number of other functions that check the state of the item. */
const atLeast = 2

const itemsOf = oncePer((entry: Entry): ReadonlyArray<string> => entry.fn.parameters.map(keyOf))

const stateIn = (program: Program, e: Expr | undefined): EnumModel | undefined => {
  if (e?.kind !== "BinaryOperation") return undefined
  const type = [e.left, e.right].map((side) => program.typeOf(side)).find(({ kind }) => kind === "enum")
  return type?.kind === "enum" ? type.enum : undefined
}

/** Limit: conditions of one entry point. */
const factLimit = 100

/** The type of state that a function checks on every path, for each argument that identifies the item. */
const statesAsked = oncePer(({ flow }: Entry): ReadonlyMap<string, ReadonlySet<EnumModel>> => {
  const asked = new Map<string, Set<EnumModel>>()
  for (const relation of relationsIn(flow.facts(flow.exit).slice(0, factLimit))) {
    const state = stateIn(flow.program, relation.expression)
    if (state === undefined) continue
    for (const parameter of sidesOf(relation).flatMap((side) => [...side.parameters, ...side.keyParameters])) {
      const item = keyOf(parameter)
      const known = asked.get(item)
      if (known === undefined) asked.set(item, new Set([state]))
      else known.add(state)
    }
  }
  return asked
})

/** Whether it brings anything into such a state. */
const sets = ({ deeds, flow: { program } }: Entry, state: EnumModel): boolean =>
  deeds.some(({ reached: { event } }) => {
    if (event.kind !== "write" || event.value === undefined) return false
    let isSet = false
    walk(event.value, (node) => {
      const type = node.kind === "MemberAccess" ? program.typeOf(node) : undefined
      if (type?.kind === "enum" && type.enum === state) isSet = true
      return !isSet
    })
    return isSet
  })

/** Whether what it does depends on such a state in any way. */
const looksAt = (entry: Entry, state: EnumModel): boolean =>
  [...statesAsked(entry).values()].some((states) => states.has(state)) ||
  entry.flow.conditionNodes().some(({ expression }) => stateIn(entry.flow.program, expression) === state)

const actingOn = oncePerPair((access: Access, contract: ContractModel) =>
  indexBy(
    (access.own.get(contract) ?? []).slice(0, compared).filter((entry) => !runsOnce(access, entry)),
    itemsOf,
  ),
)

/** All other functions that act on the item named by an argument check its state; this one does not. */
export const uncheckedState = (access: Access, entry: Entry): Lack | undefined => {
  for (const item of itemsOf(entry)) {
    const all = actingOn(access, entry.contract).get(item) ?? []
    const first = all.find((other) => other !== entry)
    const states = first === undefined ? undefined : statesAsked(first).get(item)
    if (states === undefined || all.length <= atLeast) continue
    const others = all.filter((other) => other !== entry)
    const state = [...states].find((each) => others.every((other) => statesAsked(other).get(item)?.has(each)))
    if (state !== undefined && !looksAt(entry, state) && !sets(entry, state))
      return { deed: entry.deeds[0]!, reason: "phase", guarded: others, of: others.length + 1 }
  }
  return undefined
}
