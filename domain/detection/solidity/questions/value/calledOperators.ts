import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** SafeMath's functions, which represent its behavior if the source is missing. */
const missing: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", div: "/" }

/** The operators in the function that an expression calls, such as a library's `add`. */
export const calledOperators = (program: Program, e: S.Node | undefined): ReadonlySet<string> => {
  const operators = new Set<string>()
  if (e?.kind !== "FunctionCall") return operators
  const call = program.callOf(e)
  if (call?.target?.node.body !== undefined)
    walk(call.target.node.body, (node) => {
      if (node.kind === "BinaryOperation") operators.add(node.operator)
    })
  else if (call?.target === undefined && e.callee.kind === "MemberAccess" && e.args.length < 3) {
    const operator = missing[e.callee.member]
    if (operator !== undefined) operators.add(operator)
  }
  return operators
}
