import { oncePer } from "../../../oncePer.ts"
import type { Definition, FlowNode } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { locationOf } from "../../types.ts"
import { isSomewhere } from "../../flow/graph/storagePlace.ts"
import { walk } from "../../visit.ts"

/** A change to a local's member, or to an element in it. */
interface Change {
  readonly variable: LocalVariable
  /** The member of the local, if it is a struct. */
  readonly member: string | undefined
}

interface Changes extends Change {
  readonly nodes: ReadonlyArray<FlowNode>
}

/** A copy of a stored value, and the first change to it. */
export interface LostCopy {
  readonly copied: S.Expression
  readonly change: FlowNode
}

const isCopy = (variable: LocalVariable): boolean => locationOf(variable.type) === "memory"

/** The left side, if a statement only changes a single place. */
const target = (e: FlowNode["expression"]): S.Expression | undefined => {
  if (e?.kind === "Assignment") return e.left
  if (e?.kind === "UnaryOperation" && (e.operator === "++" || e.operator === "--" || e.operator === "delete"))
    return e.operand
  return undefined
}

/** The local whose member or element an expression designates; not the local itself. */
const changeAt = (program: Program, e: S.Expression): Change | undefined => {
  let at = e
  let member: string | undefined
  while (at.kind === "MemberAccess" || at.kind === "IndexAccess") {
    member = at.kind === "MemberAccess" ? at.member : undefined
    at = at.kind === "MemberAccess" ? at.object : at.base
  }
  const variable = at === e ? undefined : program.referenceOf(at)
  return variable?.kind === "LocalVariable" ? { variable, member } : undefined
}

/** Whether this step uses the changed value, other than to change the same local. */
const usesAt = (program: Program, node: FlowNode, { variable, member }: Change): boolean => {
  if (node.expression === undefined) return false
  const changed = target(node.expression)
  const own = changed !== undefined && changeAt(program, changed)?.variable === variable ? changed : undefined
  let used = false
  walk(node.expression, (e) => {
    if (e === own) return false
    // Its length does not depend on the elements
    if (e.kind === "MemberAccess" && e.member === "length" && program.referenceOf(e.object) === variable) return false
    // Another member of the same struct
    if (
      member !== undefined &&
      e.kind === "MemberAccess" &&
      e.member !== member &&
      program.referenceOf(e.object) === variable
    )
      return false
    if ((e.kind === "Identifier" || e.kind === "YulIdentifier") && program.referenceOf(e) === variable) {
      // `x = …` reassigns the local
      const replaced = node.expression?.kind === "Assignment" && node.expression.left === e
      if (!replaced) used = true
    }
    return !used
  })
  return used
}

/** Changes to members or elements of memory locals, by local and member. */
const changesIn = (program: Program, flow: Flow): ReadonlyArray<Changes> => {
  const found: Array<Change & { readonly nodes: Array<FlowNode> }> = []
  const known = new Map<LocalVariable, Map<string | undefined, Array<FlowNode>>>()
  for (const node of flow.stepsWith(Shape.assignment | Shape.change)) {
    const changed = target(node.expression)
    const change = changed === undefined ? undefined : changeAt(program, changed)
    if (change === undefined || !isCopy(change.variable)) continue
    let members = known.get(change.variable)
    if (members === undefined) known.set(change.variable, (members = new Map()))
    const nodes = members.get(change.member)
    if (nodes !== undefined) nodes.push(node)
    else {
      const first = [node]
      members.set(change.member, first)
      found.push({ ...change, nodes: first })
    }
  }
  return found
}

/** Limit: changes of one local that are followed; code with more of them computes in memory. */
const changeLimit = 32

/** Whether some step after the change uses it before the local is reassigned. */
const isUsedAfter = (program: Program, change: Change, from: FlowNode): boolean => {
  if (change.variable.role === "return") return true
  const seen = new Set<FlowNode>([from])
  const stack = [...from.succs]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (usesAt(program, node, change)) return true
    if (!node.definitions.some(({ variable, keepsOld }) => variable === change.variable && !keepsOld))
      stack.push(...node.succs)
  }
  return false
}

/** Whether another local refers to the same memory. */
const hasAlias = (program: Program, flow: Flow, variable: LocalVariable): boolean =>
  flow.nodes.some(({ definitions }) =>
    definitions.some(({ value }) => value?.kind === "Identifier" && program.referenceOf(value) === variable),
  )

const isLost = (program: Program, flow: Flow, changes: Changes): boolean =>
  changes.nodes.length <= changeLimit &&
  !hasAlias(program, flow, changes.variable) &&
  changes.nodes.every((node) => !isUsedAfter(program, changes, node))

const fromStorage = (flow: Flow, d: Definition | undefined): d is Definition & { readonly value: S.Expression } => {
  if (d?.value === undefined || d.value.kind.startsWith("Yul")) return false
  // It is not Yul but a Solidity expression.
  const value = d.value as S.Expression
  if (isSomewhere(flow.place(value, d.at))) return true
  // A helper that reads the entry: `get(id)`
  const target = value.kind === "FunctionCall" ? flow.siteOf(value)?.target : undefined
  if (target?.implemented !== true) return false
  const inner = flow.program.flow(target)
  return (
    inner.returns.length > 0 &&
    inner.returns.every(
      ({ expression, id }) =>
        expression !== undefined &&
        !expression.kind.startsWith("Yul") &&
        isSomewhere(inner.place(expression as S.Expression, inner.nodes[id]!)),
    )
  )
}

/** Copies of stored values that the function changes and then drops. */
export const lostCopies = (flow: Flow): ReadonlyArray<LostCopy> => {
  const { program } = flow
  const found = new Map<LocalVariable, LostCopy>()
  for (const changes of changesIn(program, flow)) {
    const { variable, nodes } = changes
    const change = nodes[0]!
    // A read-only function may compute with one member and leave another alone.
    const whole = flow.fn.mutability === "view" ? { ...changes, member: undefined } : changes
    if (found.has(variable) || !isLost(program, flow, whole)) continue
    const copy = flow.values.reaching(variable, change).definitions.find(({ keepsOld }) => !keepsOld)
    if (fromStorage(flow, copy)) found.set(variable, { change, copied: copy.value })
  }
  return [...found.values()]
}

/** Parameters of a function that it changes and then drops, so that only the caller's copy could matter. */
export const lostParameters = oncePer((flow: Flow): ReadonlyMap<LocalVariable, FlowNode> => {
  const lost = new Map<LocalVariable, FlowNode>()
  for (const changes of changesIn(flow.program, flow))
    if (isLost(flow.program, flow, changes)) lost.set(changes.variable, changes.nodes[0]!)
  return lost
})
