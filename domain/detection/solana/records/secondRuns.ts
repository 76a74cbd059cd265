import { isClock } from "../questions/quantities.ts"
import { oncePer } from "../../oncePer.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import { type AssignEvent, type Event, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, stateOf } from "../program/semantics.ts"
import { movesValue } from "../questions/cpi.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import { accountAt, checksWhenDone, cpisOf } from "../questions/questions.ts"
import { instructionsByField } from "./instructionsByField.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import type { Determined } from "../ties/determined.ts"
import { tiesOf } from "../ties/ties.ts"

/** Whether what is in the account already decides something on the way to an event, or the amount that is moved. */
const isAsked = (instruction: Instruction, account: Account, event: Event, amount: Term | undefined): boolean => {
  const state = stateOf(instruction.walk.terms, account.term)
  const names = (term: Term): boolean => mentions(term, (one) => one === state)
  for (const fact of event.facts) if (names(fact)) return true
  return amount !== undefined && names(amount)
}

/** Whether another account, which the instruction creates, is one for each of these: the second run fails. */
const hasNewCompanion = (instruction: Instruction, account: Account, determined: Determined): boolean =>
  instruction.accounts.some(
    (one) =>
      one !== account &&
      one.constraints?.init === true &&
      checksWhenDone(instruction, one).some(
        ({ kind, against }) => kind === "pda" && against !== undefined && determined.has(against),
      ),
  )

/**
 * What the program pays each time that it is called, although there is one record for it: creating the record would
 * have made it once only, as with a claim. Whoever pays in makes an exchange, as often as they like.
 */
export const paidAgain = (instruction: Instruction, account: Account, determined: Determined): Event | undefined => {
  if (cpisOf(instruction).some((cpi) => movesValue(cpi) && !isSignedFor(instruction, cpi))) return undefined
  if (hasNewCompanion(instruction, account, determined)) return undefined
  const changed = new Set(
    ofKind(instruction.events, "assign").flatMap((event) =>
      accountOfState(event.target.term) !== undefined ? [event.target.term] : [],
    ),
  )
  const isOf = (one: Account): boolean =>
    tiesOf(instruction)
      .of(one)
      .some(({ other }) => other === account)
  return signedCpisOf(instruction).find((cpi) => {
    const amount = movesValue(cpi) ? amountOf(cpi) : undefined
    const to = accountAt(instruction, roleOf(cpi, "to"))
    return (
      amount !== undefined &&
      // What the record itself is given stays with it.
      to !== undefined &&
      !isOf(to) &&
      !isAsked(instruction, account, cpi.event, amount) &&
      // What is owed is written down elsewhere, and taken off there.
      !mentions(amount, (one) => changed.has(one))
    )
  })?.event
}

/** The instructions that check each field, or read it. */
const readsIn = oncePer((crate: SolanaCrate) =>
  instructionsByField(crate, ({ events, walk }) => {
    const read = ofKind(events, "read").map((event) => event.value.term)
    return [...everySubterm([...walk.success, ...read])].filter((part) => part.kind === "field")
  }),
)

/**
 * What a second run replaces: a value that accounts other than those in its address decide, or the time, which another
 * instruction relies on.
 */
export const replacedIn = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
  determined: Determined,
): AssignEvent | undefined => {
  if (isUpkeep(instruction) || hasNewCompanion(instruction, account, determined)) return undefined
  const struct = account.state === undefined ? undefined : definitionOf(account.state)
  const read = struct === undefined ? undefined : readsIn(crate).get(struct)
  if (read === undefined) return undefined
  const isReliedOn = (name: string): boolean => {
    const by = read.get(name)
    return by !== undefined && by.size > (by.has(instruction) ? 1 : 0)
  }
  const states = new Set(instruction.accounts.map(({ term }) => stateOf(instruction.walk.terms, term)))
  const varies = (term: Term): boolean =>
    mentions(term, (one) => isClock(one) || states.has(one)) && !determined.has(term, isClock)
  for (const event of ofKind(instruction.events, "assign")) {
    if (event.operator !== "=" || accountOfState(event.target.term) !== account.term) continue
    if (isAsked(instruction, account, event, event.value.term)) continue
    const { target, value } = event
    const set: ReadonlyArray<readonly [string, Term]> =
      target.term.kind === "field"
        ? [[target.term.name, value.term]]
        : value.term.kind === "struct"
          ? value.term.fields
          : []
    if (set.some(([name, one]) => isReliedOn(name) && varies(one))) return event
  }
  return undefined
}
