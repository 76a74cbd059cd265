import { examined, type Value } from "../../terms/events.ts"
import { bindPattern } from "./patterns.ts"
import type { Expression } from "../../syntax/syntax.ts"
import type { Term } from "../../terms/terms.ts"
import type { Walk } from "../state/walk.ts"
import { selectedBy } from "./selection.ts"

/** Limit: facts that one condition may represent; ordinary code has a handful. */
const mostImplied = 200

/** Whether a pattern for an outcome matches one that the caller wrote: `load(info, Some(owner))`, `load(info, None)`. */
export const outcomeOf = (fact: Term, { term, failure }: Value): boolean | undefined => {
  if (failure === undefined || fact.kind !== "is" || fact.value !== term) return undefined
  if (/^(Some|Ok)$/.test(fact.variant)) return !failure
  return /^(None|Err)$/.test(fact.variant) ? failure : undefined
}

/** Evaluates a condition; `let` in it binds names. */
export const evaluateCondition = (walk: Walk, node: Expression): Term => {
  if (node.kind === "binary" && (node.operator === "&&" || node.operator === "||")) {
    const left = evaluateCondition(walk, node.left)
    const right = walk.supposing(left, node.operator === "&&", () => evaluateCondition(walk, node.right))
    return walk.terms.binary(node.operator, left, right)
  }
  if (node.kind === "unary" && node.operator === "!") return walk.terms.not(evaluateCondition(walk, node.operand))
  if (node.kind === "let") {
    const value = walk.expression(node.value)
    if (value.event !== undefined) examined(value.event)
    const facts = walk.patternFacts(node.pattern, value)
    bindPattern(walk, node.pattern, value)
    const [first] = facts
    if (first === undefined) return walk.terms.literal("boolean", "true")
    const known = facts.length === 1 ? outcomeOf(first, value) : undefined
    if (known !== undefined) return walk.terms.literal("boolean", String(known))
    const { whenTrue = [], whenFalse = [] } = walk.implied.get(first) ?? {}
    const added = facts.filter((fact) => !whenTrue.includes(fact))
    // Repeating a pattern adds nothing; endless patterns only serve to slow us down.
    if (added.length > 0 && whenTrue.length < mostImplied)
      walk.implied.set(first, { whenTrue: [...added, ...whenTrue], whenFalse })
    return first
  }
  return walk.expression(node).term
}

/** Facts that follow from a condition. */
export const consequencesOf = (walk: Walk, term: Term, holds: boolean, depth = 0): ReadonlyArray<Term> => {
  if (depth > 20) return []
  if (term.kind === "not") return consequencesOf(walk, term.operand, !holds, depth + 1)
  if (term.kind === "binary" && (term.operator === "&&" || term.operator === "||")) {
    const left = consequencesOf(walk, term.left, holds, depth + 1)
    const right = consequencesOf(walk, term.right, holds, depth + 1)
    if ((term.operator === "&&") === holds) return [...left, ...right]
    const rights = new Set(right)
    const common = left.filter((one) => rights.has(one))
    const either =
      term.operator === "||" ? term : walk.terms.binary("||", walk.terms.not(term.left), walk.terms.not(term.right))
    return [...common, either]
  }
  if (term.kind === "choice") {
    // `false`, or what the loop found: if it holds, the loop found it.
    const open = term.alternatives.filter((one) => one.kind !== "literal" || one.value === String(holds))
    const [only] = open
    if (open.length === 1 && only !== undefined && open.length < term.alternatives.length)
      return [holds ? term : walk.terms.not(term), ...consequencesOf(walk, only, holds, depth + 1)]
    // `if inverted { vault == pool.base } else { vault == pool.quote }`: one of the comparisons holds.
    if (holds && open.length > 1 && open.every((one) => one.kind === "binary" && one.operator === "=="))
      return consequencesOf(
        walk,
        open.reduce((left, right) => walk.terms.binary("||", left, right)),
        holds,
        depth + 1,
      )
  }
  const opposite = walk.terms.not(term)
  const implied =
    walk.implied.get(holds ? term : opposite)?.whenTrue ?? walk.implied.get(holds ? opposite : term)?.whenFalse ?? []
  const selected = selectedBy(term, holds)
  const elements = selected === undefined ? [] : consequencesOf(walk, selected, true, depth + 1)
  return [holds ? term : opposite, ...implied, ...elements]
}
