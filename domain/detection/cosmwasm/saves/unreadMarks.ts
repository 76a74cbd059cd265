import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { anyFact, type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { mentioning } from "../../rust/terms/mentioning.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { asksClock } from "../questions/blockTime.ts"
import type { CosmWasmCrate, EntryKind, EntryPoint, Handler } from "../program/model.ts"
import { takesNothing } from "../authority/senderConcern.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath, placeKey, type StorageWrite, storageWrites } from "../questions/storageWrites.ts"
import { absentIn } from "../authority/authority.ts"
import { eventTerms } from "../questions/touches.ts"

// Marks that an entry has had its turn, `CLAIMED.save(storage, &info.sender, &true)`, and whether the message checks
// them.

/** A mark that is not checked, and the action that can therefore be repeated. */
export interface UnreadMark {
  readonly handler: Handler
  readonly mark: StorageWrite
  readonly repeated: Event
  /** Whether other messages check the mark that this one sets without checking. */
  readonly isReadElsewhere: boolean
}

/** Entry points that only inform the outside, or run only once. */
const aside: ReadonlySet<EntryKind> = new Set<EntryKind>(["query", "instantiate", "migrate"])

/** Marks that are set together with an action for the entry, by a message that never checks whether they are set. */
export const unreadMarks = (crate: CosmWasmCrate): ReadonlyArray<UnreadMark> => {
  const found: Array<UnreadMark> = []
  const handlers = crate.entryPoints.filter(({ kind }) => !aside.has(kind)).flatMap((entry) => entry.handlers)
  const elsewhere = new Elsewhere(handlers)
  for (const handler of handlers) {
    if (handler.entry.kind !== "execute") continue
    const writes = storageWrites(handler.events)
    const told = new Set<Event>()
    for (const write of writes) {
      const kind = told.has(write.event) ? undefined : kindOf(handler, write)
      const mark = kind === "ballot" ? { ...write, path: "" } : write
      if (kind === undefined || isTrusted(handler, mark.event.facts)) continue
      const repeated = kind === "ballot" ? countedWith(handler) : repeatedWith(handler, kind)
      if (repeated === undefined || isUsedUp(handler, mark) || isHeeded(handler, mark)) continue
      const { readers, isTakenBack } = elsewhere.of(mark)
      const isReadElsewhere = readers.some((other) => other !== handler)
      // A mark that other messages reset is a list, and a time that they read is a clock.
      if (isReadElsewhere && (kind === "time" || kind === "ballot" || (kind === "flag" && isTakenBack))) continue
      told.add(mark.event)
      found.push({ handler, mark, repeated, isReadElsewhere })
    }
  }
  return found
}

/**
 * A flag is set permanently, a state closes what was open, a time determines when the next turn may be, and a ballot is
 * a vote to be counted once.
 */
type Kind = "flag" | "state" | "time" | "ballot"

/** Whether a value is from the message. A record of many fields is written field by field. */
const isSaid = oncePer(({ message }: EntryPoint) => mentioning((one) => one === message))

/** The keys of entries that are read, by container. */
const keysRead = oncePer(({ events }: Handler): ReadonlyMap<Term, ReadonlySet<Term | undefined>> => {
  const read = new Map<Term, Set<Term | undefined>>()
  for (const event of events) {
    const place = event.kind === "read" ? storedPlace(event.value.term) : undefined
    if (place !== undefined) read.set(place.container, (read.get(place.container) ?? new Set()).add(place.key))
  }
  return read
})

/** For an entry that is the sender's or that the message names, rather than one created here. */
const kindOf = (handler: Handler, { container, key, path, value, event }: StorageWrite): Kind | undefined => {
  const { entry } = handler
  const { sender, message } = entry
  if (key === undefined || !mentions(key, (one) => one === sender || one === message)) return undefined
  if (mentions(key, (one) => storedPlace(one) !== undefined)) return undefined
  const isBallot = mentions(key, (one) => one === sender) && isSaid(entry)(event.value.term)
  // A newly created record is one mark, whatever its fields.
  if (path !== "" && keysRead(handler).get(container)?.has(key) !== true) return isBallot ? "ballot" : undefined
  if (value.kind === "literal") return value.value === "true" ? "flag" : undefined
  // A variant, `Status::Executed`, has no definition of its own.
  if (value.kind === "constant") return path !== "" && value.definition === undefined ? "state" : undefined
  const isNow = asksClock(entry, value)
  const isMore = (one: Term): boolean => one === message || one.kind === "binary" || storedPlace(one) !== undefined
  if (isNow && !mentions(value, isMore)) return "time"
  return isBallot ? "ballot" : undefined
}

/**
 * Whether only an account that the contract knows may call it. An account named in a record, or with a proof, is
 * entitled to one turn.
 */
export const isTrusted = ({ entry: { sender, message } }: Handler, facts: Facts): boolean =>
  sender !== undefined &&
  comparisonsOf(sender, facts).some(
    ({ operator, fact }) => (operator === "==" || operator === "ensured") && !mentions(fact, (one) => one === message),
  )

/** What else is done: a message is sent, or a shared count increases. */
const repeatedWith = (handler: Handler, kind: Kind): Event | undefined => {
  const sent =
    outgoingMessages(handler.events)[0]?.event ??
    handler.events.find((event) => event.kind === "call" && /^add_(sub)?messages?$/.test(event.name))
  if (sent !== undefined || kind === "time") return sent
  return countsOf(handler)[0]?.event
}

/** The event that increases a shared count by a value from the message or by the sender's weight. */
const countedWith = (handler: Handler): Event | undefined => talliesOf(handler)[0]?.event

/** What a message adds to, other than to the sender's own entry. */
const countsOf = oncePer(({ entry: { sender }, events }: Handler) =>
  storageWrites(events).filter(
    ({ key, value }) => isRaised(value) && !(key !== undefined && mentions(key, (one) => one === sender)),
  ),
)

/** The ones to which it adds what the sender or the message specifies, rather than what is paid. */
const talliesOf = oncePer((handler: Handler) => {
  const { sender, message, funds } = handler.entry
  return countsOf(handler).filter(
    ({ value }) =>
      mentions(value, (one) => one === sender || one === message) && !mentions(value, (one) => one === funds),
  )
})

export const isRaised = (value: Term): boolean =>
  (value.kind === "binary" && value.operator === "+") ||
  (value.kind === "call" && /^(checked_|saturating_)?add$/.test(value.name))

export const isLowered = (value: Term): boolean =>
  mentions(
    value,
    (one) =>
      (one.kind === "binary" && one.operator === "-") ||
      (one.kind === "call" && /^(checked_|saturating_)?sub$/.test(one.name)),
  )

/** Whether each time is paid for, or something is removed, so that there is no second time. */
const isUsedUp = (handler: Handler, mark: StorageWrite): boolean =>
  /Receive|Hook|Callback/.test(handler.message) ||
  isPaidFor(handler)(mark.event.facts) ||
  isPaidFor(handler)(handler.facts) ||
  takesAway(handler)

const isPaidFor = oncePer((handler: Handler) => {
  // A rejection of payments is a check of the funds, too.
  const isFree = takesNothing(handler)
  return anyFact((fact) => !isFree && mentions(fact, (one) => one === handler.entry.funds))
})

const takesAway = oncePer((handler: Handler): boolean => {
  const { events, facts } = handler
  // Removing what is not there does not fail.
  const read = new Set([
    ...events.flatMap((event) => (event.kind === "read" ? (storedPlace(event.value.term)?.container ?? []) : [])),
    ...[...everySubterm([...facts])].flatMap((one) => storedPlace(one)?.container ?? []),
  ])
  return storageWrites(events).some(({ event, container, value }) =>
    event.operator === "remove" ? read.has(container) : isLowered(value),
  )
})

/** Whether the message decides by the mark, or by another one that it sets for the same entry: a state and a list of it. */
const isHeeded = (handler: Handler, mark: StorageWrite): boolean => {
  if (looksAt(handler, mark)) return true
  if (mark.key === undefined) return false
  if (keysOfNew(handler).has(mark.key)) return true
  for (const key of everySubterm([mark.key])) if (heededKeys(handler).has(key)) return true
  return false
}

/** What identifies the entries that the message creates and that must not exist before: there is no second time. */
const keysOfNew = oncePer(({ events, facts }: Handler): ReadonlySet<Term> => {
  const absent = new Set([...facts].map(absentIn))
  return everySubterm(
    events.flatMap((event) =>
      event.kind === "assign" && event.operator !== "remove" && absent.has(event.target.term)
        ? (storedPlace(event.target.term)?.key ?? [])
        : [],
    ),
  )
})

/** Keys of entries of which the message decides by a mark that it sets. */
const heededKeys = oncePer(
  (handler: Handler): ReadonlySet<Term> =>
    new Set(
      storageWrites(handler.events).flatMap((write) =>
        write.key !== undefined && /^(flag|state)$/.test(kindOf(handler, write) ?? "") && looksAt(handler, write)
          ? [write.key]
          : [],
      ),
    ),
)

/** Functions that store or pass on their arguments, and check nothing. */
const keeps = /^(save|replace|update|clone|to_(json_)?(binary|vec|string)|as_ref|into|Ok|Some)$/

/** Places in storage: by container, the paths in it. */
class StoredPlaces {
  private readonly paths = new Map<Term, Set<string>>()

  add(term: Term): void {
    const place = storedPlace(term)
    if (place === undefined) return
    const known = this.paths.get(place.container)
    if (known === undefined) this.paths.set(place.container, new Set([fieldPath(term)]))
    else known.add(fieldPath(term))
  }

  has({ container, path }: Pick<StorageWrite, "container" | "path">): boolean {
    return this.paths.get(container)?.has(path) === true
  }
}

/** Whole entries that a message reads, or that conditions mention. */
const entriesRead = oncePer(({ events }: Handler): StoredPlaces => {
  const found = new StoredPlaces()
  const met = new Set<Facts>()
  const facts = events.flatMap((event) => factsNotMet(event.facts, met))
  for (const one of everySubterm(facts)) found.add(one)
  for (const event of events) if (event.kind === "read") found.add(event.value.term)
  return found
})

/** Fields that a message works on or that conditions mention, other than where they are set. */
const fieldsUsed = oncePer(({ events, facts }: Handler): StoredPlaces => {
  const found = new StoredPlaces()
  for (const one of everySubterm([...facts])) found.add(one)
  const met = new Set<Facts>()
  for (const [at, event] of events.entries()) {
    const own = event.kind === "assign" ? placeKey(event.target.term) : undefined
    const isSet = (one: Term): boolean => own !== undefined && placeKey(one) === own
    for (const one of everySubterm(eventTerms(event))) if (!isSet(one)) found.add(one)
    for (const fact of factsNotMet(event.facts, met)) {
      const isElsewhere = (): boolean =>
        events.some((e, i) => i > at && !(e.kind === "assign" && isSet(e.target.term)) && e.facts.has(fact))
      for (const one of everySubterm([fact])) if (!isSet(one) || isElsewhere()) found.add(one)
    }
  }
  return found
})

/** Records that a message passes to code without source. */
const passedOn = oncePer(({ events }: Handler): StoredPlaces => {
  const found = new StoredPlaces()
  for (const event of events)
    if (event.kind === "call" && event.target === undefined && !keeps.test(event.name))
      for (const { term } of event.args) found.add(term)
  return found
})

/** Whether the message decides by the mark, or passes the record to code without source. */
const looksAt = (handler: Handler, mark: Pick<StorageWrite, "container" | "path">): boolean =>
  mark.path === ""
    ? entriesRead(handler).has(mark)
    : fieldsUsed(handler).has(mark) || passedOn(handler).has({ container: mark.container, path: "" })

/** What the messages of a contract do with one place in storage. */
interface Uses {
  readonly readers: ReadonlyArray<Handler>
  /** Whether some message sets it to something else, or removes the entry. */
  readonly isTakenBack: boolean
}

/** Messages by the container that they access: a place is looked up in those alone, and once. */
class Elsewhere {
  private readonly byContainer = new Map<Term, Array<Handler>>()
  private readonly byPlace = new Map<string, Uses>()

  constructor(handlers: ReadonlyArray<Handler>) {
    for (const handler of handlers)
      for (const container of containersIn(handler)) {
        const known = this.byContainer.get(container)
        if (known === undefined) this.byContainer.set(container, [handler])
        else known.push(handler)
      }
  }

  of(mark: StorageWrite): Uses {
    const place = `${mark.container.id}:${mark.path}`
    let uses = this.byPlace.get(place)
    if (uses === undefined) {
      const handlers = this.byContainer.get(mark.container) ?? []
      const readers = handlers.filter((handler) => looksAt(handler, mark))
      this.byPlace.set(place, (uses = { readers, isTakenBack: handlers.some((handler) => takesBack(handler, mark)) }))
    }
    return uses
  }
}

const containersIn = ({ events, facts }: Handler): ReadonlySet<Term> => {
  const met = new Set<Facts>()
  const terms = events.flatMap((event) => [...eventTerms(event), ...factsNotMet(event.facts, met)])
  return new Set([...everySubterm([...terms, ...facts])].flatMap((one) => storedPlace(one)?.container ?? []))
}

const takesBack = ({ events }: Handler, { container, path }: StorageWrite): boolean =>
  storageWrites(events).some((write) => write.container === container && write.path === path && !isTrue(write.value))

const isTrue = (value: Term): boolean => value.kind === "literal" && value.value === "true"
