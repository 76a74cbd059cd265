import { oncePer } from "../../oncePer.ts"
import { everySubterm } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"

/** Accounts whose signature is checked by some condition, whether or not on every path. */
export const askedToSign = oncePer((instruction: Instruction): ReadonlySet<Account> => {
  const parts = everySubterm(instruction.events.flatMap((event) => (event.kind === "check" ? event.conditions : [])))
  return new Set(instruction.accounts.filter(({ term }) => parts.has(instruction.walk.terms.field(term, "is_signer"))))
})
