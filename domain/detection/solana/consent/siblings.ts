import { oncePer } from "../../oncePer.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { structOf } from "../authority/relations.ts"
import { accountOfState } from "../program/semantics.ts"
import { signersIn } from "./signers.ts"
import { lastPart } from "./names.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Fields of existing records that an instruction changes: the record's name among its accounts, and the field's. */
const changedFields = oncePer((instruction: Instruction): ReadonlySet<string> => {
  const names = new Map<Term | undefined, string>()
  for (const one of instruction.accounts)
    if (!isCreated(instruction, one))
      names.set(one.term, `${structOf(instruction, one)?.item.name ?? lastPart(one.name)}`)
  const changed = (place: Term): ReadonlyArray<string> => {
    if (place.kind === "choice") return place.alternatives.flatMap(changed)
    const record = place.kind === "field" ? names.get(accountOfState(place)) : undefined
    return place.kind === "field" && record !== undefined ? [`${record}.${place.name}`] : []
  }
  return new Set(ofKind(instruction.events, "assign").flatMap((event) => changed(event.target.term)))
})

/** Whether every other instruction that changes one of the same fields requires an account of this name to sign. */
export const isAskedElsewhere = (crate: SolanaCrate, instruction: Instruction, account: Account): boolean =>
  [...changedFields(instruction)].some((field) => {
    const others = crate.instructions.filter((one) => one !== instruction && changedFields(one).has(field))
    const asks = (other: Instruction): boolean =>
      [...signersIn(other)].some(({ name }) => lastPart(name) === lastPart(account.name))
    return others.length > 0 && others.every(asks)
  })
