import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { cpisOf, usesOf } from "../questions/questions.ts"

/**
 * Whether nothing compares an account with the stored address, but the calls that receive it fail for any other: they
 * are built for the stored address itself, or signed with seeds that contain it.
 */
export const isImplied = (instruction: Instruction, account: Account, stored: Term): boolean => {
  const uses = usesOf(instruction, account)
  if (uses.length === 0 || uses.some(({ kind }) => kind !== "cpi-account")) return false
  const events = new Set(uses.map(({ event }) => event))
  return cpisOf(instruction).every(
    ({ event, args, signerSeeds, accounts }) =>
      !events.has(event) ||
      // A library call names its arguments itself.
      (!accounts.some(({ name, term }) => name !== "" && term === account.term && signerSeeds === undefined) &&
        [...args, ...(signerSeeds === undefined ? [] : [signerSeeds])].some((term) =>
          mentions(term, (one) => one === stored),
        )),
  )
}
