import type { Span } from "../../../SourceFile.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import { betterType, isVague, isWrapper } from "../../crate/declaredTypes.ts"
import { definitionOf, isNamed, isOutcome, namedType, type RustType } from "../../crate/types.ts"
import type { Frame, Value } from "../../terms/events.ts"
import { Locals } from "../../terms/locals.ts"
import { takenSince } from "../state/counters.ts"
import { returnValue } from "../control/leaving.ts"
import { isGeneric } from "../state/typeArguments.ts"
import { maxDepth } from "../state/limits.ts"
import type { Walk } from "../state/walk.ts"
import { within } from "./frames.ts"
import { bindParameters } from "./parameters.ts"
import { recall, remember } from "./recall.ts"
import { keepShared, progressOf, takeShared } from "./reuse.ts"

/** Whether a call can be followed: it has a body, is not being walked already, and the walk is not too long. */
export const canEnter = (walk: Walk, target: FunctionDefinition): boolean => {
  if (!walk.follows || target.item.body === undefined) return false
  let why: "depth" | "recursion" | "length" | undefined =
    walk.frame.depth >= maxDepth ? "depth" : walk.truncated ? "length" : undefined
  for (let one: Frame | undefined = walk.frame; one !== undefined; one = one.parent)
    if (one.function === target) why = "recursion"
  if (why === undefined) walk.journal?.followed.push(target)
  else {
    walk.notFollowed.set(target, why)
    walk.isOfThisPlace()
  }
  return why === undefined
}

/** What a parameter means in the function that is entered. */
const passed = (walk: Walk, given: Value | undefined, name: string, type: RustType): Value => {
  if (given === undefined) return walk.opaque([], type)
  // An optional account is known by the type of the account.
  if (name === "self" && isNamed(type, "Option") && !isOutcome(given.type))
    return { ...given, type: namedType("Option", [given.type]) }
  const seen = walk.semantics.passed?.(given, type, walk)
  if (seen !== undefined) return seen
  const known =
    given.type.kind === "unknown" ||
    (definitionOf(type) !== undefined && definitionOf(given.type) === undefined && !isWrapper(given.type))
  return known ? { ...given, type } : given
}

/** Walks a function of the project in place of its call. */
export const enter = (walk: Walk, target: FunctionDefinition, args: ReadonlyArray<Value>, node: Span): Value => {
  const known = recall(walk, target, args) ?? takeShared(walk, target, args, node)
  if (known !== undefined) return known
  const from = progressOf(walk)
  const since = walk.terms.made
  const { counters, facts: before } = walk.state
  const outer = walk.deepest
  walk.deepest = walk.frame.depth + 1
  const frame: Frame = {
    function: target,
    parent: walk.frame,
    ...(isGeneric(target) ? { given: args.map(({ type }) => type) } : {}),
    call: { start: node.start, end: node.end, file: walk.file },
    exits: [],
    depth: walk.frame.depth + 1,
  }
  const declared = walk.typeIn(target, target.item.result)
  const {
    value: result,
    learned,
    scope,
  } = within(walk, frame, () => {
    walk.state.env = new Locals()
    // Parameters are bound in the callee's own scope, so that `Self` and imports have their meaning there.
    bindParameters(walk, target, (name, type, index) => passed(walk, args[index], name, type))
    walk.semantics.entered?.(walk, target)
    returnValue(walk, target.item.body!)
  })
  const value =
    declared.kind === "unknown" || (isVague(declared) && result.type.kind !== "unknown")
      ? result
      : { ...result, type: betterType(declared, result.type) }
  const summary = { args, since, result: value, learned, taken: takenSince(counters, walk.state.counters) }
  const deepest = walk.deepest - walk.frame.depth
  walk.deepest = Math.max(walk.deepest, outer)
  keepShared(walk, target, from, { summary, before, counters, scope, deepest })
  remember(walk, target, summary)
  return value
}
