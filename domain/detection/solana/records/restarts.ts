import { type AssignEvent, type Event, ofKind } from "../../rust/terms/events.ts"
import { isEmptyValue } from "../../rust/terms/emptyValue.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import type { Severity } from "../../../finding/Severity.ts"
import { oncePer } from "../../oncePer.ts"
import { isAuthorized, isPrivileged } from "../authority/authorization.ts"
import type { Determined } from "../ties/determined.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { movesValue } from "../questions/cpi.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import { checksWhenDone, cpisOf } from "../questions/questions.ts"
import { accountOfState, stateOf } from "../program/semantics.ts"
import { instructionsByField } from "./instructionsByField.ts"
import { paidAgain, replacedIn } from "./secondRuns.ts"

/** Whether it is the address of one of the accounts. */
export const isKey = (instruction: Instruction, term: Term): boolean =>
  instruction.accounts.some((one) => term.kind === "field" && term.name === "key" && term.base === one.term)

/** Only facts about the contents count: `init_if_needed` itself says nothing. */
export const isGuardedState = (instruction: Instruction, account: Account, event: Event): boolean => {
  const state = stateOf(instruction.walk.terms, account.term)
  // What holds only behind the write is about what was written.
  for (const fact of event.facts) if (mentions(fact, (one) => one === state)) return true
  return false
}

/** The instructions that change each field: `locker.shelves[at].amount` changes the shelves, too. */
const changesIn = oncePer((crate: SolanaCrate) =>
  instructionsByField(crate, function* ({ events }) {
    for (const event of ofKind(events, "assign"))
      for (let place = event.target.term; place.kind === "field" || place.kind === "element"; place = place.base)
        if (place.kind === "field") yield place
  }),
)

/** Whether another instruction changes a field in accounts of the kind. */
const isChangedElsewhere = (
  crate: SolanaCrate,
  instruction: Instruction,
  { state }: Account,
  field: string,
): boolean => {
  const struct = state === undefined ? undefined : definitionOf(state)
  const by = struct === undefined ? undefined : changesIn(crate).get(struct)?.get(field)
  return by !== undefined && by.size > (by.has(instruction) ? 1 : 0)
}

/** Whether an instruction that finds such an account, and does not create it, changes the field. */
const isHandedOn = (crate: SolanaCrate, { state }: Account, field: string): boolean => {
  const struct = state === undefined ? undefined : definitionOf(state)
  const by = struct === undefined ? undefined : changesIn(crate).get(struct)?.get(field)
  const creates = ({ state: other, constraints }: Account): boolean =>
    (constraints?.init === true || constraints?.initIfNeeded === true) &&
    other !== undefined &&
    definitionOf(other) === struct
  return [...(by ?? [])].some(({ accounts }) => !accounts.some(creates))
}

/** Its address is made from a number that goes on with each call, so that it is another one each time. */
const isNumbered = (instruction: Instruction, account: Account): boolean => {
  const counted = new Set(ofKind(instruction.events, "assign").map((event) => event.target.term))
  return checksWhenDone(instruction, account).some(
    ({ against }) => against !== undefined && mentions(against, (one) => counted.has(one)),
  )
}

/**
 * What is there begins again: a count or flag that other instructions keep, such as a claim that was made, or what the
 * caller says takes the place of what was said before.
 */
export const restartOf = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
  determined: Determined,
): { readonly event: Event; readonly severity?: Severity } | undefined => {
  const isCounted = (name: string): boolean => isChangedElsewhere(crate, instruction, account, name)
  const owned = ownedBySigner(instruction, account)
  // What is the same on every call, such as the founder of a club, comes back after it was handed on.
  const isBack = (name: string, value: Term): boolean =>
    isKey(instruction, value) && determined.has(value) && isHandedOn(crate, account, name)
  const isReset = (name: string, value: Term): boolean => isBack(name, value) || (isCounted(name) && isStart(value))
  // The record of what was paid before is lost, also to its owner.
  const paid = new Set(cpisOf(instruction).flatMap((cpi) => (movesValue(cpi) ? [amountOf(cpi)] : [])))
  const isSaid = (name: string, value: Term): boolean =>
    (!owned || isCounted(name) || paid.has(value)) && determined.isSaid(value)
  let said: AssignEvent | undefined
  for (const event of ofKind(instruction.events, "assign")) {
    if (event.operator !== "=" || accountOfState(event.target.term) !== account.term) continue
    if (isGuardedState(instruction, account, event)) continue
    const { target, value } = event
    const set: ReadonlyArray<readonly [string, Term]> =
      target.term.kind === "field"
        ? [[target.term.name, value.term]]
        : value.term.kind === "struct"
          ? value.term.fields
          : []
    if (set.some(([name, one]) => isReset(name, one))) return { event }
    // What is there is a part of what comes: a sum.
    if (said === undefined && !mentions(value.term, (one) => one === target.term))
      if (set.some(([name, one]) => isSaid(name, one))) said = event
  }
  if (isNumbered(instruction, account)) return said === undefined ? undefined : { event: said, severity: "low" }
  const again = paidAgain(instruction, account, determined)
  const event = said ?? again
  if (event === undefined) {
    const replaced = replacedIn(crate, instruction, account, determined)
    // It may well be that a cache is refreshed.
    return replaced === undefined ? undefined : { event: replaced, severity: "low" }
  }
  const isOpen =
    again === undefined
      ? !instruction.accounts.some((one) => isAuthorized(instruction, one))
      : !isPrivileged(crate, instruction)
  return { event, severity: isOpen && again === undefined ? "medium" : "low" }
}

/** What a record begins with: nothing, zero, or as many of these as there are places. */
const isStart = (value: Term): boolean => {
  if (value.kind === "literal" && /^(0|false)/.test(value.value)) return true
  if (value.kind === "struct") return value.fields.every(([, one]) => isStart(one))
  if (value.kind === "call" && value.name === "repeat" && value.args[0] !== undefined) return isStart(value.args[0])
  return isEmptyValue(value)
}

/** With a signer among its seeds, only the owner can write the account again. */
export const ownedBySigner = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(
    ({ against }) =>
      against !== undefined &&
      instruction.accounts.some((one) => one.wrapper === "signer" && mentions(against, (inner) => inner === one.term)),
  )
