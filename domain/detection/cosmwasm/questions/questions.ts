import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { type Facts, toldBy } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { OutgoingMessage } from "../program/model.ts"

/** A comparison of a term with another, among the facts. */
export interface Comparison {
  readonly operator: string
  readonly against: Term
  readonly fact: Term
}

const growing = /^(checked_|saturating_|full_)?(add|mul|div|pow|multiply_ratio|mul_floor|mul_ceil|div_floor|div_ceil)$/

const comparisonsIn = (fact: Term, subject: Term, depth: number): ReadonlyArray<Comparison> => {
  // `ensure_admin!(info.sender, …)`: a macro of the project that receives an account, rather than a condition, checks
  // it.
  if (fact === subject) return [{ operator: "ensured", against: fact, fact }]
  const isSubject = (term: Term): boolean => mentions(term, (one) => one === subject)
  switch (fact.kind) {
    case "binary": {
      const { operator, left, right } = fact
      if (operator === "||" && depth < 8) {
        const other = comparisonsIn(right, subject, depth + 1)
        const own = comparisonsIn(left, subject, depth + 1)
        return other.length > 0 ? own : []
      }
      if (operator === "&&" && depth < 8)
        return [...comparisonsIn(left, subject, depth + 1), ...comparisonsIn(right, subject, depth + 1)]
      // `now < stored(GRANTS, sender).vests_at` concerns the time, not the caller.
      if (operator !== "==" && operator !== "!=" && left !== subject && right !== subject) return []
      if (isSubject(left)) return [{ operator, against: right, fact }]
      return isSubject(right) ? [{ operator, against: left, fact }] : []
    }
    case "call":
    case "succeeded":
    case "is": {
      const call = fact.kind === "call" ? fact : fact.kind === "succeeded" ? fact.call : fact.value
      if (call.kind !== "call" || !isSubject(call)) return []
      // `may_load` succeeds for everyone; that an entry must exist is a separate fact.
      if (fact.kind === "succeeded" && call.name === "stored" && call.path === "") return []
      // Adding to the sender's balance requires nothing of the sender; subtracting requires that it exists.
      if (growing.test(call.name)) return []
      // `ADMINS.load(sender)?`, `has(sender)`, `admins.contains(&sender)`, `is_member(sender)`.
      return [
        {
          operator: fact.kind === "is" ? "is" : call.name,
          against: call.args.find((one) => !isSubject(one)) ?? call,
          fact,
        },
      ]
    }
    case "not":
      return fact.operand.kind === "call" && isSubject(fact.operand)
        ? [{ operator: `!${fact.operand.name}`, against: fact.operand, fact }]
        : []
    default:
      return []
  }
}

const comparisonsWith = oncePer((subject: Term) =>
  toldBy(oncePer((fact: Term): ReadonlyArray<Comparison> => comparisonsIn(fact, subject, 0))),
)

/**
 * What a term, such as the sender, was compared with on every path: `==` with stored data is authorization. Each fact
 * is examined once per subject: 2,000 consecutive statements each have the facts of all previous ones.
 */
export const comparisonsOf = (subject: Term, facts: Facts): ReadonlyArray<Comparison> => comparisonsWith(subject)(facts)

const messages = /(^|::)(BankMsg|WasmMsg|CosmosMsg|StakingMsg|DistributionMsg|GovMsg|IbcMsg|AnyMsg)::\w+$/
const submessages = /(^|::)SubMsg::(new|reply_always|reply_on_error|reply_on_success|reply_never)$/

const assetMessages = /^(transfer_msg|send_msg|into_msg)$/

/** The message that an event constructs. */
const messageOf = (event: Event): ReadonlyArray<OutgoingMessage> => {
  if (event.kind === "struct" && event.value.term.kind === "struct") {
    const { path, fields } = event.value.term
    if (!messages.test(path) && !/(^|::)SubMsg$/.test(path)) return []
    return [{ path: path.split("::").slice(-2).join("::"), event, fields: new Map(fields) }]
  }
  if (event.kind === "call" && !event.method && (submessages.test(event.path) || messages.test(event.path))) {
    const fields = new Map(event.args.map((one, index) => [String(index), one.term]))
    return [{ path: event.path.split("::").slice(-2).join("::"), event, fields }]
  }
  // `asset.transfer_msg(to)` of cw-asset, `asset.into_msg(to)` of Astroport.
  if (event.kind === "call" && event.method && event.target === undefined && assetMessages.test(event.name)) {
    const to = event.name === "into_msg" ? event.args.slice(1).at(-1) : event.args[1]
    if (to === undefined) return []
    const fields = new Map([
      ["to_address", to.term],
      ["amount", event.args[0]!.term], // a method's receiver
    ])
    return [{ path: `Asset::${event.name}`, event, fields }]
  }
  return []
}

/** The messages that some events construct. Many rules ask for those of one handler. */
export const outgoingMessages = oncePer((events: ReadonlyArray<Event>): ReadonlyArray<OutgoingMessage> =>
  events.flatMap(messageOf),
)

/** Everything that the messages constructed by some events contain. */
export const sentTerms = oncePer((events: ReadonlyArray<Event>): ReadonlySet<Term> =>
  everySubterm(outgoingMessages(events).flatMap(({ fields }) => [...fields.values()])),
)
