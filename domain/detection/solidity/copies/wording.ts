import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"

// Code written down so that copies read the same: locals without their names, messages left out.

/** An expression as a text that is equal for copies; `numbers` counts the locals of one statement. */
export const wordingOf = (program: Program, e: S.Node, numbers = new Map<unknown, number>()): string => {
  const words: Array<string> = []
  walk(e, (node) => {
    const word = wordFor(program, node, numbers)
    if (word !== undefined) words.push(word)
    return node.kind !== "FunctionCallOptions" || word !== undefined
  })
  return words.join(" ")
}

const wordFor = (program: Program, node: S.Node, numbers: Map<unknown, number>): string | undefined => {
  switch (node.kind) {
    case "Identifier":
      return nameOf(program, node, numbers)
    case "Literal":
      return node.literalKind === "string" || node.literalKind === "unicodeString"
        ? "text"
        : `${node.value}${node.unit ?? ""}`
    case "MemberAccess":
      return program.isBuiltin(node, "msg.sender") ? "sender" : `.${node.member}`
    case "BinaryOperation":
    case "Assignment":
    case "UnaryOperation":
      return node.operator
    case "FunctionCall":
      return isPlainConversion(node) ? "" : `call${node.args.length}`
    case "ElementaryTypeName":
      return node.name
    case "UserDefinedTypeName":
      return node.path.at(-1)
    case "YulIdentifier":
      return node.name
    case "YulLiteral":
      return node.value
    case "YulFunctionCall":
      return `${node.name}${node.args.length}`
    case "VariableDeclaration":
      return node.typeName === undefined ? "var" : ""
    default:
      return node.kind
  }
}

/** `address(x)` and `payable(x)` are `x`. */
const isPlainConversion = ({ callee }: S.FunctionCall): boolean =>
  callee.kind === "TypeNameExpression" && /^(address|payable)/.test(callee.typeName.name)

/** Locals by number: the first one that a statement names is 0. */
const nameOf = (program: Program, node: S.Identifier, numbers: Map<unknown, number>): string => {
  const named = program.referenceOf(node)
  if (named?.kind !== "LocalVariable") return node.name
  let number = numbers.get(named)
  if (number === undefined) numbers.set(named, (number = numbers.size))
  return `#${number}`
}
