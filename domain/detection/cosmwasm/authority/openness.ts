import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { alternativesAmong } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { authorityPlaces, isAuthorized, isPresence } from "./authority.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { configured, isVouchedFor, privilegedPlaces } from "./records.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"
import { savedWrites } from "../questions/storageWrites.ts"

// The questions about a message that might be open to anyone, and what an answer consists of.

export interface OpenPower {
  readonly event: Event
  readonly message: string
  readonly severity?: "high" | "medium" | "low"
  readonly confidence?: "medium" | "low"
}

/** A message, and what is known about the contract's storage. */
export interface Asked {
  readonly entry: EntryPoint
  readonly handler: Handler
  readonly authorities: ReadonlySet<string>
  readonly privileged: ReadonlySet<string>
  readonly config: ReadonlySet<Term>
  readonly lists: ReadonlyMap<Term, ReadonlySet<Handler>>
}

const requiredBy = (event: Event): ReadonlyArray<Term> => (event.kind === "check" ? event.conditions : [])

/** Lists by the messages that are accepted only if an entry is on them, or is not. */
const listsAsked = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Term, ReadonlySet<Handler>> => {
  const asked = new Map<Term, Set<Handler>>()
  for (const handler of entryPoints.flatMap(({ kind, handlers }) => (kind === "execute" ? handlers : [])))
    for (const fact of [...handler.facts, ...handler.events.flatMap(requiredBy)]) {
      const one = fact.kind === "not" ? fact.operand : fact
      const place = one.kind === "is" && one.variant === "Some" ? storedPlace(one.value) : undefined
      if (place?.key === undefined) continue
      const known = asked.get(place.container)
      if (known === undefined) asked.set(place.container, new Set([handler]))
      else known.add(handler)
    }
  return asked
}

/** What the storage of a contract reveals about trust, for all of its messages. */
export const keptIn = (crate: CosmWasmCrate): Omit<Asked, "entry" | "handler"> => ({
  authorities: authorityPlaces(crate),
  privileged: privilegedPlaces(crate),
  config: configured(crate),
  lists: listsAsked(crate),
})

const arithmetic = /^(checked|saturating|wrapping|overflowing)_|^(add|sub|mul|div|multiply_ratio|mul_floor|mul_ceil)$/

export const isComputed = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "binary" || (one.kind === "call" && arithmetic.test(one.name)))

export const isChosen = ({ entry: { message } }: Asked, term: Term): boolean => mentions(term, (one) => one === message)

/** The accounts for which the sender stands in where the message leaves them out: `parent.unwrap_or(info.sender)`. */
const replacedIn = (key: Term, sender: Term | undefined): ReadonlySet<Term> =>
  new Set(
    [...everySubterm([key])].flatMap((one) =>
      one.kind === "choice" && one.alternatives.some((each) => each === sender) ? one.alternatives : [],
    ),
  )

/** `parent.is_none() || info.sender == owner` before an entry of an account that the sender stands in for. */
const isOwnOrAllowed = (entry: EntryPoint, replaced: ReadonlySet<Term>, fact: Term): boolean => {
  if (fact.kind === "binary" && fact.operator === "||")
    return isOwnOrAllowed(entry, replaced, fact.left) && isOwnOrAllowed(entry, replaced, fact.right)
  return fact.kind === "not" && isPresence(fact.operand) && fact.operand.kind === "is"
    ? replaced.has(fact.operand.value)
    : isAuthorized(entry, new Set([fact]))
}

/** Writes of a handler that nothing authorizes. */
export const openWrites = ({ entry, handler }: Asked) =>
  savedWrites(handler.events).filter(({ key, event: { facts } }) => {
    if (isAuthorized(entry, facts)) return false
    if (key === undefined) return true
    if (isVouchedFor(entry, facts)) return false
    const replaced = replacedIn(key, entry.sender)
    return replaced.size === 0 || !alternativesAmong(facts).some((fact) => isOwnOrAllowed(entry, replaced, fact))
  })

const containersChecked = oncePer((handler: Handler): ReadonlySet<Term> => {
  const parts = everySubterm([...handler.facts].filter((fact) => !isPresence(fact)))
  return new Set([...parts].flatMap((one) => storedPlace(one)?.container ?? []))
})

/** Whether an entry found in the container is checked. */
export const isFoundFree = ({ handler }: Pick<Asked, "handler">, container: Term): boolean =>
  containersChecked(handler).has(container)

/** Whether a function has confirmed that the caller's value matches stored data: a proof, or a list. */
export const isVerified = (fact: Term): boolean =>
  fact.kind === "call" && mentions(fact, (one) => storedPlace(one) !== undefined)

/**
 * Whether the caller's value is compared with stored data, as with a proof, a signature or a lookup, or the time
 * permits it.
 */
export const isAllowed = (entry: EntryPoint, fact: Term): boolean => {
  const { message } = entry
  if (fact.kind === "is" || isPresence(fact)) return false
  if (asksClock(entry, fact)) return true
  return (
    (fact.kind !== "binary" || fact.operator === "==") &&
    mentions(fact, (one) => one === message) &&
    mentionsApart(fact, (one) => storedPlace(one) !== undefined)
  )
}
