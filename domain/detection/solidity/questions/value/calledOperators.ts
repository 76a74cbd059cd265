import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** The operators in the function that an expression calls, such as a library's `add`; none without source. */
export const calledOperators = (program: Program, e: S.Node | undefined): ReadonlySet<string> => {
  const operators = new Set<string>()
  const body = e?.kind === "FunctionCall" ? program.callOf(e)?.target?.node.body : undefined
  if (body !== undefined)
    walk(body, (node) => {
      if (node.kind === "BinaryOperation") operators.add(node.operator)
    })
  return operators
}
