import type { CallEvent, Event } from "../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../rust/terms/facts.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import { isNamed, successType } from "../rust/crate/types.ts"
import { isAboutPresence } from "./authority.ts"
import type { Handler } from "./model.ts"
import { eventTerms } from "./touches.ts"

// Accounts that a message asks another contract for and then ignores: it was meant to compare the sender with them.

/** The outermost call that yields the answer, by answer: helpers return what they asked for. */
const answersIn = ({ events }: Handler): ReadonlyMap<Term, CallEvent> => {
  const answers = new Map<Term, CallEvent>()
  for (const event of events) {
    if (event.kind !== "call" || !isNamed(successType(event.result.type), "Addr")) continue
    const { term } = event.result
    if (!mentions(term, (one) => one.kind === "call" && one.name.startsWith("query"))) continue
    const known = answers.get(term)
    if (known === undefined || known.scope.frame.depth > event.scope.frame.depth) answers.set(term, event)
  }
  return answers
}

/** Whether an event lies in the function that has the answer, or in one that calls it. */
const isBehind = (event: Event, answer: CallEvent): boolean =>
  event.order > answer.order && event.scope.frame.depth <= answer.scope.frame.depth

/** Where a message asks for an account that nothing it does depends on. */
export const unusedAnswer = (handler: Handler): CallEvent | undefined => {
  const answers = new Map(answersIn(handler))
  if (answers.size === 0) return undefined
  const met = new Set<Facts>()
  const drop = (term: Term, isUse: (answer: CallEvent) => boolean): void => {
    mentions(term, (one) => {
      const answer = answers.get(one)
      if (answer !== undefined && isUse(answer)) answers.delete(one)
      return answers.size === 0
    })
  }
  for (const fact of handler.facts) if (!isAboutPresence(fact)) drop(fact, () => true)
  for (const event of handler.events) {
    for (const fact of factsNotMet(event.facts, met)) if (!isAboutPresence(fact)) drop(fact, () => true)
    for (const term of eventTerms(event)) drop(term, (answer) => isBehind(event, answer))
  }
  return answers.values().next().value
}
