import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { anyFact, type Facts } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isPresence } from "../authority/authority.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"
import { placeKey, type StorageWrite, storageWrites } from "../questions/storageWrites.ts"
import { touches } from "../questions/touches.ts"
import { isRaised, isTrusted } from "./unreadMarks.ts"

// What members vote for, and whether the message that executes it checks the votes.

/** The places that hold votes, and the containers of what they are for. */
interface Tallies {
  readonly votes: ReadonlySet<string>
  readonly subjects: ReadonlySet<Term>
}

const chosenKey = ({ entry: { message } }: Handler, key: Term | undefined): boolean =>
  key !== undefined && mentions(key, (one) => one === message)

/** Where a message adds the weight of its sender to an entry that it names, and notes that the sender has voted. */
const votesIn = (handler: Handler): ReadonlyArray<StorageWrite> => {
  const { sender, message, funds } = handler.entry
  const writes = storageWrites(handler.events).filter(({ key }) => chosenKey(handler, key))
  const isOwn = ({ key }: StorageWrite): boolean => key !== undefined && mentions(key, (one) => one === sender)
  // An amount that the sender names or pays is a deposit.
  const isDeposit = ({ value }: StorageWrite): boolean =>
    mentionsApart(value, (one) => one === message || one === funds)
  return writes.some(isOwn) ? writes.filter((one) => !isOwn(one) && isRaised(one.value) && !isDeposit(one)) : []
}

/** Lists in an entry to which a message adds its sender, once: approvals. */
const approvalsIn = ({ entry: { sender }, events, facts }: Handler): ReadonlyArray<Term> =>
  events.flatMap((event) => {
    if (event.kind !== "call" || !/^(push|insert)$/.test(event.name)) return []
    const [list, one] = event.args
    if (list === undefined || one?.term !== sender || storedPlace(list.term)?.key === undefined) return []
    const isNew = [...facts].some(
      (fact) =>
        fact.kind === "not" &&
        mentions(fact, (part) => part === list.term) &&
        mentions(fact, (part) => part === sender),
    )
    return isNew ? [list.term] : []
  })

const talliesOf = (handlers: ReadonlyArray<Handler>): Tallies => {
  const votes = new Set<string>()
  const containers = new Set<Term>()
  for (const handler of handlers) {
    if (isTrusted(handler, handler.facts)) continue
    for (const { container, path } of votesIn(handler)) {
      votes.add(`${container.id}:${path}`)
      containers.add(container)
    }
    for (const list of approvalsIn(handler)) {
      votes.add(placeKey(list) ?? "")
      containers.add(storedPlace(list)!.container) // it is in a stored entry
    }
  }
  // What is created together with its tally, under the same key.
  const subjects = new Set(containers)
  for (const { events } of handlers) {
    const keys = new Set(
      storageWrites(events).flatMap(({ container, key }) => (containers.has(container) ? (key ?? []) : [])),
    )
    for (const { container, key, value } of storageWrites(events))
      if (key !== undefined && keys.has(key) && !mentions(value, (one) => storedPlace(one)?.container === container))
        subjects.add(container)
  }
  return { votes, subjects }
}

/** The values that a place may have once the votes were checked, and those that it has before. */
interface Stage {
  readonly decided: Set<Term>
  readonly first: Set<Term>
}

const asksVotes = ({ votes }: Tallies): ((facts: Facts) => boolean) =>
  anyFact((fact) => !isPresence(fact) && mentions(fact, (one) => votes.has(placeKey(one) ?? "")))

/** Places that messages which look at the votes set: what was decided. */
const stagesOf = (handlers: ReadonlyArray<Handler>, tallies: Tallies): ReadonlyMap<string, Stage> => {
  const stages = new Map<string, Stage>()
  const writes = handlers.flatMap(({ events }) => storageWrites(events))
  const asks = asksVotes(tallies)
  const isDecision = ({ event }: StorageWrite): boolean => asks(guaranteed(event))
  for (const { container, path } of writes.filter(isDecision))
    stages.set(`${container.id}:${path}`, { decided: new Set(), first: new Set() })
  for (const write of writes) {
    const stage = stages.get(`${write.container.id}:${write.path}`)
    if (stage === undefined) continue
    if (isDecision(write)) stage.decided.add(write.value)
    // A new entry is saved as a whole.
    else if (write.event.target.term.kind === "call") stage.first.add(write.value)
  }
  return stages
}

/** Whether a condition distinguishes what was decided from what was not, or leaves that to code without source. */
const asksStage = (stages: ReadonlyMap<string, Stage>, subjects: ReadonlySet<Term>, fact: Term): boolean => {
  if (fact.kind === "call")
    return fact.args.some((one) => one.kind === "call" && subjects.has(storedPlace(one)?.container ?? one))
  let found = false
  mentions(fact, (one) => {
    const stage = stages.get(placeKey(one) ?? "")
    if (stage === undefined) return false
    const other =
      fact.kind === "binary" ? (fact.left === one ? fact.right : fact.right === one ? fact.left : undefined) : undefined
    found ||=
      other === undefined ||
      (fact.kind === "binary" && fact.operator === "!=" ? stage.first.has(other) : stage.decided.has(other))
    return found
  })
  return found
}

/** What a message sends of an entry that others vote for. */
const carriedOut = ({ entry: { message }, events }: Handler, subjects: ReadonlySet<Term>): Event | undefined => {
  const isContent = (one: Term): boolean => {
    const place = storedPlace(one)
    return place?.key !== undefined && subjects.has(place.container) && mentions(place.key, (part) => part === message)
  }
  return (
    outgoingMessages(events).find(({ fields }) => [...fields.values()].some((value) => mentions(value, isContent)))
      ?.event ??
    events.find(
      (event) =>
        event.kind === "call" &&
        /^add_(sub)?messages?$/.test(event.name) &&
        event.args.slice(1).some(({ term }) => mentions(term, isContent)),
    )
  )
}

/** Messages that carry out what members vote for without looking at the votes, or at what was decided. */
export const uncheckedTallies = ({ entryPoints }: CosmWasmCrate): ReadonlyMap<Handler, Event> => {
  const found = new Map<Handler, Event>()
  if (entryPoints.some(({ walk }) => walk.truncated)) return found
  const handlers = entryPoints.flatMap((entry) => entry.handlers)
  const tallies = talliesOf(handlers)
  if (tallies.votes.size === 0) return found
  const stages = stagesOf(handlers, tallies)
  for (const handler of handlers) {
    if (handler.entry.kind !== "execute" || isTrusted(handler, handler.facts)) continue
    const event = carriedOut(handler, tallies.subjects)
    if (event === undefined) continue
    const known = guaranteed(event)
    // A status may be computed from the votes on the spot.
    if (touches(handler, (one) => tallies.votes.has(placeKey(one) ?? ""))) continue
    if ([...known].some((fact) => asksStage(stages, tallies.subjects, fact))) continue
    // What nobody vetoed in time is executed.
    if ([...known].some((fact) => asksClock(handler.entry, fact))) continue
    found.set(handler, event)
  }
  return found
}
