import { oncePer } from "../../oncePer.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { Handler } from "../program/model.ts"
import { type Comparison, comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { storageWrites } from "../questions/storageWrites.ts"

// Who the sender is according to the message: an account that it names and that the sender has to be.

/** All facts about the sender, including those on only some paths. */
const everyComparison = ({ entry: { sender }, events, facts }: Handler): ReadonlyArray<Comparison> => {
  if (sender === undefined) return []
  const met = new Set<Facts>()
  const each = [facts, ...events.map((event) => event.facts)].flatMap((one) => factsNotMet(one, met))
  return comparisonsOf(sender, new Set(each))
}

/** Accounts in the message, and nothing else, that the sender is compared with. */
const isOwnWord = ({ entry: { message } }: Handler, { operator, against }: Comparison): boolean =>
  operator === "==" &&
  mentions(against, (one) => one === message) &&
  !mentions(against, (one) => storedPlace(one) !== undefined || (one.kind === "call" && one.name.startsWith("query")))

/** What a message's effects and lookups depend on. */
const dependencies = oncePer(({ events }: Handler): ReadonlySet<Term> => {
  const terms = [
    ...storageWrites(events).flatMap(({ key, value }) => [key, value]),
    ...events.map((event) => (event.kind === "read" ? storedPlace(event.value.term)?.key : undefined)),
    ...outgoingMessages(events).flatMap(({ fields }) => [...fields.values()]),
  ]
  return everySubterm(terms.filter((one) => one !== undefined))
})

/** What is known about the sender: facts that identify it, and those that only repeat its own claims. */
interface Questions {
  readonly asking: ReadonlyArray<Comparison>
  readonly idle: ReadonlySet<Term>
}

const questionsOf = oncePer((handler: Handler): Questions => {
  const all = everyComparison(handler)
  const isIdle = (one: Comparison): boolean => isOwnWord(handler, one) && !dependencies(handler).has(one.against)
  const idle = new Set(all.filter(isIdle).map(({ fact }) => fact))
  return { asking: all.filter(({ fact }) => !idle.has(fact)), idle }
})

/**
 * How a message checks its sender, including on only some paths. That the sender equals an account named in the message
 * proves nothing if nothing else depends on that account: callers name themselves.
 */
export const senderQuestions = (handler: Handler): ReadonlyArray<Comparison> => questionsOf(handler).asking

/** Facts about the sender that hold for anyone who names themselves in the message. */
export const idleFacts = (handler: Handler): ReadonlySet<Term> => questionsOf(handler).idle

/** Terms that are the sender's address: its own, and an account named in the message that the sender has to be. */
export const namesOfSender = (handler: Handler): ReadonlySet<Term> => {
  const { sender } = handler.entry
  if (sender === undefined) return new Set()
  const named = comparisonsOf(sender, handler.facts).filter((one) => isOwnWord(handler, one))
  return new Set([sender, ...named.map(({ against }) => against)])
}

/**
 * Containers in which the sender's address identifies a record on some path: `if item.who == info.sender { at = i }`.
 */
export const foundBySender = (handler: Handler): ReadonlySet<Term> =>
  new Set(
    senderQuestions(handler).flatMap(({ operator, against }) =>
      operator === "==" ? (storedPlace(against)?.container ?? []) : [],
    ),
  )

/** Whether code without source is given all that is known about the caller. */
export const delegatesCallerCheck = ({ entry: { sender }, events }: Handler): boolean =>
  sender?.kind === "field" &&
  events.some(
    (event) =>
      event.kind === "call" &&
      event.target === undefined &&
      !/^(nonpayable|must_pay|may_pay|one_coin)$/.test(event.name) &&
      event.args.some(({ term }) => term === sender.base),
  )
