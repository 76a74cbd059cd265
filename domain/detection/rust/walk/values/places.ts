import { isCursor } from "./cursors.ts"
import { dereferenced } from "./dereference.ts"
import type { Value } from "../../terms/events.ts"
import { lookUp } from "./names.ts"
import type { Expression } from "../../syntax/syntax.ts"
import type { Term } from "../../terms/terms.ts"
import { elementType, fieldsByName, fieldType, namedType, successType, unknownType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

export const evaluatePath = (walk: Walk, node: Expression & { kind: "path" }): Value => {
  const { segments, selfType } = node.path
  const [only] = segments
  if (segments.length === 1 && only !== undefined) {
    const local = walk.local(only.name)
    if (local !== undefined) return local
    if (only.name === "None")
      return { term: walk.terms.constant("None"), type: namedType("Option", [unknownType]), failure: true }
  }
  if (selfType !== undefined)
    return { term: walk.terms.constant(segments.map((one) => one.name).join("::")), type: unknownType }
  const { path, definition } = lookUp(walk, node.path)
  if (definition?.kind === "const") {
    const type = walk.typeIn({ module: definition.module }, definition.item.type)
    return { term: walk.terms.constant(path, definition), type }
  }
  if (definition?.kind === "variant")
    return {
      term: walk.terms.constant(path),
      type: {
        kind: "named",
        name: definition.enum.name,
        path: definition.enum.name,
        definition: definition.enum,
        args: [],
      },
    }
  if (definition?.kind === "struct" || definition?.kind === "enum")
    return {
      term: walk.terms.constant(path),
      type: { kind: "named", name: definition.name, path: definition.name, definition, args: [] },
    }
  if (definition?.kind === "function") return { term: walk.terms.constant(path), type: unknownType, callee: definition }
  return { term: walk.terms.constant(path), type: unknownType }
}

/** Fields of structs and of the targets of smart pointers; models know those of their platform's types. */
export const evaluateField = (walk: Walk, base: Value, name: string): Value => {
  const known = walk.semantics.field?.(base, name, walk)
  if (known !== undefined) return known
  if (base.type.kind === "tuple")
    return { term: walk.terms.field(base.term, name), type: base.type.elements[Number(name)] ?? unknownType }
  return { term: walk.terms.field(base.term, name), type: fieldType(walk.resolver, successType(base.type), name) }
}

const literalIndex = (term: Term): number | undefined => {
  if (term.kind !== "literal" || term.type !== "integer") return undefined
  const index = Number(term.value)
  return Number.isSafeInteger(index) && index >= 0 ? index : undefined
}

export const evaluateIndex = (walk: Walk, node: Expression & { kind: "index" }): Value => {
  const base = walk.expression(node.base)
  const { terms } = walk
  if (node.index.kind === "range") {
    const from = node.index.from === undefined ? terms.literal("integer", "0") : walk.expression(node.index.from).term
    const to = node.index.to === undefined ? [] : [walk.expression(node.index.to).term]
    walk.emit({
      ...walk.at(node),
      kind: "operation",
      operator: "[]",
      left: base,
      right: { term: from, type: namedType("usize") },
      type: base.type,
    })
    if (from === terms.literal("integer", "0") && to.length === 0) return base
    return { term: terms.call("slice", "", [base.term, from, ...to]), type: base.type }
  }
  const index = walk.expression(node.index)
  const type = elementType(base.type)
  walk.emit({ ...walk.at(node), kind: "operation", operator: "[]", left: base, right: index, type })
  // `&self.accounts[self.at]`, before `self.at += 1`
  if (isCursor(walk.frame.function, node.index)) return { term: walk.advance(base.term), type }
  return { term: terms.element(base.term, literalIndex(index.term)), type }
}

export const evaluateFieldOf = (walk: Walk, node: Expression & { kind: "field" }): Value => {
  const base = walk.expression(node.base)
  walk.current = node
  // A struct of the project without the field can only mean what it dereferences to.
  const holder = dereferenced(walk, base, (one) => one === undefined || fieldsByName(one.item).has(node.name))
  return evaluateField(walk, holder ?? base, node.name)
}
