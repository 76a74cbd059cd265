import { mirrored, negated, type RelationOperator } from "../../flow/facts/facts.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { constantNumber } from "./constantNumber.ts"
import { sameExpression } from "./sameExpression.ts"

interface Interval {
  readonly min: bigint
  readonly max: bigint
}

/** One side of a comparison, and what it is compared with. */
interface Side {
  readonly value: S.Expression
  readonly operator: RelationOperator
  readonly other: S.Expression
}

interface Compared {
  readonly value: S.Expression
  readonly operator: RelationOperator
  /** A number, or the name of a member of an enum or of an account. */
  readonly limit: bigint | string
}

/** The numbers that fit a type. */
export const rangeOf = ({ signed, bits }: Extract<Type, { kind: "integer" }>): Interval =>
  signed
    ? { min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n }
    : { min: 0n, max: (1n << BigInt(bits)) - 1n }

/** The numbers for which `x operator limit` holds. */
const intervals = (operator: RelationOperator, { min, max }: Interval, limit: bigint): ReadonlyArray<Interval> => {
  const [below, same, above] = [
    { min, max: limit - 1n },
    { min: limit, max: limit },
    { min: limit + 1n, max },
  ]
  switch (operator) {
    case "<":
      return [below]
    case "<=":
      return [{ min, max: limit }]
    case ">":
      return [above]
    case ">=":
      return [{ min: limit, max }]
    case "==":
      return [same]
    default:
      return [below, above]
  }
}

const meet = (some: ReadonlyArray<Interval>, others: ReadonlyArray<Interval>): boolean =>
  some.some((a) => others.some((b) => a.min <= b.max && b.min <= a.max))

/** A comparison read from left to right, and from right to left. */
const sidesOf = ({ left, right, operator }: S.BinaryOperation): ReadonlyArray<Side> =>
  operator in mirrored
    ? [
        { value: left, operator: operator as RelationOperator, other: right },
        { value: right, operator: mirrored[operator as RelationOperator], other: left },
      ]
    : []

/** The result of a comparison with a number that no value of the type exceeds, or that none reaches. */
export const outcomeByType = (program: Program, e: S.BinaryOperation, isUnchecked: boolean): boolean | undefined => {
  for (const { value, operator, other } of sidesOf(e)) {
    const type = program.typeOf(value)
    const limit = constantNumber(program, other)
    if (type.kind !== "integer" || limit === undefined || constantNumber(program, value) !== undefined) continue
    // A difference that wraps around is reported as such.
    if (isUnchecked && value.kind === "BinaryOperation" && value.operator === "-") continue
    const range = rangeOf(type)
    if (!meet(intervals(operator, range, limit), [range])) return false
    if (!meet(intervals(negated[operator], range, limit), [range])) return true
  }
  return undefined
}

/** The result of `x == x` or `a >= a`; calls are left out, because they may return different values. */
export const outcomeOfSame = (program: Program, e: S.BinaryOperation): boolean | undefined => {
  if (!(e.operator in mirrored) || !sameExpression(program, e.left, e.right)) return undefined
  return e.operator === "==" || e.operator === "<=" || e.operator === ">="
}

/** The result of two comparisons of the same value: `x < 5 && x > 10`, `role != 1 || role != 2`. */
export const outcomeOfTwo = (program: Program, e: S.BinaryOperation): boolean | undefined => {
  const [a, b] = [comparedIn(program, e.left), comparedIn(program, e.right)]
  if (a === undefined || b === undefined || !sameExpression(program, a.value, b.value)) return undefined
  const isOr = e.operator === "||"
  if (typeof a.limit === "string" || typeof b.limit === "string") {
    const needed = isOr ? "!=" : "=="
    return a.operator === needed && b.operator === needed && a.limit !== b.limit ? isOr : undefined
  }
  const type = program.typeOf(a.value)
  if (type.kind !== "integer") return undefined
  const range = rangeOf(type)
  // The disjunction holds for every number if no number makes both false.
  const holding = (operator: RelationOperator, limit: bigint): ReadonlyArray<Interval> =>
    intervals(isOr ? negated[operator] : operator, range, limit)
  return meet(holding(a.operator, a.limit), holding(b.operator, b.limit)) ? undefined : isOr
}

const comparedIn = (program: Program, e: S.Expression): Compared | undefined => {
  if (e.kind !== "BinaryOperation") return undefined
  for (const { value, operator, other } of sidesOf(e)) {
    const limit = constantNumber(program, other) ?? memberIn(program, other) ?? accountIn(program, other)
    if (limit !== undefined) return { value, operator, limit }
  }
  return undefined
}

/** A member of an enum. */
const memberIn = (program: Program, e: S.Expression): string | undefined =>
  e.kind === "MemberAccess" && program.typeOf(e.object).kind === "typeName" ? e.member : undefined

/** A fixed or stored account by name, also converted; two that differ in name are taken to differ. */
const accountIn = (program: Program, e: S.Expression): string | undefined => {
  if (program.isBuiltin(e, "this")) return "this"
  if (e.kind === "FunctionCall") {
    const call = program.callOf(e)
    const inner = call?.kind === "conversion" ? call.args[0] : undefined
    return inner?.kind === "Literal" ? `${inner.value}` : inner === undefined ? undefined : accountIn(program, inner)
  }
  const kind = program.typeOf(e).kind
  if (e.kind !== "Identifier" || (kind !== "address" && kind !== "contract")) return undefined
  return program.referenceOf(e)?.kind === "StateVariable" ? e.name : undefined
}
