import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Event, Frame } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, subterms, type Term } from "../../rust/terms/terms.ts"
import type { Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { isLibraryCheck } from "../questions/libraryChecks.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storageWrites } from "../questions/storageWrites.ts"
import { isAuthorized, isPresence } from "./authority.ts"

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
    // What has to exist for the check comes with it.
    const around = [...event.facts].filter(
      (fact) => !facts.has(fact) && !(isPresence(fact) && inputsOf(entry, fact).length === 0),
    )
    if (event.kind === "call")
      return isLibraryCheck(event) && event.args.some(({ term }) => term === entry.sender)
        ? [{ event, when: around }]
        : []
    if (event.kind !== "check") return []
    return event.conditions.flatMap((fact): ReadonlyArray<Conditional> => {
      const alternatives = alternativesOf(fact)
      const others = alternatives.filter((one) => !isAuthorized(entry, new Set([one])))
      return others.length === alternatives.length ? [] : [{ event, when: [...around, ...others] }]
    })
  })

/** The parts of the message, or the payment, that a condition is about. */
const inputsOf = ({ message, funds }: Handler["entry"], condition: Term): ReadonlyArray<Term> =>
  [...everySubterm([condition])].filter((one) => one === funds || (one !== message && rootOf(one) === message))

const baseOf = (term: Term): Term | undefined => ("base" in term ? term.base : undefined)

/** What terms consist of; of a field, not what it is a field of. */
const partsOf = (terms: ReadonlyArray<Term>): ReadonlySet<Term> => {
  const found = new Set(terms)
  // A set also iterates over what is added in the meantime.
  for (const one of found) if (baseOf(one) === undefined) for (const part of subterms(one)) found.add(part)
  return found
}

/** What a message writes and sends, and under which conditions. */
const partsOfEffects = ({ events, facts }: Handler): ReadonlySet<Term> => {
  const writes = storageWrites(events)
  const sent = outgoingMessages(events)
  return partsOf([
    ...writes.flatMap(({ key, value }) => (key === undefined ? [value] : [key, value])),
    ...sent.flatMap(({ fields }) => [...fields.values()]),
    ...[...writes, ...sent].flatMap(({ event }) => [...event.facts].filter((fact) => !facts.has(fact))),
  ])
}

/** Whether a function of the project that the check is not in may reject the sender as well, on some path. */
const asksElsewhere = ({ entry: { sender }, events, facts }: Handler, { scope }: Event): boolean => {
  const around = new Set<FunctionDefinition>()
  for (let frame: Frame | undefined = scope.frame; frame !== undefined; frame = frame.parent) around.add(frame.function)
  return events.some(
    (event) =>
      event.kind === "call" &&
      event.target !== undefined &&
      !around.has(event.target) &&
      event.handled === true &&
      event.args.some(({ term }) => term === sender) &&
      [...event.facts].some((fact) => !facts.has(fact)),
  )
}

/**
 * A check of the sender, if all of them depend on parts of the message on which nothing that the message does depends:
 * whoever leaves those out is let through.
 */
export const avoidableCheck = (handler: Handler): Event | undefined => {
  const { entry } = handler
  const { sender, env } = entry
  const checks = conditionalChecks(handler)
  const [first] = checks
  if (sender === undefined || first === undefined || asksElsewhere(handler, first.event)) return undefined
  const affected = partsOfEffects(handler)
  const isAffected = (part: Term | undefined): boolean =>
    part !== undefined && (affected.has(part) || isAffected(baseOf(part)))
  // That it is one message or another is not a part of it.
  const isIdle = (fact: Term): boolean => {
    const inputs = inputsOf(entry, fact)
    return (
      inputs.length > 0 &&
      !inputs.some(isAffected) &&
      !mentions(fact, (one) => one === sender || one === env || storedPlace(one) !== undefined)
    )
  }
  const isAvoidable = ({ when }: Conditional): boolean => when.length > 0 && when.every(isIdle)
  if (affected.size === 0 || affected.has(sender) || !checks.every(isAvoidable)) return undefined
  // Of two checks that depend on the same part, one may take place whenever the other does not.
  const inputs = checks.flatMap(({ when }) => [...new Set(when.flatMap((fact) => inputsOf(entry, fact)))])
  return new Set(inputs).size === inputs.length ? first.event : undefined
}
