import type { FunctionDefinition } from "../../crate/crate.ts"
import type { Value } from "../../terms/events.ts"
import { instantiate, type CallSummary } from "../state/callSummary.ts"
import { freeSteps } from "../state/limits.ts"
import type { Walk } from "../state/walk.ts"

/** Walks of a function before it is represented by its outcome; one, where a message is twice as long. */
const maxWalks = 2
/** Functions with arguments of so many kinds remain terms. */
const maxShapes = 6

/** The outcome of a function that was walked often enough; undefined if it has to be walked. */
export const recall = (walk: Walk, target: FunctionDefinition, args: ReadonlyArray<Value>): Value | undefined => {
  if (!walk.isLong) return undefined
  const before = walk.summaries.get(target)
  if (before === undefined || before.walks < (walk.effort < 2 * freeSteps ? maxWalks : 1)) return undefined
  for (const summary of before.known.toReversed()) {
    const found = instantiate(summary, args, walk.terms, walk.implied)
    if (found === undefined) continue
    walk.learn(found.learned)
    for (const [list, count] of found.taken) for (let index = 0; index < count; index++) walk.advance(list)
    walk.journal?.recalled.push(target)
    return found.result
  }
  if (before.walks < maxShapes) return undefined
  leaveOut(walk, target)
  const result = walk.opaque(args.map((one) => one.term))
  return { ...result, type: walk.typeIn(target, target.item.result) }
}

const leaveOut = (walk: Walk, target: FunctionDefinition): void => {
  walk.journal?.cut.push(target)
  walk.notFollowed.set(target, "length")
}

export const remember = (walk: Walk, target: FunctionDefinition, summary: CallSummary): void => {
  let known = walk.summaries.get(target)
  if (known === undefined) walk.summaries.set(target, (known = { walks: 0, known: [] }))
  known.walks++
  walk.journal?.remembered.push([target, summary])
  if (summary.args.every((one) => one.closure === undefined && one.callee === undefined) && known.walks <= maxShapes)
    known.known.push(summary)
}
