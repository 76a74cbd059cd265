import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Program } from "../../program.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { walk } from "../../visit.ts"
import { calledOperators } from "./calledOperators.ts"

/** `x -= …`, `x = x - …`, `x = x.sub(…)`, `x--`. */
export const isLowered = (program: Program, { at, operation, expression, value }: StorageAccess): boolean => {
  if (operation === "increment") return isDecrement(at, expression)
  const statement = at.node
  if (statement?.kind !== "ExpressionStatement" || statement.expression.kind !== "Assignment") return false
  if (statement.expression.left === expression && statement.expression.operator === "-=") return true
  if (value?.kind === "BinaryOperation") return value.operator === "-"
  const operators = calledOperators(program, value?.kind === "FunctionCall" ? value : undefined)
  return operators.has("-") && !operators.has("+")
}

const isDecrement = ({ expression }: FlowNode, of: Expr): boolean => {
  let lowered = false
  if (expression !== undefined)
    walk(expression, (e) => {
      lowered ||= e.kind === "UnaryOperation" && e.operator === "--" && e.operand === of
      return !lowered
    })
  return lowered
}
