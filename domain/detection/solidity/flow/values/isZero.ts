import type { Expr } from "../graph/graph.ts"
import type { Program } from "../../program.ts"

/** `0`, `0x0`, `address(0)`, `bytes32(0)`, `""`; with the program, also `IToken(address(0))`. */
export const isZero = (e: Expr, program?: Program): boolean => {
  if (e.kind === "FunctionCall")
    return (
      e.args.length === 1 &&
      isZero(e.args[0]!, program) &&
      (e.callee.kind === "TypeNameExpression" || program?.callOf(e)?.kind === "conversion")
    )
  if (e.kind === "Literal") return e.literalKind === "string" ? e.value === "" : /^0[xX]?0*$/.test(e.value)
  return e.kind === "YulLiteral" && /^0x?0*$/.test(e.value)
}

/** The value that storage has before anything is written to it: zero or `false`. */
export const isNothing = (e: Expr): boolean => isZero(e) || (e.kind === "Literal" && e.value === "false")
