import { isNamed } from "../../crate/types.ts"
import type { Value } from "../../terms/events.ts"
import type { Term, TermTable } from "../../terms/terms.ts"

/** `None`, also after loops that may have found something else. */
export const isNone = (term: Term): boolean => {
  let one = term
  while (one.kind === "opaque" && one.sources.length === 1) one = one.sources[0]!
  return one.kind === "constant" && one.path === "None"
}

const isError = (term: Term): boolean => term.kind === "call" && term.path === "Err"

/** What an outcome holds if it is a success: one of the alternatives that are not failures themselves. */
export const succeeding = (terms: TermTable, { term, type }: Pick<Value, "term" | "type">): Term => {
  if (term.kind !== "choice") return term
  // `Ok(None)` is a success.
  const fails = isNamed(type, "Option") ? isNone : isError
  const left = term.alternatives.filter((one) => !fails(one))
  return left.length === 0 || left.length === term.alternatives.length ? term : terms.choice(left)
}
