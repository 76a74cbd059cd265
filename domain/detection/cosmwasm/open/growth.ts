import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { anyFact, toldBy } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { isAuthorized } from "../authority/authority.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, EntryPoint } from "../program/model.ts"
import { happensOnce } from "./openPlaces.ts"
import { isTied, isVouchedFor } from "../authority/records.ts"
import { storedPlace } from "../program/semantics.ts"
import { type StorageWrite, storageWrites } from "../questions/storageWrites.ts"

// Storage that unvetted accounts can grow: maps, and lists inside records.

interface Growth {
  /** Containers that unvetted accounts can grow. */
  readonly open: ReadonlySet<Term>
  /** Containers that strangers fill below keys that are not their own. */
  readonly below: ReadonlySet<Term>
}

/** An entry that a message adds, and whose approval it requires. */
interface Addition {
  readonly container: Term
  readonly isOwn: boolean
  /** Containers that must contain an entry for it. */
  readonly needed: ReadonlySet<Term>
}

const additionsOf = (entry: EntryPoint): ReadonlyArray<Addition> => {
  const asksClockFor = anyFact(
    (fact) => fact.kind === "binary" && /^<=?$/.test(fact.operator) && asksClock(entry, fact.right),
  )
  /** A key that the caller does not influence and that the clock must allow: one entry per epoch. */
  const isPaced = (key: Term, { facts }: Event): boolean =>
    !mentions(key, (one) => one === entry.sender || one === entry.message) && asksClockFor(facts)
  const placesFound = toldBy((fact) => {
    const place = fact.kind === "is" && fact.variant === "Some" ? storedPlace(fact.value) : undefined
    return place === undefined ? [] : [place]
  })
  const addition = ({ container, key, event }: StorageWrite): ReadonlyArray<Addition> => {
    if (key === undefined || event.operator === "remove" || isAuthorized(entry, event.facts)) return []
    if (!adds(container, key) || isPaced(key, event) || measuredIn(event.facts).includes(container)) return []
    const found = placesFound(guaranteed(event))
    // What was loaded is saved again.
    if (found.some((one) => one.container === container && one.key === key)) return []
    const head = key.kind === "list" ? (key.elements[0] ?? key) : key
    const isOwn =
      mentions(head, (one) => one === entry.sender) ||
      isTied(entry, head, event.facts) ||
      isVouchedFor(entry, event.facts)
    return [{ container, isOwn, needed: new Set(found.map((one) => one.container)) }]
  }
  const handlers = entry.handlers.filter((handler) => !happensOnce(handler))
  return handlers.flatMap(({ events }) => storageWrites(events).flatMap(addition))
}

/** If a trusted account lists entries first and others add to them, the storage grows no further than that list. */
export const growthOf = (crate: CosmWasmCrate): Growth => {
  const additions = crate.entryPoints.filter(({ kind }) => kind === "execute").flatMap(additionsOf)
  const grown = new Set(additions.map(({ container }) => container))
  const listed = new Set(
    crate.entryPoints
      .flatMap(({ events }) => storageWrites(events))
      .flatMap(({ key, container }) => (key === undefined ? [] : [container])),
  )
  const isListed = ({ container, needed }: Addition): boolean =>
    [...needed].some((one) => one !== container && listed.has(one) && !grown.has(one))
  const free = additions.filter((one) => !isListed(one))
  return {
    open: new Set(free.map(({ container }) => container)),
    below: new Set(free.filter(({ isOwn }) => !isOwn).map(({ container }) => container)),
  }
}

/** The key is not that of an entry found by an iteration. */
const adds = (container: Term, key: Term): boolean =>
  !mentions(key, (one) => one.kind === "call" && one.name === "anyKey" && one.args[0] === container)

/** Containers whose number of entries, or the length of whose lists, a fact is about. */
const measured = (fact: Term): ReadonlyArray<Term> => {
  const lengths = [...everySubterm([fact])].filter((one) => one.kind === "call" && /^(len|count)$/.test(one.name))
  return lengths.length === 0 ? [] : [...everySubterm(lengths)]
}

const measuredIn = toldBy(measured)

/** `list.retain(|one| now - one.time < window)` before: what is older than that leaves the list. */
const isPurged = (entry: EntryPoint, container: Term, added: Event): boolean =>
  entry.events.some(
    (event) =>
      event.kind === "call" &&
      event.name === "retain" &&
      event.order < added.order &&
      event.args[0] !== undefined &&
      storedPlace(event.args[0].term)?.container === container &&
      asksClock(entry, event.result.term),
  )

/** Records with a list to which unvetted accounts add without a check of its length. */
export const openLists = ({ entryPoints }: CosmWasmCrate): ReadonlySet<Term> => {
  const open = new Set<Term>()
  for (const entry of entryPoints) {
    if (entry.kind !== "execute") continue
    for (const event of entry.events) {
      if (event.kind !== "call" || !event.method || !/^(push|extend)$/.test(event.name)) continue
      const place = event.args[0] === undefined ? undefined : storedPlace(event.args[0].term)
      if (place === undefined || isAuthorized(entry, event.facts)) continue
      // A caller's own list blocks nobody else.
      if (place.key !== undefined && mentions(place.key, (one) => one === entry.sender)) continue
      if (measuredIn(event.facts).includes(place.container) || isPurged(entry, place.container, event)) continue
      open.add(place.container)
    }
  }
  return open
}
