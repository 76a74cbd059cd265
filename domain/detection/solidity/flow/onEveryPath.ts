import type { Flow } from "../program.ts"
import type { CallSite, StorageAccess } from "./graph/events.ts"
import type { Reached } from "./functionSummary.ts"

/** Whether it happens on every path through the function, and through those that it calls on the way. */
export const isOnEveryPath = (flow: Flow, { at, via, event }: Reached<StorageAccess | CallSite>): boolean =>
  flow.dominates(at, flow.exit) &&
  via.every(({ target }, i) => {
    const inner = target === undefined ? undefined : flow.program.flowIfBuilt(target)
    const step = (via[i + 1] ?? event).at
    return inner !== undefined && inner.nodes[step.id] === step && inner.dominates(step, inner.exit)
  })
