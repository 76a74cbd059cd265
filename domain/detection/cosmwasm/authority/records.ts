import { oncePer } from "../../oncePer.ts"
import type { ReadEvent } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet, toldBy } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { definitionOf, fieldType, isNamed, type RustType, successType } from "../../rust/crate/types.ts"
import { isAboutPresence, isAuthorized } from "./authority.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { eventTerms, touches } from "../questions/touches.ts"

// Who owns a stored record, who may change it, and when anyone may.

/** Containers that the contract sets up when it is instantiated: its configuration. */
export const configured = (crate: CosmWasmCrate): ReadonlySet<Term> =>
  new Set(
    crate.entryPoints
      .filter(({ kind }) => kind === "instantiate")
      .flatMap(({ events }) => storageWrites(events))
      .filter(({ key }) => key === undefined)
      .map(({ container }) => container),
  )

/**
 * Places that some execute message lets only a trusted sender write, as `container:path`; entries under a key as
 * `container[]`.
 */
export const privilegedPlaces = (crate: CosmWasmCrate): ReadonlySet<string> => {
  const places = new Set<string>()
  for (const entry of crate.entryPoints)
    if (entry.kind === "execute")
      for (const handler of entry.handlers)
        for (const { container, key, path, event } of storageWrites(handler.events))
          if (isAuthorized(entry, event.facts))
            places.add(key === undefined ? `${container.id}:${path}` : `${container.id}[]`)
  return places
}

/** One of the alternatives is that the entry is the sender's own. */
export const isTied = ({ sender }: EntryPoint, key: Term, facts: Facts): boolean =>
  sender !== undefined && equalTo(sender)(facts).some((other) => mentions(key, (part) => part === other))

/** What is known to equal a term, possibly only as a part of what is known. */
const equalTo = oncePer((subject: Term) =>
  toldBy(
    oncePer((fact: Term): ReadonlyArray<Term> =>
      [...everySubterm([fact])].flatMap((one) => {
        if (one.kind !== "binary" || one.operator !== "==") return []
        return one.left === subject ? [one.right] : one.right === subject ? [one.left] : []
      }),
    ),
  ),
)

/** Whether another contract was queried and named the sender: the owner of the token that the record concerns. */
export const isVouchedFor = ({ sender }: EntryPoint, facts: Facts): boolean =>
  sender !== undefined &&
  comparisonsOf(sender, facts).some(
    ({ operator, against }) =>
      operator === "==" && mentions(against, (one) => one.kind === "call" && one.name.startsWith("query")),
  )

/** Fields of a stored struct that name accounts. */
const accountsIn = (type: RustType): ReadonlyArray<string> => {
  const definition = definitionOf(successType(type))
  if (definition?.kind !== "struct") return []
  return definition.item.fields
    .filter(({ type: of }) => of?.kind === "path" && of.path.segments.at(-1)?.name === "Addr")
    .map(({ name }) => name)
}

/** The paths of such places, by the ids of their containers. */
export const pathsBy = oncePer((places: ReadonlySet<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const paths = new Map<string, Array<string>>()
  for (const place of places) {
    const [id, path] = place.split(":")
    if (id === undefined || path === undefined || path === "") continue
    const known = paths.get(id)
    if (known === undefined) paths.set(id, [path])
    else known.push(path)
  }
  return paths
})

/**
 * Whether each account has a place of its own, or a record contains an account that another message compares the sender
 * with.
 */
const saysWhoIsInCharge = (
  { value: { term, type } }: ReadEvent,
  owners: ReadonlySet<string>,
  { walk: { resolver } }: EntryPoint,
): boolean => {
  const place = storedPlace(term)
  if (place === undefined || place.key !== undefined) return false
  const inner = successType(successType(type))
  const isAccount = (of: RustType): boolean => isNamed(successType(of), "Addr")
  return (
    isNamed(inner, "Addr") ||
    (pathsBy(owners).get(`${place.container.id}`) ?? []).some((path) =>
      isAccount(path.split(".").reduce((of, name) => fieldType(resolver, of, name), inner)),
    )
  )
}

/**
 * Where a message loads the authorized account but never uses it: it is neither compared nor passed on, stored or
 * returned. The author apparently meant to check it.
 */
export const idleAuthority = (
  { entry, events, facts }: Handler,
  owners: ReadonlySet<string>,
): ReadEvent | undefined => {
  const idle = new Map<Term, ReadEvent>()
  for (const event of events)
    if (event.kind === "read" && !idle.has(event.value.term) && saysWhoIsInCharge(event, owners, entry))
      idle.set(event.value.term, event)
  if (idle.size === 0) return undefined
  const met = new Set<Facts>()
  const seen = new Set<Term>()
  const look = (term: Term): void => {
    if (seen.has(term)) return
    seen.add(term)
    mentions(term, (one) => {
      idle.delete(one)
      return idle.size === 0
    })
  }
  for (const event of events) {
    for (const fact of factsNotMet(event.facts, met)) if (!isAboutPresence(fact)) look(fact)
    const loads = event.kind === "read" || (event.kind === "call" && idle.has(event.result.term))
    for (const term of loads ? [] : eventTerms(event)) if (!isAboutPresence(term)) look(term)
  }
  for (const fact of facts) if (!isAboutPresence(fact)) look(fact)
  return idle.values().next().value
}

/** Whether a record that the caller selected names its owner, and nothing that the message does checks who that is. */
export const forgetsOwner = ({ message }: EntryPoint, handler: Handler, owners: ReadonlySet<string>): boolean =>
  handler.events.some((event) => {
    if (event.kind !== "read") return false
    const { term, type } = event.value
    const place = storedPlace(term)
    const definition = definitionOf(successType(type))
    if (place?.key === undefined || definition?.kind !== "struct") return false
    if (!mentions(place.key, (one) => one === message)) return false
    const accounts = accountsIn(type)
    const known = accounts.filter((name) => owners.has(`${place.container.id}:${name}`))
    const asked = known.length > 0 ? known : accounts
    const used = fieldsUsed(handler).get(term)
    return asked.length > 0 && !asked.some((name) => used?.has(name) === true)
  })

/** The fields of each record that a message works on or that conditions mention. */
const fieldsUsed = oncePer((handler: Handler): ReadonlyMap<Term, ReadonlySet<string>> => {
  const found = new Map<Term, Set<string>>()
  touches(handler, (one) => {
    if (one.kind === "field") found.set(one.base, (found.get(one.base) ?? new Set()).add(one.name))
    return false
  })
  return found
})

const receivers = new Set(["to_address", "recipient", "receiver", "beneficiary"])

/** Whether something goes to an account named in a record of the container: it receives what was kept for it. */
export const paysNamed = (handler: Handler, container: Term): boolean => {
  const accounts = new Set(
    handler.events.flatMap((event) =>
      event.kind === "read" && storedPlace(event.value.term)?.container === container
        ? accountsIn(event.value.type)
        : [],
    ),
  )
  const isNamed = (term: Term): boolean =>
    term.kind === "field" && accounts.has(term.name) && storedPlace(term.base)?.container === container
  return outgoingMessages(handler.events).some(({ fields }) =>
    [...fields].some(
      ([name, value]) =>
        (receivers.has(name) && mentions(value, isNamed)) ||
        mentions(
          value,
          (one) =>
            one.kind === "struct" &&
            one.fields.some(([field, inner]) => receivers.has(field) && mentions(inner, isNamed)),
        ),
    ),
  )
}
