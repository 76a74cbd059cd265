import { guaranteed } from "../../rust/terms/events.ts"
import { anyFact } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { checksOf } from "../questions/checks.ts"
import { movesValue } from "../questions/cpi.ts"
import type { Account, Instruction } from "../program/model.ts"
import { askedOf, cpisOf, usesOf } from "../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { isSigned } from "../questions/signedCpi.ts"
import { tiesOf } from "../ties/ties.ts"

/** `if key == record.owner { … } else { … }`: what the account is not, according to the facts of a path. */
const isNotStored = (fact: Term, key: Term): boolean => {
  if (fact.kind !== "binary" || fact.operator !== "!=") return false
  const other = fact.left === key ? fact.right : fact.right === key ? fact.left : undefined
  return other !== undefined && accountOfState(other) !== undefined
}

/**
 * Whether it must sign on some path, while another path admits whoever it is compared with, without a signature: anyone
 * can pass the stored address.
 */
export const isLetThrough = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  const signing = askedOf(instruction, account).filter(({ facts }) =>
    checksOf(account.term, facts).some(({ kind }) => kind === "signer"),
  )
  return signing.length > 0 && signing.every(({ event }) => [...event.facts].some((fact) => isNotStored(fact, key)))
}

const asksSignature = anyFact((fact) => mentions(fact, (one) => one.kind === "field" && one.name === "is_signer"))

/** Whether the contents of a record go to an unknown account without any signature, at any time. */
export const takesLeftovers = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  if (tiesOf(instruction).of(account).length > 0) return false
  // Another program is called in the name of this one, and may refuse.
  if (cpisOf(instruction).some((cpi) => isSigned(cpi) && !movesValue(cpi))) return false
  const taken = usesOf(instruction, account).filter(({ kind }) => kind === "lamports-write")
  return taken.some(({ event }) => {
    if (event.kind !== "assign") return false
    const facts = guaranteed(event)
    if (asksSignature(facts)) return false
    const parts = everySubterm([event.value.term])
    return [...parts].some((held) => {
      if (held.kind !== "field" || held.name !== "lamports" || held.base === account.term) return false
      const state = stateOf(terms, held.base)
      return (
        instruction.accounts.some(({ term }) => term === held.base) &&
        // Whether an expired record may be closed by anyone, who keeps the rent.
        ![...facts].some(
          (fact) => fact.kind === "binary" && /^<=?$/.test(fact.operator) && mentions(fact, (one) => one === state),
        )
      )
    })
  })
}
