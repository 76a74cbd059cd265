import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isAuthorized } from "../authority/authority.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"

// Payments that have to reach a stored price, and whose remainder is neither refunded nor credited.

/** An amount of coins that were sent. */
const isPaid = ({ funds }: EntryPoint, term: Term): boolean => {
  const ofFunds = (one: Term): boolean => one === funds
  if (term.kind === "call" && /^(must_pay|may_pay)$/.test(term.name)) return term.args[0] === funds
  return term.kind === "field" && term.name === "amount" && mentions(term.base, ofFunds)
}

const logging =
  /^(add_(attribute|event)s?|attr|format!|must_pay|may_pay|one_coin|find|first|get|iter|len|is_zero|next|pop)$/

/** What an event does with a payment, other than to look at it or to log it. */
const usedIn = (event: Event): ReadonlyArray<Term> => {
  switch (event.kind) {
    case "assign":
      return [event.value.term]
    case "operation":
      return event.right === undefined ? [event.left.term] : [event.left.term, event.right.term]
    case "struct":
      return event.value.term.kind === "struct" && /Error(::|$)/.test(event.value.term.path) ? [] : [event.value.term]
    case "call":
      return event.target !== undefined || logging.test(event.name) ? [] : event.args.map(({ term }) => term)
    default:
      return []
  }
}

/** The condition that only requires at least a stored price, in a message that does not record how much was paid. */
export const keptOverpayment = (handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  if (entry.kind !== "execute" || entry.funds === undefined || isAuthorized(entry, facts)) return undefined
  const isPrice = (term: Term): boolean => mentionsApart(term, (one) => storedPlace(one) !== undefined)
  const atLeast = [...facts].find(
    (fact) => fact.kind === "binary" && /^<=?$/.test(fact.operator) && isPaid(entry, fact.right) && isPrice(fact.left),
  )
  if (atLeast?.kind !== "binary") return undefined
  const paid = atLeast.right
  const isUse = (one: Term): boolean => one === paid || one === entry.funds
  if (events.some((event) => usedIn(event).some((term) => mentions(term, isUse)))) return undefined
  return events.find((event) => event.kind === "check" && event.conditions.includes(atLeast))
}
