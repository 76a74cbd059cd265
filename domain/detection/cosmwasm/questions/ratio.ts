import type { Event } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"

/** A computed fraction: the factors of the numerator and the divisor. */
export interface Ratio {
  readonly numerators: ReadonlyArray<Term>
  readonly denominator: Term
}

const factors = (term: Term, depth = 0): ReadonlyArray<Term> => {
  if (depth > 6) return [term]
  if (term.kind === "binary" && term.operator === "*")
    return [...factors(term.left, depth + 1), ...factors(term.right, depth + 1)]
  if (term.kind === "call" && term.path === "" && /^(checked_|saturating_|full_)?mul$/.test(term.name))
    return term.args.flatMap((one) => factors(one, depth + 1))
  return [term]
}

/** The fraction of a division, of `multiply_ratio` and `mul_floor`, and of `Decimal::from_ratio`. */
export const ratioOf = (event: Event): Ratio | undefined => {
  if (event.kind === "operation" && event.operator === "/" && event.right !== undefined)
    return { numerators: factors(event.left.term), denominator: event.right.term }
  if (event.kind !== "call" || event.target !== undefined) return undefined
  const [first, second, third] = event.args.map((one) => one.term)
  if (first === undefined || second === undefined) return undefined
  if (/^(checked_)?multiply_ratio$/.test(event.name) && third !== undefined)
    return { numerators: [...factors(first), ...factors(second)], denominator: third }
  if (/^(checked_)?from_ratio$/.test(event.name)) return { numerators: factors(first), denominator: second }
  if (event.method && /^(checked_|saturating_)?div(_floor|_ceil|_euclid)?$/.test(event.name))
    return { numerators: factors(first), denominator: second }
  if (/^(checked_)?mul_(floor|ceil)$/.test(event.name) && second.kind === "list" && second.elements.length === 2)
    return { numerators: [...factors(first), ...factors(second.elements[0]!)], denominator: second.elements[1]! }
  return undefined
}
