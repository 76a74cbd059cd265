import { consequencesOf, evaluateCondition } from "./control/conditions.ts"
import type { FunctionDefinition } from "../crate/crate.ts"
import { evaluate } from "./evaluate.ts"
import type { Value } from "../terms/events.ts"
import { bindPattern } from "./control/patterns.ts"
import type { Semantics } from "./state/platform.ts"
import type { Resolver } from "../crate/resolve.ts"
import type { SharedCalls } from "./state/sharedCalls.ts"
import { walkStatement } from "./control/statements.ts"
import type { TermTable } from "../terms/terms.ts"
import { bindParameters } from "./entering/parameters.ts"
import { returnValue } from "./control/leaving.ts"
import { type Meanings, Walk } from "./state/walk.ts"

const meanings: Meanings = {
  expression: evaluate,
  statement: walkStatement,
  pattern: bindPattern,
  condition: evaluateCondition,
  consequences: consequencesOf,
}

/**
 * Limit: expressions walked in all instructions or messages of a program together; beyond it, calls are no longer
 * followed. The largest known program, with 246 instructions, takes a million; 7,000 instructions of 90 bytes took
 * nine, and 1.5 GB.
 */
const maxProgramSteps = 2_000_000

/** Walks a function with the given arguments, by name or position, and, if `follows` is set, the functions it calls. */
export const walkFunction = (
  resolver: Resolver,
  terms: TermTable,
  semantics: Semantics,
  entry: FunctionDefinition,
  args: ReadonlyMap<string, Value>,
  follows = true,
  shared?: SharedCalls,
): Walk => {
  const walk = new Walk(resolver, terms, semantics, meanings, entry, follows, shared)
  walk.truncated = terms.walked > maxProgramSteps
  begin(walk, args)
  shared?.release()
  terms.walked += walk.steps
  walk.end()
  return walk
}

/** Walks the function that the walk was created for, once. */
const begin = (walk: Walk, args: ReadonlyMap<string, Value>): void => {
  const entry = walk.frame.function
  const body = entry.item.body
  if (body === undefined) return
  bindParameters(
    walk,
    entry,
    (name, type, index) => args.get(name) ?? args.get(String(index)) ?? { term: walk.terms.parameter("", name), type },
  )
  walk.semantics.prepare?.(walk)
  returnValue(walk, body)
  walk.scope.endOrder = walk.order
}
