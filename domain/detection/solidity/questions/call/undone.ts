import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Reached } from "../../flow/functionSummary.ts"

/** Whether every path after a call reverts and undoes it: a simulation. */
export const isUndone = (flow: Flow, { at, event }: Reached<CallSite>): boolean => {
  const { callable } = event.at
  const inner = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : undefined
  return neverEnds(flow, at) || (inner !== undefined && inner !== flow && neverEnds(inner, event.at))
}

const neverEnds = (flow: Flow, from: FlowNode): boolean =>
  !flow.reaches(from, flow.exit) && !flow.nodes.some((node) => isEnd(node) && flow.reaches(from, node))

/** `return` and `stop` in assembly. */
const isEnd = ({ expression: e }: FlowNode): boolean =>
  e?.kind === "YulFunctionCall" && (e.name === "return" || e.name === "stop" || e.name === "selfdestruct")
