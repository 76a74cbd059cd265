import { oncePer } from "../../oncePer.ts"
import { everySubterm } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { ofKind, callsNamed } from "../../rust/terms/events.ts"

/** Accounts whose signature is checked by some condition, whether or not on every path. */
export const askedToSign = oncePer((instruction: Instruction): ReadonlySet<Account> => {
  const parts = everySubterm(ofKind(instruction.events, "check").flatMap((event) => event.conditions))
  const given = new Set(
    // A library's, in one arm of a match.
    callsNamed(instruction.events, /^assert_signer$/).flatMap(({ args }) => args.map(({ term }) => term)),
  )
  return new Set(
    instruction.accounts.filter(
      ({ term }) => given.has(term) || parts.has(instruction.walk.terms.field(term, "is_signer")),
    ),
  )
})
