import { oncePer } from "../../oncePer.ts"
import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { rootOf, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, CosmWasmProgram, Handler, StorageContainer } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"

// Items and maps that messages look into and that no message ever fills.

interface Unfilled {
  readonly container: StorageContainer
  readonly handler: Handler
  /** Where entries that exist are changed, or else where one is looked for. */
  readonly event: Event
  readonly isChange: boolean
  /** Where another message makes an entry of a map that is looked into under the same key. */
  readonly made: Event | undefined
}

/** Methods of containers that do not add anything; `save` and `update` are events of their own. */
const notAdding =
  /^(load|may_load|has|range\w*|keys\w*|prefix\w*|sub_prefix\w*|no_prefix\w*|key|iter|len|is_empty|clone|first|last|front|back|get|query|remove|clear|pop_back|pop_front|save|update|replace|may_load_at_height|deref|as_ref|namespace)$/

/** The container itself, or the part of it, that a method is called on or a function is given. */
const containerOf = (term: Term): Term =>
  term.kind === "call" && term.path === "" && /^(storagePath|prefixOf)$/.test(term.name) ? term.args[0]! : term // both have one

const isAnyKey = (term: Term): boolean => term.kind === "call" && term.name === "anyKey"

/** Whether the entry that an event writes to is there already. */
const isOfExisting = (terms: TermTable, { facts }: Event, place: Term): boolean => {
  const entry = rootOf(place)
  const key = storedPlace(entry)?.key
  return facts.has(terms.is(entry, "Some")) || (key !== undefined && isAnyKey(rootOf(key)))
}

/** The containers to which an event may add something. */
const filledBy = (terms: TermTable, event: Event): ReadonlyArray<Term> => {
  if (event.kind === "assign") {
    const place = event.operator === "remove" ? undefined : storedPlace(event.target.term)
    return place === undefined || isOfExisting(terms, event, event.target.term) ? [] : [place.container]
  }
  if (event.kind === "struct")
    return event.value.term.kind === "struct" ? event.value.term.fields.map(([, value]) => value) : []
  if (event.kind !== "call" || event.target !== undefined) return []
  const given = event.args.map(({ term }) => containerOf(term))
  return event.method && notAdding.test(event.name) ? given.slice(1) : given
}

/** All that some message may add to. */
const filledIn = oncePer(({ crates, terms }: CosmWasmProgram): ReadonlySet<Term> => {
  const filled = new Set<Term>()
  for (const { entryPoints } of crates)
    for (const { kind, events } of entryPoints)
      // A query cannot write, whatever code without source it passes a container to.
      if (kind !== "query") for (const event of events) for (const term of filledBy(terms, event)) filled.add(term)
  return filled
})

/** Items and maps that no message ever fills; contracts share the declarations of a package. */
const unfilledIn = oncePer((program: CosmWasmProgram): ReadonlyMap<Term, StorageContainer> => {
  const filled = filledIn(program)
  return new Map(
    program.crates.flatMap(({ containers }) => {
      // Two declarations with one key are two views of the same entries: an older shape of them, for example.
      const keys = new Set(containers.flatMap(({ term, key }) => (term !== undefined && filled.has(term) ? [key] : [])))
      return containers.flatMap((one) =>
        one.term !== undefined &&
        /^(Snapshot)?Item$|^(Indexed|Snapshot)?Map$/.test(one.kind) &&
        !filled.has(one.term) &&
        !(one.key !== undefined && keys.has(one.key))
          ? [[one.term, one] as const]
          : [],
      )
    }),
  )
})

/** Whether a contract is known completely. */
const isKnown = ({ entryPoints }: CosmWasmCrate): boolean =>
  entryPoints.some(({ kind }) => kind === "instantiate") && entryPoints.every(({ walk }) => !walk.truncated)

/** A lookup that may find nothing. That an item has to be there for `load` is a question of its own. */
const isLookup = ({ name, target }: CallEvent, { kind }: StorageContainer): boolean =>
  target === undefined &&
  (kind.endsWith("Item") ? name === "may_load" : /^(load|may_load|has|range|keys|is_empty)$/.test(name))

/** Where each container gets its first entry. */
const firstFills = (terms: TermTable, handlers: ReadonlyArray<Handler>): ReadonlyMap<Term, Event> => {
  const fills = new Map<Term, Event>()
  for (const { events } of handlers)
    for (const event of events)
      for (const container of event.kind === "assign" ? filledBy(terms, event) : [])
        if (!fills.has(container)) fills.set(container, event)
  return fills
}

/** Containers that a message reads, by the key. */
const readsByKey = oncePer(({ events }: Handler): ReadonlyMap<Term, ReadonlySet<Term>> => {
  const byKey = new Map<Term, Set<Term>>()
  for (const event of events) {
    const place = event.kind === "read" ? storedPlace(event.value.term) : undefined
    if (place?.key === undefined) continue
    const known = byKey.get(place.key)
    if (known === undefined) byKey.set(place.key, new Set([place.container]))
    else known.add(place.container)
  }
  return byKey
})

/** The container that an event changes or looks into, and whether it changes entries. */
const aboutOf = (event: Event): { readonly container: Term; readonly key: Term | undefined } | undefined => {
  if (event.kind === "assign") return event.operator === "remove" ? undefined : storedPlace(event.target.term)
  if (event.kind !== "call" || !event.method || event.args[0] === undefined) return undefined
  return { container: containerOf(event.args[0].term), key: event.args[2]?.term }
}

/** Containers that are read but never filled, each with its most informative place. */
export const unfilledContainers = (program: CosmWasmProgram, crate: CosmWasmCrate): ReadonlyArray<Unfilled> => {
  const { terms } = program
  const open = unfilledIn(program)
  if (open.size === 0 || !isKnown(crate)) return []
  const handlers = crate.entryPoints
    .filter(({ kind }) => kind !== "query" && kind !== "migrate")
    .flatMap((entry) => entry.handlers)
  const fills = firstFills(terms, handlers)
  const found = new Map<Term, Unfilled>()
  for (const handler of handlers)
    for (const event of handler.events) {
      const about = aboutOf(event)
      const container = about === undefined ? undefined : open.get(about.container)
      if (about === undefined || container === undefined) continue
      const isChange = event.kind === "assign"
      if (event.kind === "call" && !isLookup(event, container)) continue
      const known = found.get(about.container)
      if (known !== undefined && (known.isChange || !isChange)) continue
      const beside = about.key === undefined ? undefined : readsByKey(handler).get(about.key)
      const [made] = [...(beside ?? [])].flatMap((one) => (one === about.container ? [] : (fills.get(one) ?? [])))
      found.set(about.container, { container, handler, event, isChange, made })
    }
  return [...found.values()]
}
