import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"

// What values are sums and differences of, for all that is asked about them at once: a message computes many fractions,
// and what it writes may be large.

/** The number inside `Uint128::from(…)` and `try_into()`. */
const converted = (term: Term): Term =>
  (term.kind === "call" && /^(try_)?(from|into)$|^(u128|u64|new)$/.test(term.name) ? term.args[0] : undefined) ?? term

interface Difference {
  readonly whole: Term
  /** What is taken off, with all that it is computed from. */
  readonly taken: ReadonlySet<Term>
}

/** `a - b`, `a.checked_sub(b)` */
const differenceIn = (term: Term): Difference | undefined => {
  if (term.kind === "binary" && term.operator === "-") return { whole: term.left, taken: everySubterm([term.right]) }
  if (term.kind !== "call" || !/(^|_)sub$/.test(term.name)) return undefined
  const [whole = term, ...taken] = term.args
  return { whole, taken: everySubterm(taken) }
}

/** `a + b`, `a.checked_add(b)` */
export const summandsIn = (term: Term): ReadonlyArray<Term> => {
  if (term.kind === "binary" && term.operator === "+") return [converted(term.left), converted(term.right)]
  return term.kind === "call" && /(^|_)add$/.test(term.name) ? term.args.map(converted) : []
}

const isOne = (side: Term): boolean => {
  const number = converted(side)
  return (
    (number.kind === "literal" && /^1(_?u\d+)?$/.test(number.value)) ||
    (number.kind === "call" && number.name === "one")
  )
}

/** `fraction + 1` on a path where the fraction falls short, and `max(fraction, 1)`, which is never zero. */
const toppedUpIn = (term: Term): Term | undefined => {
  const [left, right] =
    term.kind === "binary" && term.operator === "+"
      ? [term.left, term.right]
      : term.kind === "call" && /(^|_)add$|^max$/.test(term.name)
        ? term.args
        : []
  if (left === undefined || right === undefined) return undefined
  return isOne(right) ? left : isOne(left) ? right : undefined
}

/** What some values add, take off and round up, anywhere in them. */
export class Sums {
  readonly added = new Set<Term>()
  readonly differences: ReadonlyArray<Difference>
  /** Whatever one is added to, with all that it is computed from. */
  readonly toppedUp: ReadonlySet<Term>

  constructor(values: ReadonlyArray<Term>) {
    const differences: Array<Difference> = []
    const toppedUp: Array<Term> = []
    for (const part of everySubterm(values)) {
      const difference = differenceIn(part)
      if (difference !== undefined) differences.push(difference)
      for (const one of summandsIn(part)) this.added.add(one)
      const raised = toppedUpIn(part)
      if (raised !== undefined) toppedUp.push(raised)
    }
    this.differences = differences
    this.toppedUp = everySubterm(toppedUp)
  }

  /** Whether it is a summand, or something is taken off that is computed from it. */
  contain(term: Term): boolean {
    return this.added.has(term) || this.differences.some(({ taken }) => taken.has(term))
  }

  /** `amount - fraction` of the requested amount: whatever the fraction leaves out goes to the other part. */
  leaveRestOf(fraction: Term, message: Term | undefined): boolean {
    return this.differences.some(
      ({ whole, taken }) =>
        taken.has(fraction) && rootOf(converted(whole)) === message && mentions(fraction, (one) => one === whole),
    )
  }
}
