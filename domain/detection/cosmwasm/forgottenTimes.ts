import type { Event } from "../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../rust/terms/terms.ts"
import { asksClock } from "./blockTime.ts"
import type { CosmWasmCrate, Handler } from "./model.ts"
import { outgoingMessages } from "./questions.ts"
import { storedPlace } from "./semantics.ts"
import { placeKey, storageWrites } from "./storageWrites.ts"
import { eventTerms } from "./touches.ts"

// Future times that are stored and that no message ever checks.

const adding = /^(checked_|saturating_)?add$|^plus_(seconds|nanos|minutes|hours|days)$|^after$/

/** `env.block.time.plus_seconds(week)`, `env.block.height + 100`. */
const isAhead = (handler: Handler, value: Term): boolean =>
  asksClock(handler.entry, value) &&
  mentions(
    value,
    (one) => (one.kind === "binary" && one.operator === "+") || (one.kind === "call" && adding.test(one.name)),
  )

const storing = /^(save|update|remove|load|may_load|replace|has|key|prefix|range|keys)$/

/** The operands of an event, excluding places that it only writes to. */
const readTerms = (event: Event): ReadonlyArray<Term> => {
  if (event.kind === "assign") return [event.value.term]
  return eventTerms(event)
}

/** Records whose end time is never checked, each with the place where a message ends or pays it regardless. */
export const forgottenTimes = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Handler, Event> => {
  const handlers = entryPoints.filter(({ kind }) => kind !== "query").flatMap((entry) => entry.handlers)
  const times = new Map<string, Term>()
  for (const handler of handlers)
    for (const { container, path, value } of storageWrites(handler.events))
      if (isAhead(handler, value)) times.set(`${container.id}:${path}`, container)
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
      if (event.kind === "call" && event.target === undefined && !storing.test(event.name))
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
