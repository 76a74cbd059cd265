import { type FieldPattern, type Pattern, nestedTooDeeply } from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import { child, childOfType, has, type RawNode, tooDeep } from "./rustTree.ts"

const named = (node: RawNode): ReadonlyArray<RawNode> =>
  node.children.filter(
    (one) =>
      (one.named || one.type === "_") &&
      one.field !== "type" &&
      one.type !== "mutable_specifier" &&
      one.type !== "attribute_item" &&
      one.type !== "ERROR",
  )

const binding = (l: Lowering, node: RawNode, mutable: boolean, reference: boolean): Pattern => ({
  ...l.span(node),
  kind: "binding",
  name: l.text(node),
  mutable,
  reference,
})

const fields = (l: Lowering, node: RawNode): ReadonlyArray<FieldPattern> =>
  node.children
    .filter((one) => one.type === "field_pattern")
    .map((one) => {
      const name = child(one, "name")
      const pattern = child(one, "pattern")
      const span = l.span(one)
      if (name === undefined) return { ...span, name: "", pattern: { ...span, kind: "unknown" } }
      if (pattern !== undefined) return { ...span, name: l.text(name), pattern: l.pattern(pattern) }
      const bound = binding(l, name, has(one, "mutable_specifier"), has(one, "ref"))
      return { ...span, name: l.text(name), pattern: bound }
    })

/** Flattens `a | b | c`, which the grammar nests to the left. */
const alternatives = (l: Lowering, node: RawNode): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  let rest: RawNode | undefined = node
  while (rest?.type === "or_pattern") {
    const [first, second]: ReadonlyArray<RawNode> = named(rest)
    if (second === undefined) {
      if (first !== undefined) found.push(l.pattern(first))
      rest = undefined
    } else {
      found.push(l.pattern(second))
      rest = first
    }
  }
  if (rest !== undefined) found.push(l.pattern(rest))
  return found.toReversed()
}

/** `mut` and `ref` change the binding that follows them. */
const lowerMode = (l: Lowering, node: RawNode): Pattern => {
  const inner = named(node)[0]
  const pattern = l.pattern(inner)
  if (pattern.kind !== "binding") return pattern
  const mutable = pattern.mutable || node.type === "mut_pattern"
  return { ...pattern, mutable, reference: pattern.reference || node.type === "ref_pattern" }
}

/** `name @ pattern` */
const lowerCapture = (l: Lowering, node: RawNode): Pattern => {
  const span = l.span(node)
  const [name, inner] = named(node)
  const bound = l.pattern(name)
  return bound.kind === "binding" && inner !== undefined ? { ...bound, ...span, pattern: l.pattern(inner) } : bound
}

const lowerTupleStruct = (l: Lowering, node: RawNode): Pattern => {
  const span = l.span(node)
  const type = child(node, "type")
  const elements = named(node).map((one) => l.pattern(one))
  return type === undefined
    ? { ...span, kind: "unknown" }
    : { ...span, kind: "tupleStruct", path: l.path(type), elements }
}

const lowerStruct = (l: Lowering, node: RawNode): Pattern => {
  const span = l.span(node)
  const type = child(node, "type")
  if (type === undefined) return { ...span, kind: "unknown" }
  return {
    ...span,
    kind: "struct",
    path: l.path(type),
    fields: fields(l, node),
    rest: has(node, "remaining_field_pattern"),
  }
}

const lowerRange = (l: Lowering, node: RawNode): Pattern => {
  const span = l.span(node)
  const from = child(node, "left")
  const to = child(node, "right")
  return {
    ...span,
    kind: "range",
    inclusive: !has(node, ".."),
    ...(from === undefined ? {} : { from: l.expression(from) }),
    ...(to === undefined ? {} : { to: l.expression(to) }),
  }
}

export const lowerPattern = (l: Lowering, node: RawNode | undefined): Pattern => {
  if (node === undefined) return { start: 0, end: 0, kind: "unknown" }
  const span = l.span(node)
  switch (node.type) {
    case "_":
      return { ...span, kind: "wildcard" }
    case "identifier":
    case "shorthand_field_identifier":
    case "self":
      return binding(l, node, false, false)
    case "mut_pattern":
    case "ref_pattern":
      return lowerMode(l, node)
    case "captured_pattern":
      return lowerCapture(l, node)
    case "remaining_field_pattern":
      return { ...span, kind: "rest" }
    case "scoped_identifier":
    case "scoped_type_identifier":
      return { ...span, kind: "path", path: l.path(node) }
    case "tuple_pattern":
      return { ...span, kind: "tuple", elements: named(node).map((one) => l.pattern(one)) }
    case "tuple_struct_pattern":
      return lowerTupleStruct(l, node)
    case "struct_pattern":
      return lowerStruct(l, node)
    case "reference_pattern":
      return { ...span, kind: "reference", pattern: l.pattern(named(node)[0]) }
    case "or_pattern":
      return { ...span, kind: "or", alternatives: alternatives(l, node) }
    case "slice_pattern":
      return { ...span, kind: "slice", elements: named(node).map((one) => l.pattern(one)) }
    case "range_pattern":
      return lowerRange(l, node)
    case "match_pattern":
      return l.pattern(named(node)[0])
    case "const_block":
    case "macro_invocation":
    case "negative_literal":
      return { ...span, kind: "literal", value: l.expression(node) }
    case "parenthesized_pattern":
    case "box_pattern":
      return l.pattern(named(node)[0])
    case "generic_pattern": {
      const path = childOfType(node, "identifier") ?? childOfType(node, "scoped_identifier")
      return path === undefined ? { ...span, kind: "unknown" } : { ...span, kind: "path", path: l.path(path) }
    }
    case tooDeep:
      l.problem(node, nestedTooDeeply)
      return { ...span, kind: "unknown" }
    default:
      return node.type.endsWith("_literal")
        ? { ...span, kind: "literal", value: l.expression(node) }
        : { ...span, kind: "unknown" }
  }
}
