import { subterms, type Term } from "../../rust/terms/terms.ts"
import { cpiOf } from "../questions/cpi.ts"
import type { Limit } from "../questions/limits.ts"
import { plain } from "../questions/quantities.ts"
import type { Instruction } from "../program/model.ts"

/** Words that tell the two sides of a pair apart. */
const sides: ReadonlyMap<string, string> = new Map(
  [
    ["a", "b"],
    ["x", "y"],
    ["0", "1"],
    ["base", "quote"],
  ].flatMap(([one, other]) => [
    [one!, other!],
    [other!, one!],
  ]),
)

/** The names that a limit for the other side of the pair would have. */
const twinsOf = (name: string): ReadonlyArray<string> => {
  const words = name.split("_")
  return words.flatMap((word, index) => {
    const other = sides.get(word)
    return other === undefined ? [] : [words.with(index, other).join("_")]
  })
}

const compares = /^(min|max|clamp|cmp|partial_cmp|[lg][te])$|(^|_)(check|assert|verify|validate|ensure|require)(_|$)/

/** What is itself compared with something, or passed to another program; not the inputs of an amount. */
const heldAgainst = (instruction: Instruction): ReadonlySet<Term> => {
  const found = new Set<Term>()
  const conditions = new Set<Term>(instruction.walk.success)
  for (const event of instruction.events) {
    if (event.kind === "check") for (const one of event.conditions) conditions.add(one)
    else if (event.kind === "assign") found.add(plain(event.value.term))
    else if (event.kind === "call" && (compares.test(event.name) || cpiOf(event) !== undefined))
      for (const { term } of event.args) found.add(plain(term))
  }
  // A set also iterates over what is added in the meantime.
  for (const one of conditions) {
    if (one.kind === "binary" && /^(<=?|==|!=)$/.test(one.operator)) found.add(plain(one.left)).add(plain(one.right))
    else if (one.kind === "binary" || one.kind === "not") for (const part of subterms(one)) conditions.add(part)
  }
  for (const one of found) if (one.kind === "choice") for (const part of one.alternatives) found.add(plain(part))
  return found
}

/** Limits that nothing is held against, although that of the other side of the pair is: only one side is protected. */
export const oneOfTwins = (
  instruction: Instruction,
  limits: ReadonlyArray<Limit>,
): ReadonlyArray<{ readonly limit: Limit; readonly twin: Limit }> => {
  const byName = new Map(limits.map((one) => [one.name, one]))
  const pairs = limits.flatMap((limit) =>
    twinsOf(limit.name).flatMap((name) => {
      const twin = byName.get(name)
      return twin === undefined ? [] : [{ limit, twin }]
    }),
  )
  if (pairs.length === 0) return []
  const held = heldAgainst(instruction)
  return pairs.filter(({ limit, twin }) => !held.has(limit.term) && held.has(twin.term))
}
