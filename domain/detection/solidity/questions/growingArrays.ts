import type { StateVariable } from "../model.ts"
import type { Program } from "../program.ts"

const memo = new WeakMap<Program, ReadonlySet<StateVariable>>()

/** Storage arrays that strangers can make longer. */
export const growingArrays = (program: Program): ReadonlySet<StateVariable> => {
  const known = memo.get(program)
  if (known !== undefined) return known
  const grown = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || !program.graph.isReachable(flow.fn)) continue
    for (const { event, via, place, at } of flow.writes) {
      if (via.length > 0 || place === undefined) continue
      const lengthens =
        event.operation === "push" ||
        // before 0.6: `list.length++`, `list.length = n`
        (place.path.endsWith(".length") && event.operation !== "delete" && event.operation !== "pop")
      if (!lengthens) continue
      const fresh = place.variables.filter((variable) => variable.type.kind === "array" && !grown.has(variable))
      if (fresh.length === 0 || flow.isRestricted(at)) continue
      for (const variable of fresh) grown.add(variable)
    }
  }
  memo.set(program, grown)
  return grown
}
