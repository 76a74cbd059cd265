import { mentions, type Term } from "../rust/terms/terms.ts"
import type { Handler } from "./model.ts"
import { type Comparison, comparisonsOf, outgoingMessages } from "./questions.ts"
import { storedPlace } from "./semantics.ts"
import { storageWrites } from "./storageWrites.ts"

// Who the sender is, as far as the message tells: an account that it names itself, and that the sender has to be.

/** All that is known of the sender, if only on some path. */
const everyComparison = ({ entry: { sender }, events, facts }: Handler): ReadonlyArray<Comparison> =>
  sender === undefined
    ? []
    : [...new Set([facts, ...events.map((event) => event.facts)])].flatMap((one) => comparisonsOf(sender, one))

/** An account in the message, and nothing else, that the sender is compared with. */
const isOwnWord = ({ entry: { message } }: Handler, { operator, against }: Comparison): boolean =>
  operator === "==" &&
  mentions(against, (one) => one === message) &&
  !mentions(against, (one) => storedPlace(one) !== undefined || (one.kind === "call" && one.name.startsWith("query")))

/** What a message does or looks up depends on a term. */
const dependsOn = ({ events }: Handler, wanted: Term): boolean => {
  const isPart = (term: Term | undefined): boolean => term !== undefined && mentions(term, (one) => one === wanted)
  return (
    storageWrites(events).some(({ key, value }) => isPart(key) || isPart(value)) ||
    events.some((event) => event.kind === "read" && isPart(storedPlace(event.value.term)?.key)) ||
    outgoingMessages(events).some(({ fields }) => [...fields.values()].some(isPart))
  )
}

/** What is known of the sender: facts that ask who it is, and those that only repeat what it says of itself. */
interface Questions {
  readonly asking: ReadonlyArray<Comparison>
  readonly idle: ReadonlySet<Term>
}

const known = new WeakMap<Handler, Questions>()

const questionsOf = (handler: Handler): Questions => {
  let questions = known.get(handler)
  if (questions === undefined) {
    const all = everyComparison(handler)
    const isIdle = (one: Comparison): boolean => isOwnWord(handler, one) && !dependsOn(handler, one.against)
    const idle = new Set(all.filter(isIdle).map(({ fact }) => fact))
    questions = { asking: all.filter(({ fact }) => !idle.has(fact)), idle }
    known.set(handler, questions)
  }
  return questions
}

/**
 * What a message asks about its sender, if only on some path. That the sender is whom the message names says nothing
 * where nothing else depends on that name: whoever calls names themselves.
 */
export const senderQuestions = (handler: Handler): ReadonlyArray<Comparison> => questionsOf(handler).asking

/** Facts about the sender that hold for whoever names themselves in the message. */
export const idleFacts = (handler: Handler): ReadonlySet<Term> => questionsOf(handler).idle

/** Terms that are the sender's address: its own, and what the message names and the sender has to be. */
export const namesOfSender = (handler: Handler): ReadonlySet<Term> => {
  const { sender } = handler.entry
  if (sender === undefined) return new Set()
  const named = comparisonsOf(sender, handler.facts).filter((one) => isOwnWord(handler, one))
  return new Set([sender, ...named.map(({ against }) => against)])
}

/** Containers of which a record is told by the sender's address on some path: `if item.who == info.sender { at = i }`. */
export const foundBySender = (handler: Handler): ReadonlySet<Term> =>
  new Set(
    senderQuestions(handler).flatMap(({ operator, against }) =>
      operator === "==" ? (storedPlace(against)?.container ?? []) : [],
    ),
  )
