import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { chosenByCaller, type Origins } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { accessOf, runsOnce } from "../entries/entries.ts"

/**
 * Whether the deployer, or accounts that the contract trusts, chose a value for all callers: nothing that a caller says
 * sets or selects it. A mistake in it is theirs, and known before anyone uses the contract.
 */
export const isTrustedChoice = (program: Program, value: Origins): boolean =>
  !isOfCaller(value) && value.state.every((variable) => !chosenByAnyone(program).has(variable))

/**
 * Whether a step requires that something is set that only trusted accounts set, in a table from which the caller selects:
 * `require(admitted[token])`.
 */
export const requiresTrusted = (flow: Flow, at: FlowNode, concerns: (entry: Origins) => boolean): boolean =>
  flow
    .facts(at)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        (fact.operator === "true" || (fact.withZero && fact.operator === "!=")) &&
        sidesOf(fact).some(
          (side) =>
            side.state.length > 0 &&
            concerns(side) &&
            !side.state.some((v) => isSetByAnyone(flow.program, v, memberIn(fact.expression))),
        ),
    )

/** `listed` in `require(markets[id].listed)`. */
const memberIn = (e: Expr): string | undefined => (e.kind === "MemberAccess" ? e.member : undefined)

/** Whether anyone can set a variable, or a part of it: the member of that name, if one is given. */
export const isSetByAnyone = (program: Program, variable: StateVariable, member?: string): boolean => {
  const members = setByAnyone(program).get(variable)
  return members !== undefined && (member === undefined || members.has(member) || members.has(""))
}

/** Variables that anyone can set in part, with the last member of each place that they set; empty for a whole entry. */
const setByAnyone = oncePer((program: Program): ReadonlyMap<StateVariable, ReadonlySet<string>> => {
  const access = accessOf(program)
  const found = new Map<StateVariable, Set<string>>()
  for (const entry of access.entries) {
    for (const { variable, demands, path = "" } of entry.deeds) {
      if (variable === undefined || demands.standing === "guarded" || runsOnce(access, entry)) continue
      const members = found.get(variable) ?? new Set<string>()
      const [, ...names] = path.replaceAll("[]", "").split(".")
      found.set(variable, members.add(names.at(-1) ?? ""))
    }
  }
  return found
})

const isOfCaller = ({ sources, keys, targets }: Origins): boolean => ((sources | keys | targets) & chosenByCaller) !== 0

/** What anyone may have copied from where trusted accounts put it is still their choice; what anyone changes is not. */
const chosenByAnyone = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const access = accessOf(program)
  const writes = [...access.bySubject.values()].flatMap((writers) =>
    writers.flatMap(({ entry, deed: { variable, demands, value } }) =>
      variable === undefined || demands.standing === "guarded" || runsOnce(access, entry) ? [] : [{ variable, value }],
    ),
  )
  const chosen = new Set(
    writes.flatMap(({ variable, value }) => (isOfCaller(value) || value.state.includes(variable) ? variable : [])),
  )
  const copies = indexBy(writes, ({ value }) => value.state)
  // A set also iterates over what is added in the meantime.
  for (const from of chosen) for (const { variable } of copies.get(from) ?? []) chosen.add(variable)
  return chosen
})
