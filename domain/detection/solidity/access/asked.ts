import type { FunctionModel, ModifierModel } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"

/** Helpers of a check that are looked into. */
const depthLimit = 3

/**
 * The checks about accounts that a function's own text asks for: modifiers, and internal functions called for nothing but
 * that they may revert. Two functions that ask for the same have an entry in common, whatever the check finds out.
 */
export const askedBy = (program: Program, fn: FunctionModel): ReadonlySet<string> => {
  const asked = new Set<string>()
  for (const { node, modifier } of fn.modifiers) {
    const name = node.path.join(".")
    if (modifier === undefined || isAboutAccounts(program, modifier, 0))
      asked.add(`${name}(${(node.args ?? []).map((arg) => kindOf(program, arg)).join(",")})`)
  }
  const { body } = fn.node
  for (const statement of body?.statements ?? []) {
    if (statement.kind !== "ExpressionStatement" || statement.expression.kind !== "FunctionCall") continue
    const call = program.callOf(statement.expression)
    if (call?.kind !== "internal" || call.target === undefined || call.target.returns.length > 0) continue
    if (call.target.mutability !== "view" && call.target.mutability !== "pure") continue
    asked.add(`${call.name}()`)
  }
  return asked
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

/** The sender, an argument or another contract plays a part: it is not only about the state the contract is in. */
const isAboutAccounts = (program: Program, callable: ModifierModel | FunctionModel, depth: number): boolean => {
  const known = memo.get(callable)
  if (known !== undefined) return known
  memo.set(callable, false)
  let found = callable.kind === "Modifier" && callable.parameters.length > 0
  if (!found && callable.node.body !== undefined) {
    walk(callable.node.body, (node) => {
      if (found) return false
      if (node.kind === "MemberAccess" && program.isBuiltin(node, "msg.sender")) found = true
      if (node.kind === "FunctionCall") {
        const call = program.callOf(node)
        if (call?.name === "_msgSender") found = true
        if (call?.kind === "internal" && call.target !== undefined && depth < depthLimit)
          found = isAboutAccounts(program, call.target, depth + 1)
      }
      return !found
    })
  }
  memo.set(callable, found)
  return found
}
