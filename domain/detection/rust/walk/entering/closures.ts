import { assignedNames } from "../../syntax/assignedNames.ts"
import type { Closure } from "../../syntax/syntax.ts"
import type { BoundClosure, Frame, Value } from "../../terms/events.ts"
import type { Locals } from "../../terms/locals.ts"
import { returnValue } from "../control/leaving.ts"
import { maxDepth } from "../state/limits.ts"
import type { Walk } from "../state/walk.ts"
import { within } from "./frames.ts"

/** Limit: closures around one that is run in a long message: 90 that each call the previous one twice have 2^90 paths. */
const maxClosures = 3

/** A closure that has not run yet, with the meanings of its names here. */
export const bindClosure = (walk: Walk, node: Closure): BoundClosure => ({
  node,
  frame: walk.frame,
  env: walk.state.env.fork(),
})

/** Runs a closure on values; its returns are its own. */
export const runClosure = (
  walk: Walk,
  { node: closure, frame: home, env }: BoundClosure,
  args: ReadonlyArray<Value>,
): Value => {
  let around = walk.frame
  while (around !== home && around.call === undefined && around.parent !== undefined) around = around.parent
  const frame: Frame = {
    function: home.function,
    parent: walk.frame,
    call: undefined,
    exits: [],
    depth: walk.frame.depth + 1,
  }
  if (frame.depth > maxDepth + 8 || isDeepInClosures(walk)) return walk.opaque(args.map((one) => one.term))
  const { value, ends } = within(walk, frame, () => {
    // In another function, its names have the meanings they had where it was created.
    walk.state.env = (around === home ? walk.state.env : env).fork()
    for (const [index, { pattern, type }] of closure.parameters.entries()) {
      const given = args[index] ?? walk.opaque([])
      walk.bindPattern(
        pattern,
        type === undefined || given.type.kind !== "unknown" ? given : { ...given, type: walk.type(type) },
      )
    }
    returnValue(walk, closure.body)
  })
  if (around === home) takeOver(walk, closure, ends)
  return value
}

const isDeepInClosures = (walk: Walk): boolean => {
  if (!walk.isLong) return false
  let around = 0
  for (let one: Frame | undefined = walk.frame; one?.parent !== undefined; one = one.parent)
    if (one.call === undefined) around++
  return around >= maxClosures
}

/** The names outside that a closure assigned: it may or may not have run. */
export const takeOver = (walk: Walk, { body, parameters }: Closure, ends: ReadonlyArray<Locals>): void => {
  const own = new Set(parameters.flatMap(({ pattern }) => (pattern.kind === "binding" ? [pattern.name] : [])))
  for (const name of assignedNames(body)) {
    const value = own.has(name) ? undefined : walk.state.env.get(name)
    if (value === undefined) continue
    const terms = new Set([value.term, ...ends.flatMap((one) => one.get(name)?.term ?? [])])
    if (terms.size > 1) walk.state.env.set(name, { term: walk.terms.choice([...terms]), type: value.type })
  }
}
