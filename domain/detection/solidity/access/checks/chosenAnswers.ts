import { dueTime, type Fact, type Relation } from "../../flow/facts/facts.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { type Access, type Entry, runsOnce } from "../entries/entries.ts"

// Conditions about the sender that can be met by choosing the contract or account that they consult.

/**
 * `answer`: the contract that answers is named by the caller · `selected`: an argument selects the role or list that is
 * asked, or an account that may be unset.
 */
export type ChosenReason = "answer" | "selected"

interface Chosen {
  readonly reason: ChosenReason
  /** The argument, which serves no other purpose: otherwise the action may concern what it selects. */
  readonly parameter: LocalVariable
}

/** How the caller chooses the answer to a condition on itself. */
export const chosenAnswer = (program: Program, entry: Entry, fact: Fact): Chosen | undefined => {
  const relations = fact.kind === "relation" ? [fact] : fact.options.map((option) => option.find(isRelation))
  for (const relation of relations) {
    const found = relation === undefined ? undefined : chosenIn(relation, fact.kind === "any")
    if (found !== undefined && isUsedOnlyIn(program, entry, found.parameter, fact)) return found
  }
  return undefined
}

const isRelation = (fact: Fact): fact is Relation => fact.kind === "relation"

const chosenIn = (fact: Relation, isOption: boolean): Chosen | undefined => {
  const { operator, left, right, withZero } = fact
  const sides = right === undefined ? [left] : [left, right]
  for (const side of sides) {
    const asksSender = (side.keys & Source.sender) !== 0
    const other = sides.find((one) => one !== side)
    const [parameter] = side.keyParameters
    if (parameter === undefined || side.keyParameters.length > 1) continue
    if (has(side, Source.external) && side.targets !== 0 && (side.targets & ~chosenByCaller) === 0) {
      if (asksSender ? operator === "true" : operator === "==" && other !== undefined && only(other, Source.sender))
        return { reason: "answer", parameter }
    } else if (isTable(side) && (asksSender ? operator === "true" : isOption && operator === "==" && withZero))
      return { reason: "selected", parameter }
  }
  return undefined
}

/** An entry of a table, or the answer of a known contract. */
const isTable = (o: Origins): boolean =>
  (only(o, Source.state) || only(o, Source.external)) && (o.targets & chosenByCaller) === 0

/** Whether an argument is used only in a condition of the function, or passed to the modifier that checks. */
const isUsedOnlyIn = (program: Program, { fn }: Entry, parameter: LocalVariable, { expression, at }: Fact): boolean => {
  if (!fn.parameters.includes(parameter) || (at.callable !== fn && at.callable.kind !== "Modifier")) return false
  let outside = 0
  const count = (part: S.Node): boolean => {
    if (part.kind === "EmitStatement" || part === expression) return false
    if (part.kind === "Identifier" && program.referenceOf(part) === parameter) outside++
    return outside === 0
  }
  if (fn.node.body !== undefined) walk(fn.node.body, count)
  for (const { node, modifier } of fn.modifiers) if (modifier !== at.callable) walk(node, count)
  return outside === 0
}

/**
 * `require(keeper == address(0) || keeper == msg.sender)`: the account that is asked for, or the time from which nobody
 * is, if nothing sets it from the start.
 */
export const unsetAccount = (access: Access, { flow, contract }: Entry, fact: Fact): StateVariable | undefined => {
  if (fact.kind === "relation") return undefined
  const relations = fact.options.flatMap((option) => option.filter(isRelation))
  const asked = relations.flatMap(({ operator, left, right }) =>
    operator === "==" && right !== undefined && (only(left, Source.sender) || only(right, Source.sender))
      ? [...left.state, ...right.state]
      : [],
  )
  const open = fact.options.flatMap(([first, ...others]) =>
    first?.kind !== "relation" || others.length > 0
      ? []
      : first.operator === "==" && first.withZero
        ? [first.left, first.right].filter((side) => side?.state.some((v) => asked.includes(v)))
        : dueTime(first),
  )
  const account = open.find((side) => side !== undefined && only(side, Source.state) && side.keys === 0)?.state[0]
  if (account === undefined || asked.length === 0 || account.node?.value !== undefined) return undefined
  const starts = [
    ...contract.linearization.flatMap(({ functions }) => functions.filter(({ role }) => role === "constructor")),
    ...(access.bySubject.get(account) ?? [])
      .filter(({ entry }) => runsOnce(access, entry))
      .map(({ entry }) => entry.fn),
  ]
  const isSet = starts.some((fn) =>
    flow.program.flow(fn).writes.some(({ place }) => place?.variables.includes(account)),
  )
  return isSet ? undefined : account
}
