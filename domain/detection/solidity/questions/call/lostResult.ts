import { oncePer } from "../../../oncePer.ts"
import type { Definition, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { constantTruth } from "../value/constantTruth.ts"
import { isLargeFunction } from "../largeFunction.ts"

/**
 * How the success flag of a call is lost. `incomplete`: the call is not even made (`x.call.value(v);`) · `ignored`: its
 * result is unused · `unread`: it is assigned to a variable that is never read · `no effect`: it is tested, but both
 * outcomes continue alike · `inverted`: success reverts, failure continues.
 */
export type LostResult = "incomplete" | "ignored" | "unread" | "no effect" | "inverted"

export const lostResult = (flow: Flow, site: CallSite): LostResult | undefined => {
  if (site.call?.incomplete === true) return "incomplete"
  // In assembly, a value must go somewhere: `pop(call(…))` is intentional.
  if (site.resultIgnored) return site.node.kind === "YulFunctionCall" ? undefined : "ignored"
  if (site.at.kind === "condition") return lostByCondition(flow, site.at, site)
  const taken = site.at.definitions.filter((d) => d.value === site.node)
  const flag = taken.find((d) => d.index === undefined || d.index === 0)
  if (flag === undefined) {
    if (!leavesFlagOut(site)) return undefined
    // `(, bytes memory data) = …`: the data may also indicate success.
    return taken.some((d) => isRead(flow, d)) ? undefined : "ignored"
  }
  return isRead(flow, flag) ? undefined : "unread"
}

/** `(, x) = call` */
const leavesFlagOut = (site: CallSite): boolean => {
  const { node, expression } = site.at
  if (node?.kind === "VariableDeclarationStatement") {
    return node.tuple && node.value === site.node && node.declarations[0] === undefined
  }
  return (
    expression?.kind === "Assignment" &&
    expression.right === site.node &&
    expression.left.kind === "TupleExpression" &&
    expression.left.components[0] === undefined
  )
}

/** Whether the value of a local is read before another one replaces it. */
const isRead = (flow: Flow, definition: Definition): boolean => {
  const { variable } = definition
  if (variable.kind === "YulVariable") {
    if (variable.role !== "local") return true
    return readersOf(flow, variable).length > 0
  }
  // A struct member or an array entry in memory may be referenced elsewhere, too.
  if (definition.keepsOld && (variable.type.kind === "struct" || variable.type.kind === "array")) return true
  if (!flow.isUsed(variable) && variable.role !== "return") return false
  if (flow.definitionsOf(variable).length < 2) return true
  if (variable.role === "return" && flow.values.reaching(variable, flow.exit).definitions.includes(definition)) {
    return true
  }
  return readersOf(flow, variable).some((node) => flow.values.reaching(variable, node).definitions.includes(definition))
}

/** The steps that read a local, other than to reassign it. */
const readersOf = (flow: Flow, variable: Definition["variable"]): ReadonlyArray<FlowNode> =>
  readersByVariable(flow).get(variable) ?? []

const readersByVariable = oncePer((flow: Flow): ReadonlyMap<Definition["variable"], ReadonlyArray<FlowNode>> => {
  const readers = new Map<Definition["variable"], Array<FlowNode>>()
  for (const node of flow.nodes) {
    if (node.kind === "branch" || node.expression === undefined) continue
    const take = (e: S.Node): void => {
      if (e.kind !== "Identifier" && e.kind !== "YulIdentifier") return
      const found = flow.program.referenceOf(e)
      if (found?.kind !== "LocalVariable" && found?.kind !== "YulVariable") return
      const known = readers.get(found)
      if (known === undefined) readers.set(found, [node])
      else if (known.at(-1) !== node) known.push(node)
    }
    walk(node.expression, (e) => {
      take(e)
      if (e.kind !== "Assignment" || e.operator !== "=") return true
      if (e.left.kind !== "Identifier" && e.left.kind !== "TupleExpression") return true
      walk(e.right, take)
      return false
    })
  }
  return readers
})

const lostByCondition = (flow: Flow, condition: FlowNode, site: CallSite): LostResult | undefined => {
  const { expression } = condition
  if (expression === undefined) return undefined
  if (expression.kind === "BinaryOperation" && drowned(flow, expression, site.node)) return "no effect"
  const outcome = polarity(expression, site.node)
  if (outcome === undefined) return undefined
  const success = condition.succs.find((b) => b.truth === outcome)
  const failure = condition.succs.find((b) => b.truth !== outcome)
  if (success === undefined || failure === undefined || isLargeFunction(flow)) return undefined
  if (success.succs.length > 0 && success.succs.length === failure.succs.length) {
    if (success.succs.every((s) => failure.succs.includes(s))) return "no effect"
  }
  const ends = (branch: FlowNode): boolean => flow.reaches(branch, flow.exit)
  return !ends(success) && ends(failure) ? "inverted" : undefined
}

/**
 * The outcome of the condition that means success: true for `x.send(v)`, false for `!x.send(v)`; undefined if the
 * condition tests more than that.
 */
const polarity = (e: S.Node, call: CallSite["node"]): boolean | undefined => {
  if (e === call) return true
  if (e.kind !== "UnaryOperation" || e.operator !== "!") return undefined
  const inner = polarity(e.operand, call)
  return inner === undefined ? undefined : !inner
}

/** `call() || true`: another operand decides, whatever the call returns. */
const drowned = (flow: Flow, e: S.BinaryOperation, call: CallSite["node"]): boolean => {
  if (e.operator !== "||" && e.operator !== "&&") return false
  const sides = [e.left, e.right]
  return (
    sides.some((side) => constantTruth(flow.program, side) === (e.operator === "||")) &&
    sides.some((s) => contains(s, call))
  )
}

const contains = (e: S.Expression, call: CallSite["node"]): boolean => {
  let found = false
  walk(e, (inner) => {
    found ||= inner === call
    return !found
  })
  return found
}
