import type { Value } from "../../terms/events.ts"
import { arithmetic, comparisons } from "./std.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { integerBits, isNamed, namedType, pointee, successType } from "../../crate/types.ts"
import { succeeding } from "./outcomes.ts"
import type { Walk } from "../state/walk.ts"

export const evaluateBinary = (walk: Walk, node: Expression & { kind: "binary" }): Value => {
  const { operator } = node
  if (operator === "&&" || operator === "||") return { term: walk.condition(node), type: namedType("bool") }
  const left = walk.expression(node.left)
  const right = walk.expression(node.right)
  if (comparisons.has(operator))
    return { term: walk.terms.binary(operator, left.term, right.term), type: namedType("bool") }
  const shift = operator === "<<" || operator === ">>"
  const type = left.type.kind !== "unknown" || shift ? left.type : right.type
  const result = successType(type)
  if (arithmetic.has(operator)) walk.emit({ ...walk.at(node), kind: "operation", operator, left, right, type: result })
  return { term: walk.terms.binary(operator, left.term, right.term), type: result }
}

export const evaluateUnary = (walk: Walk, node: Expression & { kind: "unary" }): Value => {
  const { terms } = walk
  if (node.operator === "!") {
    const term = walk.condition(node.operand)
    return { term: terms.not(term), type: namedType("bool") }
  }
  const operand = walk.expression(node.operand)
  if (node.operator === "*") return { ...operand, type: pointee(operand.type) }
  walk.emit({
    ...walk.at(node),
    kind: "operation",
    operator: "-",
    left: operand,
    right: undefined,
    type: operand.type,
  })
  return { term: terms.call("neg", "", [operand.term]), type: operand.type }
}

export const evaluateCast = (walk: Walk, node: Expression & { kind: "cast" }): Value => {
  const { terms } = walk
  const value = walk.expression(node.value)
  const type = walk.type(node.type)
  const known = walk.semantics.cast?.(value, type, node, walk)
  if (known !== undefined) return known
  if (integerBits(type) === undefined && !(type.kind === "named" && /^f(32|64)$/.test(type.name)))
    return { ...value, type: type.kind === "unknown" ? value.type : type }
  walk.emit({ ...walk.at(node), kind: "operation", operator: "as", left: value, right: undefined, type })
  return { term: terms.cast(value.term, type.kind === "named" ? type.name : ""), type }
}

export const evaluateTry = (walk: Walk, node: Expression & { kind: "try" }): Value => {
  const { terms } = walk
  const value = walk.expression(node.value)
  if (walk.isDead) return value
  if (value.event !== undefined) value.event.handled = true
  if (value.failure === true) {
    walk.die("failure")
    return { ...walk.unit, never: true }
  }
  walk.learn(value.onSuccess ?? [])
  if (value.term.kind === "call") walk.learn([terms.succeeded(value.term)])
  const type = successType(value.type)
  const answer = isNamed(type, "bool", "Addr") ? value.event : undefined
  return { term: succeeding(terms, value), type, ...(answer === undefined ? {} : { answer }) }
}
