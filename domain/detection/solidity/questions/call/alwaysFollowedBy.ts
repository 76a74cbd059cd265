import type { Flow } from "../../program.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"

/** Every path from `a` to the normal end passes `b`. */
export const alwaysFollowedBy = (flow: Flow, a: FlowNode, b: FlowNode): boolean => {
  const seen = new Set<FlowNode>([b])
  const stack = [...a.succs]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === flow.exit) return false
    if (seen.has(node)) continue
    seen.add(node)
    stack.push(...node.succs)
  }
  return true
}
