import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath, placeKey, storageWrites } from "../questions/storageWrites.ts"
import { touches } from "../questions/touches.ts"
import { isRaised } from "./unreadMarks.ts"

// Records that their owner has to leave alone until a time, and messages that release them to the owner before.

const ownKey = "own key"

/** Where the record stores its owner: the field that the sender is compared with, or its key. */
const ownersIn = ({ entry: { sender }, facts, events }: Handler, container: Term): ReadonlySet<string> => {
  const owners = new Set<string>()
  if (sender === undefined) return owners
  for (const { operator, against } of comparisonsOf(sender, facts))
    if (operator === "==" && storedPlace(against)?.container === container && fieldPath(against) !== "")
      owners.add(placeKey(against) ?? "")
  const isOwn = ({ container: of, key }: { readonly container: Term; readonly key: Term | undefined }): boolean =>
    of === container && key !== undefined && mentions(key, (one) => one === sender)
  if (storageWrites(events).some(isOwn)) owners.add(ownKey)
  return owners
}

/** What a record is locked until, by place, with who waits for it. */
const locksIn = (handlers: ReadonlyArray<Handler>): ReadonlyMap<Term, ReadonlyMap<string, ReadonlySet<string>>> => {
  const locks = new Map<Term, Map<string, ReadonlySet<string>>>()
  for (const handler of handlers) {
    const known = new Map<Term, ReadonlySet<string>>()
    for (const fact of handler.facts) {
      if (fact.kind !== "binary" || !/^<=?$/.test(fact.operator) || !asksClock(handler.entry, fact.right)) continue
      const place = fact.left.kind === "field" ? storedPlace(fact.left) : undefined
      if (place?.key === undefined) continue
      const owners = known.get(place.container) ?? ownersIn(handler, place.container)
      known.set(place.container, owners)
      const times = locks.get(place.container) ?? new Map<string, ReadonlySet<string>>()
      locks.set(place.container, times)
      const path = fieldPath(fact.left)
      times.set(path, new Set([...(times.get(path) ?? []), ...owners]))
    }
  }
  return locks
}

const scaling = /^(multiply_ratio|mul\w*|checked_mul\w*|div\w*|checked_div\w*|(checked_|saturating_)?sub)$/

/** Less than the whole: the owner pays for leaving early. */
const isReduced = (term: Term): boolean =>
  mentions(
    term,
    (one) => (one.kind === "binary" && /^[-*/]$/.test(one.operator)) || (one.kind === "call" && scaling.test(one.name)),
  )

/** Whether what the removed record holds is sent away, or added to another record of the kind. */
const isReleased = ({ events }: Handler, container: Term): boolean => {
  const isContent = (one: Term): boolean => one.kind === "field" && storedPlace(one)?.container === container
  const isWhole = (term: Term): boolean => mentions(term, isContent) && !isReduced(term)
  return (
    outgoingMessages(events).some(({ fields }) =>
      [...fields].some(([name, value]) => name !== "to_address" && isWhole(value)),
    ) ||
    storageWrites(events).some(({ container: into, value }) => into === container && isRaised(value) && isWhole(value))
  )
}

const isEarly = (handler: Handler, container: Term, times: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  const owners = ownersIn(handler, container)
  const isOwners = [...times.values()].some((waiting) => [...waiting].some((one) => owners.has(one)))
  const isTime = (one: Term): boolean =>
    one.kind === "field" && storedPlace(one)?.container === container && times.has(fieldPath(one))
  return (
    isOwners &&
    isReleased(handler, container) &&
    !touches(handler, (one) => isTime(one) || asksClock(handler.entry, one))
  )
}

/** Where a message releases a record to its owner without looking at the time that the owner waits for elsewhere. */
export const earlyReleases = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Handler, Event> => {
  const found = new Map<Handler, Event>()
  if (entryPoints.some(({ walk }) => walk.truncated)) return found
  const handlers = entryPoints.filter(({ kind }) => kind === "execute").flatMap((entry) => entry.handlers)
  const locks = locksIn(handlers)
  for (const handler of handlers) {
    // What holds for one entry of a container holds for all.
    const removals = new Map(
      storageWrites(handler.events).flatMap(({ container, event }) =>
        event.operator === "remove" && locks.has(container) ? [[container, event] as const] : [],
      ),
    )
    for (const [container, event] of removals)
      if (isEarly(handler, container, locks.get(container)!)) found.set(handler, event) // one of those
  }
  return found
}
