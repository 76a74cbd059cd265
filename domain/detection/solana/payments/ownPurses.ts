import { accountAt } from "../questions/questions.ts"
import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { structOf } from "../authority/relations.ts"
import { roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { tiesOf } from "../ties/ties.ts"

/** By struct, the stored addresses of the token accounts that its records own and pay out of: `Market.fee_vault`. */
const pursesOf = oncePer((crate: SolanaCrate): ReadonlyMap<StructDefinition, ReadonlySet<string>> => {
  const found = new Map<StructDefinition, Set<string>>()
  for (const instruction of crate.instructions)
    for (const cpi of signedCpisOf(instruction).filter(movesValue)) {
      const [from, authority] = [roleOf(cpi, "from"), roleOf(cpi, "authority")]
      const purse = accountAt(instruction, from)
      for (const { other, struct, slot } of purse === undefined ? [] : tiesOf(instruction).of(purse)) {
        if (other?.term !== authority || struct === undefined || !slot.startsWith(`${struct.name}.`)) continue
        const slots = found.get(struct)
        if (slots === undefined) found.set(struct, new Set([slot]))
        else slots.add(slot)
      }
    }
  return found
})

/** Whether a record determines which tokens the account holds: no other token account can pay into it. */
const isOfKnownMint = (instruction: Instruction, term: Term | undefined): boolean =>
  instruction.accounts.some(
    (one) =>
      one.term === term &&
      tiesOf(instruction)
        .of(one)
        .some(({ slot, struct }) => slot === "own mint" && struct !== undefined),
  )

/**
 * Whether the record pays out of it and owns other token accounts too: the token program only asks whose it is, so that
 * what one of them holds can be taken for what another one owes.
 */
export const isOneOfSeveral = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
  holder: Account,
  slot: string,
): boolean => {
  const struct = structOf(instruction, holder)
  const purses = struct === undefined ? undefined : pursesOf(crate).get(struct)
  if (purses === undefined || purses.size <= (purses.has(slot) ? 1 : 0)) return false
  return signedCpisOf(instruction).some(
    (cpi) =>
      movesValue(cpi) &&
      roleOf(cpi, "authority") === holder.term &&
      roleOf(cpi, "from") === account.term &&
      !isOfKnownMint(instruction, roleOf(cpi, "to")),
  )
}
