import {
  type Path,
  type PathSegment,
  type TypeNode,
  nestedTooDeeply,
} from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import { child, childOfType, has, type RawNode, tooDeep } from "./rustTree.ts"

const isType = (node: RawNode): boolean => node.named && node.type !== "lifetime" && node.type !== "mutable_specifier"

const typesIn = (l: Lowering, node: RawNode | undefined): ReadonlyArray<TypeNode> =>
  node === undefined
    ? []
    : node.children
        .filter(
          (one) => isType(one) && one.type !== "type_binding" && one.type !== "ERROR" && one.type !== "attribute_item",
        )
        .map((one) => l.type(one))

/** Segments of `a::b::<T>::C`, `Vec<T>`, `<T as Trait>::f` and plain names. */
export const lowerPath = (l: Lowering, node: RawNode): Path => {
  const segments: Array<PathSegment> = []
  let selfType: TypeNode | undefined
  const visit = (one: RawNode): void => {
    switch (one.type) {
      case "scoped_identifier":
      case "scoped_type_identifier":
      case "generic_type":
      case "generic_function":
      case "generic_type_with_turbofish": {
        const parts = [child(one, "path"), child(one, "type"), child(one, "function"), child(one, "name")]
        for (const part of parts) if (part !== undefined) visit(part)
        const generics = child(one, "type_arguments")
        const last = segments.at(-1)
        if (generics !== undefined && last !== undefined)
          segments[segments.length - 1] = { ...last, generics: typesIn(l, generics) }
        return
      }
      case "bracketed_type": {
        const inner = one.children.find((part) => part.named)
        if (inner === undefined) return
        const type = child(inner, "type")
        const trait = child(inner, "alias")
        selfType = l.type(inner.type === "qualified_type" ? type : inner)
        if (inner.type === "qualified_type" && trait !== undefined) visit(trait)
        return
      }
      default:
        segments.push({ ...l.span(one), name: l.text(one), generics: [] })
    }
  }
  visit(node)
  return { ...l.span(node), segments, ...(selfType === undefined ? {} : { selfType }) }
}

/** Flattens `A + B + C`, which the grammar nests to the left. */
const boundsOf = (l: Lowering, node: RawNode): ReadonlyArray<TypeNode> =>
  node.type === "bounded_type" ? node.children.filter(isType).flatMap((one) => boundsOf(l, one)) : [l.type(node)]

export const lowerType = (l: Lowering, node: RawNode | undefined): TypeNode => {
  if (node === undefined) return { start: 0, end: 0, kind: "infer" }
  const span = l.span(node)
  switch (node.type) {
    case "type_identifier":
    case "primitive_type":
    case "identifier":
    case "self":
    case "scoped_type_identifier":
    case "scoped_identifier":
    case "generic_type":
    case "generic_type_with_turbofish":
    case "metavariable":
      return { ...span, kind: "path", path: l.path(node) }
    case "reference_type":
      return { ...span, kind: "reference", mutable: has(node, "mutable_specifier"), type: l.type(child(node, "type")) }
    case "pointer_type":
      return { ...span, kind: "pointer", mutable: has(node, "mutable_specifier"), type: l.type(child(node, "type")) }
    case "array_type": {
      const length = child(node, "length")
      const element = l.type(child(node, "element"))
      if (length === undefined) return { ...span, kind: "slice", element }
      return { ...span, kind: "array", element, length: l.expression(length) }
    }
    case "tuple_type":
    case "unit_type":
      return { ...span, kind: "tuple", elements: typesIn(l, node) }
    case "never_type":
      return { ...span, kind: "never" }
    case "_":
    case "inferred_type":
      return { ...span, kind: "infer" }
    case "abstract_type":
    case "dynamic_type": {
      const trait = child(node, "trait")
      return { ...span, kind: "bounds", bounds: trait === undefined ? typesIn(l, node) : boundsOf(l, trait) }
    }
    case "bounded_type":
      return { ...span, kind: "bounds", bounds: boundsOf(l, node) }
    case "higher_ranked_trait_bound":
      return { ...span, kind: "bounds", bounds: typesIn(l, node) }
    case "function_type": {
      const result = child(node, "return_type")
      const parameters = typesIn(l, child(node, "parameters"))
      return { ...span, kind: "function", parameters, ...(result === undefined ? {} : { result: l.type(result) }) }
    }
    case "bracketed_type":
    case "qualified_type": {
      const type = child(node, "type") ?? childOfType(node, "qualified_type") ?? node.children.find((one) => one.named)
      return type === undefined ? { ...span, kind: "unknown" } : l.type(type)
    }
    case "block":
    case "integer_literal":
    case "boolean_literal":
      return { ...span, kind: "unknown" }
    case tooDeep:
      l.problem(node, nestedTooDeeply)
      return { ...span, kind: "unknown" }
    default:
      return { ...span, kind: "unknown" }
  }
}
