import type { Span } from "../../../SourceFile.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { successType } from "../../crate/types.ts"
import type { Value } from "../../terms/events.ts"
import type { Walk } from "../state/walk.ts"

/** Evaluates an expression in tail position: each branch of it is a separate return. */
export const returnValue = (walk: Walk, node: Expression): void => {
  if (walk.isDead) return
  if (walk.semantics.skips?.has(node) === true) {
    walk.die("failure")
    return
  }
  if (node.kind === "block" && node.modifier !== "async") {
    for (const statement of node.statements) walk.meanings.statement(walk, statement)
    if (walk.isDead) return
    if (node.tail === undefined) exit(walk, node, walk.unit)
    else returnValue(walk, node.tail)
    return
  }
  if (node.kind === "if" || node.kind === "match") {
    walk.meanings.expression(walk, node, true)
    return
  }
  const value = walk.expression(node)
  if (!walk.isDead) exit(walk, node, value)
}

/** What the declared type of a function says about the value that it returns: the bytes of an account are a record. */
const asReturned = (walk: Walk, node: Span, value: Value): Value => {
  const { function: target, call } = walk.frame
  if (call === undefined || target.item.result === undefined) return value
  const declared = successType(walk.typeIn(target, target.item.result))
  const cast = walk.semantics.cast?.({ ...value, type: successType(value.type) }, declared, node, walk)
  return cast === undefined ? value : { ...value, term: cast.term }
}

export const exit = (walk: Walk, node: Span, given: Value): void => {
  const value = given.failure === true ? given : asReturned(walk, node, given)
  if (value.event !== undefined) value.event.handled = true
  const success = value.failure !== true
  walk.emit({ ...walk.at(node), kind: "exit", value, success })
  if (success) {
    const facts = walk.with(walk.state.facts, value.onSuccess ?? [])
    walk.frame.exits.push({ order: walk.order - 1, scope: walk.scope, facts })
    walk.returns.push({ value, facts, counters: walk.state.counters, env: walk.state.env })
  }
  walk.die(success ? "return" : "failure")
}
