import type { Event, WalkScope } from "../rust/terms/events.ts"
import { mentions, type Term, type TermTable } from "../rust/terms/terms.ts"

const armsOf = (event: Event): ReadonlyArray<WalkScope> => {
  const found: Array<WalkScope> = []
  for (let scope: WalkScope | undefined = event.scope; scope !== undefined; scope = scope.parent)
    if (scope.arm !== undefined) found.push(scope)
  return found
}

/**
 * Whether two events never happen in the same run: they are in arms of one `match`, or the facts of one exclude the
 * other.
 */
export const isOtherBranch = (terms: TermTable, event: Event, other: Event, changed: Term): boolean =>
  armsOf(event).some(({ arm, parent }) =>
    armsOf(other).some(
      (one) => one.parent === parent && one.arm!.value === arm!.value && one.arm!.variant !== arm!.variant,
    ),
  ) ||
  (event.scope.frame === other.scope.frame &&
    [...event.facts].some(
      (fact) =>
        other.facts.has(terms.not(fact)) &&
        !event.facts.has(terms.not(fact)) &&
        !mentions(fact, (one) => one === changed),
    ))
