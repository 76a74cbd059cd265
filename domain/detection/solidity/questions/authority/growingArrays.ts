import { relationsIn } from "../../flow/facts/facts.ts"
import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { StateVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type { Type } from "../../types.ts"
import { isLargeFunction } from "../largeFunction.ts"
import { hasInitializerModifier } from "../deployment/initializer.ts"
import { walk } from "../../visit.ts"

/** Storage arrays that strangers can extend, and counters that they can raise, without a limit. */
export const growingArrays = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const grown = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || !program.graph.isReachable(flow.fn)) continue
    for (const { event, via, place, at } of flow.writes) {
      if (via.length > 0 || place === undefined) continue
      const type = growth(event, place.path)
      if (type === undefined) continue
      // A list that others can extend for somebody: `ids[who].push(id)`.
      const isAnybodys = has(place.keys, Source.parameter) && !has(place.keys, Source.sender)
      const fresh = place.variables.filter(
        (variable) => (isAnybodys ? leaf(variable.type) : variable.type).kind === type && !grown.has(variable),
      )
      if (fresh.length === 0 || isKeptFromStrangers(flow, at)) continue
      for (const variable of fresh)
        if (!isLimited(flow, at, variable) && !isLimitedAfter(flow, at, variable)) grown.add(variable)
    }
  }
  return grown
})

const leaf = (type: Type): Type => (type.kind === "mapping" ? leaf(type.value) : type)

const growth = (event: StorageAccess, path: string): "array" | "integer" | undefined => {
  if (event.operation === "push") return "array"
  // before 0.6: `list.length++`, `list.length = n`
  if (path.endsWith(".length")) return event.operation === "delete" || event.operation === "pop" ? undefined : "array"
  return event.operation === "increment" && path === "" && isRaised(event) ? "integer" : undefined
}

const isRaised = ({ at, expression }: StorageAccess): boolean => {
  let raised = false
  if (at.expression === undefined) return false
  walk(at.expression, (e) => {
    raised ||= e.kind === "UnaryOperation" && e.operator === "++" && e.operand === expression
    return !raised
  })
  return raised
}

const orderings = new Set(["<", "<=", ">", ">="])

/** Limits: callers followed in a row, and callers of one function. */
const depthLimit = 3
const callerLimit = 8

/** Whether only some accounts get there, or everyone together once. */
const isKeptFromStrangers = (flow: Flow, at: FlowNode, depth = 0): boolean => {
  if (flow.isRestricted(at) || hasInitializerModifier(flow.fn)) return true
  const { graph } = flow.program
  const callers = graph.callers(flow.fn)
  return (
    !graph.isEntryPoint(flow.fn) &&
    depth < depthLimit &&
    callers.length > 0 &&
    callers.length <= callerLimit &&
    callers.every(({ from, call }) => {
      const caller = flow.program.flow(from)
      const site = caller.siteOf(call.node)
      return site !== undefined && isKeptFromStrangers(caller, site.at, depth + 1)
    })
  )
}

/** Whether an earlier check compares the length with something that the caller does not choose, or what is listed with the time. */
const isLimited = (flow: Flow, at: FlowNode, variable: StateVariable): boolean =>
  relationsIn(flow.facts(at)).some(
    ({ operator, left, right, withZero }) =>
      right !== undefined &&
      [[left, right] as const, [right, left] as const].some(
        ([length, limit]) =>
          length.state.includes(variable) &&
          (limit.sources & Source.parameter) === 0 &&
          (has(limit, Source.timestamp) || (!withZero && orderings.has(operator) && length.keys === 0)),
      ),
  )

/** Whether it is undone if the list has become too long. */
const isLimitedAfter = (flow: Flow, at: FlowNode, variable: StateVariable): boolean =>
  !isLargeFunction(flow) &&
  flow
    .conditionNodes()
    .some(
      (node) =>
        flow.dominates(at, node) &&
        node.expression?.kind === "BinaryOperation" &&
        orderings.has(node.expression.operator) &&
        flow.origins(node.expression.left, node).state.includes(variable) &&
        !has(flow.origins(node.expression.right, node), Source.parameter) &&
        node.succs.some((next) => next !== flow.exit && !flow.reaches(next, flow.exit)),
    )
