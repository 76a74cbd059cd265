import type { CallSite, StorageAccess } from "../flow/graph/events.ts"
import type { Reached } from "../flow/functionSummary.ts"
import type { Expr } from "../flow/graph/graph.ts"
import { noOrigins, type Origins, substitute } from "../flow/graph/origins.ts"
import type { Flow } from "../program.ts"

/** An expression of the innermost function on the way, as the outermost function sees it. */
export const outward = (flow: Flow, { via, event }: Reached<StorageAccess | CallSite>, e: Expr): Origins => {
  const flowOf = (i: number): Flow | undefined => {
    const target = i === 0 ? flow.fn : via[i - 1]!.target
    return i === 0 ? flow : target === undefined ? undefined : flow.program.flowIfBuilt(target)
  }
  const inner = flowOf(via.length)
  if (inner === undefined || inner.nodes[event.at.id] !== event.at) return noOrigins
  let value = inner.origins(e, event.at)
  for (let i = via.length - 1; i >= 0; i--) {
    const site = via[i]!
    const caller = flowOf(i)
    if (caller === undefined || site.target === undefined || caller.nodes[site.at.id] !== site.at) return noOrigins
    const { parameters } = site.target
    value = substitute(value, (p) => {
      const arg = site.args[parameters.indexOf(p)]
      return arg === undefined ? undefined : caller.origins(arg, site.at)
    })
  }
  return value
}
