import { everySubterm } from "../rust/terms/terms.ts"
import type { Account, Instruction } from "./model.ts"

const known = new WeakMap<Instruction, ReadonlySet<Account>>()

/** Accounts whose signature is checked by some condition, whether or not on every path. */
export const askedToSign = (instruction: Instruction): ReadonlySet<Account> => {
  let asked = known.get(instruction)
  if (asked === undefined) {
    const parts = everySubterm(instruction.events.flatMap((event) => (event.kind === "check" ? event.conditions : [])))
    asked = new Set(
      instruction.accounts.filter(({ term }) => parts.has(instruction.walk.terms.field(term, "is_signer"))),
    )
    known.set(instruction, asked)
  }
  return asked
}
