import type { Event, WalkScope } from "../../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { subterms, type Term } from "../../rust/terms/terms.ts"
import { cpiOf, movesValue } from "../questions/cpi.ts"
import type { Limit } from "../questions/limits.ts"
import type { Instruction } from "../program/model.ts"
import { isUnseenCall } from "../questions/questions.ts"
import { accountOfState } from "../program/semantics.ts"

/** Orders at any price, by their name. */
const unlimited = /market|unlimited|^None$/i

type Ask = (term: Term) => boolean

/** Whether a limit decides something at an event, or is passed to code without source. */
const usedAt = (instruction: Instruction, event: Event, isMentioned: Ask): boolean => {
  if (event.kind === "check") return event.conditions.some(isMentioned)
  if (event.kind === "assign") return isMentioned(event.value.term)
  return event.kind === "call" && isUnseenCall(instruction, event) && event.args.some(({ term }) => isMentioned(term))
}

/** Whether a term depends meaningfully on another one: results of which only the inputs are known do not. */
const mentioning = (limit: Term): Ask => {
  const known = new Map<Term, boolean>()
  return (term) => {
    let found = known.get(term)
    if (found === undefined) {
      const parts = new Set([term])
      // A set also iterates over what is added in the meantime.
      for (const one of parts) if (one.kind !== "opaque") for (const part of subterms(one)) parts.add(part)
      known.set(term, (found = parts.has(limit)))
    }
    return found
  }
}

/** The arms around an event, from the inside out. */
const armsAround = ({ scope }: Event): ReadonlyArray<WalkScope> => {
  const found: Array<WalkScope> = []
  for (let one: WalkScope | undefined = scope; one !== undefined; one = one.parent)
    if (one.arm !== undefined) found.push(one)
  return found
}

/** A flag of the caller, or that it is not set. */
const isFlag = (instruction: Instruction, fact: Term): boolean => {
  const one = fact.kind === "not" ? fact.operand : fact
  const holder = one.kind === "field" ? one.base : one
  return instruction.arguments.some(({ term }) => term === holder)
}

const changes = (event: Event): boolean => {
  if (event.kind === "assign") return accountOfState(event.target.term) !== undefined
  const cpi = event.kind === "call" ? cpiOf(event) : undefined
  return cpi !== undefined && movesValue(cpi)
}

/** An arm of a match in which the limit decides nothing, although it does in others. */
const openArm = (instruction: Instruction, used: ReadonlyArray<Event>, isMentioned: Ask): Event | undefined => {
  const [first, ...rest] = used
  if (first === undefined) return undefined
  const covered = new Set(used.flatMap(armsAround))
  const matches = new Set(armsAround(first).flatMap(({ arm, parent }) => (isMentioned(arm!.value) ? [] : [parent])))
  // What is compared outside of the arms of a match holds in each of them.
  for (const one of rest) {
    const around = new Set(armsAround(one).map(({ parent }) => parent))
    for (const match of matches) if (!around.has(match)) matches.delete(match)
  }
  const met = new Map<WalkScope, Set<Facts>>()
  const open = new Map<WalkScope, Event>()
  for (const event of instruction.events)
    for (const one of armsAround(event)) {
      if (!matches.has(one.parent) || covered.has(one)) continue
      let known = met.get(one)
      const isFirst = known === undefined
      if (known === undefined) met.set(one, (known = new Set()))
      const isUsed = factsNotMet(event.facts, known).some((fact) => !isFirst && isMentioned(fact))
      if (isUsed || usedAt(instruction, event, isMentioned)) {
        covered.add(one)
        open.delete(one)
      } else if (event.kind === "call" && event.target?.item.body !== undefined && !open.has(one)) open.set(one, event)
    }
  for (const [one, event] of open)
    if (one.end !== undefined && !unlimited.test(one.arm!.variant.split("::").at(-1)!)) return event
  return undefined
}

/** A flag on which it depends whether the limit is compared at all, although the amounts move either way. */
const decidingFlag = (instruction: Instruction, used: ReadonlyArray<Event>, isMentioned: Ask): Event | undefined => {
  const [first, ...rest] = used
  if (first === undefined) return undefined
  const flags = [...first.facts].filter((fact) => isFlag(instruction, fact) && !isMentioned(fact))
  const { terms } = instruction.walk
  const isDeciding = flags.some(
    (flag) =>
      rest.every(({ facts }) => facts.has(flag)) &&
      instruction.events.some((event) => changes(event) && !event.facts.has(flag) && !event.facts.has(terms.not(flag))),
  )
  return isDeciding ? first : undefined
}

/**
 * Is the limit that the caller sets compared on each path? Where it is on one of two, the other one trades without:
 * the place where it is not, or the only one where it is.
 */
export const oneSided = (instruction: Instruction, limit: Limit): Event | undefined => {
  const isMentioned = mentioning(limit.term)
  const used = instruction.events.filter((event) => usedAt(instruction, event, isMentioned))
  if (used.some((event) => event.kind !== "check")) return undefined
  return openArm(instruction, used, isMentioned) ?? decidingFlag(instruction, used, isMentioned)
}
