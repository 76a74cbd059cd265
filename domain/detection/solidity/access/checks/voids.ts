import { oncePer } from "../../../oncePer.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { FunctionModel, LocalVariable, ModifierModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { type ChosenReason, chosenAnswer, unsetAccount } from "./chosenAnswers.ts"
import { uncoveredIn } from "../entries/coverage.ts"
import { type Deed, isOwn } from "../entries/deeds.ts"
import { accessOf, type Entry } from "../entries/entries.ts"
import { isDue, servesCaller } from "../entries/intent.ts"
import { isKnownAccount, namesAccount, openingOf } from "../../demands/openings.ts"
import { unusedAnswer } from "./unusedAnswers.ts"

// Conditions that look like a caller check and keep nobody out.

/**
 * `inverted`: everyone but a known account passes · `argument`: an argument takes the sender's place · `optional`:
 * callers who pass a different argument are not checked · `unused`: the result decides nothing · `uncovered`: the
 * signature or proof does not cover an argument that decides what happens · `anybody`: any signer is accepted · `unset`:
 * nobody is asked for until an account is set.
 */
export type VoidReason =
  | "inverted"
  | "argument"
  | "optional"
  | "unused"
  | "uncovered"
  | "anybody"
  | "unset"
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
    // to be asked about is no service
    if (servesCaller(entry)) return chosen?.reason === "answer" ? chosen : []
    return (entry.guarded ? undefined : voidIn(program, entry)) ?? chosen ?? uncovered(entry) ?? []
  })
})

const voidIn = (program: Program, entry: Entry): VoidCheck | undefined => {
  // the condition of a branch only says which path is taken
  const asked = entry.flow.facts(entry.flow.exit)
  let looked = false
  for (const deed of entry.deeds) {
    if (deed.demands.standing === "guarded" || isOwn(deed) || deed.demands.facts.some(isDue)) continue
    const isOpen = deed.demands.standing === "open"
    for (const fact of asked) {
      const reason = isOpen ? voidReason(program, entry, deed, fact) : isRefused(program, fact) ? "inverted" : undefined
      if (reason === undefined) continue
      const { expression, at } = aboutCaller(fact) ?? fact
      return { entry, deed, reason, expression, at }
    }
    if (!isOpen || looked) continue
    looked = true
    const unused = unusedAnswer(entry.flow)
    if (unused !== undefined) return { entry, deed, reason: "unused", expression: unused.node, at: unused.at }
  }
  return undefined
}

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

const uncovered = (entry: Entry): VoidCheck | undefined => {
  const found = uncoveredIn(entry)
  if (found === undefined) return undefined
  const { deed, parameter, fact } = found
  return { entry, deed, reason: "uncovered", expression: fact.expression, at: fact.at, parameter }
}

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
  if (opening !== undefined || fact.kind === "any") return opening
  if (isInvertedEntry(program, deed, fact)) return "inverted"
  if (isAnybodys(entry, fact)) return "anybody"
  return isArgument(program, entry, fact) && !isKeyed(deed, fact) ? "argument" : undefined
}

/** Whether any signer is accepted, and nothing is done to what belongs to the signer. */
const isAnybodys = ({ deeds }: Entry, { operator, left, right, withZero }: Relation): boolean =>
  operator === "!=" &&
  withZero &&
  [left, right].some((side) => side !== undefined && has(side, Source.recovered)) &&
  !deeds.some(
    ({ value, keys, demands: { kinds } }) =>
      ((value.sources | value.keys | keys.sources | keys.keys) & Source.recovered) !== 0 || kinds.includes("signature"),
  )

/** Whether the sender must differ from the item's owner, or from the account that the action concerns. */
const isInvertedEntry = (program: Program, deed: Deed, { operator, left, right, at }: Relation): boolean => {
  if (operator !== "!=" || right === undefined) return false
  const other = only(left, Source.sender) ? right : only(right, Source.sender) ? left : undefined
  if (other === undefined) return false
  if (only(other, Source.parameter))
    return other.parameters.some(
      (p) => deed.keys.parameters.includes(p) || (deed.variable === undefined && deed.value.parameters.includes(p)),
    )
  if (!has(other, Source.state | Source.external) || has(other, Source.literal | Source.parameter)) return false
  if (isOfSameEntry(deed, other)) return true
  return at.callable.kind === "Modifier" || other.state.some((v) => namesAccount(v.type) && isAsked(program, v))
}

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

/** What other contracts are asked about the sender. */
const questionsOf = ({ left: { keys, calls } }: Relation): ReadonlyArray<string> =>
  (keys & Source.sender) === 0
    ? []
    : calls.flatMap((call) =>
        call.kind === "FunctionCall" && call.callee.kind === "MemberAccess" ? [call.callee.member] : [],
      )

/** Whether an argument equals a privileged account and serves no other purpose. */
const isArgument = (program: Program, entry: Entry, { operator, left, right, expression }: Relation): boolean => {
  if (operator !== "==" || right === undefined) return false
  for (const [told, known] of [
    [left, right],
    [right, left],
  ] as const) {
    const [parameter] = told.parameters
    if (parameter === undefined || !only(told, Source.parameter) || !isKnownAccount(known)) continue
    if (parameter.type.kind !== "address" && parameter.type.kind !== "struct") continue
    if (isUsedOnce(program, entry.fn, parameter, memberIn(program, expression, parameter))) return true
  }
  return false
}

/** For a struct, whether its member is used once. */
const isUsedOnce = (
  program: Program,
  { node, modifiers }: FunctionModel,
  parameter: LocalVariable,
  member: string | undefined,
): boolean => {
  let uses = 0
  const isIt = (e: S.Node): boolean => e.kind === "Identifier" && program.referenceOf(e) === parameter
  const count = (part: S.Node): boolean => {
    if (part.kind === "EmitStatement") return false
    if (part.kind === "MemberAccess" && member !== undefined && isIt(part.object)) {
      if (part.member === member) uses++
      return false
    }
    if (isIt(part)) uses++
    return uses < 2
  }
  if (node.body !== undefined) walk(node.body, count)
  for (const each of modifiers) walk(each.node, count)
  return uses === 1
}

/** Which member of a struct a condition is about. */
const memberIn = (program: Program, expression: Expr, struct: LocalVariable): string | undefined => {
  let found: string | undefined
  walk(expression, (part) => {
    if (
      part.kind === "MemberAccess" &&
      part.object.kind === "Identifier" &&
      program.referenceOf(part.object) === struct
    )
      found = part.member
    return found === undefined
  })
  return found
}

/** Whether the action concerns the account in the condition. */
const isKeyed = (deed: Deed, { left, right }: Relation): boolean =>
  [...left.parameters, ...(right?.parameters ?? [])].some((p) => deed.keys.parameters.includes(p))

/** Empty modifiers that functions use and that no derived contract overrides. */
export const emptyModifiers = (
  program: Program,
): ReadonlyArray<{ readonly modifier: ModifierModel; readonly named: ReadonlyArray<FunctionModel> }> => {
  const empty = program.modifiers.filter(
    ({ node: { body, virtual } }) => body !== undefined && !virtual && body.statements.every(isPlaceholder),
  )
  if (empty.length === 0) return []
  return empty.flatMap((modifier) => {
    const named = program.functions.filter(
      (fn) => program.graph.isEntryPoint(fn) && fn.modifiers.some((each) => each.modifier === modifier),
    )
    return named.length === 0 ? [] : [{ modifier, named }]
  })
}

const isPlaceholder = ({ kind }: { readonly kind: string }): boolean => kind === "PlaceholderStatement"
