import { type Relation, sidesOf, relationsIn } from "../../flow/facts/facts.ts"
import { Source } from "../../flow/graph/origins.ts"
import { oncePer } from "../../../oncePer.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { membersRead } from "../../questions/authority/membersRead.ts"
import { toggles } from "../../demands/toggles.ts"
import { phasesOf } from "./asked.ts"
import type { Deed } from "./deeds.ts"

/** A modifier that checks the contract's state, by name, or the state itself. */
export type Phase = string | StateVariable

/**
 * What an entry point requires of the contract's state, whoever calls: the modifiers that check it, and the state that
 * its conditions compare with something fixed or with the time. Entry points that require something of the same state
 * have an element in common, whatever they require.
 */
export const phasesIn = (program: Program, flow: Flow): ReadonlySet<Phase> => {
  const phases = new Set<Phase>(phasesOf(program, flow.fn))
  // a function may leave it to another one that it calls
  for (const { callKind, target } of flow.calls())
    if (callKind === "internal" && target !== undefined && target.modifiers.length > 0)
      for (const phase of phasesOf(program, target)) phases.add(phase)
  const locks = toggles(program).all
  for (const fact of flow.facts(flow.exit).slice(0, factLimit))
    if (fact.kind === "relation")
      for (const variable of subjectsOf(fact)) if (!locks.has(variable)) phases.add(variable)
  return phases
}

/** Limit: conditions of one entry point. */
const factLimit = 100

/** A flag, a level, a phase or a time that is kept once for the whole contract. */
const subjectsOf = (relation: Relation): ReadonlyArray<StateVariable> => {
  // a library checks its arguments
  if (relation.at.callable.contract?.node.contractKind === "library") return []
  const sides = sidesOf(relation)
  if (sides.some(({ sources }) => (sources & ~known) !== 0)) return []
  if (sides.every(({ sources }) => (sources & Source.state) !== 0)) return []
  // an amount that is not zero implies nothing about the phase
  if (relation.withZero && sides.some(({ sources }) => sources === Source.state)) return []
  return sides
    .flatMap(({ state }) => state)
    .filter(
      ({ constant, immutable, type: { kind } }) =>
        !constant && !immutable && (kind === "integer" || kind === "enum" || kind === "bool"),
    )
}

const known = Source.literal | Source.constant | Source.immutable | Source.timestamp | Source.blockNumber | Source.state

/** The state that an entry point checks in any way, also of single entries. */
export const stateAsked = oncePer(
  (flow: Flow): ReadonlySet<StateVariable> =>
    new Set(
      relationsIn(flow.facts(flow.exit).slice(0, factLimit)).flatMap((relation) =>
        sidesOf(relation).flatMap(({ state }) => state),
      ),
    ),
)

/** The status that a deed changes, of the contract or of an item: one of several states. */
export const statusIn = ({ variable, path = "" }: Deed): string | undefined => {
  let type = variable?.type
  while (type?.kind === "mapping") type = type.value
  const member = path.includes(".") ? path.slice(path.lastIndexOf(".")) : ""
  if (type?.kind === "struct") type = type.struct.members.find(({ name }) => member === `.${name}`)?.type
  return type?.kind === "enum" ? member : undefined
}

/** Whether the status is checked where it is changed. */
export const asksStatus = ({ flow, variable, demands }: Deed, member: string): boolean =>
  variable !== undefined &&
  relationsIn(demands.facts.slice(0, factLimit)).some((relation) => {
    if (!sidesOf(relation).some(({ state }) => state.includes(variable))) return false
    const members = membersRead(flow.program, relation, variable)
    return members.length === 0 || members.includes(member)
  })
