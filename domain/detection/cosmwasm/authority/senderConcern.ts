import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isAuthorized } from "./authority.ts"
import { namesOfSender, senderQuestions } from "./callerIdentity.ts"
import { isResultIgnored } from "../questions/libraryChecks.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { type Comparison, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { touches } from "../questions/touches.ts"

// Whether the sender matters to a message, or the message is the sender's own affair.

/** Whether the result of a sender check is dropped. */
export const isLostCheck = ({ sender }: EntryPoint, event: Event): boolean =>
  event.kind === "call" &&
  isResultIgnored(event) &&
  sender !== undefined &&
  event.args.some(({ term }) => mentions(sender, (one) => one === term) || mentions(term, (one) => one === sender))

/** The message may not include coins: checking that is not a payment. */
export const takesNothing = ({ events, facts }: Handler): boolean =>
  events.some((event) => event.kind === "call" && event.name === "nonpayable") ||
  [...facts].some(
    (fact) =>
      fact.kind === "call" &&
      fact.name === "is_empty" &&
      mentions(fact, (one) => one.kind === "field" && one.name.endsWith("funds")),
  )

/** Accounts that the sender has to differ from, whatever else holds: everyone else is let through. */
const excluded = oncePer((handler: Handler): ReadonlySet<Term> => {
  const sides = [...handler.facts].flatMap((fact) =>
    fact.kind === "binary" && excludesSender(handler.entry, fact) ? [fact.left, fact.right] : [],
  )
  return new Set(sides)
})

/** Whether it excludes an account, or only states that the sender's address is a valid one. */
const isExclusion = (handler: Handler, { fact, operator }: Comparison): boolean =>
  fact.kind === "binary"
    ? (fact.operator === "==" || fact.operator === "!=") &&
      excluded(handler).has(fact.left) &&
      excluded(handler).has(fact.right)
    : /^(validAddress|addr_validate)$/.test(operator)

/** The sender's address, in whichever form: `deps.api.addr_canonicalize(info.sender.as_str())?`. */
const isSender = ({ sender }: EntryPoint, term: Term): boolean =>
  term === sender || (term.kind === "call" && term.name === "addr_validate" && term.args.includes(sender!))

export const excludesSender = (entry: EntryPoint, fact: Term): boolean =>
  fact.kind === "binary" && fact.operator === "!=" && (isSender(entry, fact.left) || isSender(entry, fact.right))

/** Whether the caller's identity and payment affect the conditions, the writes or the messages. */
export const ignoresCaller = (entry: EntryPoint, handler: Handler): boolean => {
  const { sender, funds } = entry
  const about = (term: Term | undefined): boolean =>
    term !== undefined && mentions(term, (one) => one === sender || (one === funds && !takesNothing(handler)))
  if (senderQuestions(handler).some((one) => !isExclusion(handler, one))) return false
  const isQuestion = (fact: Term): boolean => fact.kind === "call" && !/^(fundsChecked|validAddress)$/.test(fact.name)
  if ([...handler.facts].some((fact) => isQuestion(fact) && about(fact))) return false
  return (
    !storageWrites(handler.events).some(
      ({ key, value, event }) => about(key) || about(value) || isAuthorized(entry, event.facts),
    ) &&
    !outgoingMessages(handler.events).some(
      ({ fields, event }) => [...fields.values()].some(about) || isAuthorized(entry, event.facts),
    )
  )
}

/** The sender's own entry, or the sender's own coins. */
export const affectsOnlySender = (handler: Handler): boolean => {
  const { entry } = handler
  const names = namesOfSender(handler)
  const isOwn = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => names.has(part))
  }
  const paysIn = (one: Term): boolean => one === entry.funds && !takesNothing(handler)
  return touches(handler, (one) => isOwn(one) || paysIn(one))
}
