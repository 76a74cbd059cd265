import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** The operations that an expression contains, one bit each, so that a rule skips trees that cannot concern it. */
export const Shape = {
  /** `==`, `!=`. */
  equality: 1,
  /** `<`, `<=`, `>`, `>=`. */
  ordering: 1 << 1,
  /** `&&`, `||`, `!`. */
  logic: 1 << 2,
  /** `+`, `-`, also with one operand, and `+=`, `-=`. */
  sum: 1 << 3,
  /** `*`, `*=`. */
  product: 1 << 4,
  /** `/`, `/=`. */
  quotient: 1 << 5,
  /** `%`, `%=`. */
  remainder: 1 << 6,
  /** `**`. */
  power: 1 << 7,
  /** `&`, `|`, `^`, `~`, shifts, and their assignments. */
  bits: 1 << 8,
  /** `++`, `--`, `delete`. */
  change: 1 << 9,
  assignment: 1 << 10,
  conditional: 1 << 11,
  call: 1 << 12,
  member: 1 << 13,
  index: 1 << 14,
  /** `true`, `false`. */
  truth: 1 << 15,
  tuple: 1 << 16,
  /** An opcode or function of assembly. */
  assembly: 1 << 17,
} as const

const ofOperator = new Map<string, number>([
  ...["==", "!="].map((o) => [o, Shape.equality] as const),
  ...["<", "<=", ">", ">="].map((o) => [o, Shape.ordering] as const),
  ...["&&", "||", "!"].map((o) => [o, Shape.logic] as const),
  ...["+", "-", "+=", "-="].map((o) => [o, Shape.sum] as const),
  ...["*", "*="].map((o) => [o, Shape.product] as const),
  ...["/", "/="].map((o) => [o, Shape.quotient] as const),
  ...["%", "%="].map((o) => [o, Shape.remainder] as const),
  ["**", Shape.power],
  ...["&", "|", "^", "~", "<<", ">>", ">>>", "&=", "|=", "^=", "<<=", ">>=", ">>>="].map(
    (o) => [o, Shape.bits] as const,
  ),
  ...["++", "--", "delete"].map((o) => [o, Shape.change] as const),
])

const ofNode = (e: S.Node): number => {
  switch (e.kind) {
    case "BinaryOperation":
    case "UnaryOperation":
      return ofOperator.get(e.operator) ?? 0
    case "Assignment":
      return Shape.assignment | (ofOperator.get(e.operator) ?? 0)
    case "Conditional":
      return Shape.conditional
    case "FunctionCall":
      return Shape.call
    case "MemberAccess":
      return Shape.member
    case "IndexAccess":
      return Shape.index
    case "Literal":
      return e.literalKind === "bool" ? Shape.truth : 0
    case "TupleExpression":
      return Shape.tuple
    case "YulFunctionCall":
      return Shape.assembly
    default:
      return 0
  }
}

export const shapeOf = (e: S.Node): number => {
  if (e.kind === "Identifier" || e.kind === "YulIdentifier") return 0
  let shape = 0
  walk(e, (inner) => {
    shape |= ofNode(inner)
  })
  return shape
}
