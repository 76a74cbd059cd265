import { guaranteed } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isAboutPresence } from "../authority/authority.ts"
import { asksClock, isDue } from "../questions/blockTime.ts"
import {
  type Asked,
  isAllowed,
  isChosen,
  isComputed,
  isFoundFree,
  type OpenPower,
  openWrites,
} from "../authority/openness.ts"
import { paymentOf } from "../questions/payments.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { isTied } from "../authority/records.ts"
import { isComputedFrom, mentionsApart, mentionsOutside, storedPlace } from "../program/semantics.ts"
import { ignoresCaller } from "../authority/senderConcern.ts"
import { storageWrites } from "../questions/storageWrites.ts"

// Entries of other accounts, and entries that anyone replaces.

/** How many removals are held against what is sent. */
const maxRemovals = 16

/**
 * Whoever pays what another account's entry says takes what it holds: nothing else about the entry has to hold, such as
 * that it is in debt beyond its collateral, and the account gets nothing.
 */
export const seizedEntry = ({ entry, handler }: Asked): OpenPower | undefined => {
  const { sender, funds, message } = entry
  if (sender === undefined || funds === undefined) return undefined
  const isPaid = (fact: Term): boolean => mentions(fact, (one) => one === funds)
  const sent = outgoingMessages(handler.events)
  const removals = storageWrites(handler.events).filter(({ event }) => event.operator === "remove")
  for (const { container, key, event } of removals.slice(0, maxRemovals)) {
    if (key?.kind !== "call" || key.name !== "addr_validate") continue
    if (!mentions(key, (one) => one === message) || isTied(entry, key, event.facts)) continue
    const isContent = (one: Term): boolean => one.kind === "field" && storedPlace(one)?.container === container
    const takes = sent.find((one) => {
      const payment = paymentOf(one)
      return payment?.to === sender && payment.amount !== undefined && mentions(payment.amount, isContent)
    })
    const isReturned = sent.some((one) => paymentOf(one)?.to === key)
    const known = [...guaranteed(event)].filter((fact) => !isAboutPresence(fact) && mentions(fact, isContent))
    if (takes === undefined || isReturned || !known.some(isPaid) || !known.every(isPaid)) continue
    if ([...guaranteed(event)].some((fact) => asksClock(entry, fact))) continue
    return { event: takes.event, message: "Anyone can take what another account's entry holds.", confidence: "medium" }
  }
  return undefined
}

const isAnyKey = (term: Term): boolean => term.kind === "call" && term.name === "anyKey"

/** Other accounts' entries. */
export const openEntry = (asked: Asked): OpenPower | undefined => {
  const { entry } = asked
  const { message } = entry
  for (const { container, key, value, event } of openWrites(asked)) {
    if (
      key === undefined ||
      isFoundFree(asked, container) ||
      isTied(entry, key, event.facts) ||
      (event.operator === "remove" && isDue(entry, container, event.facts)) ||
      // Of the entries found by iterating, the contract chooses which.
      !mentionsOutside(
        key,
        (one) => one.kind === "call" && one.name === "addr_validate" && isChosen(asked, one),
        isAnyKey,
      )
    )
      continue
    // Whether a record follows from itself and the time, such as interest: anyone may update it.
    if (
      event.operator === "remove" ||
      mentionsApart(value, (one) => one === message) ||
      (value.kind === "literal" && value.type === "boolean")
    )
      return { event, message: "Anyone can change the entry of any address.", confidence: "medium" }
  }
  return undefined
}

/**
 * An entry that anyone replaces with whatever they like, not even what was there before matters, in a contract that has
 * settings or trusted accounts.
 */
export const openReplacement = ({ entry, handler, authorities, privileged, config }: Asked): OpenPower | undefined => {
  if (config.size + authorities.size === 0 || !ignoresCaller(entry, handler)) return undefined
  const chosen = (term: Term | undefined): boolean =>
    term !== undefined && mentionsApart(term, (one) => one === entry.message)
  const read = new Set(
    handler.events.flatMap((event) => (event.kind === "read" ? (storedPlace(event.value.term)?.container ?? []) : [])),
  )
  const replaced = storageWrites(handler.events).find(
    ({ container, key, value, event }) =>
      event.operator === "=" &&
      chosen(key) &&
      // What another contract answers is not the caller's.
      isComputedFrom(value, (one) => one === entry.message) &&
      !isComputed(value) &&
      // Where another message is trusted with the entries, this one deviates from it: a finding of its own.
      !privileged.has(`${container.id}[]`) &&
      ![...guaranteed(event)].some((fact) => isAllowed(entry, fact)) &&
      !read.has(container) &&
      !isFoundFree({ handler }, container),
  )
  return replaced === undefined
    ? undefined
    : { event: replaced.event, message: "Anyone can replace any entry of this map.", confidence: "medium" }
}
