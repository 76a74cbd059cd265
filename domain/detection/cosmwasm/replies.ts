import { mentions, type Term, type TermTable } from "../rust/terms/terms.ts"
import type { EntryPoint, OutgoingMessage } from "./model.ts"
import { outgoingMessages } from "./questions.ts"

/** A submessage whose outcome the contract hears of in `reply`. */
export interface ReplyRequest {
  readonly event: OutgoingMessage["event"]
  readonly on: "always" | "error" | "success"
  readonly id: Term | undefined
  readonly message: Term | undefined
}

/** The submessages that some entry points build and want a reply for. */
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

/** Whether a term is, or is made from, a field of the reply itself: `id`, `result`. */
export const isOfReply = (terms: TermTable, reply: EntryPoint, field: string): ((term: Term) => boolean) => {
  const { message } = reply
  if (message === undefined) return () => false
  const wanted = terms.field(message, field)
  // `match msg { Reply { id, result } => … }` takes it apart.
  const isWanted = (one: Term): boolean =>
    one === wanted || (one.kind === "payload" && one.base === message && one.name === field)
  return (term) => mentions(term, isWanted)
}
