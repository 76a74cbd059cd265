import type { Event, WalkScope } from "../../rust/terms/events.ts"
import type { Term, TermTable } from "../../rust/terms/terms.ts"

const armsOf = (event: Event): ReadonlyArray<WalkScope> => {
  const found: Array<WalkScope> = []
  for (let scope: WalkScope | undefined = event.scope; scope !== undefined; scope = scope.parent)
    if (scope.arm !== undefined) found.push(scope)
  return found
}

/**
 * Whether two events never happen in the same run: they are in arms of one `match`, or the facts of one exclude the
 * other. Facts that depend on what changes in between exclude nothing.
 */
export const isOtherBranch = (
  terms: TermTable,
  event: Event,
  other: Event,
  depends: (fact: Term) => boolean,
): boolean =>
  armsOf(event).some(({ arm, parent }) =>
    armsOf(other).some(
      (one) => one.parent === parent && one.arm!.value === arm!.value && one.arm!.variant !== arm!.variant,
    ),
  ) ||
  (event.scope.frame === other.scope.frame &&
    [...event.facts].some(
      (fact) => other.facts.has(terms.not(fact)) && !event.facts.has(terms.not(fact)) && !depends(fact),
    ))
