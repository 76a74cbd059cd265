import {
  type AssignEvent,
  type CallEvent,
  callsNamed,
  type Event,
  ofKind,
  type OperationEvent,
} from "./terms/events.ts"
import type { Term } from "./terms/terms.ts"
import { changeOf, clock, type Labels, placesWith } from "./siblingConditions.ts"

// What a record earned since it was last looked at: its balance times how far an index has come from the copy in the
// record. Whoever changes the balance first is paid for what was not there.

export interface Earner<Subject> {
  readonly subject: Subject
  readonly events: ReadonlyArray<Event>
  readonly labels: Labels
  readonly isNew: (event: AssignEvent) => boolean
}

/** A product of a balance and an advance, `user.stake * (pool.index - user.index)`. */
interface Product {
  readonly order: number
  readonly record: Term
  readonly balance: string
  readonly copy: string
  /** Where the index stands. */
  readonly index: string
}

const kindOf = (place: string): string => place.slice(0, place.lastIndexOf("."))

/** What stands in a cast, a conversion or a reference. */
const bare = (term: Term): Term => {
  let one = term
  for (;;)
    if (one.kind === "cast") one = one.value
    else if (one.kind === "call" && one.args.length === 1 && one.name !== "stored" && one.name !== "state")
      one = one.args[0]!
    else return one
}

/** The minuend and subtrahend of a difference, however it is computed. */
const differenceIn = (term: Term): readonly [Term, Term] | undefined => {
  const one = bare(term)
  if (one.kind === "binary" && one.operator === "-") return [bare(one.left), bare(one.right)]
  if (one.kind !== "call" || !one.name.endsWith("sub") || one.args.length !== 2) return undefined
  return [bare(one.args[0]!), bare(one.args[1]!)]
}

const factorsIn = (event: OperationEvent | CallEvent): readonly [Term, Term] | undefined => {
  if (event.kind === "operation")
    return event.operator === "*" && event.right !== undefined ? [event.left.term, event.right.term] : undefined
  const [left, right] = event.args
  return left === undefined || right === undefined ? undefined : [left.term, right.term]
}

interface Change {
  readonly place: string
  readonly event: AssignEvent
  /** The place, or the time, that is copied. */
  readonly from: string | undefined
}

interface Known {
  readonly products: ReadonlyArray<Product>
  readonly changes: ReadonlyArray<Change>
}

const knownOf = <Subject>({ events, labels }: Earner<Subject>): Known => {
  const placesOf = placesWith(labels)
  const indexIn = (term: Term): string | undefined => labels(term) ?? (placesOf(term)?.has(clock) ? clock : undefined)
  const products: Array<Product> = []
  const changes: Array<Change> = []
  for (const event of ofKind(events, "assign")) {
    const place = labels(event.target.term)
    if (place !== undefined) changes.push({ place, event, from: indexIn(bare(event.value.term)) })
  }
  for (const event of [...ofKind(events, "operation"), ...callsNamed(events, /mul(_|$|tiply)/)]) {
    const factors = factorsIn(event)
    if (factors === undefined) continue
    for (const [balance, advance] of [factors, factors.toReversed()] as ReadonlyArray<readonly [Term, Term]>) {
      const [from, copied] = differenceIn(advance) ?? []
      if (from === undefined || copied?.kind !== "field") continue
      const copy = labels(copied)
      const index = indexIn(from)
      if (copy === undefined || index === undefined || kindOf(index) === kindOf(copy)) continue
      const own = [...(placesOf(balance) ?? [])].filter((one) => kindOf(one) === kindOf(copy) && one !== copy)
      if (own.length === 1) products.push({ order: event.order, record: copied.base, balance: own[0]!, copy, index })
    }
  }
  return { products: products.toSorted((a, b) => a.order - b.order), changes }
}

export interface Unsettled<Subject> {
  readonly subject: Subject
  readonly event: AssignEvent
  readonly copy: string
  /** A rate per time, not a balance that shares in an index. */
  readonly isRate: boolean
}

/** Balances that change before what they earned is settled. */
export const unsettled = <Subject>(earners: ReadonlyArray<Earner<Subject>>): ReadonlyArray<Unsettled<Subject>> => {
  const known = earners.map((one) => [one, knownOf(one)] as const)
  // The copy has to follow the index: otherwise it is a price or a start.
  const followed = new Set(known.flatMap(([, { changes }]) => changes.map(({ place, from }) => `${place} ${from}`)))
  const copies = new Map(
    known.flatMap(([, { products }]) =>
      products.flatMap((one) => (followed.has(`${one.copy} ${one.index}`) ? [[one.balance, one] as const] : [])),
    ),
  )
  return known.flatMap(([{ subject, labels, isNew }, { products, changes }]) => {
    const told = new Set<Term>()
    return changes.flatMap(({ place, event }): ReadonlyArray<Unsettled<Subject>> => {
      const { term } = event.target
      const earned = copies.get(place)
      if (earned === undefined || term.kind !== "field" || told.has(term.base) || isNew(event)) return []
      const isSet = changeOf(event.operator, event.value.term, (one) => labels(one) === place) === undefined
      // A new rate applies to the time that has passed; a new balance is that of another record.
      if (isSet && (earned.index !== clock || labels(event.value.term) === place)) return []
      const isOwn = (one: Term): boolean => one === term.base
      const before = products.some((one) => one.balance === place && isOwn(one.record) && one.order < event.order)
      const set = changes.some((one) => one.place === earned.copy && one.event.order < event.order)
      if (before || set) return []
      told.add(term.base)
      return [{ subject, event, copy: earned.copy, isRate: earned.index === clock }]
    })
  })
}
