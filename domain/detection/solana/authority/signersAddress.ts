import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { accountAt, accountsByKey, successAbout } from "../questions/questions.ts"
import { signersOf } from "./authorization.ts"

/** The addresses of those who have to sign, and the contents that are compared with them. */
const signersOwn = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const keys = signersOf(instruction).flatMap(({ term, optional }) =>
    optional === true ? [] : [keyOf(instruction.walk.terms, term)],
  )
  const compared = keys.flatMap((key) =>
    successAbout(instruction, key).filter((fact) => fact.kind !== "binary" || fact.operator === "=="),
  )
  const states = [...everySubterm(compared)].filter(
    (part) => accountAt(instruction, accountOfState(part)) !== undefined,
  )
  return new Set([...keys, ...states])
})

/**
 * Whether the address that a program signs for is that of whoever signs: derived from their own address, or from a
 * record that is compared with it, such as a wallet that they own.
 */
export const isSignersAddress = (instruction: Instruction, signerSeeds: Term): boolean => {
  const { terms } = instruction.walk
  const own = signersOwn(instruction)
  for (const part of everySubterm([signerSeeds])) {
    if (own.has(part)) return true
    const [account] = accountsByKey(instruction).get(part) ?? []
    if (account !== undefined && own.has(stateOf(terms, account.term))) return true
  }
  return false
}
