import { oncePer } from "../../oncePer.ts"
import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { anyFact, type Facts } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isNamed, successType } from "../../rust/crate/types.ts"
import { idleFacts } from "./callerIdentity.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { comparisonsOf } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath } from "../questions/storageWrites.ts"

/** Calls that take the sender but say nothing about who it is. */
const indifferent =
  /^!?(validAddress|addr_validate|addr_canonicalize|query\w*|is_empty|len|fundsChecked|mapped|to_(json_)?(binary|vec|string))$/

/** A signature was verified with a key that the contract stored. */
export const areSigned = anyFact(
  (fact) =>
    fact.kind === "call" &&
    /^(ed25519|secp256k1|secp256r1)_(batch_)?verify$/.test(fact.name) &&
    mentions(fact, (one) => storedPlace(one) !== undefined),
)

/** Whether the facts tie the sender to something that the caller did not choose. */
export const isAuthorized = (entry: EntryPoint, facts: Facts): boolean => {
  const { sender, message, env } = entry
  // Approved by the holder of a key that the contract stores.
  if (areSigned(facts)) return true
  if (sender === undefined) return false
  const isStored = (term: Term): boolean => mentions(term, (one) => storedPlace(one) !== undefined)
  return comparisonsOf(sender, facts).some(({ operator, against }) => {
    if (operator === "!=" || operator.startsWith("!") || indifferent.test(operator)) return false
    // The contract's own address: only the contract can call it.
    if (env !== undefined && mentions(against, (one) => one === env)) return true
    if (isStored(against) || message === undefined || !mentions(against, (one) => one === message)) return true
    // `sender == msg.vault && msg.vault == factory.vault`
    return (
      operator === "==" && comparisonsOf(against, facts).some((one) => one.operator === "==" && isStored(one.against))
    )
  })
}

/** Stored places that some message compares the sender with, as `container:field`. */
export const authorityPlaces = (crate: CosmWasmCrate): ReadonlySet<string> => {
  const places = new Set<string>()
  const add = (term: Term, sender: Term, depth: number): void => {
    const place = storedPlace(term)
    // What the sender's own record contains, such as a time, does not identify the sender.
    const isOwn = place?.key !== undefined && fieldPath(term) !== "" && mentions(place.key, (one) => one === sender)
    if (isOwn) return
    if (place !== undefined) places.add(`${place.container.id}:${fieldPath(term)}`)
    else if (term.kind === "call" && depth < 4) for (const one of term.args) add(one, sender, depth + 1)
    else if (term.kind === "choice" && depth < 4) for (const one of term.alternatives) add(one, sender, depth + 1)
  }
  for (const entry of crate.entryPoints) {
    const { sender } = entry
    if (sender === undefined) continue
    for (const event of entry.events)
      if (event.kind === "check")
        for (const { against } of comparisonsOf(sender, new Set(event.conditions))) add(against, sender, 0)
    // A helper that returns `Ok` for the owner and `Err` for everyone else contains no check of its own.
    for (const { facts } of entry.handlers)
      for (const { against } of comparisonsOf(sender, facts)) add(against, sender, 0)
  }
  return places
}

/** Messages through which cw20 and cw721 contracts call hooks: those standards fix their JSON names. */
export const isReceiveHook = ({ message }: Handler): boolean => /::Receive(Cw20|Nft|Cw721)?( |$)/.test(message)

/** Whether it only states that a call succeeded or an entry exists, and nothing about its contents. */
export const isPresence = (fact: Term): boolean =>
  fact.kind === "succeeded" || (fact.kind === "is" && fact.variant === "Some")

/** What is known not to be there. */
export const absentIn = (fact: Term): Term | undefined => {
  if (fact.kind === "is") return fact.variant === "None" ? fact.value : undefined
  return fact.kind === "not" && fact.operand.kind === "is" && fact.operand.variant === "Some"
    ? fact.operand.value
    : undefined
}

/** Whether it only states that something exists or does not, and nothing about its contents. */
export const isAboutPresence = (fact: Term): boolean => {
  const one = fact.kind === "not" ? fact.operand : fact
  return isPresence(one) || (one.kind === "is" && one.variant === "Ok")
}

/** `left.load()?.checked_sub(1)?`: a number of permissions, granted beforehand to nobody in particular, is not used up. */
export const isEnough = (fact: Term): boolean => {
  const value = fact.kind === "succeeded" ? fact.call : fact.kind === "is" ? fact.value : undefined
  if (value?.kind !== "call" || value.name !== "checked_sub") return false
  const place = storedPlace(value.args[0]!) // a method's receiver
  return place !== undefined && place.key === undefined
}

/**
 * Whether a function of the project receives the sender, accepts or rejects, rejects on some path, and is obeyed. Even
 * if its reasons are not understood, such as the answers of other contracts, it is a check.
 */
export const honorsHelperResult = oncePer((handler: Handler): boolean => {
  const { entry, events } = handler
  const { sender } = entry
  const idle = idleFacts(handler)
  const isIdle = (event: Event): boolean =>
    event.kind === "check" && event.conditions.length > 0 && event.conditions.every((one) => idle.has(one))
  const listening = new Set(events.flatMap((event) => (isIdle(event) ? [event.function] : [])))
  const refusing = new Set(
    events.flatMap((event) =>
      (event.kind === "check" || (event.kind === "exit" && !event.success)) && !listening.has(event.function)
        ? [event.function]
        : [],
    ),
  )
  return events.some(
    (event) =>
      event.kind === "call" &&
      event.target !== undefined &&
      event.handled === true &&
      event.examined !== true &&
      refusing.has(event.target) &&
      event.args.some(({ term }) => term === sender) &&
      onlyAccepts(event),
  )
})

/** Whether a call answers nothing but that it succeeded, or says by its name that it is a check. */
const onlyAccepts = ({ name, result }: CallEvent): boolean => {
  const type = successType(result.type)
  if (type.kind === "tuple" && type.elements.length === 0) return true
  return !isNamed(type, "bool") && /^(is|ensure|assert|check|only|verify|require|auth\w*)_/.test(name)
}
