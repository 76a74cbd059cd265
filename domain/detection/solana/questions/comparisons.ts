import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { knownAt, ofKind, passedAt } from "../../rust/terms/events.ts"
import { mentioning } from "../../rust/terms/mentioning.ts"
import { everySubterm, subterms, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { stateOf } from "../program/semantics.ts"

export type Comparison = Extract<Term, { kind: "binary" }>

const isComparison = (term: Term): term is Comparison =>
  term.kind === "binary" && (term.operator === "==" || term.operator === "!=")
/** Few of the values that a program passes contain a comparison. */
const compares = mentioning(isComparison)

const comparedAmong = oncePer((events: Instruction["events"]): ReadonlyArray<Comparison> => {
  const assigned = ofKind(events, "assign").map(({ value }) => value.term)
  const found = new Set([...passedAt(events), ...assigned, ...knownAt(events)].filter(compares))
  // A set also iterates over what is added in the meantime.
  for (const one of found) for (const part of subterms(one)) if (compares(part)) found.add(part)
  return [...found].filter(isComparison)
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
