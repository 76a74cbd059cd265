import type { Value } from "../../terms/events.ts"
import { lookUp } from "./names.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { namedType, unknownType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

export const evaluateStruct = (walk: Walk, node: Expression & { kind: "struct" }): Value => {
  const { path, definition } = lookUp(walk, node.path)
  const fields = node.fields.map((field) => [field.name, walk.expression(field.value).term] as const)
  const base = node.base === undefined ? undefined : walk.expression(node.base).term
  const of =
    definition?.kind === "variant"
      ? definition.enum
      : definition?.kind === "struct" || definition?.kind === "enum"
        ? definition
        : undefined
  const term = walk.terms.struct(path, fields, base, of)
  const name = of?.name ?? path.slice(path.lastIndexOf(":") + 1)
  const value: Value = {
    term,
    type: { kind: "named", name, path, args: [], ...(of === undefined ? {} : { definition: of }) },
  }
  walk.emit({ ...walk.at(node), kind: "struct", value })
  return value
}

export const evaluateRange = (walk: Walk, node: Expression & { kind: "range" }): Value => {
  const { terms } = walk
  const from = node.from === undefined ? [] : [walk.expression(node.from).term]
  const to = node.to === undefined ? [] : [walk.expression(node.to).term]
  return { term: terms.call("range", "", [...from, ...to]), type: { kind: "list", element: namedType("usize") } }
}

export const evaluateTuple = (walk: Walk, node: Expression & { kind: "tuple" }): Value => {
  const { terms } = walk
  const values = node.elements.map((one) => walk.expression(one))
  return {
    term: terms.list(
      values.map((one) => one.term),
      true,
    ),
    type: { kind: "tuple", elements: values.map((one) => one.type) },
  }
}

export const evaluateArray = (walk: Walk, node: Expression & { kind: "array" }): Value => {
  const { terms } = walk
  const values = node.elements.map((one) => walk.expression(one))
  const element = values.find((one) => one.type.kind !== "unknown")?.type ?? unknownType
  return {
    term: terms.list(
      values.map((one) => one.term),
      false,
    ),
    type: { kind: "list", element },
  }
}

export const evaluateRepeat = (walk: Walk, node: Expression & { kind: "repeat" }): Value => {
  const { terms } = walk
  const value = walk.expression(node.value)
  const count = walk.expression(node.count)
  return { term: terms.call("repeat", "", [value.term, count.term]), type: { kind: "list", element: value.type } }
}
