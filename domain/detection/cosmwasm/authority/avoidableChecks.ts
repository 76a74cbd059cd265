import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Event, Frame } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, subterms, type Term } from "../../rust/terms/terms.ts"
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
  const bases = new Set(parts.map(baseOf))
  return parts.filter((one) => !bases.has(one))
}

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
 * The only check of the sender, if it depends on a part of the message on which nothing that the message does depends:
 * whoever leaves that out is let through.
 */
export const avoidableCheck = (handler: Handler): Event | undefined => {
  const { entry, facts } = handler
  const { sender, env } = entry
  if (sender === undefined || isAuthorized(entry, facts)) return undefined
  const checks = conditionalChecks(handler)
  const [first] = checks
  // Several may leave no way around them.
  if (first === undefined || checks.length > 1 || first.when.length === 0 || asksElsewhere(handler, first.event))
    return undefined
  const affected = partsOfEffects(handler)
  const isAffected = (part: Term | undefined): boolean =>
    part !== undefined && (affected.has(part) || isAffected(baseOf(part)))
  // That it is one message or another is not a part of it.
  const isIdle = (fact: Term): boolean => {
    const inputs = inputsOf(entry, [fact])
    return (
      inputs.length > 0 &&
      !inputs.some(isAffected) &&
      !mentions(fact, (one) => one === sender || one === env || storedPlace(one) !== undefined)
    )
  }
  return affected.size === 0 || affected.has(sender) || !first.when.every(isIdle) ? undefined : first.event
}
