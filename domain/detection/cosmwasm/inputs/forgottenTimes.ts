import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { elementClosures } from "../../rust/walk/values/std.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { placeKey, storageWrites } from "../questions/storageWrites.ts"
import { eventTerms } from "../questions/touches.ts"

// Future times that are stored and that no message ever checks.

const adding = /^(checked_|saturating_)?add$|^plus_(seconds|nanos|minutes|hours|days)$|^after$/

const factorsOf = (term: Term): ReadonlyArray<Term> => {
  if (term.kind === "binary") return term.operator === "*" ? [term.left, term.right] : []
  return term.kind === "call" && /^(checked_|saturating_)?mul(_|$)|^multiply_ratio$/.test(term.name) ? term.args : []
}

/** `slope * (end - now)`: something that changes with time, and not a time; `(now / day + 1) * day` is one. */
const isByTime = ({ entry }: Handler, value: Term): boolean =>
  mentions(value, (one) => {
    const factors = factorsOf(one)
    return (
      factors.some((factor) => asksClock(entry, factor)) &&
      factors.some((factor) => !asksClock(entry, factor) && mentions(factor, ({ kind }) => kind === "parameter"))
    )
  })

/** `env.block.time.plus_seconds(week)`, `env.block.height + 100`. */
const isAhead = (handler: Handler, value: Term): boolean =>
  asksClock(handler.entry, value) &&
  !isByTime(handler, value) &&
  mentions(
    value,
    (one) => (one.kind === "binary" && one.operator === "+") || (one.kind === "call" && adding.test(one.name)),
  )

const storing =
  /^(save|update|remove|load|may_load|replace|has|key|prefix|range|keys|len|is_empty|push|push_back|extend|append|clear)$/

/** Times in what is added to a stored list, as place keys. */
const timesPushed = (handler: Handler): ReadonlyArray<readonly [string, Term]> =>
  handler.events.flatMap((event) => {
    if (event.kind !== "call" || !event.method || !/^(push|push_back)$/.test(event.name)) return []
    const [list, added] = event.args
    const place = list === undefined ? undefined : storedPlace(list.term)
    if (place === undefined || added?.term.kind !== "struct") return []
    const path = placeKey(list!.term)! // of the place
    const separator = path.endsWith(":") ? "" : "."
    return added.term.fields
      .filter(([, value]) => isAhead(handler, value))
      .map(([name]) => [`${path}${separator}${name}`, place.container] as const)
  })

/** The operands of an event, excluding places that it only writes to. */
const readTerms = (event: Event): ReadonlyArray<Term> => {
  if (event.kind === "assign") return [event.value.term]
  return eventTerms(event)
}

/** `list.retain(|one| …)`: what the closure checks is part of the result. */
const isByElement = ({ name, args }: CallEvent): boolean =>
  elementClosures.has(name) && args.some(({ closure }) => closure !== undefined)

/** Records whose end time is never checked, each with the place where a message ends or pays it regardless. */
export const forgottenTimes = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Handler, Event> => {
  const handlers = entryPoints.filter(({ kind }) => kind !== "query").flatMap((entry) => entry.handlers)
  const times = new Map<string, Term>()
  for (const handler of handlers) {
    for (const { container, path, value } of storageWrites(handler.events))
      if (isAhead(handler, value)) times.set(`${container.id}:${path}`, container)
    for (const [place, container] of timesPushed(handler)) times.set(place, container)
  }
  const found = new Map<Handler, Event>()
  if (times.size === 0 || entryPoints.some(({ walk }) => walk.truncated)) return found
  const met = new Set<Facts>()
  const read = handlers.flatMap(({ events, facts }) => [
    ...facts,
    ...events.flatMap((event) => [...readTerms(event), ...factsNotMet(event.facts, met)]),
  ])
  const open = new Map(times)
  for (const one of everySubterm(read)) open.delete(placeKey(one) ?? "")
  const containers = new Set(open.values())
  // A function without source may read any part of a record.
  for (const { events } of handlers)
    for (const event of events)
      if (event.kind === "call" && event.target === undefined && !storing.test(event.name) && !isByElement(event))
        for (const { term } of event.args) {
          const place = term.kind === "call" ? storedPlace(term) : undefined
          if (place !== undefined) containers.delete(place.container)
        }
  for (const handler of handlers) {
    if (containers.size === 0) continue
    const isOf = (one: Term): boolean => {
      const place = storedPlace(one)
      return place !== undefined && containers.has(place.container)
    }
    const end =
      storageWrites(handler.events).find(
        ({ event, container }) => event.operator === "remove" && containers.has(container),
      )?.event ??
      outgoingMessages(handler.events).find(({ fields }) => [...fields.values()].some((value) => mentions(value, isOf)))
        ?.event
    if (end !== undefined) found.set(handler, end)
  }
  return found
}
