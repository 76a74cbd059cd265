import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, rootOf, subterms, type Term } from "../../rust/terms/terms.ts"
import { isBalanceQuery, isHoldingsQuery } from "../questions/balanceQueries.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { outgoingMessages, sentTerms } from "../questions/questions.ts"
import { storageWrites } from "../questions/storageWrites.ts"

/** A query whose answer determines what a message does. */
export interface LiveDecision {
  readonly query: CallEvent
  /** `ceiling`: it continues only while the answer is small; `floor`: only once it is large; `both`: it branches. */
  readonly bound: "ceiling" | "floor" | "both"
  readonly fact: Term
  /** Whether it concerns one balance divided by another. */
  readonly price: boolean
}

const isLive = (term: Term): boolean => isBalanceQuery(term) || isHoldingsQuery(term)
const asks = (term: Term): boolean => mentions(term, isLive)

/** Whether one balance is divided by another: a price, rather than an amount. */
const isPrice = (term: Term): boolean =>
  mentions(term, (one) => {
    if (one.kind === "binary" && one.operator === "/") return asks(one.left) && asks(one.right)
    return (
      one.kind === "call" &&
      /^(checked_)?(from_ratio|multiply_ratio|div(_floor|_ceil)?)$/.test(one.name) &&
      one.args.filter(asks).length > 1
    )
  })

/** `limit.checked_sub(balance)?` continues only while the balance is within the limit. */
const asComparison = (fact: Term): Term => {
  if (fact.kind !== "succeeded" || fact.call.kind !== "call" || fact.call.name !== "checked_sub") return fact
  const [limit, taken] = fact.call.args
  if (limit === undefined || taken === undefined || !asks(taken)) return fact
  return { id: fact.id, depth: fact.depth, kind: "binary", operator: "<=", left: taken, right: limit }
}

/** The first of some queries whose answer is part of a term. */
const firstAmong = (queries: ReadonlyArray<CallEvent>): ((term: Term) => CallEvent | undefined) => {
  const positions = new Map(queries.map(({ result }, at) => [result.term, at] as const).toReversed())
  return (term) => {
    let first = queries.length
    for (const part of everySubterm([term])) first = Math.min(first, positions.get(part) ?? first)
    return queries[first]
  }
}

/** The values that a term takes from the message. */
const leavesOf = (term: Term, message: Term | undefined): ReadonlyArray<Term> => {
  const parts = [...everySubterm([term])].filter((one) => rootOf(one) === message)
  const bases = new Set(parts.flatMap((one) => subterms(one)))
  return parts.filter((one) => !bases.has(one))
}

/** Decisions on live balances that lead to a write or a message, except whether there is enough to pay. */
export const liveDecisions = (entry: EntryPoint, handler: Handler): ReadonlyArray<LiveDecision> => {
  const queries = handler.events.filter(
    (event): event is CallEvent => event.kind === "call" && isLive(event.result.term),
  )
  if (queries.length === 0) return []
  const consequences = [
    ...handler.events.filter((event) => event.kind === "assign"),
    ...outgoingMessages(handler.events).map(({ event }) => event),
  ]
  const isRequested = (term: Term): boolean => mentions(term, (one) => one === entry.message || one === entry.funds)
  // What the caller only wants compared limits the caller's own trade.
  const effects = everySubterm([
    ...sentTerms(handler.events),
    ...storageWrites(handler.events).map(({ value }) => value),
  ])
  const isLimit = (term: Term): boolean => {
    const asked = leavesOf(term, entry.message)
    return asked.length > 0 && !asked.some((one) => effects.has(one))
  }
  // An amount that another contract requests and receives.
  const sent = sentTerms(handler.events)
  const isSent = (term: Term): boolean => {
    const asked = new Set<Term>()
    mentions(term, (one) => {
      if (one.kind === "call" && one.name.startsWith("query")) asked.add(one)
      return false
    })
    return [...asked].some((one) => sent.has(one))
  }
  const firstIn = firstAmong(queries)
  const found = new Map<CallEvent, { ceiling?: Term; floor?: Term }>()
  const met = new Set<Facts>()
  const facts = [handler.facts, ...consequences.map((event) => event.facts)].flatMap((one) => factsNotMet(one, met))
  for (const one of new Set(facts)) {
    const fact = asComparison(one)
    if (fact.kind !== "binary" || !/^(<=?|==)$/.test(fact.operator)) continue
    const left = asks(fact.left)
    if (left === asks(fact.right)) continue
    const [live, other] = left ? [fact.left, fact.right] : [fact.right, fact.left]
    // Zero, and the amount requested by the caller: whether there is enough to pay.
    if (other.kind === "call" && other.name === "zero") continue
    if (!left && fact.operator !== "==" && (isRequested(other) || isSent(other)) && (!isPrice(live) || isLimit(other)))
      continue
    const query = firstIn(live)
    if (query === undefined) continue
    const known = found.get(query) ?? {}
    found.set(query, left && fact.operator !== "==" ? { ...known, ceiling: fact } : { ...known, floor: fact })
  }
  return [...found].map(([query, { ceiling, floor }]) => ({
    query,
    bound: ceiling !== undefined && floor !== undefined ? "both" : ceiling !== undefined ? "ceiling" : "floor",
    fact: (ceiling ?? floor)!, // one of them was set when the query was added
    price: isPrice((ceiling ?? floor)!),
  }))
}

/** The first event at which each fact holds. */
export const firstWith = oncePer(({ events }: Handler): ReadonlyMap<Term, Event> => {
  const met = new Set<Facts>()
  const first = new Map<Term, Event>()
  for (const event of events)
    for (const fact of factsNotMet(event.facts, met)) if (!first.has(fact)) first.set(fact, event)
  return first
})

/** The checks that require each condition. */
export const checksFor = oncePer(({ events }: Handler) =>
  indexBy(
    events.filter((one) => one.kind === "check"),
    ({ conditions }) => conditions,
  ),
)
