import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { isKnownPayee } from "./chosenPayees.ts"
import { movesValue } from "../questions/cpi.ts"
import { looksIn } from "../questions/introspection.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import { accountIn, checksWhenDone, cpisOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { stateOf } from "../program/semantics.ts"
import { isSignedFor, roleOf } from "../questions/signedCpi.ts"
import { isGlobal } from "../questions/singleton.ts"
import { tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** A record's dues are paid out, and whoever requests it chooses the receiver. */
export interface OpenPayout {
  readonly account: Account
  readonly cpi: Cpi
  readonly record: Account
}

const isTied = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction).isAsked(account) ||
  tiesOf(instruction).of(account).length > 0 ||
  checksWhenDone(instruction, account).some(({ kind }) => kind === "call")

/** The record from which the amount is read, and which records afterwards that it was paid. */
const debited = (instruction: Instruction, amount: Term): Account | undefined =>
  instruction.accounts.find((one) => {
    if (structOf(instruction, one) === undefined || one.constraints?.init === true || isGlobal(instruction, one))
      return false
    const state = stateOf(instruction.walk.terms, one.term)
    if (!mentions(amount, (part) => part === state)) return false
    return (
      one.constraints?.close !== undefined ||
      ofKind(instruction.events, "assign").some(
        (event) =>
          mentions(event.target.term, (part) => part === state) &&
          mentions(amount, (part) => part === event.target.term),
      )
    )
  })

/**
 * Who receives what the program pays out of a record? If nobody signs whom the record knows, it has to be somebody
 * that the record names: otherwise whoever comes first takes it.
 */
export const openPayouts = (instruction: Instruction): ReadonlyArray<OpenPayout> => {
  const calls = cpisOf(instruction).filter(movesValue)
  const signed = calls.filter((cpi) => isSignedFor(instruction, cpi))
  // Whoever gives something in return may choose the receiver; a later instruction may pay it back.
  if (signed.length === 0 || signed.length < calls.length || looksIn(instruction).length > 0) return []
  if (signersOf(instruction).some((one) => isTied(instruction, one))) return []
  return signed.flatMap((cpi) => {
    const to = roleOf(cpi, "to")
    const amount = amountOf(cpi)
    if (to === undefined || amount === undefined || roleOf(cpi, "from") === undefined) return []
    const account = accountIn(instruction, to)
    if (account === undefined || isKnownPayee(instruction, account)) return []
    const record = debited(instruction, amount)
    return record === undefined ? [] : [{ account, cpi, record }]
  })
}
