import type { Span } from "../../../SourceFile.ts"
import type { Value } from "../../terms/events.ts"
import { isVague } from "../../crate/declaredTypes.ts"
import { bindPattern, namesIn } from "./patterns.ts"
import type { Expression, Pattern, Statement } from "../../syntax/syntax.ts"
import { isNamed, type RustType, successType } from "../../crate/types.ts"
import { walkBranch } from "./branching.ts"
import type { Walk } from "../state/walk.ts"
import { isNewIterator } from "../values/cursors.ts"

/** `let _ = …`, `let _result = …`: Rust expects the underscore if a value is never used. */
const isUnused = (pattern: Pattern): boolean =>
  pattern.kind === "wildcard" || (pattern.kind === "binding" && pattern.name.startsWith("_"))

/** `_ = call();` discards the result as `let _ = call();` does. */
const isUnderscore = (node: Expression): boolean =>
  node.kind === "path" && node.path.segments.length === 1 && node.path.segments[0]!.name === "_"

const sets = ["BTreeSet", "HashSet"]

/** A value under the type it is collected into: the elements of a set are distinct, those of a list may not be. */
export const gathered = (walk: Walk, value: Value, type: RustType): Value => {
  const isNew = isNamed(type, ...sets) && !isNamed(value.type, ...sets)
  return { ...value, type, ...(isNew ? { term: walk.terms.call("set", "", [value.term]) } : {}) }
}

/** `let clock: Clock = deserialize(bytes)?`: the preceding call yields the declared type. */
const declareLast = (walk: Walk, value: Value, declared: RustType): void => {
  for (let index = walk.events.length - 1; index >= 0 && index >= walk.events.length - 4; index--) {
    const event = walk.events[index]!
    if (event.kind !== "call" || event.result.term !== value.term) continue
    if (successType(event.result.type).kind === "unknown") event.result = { ...event.result, type: declared }
    return
  }
}

/** A value under the type that a `let` names, which may say what the bytes of an account are. */
const asDeclared = (walk: Walk, value: Value, declared: RustType, node: Span): Value => {
  const named = gathered(walk, value, isVague(declared) && !isNamed(declared, ...sets) ? value.type : declared)
  const cast = walk.semantics.cast?.(value, named.type, node, walk)
  return cast === undefined ? named : { ...named, term: cast.term }
}

/** A statement: what it binds, establishes and discards. */
export const walkStatement = (walk: Walk, statement: Statement): void => {
  if (walk.isDead) return
  if (statement.kind === "item") return
  if (statement.kind === "expression") {
    const { expression } = statement
    if (expression.kind === "assign" && isUnderscore(expression.left)) {
      const { event } = walk.expression(expression.right)
      if (event !== undefined && event.handled !== true) event.dropped = "discarded"
      return
    }
    const value = walk.expression(expression)
    if (statement.semicolon && value.answer !== undefined) value.answer.dropped ??= "ignored"
    // Without a semicolon, the block's value is `()`, or the value under one feature: `#[cfg(feature = "x")] { step()
    // }`.
    if (statement.semicolon && value.event !== undefined && value.event.handled !== true)
      value.event.dropped ??= "ignored"
    return
  }
  const declared = statement.type === undefined ? undefined : walk.type(statement.type)
  if (statement.value === undefined) {
    for (const name of namesIn(statement.pattern)) walk.hide(name)
    if (statement.pattern.kind === "binding") walk.assign(statement.pattern.name, walk.opaque([], declared))
    return
  }
  const value = walk.expression(statement.value)
  if (isNewIterator(statement.value)) walk.rewind(value.term)
  if (isUnused(statement.pattern) && value.event !== undefined && value.event.handled !== true)
    value.event.dropped = "discarded"
  if (declared !== undefined && declared.kind !== "unknown") declareLast(walk, value, declared)
  const typed =
    declared === undefined || declared.kind === "unknown" ? value : asDeclared(walk, value, declared, statement)
  if (statement.otherwise !== undefined) {
    const facts = walk.patternFacts(statement.pattern, typed)
    const otherwise = statement.otherwise
    const failing = walkBranch(walk, () => walk.block(otherwise))
    walk.learn(facts)
    if (failing.state.dead === "failure") walk.emit({ ...walk.at(statement), kind: "check", conditions: facts })
  }
  for (const name of namesIn(statement.pattern)) walk.hide(name)
  bindPattern(walk, statement.pattern, typed)
}
