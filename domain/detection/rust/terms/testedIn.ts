import { everySubterm, type Term } from "./terms.ts"

const tests = new WeakMap<Term, ReadonlySet<Term>>()

/** The values whose variant a fact tests anywhere in it, collected once. */
export const testedIn = (fact: Term): ReadonlySet<Term> => {
  let found = tests.get(fact)
  if (found === undefined) {
    found = new Set([...everySubterm([fact])].flatMap((one) => (one.kind === "is" ? [one.value] : [])))
    tests.set(fact, found)
  }
  return found
}
