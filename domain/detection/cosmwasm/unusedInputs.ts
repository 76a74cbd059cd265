import type { Event } from "../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../rust/terms/facts.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import { isAboutPresence } from "./authority.ts"
import type { CallerInput } from "./callerInputs.ts"
import type { Handler } from "./model.ts"
import { storageWrites } from "./storageWrites.ts"

// Values that a message may contain, that it looks for, and that it then only logs.

/** Access to the chain, in the arguments of code without source. */
const isAccess = (term: Term): boolean =>
  (term.kind === "field" && /^(storage|querier|deps)$/.test(term.name)) ||
  (term.kind === "parameter" && term.name === "deps")

/** That something exists, or is the address of some account, does not use it. */
const isIdle = (fact: Term): boolean => isAboutPresence(fact) || (fact.kind === "call" && fact.name === "validAddress")

/** The terms that an event puts to use: what it writes, sends, builds or requires. */
const usedBy = (event: Event): ReadonlyArray<Term> => {
  switch (event.kind) {
    case "assign":
      return [event.target.term, event.value.term]
    case "struct":
    case "read":
      return [event.value.term]
    case "check":
      return event.conditions.filter((one) => !isIdle(one))
    case "call":
      // Other calls can only return something, and validating an address changes nothing.
      return event.target === undefined &&
        event.name !== "addr_validate" &&
        event.args.some(({ term }) => isAccess(term))
        ? event.args.map(({ term }) => term)
        : []
    default:
      return []
  }
}

/** Where a message finds an optional value and does nothing with it, although it stores others. */
export const unusedInput = (
  handler: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
): { readonly event: Event; readonly input: CallerInput } | undefined => {
  const given = new Map<Term, Event>()
  const met = new Set<Facts>()
  const used: Array<Term> = [...handler.facts].filter((fact) => !isIdle(fact))
  for (const event of handler.events) {
    for (const fact of factsNotMet(event.facts, met)) {
      if (fact.kind === "is" && fact.variant === "Some" && inputs.has(fact.value) && !handler.facts.has(fact)) {
        if (!given.has(fact.value)) given.set(fact.value, event)
      } else if (!isIdle(fact)) used.push(fact)
    }
    used.push(...usedBy(event))
  }
  if (given.size === 0) return undefined
  const open = new Map(given)
  const seen = new Set<Term>()
  for (const term of used)
    mentions(term, (one) => {
      if (!seen.has(one)) {
        seen.add(one)
        open.delete(one)
      }
      return open.size === 0
    })
  const [unused] = open
  const storesOthers = storageWrites(handler.events).some(({ value }) =>
    mentions(value, (one) => given.has(one) && !open.has(one)),
  )
  return unused === undefined || !storesOthers ? undefined : { event: unused[1], input: inputs.get(unused[0])! } // it was looked up there
}
