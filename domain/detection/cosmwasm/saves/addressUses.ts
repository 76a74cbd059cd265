import { isNamed, pointee, type RustType, successType } from "../../rust/crate/types.ts"
import { oncePer } from "../../oncePer.ts"
import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { anyFact } from "../../rust/terms/facts.ts"
import { mentions, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import type { CallerInput } from "../questions/callerInputs.ts"
import { paymentOf } from "../questions/payments.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { placeKey, type StorageWrite, storageWrites } from "../questions/storageWrites.ts"
import { type ComparedIn, type EntryUses, recipients } from "./entryUses.ts"
import { isWritten } from "../inputs/uncheckedAddresses.ts"

// Text of a message that is used as an address.

/** Containers from which some message takes its sender's entry: their keys are addresses. */
export const senderKeyed = (crate: CosmWasmCrate): ReadonlySet<Term> => {
  const found = new Set<Term>()
  for (const { sender, events } of crate.entryPoints)
    for (const { container, key } of storageWrites(events)) if (key === sender) found.add(container)
  return found
}

/** Stored text that is used as an address: compared with the sender, or sent to. */
export const addressPlaces = (crate: CosmWasmCrate): ReadonlySet<string> => {
  const places = new Set<string>()
  const add = (term: Term | undefined): void => {
    const key = term === undefined ? undefined : placeKey(term)
    if (key !== undefined) places.add(key)
  }
  for (const { sender, events } of crate.entryPoints) {
    for (const event of events)
      if (event.kind === "check")
        for (const condition of event.conditions)
          if (condition.kind === "binary" && (condition.left === sender || condition.right === sender))
            add(condition.left === sender ? condition.right : condition.left)
    for (const message of outgoingMessages(events)) {
      for (const name of recipients) add(message.fields.get(name))
      add(paymentOf(message)?.to)
    }
  }
  return places
}

const holdsAddress = (type: RustType): boolean => {
  const inner = pointee(successType(type))
  return isNamed(inner, "Addr") || holdsAddressInside(inner)
}

const holdsAddressInside = (type: RustType): boolean =>
  (type.kind === "named" && type.name === "Vec" && type.args.some(holdsAddress)) ||
  (type.kind === "list" && holdsAddress(type.element))

/**
 * Fields of stored records that contain addresses and take part of the message unchanged: that part is an `Addr`, too.
 */
export const storedAsAddress = (entry: EntryPoint, message: Term): ReadonlyArray<Event> =>
  entry.events.filter(
    (event) =>
      event.kind === "assign" &&
      event.target.term.kind === "field" &&
      storedPlace(event.target.term) !== undefined &&
      holdsAddress(event.target.type) &&
      isWritten(event.value.term, message) &&
      !isOwnCall(entry, event) &&
      ![...guaranteed(event)].some(
        (fact) =>
          fact.kind === "call" &&
          fact.name === "validAddress" &&
          mentions(event.value.term, (one) => one === fact.args[0]),
      ),
  )

/** Where a list or record of the message that contains the text is stored as a whole, and the text is used as an address. */
const keptInside = (
  uses: EntryUses,
  term: Term,
  places: ReadonlySet<string>,
  isOpen: (event: Event) => boolean,
): StorageWrite | undefined => {
  if (uses.validated.has(term)) return undefined
  let path = ""
  for (let whole = term; whole.kind === "field" || whole.kind === "element"; whole = whole.base) {
    if (whole.kind === "field") path = path === "" ? whole.name : `${whole.name}.${path}`
    const { base } = whole
    const write = uses.writes
      .get(base)
      ?.find(
        (one) =>
          one.value === base &&
          places.has(`${one.container.id}:${one.path === "" ? path : `${one.path}.${path}`}`) &&
          isOpen(one.event),
      )
    if (write !== undefined) return write
  }
  return undefined
}

export const firstUse = (
  entry: EntryPoint,
  uses: EntryUses,
  { term, type }: CallerInput,
  places: ReadonlySet<string>,
  accounts: ReadonlySet<Term>,
  terms: TermTable,
): Event | undefined => {
  const isAddr = isNamed(type, "Addr")
  const isAddress = (one: Term): boolean => {
    const key = placeKey(one)
    return (key !== undefined && (isAddr || places.has(key))) || one === entry.sender
  }
  const valid = [
    terms.call("validAddress", "", [term]),
    // The sender has a valid address.
    ...(entry.sender === undefined ? [] : [terms.binary("==", term, entry.sender)]),
  ]
  const isOpen = (event: Event): boolean => {
    const facts = guaranteed(event)
    return !isOwnCall(entry, event) && !valid.some((one) => facts.has(one))
  }
  // Anything that has to equal a valid address is one.
  const hasToEqual = ({ event, comparison }: ComparedIn): boolean =>
    comparison.operator === "==" && event.conditions.includes(comparison)
  const comparison = uses.comparisons
    .get(term)
    ?.find((one) => isAddress(one.other) && isOpen(one.event) && !hasToEqual(one))
  if (comparison !== undefined) return comparison.event
  const isUse = ({ container, path, key, value }: StorageWrite): boolean =>
    isAddr ||
    (key === term && (accounts.has(container) || uses.paid.has(term))) ||
    (value === term && places.has(`${container.id}:${path}`))
  const write =
    uses.writes.get(term)?.find((one) => isUse(one) && isOpen(one.event)) ?? keptInside(uses, term, places, isOpen)
  if (write !== undefined) return write.event
  return isAddr ? uses.messages.get(term)?.find(({ event }) => isOpen(event))?.event : undefined
}

const asksForItself = oncePer(({ sender, env }: EntryPoint) =>
  anyFact(
    (fact) =>
      sender !== undefined &&
      comparisonsOf(sender, new Set([fact])).some(
        ({ operator, against }) => operator === "==" && mentions(against, (one) => one === env),
      ),
  ),
)

/** Only the contract itself can call, with values that it checked before. */
const isOwnCall = (entry: EntryPoint, event: Event): boolean => asksForItself(entry)(guaranteed(event))
