import { oncePer } from "../../oncePer.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isCreated } from "../authority/creation.ts"
import { signersOf } from "../authority/authorization.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { stateOf } from "../program/semantics.ts"
import { handsOver, movesValue } from "../questions/cpi.ts"
import { accountAt, accountsByKey, cpisOf, isFromCaller, usesOf } from "../questions/questions.ts"
import { isSigned, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isAnchored, tiesOf } from "../ties/ties.ts"
import { isDirected, isMark, writesOf } from "./stakes.ts"

/** Whether the program says where it is, or whose it is: several may hold the same mint. */
const isKept = (instruction: Instruction, account: Account): boolean =>
  isAnchored(instruction, account) &&
  tiesOf(instruction)
    .of(account)
    .some(({ pins, slot }) => pins || /^own (owner|authority)$/.test(slot))

/** Whether it is one of the caller's own accounts, or any that the caller picks. */
const isCallers = (instruction: Instruction, term: Term | undefined): boolean => {
  const account = accountAt(instruction, term)
  if (account === undefined || !isKept(instruction, account)) return true
  const signing = signersOf(instruction)
  return (
    signing.includes(account) ||
    tiesOf(instruction)
      .of(account)
      .some(({ other }) => other !== undefined && signing.includes(other))
  )
}

/** A token account has to be empty: only its rent is paid out. */
export const closes = (cpi: Cpi): boolean => /(close_account|CloseAccount)$/.test(cpi.instruction)

/** Whether what the program keeps reaches an account of the caller's, or control over it does. */
export const reachesCaller = (instruction: Instruction): boolean =>
  signedCpisOf(instruction).some(
    (cpi) => handsOver(cpi) || (movesValue(cpi) && !closes(cpi) && isCallers(instruction, roleOf(cpi, "to"))),
  ) || movedLamports(instruction).some((one) => isCallers(instruction, one))

/** Who receives lamports that the program takes out of its own accounts. */
const movedLamports = (instruction: Instruction): ReadonlyArray<Term> => {
  const written = instruction.accounts.flatMap((one) =>
    usesOf(instruction, one).flatMap(({ kind, event }) =>
      kind === "lamports-write" && event.kind === "assign" ? [{ account: one, operator: event.operator }] : [],
    ),
  )
  const closed = instruction.accounts.flatMap(({ constraints }) => {
    const { close } = constraints ?? {}
    const name = close?.kind === "path" ? close.path.segments.at(-1)!.name : undefined
    return instruction.accounts.filter((one) => name !== undefined && one.name.endsWith(name))
  })
  const takers = written.filter(({ operator }) => operator !== "-").map(({ account }) => account)
  return [...closed, ...(written.length > takers.length || takers.length > 1 ? takers : [])].map(({ term }) => term)
}

/** Whether something is created whenever the instruction succeeds, and not only if it is not there yet. */
const alwaysCreates = oncePer((instruction: Instruction): boolean => {
  const { terms, success } = instruction.walk
  return cpisOf(instruction).some(
    ({ instruction: called, event }) =>
      /create|allocate/i.test(called) && success.has(terms.succeeded(event.result.term)),
  )
})

const exists = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.init !== true &&
  account.constraints?.zero !== true &&
  !(isCreated(instruction, account) && alwaysCreates(instruction))

/** Accounts that nobody has anything in yet are left out. */
const existing = oncePer(
  (instruction: Instruction): ReadonlySet<Term> =>
    new Set(instruction.accounts.filter((one) => exists(instruction, one)).map(({ term }) => term)),
)

/** Whether the caller says, or is, what an existing record contains from now on. */
export const dictates = (instruction: Instruction): boolean => {
  const keys = accountsByKey(instruction)
  return writesOf(instruction).some(
    ({ account, value }) =>
      existing(instruction).has(account) &&
      (isMark(value) || isFromCaller(instruction, value) || mentions(value, (one) => keys.has(one))),
  )
}

/** Whether an account is paid or debited here, or what it stores decides how much is, or is written into others. */
export const isDealtIn = (instruction: Instruction, account: Account): boolean => {
  const state = stateOf(instruction.walk.terms, account.term)
  const isRead = (term: Term): boolean => mentions(term, (one) => one === state)
  return (
    cpisOf(instruction).some(
      (cpi) =>
        movesValue(cpi) &&
        (roleOf(cpi, "to") === account.term ||
          (isSigned(cpi) && roleOf(cpi, "from") === account.term) ||
          cpi.args.some(isRead)),
    ) ||
    usesOf(instruction, account).some(({ kind, event }) => kind === "lamports-write" && event.kind === "assign") ||
    writesOf(instruction).some(
      (one) => one.account !== account.term && isRead(one.value) && existing(instruction).has(one.account),
    )
  )
}

/** Whether value or control leaves, existing records change, or others are asked something, at the caller's will. */
const isUpToCaller = oncePer(
  (instruction: Instruction): boolean =>
    reachesCaller(instruction) ||
    dictates(instruction) ||
    signedCpisOf(instruction).some((cpi) => !movesValue(cpi) && isDirected(instruction, cpi)),
)

/** Whether the caller gains something with other accounts in the place of these, or spoils what belongs to others. */
export const isAtStake = (instruction: Instruction, accounts: ReadonlyArray<Account>): boolean =>
  isUpToCaller(instruction) || accounts.some((one) => isDealtIn(instruction, one))
