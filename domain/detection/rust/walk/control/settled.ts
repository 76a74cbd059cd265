import { alternativesAmong } from "../../terms/facts.ts"
import type { Term } from "../../terms/terms.ts"
import { testedIn } from "../../terms/testedIn.ts"
import type { Walk } from "../state/walk.ts"

/** Limit: alternatives that a match tests; ordinary code has one or two. */
const mostAlternatives = 32

/** Facts of the form `a || b` that test the variant of a value: `!msg.is_privileged() || sender == owner`. */
export const alternativesAbout = (walk: Walk, value: Term): ReadonlyArray<Term> => {
  const found = alternativesAmong(walk.facts)
    .filter((one) => testedIn(one).has(value))
    .slice(0, mostAlternatives)
  walk.matched(value, found)
  return found
}

/** Whether a condition holds in a taken arm, as far as the arm determines it. */
const truthOf = (term: Term, value: Term, taken: ReadonlyArray<Term>): boolean | undefined => {
  switch (term.kind) {
    case "not": {
      const inner = truthOf(term.operand, value, taken)
      return inner === undefined ? undefined : !inner
    }
    case "binary": {
      if (term.operator !== "&&" && term.operator !== "||") return undefined
      const sides = [truthOf(term.left, value, taken), truthOf(term.right, value, taken)]
      const decisive = term.operator === "||"
      if (sides.includes(decisive)) return decisive
      return sides.includes(undefined) ? undefined : !decisive
    }
    case "is": {
      if (term.value !== value) return undefined
      if (taken.includes(term)) return true
      const isOther = (one: Term): boolean => one.kind === "is" && one.value === value
      return taken.some((one) => isOther(one) || (one.kind === "not" && one.operand === term)) ? false : undefined
    }
    default:
      return undefined
  }
}

/** What remains of alternatives in a taken arm: the side that the variant does not rule out. */
export const settledBy = (
  walk: Walk,
  open: ReadonlyArray<Term>,
  value: Term,
  taken: ReadonlyArray<Term>,
): ReadonlyArray<Term> =>
  open.flatMap((one) => {
    if (one.kind !== "binary") return []
    if (truthOf(one.left, value, taken) === false) return walk.consequences(one.right, true)
    return truthOf(one.right, value, taken) === false ? walk.consequences(one.left, true) : []
  })
