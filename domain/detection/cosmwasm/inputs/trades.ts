import type { Event } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { isBalanceQuery, isPoolQuery } from "../questions/balanceQueries.ts"
import type { Handler } from "../program/model.ts"
import { type Payment, paymentOf } from "../questions/payments.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { isComputedFrom, storedPlace } from "../program/semantics.ts"
import { touches } from "../questions/touches.ts"

// Exchanges at a price that the trade itself moves, and the minimum that the trader requires.

/** The divisor of a quotient. */
const divisorOf = (term: Term): Term | undefined => {
  if (term.kind === "binary") return term.operator === "/" ? term.right : undefined
  if (term.kind !== "call") return undefined
  if (/^(checked_)?multiply_ratio$/.test(term.name)) return term.args[2]
  if (/^(checked_)?from_ratio$|^(checked_|saturating_)?div(_floor|_ceil|_euclid)?$/.test(term.name)) return term.args[1]
  // `paid.mul_floor((reserve, reserve + paid))`
  const fraction = term.args[1]
  return fraction?.kind === "list" ? fraction.elements[1] : undefined
}

/** Whether it is a balance of the contract: stored, or queried at the time. */
const isReserve = (term: Term): boolean => storedPlace(term) !== undefined || isBalanceQuery(term) || isPoolQuery(term)

/** A decimal's denominator is fixed: dividing by it turns it into an integer. */
const isUnit = (term: Term): boolean => term.kind === "call" && term.name === "denominator"

/** `balance - paid`: what was already paid in is taken off again, so the price is the one before. */
const isTakenOff = (term: Term): Term | undefined => {
  if (term.kind === "binary") return term.operator === "-" ? term.left : undefined
  return term.kind === "call" && /^(checked_|saturating_)?sub$/.test(term.name) ? term.args[0] : undefined
}

/** `reserve * given / (reserve + given)`: the amount given moves its own price. */
const isMoved = ({ entry: { message, funds } }: Handler, term: Term): boolean => {
  const divisor = divisorOf(term)
  return (
    divisor !== undefined &&
    !isUnit(divisor) &&
    isComputedFrom(divisor, isReserve) &&
    isComputedFrom(isTakenOff(divisor) ?? divisor, (one) => one === message || one === funds)
  )
}

/** Whether a result of such a price is compared with a value from the caller, or a function receives both. */
const isLimited = (handler: Handler, priced: (term: Term) => boolean): boolean => {
  const { message } = handler.entry
  const isAsked = (term: Term): boolean => !priced(term) && isComputedFrom(term, (one) => one === message)
  const compares = (one: Term): boolean =>
    one.kind === "binary" &&
    /^(<=?|==)$/.test(one.operator) &&
    ((priced(one.left) && isAsked(one.right)) || (priced(one.right) && isAsked(one.left)))
  return handler.events.some((event: Event) =>
    event.kind === "check"
      ? event.conditions.some((condition) => mentions(condition, compares))
      : event.kind === "call" &&
        !event.method &&
        event.target === undefined &&
        event.args.some(({ term }) => priced(term)) &&
        event.args.some(({ term }) => isAsked(term)),
  )
}

/** A payment whose amount the trade itself moves, without a minimum that the trader accepts. */
export const unlimitedExchange = (handler: Handler): Payment | undefined => {
  const payments = outgoingMessages(handler.events).flatMap((one) => paymentOf(one) ?? [])
  const known = new Map<Term, boolean>()
  const priced = (term: Term): boolean => {
    let is = known.get(term)
    if (is === undefined) known.set(term, (is = mentions(term, (one) => isMoved(handler, one))))
    return is
  }
  const paid = payments.find(({ amount }) => amount !== undefined && priced(amount))
  return paid === undefined || isLimited(handler, priced) ? undefined : paid
}

const limitName = /(^|_)(min|minimum|least|max_spread|belief|slippage)(_|$)/

const isNothing = (term: Term): boolean =>
  (term.kind === "constant" && term.name === "None") ||
  (term.kind === "literal" && /^"?[01]"?$/.test(term.value)) ||
  (term.kind === "call" && (/^zero$/.test(term.name) || (/^(new|from)$/.test(term.name) && term.args.every(isNothing))))

/** A trade on another contract without a minimum. */
export const unlimitedTrade = (handler: Handler): Event | undefined => {
  const { message, env, sender } = handler.entry
  const isOwn = (term: Term | undefined): boolean => term !== undefined && mentions(term, (one) => one === env)
  const isLoose = (one: Term): boolean => {
    if (one.kind !== "struct" || !/(Swap|Exchange|Trade)/.test(one.name)) return false
    const limits = one.fields.filter(([name]) => limitName.test(name))
    return limits.length > 0 && limits.every(([, value]) => isNothing(value))
  }
  const sent = outgoingMessages(handler.events).find(
    ({ fields }) => !isOwn(fields.get("contract_addr")) && [...everySubterm([...fields.values()])].some(isLoose),
  )
  if (sent === undefined) return undefined
  // A step of a route: the first message states the final minimum.
  if (sender !== undefined && comparisonsOf(sender, handler.facts).some(({ against }) => isOwn(against)))
    return undefined
  // The caller's minimum is checked after the trade, by a separate message.
  const isMinimum = (one: Term): boolean =>
    (one.kind === "payload" || one.kind === "field") && limitName.test(one.name) && rootOf(one) === message
  return touches(handler, isMinimum) ? undefined : sent.event
}
