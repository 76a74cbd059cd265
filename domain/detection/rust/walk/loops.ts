import { elementOf } from "./elements.ts"
import type { Value } from "../terms/events.ts"
import type { Expression } from "../syntax/syntax.ts"
import type { Walk } from "./walk.ts"

const assignedIn = new WeakMap<object, ReadonlySet<string>>()

/** Names of locals that a loop's body assigns. */
const assignments = (body: object): ReadonlySet<string> => {
  const known = assignedIn.get(body)
  if (known !== undefined) return known
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    const one = node as { kind?: string; left?: Expression; operand?: Expression; mutable?: boolean } // any node of the tree
    const target = one.kind === "assign" ? one.left : undefined
    if (target?.kind === "path" && target.path.segments.length === 1) names.add(target.path.segments[0]!.name)
    for (const value of Object.values(node)) if (typeof value === "object") visit(value)
  }
  visit(body)
  assignedIn.set(body, names)
  return names
}

export const evaluateLoop = (walk: Walk, node: Expression & { kind: "for" | "while" | "loop" }): Value => {
  const changed = assignments(node.body)
  if (node.kind === "for") {
    const list = walk.expression(node.iterable)
    const element = elementOf(walk, list)
    walk.loop(changed, element.term, false, () => {
      walk.bindPattern(node.pattern, element)
      walk.block(node.body)
    })
    return walk.unit
  }
  walk.loop(changed, undefined, node.kind === "loop", () => {
    if (node.kind === "while") walk.assume(walk.condition(node.condition), true)
    walk.block(node.body)
  })
  return node.kind === "loop" ? walk.opaque([]) : walk.unit
}
