import { type AssignEvent, type Event, type Frame, guaranteed } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { mentions, rootOf, type Term, type TermTable } from "../../rust/terms/terms.ts"
import { isAboutPresence, isPresence } from "../authority/authority.ts"
import { isForEffect } from "./callsForEffect.ts"
import { readsOnly, takesStorage } from "./idleValues.ts"
import { followedCalls } from "../inputs/idleMessages.ts"
import type { Handler } from "../program/model.ts"
import { isOtherBranch } from "../../rust/terms/otherBranch.ts"
import { mentionsApart, mentionsOutside, storedPlace } from "../program/semantics.ts"
import { eventTerms } from "../questions/touches.ts"
import { isLowered } from "./unreadMarks.ts"

// Is what was loaded and changed written back on every path that reports success?

/** Methods that change the list or map they are called on. */
const changing =
  /^(push|push_back|push_front|pop|pop_back|pop_front|insert|remove|extend|retain|drain|clear|swap_remove|truncate|append|sort_by|dedup)$/

/** How many removals are searched for uses before them: each search reads the whole message. */
const maxTried = 64

/** A change that some paths lose, and where the copy was loaded. */
interface UnsavedCopy {
  readonly event: Event
  readonly read: Event | undefined
  /** How it is lost; absent if nothing is written at all. */
  readonly message?: string
}

const isOf = (container: Term, term: Term): boolean => storedPlace(term)?.container === container

/** The loaded values that a term is, or a part of: what is stored, or a first value where nothing is. */
const entriesIn = (term: Term): ReadonlyArray<Term> => {
  const root = rootOf(term)
  return (root.kind === "choice" ? root.alternatives : [term])
    .map(rootOf)
    .filter((one) => storedPlace(one) !== undefined)
}

const placeInMemory = ({ target: { term } }: AssignEvent): Term | undefined => (term.kind === "call" ? undefined : term)

/** The loaded value that is changed in memory: by methods without source only if nothing else explains its `mut`. */
const changedCopy = (event: Event, assigned: ReadonlySet<Term>): Term | undefined => {
  const [receiver] = event.kind === "call" ? event.args : []
  const term =
    event.kind === "assign"
      ? placeInMemory(event)
      : event.kind !== "call" || receiver === undefined || event.target !== undefined
        ? undefined
        : changing.test(event.name) ||
            (isForEffect(event) && !entriesIn(receiver.term).some((one) => assigned.has(one)))
          ? receiver.term
          : undefined
  const entries = new Set(term === undefined ? [] : entriesIn(term))
  return entries.size === 1 ? [...entries][0] : undefined
}

/** Whether a save keeps another entry of the container for sure: one that was loaded, under the key it is from. */
const isOfAnother = (entry: Term, { value, target }: AssignEvent): boolean => {
  const saved = entriesIn(value.term)
  const key = storedPlace(target.term)?.key
  return (
    saved.length === 1 && saved[0] !== entry && storedPlace(saved[0]!)?.key === key && storedPlace(entry)?.key !== key
  )
}

const isTakenOut = (change: Event, { operator, target }: AssignEvent): boolean =>
  change.kind === "assign" &&
  operator === "remove" &&
  storedPlace(target.term)?.key === storedPlace(change.target.term)?.key

/** Whether the entry is removed only if something about its contents holds, such as that nothing is left. */
const isSelective = (change: Event, removal: AssignEvent, container: Term): boolean => {
  if (removal.operator !== "remove" || removal.order < change.order) return false
  const sure = guaranteed(change)
  return [...removal.facts].some((fact) => !sure.has(fact) && mentionsApart(fact, (one) => isOf(container, one)))
}

/** Whether an amount in the entry is reduced and the entry then removed, whatever is left: nothing reads it in between. */
const isWasted = (change: Event, removal: AssignEvent, events: ReadonlyArray<Event>): boolean => {
  if (change.kind !== "assign" || removal.operator !== "remove" || removal.order < change.order) return false
  if (change.operator !== "-" && !isLowered(change.value.term)) return false
  const { term } = change.target
  const record = rootOf(term)
  // A field of the record is not the record.
  const isUse = (one: Term): boolean =>
    mentionsOutside(
      one,
      (part) => part === term || (part === record && record !== term),
      (part) => part.kind === "field" && part !== term,
    )
  const met = new Set<Facts>()
  factsNotMet(change.facts, met)
  return !events.some(
    (event) =>
      event.order > change.order &&
      event !== removal &&
      (eventTerms(event).some(isUse) ||
        factsNotMet(event.facts, met).some((fact) => !isPresence(fact) && mentions(fact, (one) => one === term))),
  )
}

/** What is written to each container as a whole, including the copy that is kept in another place than the one it is from. */
const writesOf = (
  events: ReadonlyArray<Event>,
  keyed: (container: Term) => Term,
): ReadonlyMap<Term, ReadonlyArray<AssignEvent>> => {
  const writes = new Map<Term, Array<AssignEvent>>()
  for (const event of events)
    if (event.kind === "assign")
      for (const term of [event.target.term, event.value.term]) {
        const place = term.kind === "call" ? storedPlace(term) : undefined
        if (place === undefined) continue
        const known = writes.get(keyed(place.container))
        if (known === undefined) writes.set(keyed(place.container), [event])
        else known.push(event)
      }
  return writes
}

/** Loaded values that functions of the project receive whose events are left out of the walk: they may save them. */
const handedOnIn = (events: ReadonlyArray<Event>): ReadonlyArray<{ readonly order: number; readonly entry: Term }> => {
  const followed = followedCalls(events)
  return events.flatMap((event) =>
    event.kind === "call" &&
    event.target !== undefined &&
    takesStorage(event.target) &&
    !followed.has(`${event.file.path}:${event.node.start}`)
      ? event.args.flatMap(({ term }) => entriesIn(term).map((entry) => ({ order: event.order, entry })))
      : [],
  )
}

/** Places in loaded values that a message changes. */
const placesChanged = (events: ReadonlyArray<Event>): ReadonlySet<Term> =>
  new Set(events.flatMap((event) => (event.kind === "assign" ? [event.target.term] : [])))

/** Whether a function that reads only changes it: copies that a query, or a message by means of it, computes with. */
const isComputing = ({ function: innermost, scope }: Event): boolean => {
  // A method that only looks at its receiver changes a clone of it.
  if (innermost.item.self === "reference" && !takesStorage(innermost)) return true
  for (let frame: Frame | undefined = scope.frame; frame !== undefined; frame = frame.parent)
    if (readsOnly(frame.function)) return true
  return false
}

/** Copies of stored values that a message changes and does not keep. */
export const unsavedCopies = (
  { events }: Handler,
  keyed: (container: Term) => Term,
  terms: TermTable,
): ReadonlyArray<UnsavedCopy> => {
  const writes = writesOf(events, keyed)
  const changed = placesChanged(events)
  const dependsOn = (container: Term): ((one: Term) => boolean) => {
    const isField = (one: Term): boolean => one.kind === "field" && isOf(container, one)
    const isChanged = (one: Term): boolean => {
      for (let part = one; part.kind === "field"; part = part.base) if (changed.has(part)) return true
      return false
    }
    // A changed copy does not make an entry, nor does it remove one.
    return (fact) =>
      !isAboutPresence(fact) &&
      mentionsOutside(fact, (one) => isOf(container, one) && (!isField(one) || isChanged(one)), isField)
  }
  const assigned = new Set(
    events.flatMap((event) => {
      const place = event.kind === "assign" ? placeInMemory(event) : undefined
      return place === undefined ? [] : entriesIn(place)
    }),
  )
  const seen = new Set<Term>()
  let handedOn: ReturnType<typeof handedOnIn> | undefined
  const handed = () => (handedOn ??= handedOnIn(events))
  let tried = 0
  return events.flatMap((event) => {
    const copy = changedCopy(event, assigned)
    const container = copy === undefined ? undefined : storedPlace(copy)?.container
    if (copy === undefined || container === undefined || seen.has(copy)) return []
    if (isComputing(event)) return []
    const depends = dependsOn(container)
    const isBehind = (save: AssignEvent): boolean =>
      // What was taken out is not put back: the copy goes elsewhere.
      isTakenOut(event, save) || (save.order > event.order && !isOtherBranch(terms, event, save, depends))
    const saves = (writes.get(keyed(container)) ?? []).filter((save) => !isOfAnother(copy, save))
    const kept = saves.find((save) => isBehind(save) && !isSelective(event, save, container))
    if (kept === undefined && handed().some(({ order, entry }) => order > event.order && entry === copy)) return []
    const isLost = kept !== undefined && tried < maxTried && isWasted(event, kept, events)
    if (kept !== undefined && kept.operator === "remove") tried++
    if (kept !== undefined && !isLost) return []
    // One copy that is not saved is one problem, however many fields were changed.
    seen.add(copy)
    const isRead = (one: Event): boolean => one.kind === "read" && isOf(container, one.value.term)
    const read = events.find((one) => isRead(one))
    if (!isLost && !saves.some(isBehind)) return [{ event, read }]
    const message = isLost
      ? "The entry is removed with whatever is left in it."
      : "The change is lost unless the entry is removed."
    return [{ event, read, message }]
  })
}
