import { guaranteed } from "../../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { senderQuestions } from "../authority/callerIdentity.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { openEntry, seizedEntry } from "./openEntries.ts"
import { openCode, openMessage } from "./openMessages.ts"
import { openPlace } from "./openPlaces.ts"
import { openToAll } from "./openSettings.ts"
import { type Asked, isAllowed, type OpenPower } from "../authority/openness.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { idleAuthority } from "../authority/records.ts"
import { ignoresCaller, affectsOnlySender } from "../authority/senderConcern.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { unusedAnswer } from "../authority/unusedAnswers.ts"

/** A place where the authorized account is loaded but never used, although the message does something. */
const forgottenAuthority = ({ entry, handler, authorities }: Asked): OpenPower | undefined => {
  const { sender } = entry
  if (sender === undefined || senderQuestions(handler).length > 0) return undefined
  if (storageWrites(handler.events).length === 0 && outgoingMessages(handler.events).length === 0) return undefined
  const event = idleAuthority(handler, authorities)
  const answer = event === undefined ? unusedAnswer(handler) : undefined
  if (answer !== undefined)
    return {
      event: answer,
      message: "The account requested here is never compared with the sender.",
      severity: "medium",
      confidence: "medium",
    }
  if (event === undefined) return undefined
  const message = "The administrator is loaded here but never compared with the sender."
  return { event, message, severity: "medium", confidence: "medium" }
}

/** The first effect of an unauthorized message that should require authorization. */
export const openPowerOf = (asked: Asked): OpenPower | undefined => {
  const place = openPlace(asked)
  if (place !== undefined) return place
  const sold = openCode(asked) ?? seizedEntry(asked)
  if (sold !== undefined) return sold
  const forgotten = forgottenAuthority(asked)
  if (affectsOnlySender(asked.handler)) return forgotten
  return openMessage(asked) ?? openEntry(asked) ?? openToAll(asked) ?? forgotten
}

/** What a message that the contract sends to itself does, if anyone else can send it as well. */
export const openCallback = (entry: EntryPoint, handler: Handler): OpenPower | undefined => {
  const done = [...storageWrites(handler.events), ...outgoingMessages(handler.events)][0]
  if (done === undefined || !ignoresCaller(entry, handler)) return undefined
  if ([...guaranteed(done.event)].some((fact) => isAllowed(entry, fact))) return undefined
  return {
    event: done.event,
    message: "The contract sends this message to itself, but anyone else can send it at any time.",
    confidence: "medium",
    // Whoever sends it decides when, and nothing else.
    ...(decides(entry, handler) ? {} : { severity: "medium" as const }),
  }
}

/** Whether anything that a message writes or sends comes from its sender. */
const decides = ({ message, sender, funds }: EntryPoint, { events }: Handler): boolean => {
  const isGiven = (one: Term): boolean =>
    one === sender || one === funds || (one.kind === "payload" && rootOf(one) === message)
  return [
    ...storageWrites(events).flatMap(({ key, value }) => (key === undefined ? [value] : [key, value])),
    ...outgoingMessages(events).flatMap(({ fields }) => [...fields.values()]),
  ].some((term) => mentions(term, isGiven))
}
