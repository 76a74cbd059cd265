import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"

/** `x -= …`, `x = x - …`, `x = x.sub(…)`. */
export const isLowered = (program: Program, { at, expression, value }: StorageAccess): boolean => {
  const statement = at.node
  if (statement?.kind !== "ExpressionStatement" || statement.expression.kind !== "Assignment") return false
  if (statement.expression.left === expression && statement.expression.operator === "-=") return true
  if (value?.kind === "BinaryOperation") return value.operator === "-"
  const target = value?.kind === "FunctionCall" ? program.callOf(value)?.target : undefined
  if (target?.node.body === undefined) return false
  const operators = new Set<string>()
  walk(target.node.body, (node) => {
    if (node.kind === "BinaryOperation") operators.add(node.operator)
  })
  return operators.has("-") && !operators.has("+")
}
