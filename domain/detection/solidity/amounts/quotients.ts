import { oncePerPair } from "../../oncePer.ts"
import type { FlowNode } from "../flow/graph/graph.ts"
import type { FunctionModel } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { constantNumber } from "../questions/value/constantNumber.ts"
import { localConstant } from "../questions/value/localConstant.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"

// Quotients that have lost a remainder that matters.

export interface Division {
  readonly node: S.Node
  readonly at: FlowNode
  readonly divisor: S.Expression
  /** The quotient of a product and the unit of a number format: as exact as its factors. */
  readonly isFixedPoint: boolean
}

interface Written {
  readonly value: S.Expression
  readonly at: FlowNode
}

const depthLimit = 6

/**
 * The division that produces an operand: written there, assigned to a local, or made by a function such as SafeMath's.
 */
export const divisionOf = (flow: Flow, e: S.Expression, at: FlowNode, depth = 0): Division | undefined => {
  if (depth > depthLimit) return undefined
  switch (e.kind) {
    case "BinaryOperation":
      // a number of elements is divided into groups; a scaled dividend loses nothing that matters
      if (e.operator === "/") {
        return isCount(flow, e.left, at) || isScaled(flow, e.left, at) || isExact(flow, e, at)
          ? undefined
          : { node: e, at, divisor: e.right, isFixedPoint: isFixedPointProduct(flow, e, at) }
      }
      return e.operator === "*"
        ? (divisionOf(flow, e.left, at, depth + 1) ?? divisionOf(flow, e.right, at, depth + 1))
        : undefined
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      const [first, divisor] = call?.args ?? []
      if (call === undefined || first === undefined) return undefined
      if (call.kind === "conversion") return divisionOf(flow, first, at, depth + 1)
      if (call.kind !== "library" && call.kind !== "internal") return undefined
      if (divisor !== undefined && call.target !== undefined && divides(flow.program, call.target))
        return { node: e, at, divisor, isFixedPoint: false }
      return returnedDivision(flow.program, call.target, depth)
    }
    case "Identifier": {
      const only = onlyValue(flow, e, at)
      return only === undefined ? undefined : divisionOf(flow, only.value, only.at, depth + 1)
    }
    default:
      return undefined
  }
}

/** `function share(uint256 n) returns (uint256) { return n / total; }` */
const returnedDivision = (program: Program, target: FunctionModel | undefined, depth: number): Division | undefined => {
  if (target?.implemented !== true) return undefined
  const flow = program.flow(target)
  for (const at of flow.returns) {
    const e = at.expression
    if (e?.kind === "BinaryOperation" && e.operator === "/") return divisionOf(flow, e, at, depth + 1)
  }
  return undefined
}

/** Two constants, one a multiple of the other: there is no remainder to drop. */
const isExact = (flow: Flow, { left, right }: S.BinaryOperation, at: FlowNode): boolean => {
  const [dividend, divisor] = [localConstant(flow, left, at), localConstant(flow, right, at)]
  return dividend !== undefined && divisor !== undefined && divisor !== 0n && dividend % divisor === 0n
}

/** Multiplied by a unit of fixed-point arithmetic: `x * 1e18`, `x << 96`. */
const isScaled = (flow: Flow, e: S.Expression, at: FlowNode): boolean => {
  if (e.kind === "Identifier") {
    const only = onlyValue(flow, e, at)
    return only !== undefined && isScaled(flow, only.value, only.at)
  }
  if (e.kind !== "BinaryOperation") return false
  if (e.operator === "<<") return (constantNumber(flow.program, e.right) ?? 0n) >= 32n
  if (e.operator !== "*") return false
  return [e.left, e.right].some((side) => (localConstant(flow, side, at) ?? 0n) >= scale || isScaled(flow, side, at))
}

/** `x * y / 1e18`: the product of two numbers of that format, as exact as they are. */
const isFixedPointProduct = (flow: Flow, { left, right }: S.BinaryOperation, at: FlowNode): boolean => {
  // divided further, it is still as exact
  if (left.kind === "BinaryOperation" && left.operator === "/") return isFixedPointProduct(flow, left, at)
  if (!isUnit(localConstant(flow, right, at))) return false
  const product = left.kind === "Identifier" ? onlyValue(flow, left, at)?.value : left
  return product?.kind === "BinaryOperation" && product.operator === "*"
}

/** A power of ten or two that number formats are based on. */
const isUnit = (value: bigint | undefined): boolean =>
  value !== undefined && value >= scale && (/^10+$/.test(String(value)) || (value & (value - 1n)) === 0n)

/** The value of a local that has a single assignment. */
const onlyValue = (flow: Flow, e: S.Expression, at: FlowNode): Written | undefined => {
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return undefined
  const { definitions, initial } = flow.values.reaching(variable, at)
  const [only] = definitions
  if (initial || definitions.length !== 1 || only?.value === undefined || only.index !== undefined || only.at === at)
    return undefined
  // no Yul expression remains
  return only.value.kind.startsWith("Yul") ? undefined : { value: only.value as S.Expression, at: only.at }
}

export const scale = 10n ** 9n

/** Whether it is derived from `.length`. */
const isCount = (flow: Flow, e: S.Expression, at: FlowNode): boolean => {
  let found = false
  walk(e, (inner) => {
    found ||= inner.kind === "MemberAccess" && inner.member === "length"
    const variable = inner.kind === "Identifier" ? flow.program.referenceOf(inner) : undefined
    if (variable?.kind !== "LocalVariable") return !found
    for (const { value } of flow.values.reaching(variable, at).definitions) {
      found ||= value?.kind === "MemberAccess" && value.member === "length"
    }
    return !found
  })
  return found
}

/** A function of two numbers whose result is their quotient. */
const divides = oncePerPair((program: Program, target: FunctionModel): boolean => {
  const flow = program.flow(target)
  const [a, b] = target.parameters
  return flow.nodes.some((node) => {
    const e = node.expression?.kind === "Assignment" ? node.expression.right : node.expression
    if (e?.kind !== "BinaryOperation" || e.operator !== "/") return false
    return program.referenceOf(e.left) === a && program.referenceOf(e.right) === b
  })
})
