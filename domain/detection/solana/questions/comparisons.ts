import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { stateOf } from "../program/semantics.ts"

export type Comparison = Extract<Term, { kind: "binary" }>

const comparedAmong = oncePer((events: Instruction["events"]): ReadonlyArray<Comparison> => {
  const told = new Set<Term>()
  const met = new Set<Facts>()
  for (const event of events) {
    if (event.kind === "call") for (const { term } of event.args) told.add(term)
    if (event.kind === "assign") told.add(event.value.term)
    for (const fact of factsNotMet(event.facts, met)) told.add(fact)
  }
  return [...everySubterm([...told])].flatMap((one) =>
    one.kind === "binary" && (one.operator === "==" || one.operator === "!=") ? [one] : [],
  )
})

/**
 * Everything that an instruction compares for equality, on any path. It is queried for each pair of accounts, so the
 * events are read only once.
 */
export const comparedIn = ({ events }: Instruction): ReadonlyArray<Comparison> => comparedAmong(events)

const comparisonsBySide = oncePer((instruction: Instruction) =>
  indexBy(comparedIn(instruction), ({ left, right }) => [left, right]),
)

/** The comparisons of which a term is one side. */
export const comparedAs = (instruction: Instruction, side: Term): ReadonlyArray<Comparison> =>
  comparisonsBySide(instruction).get(side) ?? []

const comparisonsByState = oncePer((instruction: Instruction) => {
  const { terms } = instruction.walk
  const states = new Set(instruction.accounts.map(({ term }) => stateOf(terms, term)))
  return indexBy(comparedIn(instruction), (one) => [...everySubterm([one])].filter((part) => states.has(part)))
})

/** The comparisons that mention what an account stores, by the account's state. */
export const comparedWith = (instruction: Instruction, state: Term): ReadonlyArray<Comparison> =>
  comparisonsByState(instruction).get(state) ?? []
