import type { Term } from "../../terms/terms.ts"

/** What keeps the elements that a filter let through: `keys.iter().filter(is_mine).copied().collect()`. */
const keeps = /^(collect|copied|cloned|peekable|take|skip|rev|filter|map|mapped)$/

/** The condition of `filter` on the elements that a term consists of. */
const filterOf = (term: Term | undefined): Term | undefined => {
  let one = term
  while (one?.kind === "call" && one.path === "" && keeps.test(one.name)) {
    if (one.name === "filter" && one.args.length > 1) return one.args[1]
    one = one.args[0]
  }
  return undefined
}

const amountOf = (term: Term): Term | undefined =>
  term.kind === "call" && term.path === "" && /^(count|len)$/.test(term.name) ? filterOf(term.args[0]) : undefined

const isLiteral = (term: Term, value: string): boolean => term.kind === "literal" && term.value === value

/**
 * What some element of a list fulfills if a condition holds, or does not: `filter(f).count() > 0`,
 * `filter(f).next().is_some()`, `any(f)`. What `any` compares by itself is in its own fact.
 */
export const selectedBy = (term: Term, holds: boolean): Term | undefined => {
  if (term.kind === "binary") {
    const { operator, left, right } = term
    if (holds && ((operator === "<" && isLiteral(left, "0")) || (operator === "<=" && isLiteral(left, "1"))))
      return amountOf(right)
    if (operator === (holds ? "!=" : "=="))
      return isLiteral(left, "0") ? amountOf(right) : isLiteral(right, "0") ? amountOf(left) : undefined
    return undefined
  }
  if (
    term.kind === "is" &&
    holds &&
    term.variant === "Some" &&
    term.value.kind === "call" &&
    term.value.name === "last"
  )
    return filterOf(term.value.args[0])
  if (term.kind !== "call" || term.path !== "") return undefined
  if (!holds) return term.name === "is_empty" ? filterOf(term.args[0]) : undefined
  const [, condition] = term.name === "any" ? term.args : []
  return condition?.kind === "binary" && condition.operator === "==" ? undefined : condition
}
