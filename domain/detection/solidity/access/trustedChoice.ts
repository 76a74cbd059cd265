import { oncePer } from "../../oncePer.ts"
import { chosenByCaller, type Origins } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Program } from "../program.ts"
import { accessOf, runsOnce } from "./entries.ts"

/**
 * Whether the deployer, or accounts that the contract trusts, chose a value for all callers: nothing that a caller says
 * sets or selects it. A mistake in it is theirs, and known before anyone uses the contract.
 */
export const isTrustedChoice = (program: Program, value: Origins): boolean =>
  !isOfCaller(value) && value.state.every((variable) => !chosenByAnyone(program).has(variable))

const isOfCaller = ({ sources, keys, targets }: Origins): boolean => ((sources | keys | targets) & chosenByCaller) !== 0

/** What anyone may have copied from where trusted accounts put it is still their choice; what anyone changes is not. */
const chosenByAnyone = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const access = accessOf(program)
  const chosen = new Set<StateVariable>()
  const copies = new Map<StateVariable, Array<StateVariable>>()
  for (const writers of access.bySubject.values())
    for (const { entry, deed } of writers) {
      const { variable, demands, value } = deed
      if (variable === undefined || demands.standing === "guarded" || runsOnce(access, entry)) continue
      if (isOfCaller(value) || value.state.includes(variable)) chosen.add(variable)
      for (const from of value.state) {
        const to = copies.get(from)
        if (to === undefined) copies.set(from, [variable])
        else to.push(variable)
      }
    }
  // A set also iterates over what is added in the meantime.
  for (const variable of chosen) for (const copy of copies.get(variable) ?? []) chosen.add(copy)
  return chosen
})
