import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { isNamed, successType } from "../../rust/crate/types.ts"
import { isAboutPresence } from "./authority.ts"
import type { Handler } from "../program/model.ts"
import { eventTerms } from "../questions/touches.ts"

// Accounts that a message queries from another contract and then ignores: it was meant to compare the sender with them.

/** The outermost call that yields the answer, by answer: helpers return what they queried. */
const answersIn = ({ events }: Handler): ReadonlyMap<Term, CallEvent> => {
  const answers = new Map<Term, CallEvent>()
  // `resolve(name)?;` asks whether there is an answer, and that alone.
  const dropped = new Set<Term>()
  for (const event of events) {
    if (event.kind !== "call" || !isNamed(successType(event.result.type), "Addr")) continue
    const { term } = event.result
    if (event.dropped !== undefined) dropped.add(term)
    if (!mentions(term, (one) => one.kind === "call" && one.name.startsWith("query"))) continue
    const known = answers.get(term)
    if (known === undefined || known.scope.frame.depth > event.scope.frame.depth) answers.set(term, event)
  }
  for (const term of dropped) answers.delete(term)
  return answers
}

/** Whether an event lies in the function that has the answer, or in one that calls it. */
const isBehind = (event: Event, answer: CallEvent): boolean =>
  event.order > answer.order && event.scope.frame.depth <= answer.scope.frame.depth

/** How many accounts are looked for: each search reads the whole message. */
const maxAnswers = 16

/** Where a message queries an account on which nothing that it does depends. */
export const unusedAnswer = (handler: Handler): CallEvent | undefined => {
  const answers = [...answersIn(handler)].slice(0, maxAnswers)
  if (answers.length === 0) return undefined
  const met = new Set<Facts>()
  const facts = [handler.facts, ...handler.events.map((event) => event.facts)].flatMap((one) => factsNotMet(one, met))
  const asked = everySubterm(facts.filter((fact) => !isAboutPresence(fact)))
  return answers.find(
    ([term, answer]) =>
      !asked.has(term) &&
      !everySubterm(handler.events.flatMap((event) => (isBehind(event, answer) ? eventTerms(event) : []))).has(term),
  )?.[1]
}
