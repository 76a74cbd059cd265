import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

/** Whether two adjacent expressions must have the same value: same names and literals, calls that change nothing. */
export const sameExpression = (program: Program, a: S.Expression, b: S.Expression, depth = 0): boolean => {
  if (depth > 32) return false
  const same = (x: S.Expression, y: S.Expression): boolean => sameExpression(program, x, y, depth + 1)
  if (a.kind === "Identifier") {
    const found = program.referenceOf(a)
    return found !== undefined && found === program.referenceOf(b)
  }
  if (a.kind === "Literal") return b.kind === "Literal" && a.value === b.value && a.unit === b.unit
  if (a.kind === "MemberAccess") return b.kind === "MemberAccess" && a.member === b.member && same(a.object, b.object)
  if (a.kind === "IndexAccess") {
    if (b.kind !== "IndexAccess" || a.index === undefined || b.index === undefined) return false
    return same(a.base, b.base) && same(a.index, b.index)
  }
  if (a.kind === "BinaryOperation") {
    return b.kind === "BinaryOperation" && a.operator === b.operator && same(a.left, b.left) && same(a.right, b.right)
  }
  if (a.kind === "FunctionCall" && b.kind === "FunctionCall") {
    const call = program.callOf(a)
    const isFixed =
      call?.kind === "conversion" || call?.name === "keccak256" || /^(view|pure)$/.test(call?.target?.mutability ?? "")
    return (
      isFixed &&
      same(a.callee, b.callee) &&
      a.args.length === b.args.length &&
      a.args.every((arg, i) => same(arg, b.args[i]!))
    )
  }
  return false
}
