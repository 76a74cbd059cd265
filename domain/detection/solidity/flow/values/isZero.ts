import type { Expr } from "../graph/graph.ts"

/** `0`, `0x0`, `address(0)`, `bytes32(0)`, `IToken(address(0))`, `""`. */
export const isZero = (e: Expr): boolean => {
  if (e.kind === "FunctionCall") return e.args.length === 1 && isType(e.callee) && isZero(e.args[0]!)
  if (e.kind === "Literal") return e.literalKind === "string" ? e.value === "" : /^0[xX]?0*$/.test(e.value)
  return e.kind === "YulLiteral" && /^0x?0*$/.test(e.value)
}

/** A type of the language, or a contract's: only types have capitalized names that are called with a zero. */
const isType = (e: Expr): boolean =>
  e.kind === "TypeNameExpression" || (e.kind === "Identifier" && /^[A-Z]/.test(e.name))

/** The value that storage has before anything is written to it: zero or `false`. */
export const isNothing = (e: Expr): boolean => isZero(e) || (e.kind === "Literal" && e.value === "false")
