import { oncePer } from "../../oncePer.ts"
import { type AssignEvent, type Event, ofKind, passedAt, type Value } from "../../rust/terms/events.ts"
import { mentioning } from "../../rust/terms/mentioning.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { accountOfState, dataOf, lamportsOf } from "../program/semantics.ts"

type Assignments = ReadonlyMap<Term | undefined, ReadonlyArray<AssignEvent>>

/** The assignments of an instruction by what they write to, so that none of its accounts goes through all of them. */
interface Writes {
  readonly byAccount: Assignments
  readonly byTarget: Assignments
  readonly byStruct: Assignments
  /** What is written back, by the bytes of the account and by its own term. */
  readonly copies: ReadonlyMap<Term, ReadonlyMap<Term, Value>>
}

const isData = (term: Term): boolean => term.kind === "field" && term.name === "data"
const mentionsData = mentioning(isData)

const copiesIn = (events: ReadonlyArray<Event>): Writes["copies"] => {
  const found = new Map<Term, Map<Term, Value>>()
  const withData = new Set([...passedAt(events)].filter(mentionsData))
  for (const event of ofKind(events, "call")) {
    const [copy, ...others] = event.args
    const given = others.flatMap(({ term }) => (withData.has(term) ? [term] : []))
    if (copy === undefined || given.length === 0) continue
    for (const data of everySubterm(given)) {
      if (!isData(data)) continue
      const own = found.get(data)
      if (own === undefined) found.set(data, new Map([[copy.term, copy]]))
      else own.set(copy.term, copy)
    }
  }
  return found
}

const writesOf = oncePer(({ events }: Instruction): Writes => {
  const assigned = ofKind(events, "assign")
  return {
    byAccount: Map.groupBy(assigned, ({ target }) => accountOfState(target.term)),
    byTarget: Map.groupBy(assigned, ({ target }) => target.term),
    byStruct: Map.groupBy(assigned, ({ target: { term } }) => (term.kind === "field" ? term.base : undefined)),
    copies: copiesIn(events),
  }
})

const none: ReadonlyMap<Term, Value> = new Map()

/** Assignments to an account's state or data, in order. */
export const stateWritesOf = (instruction: Instruction, { term }: Account): ReadonlyArray<AssignEvent> =>
  writesOf(instruction).byAccount.get(term) ?? []

/** What is written back into an account, by its term: a native program changes a copy of the state first. */
export const copiesOf = (instruction: Instruction, { term }: Account): ReadonlyMap<Term, Value> =>
  writesOf(instruction).copies.get(dataOf(instruction.walk.terms, term)) ?? none

/** Assignments to what is written back into an account. */
export const copyWritesOf = (instruction: Instruction, account: Account): ReadonlyArray<AssignEvent> =>
  [...copiesOf(instruction, account).keys()].flatMap((copy) => writesOf(instruction).byStruct.get(copy) ?? [])

export const lamportWritesOf = (instruction: Instruction, { term }: Account): ReadonlyArray<AssignEvent> =>
  writesOf(instruction).byTarget.get(lamportsOf(instruction.walk.terms, term)) ?? []
