import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { constantNumber } from "./constantNumber.ts"

/** The truth of a condition that literals and constants alone decide. */
export const constantTruth = (program: Program, e: S.Expression): boolean | undefined => {
  switch (e.kind) {
    case "Literal":
      return e.literalKind === "bool" ? e.value === "true" : undefined
    case "UnaryOperation": {
      const inner = e.operator === "!" ? constantTruth(program, e.operand) : undefined
      return inner === undefined ? undefined : !inner
    }
    case "BinaryOperation": {
      if (e.operator === "&&" || e.operator === "||") {
        const sides = [constantTruth(program, e.left), constantTruth(program, e.right)]
        const deciding = e.operator === "||"
        if (sides.includes(deciding)) return deciding
        return sides.includes(undefined) ? undefined : !deciding
      }
      const left = constantNumber(program, e.left)
      const right = constantNumber(program, e.right)
      return left === undefined || right === undefined ? undefined : compare(e.operator, left, right)
    }
    default:
      return undefined
  }
}

const compare = (operator: S.BinaryOperator, left: bigint, right: bigint): boolean | undefined => {
  switch (operator) {
    case "==":
      return left === right
    case "!=":
      return left !== right
    case "<":
      return left < right
    case "<=":
      return left <= right
    case ">":
      return left > right
    case ">=":
      return left >= right
    default:
      return undefined
  }
}
