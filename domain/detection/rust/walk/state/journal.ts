import type { FunctionDefinition } from "../../crate/crate.ts"
import type { Term } from "../../terms/terms.ts"
import type { CallSummary } from "./callSummary.ts"

/** What a condition implies when it holds, and when it does not. */
export interface Consequences {
  readonly whenTrue: ReadonlyArray<Term>
  readonly whenFalse: ReadonlyArray<Term>
}

/** What a walk queried about its surroundings, in order. The part that belongs to one call depends on nothing else. */
export class Journal {
  /** Facts that were already known when they were learned, or that decided something. */
  readonly met: Array<Term> = []
  readonly implied: Array<{ readonly term: Term; readonly found: Consequences | undefined; readonly set: boolean }> = []
  /** Functions that could be followed because they were not being walked. */
  readonly followed: Array<FunctionDefinition> = []
  readonly remembered: Array<readonly [FunctionDefinition, CallSummary]> = []
  /** Functions that were not followed because they had been walked before. */
  readonly recalled: Array<FunctionDefinition> = []
  /** Functions left as terms because the walk had become long, and they had been walked with other arguments. */
  readonly cut: Array<FunctionDefinition> = []
  readonly matched: Array<Term> = []
  /** Lists whose iterators advanced or restarted. */
  readonly turned: Array<Term> = []
  /** Numbers of the terms created in calls reused from other walks. */
  readonly taken: Array<readonly [from: number, to: number]> = []
  /** How many times something depended on the position: the depth, the frames around. */
  bound = 0

  get mark(): Mark {
    const { met, implied, followed, remembered, recalled, cut, matched, turned, taken, bound } = this
    return {
      met: met.length,
      implied: implied.length,
      followed: followed.length,
      remembered: remembered.length,
      recalled: recalled.length,
      cut: cut.length,
      matched: matched.length,
      turned: turned.length,
      taken: taken.length,
      bound,
    }
  }
  part<Key extends Entries>(key: Key, from: Mark, to: Mark): Journal[Key] {
    // A slice of a journal list has the same type.
    return this[key].slice(from[key], to[key]) as Journal[Key]
  }
  /** Adds the entries of another journal between two marks, except those that the walk repeats itself. */
  copy(other: Journal, from: Mark, to: Mark): void {
    for (const one of other.part("met", from, to)) this.met.push(one)
    for (const one of other.part("followed", from, to)) this.followed.push(one)
    for (const one of other.part("recalled", from, to)) this.recalled.push(one)
    for (const one of other.part("cut", from, to)) this.cut.push(one)
    for (const one of other.part("matched", from, to)) this.matched.push(one)
    for (const one of other.part("turned", from, to)) this.turned.push(one)
    for (const one of other.part("taken", from, to)) this.taken.push(one)
  }
}

type Entries = Exclude<keyof Journal, "mark" | "bound" | "part" | "copy">
export type Mark = Readonly<Record<Entries | "bound", number>>

/** The map behind `Walk.implied`, which records every lookup in a journal. */
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
