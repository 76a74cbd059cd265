import { guaranteed } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { checksOf } from "../checks.ts"
import { movesValue } from "../cpi.ts"
import type { Account, Instruction } from "../model.ts"
import { cpisOf } from "../questions.ts"
import { accountOfState, keyOf, lamportsOf, stateOf } from "../semantics.ts"
import { isSigned } from "../signedCpi.ts"
import { tiesOf } from "../ties.ts"

/** `if key == record.owner { … } else { … }`: what the facts of a path say that the account is not. */
const isNotStored = (fact: Term, key: Term): boolean => {
  if (fact.kind !== "binary" || fact.operator !== "!=") return false
  const other = fact.left === key ? fact.right : fact.right === key ? fact.left : undefined
  return other !== undefined && accountOfState(other) !== undefined
}

/**
 * It is asked to sign on some path, and another one is taken by whoever it is compared with, without a signature: anyone
 * can name the address that is stored.
 */
export const isLetThrough = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  const asking = instruction.events.filter((event) => event.kind === "check")
  const signing = asking.filter(({ conditions }) =>
    checksOf(account.term, new Set(conditions)).some(({ kind }) => kind === "signer"),
  )
  return signing.length > 0 && signing.every((event) => [...event.facts].some((fact) => isNotStored(fact, key)))
}

const isSignature = (fact: Term): boolean => mentions(fact, (one) => one.kind === "field" && one.name === "is_signer")

/** What a record holds goes without any signature, whatever the time is, to an account about which nothing is known. */
export const takesLeftovers = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  if (tiesOf(instruction).of(account).length > 0) return false
  // Another program is asked in the name of this one, and may refuse.
  if (cpisOf(instruction).some((cpi) => isSigned(cpi) && !movesValue(cpi))) return false
  const own = lamportsOf(terms, account.term)
  return instruction.events.some((event) => {
    if (event.kind !== "assign" || event.target.term !== own) return false
    const facts = [...guaranteed(event)]
    if (facts.some(isSignature)) return false
    return instruction.accounts.some((record) => {
      const held = lamportsOf(terms, record.term)
      const state = stateOf(terms, record.term)
      return (
        record !== account &&
        mentions(event.value.term, (one) => one === held) &&
        // What has had its time may be cleared away by anyone, who keeps the rent.
        !facts.some(
          (fact) => fact.kind === "binary" && /^<=?$/.test(fact.operator) && mentions(fact, (one) => one === state),
        )
      )
    })
  })
}
