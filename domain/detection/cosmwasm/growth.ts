import { type Event, guaranteed } from "../rust/terms/events.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import { isAuthorized } from "./authority.ts"
import { asksClock } from "./blockTime.ts"
import type { CosmWasmCrate, EntryPoint } from "./model.ts"
import { happensOnce } from "./openPowers.ts"
import { isTied, isVouchedFor } from "./records.ts"
import { storedPlace } from "./semantics.ts"
import { storageWrites } from "./storageWrites.ts"

// What grows with messages of people whom nothing vouches for: maps, and lists inside of records.

interface Growth {
  /** Containers that grow with messages of people whom nothing vouches for. */
  readonly open: ReadonlySet<Term>
  /** Those that strangers fill below a key that is not their own. */
  readonly below: ReadonlySet<Term>
}

/** An entry that a message adds, and whom it asks. */
interface Addition {
  readonly container: Term
  readonly isOwn: boolean
  /** Containers in which something has to be for it. */
  readonly needed: ReadonlySet<Term>
}

const additionsTo = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<Addition> =>
  entryPoints
    .filter(({ kind }) => kind === "execute")
    .flatMap(({ handlers }) => handlers)
    .filter((handler) => !happensOnce(handler))
    .flatMap(({ entry, events }) =>
      storageWrites(events).flatMap(({ container, key, event }): ReadonlyArray<Addition> => {
        if (key === undefined || event.operator === "remove" || isAuthorized(entry, event.facts)) return []
        if (!adds(container, key) || isPaced(entry, key, event)) return []
        const head = key.kind === "list" ? (key.elements[0] ?? key) : key
        const isOwn =
          mentions(head, (one) => one === entry.sender) ||
          isTied(entry, head, event.facts) ||
          isVouchedFor(entry, event.facts)
        const needed = [...guaranteed(event)].flatMap((fact) =>
          fact.kind === "is" && fact.variant === "Some" ? (storedPlace(fact.value) ?? []) : [],
        )
        return [{ container, isOwn, needed: new Set(needed.map((one) => one.container)) }]
      }),
    )

/** What a trusted account lists first, and others then add to, grows no further than that list. */
export const growthOf = (crate: CosmWasmCrate): Growth => {
  const additions = additionsTo(crate)
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

/** The key is not one of an entry that an iteration came upon. */
const adds = (container: Term, key: Term): boolean =>
  !mentions(key, (one) => one.kind === "call" && one.name === "anyKey" && one.args[0] === container)

/** A key that the caller has no part in, where the clock has to allow it: one entry for each epoch. */
const isPaced = (entry: EntryPoint, key: Term, { facts }: Event): boolean =>
  !mentions(key, (one) => one === entry.sender || one === entry.message) &&
  [...facts].some((fact) => fact.kind === "binary" && /^<=?$/.test(fact.operator) && asksClock(entry, fact.right))

/** Records with a list to which people whom nothing vouches for add, without a look at its length. */
export const openLists = ({ entryPoints }: CosmWasmCrate): ReadonlySet<Term> => {
  const open = new Set<Term>()
  for (const entry of entryPoints) {
    if (entry.kind !== "execute") continue
    for (const event of entry.events) {
      if (event.kind !== "call" || !event.method || !/^(push|extend)$/.test(event.name)) continue
      const place = event.args[0] === undefined ? undefined : storedPlace(event.args[0].term)
      if (place === undefined || isAuthorized(entry, event.facts)) continue
      // A list of one's own holds up nobody else.
      if (place.key !== undefined && mentions(place.key, (one) => one === entry.sender)) continue
      const isMeasured = [...event.facts].some((fact) =>
        mentions(
          fact,
          (one) => one.kind === "call" && one.name === "len" && mentions(one, (part) => part === place.container),
        ),
      )
      if (!isMeasured) open.add(place.container)
    }
  }
  return open
}
