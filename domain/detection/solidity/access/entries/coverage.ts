import { callerCheck } from "../../flow/facts/callerCheck.ts"
import { type Fact, type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import type { DemandKind } from "../../demands/demands.ts"
import { type Deed, isOwn, isPayout } from "./deeds.ts"
import { type Entry, isNamed } from "./entries.ts"

// What a signature or proof covers, and what the caller adds to it.

export interface Uncovered {
  readonly deed: Deed
  /** The caller-supplied value that decides what happens, and that nobody vouches for. */
  readonly parameter: LocalVariable
  readonly fact: Relation
}

/**
 * The caller is admitted because of what they hold; if something else is required of them, the rest may be meant to be
 * their choice.
 */
const byPaper: ReadonlySet<DemandKind> = new Set<DemandKind>(["signature", "proof", "once"])

/** For a deed that only a signature or proof permits, the argument that it does not cover. */
export const uncoveredIn = ({ deeds }: Entry): Uncovered | undefined => {
  const done = new Set<unknown>(deeds.map(({ reached: { event } }) => (event.kind === "call" ? event.node : undefined)))
  for (const deed of deeds) {
    const { standing, kinds } = deed.demands
    if (standing !== "guarded" || !kinds.every((kind) => byPaper.has(kind)) || isOwn(deed)) continue
    // that it succeeded constrains nothing
    const facts = deed.demands.facts.filter(({ expression }) => !done.has(expression))
    const papers = facts.filter(isPaper)
    const [fact] = papers
    // A signature made for the sender is theirs to use.
    if (fact === undefined || papers.some((paper) => sidesOf(paper).some(isAboutSender))) continue
    const parameter = decisive(deed).find((p) => !facts.some((each) => isTied(each, p))) ?? ownLimit(facts)
    if (parameter !== undefined) return { deed, parameter, fact }
  }
  return undefined
}

const isPaper = (fact: Fact): fact is Relation => {
  const kind = fact.kind === "relation" ? callerCheck(fact)?.kind : undefined
  return kind === "signature" || kind === "proof"
}

const isAboutSender = ({ sources, keys }: Origins): boolean => ((sources | keys) & Source.sender) !== 0

/** A time that ends the validity, and that whoever submits the signature names. */
const ownLimit = (facts: ReadonlyArray<Fact>): LocalVariable | undefined => {
  const others = facts.filter((fact) => !isAboutTime(fact))
  return facts
    .filter(isAboutTime)
    .flatMap((fact) => sidesOf(fact).flatMap((side) => (only(side, Source.parameter) ? side.parameters : [])))
    .find((parameter) => !others.some((each) => isTied(each, parameter)))
}

const isAboutTime = (fact: Fact): fact is Relation =>
  fact.kind === "relation" &&
  /^[<>]/.test(fact.operator) &&
  sidesOf(fact).some((side) => only(side, Source.timestamp | Source.blockNumber))

/** Arguments that by themselves are what is written, or where, or the recipient or amount of a payment. */
const decisive = (deed: Deed): ReadonlyArray<LocalVariable> => {
  const { variable, value, keys, reached, flow } = deed
  if (variable !== undefined) {
    if (variable.type.kind === "string" || variable.type.kind === "bytes") return []
    return [...(isNamed(value) ? amounts(value) : []), ...keys.parameters.filter(({ type }) => type.kind === "address")]
  }
  const { event, via } = reached
  if (!isPayout(deed) || via.length > 0 || event.kind !== "call") return []
  return event.args.flatMap((arg) => {
    const told = flow.origins(arg, event.at)
    return only(told, Source.parameter) ? amounts(told) : []
  })
}

const amounts = ({ parameters }: Origins): ReadonlyArray<LocalVariable> =>
  parameters.filter(({ type }) => type.kind === "address" || type.kind === "integer" || type.kind === "contract")

/** Whether the condition constrains the argument beyond fixed limits. */
const isTied = (fact: Fact, parameter: LocalVariable): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((f) => isTied(f, parameter)))
  const sides = sidesOf(fact)
  const isIn = ({ parameters, keyParameters }: Origins): boolean =>
    parameters.includes(parameter) || keyParameters.includes(parameter)
  if (!sides.some(isIn)) return false
  return isPaper(fact) || sides.some(({ sources, keys }) => ((sources | keys) & ~(chosenByCaller | fixed)) !== 0)
}

const fixed = Source.literal | Source.constant | Source.immutable | Source.self
