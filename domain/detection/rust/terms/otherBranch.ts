import type { Event, WalkScope } from "./events.ts"
import type { Term, TermTable } from "./terms.ts"

const armsOf = (event: Event): ReadonlyArray<WalkScope> => {
  const found: Array<WalkScope> = []
  for (let scope: WalkScope | undefined = event.scope; scope !== undefined; scope = scope.parent)
    if (scope.arm !== undefined) found.push(scope)
  return found
}

/** The values of each `match` of which two events are in different arms. */
const matchedApart = (event: Event, other: Event): ReadonlyArray<Term> =>
  armsOf(event).flatMap(({ arm, parent }) =>
    armsOf(other).some(
      (one) => one.parent === parent && one.arm!.value === arm!.value && one.arm!.variant !== arm!.variant,
    )
      ? [arm!.value]
      : [],
  )

/** The facts of one event that exclude facts of the other. */
const factsApart = (terms: TermTable, event: Event, other: Event): ReadonlyArray<Term> =>
  [...event.facts].filter((fact) => other.facts.has(terms.not(fact)) && !event.facts.has(terms.not(fact)))

/** What decides which of two events happens, if they never happen in the same run; otherwise nothing. */
export const dividersOf = (terms: TermTable, event: Event, other: Event): ReadonlyArray<Term> => [
  ...matchedApart(event, other),
  ...factsApart(terms, event, other),
]

/**
 * Whether two events never happen in the same run: they are in arms of one `match`, or the facts of one exclude the
 * other. Facts that depend on what changes in between exclude nothing.
 */
export const isOtherBranch = (
  terms: TermTable,
  event: Event,
  other: Event,
  depends: (fact: Term) => boolean,
): boolean => matchedApart(event, other).length > 0 || factsApart(terms, event, other).some((fact) => !depends(fact))
