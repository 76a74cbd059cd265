import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { areSigned, isPresence, isReceiveHook } from "../authority/authority.ts"
import { keptDue } from "./keptDues.ts"
import type { Handler } from "../program/model.ts"
import { takesNothing } from "../authority/senderConcern.ts"
import { onlyPayments, type Payment } from "../questions/payments.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { isContainer, mentionsApart, partsOutsideKeys, storedPlace } from "../program/semantics.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { touches } from "../questions/touches.ts"
import { isLowered, isRaised, isTrusted } from "./unreadMarks.ts"

// An action for a record that is not recorded, so that it can be repeated.

/** Calls of helpers that only read the storage they receive. */
const looking =
  /^(load|may_load|has|range|keys|prefix|key|iter|is_\w+|get\w*|query\w*|may_\w+|as_\w+|len|clone|first|last)$/

/** Whether code without source is given the storage, in which it may note anything. */
export const isOpaqueWrite = ({ target, name, args }: CallEvent): boolean =>
  target === undefined &&
  !looking.test(name) &&
  // Operations of containers are separate `assign` events.
  !(args[0] !== undefined && isContainer(args[0].type)) &&
  args.some(({ term }) => term.kind === "field" && term.name === "storage")

/** Whether something is added to a stored list, or taken from it, before it is saved. */
const changesList = ({ name, args }: CallEvent): boolean =>
  /^(push|push_back|push_front|insert|extend|append|remove|swap_remove|retain|drain|pop|clear|truncate)$/.test(name) &&
  args[0] !== undefined &&
  storedPlace(args[0].term) !== undefined

/** Whether something in storage changes, or code without source may change it. */
const writesSomething = ({ events }: Handler): boolean =>
  events.some(
    (event) =>
      (event.kind === "assign" && storedPlace(event.target.term) !== undefined) ||
      (event.kind === "call" && isOpaqueWrite(event)),
  )

/** A record of the sender, or one that the message names. */
const isRecord =
  ({ entry: { sender, message } }: Handler) =>
  (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => part === sender || part === message)
  }

/** Whether the amount is stored in a record, or requested by the caller and allowed by the caller's record. */
const isOfRecord = (handler: Handler, amount: Term): boolean => {
  const { sender, message } = handler.entry
  const asked = (one: Term): boolean => one === message
  if (!mentionsApart(amount, asked)) return mentionsApart(amount, isRecord(handler))
  const isOwn = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => part === sender)
  }
  // `held.checked_sub(amount)?` fails if there is less.
  const isLimit = (fact: Term): boolean =>
    !isPresence(fact) || (fact.kind === "succeeded" && fact.call.kind === "call" && fact.call.name === "checked_sub")
  return [...handler.facts].some((fact) => isLimit(fact) && mentionsApart(fact, asked) && mentionsApart(fact, isOwn))
}

/**
 * Whether a message may note that it paid an amount: in the record that the amount is from, under a key of the account
 * or of the message, by a flag, or in code without source. A total that rises or falls says nothing about the record.
 */
const isNoted = (handler: Handler, amount: Term): boolean => {
  const { sender, message } = handler.entry
  const isOf = isRecord(handler)
  const records = new Set(
    [...partsOutsideKeys([amount, ...handler.facts])].filter(isOf).map((one) => storedPlace(one)?.container),
  )
  return (
    handler.events.some((event) =>
      event.kind === "call"
        ? isOpaqueWrite(event) || changesList(event)
        : event.kind === "assign" && records.has(storedPlace(event.target.term)?.container),
    ) ||
    storageWrites(handler.events).some(({ key, value }) =>
      key === undefined
        ? !isRaised(value) && !isLowered(value)
        : mentions(key, (one) => one === sender || one === message),
    )
  )
}

/** Payments out of a record by a message that does not note them and takes nothing in return. */
const unrecordedPayment = (handler: Handler): Payment | undefined => {
  const { kind, funds } = handler.entry
  if (kind !== "execute" || isReceiveHook(handler)) return undefined
  const payments = onlyPayments(handler)
  if (payments === undefined || isTrusted(handler, handler.facts)) return undefined
  if (!takesNothing(handler) && touches(handler, (one) => one === funds)) return undefined
  return payments.find(({ amount }) => amount !== undefined && isOfRecord(handler, amount) && !isNoted(handler, amount))
}

/** What is done for the holder of a signature by a message that writes nothing: the signature can be used again. */
const signedAgain = (handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  if (entry.kind !== "execute" || !areSigned(facts) || isTrusted(handler, facts) || writesSomething(handler))
    return undefined
  return outgoingMessages(events)[0]?.event
}

/** The minuend of a subtraction. */
const minuendOf = (term: Term): Term | undefined => {
  if (term.kind === "binary") return term.operator === "-" ? term.left : undefined
  return term.kind === "call" && /^(checked_|saturating_)?sub$/.test(term.name) ? term.args[0] : undefined
}

/** Entries below one key belong to one thing: its history, or its parts. */
const headOf = (key: Term): Term => (key.kind === "list" ? (key.elements[0] ?? key) : key)

/** The key of an entry found by an iteration. */
const isAny = (key: Term): boolean => mentions(key, (one) => one.kind === "call" && one.name === "anyKey")

/** An entry less some amount is written over another entry, and the original entry is unchanged. */
const loweredElsewhere = ({ events }: Handler): Event | undefined => {
  const writes = storageWrites(events)
  return writes.find(({ container, key, value }) => {
    const from = minuendOf(value)
    const place = from === undefined ? undefined : storedPlace(from)
    if (key === undefined || place?.key === undefined || place.container !== container) return false
    if (headOf(key) === headOf(place.key) || isAny(place.key)) return false
    return !writes.some((other) => other.container === container && other.key === place.key)
  })?.event
}

/** An entry is changed, and what comes of it is saved over another one alone. */
const savedElsewhere = ({ events }: Handler): Event | undefined => {
  const writes = storageWrites(events)
  const changed = new Set(
    events.flatMap((event) =>
      event.kind === "assign" && event.target.term.kind === "field" ? [rootOf(event.target.term)] : [],
    ),
  )
  const areOne = ({ facts }: Event, one: Term, other: Term): boolean =>
    [...facts].some(
      (fact) =>
        fact.kind === "binary" &&
        fact.operator === "==" &&
        [one, other].every((side) => fact.left === side || fact.right === side),
    )
  return writes.find(({ container, key, value, event }) => {
    const place = storedPlace(value)
    if (key === undefined || place?.key === undefined || place.container !== container) return false
    // A record that knows its own key.
    if (mentions(key, (one) => one === value) || areOne(event, key, place.key)) return false
    if (!changed.has(value) || headOf(key) === headOf(place.key) || isAny(place.key)) return false
    return !writes.some((other) => other.path === "" && other.container === container && other.key === place.key)
  })?.event
}

interface Unrecorded {
  readonly event: Event
  readonly message: string
}

/** An action for a record that is repeated when the message is sent again. */
export const unrecorded = (handler: Handler): ReadonlyArray<Unrecorded> => {
  const payment = unrecordedPayment(handler)
  const kept = keptDue(handler)
  const lowered = loweredElsewhere(handler)
  const moved = savedElsewhere(handler)
  const signed = payment === undefined ? signedAgain(handler) : undefined
  return [
    ...(payment === undefined
      ? []
      : [{ event: payment.event, message: "This is paid out of a record, but the payment is never recorded." }]),
    ...(kept === undefined
      ? []
      : [
          {
            event: kept,
            message: "The amount due according to a record is paid here but not deducted, so it stays due.",
          },
        ]),
    ...(signed === undefined
      ? []
      : [{ event: signed, message: "A signature allows this, but its use is never recorded." }]),
    ...(lowered === undefined
      ? []
      : [
          {
            event: lowered,
            message: "The amount is deducted from one entry, but the result is saved under the key of another.",
          },
        ]),
    ...(moved === undefined
      ? []
      : [{ event: moved, message: "One entry is changed, and the change is saved under the key of another." }]),
  ]
}
