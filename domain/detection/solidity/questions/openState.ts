import type { StorageAccess } from "../effects.ts"
import type { Flow, Reached } from "../flow.ts"
import type { StateVariable } from "../model.ts"
import { type Origins, Source } from "../origins.ts"
import type { Program } from "../program.ts"
import { strangersPath } from "./attackerControl.ts"

export interface OpenWrite extends Reached<StorageAccess> {
  readonly flow: Flow
  /** Of the value written, in terms of the flow's function. */
  readonly value: Origins
}

const memo = new WeakMap<Program, ReadonlyMap<StateVariable, OpenWrite>>()

/** State variables (whole ones and struct members, no table entries) that any caller can set to a value of their choice. */
export const openState = (program: Program): ReadonlyMap<StateVariable, OpenWrite> => {
  let found = memo.get(program)
  if (found === undefined) memo.set(program, (found = findOpen(program)))
  return found
}

const findOpen = (program: Program): ReadonlyMap<StateVariable, OpenWrite> => {
  const open = new Map<StateVariable, OpenWrite>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || !program.graph.isReachable(flow.fn)) continue
    for (const write of flow.writes) {
      // a write inside a callee is looked at there
      if (write.via.length > 0 || write.event.value === undefined || write.place === undefined) continue
      const variable = write.place.variables[0]
      if (variable === undefined || open.has(variable) || write.place.path.includes("[]")) continue
      const value = flow.origins(write.event.value, write.event.at)
      if (strangersPath(flow, write.at, value, Source.parameter | Source.calldata | Source.sender) === undefined)
        continue
      if (flow.onceAt(write.at) !== undefined) continue
      open.set(variable, { ...write, flow, value })
    }
  }
  return open
}
