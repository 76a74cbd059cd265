import type { Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import type { Expression } from "../../rust/syntax/syntax.ts"
import { mentions, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { EntryPoint, OutgoingMessage } from "../program/model.ts"
import { outgoingMessages } from "./questions.ts"

/** A submessage whose outcome is reported to the contract in `reply`. */
export interface ReplyRequest {
  readonly event: OutgoingMessage["event"]
  readonly on: "always" | "error" | "success"
  readonly id: Term | undefined
  readonly message: Term | undefined
}

/** The submessages that some entry points construct and request a reply for. */
export const replyRequests = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlyArray<ReplyRequest> =>
  entryPoints.flatMap(({ events }) =>
    outgoingMessages(events).flatMap(({ path, fields, event }): ReadonlyArray<ReplyRequest> => {
      const called = /SubMsg::reply_(?:on_)?(always|error|success)$/.exec(path)?.[1]
      if (called !== undefined)
        return [{ event, on: called as ReplyRequest["on"], id: fields.get("1"), message: fields.get("0") }] // one of the three in the pattern
      const wanted = fields.get("reply_on")
      if (!/(^|::)SubMsg$/.test(path) || wanted?.kind !== "constant") return []
      const on = wanted.name.toLowerCase()
      return on === "always" || on === "error" || on === "success"
        ? [{ event, on, id: fields.get("id"), message: fields.get("msg") }]
        : []
    }),
  )

/** Whether a term is, or is derived from, a field of the reply itself: `id`, `result`. */
export const isOfReply = (terms: TermTable, reply: EntryPoint, field: string): ((term: Term) => boolean) => {
  const { message } = reply
  if (message === undefined) return () => false
  const wanted = terms.field(message, field)
  // `match msg { Reply { id, result } => … }` destructures it.
  const isWanted = (one: Term): boolean =>
    one === wanted || (one.kind === "payload" && one.base === message && one.name === field)
  return (term) => mentions(term, isWanted)
}

/** `1_000u64` and `0x3e8` are one number. */
const integer = (text: string): string | undefined => {
  const digits = text.replaceAll("_", "").replace(/[iu](8|16|32|64|128|size)$/, "")
  return /^(\d{1,20}|0x[\da-fA-F]{1,16})$/.test(digits) ? String(BigInt(digits)) : undefined
}

const written = (node: Expression | undefined): string | undefined =>
  node?.kind === "cast" ? written(node.value) : node?.kind === "literal" ? integer(node.value) : undefined

/** The number of an id, where it is written down. */
export const idValue = (term: Term): string | undefined => {
  if (term.kind === "literal") return integer(term.value)
  if (term.kind === "cast") return idValue(term.value)
  return term.kind === "constant" ? written(term.definition?.item.value) : undefined
}

/** What two terms share that name one id: the term, or the value of constants and literals. */
export const idKey = (term: Term): string | Term => idValue(term) ?? term

/** The ids that `reply` handles; undefined if it does not distinguish them one by one. */
const idsNamed = (terms: TermTable, reply: EntryPoint): ReadonlySet<string> | undefined => {
  const isId = isOfReply(terms, reply, "id")
  const named = new Set<string>()
  const look = (fact: Term): boolean => {
    if (!mentions(fact, isId)) return true
    if (fact.kind !== "binary") return false
    if (fact.operator === "||" || fact.operator === "&&") return look(fact.left) && look(fact.right)
    if (fact.operator !== "==" && fact.operator !== "!=") return false
    const value = idValue(isId(fact.left) ? fact.right : fact.left)
    if (value !== undefined) named.add(value)
    return value !== undefined
  }
  const met = new Set<Facts>()
  const isPlain = (event: Event): boolean => {
    const asked = event.kind === "check" ? event.conditions : event.kind === "read" ? [event.value.term] : []
    return [...asked, ...factsNotMet(event.facts, met)].every(look)
  }
  return reply.events.every(isPlain) && named.size > 0 ? named : undefined
}

/** Requests for a reply whose id `reply` does not know. */
export const unknownRequests = (
  terms: TermTable,
  entryPoints: ReadonlyArray<EntryPoint>,
): ReadonlyArray<ReplyRequest> => {
  const replies = entryPoints.filter(({ kind }) => kind === "reply")
  const known = replies.map((one) => idsNamed(terms, one))
  if (known.length === 0 || known.includes(undefined)) return []
  return replyRequests(entryPoints).filter(({ id }) => {
    const value = id === undefined ? undefined : idValue(id)
    return value !== undefined && !known.some((ids) => ids?.has(value))
  })
}
