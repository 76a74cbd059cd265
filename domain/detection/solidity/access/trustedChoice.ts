import { chosenByCaller, type Origins } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Program } from "../program.ts"
import { accessOf, runsOnce } from "./entries.ts"

/** Limits: writers of one variable, and steps from one variable to the next, that are examined. */
const writersLimit = 100
const stepLimit = 8

/**
 * Whether the deployer, or accounts that the contract trusts, chose a value for all callers: nothing that a caller says
 * sets or selects it. A mistake in it is theirs, and known before anyone uses the contract.
 */
export const isTrustedChoice = (program: Program, value: Origins, steps = 0): boolean =>
  steps < stepLimit &&
  ((value.sources | value.keys | value.targets) & chosenByCaller) === 0 &&
  value.state.every((variable) => isSetByTrusted(program, variable, steps))

/** What anyone may have copied from where trusted accounts put it is still their choice. */
const isSetByTrusted = (program: Program, variable: StateVariable, steps: number): boolean => {
  const access = accessOf(program)
  const writers = access.bySubject.get(variable) ?? []
  return (
    writers.length <= writersLimit &&
    writers.every(
      ({ entry, deed }) =>
        deed.demands.standing === "guarded" ||
        runsOnce(access, entry) ||
        (!deed.value.state.includes(variable) && isTrustedChoice(program, deed.value, steps + 1)),
    )
  )
}
