import type { Span } from "../../../SourceFile.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import type { Value } from "../../terms/events.ts"
import type { Counters } from "../state/counters.ts"
import type { Journal } from "../state/journal.ts"
import { maxDepth, maxSteps } from "../state/limits.ts"
import { lastEvents, type Progress, type WalkedCall } from "../state/sharedCalls.ts"
import { eventsIn } from "../state/takeOver.ts"
import type { Walk } from "../state/walk.ts"
import { remember } from "./recall.ts"

// Calls that several walks of a program make with the same arguments.

/** How far a walk has come, where its calls are shared. */
export const progressOf = (walk: Walk): Progress | undefined => {
  const { order, steps, journal } = walk
  if (journal === undefined) return undefined
  return { events: walk.events.length, order, steps, made: walk.terms.made, journal: journal.mark }
}

/** Keeps a call that has just been walked for other walks. */
export const keepShared = (
  walk: Walk,
  target: FunctionDefinition,
  from: Progress | undefined,
  call: Pick<WalkedCall, "summary" | "before" | "scope" | "deepest"> & { readonly counters: Counters },
): void => {
  const to = progressOf(walk)
  if (walk.journal === undefined || from === undefined || to === undefined || walk.truncated) return
  const { events, journal } = walk
  const { counters, ...known } = call
  const results = events.slice(-lastEvents).map((one) => (one.kind === "call" ? one.result : undefined))
  walk.shared?.keep(target, {
    ...known,
    from,
    to,
    events,
    journal,
    turns: { counters, inLoop: walk.inLoop() },
    turnsAfter: walk.state.counters,
    results,
  })
}

/** The value of a call that another walk made with the same arguments, where it would come to the same here. */
export const takeShared = (
  walk: Walk,
  target: FunctionDefinition,
  args: ReadonlyArray<Value>,
  node: Span,
): Value | undefined => {
  const { shared, journal, implied } = walk
  if (shared === undefined || journal === undefined || walk.truncated) return undefined
  const call = shared.find(target, args, {
    facts: walk.state.facts,
    implied,
    journal,
    frame: walk.frame,
    depthLeft: maxDepth - walk.frame.depth,
    stepsLeft: maxSteps - walk.steps,
    isLong: walk.isLong,
    turns: { counters: walk.state.counters, inLoop: walk.inLoop() },
    isKnown: (one) => walk.summaries.has(one),
  })
  if (call === undefined) return undefined
  const { from, to, summary } = call
  const site = { start: node.start, end: node.end, file: walk.file }
  for (const event of eventsIn(call, walk.scope, site, walk.order, walk.state.facts)) walk.events.push(event)
  walk.order += to.order - from.order
  walk.steps += to.steps - from.steps
  walk.deepest = Math.max(walk.deepest, walk.frame.depth + call.deepest)
  walk.state.counters = shared.turnsBehind(call, walk.state.counters)
  takeJournal(walk, call, journal)
  const { event: _, onSuccess, ...plain } = summary.result
  const unknown = onSuccess?.filter((fact) => !walk.state.facts.has(fact))
  walk.learn(summary.learned)
  remember(walk, target, summary)
  return unknown === undefined ? plain : { ...plain, onSuccess: unknown }
}

/** What a call of another walk left behind besides events, and what it asked of its surroundings. */
const takeJournal = (
  walk: Walk,
  { journal: other, from: { journal: from, made }, to }: WalkedCall,
  journal: Journal,
): void => {
  journal.copy(other, from, to.journal)
  journal.taken.push([made, to.made])
  for (const one of other.part("cut", from, to.journal)) walk.notFollowed.set(one, "length")
  for (const [one, known] of other.part("remembered", from, to.journal)) remember(walk, one, known)
  // What it looked up has been looked up here, too, to tell that it is the same.
  for (let at = from.implied; at < to.journal.implied; at++) {
    const { term, found, set } = other.implied[at]!
    if (set && found !== undefined) walk.implied.set(term, found)
  }
}
