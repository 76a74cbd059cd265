import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { isOnEveryPath } from "../../flow/onEveryPath.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"

/** Limit of the writes examined per function. */
const writesLimit = 200

/**
 * Variables that hold a value only during a call, such as parameters that a new contract reads from its deployer: every
 * function that sets them clears them on every path before it ends.
 */
export const callScopedVariables = (program: Program, entries: Iterable<Flow>): ReadonlySet<StateVariable> => {
  const parked = new Set<StateVariable>()
  const kept = new Set<StateVariable>()
  const note = (flow: Flow): void => {
    for (const [variable, writes] of writesOf(flow)) (isCleared(flow, variable, writes) ? parked : kept).add(variable)
  }
  for (const flow of entries) note(flow)
  if (parked.size > 0) for (const flow of program.allFlows()) if (flow.fn.role === "constructor") note(flow)
  return new Set([...parked].filter((variable) => !kept.has(variable) && variable.node?.value === undefined))
}

const writesOf = (flow: Flow): ReadonlyMap<StateVariable, ReadonlyArray<Reached<StorageAccess>>> => {
  const found = new Map<StateVariable, Array<Reached<StorageAccess>>>()
  for (const write of flow.writes.slice(0, writesLimit)) {
    for (const variable of write.place?.variables ?? []) {
      const whole = declaredWhole(variable)
      const known = found.get(whole)
      if (known === undefined) found.set(whole, [write])
      else known.push(write)
    }
  }
  return found
}

const isCleared = (flow: Flow, variable: StateVariable, writes: ReadonlyArray<Reached<StorageAccess>>): boolean => {
  const last = writes.find((write) => writes.every((other) => other === write || !flow.follows(write, other)))
  return (
    last !== undefined &&
    writes.length > 1 &&
    clears(last, variable) &&
    writes.every((other) => other === last || flow.follows(other, last)) &&
    isOnEveryPath(flow, last)
  )
}

const clears = ({ event, place }: Reached<StorageAccess>, variable: StateVariable): boolean =>
  place?.path === "" &&
  place.variables.includes(variable) &&
  (event.operation === "delete" || (event.operation === "assign" && event.value !== undefined && isZero(event.value)))
