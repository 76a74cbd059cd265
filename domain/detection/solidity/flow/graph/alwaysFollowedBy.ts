import type { Flow } from "../../program.ts"
import type { FlowNode } from "./graph.ts"

/** Whether every path from a step to the normal end passes `b`; determined for all steps at once. */
export const alwaysFollowedBy = (flow: Flow, b: FlowNode): ((a: FlowNode) => boolean) => {
  const avoids = new Set<FlowNode>([flow.exit])
  const stack = [flow.exit]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const before of node.preds) {
      if (before === b || avoids.has(before)) continue
      avoids.add(before)
      stack.push(before)
    }
  }
  return (a) => b === flow.exit || !a.succs.some((next) => next !== b && avoids.has(next))
}
