import { oncePer } from "../../oncePer.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"
import { operandsOf, plain } from "./quantities.ts"

/** Roles in a CPI in which an account is not changed. */
const readOnly = /^(authority|owner|payer|mint_authority|current_authority|delegate|\w*program|system_program|rent)$/

const isNamed = (cpi: Cpi, account: Account): boolean =>
  // What is frozen, or gets another owner, holds as much as before.
  !/freeze|thaw|set_?authority/i.test(cpi.instruction) &&
  cpi.accounts.some(({ name, term }) => {
    if (term !== account.term || readOnly.test(name)) return false
    return !(name === "mint" && /transfer|approve|close|sync|initialize/.test(cpi.instruction))
  })

/** `ctx.accounts.to_account_infos()`: each account that the instruction has is handed on. */
const isHandedWhole = (cpi: Cpi, { term }: Account): boolean =>
  term.kind === "field" && cpi.accounts.some((one) => one.term === term.base)

const isRemaining = (term: Term): boolean => {
  for (let one = term; ;) {
    if (one.kind === "field" && one.name === "remaining_accounts") return true
    if (one.kind === "element" || one.kind === "field") one = one.base
    else if (one.kind === "call" && one.args[0] !== undefined) one = one.args[0]
    else return false
  }
}

const isEither = (term: Term, account: Account): boolean =>
  term.kind === "choice" && term.alternatives.includes(account.term)

/** Stored numbers that are taken off themselves: what changed in between is to be found, and nothing has. */
const differencesWithItself = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const found = new Set<Term>()
  const note = (one: Term, other: Term): void => {
    if (plain(one) === plain(other) && accountOfState(plain(one)) !== undefined) found.add(plain(one))
  }
  for (const event of instruction.events) {
    if (event.kind === "operation" && event.operator === "-" && event.right !== undefined)
      note(event.left.term, event.right.term)
    const sides = event.kind === "call" ? operandsOf(event.result.term, "sub") : undefined
    if (sides !== undefined) note(...sides)
  }
  return found
})

/** The fields of accounts whose own difference is asked for. */
const isSoughtIn = (instruction: Instruction, account: Account): boolean => {
  for (const one of differencesWithItself(instruction)) if (accountOfState(one) === account.term) return true
  return false
}

/** Whether a call changes what is stored in an account; another program cannot write to one that is not mutable. */
export const isChangedBy = (instruction: Instruction, cpi: Cpi, account: Account): boolean =>
  isNamed(cpi, account) ||
  (account.constraints?.mutable === true &&
    (isHandedWhole(cpi, account) ||
      // One of two, by the direction of a swap, or
      // routes of swaps: which accounts they are is not known, but what they bring is measured.
      (cpi.accounts.some(({ term }) => isRemaining(term) || isEither(term, account)) &&
        isSoughtIn(instruction, account))))
