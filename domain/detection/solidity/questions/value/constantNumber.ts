import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

const units = new Map<string, bigint>([
  ["wei", 1n],
  ["gwei", 10n ** 9n],
  ["szabo", 10n ** 12n],
  ["finney", 10n ** 15n],
  ["ether", 10n ** 18n],
  ["seconds", 1n],
  ["minutes", 60n],
  ["hours", 3600n],
  ["days", 86_400n],
  ["weeks", 604_800n],
  ["years", 31_536_000n],
])

/** Larger results are not computed, because no integer type can hold them. */
const largest = 2n ** 512n

/** The value of an integer literal: `1e18`, `0xff`, `24 hours`, `1.5 ether`; undefined for anything else. */
export const literalNumber = (e: S.Literal): bigint | undefined => {
  if (e.literalKind !== "number" && e.literalKind !== "hexNumber") return undefined
  const text = e.value.replaceAll("_", "")
  const unit = e.unit === undefined ? 1n : units.get(e.unit)
  if (unit === undefined) return undefined
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return text.length > 130 ? undefined : BigInt(text) * unit
  const parts = /^(\d*)(?:\.(\d*))?(?:[eE](-?\d{1,3}))?$/.exec(text)
  if (parts === null || text.length > 160) return undefined
  const [, whole = "", fraction = "", exponent = "0"] = parts
  const digits = BigInt(`${whole}${fraction}` || "0") * unit
  const power = Number(exponent) - fraction.length
  if (power >= 0) return power > 160 ? undefined : digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return digits % divisor === 0n ? digits / divisor : undefined
}

/** Resolves the names in an expression. */
export type Names = Pick<Program, "referenceOf" | "callOf">

/** The value of an expression of literals, constants and arithmetic; undefined if it contains anything else. */
export const constantNumber = (program: Names, e: S.Expression, depth = 0): bigint | undefined => {
  if (depth > 32) return undefined
  switch (e.kind) {
    case "Literal":
      return literalNumber(e)
    case "Identifier":
    case "MemberAccess": {
      const found = program.referenceOf(e)
      if (found?.kind !== "StateVariable" || !found.constant || found.node?.value === undefined) return undefined
      return constantNumber(program, found.node.value, depth + 1)
    }
    case "UnaryOperation": {
      const value = e.operator === "-" ? constantNumber(program, e.operand, depth + 1) : undefined
      return value === undefined ? undefined : -value
    }
    case "FunctionCall": {
      const call = program.callOf(e)
      if (call?.kind !== "conversion" || call.type?.kind !== "integer" || call.args[0] === undefined) return undefined
      const value = constantNumber(program, call.args[0], depth + 1)
      return value !== undefined && value >= 0n && value < 1n << BigInt(call.type.bits - 1) ? value : undefined
    }
    case "BinaryOperation": {
      const left = constantNumber(program, e.left, depth + 1)
      const right = constantNumber(program, e.right, depth + 1)
      if (left === undefined || right === undefined) return undefined
      const value = arithmetic(e.operator, left, right)
      return value === undefined || value > largest || value < -largest ? undefined : value
    }
    default:
      return undefined
  }
}

const arithmetic = (operator: S.BinaryOperator, left: bigint, right: bigint): bigint | undefined => {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "/":
      return right === 0n ? undefined : left / right
    case "%":
      return right === 0n ? undefined : left % right
    case "**":
      return right < 0n || right > 512n ? undefined : left ** right
    case "<<":
      return right < 0n || right > 512n ? undefined : left << right
    default:
      return undefined
  }
}
