import { mentions, rootOf, type Term } from "../rust/terms/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { isCreated } from "./creation.ts"
import { checksWhenDone, usesOf } from "./questions.ts"

const exists = (instruction: Instruction, account: Account): boolean =>
  (instruction.kind === "native"
    ? usesOf(instruction, account).some(({ kind }) => kind === "deserialize")
    : account.wrapper === "state" || account.wrapper === "loader") &&
  account.constraints?.init !== true &&
  account.constraints?.initIfNeeded !== true &&
  account.constraints?.zero !== true &&
  !isCreated(instruction, account)

/**
 * The caller passes it, but a record of the program exists at an address derived from it: a proposal that was voted on,
 * or an order that was placed. Whoever created the record approved it.
 */
export const isApproved = (instruction: Instruction, term: Term): boolean => {
  const root = rootOf(term)
  return (
    instruction.arguments.some((one) => one.term === root) &&
    instruction.accounts.some(
      (account) =>
        exists(instruction, account) &&
        checksWhenDone(instruction, account).some(
          ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === root),
        ),
    )
  )
}
