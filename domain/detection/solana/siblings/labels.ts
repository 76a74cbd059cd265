import { oncePer } from "../../oncePer.ts"
import type { AssignEvent } from "../../rust/terms/events.ts"
import { fieldsOf } from "../../rust/terms/show.ts"
import { caller, chosen, clock, type Labels } from "../../rust/siblingConditions.ts"
import { structOf } from "../authority/relations.ts"
import type { Instruction } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"
import { isClock } from "../questions/quantities.ts"
import { accountIn, argumentTerms } from "../questions/questions.ts"
import { isNew } from "../ties/freshness.ts"

/** Fields of records go by the name of their struct: `Loan.debt`, whatever the account is called. */
export const labelsIn = oncePer((instruction: Instruction): Labels => {
  const structs = new Map(instruction.accounts.map((one) => [one.term, structOf(instruction, one)?.name]))
  const given = argumentTerms(instruction)
  return (term) => {
    if (isClock(term)) return clock
    if (given.has(term)) return chosen
    if (term.kind !== "field") return undefined
    const account = accountOfState(term)
    if (account !== undefined) {
      const struct = structs.get(account)
      return struct === undefined ? undefined : `${struct}.${fieldsOf(term)}`
    }
    return structs.has(term.base) && /^(key|is_signer|owner)$/.test(term.name) ? caller : undefined
  }
})

/** Whether a write is to a record that the instruction makes. */
export const isNewRecord = (instruction: Instruction, event: AssignEvent): boolean => {
  const account = accountIn(instruction, event.target.term)
  return account !== undefined && isNew(instruction, account)
}
