import { oncePer } from "../oncePer.ts"
import { type Facts, factsNotMet } from "../rust/terms/facts.ts"
import { everySubterm, type Term } from "../rust/terms/terms.ts"
import type { Instruction } from "./model.ts"
import { stateOf } from "./semantics.ts"

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

const comparisonsByState = oncePer((instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<Comparison>> => {
  const { terms } = instruction.walk
  const states = new Set(instruction.accounts.map(({ term }) => stateOf(terms, term)))
  const index = new Map<Term, Array<Comparison>>()
  for (const one of comparedIn(instruction))
    for (const part of everySubterm([one]))
      if (states.has(part)) {
        const known = index.get(part)
        if (known === undefined) index.set(part, [one])
        else known.push(one)
      }
  return index
})

/** The comparisons that mention what an account stores, by the account's state. */
export const comparedWith = (instruction: Instruction, state: Term): ReadonlyArray<Comparison> =>
  comparisonsByState(instruction).get(state) ?? []
