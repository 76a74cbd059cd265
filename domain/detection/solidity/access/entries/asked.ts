import { oncePerPair } from "../../../oncePer.ts"
import type { FunctionModel, ModifierModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** Limit: nested helpers of a check that are followed. */
const depthLimit = 3

/** One check that a function performs. */
export interface Asked {
  /** Equal for functions that perform the same check: `onlyRole(value)`. */
  readonly check: string
  readonly target: ModifierModel | FunctionModel | undefined
  readonly args: ReadonlyArray<S.Expression>
}

/**
 * The checks about accounts in a function's own text: modifiers, and internal functions called only because they may
 * revert. Two functions that perform the same check have an entry in common, whatever the check verifies.
 */
export const askedBy = oncePerPair((program: Program, fn: FunctionModel): ReadonlyArray<Asked> => {
  const asked: Array<Asked> = []
  for (const { node, modifier } of fn.modifiers) {
    if (modifier !== undefined && !isAboutAccounts(program, modifier, 0)) continue
    const args = node.args ?? []
    const check = `${node.path.join(".")}(${args.map((arg) => kindOf(program, arg)).join(",")})`
    asked.push({ check, target: modifier, args })
  }
  const { body } = fn.node
  for (const statement of body?.statements ?? []) {
    if (statement.kind !== "ExpressionStatement" || statement.expression.kind !== "FunctionCall") continue
    const call = program.callOf(statement.expression)
    if (call?.kind !== "internal" || call.target === undefined || call.target.returns.length > 0) continue
    if (call.target.mutability !== "view" && call.target.mutability !== "pure") continue
    asked.push({ check: `${call.name}()`, target: call.target, args: statement.expression.args })
  }
  return asked
})

/** The names of pause checks in bases without source. */
const pauseName = /^when(Not)?Paused$/

/** Modifiers that check the contract's state and, unlike locks, change nothing themselves. */
export const phasesOf = (program: Program, fn: FunctionModel): ReadonlySet<string> => {
  const phases = new Set<string>()
  for (const { node, modifier } of fn.modifiers) {
    const name = node.path.at(-1)!
    if (modifier === undefined && pauseName.test(name)) phases.add(name)
    if (modifier === undefined || isAboutAccounts(program, modifier, 0)) continue
    if (isPhase(program, modifier)) phases.add(modifier.name)
  }
  return phases
}

const isPhase = oncePerPair((program: Program, modifier: ModifierModel): boolean => asksState(program, modifier, 0))

const asksState = (program: Program, { node: { body } }: ModifierModel | FunctionModel, depth: number): boolean => {
  if (body === undefined) return false
  let asks = false
  let changes = false
  walk(body, (node) => {
    if (node.kind === "Assignment" || (node.kind === "UnaryOperation" && /^(\+\+|--|delete)$/.test(node.operator)))
      changes = true
    if (node.kind === "YulFunctionCall" && /^[st]store$/.test(node.name)) changes = true
    if (node.kind === "IfStatement" || node.kind === "YulIf") asks = true
    if (node.kind === "FunctionCall") {
      const call = program.callOf(node)
      if (call?.name === "require" || call?.name === "assert") asks = true
      if (call?.kind === "internal" && call.target !== undefined && depth < depthLimit) {
        if (call.target.mutability !== "view" && call.target.mutability !== "pure") changes = true
        else if (asksState(program, call.target, depth + 1)) asks = true
      }
    }
    return !changes
  })
  return asks && !changes
}

const kindOf = (program: Program, arg: S.Expression): string => {
  if (program.isBuiltin(arg, "msg.sender")) return "sender"
  if (arg.kind === "FunctionCall") {
    if (arg.args.some((inner) => program.isBuiltin(inner, "this"))) return "this"
    return program.callOf(arg)?.name === "_msgSender" ? "sender" : "value"
  }
  return arg.kind === "Literal" ? "fixed" : "value"
}

const memo = new WeakMap<ModifierModel | FunctionModel, boolean>()

/** `this`, also as an address. */
const isItself = (program: Program, e: S.Expression): boolean =>
  program.isBuiltin(e, "this") || (e.kind === "FunctionCall" && e.args.length === 1 && isItself(program, e.args[0]!))

/**
 * Whether the sender, an argument, another contract or the executing contract plays a part: the check is not only about
 * the contract's state.
 */
const isAboutAccounts = (program: Program, callable: ModifierModel | FunctionModel, depth: number): boolean => {
  const known = memo.get(callable)
  if (known !== undefined) return known
  memo.set(callable, false)
  let found = callable.kind === "Modifier" && callable.parameters.length > 0
  if (!found && callable.node.body !== undefined) {
    walk(callable.node.body, (node) => {
      if (found) return false
      if (node.kind === "MemberAccess" && program.isBuiltin(node, "msg.sender")) found = true
      if (node.kind === "BinaryOperation" && (node.operator === "==" || node.operator === "!="))
        found = isItself(program, node.left) || isItself(program, node.right)
      if (node.kind === "FunctionCall") {
        const call = program.callOf(node)
        if (call?.name === "_msgSender") found = true
        if (call?.kind === "internal" && call.target !== undefined && depth < depthLimit && !found)
          found = isAboutAccounts(program, call.target, depth + 1)
      }
      return !found
    })
  }
  memo.set(callable, found)
  return found
}
