import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Program } from "../../program.ts"
import { calledOperators } from "./calledOperators.ts"

/** `x += …`, `x++`, `x = x + …`, `x = x.add(…)`. */
export const isRaised = (program: Program, { at, expression, operation, value }: StorageAccess): boolean => {
  const statement = at.node
  if (statement?.kind !== "ExpressionStatement") return false
  const { expression: done } = statement
  if (operation === "increment") return done.kind === "UnaryOperation" && done.operator === "++"
  if (done.kind !== "Assignment") return false
  if (done.left === expression && done.operator === "+=") return true
  if (value?.kind === "BinaryOperation") return value.operator === "+"
  const operators = calledOperators(program, value?.kind === "FunctionCall" ? value : undefined)
  return operators.has("+") && !operators.has("-")
}
