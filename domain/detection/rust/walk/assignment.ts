import type { Value } from "../terms/events.ts"
import { arithmetic } from "./values/std.ts"
import type { Expression } from "../syntax/syntax.ts"
import { unknownType } from "../crate/types.ts"
import type { Walk } from "./state/walk.ts"

export const assign = (walk: Walk, node: Expression & { kind: "assign" }): Value => {
  const value = walk.expression(node.right)
  if (walk.isDead) return { ...walk.unit, never: true }
  const { left, operator } = node
  if (left.kind === "path" && left.path.segments.length === 1) {
    const name = left.path.segments[0]!.name
    const old = walk.local(name)
    if (old !== undefined) {
      const term = operator === "=" ? value.term : walk.terms.binary(operator, old.term, value.term)
      if (operator !== "=" && arithmetic.has(operator))
        walk.emit({ ...walk.at(node), kind: "operation", operator, left: old, right: value, type: old.type })
      walk.assign(name, { term, type: old.type.kind === "unknown" ? value.type : old.type })
      return walk.unit
    }
  }
  if (left.kind === "tuple" && operator === "=") {
    for (const [index, part] of left.elements.entries())
      if (part.kind === "path" && part.path.segments.length === 1)
        walk.assign(part.path.segments[0]!.name, {
          term: walk.terms.field(value.term, String(index)),
          type: unknownType,
        })
    return walk.unit
  }
  const place = walk.expression(left)
  // `*account = Config { … }` writes what the account dereferences to.
  const target = walk.semantics.passed?.(place, value.type, walk) ?? place
  if (operator !== "=" && arithmetic.has(operator))
    walk.emit({ ...walk.at(node), kind: "operation", operator, left: target, right: value, type: target.type })
  walk.emit({ ...walk.at(node), kind: "assign", target, value, operator })
  // For a struct built in this function and changed afterwards, later reads see the new field.
  if (left.kind === "field" && left.base.kind === "path" && left.base.path.segments.length === 1 && operator === "=") {
    const name = left.base.path.segments[0]!.name
    const old = walk.local(name)
    if (old?.term.kind === "struct") {
      const { path, fields, base, definition } = old.term
      const changed = [...fields.filter(([field]) => field !== left.name), [left.name, value.term] as const]
      walk.assign(name, { ...old, term: walk.terms.struct(path, changed, base, definition) })
    }
  }
  return walk.unit
}
