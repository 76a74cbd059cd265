import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { successAbout } from "../questions/questions.ts"
import { signersOf } from "./authorization.ts"

/**
 * Whether the address that a program signs for is that of whoever signs: derived from their own address, or from a
 * record that is compared with it, such as a wallet that they own.
 */
export const isOwnAddress = (instruction: Instruction, signerSeeds: Term): boolean => {
  const { terms } = instruction.walk
  const states = instruction.accounts.flatMap(({ term }) => {
    const [key, state] = [keyOf(terms, term), stateOf(terms, term)]
    return mentions(signerSeeds, (one) => one === key || one === state) ? [state] : []
  })
  return signersOf(instruction).some(({ term, optional }) => {
    const key = keyOf(terms, term)
    return (
      !optional &&
      (mentions(signerSeeds, (one) => one === key) ||
        successAbout(instruction, key).some(
          (fact) =>
            !(fact.kind === "binary" && fact.operator !== "==") && mentions(fact, (one) => states.includes(one)),
        ))
    )
  })
}
