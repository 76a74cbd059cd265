import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import { isCreated } from "../authority/creation.ts"
import { isPinned } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksAround, checksWhenDone, cpisOf, usesOf } from "../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { paysOut } from "../payments/stakes.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Whether the program signs a payment with seeds that contain this account's address: from what is stored for it. */
export const namesPayer = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return (
    instruction.kind === "native" &&
    usesOf(instruction, account).every(({ kind }) => kind === "cpi-account") &&
    !checksWhenDone(instruction, account).some(({ kind }) => kind !== "distinct") &&
    // An account that pays in or burns with its own signature takes part in an exchange.
    !cpisOf(instruction).some((cpi) => !isSignedFor(instruction, cpi) && movesValue(cpi)) &&
    !ofKind(instruction.events, "call").some((event) =>
      event.args.some(({ term }) => accountOfState(term) === account.term),
    ) &&
    signedCpisOf(instruction).some(
      (cpi) => movesValue(cpi) && roleOf(cpi, "from") !== undefined && mentions(cpi.signerSeeds, (one) => one === key),
    )
  )
}

/** Whether the record at an address derived from this one's is changed, and paid out to an unknown account. */
export const emptiesRecord = (instruction: Instruction, account: Account): boolean =>
  signedCpisOf(instruction).some((cpi) => {
    const to = movesValue(cpi) ? roleOf(cpi, "to") : undefined
    return to !== undefined && to !== account.term && !isPinned(checksAround(cpi.event, { term: to }))
  }) &&
  instruction.accounts.some(
    (record) =>
      record !== account &&
      !isCreated(instruction, record) &&
      isDerivedFrom(instruction, record, account) &&
      usesOf(instruction, record).some(({ kind }) => kind === "state-write" || kind === "data-write"),
  )

export const isSeed = (instruction: Instruction, account: Account): boolean =>
  [...instruction.walk.success].some((fact) =>
    mentions(
      fact,
      (one) =>
        one.kind === "call" &&
        one.name.endsWith("program_address") &&
        mentions(one, (inner) => inner === keyOf(instruction.walk.terms, account.term)),
    ),
  ) ||
  ofKind(instruction.events, "call").some(
    (event) =>
      /(find|create)_program_address$/.test(event.name) &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

/**
 * Whether a record at an address derived from this one's is only asked: nothing that is written, or told to another
 * program, is taken from it. It is there to show what the account may do.
 */
export const isVouchedFor = (instruction: Instruction, account: Account): boolean => {
  const records = instruction.accounts.filter((one) => isDerivedFrom(instruction, one, account))
  // Whoever brings the account's own records up to date takes nothing from it.
  return (
    records.some((one) => exists(instruction, one) && !isTakenFrom(instruction, one)) &&
    !records.some((one) => isWritten(instruction, one))
  )
}

/** Whether the program made it: by its type, or because it owns it. */
const exists = (instruction: Instruction, record: Account): boolean =>
  record.state !== undefined || checksWhenDone(instruction, record).some(({ kind }) => kind === "owner")

const isWritten = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).some(({ kind }) => kind.endsWith("-write"))

const isTakenFrom = (instruction: Instruction, record: Account): boolean => {
  const state = stateOf(instruction.walk.terms, record.term)
  return ofKind(instruction.events, "assign").some((event) => mentions(event.value.term, (one) => one === state))
}

const isDerivedFrom = (instruction: Instruction, record: Account, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return checksWhenDone(instruction, record).some(
    ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === key),
  )
}

/** Whether a value from the caller replaces what is stored in an account at an address derived from this one's. */
export const setsRecord = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      !isCreated(instruction, record) &&
      record.constraints?.init !== true &&
      record.constraints?.initIfNeeded !== true &&
      isDerivedFrom(instruction, record, account) &&
      ofKind(instruction.events, "assign").some(
        (event) =>
          event.operator === "=" &&
          accountOfState(event.target.term) === record.term &&
          instruction.arguments.some(({ term }) => term === rootOf(event.value.term)),
      ),
  )

/** Whether it is created, or enlarged, with rent that someone else pays. */
export const isOpenedFor = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      (record.constraints?.init === true || (record.constraints?.realloc !== undefined && !paysOut(instruction))) &&
      isDerivedFrom(instruction, record, account),
  )

/** Whether another program opens a record for it, for which a signer pays. */
export const isOpenedElsewhere = (
  { events, walk: { terms } }: Instruction,
  account: Account,
  signers: ReadonlySet<Account>,
): boolean => {
  const is = (term: Term, one: Account): boolean => term === one.term || term === keyOf(terms, one.term)
  return events.some((event) => {
    const { term } = event.kind === "struct" ? event.value : { term: undefined }
    return (
      term?.kind === "struct" &&
      term.definition === undefined &&
      term.fields.some(([, value]) => is(value, account)) &&
      term.fields.some(([name, value]) => /(^|_)payer$/.test(name) && [...signers].some((one) => is(value, one)))
    )
  })
}
