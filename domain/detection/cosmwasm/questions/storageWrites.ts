import { oncePer } from "../../oncePer.ts"
import type { AssignEvent, CallEvent, Event } from "../../rust/terms/events.ts"
import { rootOf, type Term } from "../../rust/terms/terms.ts"
import { fieldsOf as fieldPath } from "../../rust/terms/show.ts"
import { isContainer, storedPlace } from "../program/semantics.ts"

/** One value that goes into storage: a whole entry, or one field of it. */
export interface StorageWrite {
  readonly container: Term
  readonly key: Term | undefined
  /** Names of the fields, joined by dots; empty for the whole entry. */
  readonly path: string
  readonly value: Term
  readonly event: AssignEvent
}

/** A `save` to a container: it fails only if the value cannot be serialized. */
export const isPlainWrite = ({ name, method, args, target }: CallEvent): boolean =>
  name === "save" && method && target === undefined && args[0] !== undefined && isContainer(args[0].type)

/** Names of the fields on the path into a stored value. */
export { fieldsOf as fieldPath } from "../../rust/terms/show.ts"

/** `container.path` as a key for sets; undefined for terms that are not stored. */
export const placeKey = (term: Term): string | undefined => {
  const place = storedPlace(term)
  return place === undefined ? undefined : `${place.container.id}:${fieldPath(term)}`
}

/** `place += x` writes `place + x`. */
const writtenBy = ({ operator, target, value }: AssignEvent): Term =>
  /^[-+*/]$/.test(operator)
    ? { ...target.term, kind: "binary", operator, left: target.term, right: value.term }
    : value.term

/** What events write to storage; a saved struct counts field by field, without fields that keep their value. */
export const storageWrites = (events: ReadonlyArray<Event>): ReadonlyArray<StorageWrite> =>
  events.flatMap((event): ReadonlyArray<StorageWrite> => {
    if (event.kind !== "assign") return []
    const place = storedPlace(event.target.term)
    if (place === undefined) return []
    const path = fieldPath(event.target.term)
    const base = { ...place, event }
    const value = writtenBy(event)
    if (value.kind !== "struct") return value === event.target.term ? [] : [{ ...base, path, value }]
    return value.fields
      .map(([name, one]) => ({ ...base, path: path === "" ? name : `${path}.${name}`, value: one }))
      .filter((one) => storedPlace(one.value)?.container !== place.container || fieldPath(one.value) !== one.path)
  })

const entriesSaved = oncePer(
  (events: ReadonlyArray<Event>): ReadonlySet<Term> =>
    new Set(events.flatMap((event) => (event.kind === "assign" ? [event.target.term] : []))),
)

/** Whether a change goes into storage: a copy may be changed only for what is sent. */
export const isSaved = (events: ReadonlyArray<Event>, { target }: AssignEvent): boolean =>
  target.term.kind === "call" || entriesSaved(events).has(rootOf(target.term))

/** What events write to storage, without changes to copies that are not saved. */
export const savedWrites = (events: ReadonlyArray<Event>): ReadonlyArray<StorageWrite> =>
  storageWrites(events).filter(({ event }) => isSaved(events, event))
