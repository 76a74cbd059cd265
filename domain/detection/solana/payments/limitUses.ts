import { conditionsOf } from "./exchanges.ts"
import type { Match } from "../../Rule.ts"
import { type CallEvent, ofKind } from "../../rust/terms/events.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { type Binding, idleNames } from "../../rust/syntax/idleNames.ts"
import { type Facts, factsNotMet } from "../../rust/terms/facts.ts"
import { everySubterm, rootOf, subterms, type Term } from "../../rust/terms/terms.ts"
import { type Limit, tradeLimit } from "../questions/limits.ts"
import type { Instruction } from "../program/model.ts"
import { isUnseenCall, successAbout } from "../questions/questions.ts"
import { literalValue } from "../questions/quantities.ts"

/** The function that is the last to receive the limit, and should compare it. */
export const lastTaker = (
  { events }: Instruction,
  { name, term }: Limit,
  until = Infinity,
): NonNullable<Match["trace"]> => {
  // The limit itself, or what the caller passes it in.
  const holders = new Set([term])
  for (const one of holders) if (one.kind === "field" || one.kind === "payload") holders.add(one.base)
  const isGiven = (one: Term): boolean =>
    holders.has(one) || (one.kind === "struct" && one.fields.some(([, value]) => value === term))
  const target = events.findLast(
    (event): event is CallEvent =>
      event.kind === "call" &&
      event.order <= until &&
      event.target?.item.body !== undefined &&
      event.args.some((one) => isGiven(one.term)),
  )?.target
  if (target === undefined) return []
  return [{ file: target.module.file, span: target.item.nameSpan, note: `\`${name}\` is not used here` }]
}

/** Whether the limit is compared on every path: what several swaps bring may be compared once, after the last. */
export const isAskedFor = (instruction: Instruction, { name, term }: Limit): boolean =>
  tradeLimit.test(name) &&
  successAbout(instruction, term).some(
    (fact) =>
      fact.kind === "binary" &&
      fact.operator.startsWith("<") &&
      [fact.left, fact.right].every((side) => side === term || literalValue(side) === undefined),
  )

/** Limits that a function takes out of what it is given, under a name of its own, and then forgets. */
const idleLimits = ({ module, item }: FunctionDefinition): ReadonlyArray<Binding> =>
  idleNames(module.file, item).filter(({ name, start }) => tradeLimit.test(name) && start > item.body!.start)

/** The same for all functions that an instruction calls and that were not looked at before. */
export const forgottenLimits = ({ events }: Instruction, known: Set<FunctionDefinition>): ReadonlyArray<Match> =>
  [...new Set(ofKind(events, "call").flatMap((event) => event.target ?? []))].flatMap((taker) => {
    if (known.has(taker)) return []
    known.add(taker)
    return idleLimits(taker).map(({ name, start, end }) => ({
      file: taker.module.file,
      span: { start, end },
      scope: taker.qualifiedName,
      message: `\`${name}\` is accepted but never compared with anything.`,
    }))
  })

/**
 * Values that are limited, forwarded or stored: compared, or passed to code that is not followed, with everything they
 * are derived from. The facts of consecutive events are mostly the same.
 */
export const usedIn = (instruction: Instruction): ((term: Term) => boolean) => {
  const { events, arguments: all } = instruction
  const given = new Set<Term>()
  const handed = new Set<Term>()
  const met = new Set<Facts>()
  for (const event of events) {
    if (event.kind === "call") {
      if (isUnseenCall(instruction, event))
        for (const { term } of event.args)
          for (const one of term.kind === "choice" ? term.alternatives : [term]) handed.add(one)
    } else if (event.kind === "assign") given.add(event.value.term)
    else for (const one of conditionsOf(event)) given.add(one)
    for (const fact of factsNotMet(event.facts, met)) given.add(fact)
  }
  for (const one of handed) given.add(one)
  const used = new Set(everySubterm([...given]))
  // Whatever is given a struct as a whole may read each of its fields.
  const whole = new Set(given)
  for (const one of used) if (one.kind !== "field") for (const part of subterms(one)) whole.add(part)
  const roots = new Set(all.map(({ term }) => term))
  return (term) => {
    if (used.has(term)) return true
    // What is decoded occurs in its own decoding, too: it must be handed on by itself.
    const readers = roots.has(rootOf(term)) ? whole : handed
    for (let one = term; one.kind === "field" || one.kind === "payload";) if (readers.has((one = one.base))) return true
    return false
  }
}
