import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { noOrigins, type Origins, substitute } from "../../flow/graph/origins.ts"

/** The origins of a written value in terms of the flow's function, even if an internal function writes it. */
export const reachedValue = (flow: Flow, write: Reached<StorageAccess>): Origins =>
  write.event.value === undefined ? noOrigins : reachedOrigins(flow, write, write.event.value)

/** The origins of an event's expression in terms of the function from which the event is reached. */
export const reachedOrigins = (
  flow: Flow,
  { event, via }: Pick<Reached<StorageAccess | CallSite>, "event" | "via">,
  e: Expr,
): Origins => {
  if (via.length === 0) return flow.origins(e, event.at)
  const { callable } = event.at
  const inner = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : undefined
  let value = inner?.origins(e, event.at) ?? noOrigins
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
