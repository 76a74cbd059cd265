import type { Value } from "../../terms/events.ts"
import { beyond, type Facts, intersectionOf } from "../../terms/facts.ts"
import type { ImpliedFacts } from "./journal.ts"
import type { Term, TermTable } from "../../terms/terms.ts"

/** Limits: ends of a function that are distinguished, and conditions of each. */
const maxEnds = 4
/**
 * Limit of the facts that a call hands on to its caller; the largest known program (drift) hands on 307. A function
 * that calls the next one twice, and the one after it, hands on 2.4 times as many as the next.
 */
const maxHandedOn = 1_000

/** What holds at all ends of a function, and the alternative of what distinguishes them: `owner || operator`. */
export const commonOf = (terms: TermTable, ends: ReadonlyArray<Facts>, before: Facts): ReadonlyArray<Term> => {
  const [first, ...rest] = ends
  if (first === undefined) return []
  const all = rest.reduce(intersectionOf, first)
  const learned = beyond(all, before).slice(0, maxHandedOn)
  if (ends.length < 2 || ends.length > maxEnds) return learned
  const excluded = new Set<Term>()
  let either: Term | undefined
  for (const end of ends) {
    // That an earlier end was not taken says less than what this one requires.
    const own = beyond(end, all).filter((one) => !excluded.has(one))
    if (own.length === 0 || own.length > maxEnds) return learned
    for (const one of own) excluded.add(terms.not(one))
    const both = own.reduce((left, right) => terms.binary("&&", left, right))
    either = either === undefined ? both : terms.binary("||", either, both)
  }
  return either === undefined ? learned : [...learned, either]
}

/** `Ok(None)` at some ends of a function: a value means that it was one of the others. */
export const learnOfNone = (
  terms: TermTable,
  implied: ImpliedFacts,
  term: Term,
  ends: ReadonlyArray<{ readonly value: Value; readonly facts: Facts }>,
  before: Facts,
): void => {
  const isNone = ({ value }: { readonly value: Value }): boolean =>
    value.term.kind === "constant" && value.term.path === "None"
  const some = ends.filter((one) => !isNone(one))
  if (some.length === 0 || some.length === ends.length) return
  const found = terms.is(term, "Some")
  const facts = commonOf(
    terms,
    some.map((one) => one.facts),
    before,
  )
  implied.set(found, { whenTrue: facts, whenFalse: [] })
}
