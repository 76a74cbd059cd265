import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { constantNumber } from "./constantNumber.ts"
import { isLargeFunction } from "../largeFunction.ts"

/** The number that an expression certainly has at a node: literals, constants, and locals that hold one of those. */
export const localConstant = (flow: Flow, e: S.Expression, at: FlowNode, depth = 0): bigint | undefined => {
  if (depth > 8 || isLargeFunction(flow)) return constantNumber(flow.program, e)
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return constantNumber(flow.program, e)
  const { definitions, initial } = flow.values.reaching(variable, at)
  const [definition] = definitions
  if (initial || definitions.length !== 1 || definition === undefined || definition.keepsOld) return undefined
  if (definition.index !== undefined) return undefined
  // declared without a value
  if (definition.value === undefined)
    return variable.type.kind === "integer" && definition.at.node?.kind === "VariableDeclarationStatement"
      ? 0n
      : undefined
  // a variable that depends on its own earlier value is not a constant
  if (flow.reaches(at, definition.at)) return undefined
  const { value } = definition
  return value.kind.startsWith("Yul") ? undefined : localConstant(flow, value as S.Expression, definition.at, depth + 1)
}
