import type { Event } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import type { Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { isLibraryCheck } from "../questions/libraryChecks.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { isAuthorized } from "./authority.ts"

// Checks of the sender that the caller can leave out: `if !quiet && info.sender != owner { return Err(…) }`.

/** A check of the sender, and what has to hold for it to take place, of all that does not hold anyway. */
interface Conditional {
  readonly event: Event
  readonly when: ReadonlyArray<Term>
}

const alternativesOf = (fact: Term): ReadonlyArray<Term> =>
  fact.kind === "binary" && fact.operator === "||"
    ? [...alternativesOf(fact.left), ...alternativesOf(fact.right)]
    : [fact]

const conditionalChecks = ({ entry, events, facts }: Handler): ReadonlyArray<Conditional> =>
  events.flatMap((event): ReadonlyArray<Conditional> => {
    const around = [...event.facts].filter((fact) => !facts.has(fact))
    if (event.kind === "call")
      return isLibraryCheck(event) && event.handled === true && event.args.some(({ term }) => term === entry.sender)
        ? [{ event, when: around }]
        : []
    if (event.kind !== "check") return []
    return event.conditions.flatMap((fact): ReadonlyArray<Conditional> => {
      const alternatives = alternativesOf(fact)
      const others = alternatives.filter((one) => !isAuthorized(entry, new Set([one])))
      return others.length === alternatives.length ? [] : [{ event, when: [...around, ...others] }]
    })
  })

/** The parts of the message, or the payment, that conditions are about: the innermost fields. */
const inputsOf = ({ message, funds }: Handler["entry"], conditions: ReadonlyArray<Term>): ReadonlyArray<Term> => {
  const parts = [...everySubterm(conditions)].filter(
    (one) => one === funds || (one !== message && rootOf(one) === message),
  )
  const bases = new Set(parts.map((one) => ("base" in one ? one.base : undefined)))
  return parts.filter((one) => !bases.has(one))
}

/**
 * A check of the sender that depends on a part of the message on which nothing that the message does depends: whoever
 * leaves that out is let through.
 */
export const avoidableCheck = (handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  const { sender, env } = entry
  if (sender === undefined || isAuthorized(entry, facts)) return undefined
  const effects = [...storageWrites(events), ...outgoingMessages(events)]
  const affected = everySubterm([
    ...storageWrites(events).flatMap(({ key, value }) => (key === undefined ? [value] : [key, value])),
    ...outgoingMessages(events).flatMap(({ fields }) => [...fields.values()]),
    ...effects.flatMap(({ event }) => [...event.facts].filter((fact) => !facts.has(fact))),
  ])
  if (effects.length === 0 || affected.has(sender)) return undefined
  // That it is one message or another is not a part of it.
  const isChosen = (fact: Term): boolean =>
    inputsOf(entry, [fact]).length > 0 &&
    !mentions(fact, (one) => one === sender || one === env || storedPlace(one) !== undefined)
  return conditionalChecks(handler).find(
    ({ when }) => when.length > 0 && when.every(isChosen) && !inputsOf(entry, when).some((one) => affected.has(one)),
  )?.event
}
