import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import { isTokenAccountType, readType } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksWhenDone, usesOf } from "../questions/questions.ts"
import { stateOf } from "../program/semantics.ts"

const holdersByState = oncePer((instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<Account>> =>
  Map.groupBy(instruction.accounts, ({ term }) => stateOf(instruction.walk.terms, term)),
)

/** Accounts whose state a term is taken from, in their order. */
const holdersOf = (instruction: Instruction, key: Term): ReadonlyArray<Account> => {
  const found = [...everySubterm([key])].flatMap((one) => holdersByState(instruction).get(one) ?? [])
  return found.length < 2 ? found : instruction.accounts.filter((one) => found.includes(one))
}

/**
 * Whether it is a key in the state of an account that only this program writes, rather than the owner of some token
 * account.
 */
export const isOwnState = (instruction: Instruction, key: Term): boolean => {
  const [holder] = holdersOf(instruction, key)
  if (holder === undefined) return true
  if (
    instruction.kind === "native" &&
    usesOf(instruction, holder).some(({ event }) => isTokenAccountType(readType(event)))
  )
    return false
  if (instruction.kind === "native")
    return (
      checksWhenDone(instruction, holder).some(({ kind }) => kind === "owner" || kind === "pda" || kind === "key") ||
      // The runtime lets only an account's owner write to it.
      usesOf(instruction, holder).some(({ kind }) => kind === "state-write" || kind === "data-write")
    )
  return holder.state?.kind !== "named" || !/^(TokenAccount|Mint)$/.test(holder.state.name)
}

/** Whether it is a key in the state of another program's account, by a type of that program's crate. */
export const isForeign = (instruction: Instruction, key: Term): boolean =>
  holdersOf(instruction, key).some(({ state }) => state !== undefined && definitionOf(state) === undefined)
