import type { FunctionDefinition } from "../crate/crate.ts"
import type { Term } from "../terms/terms.ts"
import type { CallSummary } from "./callSummary.ts"

/** What else holds where a condition does, and where it does not. */
export interface Consequences {
  readonly whenTrue: ReadonlyArray<Term>
  readonly whenFalse: ReadonlyArray<Term>
}

/** What a walk asked of what was around it, in order: the part of one call depends on nothing else. */
export class Journal {
  /** Facts that were learned when they were known already, or that decided something. */
  readonly met: Array<Term> = []
  readonly implied: Array<{ readonly term: Term; readonly found: Consequences | undefined; readonly set: boolean }> = []
  /** Functions that could be followed, since they were not being walked. */
  readonly followed: Array<FunctionDefinition> = []
  readonly remembered: Array<readonly [FunctionDefinition, CallSummary]> = []
  /** Functions that stood for themselves, since they had been walked. */
  readonly recalled: Array<FunctionDefinition> = []
  readonly matched: Array<Term> = []
  /** Lists whose iterators took a turn, or began anew. */
  readonly turned: Array<Term> = []
  /** Numbers of the terms made in calls that were taken over from other walks. */
  readonly taken: Array<readonly [from: number, to: number]> = []
  /** How many times something depended on the place: the depth, the length. */
  bound = 0

  get mark(): Mark {
    const { met, implied, followed, remembered, recalled, matched, turned, taken, bound } = this
    return {
      met: met.length,
      implied: implied.length,
      followed: followed.length,
      remembered: remembered.length,
      recalled: recalled.length,
      matched: matched.length,
      turned: turned.length,
      taken: taken.length,
      bound,
    }
  }
  part<Key extends Entries>(key: Key, from: Mark, to: Mark): Journal[Key] {
    // A part of a list of one kind is such a list.
    return this[key].slice(from[key], to[key]) as Journal[Key]
  }
  /** Adds what another journal says between two marks, besides what the walk does again. */
  copy(other: Journal, from: Mark, to: Mark): void {
    for (const one of other.part("met", from, to)) this.met.push(one)
    for (const one of other.part("followed", from, to)) this.followed.push(one)
    for (const one of other.part("recalled", from, to)) this.recalled.push(one)
    for (const one of other.part("matched", from, to)) this.matched.push(one)
    for (const one of other.part("turned", from, to)) this.turned.push(one)
    for (const one of other.part("taken", from, to)) this.taken.push(one)
  }
}

type Entries = Exclude<keyof Journal, "mark" | "bound" | "part" | "copy">
export type Mark = Readonly<Record<Entries | "bound", number>>

/** The map of `Walk.implied`, which tells a journal what is asked of it. */
export class ImpliedFacts {
  private readonly known = new Map<Term, Consequences>()
  private readonly journal: Journal | undefined

  constructor(journal: Journal | undefined) {
    this.journal = journal
  }

  get(term: Term): Consequences | undefined {
    const found = this.known.get(term)
    this.journal?.implied.push({ term, found, set: false })
    return found
  }

  has(term: Term): boolean {
    return this.get(term) !== undefined
  }

  set(term: Term, found: Consequences): void {
    this.known.set(term, found)
    this.journal?.implied.push({ term, found, set: true })
  }
}
