import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"

const memo = new WeakMap<Program, ReadonlySet<StateVariable>>()

/** Whether the variable has a value once the contract is deployed: by its declaration, or in a constructor. */
export const initialized = (program: Program, variable: StateVariable): boolean => {
  let set = memo.get(program)
  if (set === undefined) {
    const written = new Set<StateVariable>()
    for (const flow of program.allFlows()) {
      if (flow.fn.role !== "constructor") continue
      for (const write of flow.writes)
        for (const v of write.place?.variables ?? [])
          // A struct has a value once a member has one.
          for (let w: StateVariable | undefined = v; w !== undefined; w = w.whole) written.add(w)
    }
    memo.set(program, (set = written))
  }
  return variable.node?.value !== undefined || set.has(variable)
}
