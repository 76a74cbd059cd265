import { isNamed } from "../../crate/types.ts"
import type { Value } from "../../terms/events.ts"
import type { Term, TermTable } from "../../terms/terms.ts"

/** `None`, also after a loop that may have found something else. */
export const isNone = (term: Term): boolean =>
  term.kind === "constant" ? term.path === "None" : term.kind === "opaque" && term.sources.some(isNone)

const isError = (term: Term): boolean => term.kind === "call" && term.path === "Err"

/** What an outcome holds if it is a success: one of the alternatives that are not failures themselves. */
export const succeeding = (terms: TermTable, { term, type }: Pick<Value, "term" | "type">): Term => {
  if (term.kind !== "choice") return term
  // `Ok(None)` is a success.
  const fails = isNamed(type, "Option") ? isNone : isError
  const left = term.alternatives.filter((one) => !fails(one))
  return left.length === 0 || left.length === term.alternatives.length ? term : terms.choice(left)
}
