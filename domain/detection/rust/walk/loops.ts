import { elementOf } from "./elements.ts"
import type { Value } from "../terms/events.ts"
import { assignedNames } from "../syntax/assignedNames.ts"
import type { Expression } from "../syntax/syntax.ts"
import type { Walk } from "./walk.ts"

export const evaluateLoop = (walk: Walk, node: Expression & { kind: "for" | "while" | "loop" }): Value => {
  const changed = assignedNames(node.body)
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
