import { oncePer } from "../../oncePer.ts"
import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { anyFact } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isEmptyValue } from "../../rust/terms/emptyValue.ts"
import { isEnough, isPresence } from "../authority/authority.ts"
import { aheadIn, asksClock } from "../questions/blockTime.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { type Asked, isChosen, isComputed, isFoundFree, type OpenPower, openWrites } from "../authority/openness.ts"
import { storedPlace } from "../program/semantics.ts"
import { excludesSender, ignoresCaller, takesNothing } from "../authority/senderConcern.ts"
import { placeKey, storageWrites } from "../questions/storageWrites.ts"

// Places that determine who is authorized, settings, and what other messages guard.

const isConditional = oncePer((handler: Handler) => {
  const { sender, env, funds } = handler.entry
  const payment = takesNothing(handler) ? undefined : funds
  return anyFact(
    (fact) =>
      (isEnough(fact) || !isPresence(fact)) &&
      mentions(fact, (one) => one === sender || one === env || one === payment || storedPlace(one) !== undefined),
  )
})

/** Whether nothing about the sender, the stored state, the time or the payment has to hold. */
const isUnconditional = ({ handler }: Asked, event: Event): boolean => !isConditional(handler)(guaranteed(event))

/** Whether a comparison involves both; for alternatives, each has to. */
const comparesBoth = (fact: Term, one: (term: Term) => boolean, other: (term: Term) => boolean): boolean => {
  if (fact.kind !== "binary") return false
  if (fact.operator === "||") return comparesBoth(fact.left, one, other) && comparesBoth(fact.right, one, other)
  return mentions(fact, one) && mentions(fact, other)
}

/** One of several fixed values that the caller chooses. */
const isPicked = (value: Term): boolean =>
  value.kind === "choice" && value.alternatives.every((one) => one.kind === "struct" || one.kind === "constant")

/** Delegation by the sender: the key below the sender's own address is someone else's. */
const isGrant = ({ entry: { sender } }: Asked, key: Term | undefined): boolean =>
  key?.kind === "list" && key.elements.length > 1 && key.elements[0] === sender

/** Keys of the places that are compared with their initial value, such as an empty address. */
const emptyPlaces = oncePer((handler: Handler): ReadonlySet<string | undefined> => {
  const compared = [...handler.facts].flatMap((fact) =>
    fact.kind === "binary" && fact.operator === "=="
      ? [[fact.left, fact.right] as const, [fact.right, fact.left] as const]
      : [],
  )
  return new Set(compared.flatMap(([place, empty]) => (isEmptyValue(empty) ? placeKey(place) : [])))
})

const isFirstTime = (handler: Handler, container: Term, path: string): boolean =>
  emptyPlaces(handler).has(`${container.id}:${path}`)

/** Whether it sets a place that has to be empty before: there is no second time. */
export const happensOnce = (handler: Handler): boolean =>
  storageWrites(handler.events).some(({ container, path }) => isFirstTime(handler, container, path))

/** Whether a time has to come first: what was announced long enough ago needs no consent. A deadline does not wait. */
const asksTime = (entry: EntryPoint, event: Event): boolean =>
  [...guaranteed(event)].some((fact) => asksClock(entry, fact) && aheadIn(entry, fact) === undefined)

/** `update(info).or_else(|error| …)`: some failures of a call that received the sender lead here, and a rejection need not be one. */
const isAfterRefusal = ({ entry: { sender }, handler: { events } }: Asked, { file, node }: Event): boolean => {
  const holds = (outer: Event, inner: Pick<Event, "file" | "node">): boolean =>
    outer.file === inner.file && outer.node.start <= inner.node.start && inner.node.end <= outer.node.end
  return events.some(
    (handling) =>
      handling.kind === "call" &&
      handling.name === "or_else" &&
      holds(handling, { file, node }) &&
      events.some(
        (tried) =>
          tried.kind === "call" &&
          tried.target !== undefined &&
          holds(handling, tried) &&
          tried.node.end <= node.start &&
          sender !== undefined &&
          tried.args.some(({ term }) => term === sender || (sender.kind === "field" && term === sender.base)),
      ),
  )
}

/** What another message lets only a trusted sender change, and this one anyone. */
const openPrivilege = (asked: Asked): OpenPower | undefined => {
  const { privileged } = asked
  const chosen = (term: Term): boolean => isChosen(asked, term)
  for (const { container, key, path, value, event } of openWrites(asked))
    if (
      key === undefined &&
      privileged.has(`${container.id}:${path}`) &&
      ((value.kind === "literal" && value.type === "boolean") || (chosen(value) && !isComputed(value))) &&
      isUnconditional(asked, event) &&
      !isAfterRefusal(asked, event)
    )
      return {
        event,
        message: "Another message lets only a trusted sender change this; here, anyone can.",
        confidence: "medium",
        // A flag stops the contract, or lets it go on.
        ...(chosen(value) ? {} : { severity: "high" as const }),
      }
  return undefined
}

/** Places that determine who is authorized, settings, and what another message guards. */
export const openPlace = (asked: Asked): OpenPower | undefined => {
  const { entry, handler, authorities, config } = asked
  const { sender, message } = entry
  const chosen = (term: Term): boolean => isChosen(asked, term)
  const isInput = (one: Term): boolean => one === message || one === sender || one === entry.funds
  const compared = (container: Term): boolean =>
    [...handler.facts].some(
      (fact) =>
        !excludesSender(entry, fact) && comparesBoth(fact, isInput, (one) => storedPlace(one)?.container === container),
    )
  // A new record with an owner does not belong to anyone yet: its key is not chosen by the caller, or was found to be free.
  const isNewRecord = (container: Term, key: Term | undefined): boolean =>
    key !== undefined && (!chosen(key) || isFoundFree(asked, container))
  const writes = openWrites(asked)
  for (const { container, key, path, value, event } of writes)
    if (
      authorities.has(`${container.id}:${path}`) &&
      ((chosen(value) && !isComputed(value)) || value === sender) &&
      !isNewRecord(container, key) &&
      !isGrant(asked, key) &&
      !compared(container)
    )
      return {
        event,
        message: "Any caller can take over: other messages compare the sender with the value stored here.",
        // A second deployment step: whoever is faster spoils it, and it has to be repeated.
        ...(isFirstTime(handler, container, path) ? { severity: "low" as const } : {}),
      }
  for (const { container, path, value, event } of writes) {
    const offered = storedPlace(value)
    if (
      authorities.has(`${container.id}:${path}`) &&
      offered !== undefined &&
      offered.container !== container &&
      !asksTime(entry, event) &&
      ignoresCaller(entry, handler)
    )
      return {
        event,
        message: "Anyone can complete the change of administrator; the new one does not have to accept.",
        severity: "medium",
        confidence: "medium",
      }
  }
  for (const { container, key, value, event } of writes)
    if (
      key === undefined &&
      config.has(container) &&
      (chosen(value) || isPicked(value)) &&
      !isComputed(value) &&
      !compared(container) &&
      (chosen(value) || isUnconditional(asked, event))
    )
      return { event, message: "The configuration is overwritten with values from the caller.", confidence: "medium" }

  return openPrivilege(asked)
}
