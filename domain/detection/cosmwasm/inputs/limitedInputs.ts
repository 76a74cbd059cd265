import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Event } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import { rootOf, subterms, type Term, type TermTable } from "../../rust/terms/terms.ts"
import { isAboutPresence } from "../authority/authority.ts"
import type { CallerInput } from "../questions/callerInputs.ts"
import { followedCalls, hasEffect } from "./idleMessages.ts"
import type { Handler } from "../program/model.ts"
import { answering, dropUsed } from "./unusedInputs.ts"
import { eventTerms } from "../questions/touches.ts"

// Values of a message that are compared with a limit and not used otherwise.

const maxDepth = 12

/** The single input that a term is derived from, apart from fixed values. */
const onlyInputIn = (of: Term, message: Term | undefined): Term | undefined => {
  let input: Term | undefined
  const isFixed = (term: Term, depth: number): boolean => {
    switch (term.kind) {
      case "payload":
      case "field":
      case "element":
        if (rootOf(term) !== message) return false
        input ??= term
        return input === term
      case "literal":
      case "constant":
        return true
      case "call":
        if (term.name === "stored" || term.name.startsWith("query")) return false
        return depth < maxDepth && term.args.every((one) => isFixed(one, depth + 1))
      case "binary":
      case "not":
      case "cast":
        return depth < maxDepth && subterms(term).every((one) => isFixed(one, depth + 1))
      default:
        return false
    }
  }
  return isFixed(of, 0) ? input : undefined
}

/** `fee <= Decimal::percent(10)`, `!ids.is_empty()`. That it has to equal something, or to be true, is a use. */
const isLimit = (fact: Term): boolean => {
  const one = fact.kind === "not" ? fact.operand : fact
  return one.kind === "call" || (one.kind === "binary" && /^<=?$/.test(one.operator))
}

/** The limits that the message's values are held against, each with the value and where that is. */
const limitsIn = (
  { entry, events }: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
  terms: TermTable,
): ReadonlyMap<Term, readonly [Term, Event]> => {
  const limits = new Map<Term, readonly [Term, Event]>()
  for (const event of events)
    for (const fact of event.kind === "check" ? event.conditions : []) {
      const input = limits.has(fact) || !isLimit(fact) ? undefined : onlyInputIn(fact, entry.message)
      if (input === undefined || !inputs.has(input)) continue
      // The message fails where it does not hold.
      for (const one of [fact, terms.not(fact)]) limits.set(one, [input, event])
    }
  return limits
}

const logging = /^(addr_validate|attr|add_(attribute|event)s?|format!)$/

/** What an event uses, other than to log or to refuse. */
const usedBy = (event: Event, message: Term | undefined, calls: ReadonlySet<string>): ReadonlyArray<Term> => {
  switch (event.kind) {
    case "call": {
      if (event.method && answering.test(event.name)) return event.args.slice(1).map(({ term }) => term)
      const isFollowed = event.target !== undefined && calls.has(`${event.file.path}:${event.node.start}`)
      const isAside = isFollowed || logging.test(event.name) || onlyInputIn(event.result.term, message) !== undefined
      return isAside ? [] : event.args.map(({ term }) => term)
    }
    case "struct":
      return event.value.term.kind === "struct" && /Error(::|$)/.test(event.value.term.path) ? [] : [event.value.term]
    case "check":
    case "exit":
      return []
    default:
      return eventTerms(event)
  }
}

/** Names in the bounds of a function's loops over numbers. */
const namesInRanges = oncePer((definition: FunctionDefinition): ReadonlySet<string> => {
  const { body } = definition.item
  const ranges = body === undefined ? [] : nodesOf(body).filter((node) => node.kind === "range")
  const paths = ranges.flatMap((node) => nodesOf(node))
  return new Set(paths.flatMap((node) => (node.kind === "path" ? (node.path.segments.at(-1)?.name ?? []) : [])))
})

/** A value of the message that is held against a limit, and that nothing depends on. */
export const limitedInput = (
  handler: Handler,
  inputs: ReadonlyMap<Term, CallerInput>,
  terms: TermTable,
): { readonly event: Event; readonly input: CallerInput } | undefined => {
  const { entry, events, facts } = handler
  const limits = limitsIn(handler, inputs, terms)
  if (limits.size === 0 || entry.walk.truncated) return undefined
  // A message that only checks, for the contract itself or for whoever sends it along with others.
  if (entry.kind === "execute" && !hasEffect(handler)) return undefined
  const isOnlyLimit = (fact: Term, depth = 0): boolean =>
    limits.has(fact) ||
    (fact.kind === "binary" &&
      /^(&&|\|\|)$/.test(fact.operator) &&
      depth < maxDepth &&
      isOnlyLimit(fact.left, depth + 1) &&
      isOnlyLimit(fact.right, depth + 1))
  const isUse = (fact: Term): boolean => !isAboutPresence(fact) && !isOnlyLimit(fact)
  const calls = followedCalls(events)
  const met = new Set<Facts>()
  const used = [...facts].filter(isUse)
  for (const event of events) {
    used.push(...factsNotMet(event.facts, met).filter(isUse), ...usedBy(event, entry.message, calls))
    if (event.kind === "check") used.push(...event.conditions.filter(isUse))
  }
  const open = new Map(limits.values())
  dropUsed(open, used, entry.message)
  if (open.size === 0) return undefined
  const functions = [...new Set(events.map((event) => event.function))]
  for (const [term, event] of open) {
    const input = inputs.get(term)
    if (input !== undefined && !functions.some((one) => namesInRanges(one).has(input.name))) return { event, input }
  }
  return undefined
}
