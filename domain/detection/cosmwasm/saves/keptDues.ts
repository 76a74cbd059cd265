import type { Event } from "../../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { isReceiveHook } from "../authority/authority.ts"
import type { Handler } from "../program/model.ts"
import { paymentOf } from "../questions/payments.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"
import { isRaised, isTrusted } from "./unreadMarks.ts"

// What is due to an account according to its record, is paid, and stays in the record.

/** Methods and functions that hand on a number. */
const handing =
  /^(u128|u64|to_string|into|from|new|try_into|try_from|coin|coins|vec|unwrap_or|unwrap_or_default|min|clone|map_err)$/

/** What is put into lists and collections of coins, by where it is put. */
export const gatheredIn = (events: ReadonlyArray<Event>): ReadonlyMap<Term, ReadonlyArray<Term>> => {
  const gathered = new Map<Term, Array<Term>>()
  for (const event of events) {
    if (event.kind !== "call" || !event.method || event.target !== undefined || !/^(add|push)$/.test(event.name))
      continue
    const [into, ...others] = event.args.map(({ term }) => term)
    const known = into === undefined ? undefined : gathered.get(into)
    if (known !== undefined) known.push(...others)
    else if (into !== undefined) gathered.set(into, others)
  }
  return gathered
}

/** The amounts that payments are the sums of: all of each is paid. */
export const paidIn = (
  amounts: Iterable<Term>,
  gathered: ReadonlyMap<Term, ReadonlyArray<Term>>,
): ReadonlySet<Term> => {
  const parts = new Set(amounts)
  // A set also iterates over what is added in the meantime.
  for (const one of parts) {
    for (const part of gathered.get(one) ?? []) parts.add(part)
    if (one.kind === "list") for (const part of one.elements) parts.add(part)
    else if (one.kind === "choice") for (const part of one.alternatives) parts.add(part)
    else if (one.kind === "struct") for (const [, part] of one.fields) parts.add(part)
    else if (one.kind === "cast") parts.add(one.value)
    else if (one.kind === "binary" && one.operator === "+") parts.add(one.left).add(one.right)
    else if (one.kind === "call" && (handing.test(one.name) || isRaised(one)))
      for (const part of one.args) parts.add(part)
  }
  return parts
}

/** Whether a value is what is stored and something else, at least on some path, and nothing less on any. */
const isMoreOf = (stored: Term, value: Term): boolean => {
  const mentionsIt = (one: Term): boolean => mentionsApart(one, (part) => part === stored)
  if (value.kind !== "choice") return isRaised(value) && mentionsIt(value)
  return value.alternatives.every(mentionsIt) && value.alternatives.some(isRaised)
}

/** The stored numbers that events only add to: whatever else is done to one may take something off. */
const onlyRaised = (events: ReadonlyArray<Event>): ReadonlySet<Term> => {
  const raised = new Set<Term>()
  const others = new Set<Term>()
  const removed = new Set<Term>()
  for (const event of events) {
    if (event.kind !== "assign") continue
    const { operator } = event
    const [target, value] = [event.target.term, event.value.term]
    const isMore = operator === "+" || isMoreOf(target, value)
    if (isMore) raised.add(target)
    // A changed copy is saved.
    else if (value !== target) others.add(target)
    const container = operator === "remove" ? storedPlace(target)?.container : undefined
    if (container !== undefined) removed.add(container)
  }
  return new Set(
    [...raised].filter((one) => {
      const place = storedPlace(one)
      return place !== undefined && !others.has(one) && !others.has(rootOf(one)) && !removed.has(place.container)
    }),
  )
}

/** A payment of the whole amount due according to a record, in a message that adds to the record and deducts nothing. */
export const keptDue = (handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  const { sender, message } = entry
  if (entry.kind !== "execute" || sender === undefined || isReceiveHook(handler) || isTrusted(handler, facts))
    return undefined
  const raised = onlyRaised(events)
  const isDue = (one: Term): boolean => {
    const key = raised.has(one) ? storedPlace(one)?.key : undefined
    return key !== undefined && mentions(key, (part) => part === sender || part === message)
  }
  if (raised.size === 0) return undefined
  const gathered = gatheredIn(events)
  for (const one of outgoingMessages(events)) {
    const payment = paymentOf(one)
    if (payment?.amount !== undefined && [...paidIn([payment.amount], gathered)].some(isDue)) return payment.event
  }
  return undefined
}
