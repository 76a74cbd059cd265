import type { CallEvent, Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isNamed, pointee } from "../../rust/crate/types.ts"
import { areSigned, isAuthorized } from "../authority/authority.ts"
import type { Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { isContainer, storedPlace } from "../program/semantics.ts"
import { answering } from "./unusedInputs.ts"

// Messages of trusted senders that check what they are given and then do nothing with it.

/** Calls of other crates that only read the storage they receive. */
const reading =
  /^(load|may_load|has|range\w*|keys|prefix\w*|sub_prefix|no_prefix|key|iter|len|clone|first|last|branch|as_ref|is_\w+|get\w*|query\w*|may_\w+|as_\w+|assert_\w+|ensure_\w+|check_\w+|require_\w+|verify_\w+|validate_\w+)$/

/** Calls of project functions whose events are part of the walk, by where they are made. */
export const followedCalls = (events: ReadonlyArray<Event>): ReadonlySet<string> => {
  const calls = new Set<string>()
  for (const { scope } of events) {
    const { call } = scope.frame
    if (call !== undefined) calls.add(`${call.file.path}:${call.start}`)
  }
  return calls
}

/** Whether a call whose body is not part of the walk may change the storage that it receives. */
const mayWrite = ({ name, method, args }: CallEvent): boolean =>
  !reading.test(name) &&
  // Operations of containers are separate `assign` events.
  !(method && args[0] !== undefined && isContainer(args[0].type)) &&
  args.some(
    ({ term, type }) =>
      !isContainer(type) &&
      (isNamed(pointee(type), "DepsMut", "Extern") || (term.kind === "field" && term.name === "storage")),
  )

/** Whether anything changes, is sent or is returned, as far as one can see. */
export const hasEffect = ({ events }: Handler): boolean => {
  const calls = followedCalls(events)
  return (
    outgoingMessages(events).length > 0 ||
    events.some((event) => {
      if (event.kind === "assign") return storedPlace(event.target.term) !== undefined
      if (event.kind !== "call") return false
      if (answering.test(event.name)) return true
      const isFollowed = event.target !== undefined && calls.has(`${event.file.path}:${event.node.start}`)
      return !isFollowed && mayWrite(event)
    })
  )
}

/** Whether only the contract itself can call: what it checks then is its own concern. */
const isOwnCall = ({ entry: { sender, env }, facts }: Handler): boolean =>
  sender !== undefined && comparisonsOf(sender, facts).some(({ against }) => mentions(against, (one) => one === env))

/** Whether something in the message is compared or validated. */
const examinesInput = ({ entry: { message }, events }: Handler): boolean => {
  const isAbout = (term: Term): boolean => term.kind !== "is" && mentions(term, (one) => one === message)
  return events.some((event) =>
    event.kind === "check"
      ? event.conditions.some(isAbout)
      : event.kind === "call" && event.name === "addr_validate" && event.args.some(({ term }) => isAbout(term)),
  )
}

/** Whether a message of a trusted sender examines what it is given, succeeds, and has no effect at all. */
export const isIdle = (handler: Handler): boolean => {
  const { entry, events, facts } = handler
  if (entry.walk.truncated || hasEffect(handler) || isOwnCall(handler)) return false
  // That something is signed, anyone may have the contract confirm.
  if (entry.kind !== "execute" || !isAuthorized(entry, facts) || areSigned(facts)) return false
  return (
    examinesInput(handler) &&
    events.some((event) => event.kind === "call" && /(^|::)Response::(new|default)$/.test(event.path))
  )
}
