import {
  type BinaryOperator,
  type Closure,
  type Expression,
  type MatchArm,
  nestedTooDeeply,
} from "../../domain/detection/rust/syntax/syntax.ts"
import { isConditional, isTestOnly } from "./rustAttributes.ts"
import { lowerCall } from "./rustCalls.ts"
import { lowerLiteral } from "./rustLiterals.ts"
import type { Lowering } from "./rustLowering.ts"
import { lowerMacro } from "./rustMacros.ts"
import { label, operands, skipped } from "./rustOperands.ts"
import { child, childOfType, has, type RawNode, tooDeep } from "./rustTree.ts"

const lowerArms = (l: Lowering, node: RawNode | undefined): ReadonlyArray<MatchArm> => {
  const arms: Array<MatchArm> = []
  for (const arm of node?.children ?? []) {
    if (arm.type !== "match_arm" && arm.type !== "last_match_arm") continue
    const attributes = arm.children.filter((one) => one.type === "attribute_item").map(l.attribute)
    if (isTestOnly(attributes)) continue
    const match = child(arm, "pattern")
    const guard = match === undefined ? undefined : child(match, "condition")
    arms.push({
      ...l.span(arm),
      pattern: l.pattern(match),
      body: l.expression(child(arm, "value")),
      ...(attributes.some(isConditional) ? { attributes } : {}),
      ...(guard === undefined ? {} : { guard: l.expression(guard) }),
    })
  }
  return arms
}

const lowerClosure = (l: Lowering, node: RawNode): Closure => ({
  ...l.span(node),
  kind: "closure",
  parameters: (child(node, "parameters")?.children ?? [])
    .filter((one) => (one.named || one.type === "_") && !skipped.has(one.type))
    .map((one) => {
      if (one.type !== "parameter") return { pattern: l.pattern(one) }
      const type = child(one, "type")
      return { pattern: l.pattern(child(one, "pattern")), ...(type === undefined ? {} : { type: l.type(type) }) }
    }),
  body: l.expression(child(node, "body")),
})

const lowerStruct = (l: Lowering, node: RawNode): Expression => {
  const name = child(node, "name")
  const body = child(node, "body")
  let base: Expression | undefined
  const fields: Array<{ start: number; end: number; name: string; value: Expression; shorthand: boolean }> = []
  for (const one of body?.children ?? []) {
    if (one.type === "shorthand_field_initializer") {
      const identifier = childOfType(one, "identifier")
      if (identifier !== undefined)
        fields.push({ ...l.span(one), name: l.text(identifier), value: l.expression(identifier), shorthand: true })
    } else if (one.type === "field_initializer") {
      const field = child(one, "field")
      if (field !== undefined)
        fields.push({ ...l.span(one), name: l.text(field), value: l.expression(child(one, "value")), shorthand: false })
    } else if (one.type === "base_field_initializer") {
      const inner = operands(one)[0]
      if (inner !== undefined) base = l.expression(inner)
    }
  }
  const path = name === undefined ? { ...l.span(node), segments: [] } : l.path(name)
  return { ...l.span(node), kind: "struct", path, fields, ...(base === undefined ? {} : { base }) }
}

const range = (l: Lowering, node: RawNode): Expression => {
  const inclusive = has(node, "..=")
  const at = node.children.findIndex((one) => one.type === ".." || one.type === "..=" || one.type === "...")
  const from = node.children.slice(0, at).find((one) => one.named)
  const to = node.children.slice(at + 1).find((one) => one.named)
  return {
    ...l.span(node),
    kind: "range",
    inclusive,
    ...(from === undefined ? {} : { from: l.expression(from) }),
    ...(to === undefined ? {} : { to: l.expression(to) }),
  }
}

/** The terms of a let chain, joined with `&&` as the other conditions are. */
const chain = (l: Lowering, nodes: ReadonlyArray<RawNode>): Expression => {
  const [first, ...rest] = nodes.map((one) => l.expression(one))
  let joined = first ?? ({ start: 0, end: 0, kind: "unknown" } satisfies Expression)
  for (const right of rest)
    joined = { start: joined.start, end: right.end, kind: "binary", operator: "&&", left: joined, right }
  return joined
}

const optional = (l: Lowering, node: RawNode): { value?: Expression } => {
  const value = operands(node)[0]
  return value === undefined ? {} : { value: l.expression(value) }
}

const operator = (l: Lowering, node: RawNode): string => {
  const found = child(node, "operator")
  return found === undefined ? "" : l.text(found)
}

/** Operators; undefined for other expressions. */
const lowerOperation = (l: Lowering, node: RawNode): Expression | undefined => {
  const span = l.span(node)
  switch (node.type) {
    case "reference_expression":
    case "raw_reference_expression":
      return {
        ...span,
        kind: "reference",
        mutable: has(node, "mutable_specifier"),
        operand: l.expression(child(node, "value") ?? operands(node)[0]),
      }
    case "unary_expression":
    case "negative_literal": {
      const sign = node.children[0]?.type
      const operand = l.expression(operands(node)[0])
      return { ...span, kind: "unary", operator: sign === "!" || sign === "*" ? sign : "-", operand }
    }
    case "binary_expression":
      return {
        ...span,
        kind: "binary",
        // The grammar allows no other operators here.
        operator: operator(l, node) as BinaryOperator,
        left: l.expression(child(node, "left")),
        right: l.expression(child(node, "right")),
      }
    case "assignment_expression":
    case "compound_assignment_expr": {
      const left = child(node, "left")
      // The grammar reads `..=x` as `(..) = x`.
      if (left?.type === "range_expression" && operands(left).length === 0)
        return { ...span, kind: "range", inclusive: true, to: l.expression(child(node, "right")) }
      const compound = operator(l, node)
      return {
        ...span,
        kind: "assign",
        // The grammar allows no other operators here.
        operator: compound === "" ? "=" : (compound.slice(0, -1) as BinaryOperator),
        left: l.expression(left),
        right: l.expression(child(node, "right")),
      }
    }
    default:
      return undefined
  }
}

/** Control flow expressions; undefined for others. */
const lowerControlFlow = (l: Lowering, node: RawNode): Expression | undefined => {
  const span = l.span(node)
  switch (node.type) {
    case "if_expression": {
      const otherwise = child(node, "alternative")
      const inner = otherwise === undefined ? undefined : operands(otherwise)[0]
      return {
        ...span,
        kind: "if",
        condition: l.expression(child(node, "condition")),
        then: l.block(child(node, "consequence")),
        ...(inner === undefined ? {} : { otherwise: l.expression(inner) }),
      }
    }
    case "let_condition":
      return {
        ...span,
        kind: "let",
        pattern: l.pattern(child(node, "pattern")),
        value: l.expression(child(node, "value")),
      }
    case "let_chain":
      return chain(l, operands(node))
    case "match_expression":
      return {
        ...span,
        kind: "match",
        value: l.expression(child(node, "value")),
        arms: lowerArms(l, child(node, "body")),
      }
    case "while_expression":
      return {
        ...span,
        kind: "while",
        condition: l.expression(child(node, "condition")),
        body: l.block(child(node, "body")),
        ...label(l, node),
      }
    case "loop_expression":
      return { ...span, kind: "loop", body: l.block(child(node, "body")), ...label(l, node) }
    case "for_expression":
      return {
        ...span,
        kind: "for",
        pattern: l.pattern(child(node, "pattern")),
        iterable: l.expression(child(node, "value")),
        body: l.block(child(node, "body")),
        ...label(l, node),
      }
    case "closure_expression":
      return lowerClosure(l, node)
    case "return_expression":
      return { ...span, kind: "return", ...optional(l, node) }
    case "break_expression":
      return { ...span, kind: "break", ...optional(l, node), ...label(l, node) }
    case "continue_expression":
      return { ...span, kind: "continue", ...label(l, node) }
    default:
      return undefined
  }
}

const lowerField = (l: Lowering, node: RawNode): Expression => {
  const field = child(node, "field")
  return {
    ...l.span(node),
    kind: "field",
    base: l.expression(child(node, "value")),
    name: field === undefined ? "" : l.text(field),
  }
}

/** `[a, b]` and `[a; count]` */
const lowerArray = (l: Lowering, node: RawNode): Expression => {
  const span = l.span(node)
  const count = child(node, "length")
  if (count !== undefined)
    return { ...span, kind: "repeat", value: l.expression(operands(node)[0]), count: l.expression(count) }
  return { ...span, kind: "array", elements: operands(node).map((one) => l.expression(one)) }
}

export const lowerExpression = (l: Lowering, node: RawNode | undefined): Expression => {
  if (node === undefined) return { start: 0, end: 0, kind: "unknown" }
  const special = lowerOperation(l, node) ?? lowerControlFlow(l, node)
  if (special !== undefined) return special
  const span = l.span(node)
  switch (node.type) {
    case "identifier":
    case "self":
    case "scoped_identifier":
    case "generic_function":
    case "crate":
    case "super":
    case "metavariable":
    case "shorthand_field_identifier":
    case "type_identifier":
      return { ...span, kind: "path", path: l.path(node) }
    case "field_expression":
      return lowerField(l, node)
    case "call_expression":
      return lowerCall(l, node)
    case "macro_invocation":
      return lowerMacro(l, node)
    case "parenthesized_expression": {
      const inner = operands(node)[0]
      return inner === undefined ? { ...span, kind: "unknown" } : l.expression(inner)
    }
    case "try_expression":
      return { ...span, kind: "try", value: l.expression(operands(node)[0]) }
    case "await_expression":
      return { ...span, kind: "await", value: l.expression(operands(node)[0]) }
    case "index_expression": {
      const [base, index] = operands(node)
      return { ...span, kind: "index", base: l.expression(base), index: l.expression(index) }
    }
    case "type_cast_expression":
      return { ...span, kind: "cast", value: l.expression(child(node, "value")), type: l.type(child(node, "type")) }
    case "struct_expression":
      return lowerStruct(l, node)
    case "tuple_expression":
    case "unit_expression":
      return { ...span, kind: "tuple", elements: operands(node).map((one) => l.expression(one)) }
    case "array_expression":
      return lowerArray(l, node)
    case "range_expression":
      return range(l, node)
    case "block":
    case "unsafe_block":
    case "async_block":
    case "const_block":
    case "try_block":
    case "gen_block":
      return l.block(node)
    case "expression_statement":
    case "else_clause":
      return l.expression(operands(node)[0])
    case tooDeep:
      l.problem(node, nestedTooDeeply)
      return { ...span, kind: "unknown" }
    default:
      if (node.type.endsWith("_literal")) return lowerLiteral(l, node)
      return { ...span, kind: "unknown" }
  }
}
