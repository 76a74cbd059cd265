import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type { Reached } from "../../flow/summary.ts"
import { noOrigins, type Origins, substitute } from "../../flow/graph/origins.ts"

/** Where a written value comes from in terms of the flow's function, also when an internal function does the writing. */
export const reachedValue = (flow: Flow, { event, via }: Reached<StorageAccess>): Origins => {
  if (event.value === undefined) return noOrigins
  if (via.length === 0) return flow.origins(event.value, event.at)
  const { callable } = event.at
  const inner = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : undefined
  let value = inner?.origins(event.value, event.at) ?? noOrigins
  for (let i = via.length - 1; i >= 0; i--) {
    const site = via[i]!
    const by = site.at.callable
    const caller = i === 0 ? flow : by.kind === "Function" ? flow.program.flowIfBuilt(by) : undefined
    if (caller === undefined || site.target === undefined) return noOrigins
    const { parameters } = site.target
    value = substitute(value, (p) => {
      const arg = site.args[parameters.indexOf(p)]
      return arg === undefined ? undefined : caller.origins(arg, site.at)
    })
  }
  return value
}
