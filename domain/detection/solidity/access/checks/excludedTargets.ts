import { oncePer } from "../../../oncePer.ts"
import { outward } from "../../demands/outward.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"

/** Accounts that a contract calls, or undefined if it takes tokens that the caller names from accounts that approved it. */
const dealtWith = oncePer((program: Program) =>
  oncePer((contract: ContractModel): ReadonlySet<StateVariable> | undefined => {
    const found = new Set<StateVariable>()
    for (const fn of program.functionsOf(contract)) {
      const flow = program.flowIfBuilt(fn)
      for (const call of flow?.externalCalls ?? []) {
        const { receiver, isStatic, name } = call.event
        if (receiver === undefined || isStatic) continue
        const { state } = outward(flow!, call, receiver) // it has calls
        for (const variable of state) found.add(variable)
        if (state.length === 0 && /transferFrom/i.test(name)) return undefined
      }
    }
    return found
  }),
)

/** Whether a call may not go to any of the accounts that the contract deals with, all of which it distinguishes. */
export const excludesKnown = (flow: Flow, call: Reached<CallSite>): boolean => {
  const { receiver } = call.event
  if (receiver === undefined) return false
  const target = originsThrough(flow, call, receiver)
  const excluded = new Set<StateVariable>()
  for (const fact of flow.facts(call.at)) {
    if (fact.kind === "any" || fact.operator !== "!=" || fact.right === undefined) continue
    const [value, known] = fact.left.parameters.length > 0 ? [fact.left, fact.right] : [fact.right, fact.left]
    if (value.parameters.some((p) => target.parameters.includes(p)))
      for (const variable of known.state) excluded.add(variable)
  }
  const known = excluded.size === 0 || flow.context === undefined ? undefined : dealtWith(flow.program)(flow.context)
  return known !== undefined && [...known].every((variable) => excluded.has(variable))
}
