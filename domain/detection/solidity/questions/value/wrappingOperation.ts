import { relationsIn } from "../../flow/facts/facts.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, merge, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import {
  type CallerNumber,
  callerNumber,
  comparedAnywhere,
  compares,
  isCapped,
  isOrdering,
  share,
} from "./callerNumbers.ts"
import { checkedAfter } from "./checkedAfter.ts"
import { constantNumber } from "./constantNumber.ts"
import { rangeOf } from "./fixedOutcome.ts"
import { localConstant } from "./localConstant.ts"

/** A sum, difference, product or power of integers. */
export interface Operation {
  readonly node: S.BinaryOperation | S.Assignment
  readonly operator: "+" | "-" | "*" | "**"
  readonly left: S.Expression
  readonly right: S.Expression
  readonly type: Extract<Type, { kind: "integer" }>
}

const operators = new Map<string, Operation["operator"]>([
  ["+", "+"],
  ["-", "-"],
  ["*", "*"],
  ["**", "**"],
  ["+=", "+"],
  ["-=", "-"],
  ["*=", "*"],
])

export const operationOf = (program: Program, e: S.Node): Operation | undefined => {
  if (e.kind !== "BinaryOperation" && e.kind !== "Assignment") return undefined
  const operator = operators.get(e.operator)
  if (operator === undefined) return undefined
  const types = [program.typeOf(e.left), program.typeOf(e.right)].filter((t) => t.kind === "integer")
  const type = e.kind === "Assignment" ? types[0] : types.toSorted((a, b) => b.bits - a.bits)[0]
  return type === undefined ? undefined : { node: e, operator, left: e.left, right: e.right, type }
}

/** Whether literals alone decide, and the result does not fit. */
export const surelyWraps = (flow: Flow, { operator, left, right, type }: Operation, at: FlowNode): boolean => {
  const a = localConstant(flow, left, at)
  const b = localConstant(flow, right, at)
  if (a === undefined || b === undefined) return false
  if (operator === "**") return false
  const result = operator === "+" ? a + b : operator === "-" ? a - b : a * b
  const { min, max } = rangeOf(type)
  return result < min || result > max
}

/** The stranger's parameter that makes the operation wrap around, unless a check before or after prevents it. */
export const wrapsBy = (flow: Flow, operation: Operation, at: FlowNode): CallerNumber | undefined => {
  const { operator, left, right, type } = operation
  const found = callerNumber(flow, right, at, type.bits) ?? callerNumber(flow, left, at, type.bits)
  if (found === undefined) return undefined
  const sides = [flow.origins(left, at), flow.origins(right, at)] as const
  const result = merge(sides[0], sides[1])
  const chosen = sides.find((side) => side.parameters.length > 0) ?? result
  const pairs: ReadonlyArray<readonly [Origins, Origins]> = [
    [chosen, result],
    [result, chosen],
  ]
  const checkedBefore = relationsIn(flow.facts(at)).some(
    (r) =>
      r.right !== undefined &&
      !r.withZero &&
      r.operator !== "!=" &&
      pairs.some(([a, b]) => compares(r.left, r.right!, a, b)) &&
      !onlyWithin(r.left, r.right, chosen, operator),
  )
  if (checkedBefore || checkedAfter(flow, at, chosen, result)) return undefined
  // A total is at least as large as each balance: what a balance covers, the total covers too.
  const fromTotal = operator === "-" && has(sides[0], Source.state) && sides[0].keys === 0
  if ((operator !== "-" || fromTotal) && isCapped(found)) return undefined
  // No token that exists has a supply near the square root of 2^256.
  const numbers = [...chosen.parameters.map((parameter) => ({ parameter, flow, at })), found]
  if ((operator === "+" || operator === "*") && numbers.some(isTokenAmount)) return undefined
  if (operator !== "-" && isOwnGrant(flow, operation, at)) return undefined
  // Whoever writes `unchecked` has considered the limit: a comparison on any path counts.
  if (
    at.unchecked &&
    (comparedAnywhere(found) || (found.flow !== flow && (comparedIn(flow, operation, at) || comparedByCallers(flow))))
  )
    return undefined
  return found
}

/**
 * Whether the number was also transferred as an amount of a token, which the token's supply limits; a token that the
 * caller names does not count.
 */
export const isTokenAmount = ({ parameter, flow }: CallerNumber): boolean =>
  [...flow.calls()].some(
    ({ name, callKind, args, receiver, at }) =>
      (callKind === "external" || callKind === "library" || callKind === "unknown") &&
      /^(?:safe)?transfer(?:From)?$/i.test(name) &&
      receiver !== undefined &&
      flow.origins(receiver, at).parameters.length === 0 &&
      args.some((arg) => arg.kind === "Identifier" && flow.program.referenceOf(arg) === parameter),
  )

/** `allowance[msg.sender][spender] += amount`: what the caller permits others, which only the caller can lose by. */
const isOwnGrant = (flow: Flow, { node, left }: Operation, at: FlowNode): boolean =>
  node.kind === "Assignment" &&
  left.kind === "IndexAccess" &&
  left.base.kind === "IndexAccess" &&
  left.base.index !== undefined &&
  flow.origins(left.base.index, at).sources === Source.sender

/** Whether all callers of an internal function compare their arguments: `if (low < x && x < high) return near(x);` */
const comparedByCallers = (flow: Flow): boolean => {
  const edges = flow.program.graph.callers(flow.fn)
  return (
    edges.length > 0 &&
    edges.slice(0, 12).every(({ from, call }) => {
      const caller = flow.program.flow(from)
      const site = caller.siteOf(call.node)
      return (
        site === undefined ||
        site.args.some((arg) =>
          caller
            .origins(arg, site.at)
            .parameters.some((parameter) => comparedAnywhere({ parameter, flow: caller, at: site.at })),
        )
      )
    })
  )
}

/** Whether an internal function compares the parameter that it passes on to the operation. */
const comparedIn = (flow: Flow, { left, right }: Operation, at: FlowNode): boolean =>
  [left, right].some((side) =>
    flow.origins(side, at).parameters.some((parameter) => comparedAnywhere({ parameter, flow, at })),
  )

/** `p + 5 days == x`: a caller who chooses p freely gains nothing from wrapping the sum. */
const isShifted = (program: Program, { left, right }: S.BinaryOperation): boolean =>
  [left, right].some(
    (side) =>
      side.kind === "BinaryOperation" &&
      (side.operator === "+" || side.operator === "-") &&
      [side.left, side.right].some((operand) => constantNumber(program, operand) !== undefined),
  )

/** `a + b < a` and `c / a != b` are themselves the check. */
export const checksItself = (flow: Flow, e: S.Node, at: FlowNode): boolean => {
  if (e.kind === "BinaryOperation" && (e.operator === "==" || e.operator === "!=")) return isShifted(flow.program, e)
  if (!isOrdering(e)) return false
  return [
    [e.left, e.right],
    [e.right, e.left],
  ].some(([sum, other]) => {
    const operation = operationOf(flow.program, sum!)
    if (operation === undefined || operation.operator === "-") return false
    return share(flow.origins(other!, at), flow.origins(sum!, at))
  })
}

/** Whether a check leaves out the minuend: it does not make a subtraction safe. */
const onlyWithin = (left: Origins, right: Origins, chosen: Origins, operator: string): boolean =>
  operator === "-" && left.state.length === 0 && right.state.length === 0 && chosen.state.length > 0

/** `list.length--` and `list.length -= 1`, possible before 0.6: the array in storage. */
export const shortenedArray = (program: Program, e: S.Node): S.MemberAccess | undefined => {
  const target =
    e.kind === "UnaryOperation" && e.operator === "--"
      ? e.operand
      : e.kind === "Assignment" && e.operator === "-="
        ? e.left
        : undefined
  if (target?.kind !== "MemberAccess" || target.member !== "length") return undefined
  return program.typeOf(target.object).kind === "array" ? target : undefined
}

/** Whether no earlier check mentions the array or what selects from it. */
export const isUnguarded = (flow: Flow, target: S.MemberAccess, at: FlowNode): boolean => {
  const { state } = flow.origins(target, at)
  if (state.length === 0 || flow.isRestricted(at)) return false
  return !relationsIn(flow.facts(at)).some(({ left, right }) =>
    [left, right].some((side) => side?.state.some((variable) => state.includes(variable)) === true),
  )
}
