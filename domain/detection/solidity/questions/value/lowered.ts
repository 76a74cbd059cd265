import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Program } from "../../program.ts"
import { calledOperators } from "./calledOperators.ts"

/** `x -= …`, `x = x - …`, `x = x.sub(…)`. */
export const isLowered = (program: Program, { at, expression, value }: StorageAccess): boolean => {
  const statement = at.node
  if (statement?.kind !== "ExpressionStatement" || statement.expression.kind !== "Assignment") return false
  if (statement.expression.left === expression && statement.expression.operator === "-=") return true
  if (value?.kind === "BinaryOperation") return value.operator === "-"
  const operators = calledOperators(program, value?.kind === "FunctionCall" ? value : undefined)
  return operators.has("-") && !operators.has("+")
}
