import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { mentionsOutside, storedPlace } from "../program/semantics.ts"
import { placeKey, storageWrites } from "../questions/storageWrites.ts"

// Keys of new records that come from a stored counter which nothing advances.

/** Places that messages change once the contract exists, as place keys; a whole record by its container alone. */
const placesChanged = (handlers: ReadonlyArray<Handler>): ReadonlySet<string> =>
  new Set(
    handlers.flatMap(({ events }) => storageWrites(events).map(({ container, path }) => `${container.id}:${path}`)),
  )

const formatting = /^(format!|to_string|from|into|add|checked_add|to_[bl]e_bytes|to_vec|as_bytes)$/

/**
 * The stored counter that a key is made of, and of nothing that the message, the block or an answer determines. Of one
 * sender, the next entry replaces the previous one.
 */
const counterIn = ({ entry: { message, env, funds } }: Handler, key: Term): Term | undefined => {
  const places = new Set<Term>()
  const isOther = (one: Term): boolean => {
    if (one === message || one === env || one === funds || one.kind === "opaque") return true
    const place = one.kind === "call" || one.kind === "field" ? storedPlace(one) : undefined
    if (place === undefined) return one.kind === "call" && !formatting.test(one.name)
    if (place.key === undefined) places.add(one)
    return place.key !== undefined
  }
  if (mentionsOutside(key, isOther, (one) => one.kind === "call" && storedPlace(one) !== undefined)) return undefined
  for (const one of places) if (one.kind === "field") places.delete(one.base)
  return places.size === 1 ? [...places][0] : undefined
}

/** Where a message saves what it is given under a key that is the same each time. */
export const idleCounters = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Handler, Event> => {
  const found = new Map<Handler, Event>()
  if (entryPoints.some(({ walk }) => walk.truncated)) return found
  const later = entryPoints
    .filter(({ kind }) => kind !== "query" && kind !== "instantiate")
    .flatMap(({ handlers }) => handlers)
  const changed = placesChanged(later)
  for (const handler of later) {
    if (handler.entry.kind !== "execute") continue
    const { sender, message, funds } = handler.entry
    for (const { container, key, value, event } of storageWrites(handler.events)) {
      if (key === undefined || event.operator !== "=" || event.target.term.kind !== "call" || found.has(handler))
        continue
      const counter = counterIn(handler, key)
      const place = counter === undefined ? undefined : storedPlace(counter)
      if (counter === undefined || place === undefined || place.container === container) continue
      if (changed.has(placeKey(counter) ?? "") || changed.has(`${place.container.id}:`)) continue
      if (mentions(value, (one) => one === sender || one === message || one === funds)) found.set(handler, event)
    }
  }
  return found
}
