import { oncePer } from "../../../oncePer.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"

const setInConstructors = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const written = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role !== "constructor") continue
    for (const write of flow.writes)
      for (const v of write.place?.variables ?? [])
        // A struct has a value once a member has one.
        for (let w: StateVariable | undefined = v; w !== undefined; w = w.whole) written.add(w)
  }
  return written
})

/** Whether the variable has a value once the contract is deployed: by its declaration, or in a constructor. */
export const initialized = (program: Program, variable: StateVariable): boolean =>
  variable.node?.value !== undefined || setInConstructors(program).has(variable)
