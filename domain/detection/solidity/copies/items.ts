import { oncePerPair } from "../../oncePer.ts"
import type { Callable } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"
import { wordingOf } from "./wording.ts"

/** One thing that a function checks or does. */
export interface Item {
  /** Equal for copies. */
  readonly words: string
  /**
   * `guard`: reverts unless something holds · `exit`: returns unless it holds · `effect`: a statement of its own, such
   * as an assignment or a call.
   */
  readonly kind: "guard" | "exit" | "effect" | "other"
  readonly node: S.Node
}

/** What a function or modifier checks and does, in the order of its text. */
export const itemsOf = oncePerPair((program: Program, callable: Callable): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  if (callable.kind === "Function")
    for (const { node, modifier } of callable.modifiers) {
      const inner = modifier === undefined ? [] : itemsOf(program, modifier)
      if (inner.length > 0 && inner.every(({ kind }) => kind !== "other")) items.push(...inner)
      else
        items.push({
          words: `modifier ${node.path.join(".")} ${(node.args ?? []).map((arg) => wordingOf(program, arg)).join(",")}`,
          kind: "guard",
          node,
        })
    }
  const { body } = callable.node
  if (body !== undefined) walk(body, (node) => addItem(program, node, items))
  return items
})

const addItem = (program: Program, node: S.Node, items: Array<Item>): boolean => {
  switch (node.kind) {
    case "IfStatement":
      if (node.else === undefined && onlyReverts(program, node.then)) {
        addGuards(program, "guard", node.condition, false, node, items)
        return false
      }
      if (node.else === undefined && onlyReturns(node.then)) {
        addGuards(program, "exit", node.condition, false, node, items)
        return false
      }
      items.push({ words: `if ${wordingOf(program, node.condition)}`, kind: "other", node: node.condition })
      return true
    case "ExpressionStatement": {
      const { expression: e } = node
      const call = e.kind === "FunctionCall" ? program.callOf(e) : undefined
      const condition = e.kind === "FunctionCall" ? e.args[0] : undefined
      if (call?.kind === "builtin" && (call.name === "require" || call.name === "assert") && condition !== undefined)
        addGuards(program, "guard", condition, true, node, items)
      else if (call?.kind !== "builtin" || call.name !== "revert")
        items.push({ words: wordingOf(program, e), kind: isAboutLocal(program, e) ? "other" : "effect", node })
      return false
    }
    case "VariableDeclarationStatement":
      if (node.value !== undefined) items.push({ words: `let ${wordingOf(program, node.value)}`, kind: "other", node })
      return false
    case "ReturnStatement":
      if (node.value !== undefined)
        items.push({ words: `return ${wordingOf(program, node.value)}`, kind: "other", node })
      return false
    case "YulExpressionStatement":
      items.push({
        words: wordingOf(program, node.expression),
        kind: changesState(node.expression) ? "effect" : "other",
        node,
      })
      return false
    case "YulVariableDeclaration":
    case "YulAssignment":
    case "EmitStatement":
    case "RevertStatement":
      return false
    case "Block":
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "TryStatement":
    case "InlineAssembly":
    case "YulBlock":
    case "YulIf":
    case "YulFor":
    case "YulSwitch":
      return true
    default:
      return false
  }
}

/** A local that changes is a step of a computation, unless it points to storage. */
const isAboutLocal = (program: Program, e: S.Expression): boolean => {
  let changed = e.kind === "Assignment" ? e.left : e.kind === "UnaryOperation" ? e.operand : undefined
  while (changed?.kind === "MemberAccess" || changed?.kind === "IndexAccess")
    changed = changed.kind === "MemberAccess" ? changed.object : changed.base
  if (changed === undefined) return false
  if (changed.kind === "TupleExpression") return true
  const named = program.referenceOf(changed)
  return named?.kind === "LocalVariable" && named.node.location !== "storage"
}

const changesState = (e: S.YulExpression): boolean =>
  e.kind === "YulFunctionCall" && /^(sstore|tstore|call|callcode|delegatecall|create2?|selfdestruct)$/.test(e.name)

const onlyIn = (s: S.Statement): S.Statement => (s.kind === "Block" && s.statements.length === 1 ? s.statements[0]! : s)

const onlyReturns = (s: S.Statement): boolean => {
  const only = onlyIn(s)
  return only.kind === "ReturnStatement" && only.value === undefined
}

const onlyReverts = (program: Program, s: S.Statement): boolean => {
  const only = onlyIn(s)
  if (only.kind === "RevertStatement" || only.kind === "ThrowStatement") return true
  if (only.kind !== "ExpressionStatement" || only.expression.kind !== "FunctionCall") return false
  const call = program.callOf(only.expression)
  return call?.kind === "builtin" && call.name === "revert"
}

const opposite: Partial<Record<S.BinaryOperator, S.BinaryOperator>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
}
const mirrored: Partial<Record<S.BinaryOperator, S.BinaryOperator>> = { ">": "<", ">=": "<=" }

/** What must hold for the function to continue, one item for each condition. */
const addGuards = (
  program: Program,
  kind: "guard" | "exit",
  condition: S.Expression,
  truth: boolean,
  node: S.Node,
  items: Array<Item>,
): void => {
  const open: Array<readonly [S.Expression, boolean]> = [[condition, truth]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [e, holds] = next
    if (e.kind === "UnaryOperation" && e.operator === "!") open.push([e.operand, !holds])
    else if (e.kind === "BinaryOperation" && e.operator === (holds ? "&&" : "||"))
      open.push([e.right, holds], [e.left, holds])
    else items.push({ words: `${kind} ${relationIn(program, e, holds)}`, kind, node })
  }
}

const relationIn = (program: Program, e: S.Expression, holds: boolean): string => {
  const operator = e.kind === "BinaryOperation" ? (holds ? e.operator : opposite[e.operator]) : undefined
  if (e.kind !== "BinaryOperation" || operator === undefined || opposite[operator] === undefined)
    return `${holds ? "" : "! "}${wordingOf(program, e)}`
  const isMirrored = mirrored[operator] !== undefined
  const numbers = new Map<unknown, number>()
  const sides = (isMirrored ? [e.right, e.left] : [e.left, e.right]).map((side) => wordingOf(program, side, numbers))
  if (operator === "==" || operator === "!=") sides.sort()
  return `${sides[0]} ${mirrored[operator] ?? operator} ${sides[1]}`
}
