import { dueTime, type Fact, type Relation } from "../../flow/facts/facts.ts"
import { chosenByCaller, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { abiName } from "../../types.ts"
import { walk } from "../../visit.ts"
import { isSelfGranted } from "../../demands/selfGranted.ts"
import { isCleared } from "../entries/deeds.ts"
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
  // what the sender has entered below their own account is theirs
  if (isSelfGranted(entry.flow, fact)) return undefined
  const relations = fact.kind === "relation" ? [fact] : fact.options.map((option) => option.find(isRelation))
  for (const relation of relations) {
    const found = relation === undefined ? [] : chosenIn(entry, relation, fact.kind === "any")
    for (const chosen of found) if (isUsedOnlyIn(program, entry, chosen.parameter, fact)) return chosen
  }
  return undefined
}

const isRelation = (fact: Fact): fact is Relation => fact.kind === "relation"

const chosenIn = (entry: Entry, fact: Relation, isOption: boolean): ReadonlyArray<Chosen> => {
  const { operator, left, right, withZero } = fact
  const sides = right === undefined ? [left] : [left, right]
  return sides.flatMap((side): ReadonlyArray<Chosen> => {
    const other = sides.find((one) => one !== side)
    const asksSender = (side.keys & Source.sender) !== 0
    const isSender = operator === "==" && other !== undefined && only(other, Source.sender)
    if (isCallersContract(side)) {
      const admits = operator === "true" || operator.startsWith(side === left ? ">" : "<")
      if (asksSender ? !admits : !isSender) return []
      const named = side.targetParameters.length > 0 ? side.targetParameters : side.keyParameters
      return named.map((parameter) => ({ reason: "answer", parameter }))
    }
    const [parameter, ...others] = side.keyParameters
    if (parameter === undefined || others.length > 0 || !isTable(entry.flow.program, side)) return []
    const isChosen = asksSender
      ? operator === "true"
      : isSender
        ? isAboutAnother(entry, parameter)
        : isOption && operator === "==" && withZero
    return isChosen ? [{ reason: "selected", parameter }] : []
  })
}

/** Whether the caller names the contract that answers, or one that names it. */
const isCallersContract = ({ sources, keys, targets }: Origins): boolean => {
  if ((sources & Source.external) === 0 || targets === 0) return false
  if ((targets & ~chosenByCaller) === 0) return true
  const known = Source.state | Source.immutable | Source.constant | Source.self | Source.unknown
  return targets === Source.external && (keys & Source.parameter) !== 0 && (keys & known) === 0
}

/** Whether the owner of one item is asked for, and what the function does concerns others of that type only. */
const isAboutAnother = ({ deeds }: Entry, parameter: LocalVariable): boolean => {
  const concerned = deeds.flatMap(({ keys, value }) => [...keys.parameters, ...keys.keyParameters, ...value.parameters])
  const type = abiName(parameter.type)
  return !concerned.includes(parameter) && concerned.some((p) => abiName(p.type) === type)
}

/** An entry of a table, or the answer of a known contract that does nothing besides. */
const isTable = (program: Program, o: Origins): boolean =>
  (only(o, Source.state) || (only(o, Source.external) && o.calls.every((call) => !acts(program, call)))) &&
  (o.targets & chosenByCaller) === 0

const acts = (program: Program, call: Origins["calls"][number]): boolean => {
  const mutability = call.kind === "FunctionCall" ? program.callOf(call)?.target?.mutability : undefined
  return mutability === "nonpayable" || mutability === "payable"
}

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
  return isSet && !canBeUnset(access, account) ? undefined : account
}

/** Whether the account can be given up later. */
const canBeUnset = (access: Access, account: StateVariable): boolean =>
  (access.bySubject.get(account) ?? []).some(({ deed }) => isCleared(deed))
