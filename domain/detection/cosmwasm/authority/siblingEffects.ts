import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { type Event, type Frame, guaranteed, siteIn } from "../../rust/terms/events.ts"
import { anyFact, type Facts } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isAboutPresence, isAuthorized, isEnough, isReceiveHook } from "./authority.ts"
import { checksOwnTime } from "../questions/blockTime.ts"
import { foundBySender, delegatesCallerCheck, idleFacts } from "./callerIdentity.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { ignoresCaller } from "./senderConcern.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { isContainer, storedPlace } from "../program/semantics.ts"
import { isSaved, storageWrites } from "../questions/storageWrites.ts"
import { summandsIn } from "../questions/sums.ts"

// What the messages of one contract do to the same part of its storage, and which of them check the sender.

/** The effect of a message on something that the contract stores. */
export interface Effect {
  readonly entry: EntryPoint
  readonly handler: Handler
  readonly event: Event
  readonly container: Term
  readonly key: Term | undefined
  readonly values: ReadonlyArray<Term>
}

const reading =
  /^(load|may_load|has|range|keys|prefix|key|iter|is_\w+|get\w*|query\w*|may_\w+|as_\w+|len|clone|first|last)$/

/** Writes to storage, and calls of helpers that store something themselves: `HOOKS.add_hook(deps.storage, addr)`. */
export const effectsOf = (entry: EntryPoint, handler: Handler): ReadonlyArray<Effect> => {
  // What is added to or removed from a list before the list is saved.
  const moved = new Map<Term, Array<Term>>()
  for (const event of handler.events) {
    const [receiver, ...rest] = event.kind === "call" && event.method && event.target === undefined ? event.args : []
    const container = receiver === undefined ? undefined : storedPlace(receiver.term)?.container
    if (container === undefined) continue
    const known = moved.get(container) ?? []
    moved.set(container, known)
    for (const { term } of rest) known.push(term)
  }
  return handler.events.flatMap((event): ReadonlyArray<Effect> => {
    if (event.kind === "assign") {
      const place = storedPlace(event.target.term)
      if (place === undefined || !isSaved(handler.events, event)) return []
      return [{ entry, handler, event, ...place, values: [event.value.term, ...(moved.get(place.container) ?? [])] }]
    }
    if (event.kind !== "call" || !event.method || event.target !== undefined || reading.test(event.name)) return []
    const [receiver, ...rest] = event.args
    // Operations of containers are separate `assign` events.
    if (receiver === undefined || isContainer(receiver.type)) return []
    if (receiver.term.kind !== "constant" || receiver.term.definition === undefined) return []
    if (!rest.some(({ term }) => mentions(term, (one) => one.kind === "field" && one.name === "storage"))) return []
    const values = rest.map(({ term }) => term)
    return [{ entry, handler, event, container: receiver.term, key: undefined, values }]
  })
}

/** What the contract has a stored contract do, by the place of that contract's address. */
export const callsOf = (entry: EntryPoint, handler: Handler): ReadonlyArray<Effect> => {
  // Code without source may check the caller, or take the payment.
  if (delegatesCallerCheck(handler)) return []
  return outgoingMessages(handler.events).flatMap(({ path, event, fields }): ReadonlyArray<Effect> => {
    const to = path === "WasmMsg::Execute" ? fields.get("contract_addr") : undefined
    if (to === undefined || storedPlace(to) === undefined || storedPlace(to)?.key !== undefined) return []
    return [{ entry, handler, event, container: to, key: undefined, values: [...fields.values()] }]
  })
}

/** The effects on storage, and the messages sent, as if those were stored under the message's name. */
const actsOf = (entry: EntryPoint, handler: Handler): ReadonlyArray<Effect> => [
  ...effectsOf(entry, handler),
  ...outgoingMessages(handler.events).flatMap(({ path, event, fields }): ReadonlyArray<Effect> => {
    // Rewards go to the contract, regardless of who requests them.
    if (path === "DistributionMsg::WithdrawDelegatorReward") return []
    const container = event.kind === "struct" ? event.value.term : event.result.term
    return [{ entry, handler, event, container, key: undefined, values: [...fields.values()] }]
  }),
]

/** Whether the sender is trusted, or changes only its own data. */
export const isGuarded = ({ entry, handler, event, key }: Effect): boolean => {
  const { sender } = entry
  // Whoever sets up the contract decides; a key is filled in later by others.
  if (entry.kind === "instantiate") return true
  if (isAuthorized(entry, event.facts) || isAuthorized(entry, handler.facts)) return true
  return key !== undefined && mentions(key, (one) => one === sender)
}

const asksIn = oncePer((handler: Handler): ((facts: Facts) => boolean) => {
  const { sender, funds } = handler.entry
  const idle = idleFacts(handler)
  return anyFact(
    (fact) =>
      // The variant implies nothing about the sender stored in another variant.
      fact.kind !== "is" && !idle.has(fact) && mentions(fact, (one) => one === sender || one === funds),
  )
})

/** Whether facts test the sender or the payment. */
const areAsked = (handler: Handler, facts: Facts): boolean => asksIn(handler)(facts)

/** Keys under which a message stores its sender or payment, in any container. */
const keysOfSender = oncePer((handler: Handler): ReadonlySet<Term> => {
  const { sender, funds } = handler.entry
  const writes = storageWrites(handler.events).filter(({ value }) =>
    mentions(value, (one) => one === sender || one === funds),
  )
  return new Set(writes.flatMap(({ key }) => key ?? []))
})

/** Whether nothing checks the sender: no comparison, no key, no payment. */
const isBlind = ({ entry, handler, event, container, key, values }: Effect): boolean => {
  const { sender, funds } = entry
  if (sender === undefined) return false
  const about = (term: Term): boolean => mentions(term, (one) => one === sender || one === funds)
  if (key !== undefined && about(key)) return false
  if (values.some(about)) return false
  if (key !== undefined && keysOfSender(handler).has(key)) return false
  const idle = idleFacts(handler)
  if (comparisonsOf(sender, event.facts).some(({ fact }) => !idle.has(fact))) return false
  if (foundBySender(handler).has(container)) return false
  return !areAsked(handler, handler.facts) && !areAsked(handler, event.facts)
}

const allowedOf = new WeakMap<EntryPoint, Map<Term | undefined, (facts: Facts) => boolean>>()

/** Whether facts test the block, or stored data outside of `container`. */
const areAllowed = (entry: EntryPoint, container: Term | undefined, facts: Facts): boolean => {
  let known = allowedOf.get(entry)
  if (known === undefined) allowedOf.set(entry, (known = new Map()))
  let allowed = known.get(container)
  if (allowed === undefined) {
    const allows = (one: Term): boolean => {
      const place = storedPlace(one)
      return one === entry.env || (place !== undefined && place.container !== container)
    }
    known.set(
      container,
      (allowed = anyFact(
        (fact) => (isEnough(fact) || !isAboutPresence(fact)) && !checksOwnTime(entry, fact) && mentions(fact, allows),
      )),
    )
  }
  return allowed(facts)
}

/** Whether the caller chooses what is written, and no stored data or time has to permit it. */
const isChosen = ({ entry, event, container, key, values }: Effect): boolean => {
  const { message, env } = entry
  const chosen = (term: Term | undefined): boolean => term !== undefined && mentions(term, (one) => one === message)
  // Of what is there once, the caller chooses that it is removed.
  const isRemoval = event.kind === "assign" && event.operator === "remove" && key === undefined
  if (!isRemoval && !chosen(key) && !values.some(chosen)) return false
  // A helper without source that receives the clock can check the time.
  if (event.kind === "call" && values.some((one) => mentions(one, (part) => part === env))) return false
  // Whether a list already contains something is not a permission.
  return !areAllowed(entry, key === undefined ? container : undefined, guaranteed(event))
}

export const isSuspect = (effect: Effect): boolean =>
  !isGuarded(effect) && isBlind(effect) && isChosen(effect) && !isNewNumber(effect)

/** An entry under the next number of a stored counter: it belongs to nobody yet. */
export const isNewNumber = ({ key, handler }: Effect): boolean =>
  key !== undefined &&
  summandsIn(key).length > 0 &&
  storageWrites(handler.events).some((write) => write.key === undefined && write.value === key)

/** Where the message itself leads to the change: a helper that the others also call is correct. */
export const ownSite = ({ event, handler }: Effect, all: ReadonlyArray<Effect>): ReturnType<typeof siteIn> => {
  const shared = new Set<FunctionDefinition>()
  for (const other of all)
    if (other.handler !== handler)
      for (let at: Frame | undefined = other.event.scope.frame; at !== undefined; at = at.parent)
        shared.add(at.function)
  let own = event.scope.frame
  for (let at: Frame | undefined = own; at !== undefined; at = at.parent) if (!shared.has(at.function)) own = at
  return siteIn(event, own)
}

/**
 * The one message of a contract that does what its caller says without any check, if all others that do something check
 * the sender.
 */
export const oddOneOut = ({ entryPoints }: CosmWasmCrate): Effect | undefined => {
  const acting = entryPoints
    .filter(({ kind }) => kind === "execute")
    .flatMap(({ handlers }) => handlers)
    .map((handler) => ({ handler, effects: actsOf(handler.entry, handler) }))
    .filter(({ effects }) => effects.length > 0)
  const open = acting.filter(({ handler }) => ignoresCaller(handler.entry, handler) && !delegatesCallerCheck(handler))
  const [only] = open
  const known = acting.filter(({ handler }) => isAuthorized(handler.entry, handler.facts))
  if (only === undefined || open.length > 1 || known.length < 2 || isReceiveHook(only.handler)) return undefined
  return only.effects.find(isChosen)
}
