import type { Value } from "../../terms/events.ts"
import type { Term, TermTable } from "../../terms/terms.ts"
import type { RustType } from "../../crate/types.ts"
import type { ImpliedFacts } from "./journal.ts"

/** The outcome of a function call, for reuse by further calls: in terms of its arguments. */
export interface CallSummary {
  readonly args: ReadonlyArray<Value>
  /** Later terms were created by the call. */
  readonly since: number
  readonly result: Value
  /** Facts known after the call, besides those in `result.onSuccess`. */
  readonly learned: ReadonlyArray<Term>
  /** How many elements it took from each iterator. */
  readonly taken: ReadonlyArray<readonly [list: Term, count: number]>
}

export const isSameType = (a: RustType, b: RustType): boolean => {
  if (a === b) return true
  switch (a.kind) {
    case "named":
      return (
        b.kind === "named" &&
        a.name === b.name &&
        a.definition === b.definition &&
        a.args.length === b.args.length &&
        a.args.every((one, index) => isSameType(one, b.args[index]!))
      )
    case "tuple":
      return (
        b.kind === "tuple" &&
        a.elements.length === b.elements.length &&
        a.elements.every((one, index) => isSameType(one, b.elements[index]!))
      )
    case "list":
      return b.kind === "list" && isSameType(a.element, b.element)
    default:
      return b.kind === "unknown"
  }
}

/** What each term stands for; false if the function may have taken another path for the new value. */
const pair = (old: Term, given: Term, pairs: Map<Term, Term>): boolean => {
  if (old === given) return true
  // A literal or a constant may have selected the branch and may have another meaning elsewhere.
  if (old.kind === "literal" || old.kind === "constant" || given.kind === "literal" || given.kind === "constant")
    return old.kind === "literal" && given.kind === "literal" && old.type === "integer" && given.type === "integer"
  const known = pairs.get(old)
  if (known !== undefined) return known === given
  pairs.set(old, given)
  if (old.kind === "struct" && given.kind === "struct" && old.definition === given.definition)
    return (
      old.fields.length === given.fields.length &&
      old.fields.every(
        ([name, value], index) => given.fields[index]![0] === name && pair(value, given.fields[index]![1], pairs),
      )
    )
  if (old.kind === "list" && given.kind === "list")
    return (
      old.elements.length === given.elements.length &&
      old.elements.every((one, index) => pair(one, given.elements[index]!, pairs))
    )
  return (old.kind === "struct") === (given.kind === "struct") && (old.kind === "list") === (given.kind === "list")
}

/** The terms of a summary, with the values of another call in them. */
const substitution = (
  terms: TermTable,
  implied: ImpliedFacts,
  pairs: ReadonlyMap<Term, Term>,
  since: number,
): ((term: Term) => Term) => {
  const known = new Map<Term, Term>(pairs)
  // A term is made after its parts: an older one has none that is replaced, nor is it a value of the call's own.
  let oldest = since
  for (const one of pairs.keys()) oldest = Math.min(oldest, one.id)
  const put = (term: Term): Term => {
    if (term.id < oldest) return term
    const found = known.get(term)
    if (found !== undefined) return found
    const made = terms.rebuilt(term, put, since)
    known.set(term, made)
    const follows = made === term ? undefined : implied.get(term)
    if (follows !== undefined && !implied.has(made))
      implied.set(made, { whenTrue: follows.whenTrue.map(put), whenFalse: follows.whenFalse.map(put) })
    return made
  }
  return put
}

/** A summary with other arguments substituted; undefined if it does not apply to them. */
export const instantiate = (
  { args, since, result, learned, taken }: CallSummary,
  given: ReadonlyArray<Value>,
  terms: TermTable,
  implied: ImpliedFacts,
): Pick<CallSummary, "result" | "learned" | "taken"> | undefined => {
  if (args.length !== given.length) return undefined
  const pairs = new Map<Term, Term>()
  for (const [index, old] of args.entries()) {
    const one = given[index]!
    if (!isSameType(old.type, one.type) || !pair(old.term, one.term, pairs)) return undefined
  }
  const put = substitution(terms, implied, pairs, since)
  const { event: _, ...plain } = result
  return {
    result: {
      ...plain,
      term: put(result.term),
      ...(result.onSuccess === undefined ? {} : { onSuccess: result.onSuccess.map(put) }),
    },
    learned: learned.map(put),
    taken: taken.map(([list, count]) => [put(list), count]),
  }
}
