import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath, type StorageWrite, storageWrites } from "../questions/storageWrites.ts"

// Deposits of one account that another account's deposit replaces: the outbid bidder of an auction.

/** Who pays, and how much: coins with the message, or tokens reported by a hook. */
interface Payer {
  readonly isPayer: (term: Term) => boolean
  readonly isPayment: (term: Term) => boolean
}

const payerOf = ({ entry: { sender, funds, message } }: Handler): Payer => {
  const isOfHook = (one: Term, name: string): boolean =>
    one.kind === "field" &&
    one.name === name &&
    one.base.kind === "payload" &&
    one.base.base === message &&
    /::Receive/.test(one.base.variant)
  return {
    isPayer: (one) => one === sender || isOfHook(one, "sender"),
    isPayment: (one) => one === funds || isOfHook(one, "amount"),
  }
}

const logging =
  /^(attr|add_attributes?|add_events?|format!|to_string|clone|into|as_str|as_ref|unwrap_or_default|is_some|is_none)$/

/** What an event does with terms, other than to compare, log or copy them. */
const usedBy = (event: Event): ReadonlyArray<Term> => {
  if (event.kind === "assign") return [event.target.term, event.value.term]
  if (event.kind === "struct") return [event.value.term]
  if (event.kind !== "call" || event.target !== undefined || logging.test(event.name)) return []
  return event.args.map(({ term }) => term)
}

/** Whether the new deposit has to exceed the stored one. */
const isOutbidding = (
  handler: Handler,
  amount: StorageWrite,
  isOld: (path: string) => (term: Term) => boolean,
): boolean =>
  handler.events
    .flatMap((event) => (event.kind === "check" ? event.conditions : []))
    .some(
      (fact) =>
        fact.kind === "binary" &&
        (fact.operator === "<" || fact.operator === "<=") &&
        mentions(fact.left, isOld(amount.path)) &&
        mentions(fact.right, payerOf(handler).isPayment),
    )

/** Where a deposit takes the place of a smaller one, which is neither paid back nor kept for its owner. */
export const replacedDeposit = (handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  if (entry.kind !== "execute" || entry.sender === undefined) return undefined
  const { isPayer, isPayment } = payerOf(handler)
  const writes = storageWrites(events)
  const owner = writes.find(
    ({ key, path, value }) => path !== "" && mentions(value, isPayer) && !(key !== undefined && mentions(key, isPayer)),
  )
  if (owner === undefined) return undefined
  const { container, key } = owner
  const isOld =
    (path: string) =>
    (one: Term): boolean => {
      const place = one.kind === "field" ? storedPlace(one) : undefined
      return place?.container === container && place.key === key && fieldPath(one) === path
    }
  const amount = writes.find(
    (one) =>
      one.container === container && one.key === key && one.path !== owner.path && mentions(one.value, isPayment),
  )
  // What is added to the stored amount keeps it.
  if (amount === undefined || mentions(amount.value, isOld(amount.path))) return undefined
  if (!isOutbidding(handler, amount, isOld)) return undefined
  const isOwn = comparisonsOf(entry.sender, facts).some(
    ({ operator, against }) => operator === "==" && mentions(against, isOld(owner.path)),
  )
  // Deposits may be recorded for each account separately.
  const isKept = writes.some(
    (one) => one.key !== undefined && mentions(one.key, isPayer) && mentions(one.value, isPayment),
  )
  if (isOwn || isKept) return undefined
  const isPaidBack = events.some(
    (event) => event !== owner.event && usedBy(event).some((one) => mentions(one, isOld(owner.path))),
  )
  const sent = outgoingMessages(events).some(({ fields }) =>
    [...fields.values()].some((one) => mentions(one, isOld(amount.path))),
  )
  return isPaidBack || sent ? undefined : owner.event
}
