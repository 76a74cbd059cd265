import { oncePer } from "../../../oncePer.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import { isOutcome } from "../../crate/types.ts"
import type { Event, Frame, Value, WalkScope } from "../../terms/events.ts"
import { alternativesAmong, type Facts } from "../../terms/facts.ts"
import type { Term } from "../../terms/terms.ts"
import { testedIn } from "../../terms/testedIn.ts"
import { type CallSummary, isSameType } from "./callSummary.ts"
import type { Counters } from "./counters.ts"
import type { Consequences, ImpliedFacts, Journal, Mark } from "./journal.ts"

/** Shorter calls are not worth sharing. */
const minSteps = 12
/** How many calls with the same arguments are kept, since different facts may have been known at each. */
const maxAlike = 3
/** Limits of the alternatives examined among the facts, and of the calls that one walk reuses. */
const [maxAlternatives, maxTaken] = [32, 256]

/** How far a walk has come. */
export interface Progress {
  readonly events: number
  readonly order: number
  readonly steps: number
  readonly made: number
  readonly journal: Mark
}

/** How far the iterators have come, and whether that matters: in loops, any element may be next. */
export interface Turns {
  readonly counters: Counters
  readonly inLoop: boolean
}

/** A call as it was walked. */
export interface WalkedCall {
  readonly summary: CallSummary
  readonly from: Progress
  readonly to: Progress
  /** All events of the walk that it belongs to. */
  readonly events: ReadonlyArray<Event>
  readonly journal: Journal
  readonly before: Facts
  readonly turns: Turns
  readonly turnsAfter: Turns["counters"]
  readonly scope: WalkScope
  /** The depth of its deepest nested call. */
  readonly deepest: number
  /** The types of the last results, which a declaration after the call may refine. */
  readonly results: ReadonlyArray<Value | undefined>
}

/** How many of the last events a declaration may refine: `let clock: Clock = deserialize(bytes)?`. */
export const lastEvents = 4

/** What a walk knows at a call that it may reuse. */
export interface Surroundings {
  readonly facts: Facts
  readonly implied: ImpliedFacts
  readonly journal: Journal
  readonly frame: Frame
  readonly depthLeft: number
  readonly stepsLeft: number
  /** Whether the walk may leave functions as terms because it has become long. */
  readonly isLong: boolean
  readonly turns: Turns
  readonly isKnown: (target: FunctionDefinition) => boolean
}

/** What a call queried about its surroundings. */
interface Demands {
  readonly facts: ReadonlyArray<Term>
  readonly implied: ReadonlyArray<readonly [Term, Consequences | undefined]>
  readonly followed: ReadonlySet<FunctionDefinition>
  readonly recalled: ReadonlyArray<FunctionDefinition>
  readonly matched: ReadonlySet<Term>
  readonly turned: ReadonlySet<Term>
  readonly made: ReadonlyArray<readonly [from: number, to: number]>
}

const isSameList = (a: ReadonlyArray<Term> | undefined, b: ReadonlyArray<Term> | undefined): boolean =>
  a === b || ((a?.length ?? 0) === (b?.length ?? 0) && (a ?? []).every((one, index) => one === b![index]))

const isSameConsequence = (a: Consequences | undefined, b: Consequences | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && isSameList(a.whenTrue, b.whenTrue) && isSameList(a.whenFalse, b.whenFalse))

const isSameValue = (a: Value, b: Value): boolean =>
  a.term === b.term && a.failure === b.failure && isSameType(a.type, b.type) && isSameList(a.onSuccess, b.onSuccess)

/** Whether all arguments are plain values: no closure, and no result that the call may or may not inspect. */
const isPlain = ({ closure, callee, event, answer, type }: Value): boolean =>
  closure === undefined &&
  callee === undefined &&
  answer === undefined &&
  (event === undefined || (type.kind !== "unknown" && !isOutcome(type)))

const demandsOf = oncePer(({ journal, from: { journal: from, made }, to, before }: WalkedCall): Demands => {
  const part = <Key extends Exclude<keyof Mark, "bound">>(key: Key): Journal[Key] => journal.part(key, from, to.journal)
  const implied = new Map<Term, Consequences | undefined>()
  const own = new Set<Term>()
  for (const { term, found, set } of part("implied")) {
    if (set) own.add(term)
    else if (!own.has(term)) implied.set(term, found)
  }
  const walked = new Set(part("remembered").map(([target]) => target))
  return {
    facts: [...new Set(part("met"))].filter((fact) => before.has(fact)),
    implied: [...implied],
    followed: new Set(part("followed")),
    recalled: [...new Set(part("recalled"))].filter((target) => !walked.has(target)),
    matched: new Set(part("matched")),
    turned: new Set(part("turned")),
    made: [[made, to.made], ...part("taken")],
  }
})

/**
 * Calls made by other walks of the program. A call with the same arguments has the same outcome if everything that it
 * queried about its surroundings is the same.
 */
export class SharedCalls {
  private readonly calls = new Map<FunctionDefinition, Map<string, Array<WalkedCall>>>()
  private pending: Array<WalkedCall & { readonly target: FunctionDefinition }> = []

  /** Keeps a call for later walks. Reusing calls within one walk would merge distinct unknown values. */
  keep(target: FunctionDefinition, call: WalkedCall): void {
    const { summary, from, to } = call
    if (to.steps - from.steps < minSteps || to.journal.bound !== from.journal.bound) return
    const { event: _, ...result } = summary.result
    if (summary.args.every(isPlain) && isPlain(result)) this.pending.push({ ...call, target })
  }
  /** Ends a walk. */
  release(): void {
    for (const { target, ...call } of this.pending) {
      let calls = this.calls.get(target)
      if (calls === undefined) this.calls.set(target, (calls = new Map()))
      const key = keyOf(call.summary.args)
      const alike = calls.get(key)
      if (alike === undefined) calls.set(key, [call])
      else if (alike.length < maxAlike) alike.push(call)
    }
    this.pending = []
  }

  /** A call that can be reused. */
  find(target: FunctionDefinition, args: ReadonlyArray<Value>, around: Surroundings): WalkedCall | undefined {
    if (around.journal.taken.length >= maxTaken) return undefined
    return this.calls
      .get(target)
      ?.get(keyOf(args))
      ?.find(
        (call) =>
          call.deepest <= around.depthLeft &&
          call.to.steps - call.from.steps < around.stepsLeft &&
          (around.isLong || call.to.journal.cut === call.from.journal.cut) &&
          args.every((one, index) => isPlain(one) && isSameValue(one, call.summary.args[index]!)) &&
          this.isMet(call, around),
      )
  }

  /** How many elements the iterators have yielded after a call. */
  turnsBehind(call: WalkedCall, before: Turns["counters"]): Turns["counters"] {
    const { turned } = demandsOf(call)
    if (turned.size === 0) return before
    const counters = new Map(before)
    for (const list of turned) {
      const count = call.turnsAfter.get(list)
      if (count === undefined) counters.delete(list)
      else counters.set(list, count)
    }
    return counters
  }

  private isMet(call: WalkedCall, { facts, implied, journal, frame, turns, isKnown }: Surroundings): boolean {
    const asked = demandsOf(call)
    for (let one: Frame | undefined = frame; one !== undefined; one = one.parent)
      if (asked.followed.has(one.function)) return false
    return (
      asked.facts.every((fact) => facts.has(fact)) &&
      asked.recalled.every(isKnown) &&
      (asked.turned.size === 0 || turns.inLoop === call.turns.inLoop) &&
      [...asked.turned].every((list) => turns.counters.get(list) === call.turns.counters.get(list)) &&
      asked.made.every(([from, to]) => journal.taken.every(([first, last]) => to <= first || last <= from)) &&
      asked.implied.every(([term, found]) => isSameConsequence(implied.get(term), found)) &&
      !this.isDecided(asked.matched, call.before, facts)
    )
  }

  /** Whether an alternative known only here decides a match. */
  private isDecided(matched: ReadonlySet<Term>, before: Facts, facts: Facts): boolean {
    if (matched.size === 0) return false
    const open = alternativesAmong(facts).filter((fact) => !before.has(fact))
    return open.length > maxAlternatives || open.some((fact) => [...testedIn(fact)].some((one) => matched.has(one)))
  }
}

const keyOf = (args: ReadonlyArray<Value>): string => args.map(({ term }) => term.id).join()
