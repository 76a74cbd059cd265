import type { Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { mentions, mentionsNew, type Term } from "../../rust/terms/terms.ts"
import type { Handler } from "../program/model.ts"

/** The terms that an event works on; `event.facts` has what holds there. */
export const eventTerms = (event: Event): ReadonlyArray<Term> => {
  switch (event.kind) {
    case "call":
      return [...event.args.map((one) => one.term), event.result.term]
    case "assign":
      return [event.target.term, event.value.term]
    case "operation":
      return event.right === undefined ? [event.left.term] : [event.left.term, event.right.term]
    case "check":
      return event.conditions
    default:
      return [event.value.term]
  }
}

/** Whether some events work on, compare or branch on a term that the predicate accepts. */
export const eventsTouch = (events: ReadonlyArray<Event>, accept: (term: Term) => boolean): boolean => {
  const seen = new Set<Term>()
  const met = new Set<Facts>()
  const isNew = (term: Term): boolean => mentionsNew(seen, term, accept)
  return events.some((event) => eventTerms(event).some(isNew) || factsNotMet(event.facts, met).some(isNew))
}

/** The same for everything that one message does, and for its guarantees. */
export const touches = (handler: Handler, accept: (term: Term) => boolean): boolean =>
  eventsTouch(handler.events, accept) || [...handler.facts].some((one) => mentions(one, accept))
