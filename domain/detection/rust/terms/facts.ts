import { indexBy } from "../../indexBy.ts"
import { oncePer, oncePerPair } from "../../oncePer.ts"
import { filedUnder, Layer } from "./layer.ts"
import type { Term } from "./terms.ts"

/** What is known to hold at some point. */
export interface Facts extends Iterable<Term> {
  readonly size: number
  readonly has: (fact: Term) => boolean
}

/** How many additions are searched one by one before they are copied into a set. */
const maxAdded = 24

/**
 * Facts and a few more. Each statement of a walk may add some to the previous ones: as separate sets, those of 250
 * instructions of a large program (drift) take 1.2 GB.
 */
class More implements Facts {
  readonly below: Facts
  readonly base: Facts
  readonly added: ReadonlyArray<Term>
  /** What was added since `base`, including the layers in between. */
  readonly since: number
  readonly size: number

  constructor(below: Facts, added: ReadonlyArray<Term>) {
    this.below = below
    this.added = added
    this.base = below instanceof More ? below.base : below
    this.since = (below instanceof More ? below.since : 0) + added.length
    this.size = below.size + added.length
  }

  has(fact: Term): boolean {
    return this.base.has(fact) || isAdded(this, fact)
  }

  [Symbol.iterator](): Iterator<Term> {
    return [...this.base, ...layersOf(this).flatMap(({ added }) => added)].values()
  }
}

/** A set of its own, of what was known and more than is searched one by one. */
class Grown extends Set<Term> implements Facts {
  readonly below: Facts
  readonly added: ReadonlyArray<Term>

  constructor(below: Facts, added: ReadonlyArray<Term>) {
    super(below)
    for (const one of added) this.add(one)
    this.below = below
    this.added = added
  }
}

/** What is in either of two: of a thousand events, each may have its own before it and after it. */
class Joined implements Facts {
  readonly base: Facts
  readonly other: Facts
  readonly size: number

  constructor(base: Facts, other: Facts, size: number) {
    this.base = base
    this.other = other
    this.size = size
  }

  has(fact: Term): boolean {
    return this.base.has(fact) || this.other.has(fact)
  }

  [Symbol.iterator](): Iterator<Term> {
    return [...this.base, ...[...this.other].filter((fact) => !this.base.has(fact))].values()
  }
}

/** The facts of both, without copying them. */
export const joined = (a: Facts, b: Facts): Facts => {
  const [base, other] = b.size < a.size ? [a, b] : [b, a]
  // What holds at the end has mostly grown from what held before.
  const added = beyond(other, base)
  return added.length <= maxAdded ? unionOf(base, added) : new Joined(base, other, base.size + added.length)
}

const isMade = (facts: Facts): facts is More | Grown => facts instanceof More || facts instanceof Grown

const isAdded = (facts: Facts, fact: Term): boolean => {
  for (let one = facts; one instanceof More; one = one.below) if (one.added.includes(fact)) return true
  return false
}

const layersOf = (facts: Facts): ReadonlyArray<More> => {
  const found: Array<More> = []
  for (let one = facts; one instanceof More; one = one.below) found.push(one)
  return found.toReversed()
}

const noFacts: ReadonlyArray<Term> = []

/**
 * The facts that do not belong to those asked for before, which `met` keeps track of: the facts of consecutive events
 * are the same except for a few, and those of 11,000 consecutive checks add up to 60 million. Oldest first.
 */
export const factsNotMet = (facts: Facts, met: Set<Facts>): ReadonlyArray<Term> => {
  if (met.has(facts)) return noFacts
  const layers: Array<ReadonlyArray<Term>> = []
  let one = facts
  for (; isMade(one) && !met.has(one); one = one.below) {
    met.add(one)
    layers.push(one.added)
  }
  const added = layers.toReversed().flat()
  if (met.has(one)) return added
  met.add(one)
  return [...one, ...added]
}

/**
 * What each of some facts yields, in order. The answers for sets from which others have grown are kept, so that what
 * many events share is computed once.
 */
export const toldBy = <A>(tell: (fact: Term) => ReadonlyArray<A>): ((facts: Facts) => ReadonlyArray<A>) => {
  const toldByBase = oncePer((base: Facts): ReadonlyArray<A> => [...base].flatMap(tell))
  return (facts) => {
    const told = toldByBase(facts instanceof More ? facts.base : facts)
    const more = layersOf(facts).flatMap(({ added }) => added.flatMap(tell))
    return more.length === 0 ? told : [...told, ...more]
  }
}

/** Facts by what they are about: those since an earlier set, and that set. */
interface Segment {
  readonly bySubject: ReadonlyMap<Term, ReadonlyArray<Term>>
  readonly below: Facts | undefined
}

/** Limit: facts about one subject at one point. */
const subjectLimit = 100

/**
 * Finds the facts about something, newest first: each fact is filed once, however many sets have grown from those that
 * it is in.
 */
export const factsAbout = (
  subjectsOf: (fact: Term) => ReadonlyArray<Term>,
): ((facts: Facts, subject: Term) => Iterable<Term>) => {
  const told = oncePer(subjectsOf)
  const filed = (facts: Iterable<Term>): Segment["bySubject"] => {
    const bySubject = new Map<Term, Array<Term>>()
    for (const fact of facts)
      for (const subject of told(fact)) {
        const known = bySubject.get(subject)
        if (known === undefined) bySubject.set(subject, [fact])
        else known.push(fact)
      }
    return bySubject
  }
  const segmentOf = oncePer((facts: Facts): Segment => {
    if (!(facts instanceof Grown)) return { bySubject: filed(facts), below: undefined }
    const added = [...facts.added]
    let below = facts.below
    for (; below instanceof More; below = below.below) added.push(...below.added)
    return { bySubject: filed(added), below }
  })
  function* find(facts: Facts, subject: Term): Iterable<Term> {
    if (facts instanceof Joined) {
      yield* find(facts.base, subject)
      yield* find(facts.other, subject)
      return
    }
    let rest: Facts | undefined = facts
    for (; rest instanceof More; rest = rest.below)
      for (const fact of rest.added) if (told(fact).includes(subject)) yield fact
    while (rest !== undefined) {
      const segment: Segment = segmentOf(rest)
      const filedHere = segment.bySubject.get(subject) ?? []
      for (let at = filedHere.length - 1; at >= 0; at--) yield filedHere[at]!
      rest = segment.below
    }
  }
  return (facts, subject) => {
    const found = new Set<Term>()
    for (const fact of find(facts, subject)) if (found.add(fact).size === subjectLimit) break
    return found
  }
}

/** The facts of a set by what they are about, without those of the joined sets from which it may have grown. */
interface Filed {
  readonly root?: Joined
  readonly layer?: Layer<Term, Term>
}

/**
 * All facts about something, oldest first. Sets that have grown from others without a fact about it have one and the
 * same list.
 */
export const factsOn = (
  subjectsOf: (fact: Term) => ReadonlySet<Term>,
): ((facts: Facts, subject: Term) => ReadonlyArray<Term>) => {
  const known = new WeakMap<Facts, Filed>()
  const filed = (facts: Facts): Filed => {
    const grown: Array<More | Grown> = []
    let one = facts
    for (; isMade(one) && !known.has(one); one = one.below) grown.push(one)
    let found = known.get(one)
    if (found === undefined)
      found = one instanceof Joined ? { root: one } : { layer: new Layer(indexBy(one, subjectsOf), undefined) }
    known.set(one, found)
    for (const made of grown.toReversed())
      known.set(made, (found = { ...found, layer: new Layer(indexBy(made.added, subjectsOf), found.layer) }))
    return found
  }
  const told = oncePer((_subject: Term) => new Map<Term, ReadonlyArray<Term>>())
  /** The list that was already found, if it is the same. */
  const kept = (subject: Term, facts: ReadonlyArray<Term>): ReadonlyArray<Term> => {
    const newest = facts.at(-1)
    if (newest === undefined) return noFacts
    const before = told(subject).get(newest)
    if (before?.length === facts.length && before.every((one, at) => one === facts[at])) return before
    told(subject).set(newest, facts)
    return facts
  }
  const find = oncePerPair((subject: Term, facts: Facts): ReadonlyArray<Term> => {
    if (facts instanceof Joined) {
      const more = find(subject, facts.other).filter((fact) => !facts.base.has(fact))
      return followed(find(subject, facts.base), more)
    }
    const { root, layer } = filed(facts)
    const own = layer === undefined ? noFacts : filedUnder(layer, subject)
    return kept(subject, root === undefined ? own : followed(find(subject, root), own))
  })
  return (facts, subject) => find(subject, facts)
}

const followed = (facts: ReadonlyArray<Term>, more: ReadonlyArray<Term>): ReadonlyArray<Term> =>
  more.length === 0 ? facts : [...facts, ...more]

/** Whether one of many facts is accepted: each fact is asked once, and so is each set from which others have grown. */
export const anyFact = (accept: (fact: Term) => boolean): ((facts: Facts) => boolean) => {
  const accepted = toldBy(oncePer((fact: Term): ReadonlyArray<Term> => (accept(fact) ? [fact] : [])))
  return (facts) => accepted(facts).length > 0
}

/** The facts of the form `a || b`. */
export const alternativesAmong = toldBy((fact) => (fact.kind === "binary" && fact.operator === "||" ? [fact] : []))

/** Facts and others. `met` receives those of the others that are among the facts. */
export const unionOf = (a: Facts, b: Iterable<Term>, met?: Array<Term>): Facts => {
  let added: Set<Term> | undefined
  for (const one of b) {
    if (!a.has(one)) (added ??= new Set()).add(one)
    else met?.push(one)
  }
  if (added === undefined) return a
  return withAdded(a, [...added])
}

/** Facts and others that are not among them. */
const withAdded = (facts: Facts, added: ReadonlyArray<Term>): Facts =>
  added.length + (facts instanceof More ? facts.since : 0) <= maxAdded
    ? new More(facts, added)
    : new Grown(facts, added)

/** What both have grown from, if it can be determined. */
const ancestorOf = (a: Facts, b: Facts): Facts | undefined => {
  let [one, other]: [Facts, Facts] = [a, b]
  while (one !== other) {
    if (one.size < other.size) [one, other] = [other, one]
    if (!isMade(one)) {
      // Of two of one size, the other may have grown from it by way of nothing else.
      if (one.size > other.size || !isMade(other)) return undefined
      other = other.below
      continue
    }
    // What both have grown from is no larger than the smaller one: no layer above it is passed over.
    one = one instanceof More && one.base.size >= other.size ? one.base : one.below
  }
  return one
}

const addedSince = (facts: Facts, ancestor: Facts): ReadonlyArray<Term> => {
  if (facts === ancestor) return []
  const found: Array<Term> = []
  for (let one = facts; isMade(one) && one !== ancestor; one = one.below) found.push(...one.added)
  return found
}

/**
 * Those of the facts that are not among others, from which they have mostly grown: then only what was added is
 * examined.
 */
export const beyond = (facts: Facts, before: Facts): ReadonlyArray<Term> => {
  if (facts === before) return []
  const ancestor = ancestorOf(facts, before)
  if (ancestor === undefined) return [...facts].filter((one) => !before.has(one))
  const layers: Array<More | Grown> = []
  for (let one = facts; isMade(one) && one !== ancestor; one = one.below) layers.push(one)
  return layers.toReversed().flatMap(({ added }) => added.filter((one) => !before.has(one)))
}

/** Carries facts that have grown from some over to what grows from others in the same way. */
export const carriedOver = (before: Facts, onto: Facts): ((facts: Facts) => Facts) => {
  const known = new Map<Facts, Facts>([[before, onto]])
  return (facts) => {
    const layers: Array<More | Grown> = []
    let one = facts
    for (; isMade(one) && !known.has(one); one = one.below) layers.push(one)
    let found = known.get(one)
    if (found === undefined) {
      // What several paths have in common may be a set of its own.
      found = unionOf(
        onto,
        [...one].filter((fact) => !before.has(fact)),
      )
      known.set(one, found)
    }
    for (const layer of layers.toReversed()) {
      found = unionOf(
        found,
        layer.added.filter((fact) => !before.has(fact)),
      )
      known.set(layer, found)
    }
    return found
  }
}

export const intersectionOf = (a: Facts, b: Facts): Facts => {
  if (a === b) return a
  const ancestor = ancestorOf(a, b)
  if (ancestor !== undefined) {
    const others = addedSince(b, ancestor)
    if (others.length === 0) return ancestor
    const among = others.length > maxAdded ? new Set(others) : { has: (fact: Term) => others.includes(fact) }
    const common = addedSince(a, ancestor).filter((one) => among.has(one))
    return common.length === 0 ? ancestor : withAdded(ancestor, common)
  }
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  const common = new Set<Term>()
  for (const one of small) if (large.has(one)) common.add(one)
  return common
}
