import { oncePer } from "../../../oncePer.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import { type Fact, type Relation, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { idleAccounts } from "./idleAccounts.ts"
import { askedOfArgument, passedIn } from "./argumentChecks.ts"
import { type ChosenReason, chosenAnswer, unsetAccount } from "./chosenAnswers.ts"
import { replayableIn, type Uncovered, uncoveredIn } from "../entries/coverage.ts"
import { type Deed, isOwn } from "../entries/deeds.ts"
import { accessOf, type Entry } from "../entries/entries.ts"
import { isDue, servesCaller } from "../entries/intent.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { namesAccount, openingOf } from "../../demands/openings.ts"
import { unusedAnswer } from "./unusedAnswers.ts"

// Conditions that look like a caller check but exclude nobody.

/**
 * `inverted`: everyone but a known account passes · `argument`: an argument takes the sender's place · `optional`:
 * callers who pass a different argument are not checked · `unused`: the result decides nothing · `uncovered`: the
 * signature or proof does not cover an argument that decides what happens; `unbound`, `bearer`: see there · `anybody`: any signer is accepted · `unset`:
 * nobody is asked for until an account is set · `existence`: an account must be set, and nobody is compared with it.
 */
export type VoidReason =
  | "inverted"
  | "argument"
  | "optional"
  | "unused"
  | "anybody"
  | "unset"
  | "existence"
  | Uncovered["reason"]
  | ChosenReason

export interface VoidCheck {
  readonly entry: Entry
  readonly deed: Deed
  readonly reason: VoidReason
  readonly expression: Expr
  readonly at: FlowNode
  /** The argument that is not checked. */
  readonly parameter?: LocalVariable
  /** The account that may be unset. */
  readonly account?: StateVariable
}

/** For each entry point that admits anyone, the first condition that was meant to keep strangers out. */
export const voidChecks = oncePer((program: Program): ReadonlyArray<VoidCheck> => {
  const access = accessOf(program)
  return access.entries.flatMap((entry) => {
    if (entry.fn.role !== "function") return []
    const chosen = chosenIn(program, entry)
    // being queried is not a service
    if (servesCaller(entry))
      return chosen !== undefined && chosen.reason !== "unset"
        ? chosen
        : (argumentIn(program, entry) ?? toldOf(entry, replayableIn(entry)) ?? [])
    return (
      (entry.guarded ? undefined : voidIn(program, entry)) ??
      chosen ??
      toldOf(entry, uncoveredIn(entry) ?? replayableIn(entry)) ??
      []
    )
  })
})

const voidIn = (program: Program, entry: Entry): VoidCheck | undefined => {
  // the condition of a branch only determines the path
  const asked = entry.flow.facts(entry.flow.exit)
  let looked = false
  for (const deed of entry.deeds) {
    if (deed.demands.standing === "guarded" || isOwn(deed) || deed.demands.facts.some(isDue)) continue
    const isOpen = deed.demands.standing === "open"
    for (const fact of asked) {
      const reason = isOpen ? voidReason(program, entry, deed, fact) : isRefused(program, fact) ? "inverted" : undefined
      if (reason === undefined || (reason === "inverted" && takesTurn(entry, fact))) continue
      const { expression, at } =
        reason === "argument" ? passedIn(entry, askedOfArgument(program, entry, fact)!) : (aboutCaller(fact) ?? fact)
      return { entry, deed, reason, expression, at }
    }
    if (!isOpen || looked) continue
    looked = true
    const unused = unusedAnswer(entry.flow)
    if (unused !== undefined) return { entry, deed, reason: "unused", expression: unused.node, at: unused.at }
  }
  return undefined
}

/** `require(last != msg.sender); last = msg.sender`: nobody has two turns in a row. */
const takesTurn = ({ deeds }: Entry, fact: Fact): boolean =>
  deeds.some(
    ({ variable, value }) =>
      variable !== undefined &&
      value.sources === Source.sender &&
      relationsIn([fact]).some((relation) => sidesOf(relation).some(({ state }) => state.includes(variable))),
  )

/** The sender is served in place of an account that other functions compare with the sender. */
const argumentIn = (program: Program, entry: Entry): VoidCheck | undefined => {
  const deed = entry.deeds.find(({ demands }) => demands.standing === "open")
  // the sender gives something up, and says for what
  if (deed === undefined || entry.deeds.some((each) => isOwn(each) && isTaken(each))) return undefined
  const fact = entry.flow
    .facts(entry.flow.exit)
    .find(
      (each) =>
        each.kind === "relation" && asksAsked(program, each) && askedOfArgument(program, entry, each) !== undefined,
    )
  return fact === undefined ? undefined : { entry, deed, reason: "argument", ...passedIn(entry, fact) }
}

const isTaken = ({ flow, reached: { event } }: Deed): boolean =>
  event.kind === "write" && isLowered(flow.program, event)

const asksAsked = (program: Program, { operator, left, right }: Relation): boolean =>
  operator === "==" && [...left.state, ...(right?.state ?? [])].some((variable) => isAsked(program, variable))

const chosenIn = (program: Program, entry: Entry): VoidCheck | undefined => {
  for (const fact of entry.flow.facts(entry.flow.exit)) {
    const deed = entry.deeds.find((one) => !isOwn(one) && one.demands.facts.includes(fact))
    const chosen = deed === undefined ? undefined : chosenAnswer(program, entry, fact)
    const account = deed === undefined || entry.guarded ? undefined : unsetAccount(accessOf(program), entry, fact)
    if (deed !== undefined && account !== undefined)
      return { entry, deed, reason: "unset", expression: fact.expression, at: fact.at, account }
    if (deed !== undefined && chosen !== undefined)
      return { entry, deed, ...chosen, expression: fact.expression, at: fact.at }
  }
  return undefined
}

const toldOf = (entry: Entry, found: Uncovered | undefined): VoidCheck | undefined =>
  found === undefined ? undefined : { entry, ...found, expression: found.fact.expression, at: found.fact.at }

/** Which of several conditions concerns the caller: where paths join, it cannot be read. */
const aboutCaller = (fact: Fact): Relation | undefined => {
  if (fact.kind === "relation")
    return ((fact.left.sources | (fact.right?.sources ?? 0)) & Source.sender) !== 0 || callerCheck(fact) !== undefined
      ? fact
      : undefined
  for (const f of fact.options.flat()) {
    const found = aboutCaller(f)
    if (found !== undefined) return found
  }
  return undefined
}

const voidReason = (program: Program, entry: Entry, deed: Deed, fact: Fact): VoidReason | undefined => {
  const opening = openingOf(fact)
  if (opening !== undefined) return opening
  if (fact.kind === "relation" && isInvertedEntry(program, deed, fact)) return "inverted"
  if (fact.kind === "relation" && isAnybodys(entry, fact)) return "anybody"
  if (fact.kind === "relation" && asksWhetherSet(program, entry, fact)) return "existence"
  return askedOfArgument(program, entry, fact) === undefined ? undefined : "argument"
}

/** Whether any signer is accepted, and nothing is done to what belongs to the signer, apart from counting. */
const isAnybodys = ({ deeds }: Entry, { operator, left, right, withZero }: Relation): boolean => {
  if (operator !== "!=" || !withZero) return false
  if (![left, right].some((side) => side !== undefined && has(side, Source.recovered))) return false
  const others = deeds.filter(({ reached: { event } }) => event.kind === "call" || event.operation !== "increment")
  return (
    others.length > 0 &&
    !others.some(
      ({ value, keys, demands: { kinds } }) =>
        ((value.sources | value.keys | keys.sources | keys.keys) & Source.recovered) !== 0 ||
        kinds.includes("signature"),
    )
  )
}

/** `require(owner != address(0))`, if nothing else is checked about the owner. */
const asksWhetherSet = (
  program: Program,
  { contract }: Entry,
  { operator, left, right, withZero }: Relation,
): boolean => {
  if (operator !== "!=" || !withZero) return false
  const side = [left, right].find((each) => each !== undefined && only(each, Source.state))
  return side?.keys === 0 && contract.linearization.some((each) => idleAccounts(program).get(each) === side.state[0])
}

/** Whether the sender must differ from the item's owner, or from the account that the action concerns. */
const isInvertedEntry = (program: Program, deed: Deed, { operator, left, right, at }: Relation): boolean => {
  if (operator !== "!=" || right === undefined) return false
  const other = only(left, Source.sender) ? right : only(right, Source.sender) ? left : undefined
  if (other === undefined) return false
  if (only(other, Source.parameter))
    return other.parameters.some(
      (p) => deed.keys.parameters.includes(p) || (deed.variable === undefined && deed.value.parameters.includes(p)),
    )
  if (isAnsweredElsewhere(program, deed, other)) return true
  if (!has(other, Source.state | Source.external) || has(other, Source.literal | Source.parameter)) return false
  if (isOfSameEntry(deed, other)) return true
  return at.callable.kind === "Modifier" || other.state.some((v) => namesAccount(v.type) && isAsked(program, v))
}

/** `require(cards.ownerOf(id) != msg.sender)`: other functions ask for the opposite, and this one acts on that item. */
const isAnsweredElsewhere = (program: Program, { keys, value }: Deed, { keyParameters, calls }: Origins): boolean =>
  keyParameters.some((p) => keys.parameters.includes(p) || value.parameters.includes(p)) &&
  calls.some((call) => askedOwners(program).has(questionIn(call) ?? ""))

/** The questions whose answer must be the sender. */
const askedOwners = oncePer(
  (program: Program): ReadonlySet<string> =>
    new Set(
      accessOf(program).entries.flatMap(({ deeds }) =>
        deeds.flatMap(({ demands }) =>
          demands.facts.flatMap((fact) =>
            fact.kind === "relation" && fact.operator === "==" && callerCheck(fact)?.kind === "owner"
              ? [...fact.left.calls, ...(fact.right?.calls ?? [])].flatMap((call) => questionIn(call) ?? [])
              : [],
          ),
        ),
      ),
    ),
)

/** Whom the entry names that is changed: `require(msg.sender != ownerOf[id]); ownerOf[id] = to;` */
const isOfSameEntry = ({ variable, keys }: Deed, { state, keyParameters }: Origins): boolean =>
  variable !== undefined &&
  state.some((v) => declaredWhole(v) === declaredWhole(variable)) &&
  keyParameters.some((p) => keys.parameters.includes(p))

const askedVariables = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  for (const { deeds } of accessOf(program).entries)
    for (const { demands } of deeds)
      for (const fact of demands.facts)
        if (fact.kind === "relation" && callerCheck(fact)?.kind === "owner")
          for (const v of [...fact.left.state, ...(fact.right?.state ?? [])]) found.add(v)
  return found
})

/** Whether some function requires the sender to be the account stored there. */
const isAsked = (program: Program, variable: StateVariable): boolean => askedVariables(program).has(variable)

const admittedQuestions = oncePer((program: Program): ReadonlySet<string> => {
  const facts = accessOf(program).entries.flatMap(({ deeds }) => deeds.flatMap(({ demands }) => demands.facts))
  const affirmed = facts.flatMap((f) => (f.kind === "relation" && f.operator === "true" ? questionsOf(f) : []))
  return new Set(affirmed)
})

/** Whether a known contract must deny what it must affirm of the sender elsewhere: `!acl.isOperator(msg.sender)`. */
const isRefused = (program: Program, fact: Fact): boolean => {
  if (fact.kind === "any" || fact.operator !== "false" || (fact.left.keys & Source.sender) === 0) return false
  const admitted = admittedQuestions(program)
  return questionsOf(fact).some((question) => admitted.has(question))
}

/** What other contracts are queried about the sender. */
const questionsOf = ({ left: { keys, calls } }: Relation): ReadonlyArray<string> =>
  (keys & Source.sender) === 0 ? [] : calls.flatMap((call) => questionIn(call) ?? [])

const questionIn = (call: Origins["calls"][number]): string | undefined =>
  call.kind === "FunctionCall" && call.callee.kind === "MemberAccess" ? call.callee.member : undefined
