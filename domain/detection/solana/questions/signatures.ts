import { oncePer } from "../../oncePer.ts"
import { everySubterm } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"

/** Accounts whose signature is checked by some condition, whether or not on every path. */
export const askedToSign = oncePer((instruction: Instruction): ReadonlySet<Account> => {
  const parts = everySubterm(instruction.events.flatMap((event) => (event.kind === "check" ? event.conditions : [])))
  const given = new Set(
    instruction.events.flatMap((event) =>
      // A library's, in one arm of a match.
      event.kind === "call" && event.name === "assert_signer" ? event.args.map(({ term }) => term) : [],
    ),
  )
  return new Set(
    instruction.accounts.filter(
      ({ term }) => given.has(term) || parts.has(instruction.walk.terms.field(term, "is_signer")),
    ),
  )
})
