import { mentions, type Term } from "../rust/terms/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { cpisOf, usesOf } from "./questions.ts"

/**
 * Nobody compares an account with the stored address, and the calls that are given it fail for any other: they are built
 * for the stored address itself, or signed with seeds that it is in.
 */
export const isImplied = (instruction: Instruction, account: Account, stored: Term): boolean => {
  const uses = usesOf(instruction, account)
  if (uses.length === 0 || uses.some(({ kind }) => kind !== "cpi-account")) return false
  const events = new Set(uses.map(({ event }) => event))
  return cpisOf(instruction).every(
    ({ event, args, signerSeeds, accounts }) =>
      !events.has(event) ||
      // A library's call names what it is given itself.
      (!accounts.some(({ name, term }) => name !== "" && term === account.term && signerSeeds === undefined) &&
        [...args, ...(signerSeeds === undefined ? [] : [signerSeeds])].some((term) =>
          mentions(term, (one) => one === stored),
        )),
  )
}
