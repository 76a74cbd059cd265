import { oncePerPair } from "../../oncePer.ts"
import { type Event, ofKind } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isCreated } from "../authority/creation.ts"
import { isWeighed } from "../questions/introspection.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { accountAt, checksWhenDone, cpisOf, usesOf } from "../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { amountOf, isCredited } from "../questions/paidAmounts.ts"
import { isSigned, roleOf } from "../questions/signedCpi.ts"
import { isTokenType, lastName, mustHold, tiesOf } from "../ties/ties.ts"

/** A payment that the signer has to make, to an account that the signer chooses. */
export interface ChosenPayee {
  readonly account: Account
  readonly cpi: Cpi
  /** Whether the payer is credited with what was paid. */
  readonly credited: boolean
}

/** Partners are named by whoever brings in their business. */
export const partner = /(^|_)(referr(al|als|er|ed)?|affiliate|partner|host|broker|integrator|tip|frontend)(_|$)/

const maxChain = 4

/** Whether it is known who is behind the account: a constant, a record, seeds, a check, or the signer on purpose. */
const isKnown = (instruction: Instruction, account: Account, before: ReadonlyArray<Account> = []): boolean => {
  const ties = tiesOf(instruction)
  if (ties.isAsked(account) || signersOf(instruction).includes(account)) return true
  if (checksWhenDone(instruction, account).some(({ kind }) => kind === "call" || kind === "initialized")) return true
  return ties.of(account).some(({ slot, other, struct, pins }) => {
    // Anyone has an account for the right mint.
    if (other === account || (slot === "own mint" && !mustHold(instruction, account))) return false
    if (other === undefined) return pins
    if (struct !== undefined || slot.startsWith("seed")) return true
    // What only this account stores is not evidence about it; records of other programs are.
    if (before.includes(other) || before.length >= maxChain) return false
    return (slot.includes(".") && !isTokenType(other)) || isKnown(instruction, other, [...before, account])
  })
}

/** Whether its address decides what is done, although nothing is refused. */
const isToldApart = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  const key = keyOf(terms, account.term)
  const state = stateOf(terms, account.term)
  return isWeighed(
    instruction,
    (fact) =>
      fact.kind === "binary" &&
      [fact.left, fact.right].includes(key) &&
      // The associated account of whoever it names may belong to anyone.
      !mentions(fact, (one) => one === state),
  )
}

/** Whether its address is written down: who is paid is what the instruction agrees on. */
export const isRecorded = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return ofKind(instruction.events, "assign").some((event) => mentions(event.value.term, (one) => one === key))
}

/** Whether something determines the receiver of a payment: what the account is compared with, or where it is recorded. */
export const isKnownPayee = oncePerPair(
  (instruction: Instruction, account: Account): boolean =>
    isKnown(instruction, account) || isRecorded(instruction, account) || isToldApart(instruction, account),
)

/** Whether the program has a say in how much it is: a stored price or rate, a constant. */
const isDemanded = (amount: Term): boolean =>
  mentions(
    amount,
    (one) => one.kind === "literal" || one.kind === "constant" || (one.kind === "call" && one.name === "state"),
  )

const isRent = (amount: Term): boolean =>
  mentions(amount, (one) => one.kind === "call" && /minimum_balance/.test(one.name))

/** Whether the payments are the price of something: a record, tokens, what another program does, or what is owed. */
const givesSomething = (instruction: Instruction, payments: number): boolean =>
  instruction.accounts.some(({ constraints }) => constraints?.init === true || constraints?.initIfNeeded === true) ||
  cpisOf(instruction).length > payments ||
  ofKind(instruction.events, "assign").some((event) => accountOfState(event.target.term) !== undefined)

/**
 * Who receives what the caller is made to pay? If nothing says so, callers pay themselves. An amount of the caller's
 * own choice is a gift unless it is credited.
 */
export const chosenPayees = (instruction: Instruction): ReadonlyArray<ChosenPayee> => {
  const signing = new Set(signersOf(instruction).map(({ term }) => term))
  const paid = cpisOf(instruction).filter((cpi) => {
    const from = roleOf(cpi, "from")
    // Minted tokens are nobody's yet.
    return from !== undefined && movesValue(cpi) && !isSigned(cpi) && signing.has(roleOf(cpi, "authority") ?? from)
  })
  // Wrapped lamports are only counted.
  const counted = new Set<Event>(
    cpisOf(instruction).flatMap((cpi) => (/(^|::)(sync_native|SyncNative)$/.test(cpi.instruction) ? [cpi.event] : [])),
  )
  const payments = new Set<Event>(paid.map(({ event }) => event))
  const payees = paid.map((cpi) => accountAt(instruction, roleOf(cpi, "to")))
  const isOwed = payees.some((one) => one !== undefined && isKnown(instruction, one))
  if (paid.length === 0 || !(isOwed || givesSomething(instruction, paid.length + counted.size))) return []
  return paid.flatMap((cpi, index): ReadonlyArray<ChosenPayee> => {
    const amount = amountOf(cpi)
    const account = payees[index]
    if (account === undefined || amount === undefined || account.optional || isRent(amount)) return []
    // A record that is paid for itself, and says how much.
    if (account.wrapper !== "raw" && usesOf(instruction, account).some(({ kind }) => kind === "state-write")) return []
    const credited = isCredited(instruction, amount)
    if (!credited && !isDemanded(amount)) return []
    if (partner.test(lastName(account)) || isKnownPayee(instruction, account)) return []
    if (account.constraints?.init === true || isCreated(instruction, account)) return []
    // What another call does with it, only that program knows.
    const isElsewhere = usesOf(instruction, account).some(
      ({ kind, event }) => kind === "cpi-account" && !counted.has(event) && !payments.has(event),
    )
    return isElsewhere ? [] : [{ account, cpi, credited }]
  })
}
