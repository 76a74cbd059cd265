import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { isLargeFunction } from "../largeFunction.ts"

/** Whether the whole transaction fails if this payment or call does: `transfer`, or a required success flag. */
export const revertsOnFailure = (flow: Flow, site: CallSite): boolean => {
  if (site.callKind === "transfer" || site.callKind === "external" || site.callKind === "create") return true
  if (isLargeFunction(flow)) return false
  if (site.at.kind === "condition") return requires(flow, site.at)
  const flag = site.at.definitions.find((d) => d.value === site.node && (d.index === undefined || d.index === 0))
  if (flag === undefined) return false
  for (const node of flow.conditionNodes()) {
    if (!flow.reaches(site.at, node) || !mentions(flow, node.expression as S.Expression, flag.variable)) continue
    if (requires(flow, node)) return true
  }
  // passed to a function that checks it
  return [...flow.calls()].some(
    (call) =>
      call.callKind === "internal" &&
      flow.reaches(site.at, call.at) &&
      call.args.some((arg) => arg.kind === "Identifier" && flow.program.referenceOf(arg) === flag.variable),
  )
}

/** Whether one of its outcomes leads only to a revert. */
const requires = (flow: Flow, condition: FlowNode): boolean =>
  condition.succs.some((branch) => branch.kind === "branch" && !flow.reaches(branch, flow.exit))

const mentions = (flow: Flow, e: S.Expression, variable: unknown): boolean => {
  let found = false
  walk(e, (inner) => {
    found ||= inner.kind === "Identifier" && flow.program.referenceOf(inner) === variable
    return !found
  })
  return found
}
