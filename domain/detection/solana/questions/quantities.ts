import { oncePer } from "../../oncePer.ts"
import { type Facts, factsAbout } from "../../rust/terms/facts.ts"
import { mentions, pathEnds, subterms, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"

/** `Clock::get()` */
export const isClock = (term: Term): boolean => term.kind === "call" && pathEnds(term.path, "Clock::get")

/** Functions whose result does not depend on the size of their arguments. */
const apart = /^(state|len|slice_len|hash|hashv)$|program_address$/

/** Whether a number contributes to a term's value, rather than only selecting the account or seed. */
export const madeFrom = (term: Term, accept: (term: Term) => boolean): boolean => {
  const seen = new Set<Term>([term])
  // A set also iterates over what is added in the meantime.
  for (const one of seen) {
    if (accept(one)) return true
    if (one.kind !== "call" || !apart.test(one.name)) for (const part of subterms(one)) seen.add(part)
  }
  return false
}

const chosenIn = oncePer((instruction: Instruction): ((term: Term) => boolean) => {
  const given = new Set(instruction.arguments.map((one) => one.term))
  return oncePer((one: Term) => madeFrom(one, (part) => given.has(part)))
})

/** Whether the caller sets it: it is derived from an argument of the instruction. */
export const isChosen = (instruction: Instruction, term: Term): boolean => chosenIn(instruction)(term)

/** Whether it is derived from the contents of accounts: a field of their state, or lamports. */
export const isHeld = oncePer((term: Term) =>
  madeFrom(
    term,
    (one) =>
      one.kind === "field" && (one.name === "lamports" || accountOfState(one) !== undefined) && one.name !== "data",
  ),
)

/** Without casts and conversions that preserve the value. */
export const plain = (term: Term): Term => {
  for (let one = term; ;) {
    if (one.kind === "cast") one = one.value
    else if (one.kind === "call" && /^(from|into|try_from|try_into)$/.test(one.name) && one.args.length === 1)
      one = one.args[0]!
    else return one
  }
}

export const literalValue = (term: Term): number | undefined => {
  const one = plain(term)
  return one.kind === "literal" && one.type === "integer" ? Number(one.value) : undefined
}

const isFixed = (term: Term): boolean => {
  const one = plain(term)
  return one.kind === "literal" || one.kind === "constant"
}

/** Whether neither side of an operation depends on anything but constants. */
export const isConstant = oncePer(
  (term: Term): boolean => isFixed(term) || (subterms(term).length > 0 && subterms(term).every(isConstant)),
)

const timesNamed = (named: RegExp): ((term: Term) => boolean) => {
  const isOne = oncePer((term: Term): boolean => {
    const one = plain(term)
    if (one.kind === "field") return named.test(one.name)
    const sides = operandsOf(one, "sub") ?? operandsOf(one, "add")
    if (sides !== undefined) return sides.some(isOne)
    if (one.kind === "call" && /^(min|max|clamp|abs|unsigned_abs)$/.test(one.name)) return one.args.some(isOne)
    return one.kind === "choice" && one.alternatives.some(isOne)
  })
  return isOne
}
const times = new Map<string, (term: Term) => boolean>()

/**
 * Whether it is a point in time or a duration: the clock, a stored time, their sums and differences; not an amount
 * derived from them.
 */
export const isTime = (term: Term, named = /timestamp|slot|epoch|(^|_)now(_|$)|_ts$/): boolean => {
  let ask = times.get(named.source)
  if (ask === undefined) times.set(named.source, (ask = timesNamed(named)))
  return ask(term)
}

/** Limit: parts of one sum. */
const partLimit = 200

/** What is added up to a term, and the sums in between. */
const partsOf = oncePer((whole: Term): ReadonlySet<Term> => {
  const parts = new Set<Term>([plain(whole)])
  for (const one of parts) {
    if (parts.size > partLimit) break
    if (one.kind === "binary" && one.operator === "+") parts.add(plain(one.left)).add(plain(one.right))
    if (one.kind === "call" && one.name.endsWith("_add")) for (const arg of one.args) parts.add(plain(arg))
  }
  return parts
})

const isPartOf = (whole: Term, part: Term): boolean => partsOf(whole).has(part)

/** Facts that say how large something is, by what they are about. */
export const sizeFactsOf = factsAbout((fact): ReadonlyArray<Term> => {
  switch (fact.kind) {
    case "binary": {
      const right = plain(fact.right)
      const factors = right.kind === "binary" && right.operator === "*" ? [plain(right.left), plain(right.right)] : []
      return [...new Set([...partsOf(fact.left), plain(fact.left), right, ...factors])]
    }
    case "call":
      return fact.args.map(plain)
    case "not":
      return fact.operand.kind === "call" ? fact.operand.args.map(plain) : []
    case "is":
      return fact.value.kind === "call" ? fact.value.args.map(plain) : []
    case "succeeded":
      return fact.call.kind === "call" ? fact.call.args.map(plain) : []
    default:
      return []
  }
})

const isReduction = (term: Term): term is Term & { readonly kind: "call" } =>
  term.kind === "call" && /^(checked|saturating)_sub$/.test(term.name) && term.args.length === 2

/** Whether a value is another one less something. What a loop changes is opaque at its start, made of what it was. */
const isLeftOf = (term: Term, whole: Term): boolean => {
  for (let one = plain(term); ;) {
    if (one === whole) return true
    if (isReduction(one)) one = plain(one.args[0]!)
    else if (one.kind === "opaque" && one.sources.length === 1) one = plain(one.sources[0]!)
    else return false
  }
}

/** Whether a loop only ever takes away from a whole: `let mut left = all; while … { left = left.checked_sub(part)?; }`. */
const isRemainderOf = (term: Term, whole: Term): boolean =>
  term.kind === "choice" &&
  term.alternatives.some((one) => isReduction(plain(one))) &&
  term.alternatives.every((one) => isLeftOf(one, whole))

/** Known: `small <= large`. */
export const isAtMost = (facts: Facts, small: Term, large: Term): boolean => {
  const [low, high] = [plain(small), plain(large)]
  if (low === high || isRemainderOf(low, high)) return true
  if (low.kind === "call" && low.name === "min" && low.args.some((one) => plain(one) === high)) return true
  if (high.kind === "call" && high.name === "max" && high.args.some((one) => plain(one) === low)) return true
  // What the difference leaves, or what it is taken from.
  const about = high.kind === "binary" && high.operator === "-" ? [high, plain(high.left)] : [high]
  for (const fact of about.flatMap((one) => [...sizeFactsOf(facts, one)])) {
    if (fact.kind === "succeeded" && fact.call.kind === "call" && fact.call.name === "checked_sub") {
      const [from, taken] = fact.call.args
      if (from !== undefined && taken !== undefined && plain(from) === high && plain(taken) === low) return true
    }
    if (fact.kind === "is" && fact.value.kind === "call" && fact.value.name.endsWith("cmp")) {
      // `match a.cmp(&b) { Ordering::Less => … }`
      const [first, second] = fact.value.args.map(plain)
      if (
        fact.variant.endsWith("Less")
          ? first === low && second === high
          : fact.variant.endsWith("Greater") && first === high && second === low
      )
        return true
    }
    if (fact.kind !== "binary") continue
    if (fact.operator === "==" && [fact.left, fact.right].every((one) => plain(one) === low || plain(one) === high))
      return true
    if (fact.operator !== "<" && fact.operator !== "<=") continue
    if (plain(fact.right) === high && isPartOf(fact.left, low)) return true
    // `first + second < all`: what the first leaves is enough for the second.
    if (
      high.kind === "binary" &&
      high.operator === "-" &&
      low !== plain(high.right) &&
      plain(fact.right) === plain(high.left) &&
      [low, plain(high.right)].every((one) => isPartOf(fact.left, one))
    )
      return true
    const [wanted, known] = [literalValue(low), literalValue(fact.left)]
    if (plain(fact.right) === high && wanted !== undefined && known !== undefined)
      if (known + (fact.operator === "<" ? 1 : 0) >= wanted) return true
  }
  const wanted = literalValue(low)
  return wanted === 1 && isNonZero(facts, high)
}

/** Whether some upper bound of a value is known, from other comparisons than those of `except`. */
export const isBounded = (facts: Facts, term: Term, except?: Term): boolean => {
  const value = plain(term)
  for (const fact of sizeFactsOf(facts, value)) {
    if (fact.kind === "binary" && (fact.operator === "<" || fact.operator === "<=" || fact.operator === "==")) {
      if (isPartOf(fact.left, value) && !mentions(fact.left, (one) => one === except)) return true
      if (fact.operator === "==" && plain(fact.right) === value) return true
    }
    if (fact.kind === "call" && fact.name === "contains" && fact.args.slice(1).some((one) => plain(one) === value))
      return true
  }
  return false
}

/** Whether it is known to be nonzero. */
export const isNonZero = (facts: Facts, term: Term): boolean => {
  const value = plain(term)
  const known = literalValue(value)
  if (known !== undefined) return known !== 0
  if (value.kind === "constant") return true
  if (value.kind === "call" && value.name === "max") return value.args.some((one) => isNonZero(facts, one))
  if (value.kind === "call" && /^(pow|checked_pow|get)$/.test(value.name))
    return value.args.every((one) => isConstant(one)) || value.name !== "get"
  if (value.kind === "binary" && value.operator === "+")
    return isNonZero(facts, value.left) || isNonZero(facts, value.right)
  if (value.kind === "binary" && value.operator === "*")
    return isNonZero(facts, value.left) && isNonZero(facts, value.right)
  if (value.kind === "choice") return value.alternatives.every((one) => isNonZero(facts, one))
  for (const fact of sizeFactsOf(facts, value)) {
    if (
      fact.kind === "not" &&
      fact.operand.kind === "call" &&
      fact.operand.name === "is_zero" &&
      plain(fact.operand.args[0]!) === value
    )
      return true
    if (fact.kind !== "binary") continue
    const [left, right] = [plain(fact.left), plain(fact.right)]
    if (
      fact.operator === "!=" &&
      ((left === value && literalValue(right) === 0) || (right === value && literalValue(left) === 0))
    )
      return true
    if (fact.operator === "<" && right === value) return true
    if (fact.operator === "<=" && right === value && isNonZero(facts, left)) return true
    // `a * b > 0`: no factor is zero.
    if ((fact.operator === "<" && literalValue(left) === 0) || (fact.operator === "!=" && literalValue(left) === 0))
      if (
        right.kind === "binary" &&
        right.operator === "*" &&
        [right.left, right.right].some((one) => plain(one) === value)
      )
        return true
  }
  return false
}

/**
 * Operands of a sum, difference, product or quotient, written as an operator or as a checked, saturating or wrapping
 * method; projects use names such as `safe_…` and `try_…`.
 */
export const operandsOf = (term: Term, operation: "add" | "sub" | "mul" | "div"): readonly [Term, Term] | undefined => {
  const one = plain(term)
  const sign = { add: "+", sub: "-", mul: "*", div: "/" }[operation]
  if (one.kind === "binary" && one.operator === sign) return [one.left, one.right]
  if (
    one.kind === "call" &&
    /^(?:checked|saturating|wrapping|overflowing|safe|try)_(add|sub|mul|div)(?:_euclid)?$/.exec(one.name)?.[1] ===
      operation
  ) {
    const [left, right] = one.args
    if (left !== undefined && right !== undefined) return [left, right]
  }
  return undefined
}
