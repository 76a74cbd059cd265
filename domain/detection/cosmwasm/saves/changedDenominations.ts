import type { Event } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath, placeKey, storageWrites } from "../questions/storageWrites.ts"

// Deposits whose denomination is not recorded with them, but looked up when they are paid back, after it may have
// changed.

/** A payment out of a deposit, and the message that can change its denomination. */
export interface ChangedDenomination {
  readonly handler: Handler
  readonly event: Event
  readonly denomination: Term
  readonly setter: Handler
  /** Only an administrator of the contract can change it, rather than whoever owns the record. */
  readonly isAdministered: boolean
}

interface Coins {
  readonly denomination: Term
  readonly amount: Term
}

/** `Coin { denom, amount }`, `coin(amount, denom)`, `coins(amount, denom)`, anywhere in a term. */
const coinsIn = (term: Term): ReadonlyArray<Coins> => {
  const found: Array<Coins> = []
  mentions(term, (one) => {
    const [amount, denomination] =
      one.kind === "struct" && one.name === "Coin"
        ? ["amount", "denom"].map((name) => one.fields.find(([field]) => field === name)?.[1])
        : one.kind === "call" && /^coins?$/.test(one.name)
          ? one.args
          : []
    if (amount !== undefined && denomination !== undefined) found.push({ amount, denomination })
    return false
  })
  return found
}

/** Containers to which a message adds: by saving, or by changing a list before it is saved. */
const growsIn = ({ events }: Handler): ReadonlySet<Term> =>
  new Set([
    ...storageWrites(events).map(({ container }) => container),
    ...events.flatMap((event) =>
      event.kind === "call" && event.method && /^(push|insert|extend)$/.test(event.name)
        ? (storedPlace(event.args[0]!.term)?.container ?? []) // a method has a receiver
        : [],
    ),
  ])

/** For each denomination that payments are compared with, the containers in which such payments are recorded. */
const deposits = (handlers: ReadonlyArray<Handler>): ReadonlyMap<string, ReadonlySet<Term>> => {
  const found = new Map<string, Set<Term>>()
  for (const handler of handlers) {
    const { funds } = handler.entry
    if (funds === undefined) continue
    const places = new Set<string>()
    for (const fact of [
      ...handler.facts,
      ...handler.events.flatMap((one) => (one.kind === "check" ? one.conditions : [])),
    ])
      if (mentions(fact, (one) => one === funds))
        mentions(fact, (one) => {
          const key = one.kind === "field" && storedPlace(one)?.key !== undefined ? placeKey(one) : undefined
          if (key !== undefined) places.add(key)
          return false
        })
    const grown = places.size === 0 ? new Set<Term>() : growsIn(handler)
    for (const place of places) {
      const known = found.get(place)
      if (known === undefined) found.set(place, new Set(grown))
      else for (const one of grown) known.add(one)
    }
  }
  return found
}

/** Messages that replace a denomination with one from the caller, by the place of the denomination. */
const settersOf = (handlers: ReadonlyArray<Handler>): ReadonlyMap<string, Handler> => {
  const found = new Map<string, Handler>()
  for (const handler of handlers) {
    const { message } = handler.entry
    const chosen = storageWrites(handler.events).filter(
      ({ key, path, value }) => key !== undefined && path !== "" && mentions(value, (one) => one === message),
    )
    // An entry that did not exist has no deposits, and neither has one that has to be empty.
    const absent = chosen.length === 0 ? [] : [...handler.facts].filter(({ kind }) => kind === "not")
    const free = new Set([...everySubterm(absent)].flatMap((one) => storedPlace(one)?.container ?? []))
    const isEmpty = [...handler.facts].some((fact) => fact.kind === "call" && fact.name === "is_empty")
    for (const { container, path } of chosen)
      if (!free.has(container) && !isEmpty) found.set(`${container.id}:${path}`, handler)
  }
  return found
}

/** Whether the sender has to be an account that is stored once for the whole contract. */
const isAdministered = ({ entry: { sender }, facts }: Handler): boolean =>
  sender !== undefined &&
  comparisonsOf(sender, facts).some(({ operator, against, fact }) => {
    const place = storedPlace(against)
    return (
      operator === "==" &&
      fact.kind === "binary" &&
      fact.operator === "==" &&
      place !== undefined &&
      place.key === undefined
    )
  })

/** Payments of what was deposited, in a denomination that somebody can change between deposit and payment. */
export const changedDenominations = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<ChangedDenomination> => {
  const handlers = entryPoints.filter(({ kind }) => kind === "execute").flatMap((entry) => entry.handlers)
  const setters = settersOf(handlers)
  if (setters.size === 0) return []
  const taken = deposits(handlers)
  const found = new Map<string, ChangedDenomination>()
  for (const handler of handlers)
    for (const { path, fields, event } of outgoingMessages(handler.events)) {
      const coins = path === "BankMsg::Send" ? fields.get("amount") : undefined
      for (const { denomination, amount } of coins === undefined ? [] : coinsIn(coins)) {
        const place = fieldPath(denomination) === "" ? undefined : placeKey(denomination)
        const setter = place === undefined ? undefined : setters.get(place)
        const kept = place === undefined ? undefined : taken.get(place)
        if (place === undefined || setter === undefined || kept === undefined || found.has(place)) continue
        const isKept = (one: Term): boolean => {
          const container = storedPlace(one)?.container
          return container !== undefined && kept.has(container)
        }
        if (mentions(amount, isKept))
          found.set(place, { handler, event, denomination, setter, isAdministered: isAdministered(setter) })
      }
    }
  return [...found.values()]
}
