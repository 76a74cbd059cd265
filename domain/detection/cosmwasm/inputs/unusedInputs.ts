import type { Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { absentIn, isAboutPresence } from "../authority/authority.ts"
import type { CallerInput } from "../questions/callerInputs.ts"
import type { Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { storageWrites } from "../questions/storageWrites.ts"

// Values that a message may contain, that it looks for, and that it then only logs.

const idle = /^(addr_validate|attr|add_(attribute|event)s?|format!)$/

/** Methods whose effect on their receiver is known. */
const collecting = /^(push|push_back|push_front|extend|append|insert)$/

/** Methods of a response whose argument leaves the contract. */
export const answering = /^(add_(sub)?messages?|set_data)$/

/** Access to the chain, in the arguments of code without source. */
const isAccess = (term: Term): boolean =>
  (term.kind === "field" && /^(storage|querier|deps)$/.test(term.name)) ||
  (term.kind === "parameter" && term.name === "deps")

/** A stored value, or a collection of what it contains. */
const isStored = (term: Term): boolean =>
  storedPlace(term) !== undefined ||
  (term.kind === "call" && term.name === "set" && term.args[0] !== undefined && storedPlace(term.args[0]) !== undefined)

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
      if (event.method && answering.test(event.name)) return event.args.slice(1).map(({ term }) => term)
      // Other calls can only return something, and validating an address changes nothing. If what one returns is
      // dropped, `hasher.update(trader)`, it is called for what it does.
      return event.target === undefined &&
        !idle.test(event.name) &&
        ((event.dropped !== undefined && !collecting.test(event.name)) ||
          event.args.some(({ term }) => isAccess(term) || isStored(term)))
        ? event.args.map(({ term }) => term)
        : []
    default:
      return []
  }
}

/** An input, and the parts of the message that contain it: whoever uses those uses it. */
const wholesOf = (input: Term, message: Term | undefined): ReadonlyArray<Term> => {
  const found = [input]
  for (let one = input; one.kind === "field" || one.kind === "element" || one.kind === "payload";) {
    one = one.base
    if (one === message) break
    found.push(one)
  }
  return found
}

/** Removes the inputs that are used: alone, as a part of something, or with the whole that they belong to. */
export const dropUsed = (open: Map<Term, Event>, used: Iterable<Term>, message: Term | undefined): void => {
  const wholes = new Map<Term, Array<Term>>()
  for (const input of open.keys())
    for (const whole of wholesOf(input, message)) wholes.set(whole, [...(wholes.get(whole) ?? []), input])
  // A set also iterates over what is added in the meantime.
  const parts = new Set(used)
  for (const one of parts) {
    for (const input of wholes.get(one) ?? []) open.delete(input)
    // Using a field uses the input that it belongs to, but no other field of the same whole.
    let root = one
    for (; root.kind === "field" || root.kind === "element" || root.kind === "payload"; root = root.base)
      open.delete(root)
    for (const part of subterms(root)) parts.add(part)
  }
}

/** Addresses from the message that are validated, with where they are. */
const validatedIn = (handler: Handler, inputs: ReadonlyMap<Term, CallerInput>): ReadonlyMap<Term, Event> =>
  new Map(
    handler.events.flatMap((event) => {
      const address = event.kind === "call" && event.name === "addr_validate" ? event.args[1]?.term : undefined
      return address !== undefined && inputs.has(address) ? [[address, event] as const] : []
    }),
  )

/**
 * Where a message finds an optional value and does nothing with it, although it stores others, or validates an address
 * and does nothing with it.
 */
export const unusedInput = (
  handler: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
): { readonly event: Event; readonly input: CallerInput } | undefined => {
  const given = new Map<Term, Event>()
  // `if let Some(_) = denom { return Err(…) }`
  const refused = new Set([...handler.facts].map(absentIn))
  const met = new Set<Facts>()
  const used: Array<Term> = [...handler.facts].filter((fact) => !isIdle(fact))
  for (const event of handler.events) {
    for (const fact of factsNotMet(event.facts, met)) {
      if (fact.kind === "is" && fact.variant === "Some" && inputs.has(fact.value) && !handler.facts.has(fact)) {
        if (!given.has(fact.value) && !refused.has(fact.value)) given.set(fact.value, event)
      } else if (!isIdle(fact)) used.push(fact)
    }
    used.push(...usedBy(event))
  }
  const validated = validatedIn(handler, inputs)
  if (given.size === 0 && validated.size === 0) return undefined
  const open = new Map([...given, ...validated])
  dropUsed(open, used, handler.entry.message)
  const first = [...open].find(([one]) => validated.has(one))
  if (first !== undefined) return { event: first[1], input: inputs.get(first[0])! } // it was looked up there
  const [unused] = open
  const storesOthers = storageWrites(handler.events).some(({ value }) =>
    mentions(value, (one) => given.has(one) && !open.has(one)),
  )
  return unused === undefined || !storesOthers ? undefined : { event: unused[1], input: inputs.get(unused[0])! } // it was looked up there
}
