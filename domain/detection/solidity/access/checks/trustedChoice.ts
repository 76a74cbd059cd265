import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
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
          (side) => side.state.length > 0 && concerns(side) && !side.state.some((v) => isSetByAnyone(flow.program, v)),
        ),
    )

/** Whether anyone can set a variable, or a part of it. */
export const isSetByAnyone = (program: Program, variable: StateVariable): boolean => setByAnyone(program).has(variable)

/** Variables that anyone can set in part. */
const setByAnyone = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const access = accessOf(program)
  return new Set(
    access.entries.flatMap((entry) =>
      entry.deeds.flatMap(({ variable, demands }) =>
        variable === undefined || demands.standing === "guarded" || runsOnce(access, entry) ? [] : variable,
      ),
    ),
  )
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
