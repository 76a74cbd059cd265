import { oncePer } from "../../../oncePer.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** SafeMath's functions, which represent its behavior if the source is missing. */
const missing = new Map([
  ["add", "+"],
  ["sub", "-"],
  ["mul", "*"],
  ["div", "/"],
])

const inYul = new Map([
  ["and", "&"],
  ["or", "|"],
  ["xor", "^"],
])

/** The operators in the function that an expression calls, such as a library's `add`. */
export const calledOperators = (program: Program, e: S.Node | undefined): ReadonlySet<string> => {
  if (e?.kind !== "FunctionCall") return none
  const call = program.callOf(e)
  if (call?.target?.node.body !== undefined) return operatorsIn(call.target.node.body)
  if (call?.target !== undefined || e.callee.kind !== "MemberAccess" || e.args.length > 2) return none
  const operator = missing.get(e.callee.member)
  return operator === undefined ? none : new Set([operator])
}

const none: ReadonlySet<string> = new Set()

const operatorsIn = oncePer((body: S.Block): ReadonlySet<string> => {
  const operators = new Set<string>()
  walk(body, (node) => {
    if (node.kind === "BinaryOperation") operators.add(node.operator)
    const inAssembly = node.kind === "YulFunctionCall" ? inYul.get(node.name) : undefined
    if (inAssembly !== undefined) operators.add(inAssembly)
  })
  return operators
})
