import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { CallEvent } from "../../rust/terms/events.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { Expression, MethodCall, Pattern } from "../../rust/syntax/syntax.ts"

const passing = /^(map_err|unwrap|expect|ok_or|ok_or_else)$/

/** The call in a statement that uses none of its result, but whether it failed. */
const soleCall = (node: Expression): MethodCall | undefined => {
  for (let one = node; ;) {
    if (one.kind === "try") one = one.value
    else if (one.kind !== "methodCall") return undefined
    else if (passing.test(one.method)) one = one.receiver
    else return one
  }
}

/** The variable that a place is in, as written. */
const variableOf = (node: Expression): string | undefined => {
  let one = node
  while (one.kind === "field" || one.kind === "index") one = one.base
  return one.kind === "path" && one.path.segments.length === 1 ? one.path.segments[0]!.name : undefined
}

const effectsOf = oncePer(({ item }: FunctionDefinition): ReadonlySet<number> => {
  const found = new Set<number>()
  /** Whether the variable that a name means at this point is `mut`. */
  const mutable = new Map<string, boolean>()
  for (const node of item.body === undefined ? [] : nodesOf(item.body)) {
    const pattern = node as Expression | Pattern // patterns are among the nodes
    if (pattern.kind === "binding") mutable.set(pattern.name, pattern.mutable)
    const call = node.kind === "expression" && node.semicolon ? soleCall(node.expression) : undefined
    const name = call === undefined ? undefined : variableOf(call.receiver)
    if (call !== undefined && name !== undefined && mutable.get(name) === true) found.add(call.end)
  }
  return found
})

/**
 * Whether a method of a `let mut` is called for its effect alone: `lien.amount.commit_add(sum);`. If nothing else changes
 * the variable, such a call does, or the compiler would warn that it need not be `mut`.
 */
export const isForEffect = ({ method, target, function: definition, node }: CallEvent): boolean =>
  method && target === undefined && effectsOf(definition).has(node.end)
