import { oncePer } from "../../../oncePer.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import { type Fact, type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import type { DemandKind } from "../../demands/demands.ts"
import { type Deed, isOwn, isPayout } from "./deeds.ts"
import { type Entry, isNamed } from "./entries.ts"

// What a signature or proof covers, and what the caller adds to it.

export interface Uncovered {
  readonly deed: Deed
  /**
   * `uncovered`: an argument that decides what happens · `unbound`: the one that selects the mark of its having been
   * used · `bearer`: who receives the payment, which is the sender.
   */
  readonly reason: "uncovered" | "unbound" | "bearer"
  /** The caller-supplied value that nobody vouches for. */
  readonly parameter?: LocalVariable
  readonly fact: Relation
}

/**
 * The caller is admitted because of what they hold; if something else is required of them, the rest may be meant to be
 * their choice.
 */
const byPaper: ReadonlySet<DemandKind> = new Set<DemandKind>(["signature", "proof", "once"])

/** For a deed that only a signature or proof permits, the argument that it does not cover. */
export const uncoveredIn = (entry: Entry): Uncovered | undefined => {
  for (const deed of entry.deeds) {
    if (!isByPaper(deed) || isOwn(deed)) continue
    const facts = conditionsOf(deed, entry)
    const papers = facts.filter(isPaper)
    const [fact] = papers
    // A signature made for the sender is theirs to use.
    if (fact === undefined || papers.some((paper) => sidesOf(paper).some(isAboutSender))) continue
    const parameter = decisive(deed).find((p) => !facts.some((each) => isTied(each, p))) ?? ownLimit(facts)
    if (parameter !== undefined) return { deed, reason: "uncovered", parameter, fact }
  }
  return undefined
}

/** The calls that do something: that one succeeded constrains nothing. */
const callsIn = oncePer(
  ({ deeds }: Entry) =>
    new Set<unknown>(deeds.map(({ reached: { event } }) => (event.kind === "call" ? event.node : undefined))),
)

const conditionsOf = ({ demands }: Deed, entry: Entry): ReadonlyArray<Fact> =>
  demands.facts.filter(({ expression }) => !callsIn(entry).has(expression))

const isByPaper = ({ demands: { standing, kinds } }: Deed): boolean =>
  standing === "guarded" && kinds.every((kind) => byPaper.has(kind))

/** For a payment that only a signature or proof permits: it can be submitted again, or by whoever sees it. */
export const replayableIn = (entry: Entry): Uncovered | undefined => {
  for (const deed of entry.deeds) {
    if (!isByPaper(deed)) continue
    const papers = deed.demands.facts.filter(isRecovered)
    const [fact] = papers
    if (fact === undefined) continue
    // where it is hashed in ways that are not followed, none of its numbers is known
    const isRead = deed.flow.fn.parameters.some((p) => p.type.kind === "integer" && papers.some((f) => isTied(f, p)))
    const marks = isRead ? markOf(deed) : undefined
    const parameter = marks?.find(
      (p) =>
        !papers.some((paper) => isTied(paper, p)) &&
        !entry.deeds.some(({ variable, value }) => variable !== deed.variable && value.parameters.includes(p)),
    )
    if (parameter !== undefined) return { deed, reason: "unbound", parameter, fact }
    if (isPaidToSender(deed) && !conditionsOf(deed, entry).some(concernsSender)) return { deed, reason: "bearer", fact }
  }
  return undefined
}

const isRecovered = (fact: Fact): fact is Relation =>
  isPaper(fact) && sidesOf(fact).some((side) => has(side, Source.recovered))

/** The numbers that select an entry which must be unset, and is set; none if it is the sender's. */
const markOf = ({ variable, keys, demands }: Deed): ReadonlyArray<LocalVariable> | undefined =>
  variable !== undefined &&
  !isAboutSender(keys) &&
  (keys.sources & (Source.hash | Source.recovered)) === 0 &&
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      (fact.operator === "false" || (fact.operator === "==" && fact.withZero)) &&
      sidesOf(fact).some(({ state }) => state.includes(variable)),
  )
    ? keys.parameters.filter(({ type }) => type.kind === "integer" || type.kind === "fixedBytes")
    : undefined

/** Nothing but the sender is paid, in tokens or ether, an amount that the caller names. */
const isPaidToSender = (deed: Deed): boolean => {
  const { value, keys, reached } = deed
  const { event } = reached
  const isEther = event.kind === "call" && event.value !== undefined && keys.sources === Source.sender
  return (
    (isEther || (isPayout(deed) && has(value, Source.sender))) &&
    !value.parameters.some(({ type }) => type.kind === "address") &&
    value.parameters.length > 0
  )
}

const concernsSender = (fact: Fact): boolean =>
  fact.kind === "any" ? fact.options.some((option) => option.some(concernsSender)) : sidesOf(fact).some(isAboutSender)

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
  if (variable !== undefined)
    return [...(isNamed(value) ? amounts(value) : []), ...keys.parameters.filter(({ type }) => type.kind === "address")]
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
  return sides.some(({ sources, keys }) => ((sources | keys) & ~(chosenByCaller | fixed)) !== 0)
}

const fixed = Source.literal | Source.constant | Source.immutable | Source.self
