import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isPrivileged } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isCreated } from "../authority/creation.ts"
import { isWeighed } from "../questions/introspection.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { signedCpisOf } from "../questions/signedCpi.ts"
import { singletonsOf } from "../questions/singleton.ts"
import { tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Kinds of records that anyone can create for themselves, with arbitrary contents. */
const makableKinds = oncePer((crate: SolanaCrate): ReadonlySet<StructDefinition> => {
  const kinds = new Set<StructDefinition>()
  for (const instruction of crate.instructions) {
    const made = instruction.accounts.filter(({ constraints }) => constraints?.init || constraints?.zero)
    if (made.length === 0 || instruction.arguments.length === 0 || isPrivileged(crate, instruction)) continue
    for (const one of made) {
      const struct = structOf(instruction, one)
      if (struct !== undefined) kinds.add(struct)
    }
  }
  for (const struct of singletonsOf(crate)) kinds.delete(struct)
  return kinds
})

/** What the program pays: tokens that it signs for, and lamports of its accounts. */
const paidAmounts = (instruction: Instruction): ReadonlyArray<Term> => {
  const lamports = new Set(instruction.accounts.map(({ term }) => lamportsOf(instruction.walk.terms, term)))
  return [
    ...signedCpisOf(instruction).flatMap((cpi) => (movesValue(cpi) ? cpi.args : [])),
    ...ofKind(instruction.events, "assign").flatMap((event) =>
      lamports.has(event.target.term) ? [event.value.term] : [],
    ),
  ]
}

/**
 * Which record of its kind is it? It decides what is paid, nothing ties it to anything, and anyone can make another
 * one that says what suits them.
 */
export const strayRecords = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Account> => {
  const kinds = makableKinds(crate)
  const paid = kinds.size === 0 ? [] : paidAmounts(instruction)
  if (paid.length === 0) return []
  const { terms } = instruction.walk
  return instruction.accounts.filter((account) => {
    const struct = structOf(instruction, account)
    if (struct === undefined || !kinds.has(struct) || account.constraints?.init === true) return false
    const state = stateOf(terms, account.term)
    const key = keyOf(terms, account.term)
    if (!paid.some((amount) => mentions(amount, (one) => one === state))) return false
    const ties = tiesOf(instruction)
    if (ties.of(account).length > 0 || ties.isAsked(account) || isCreated(instruction, account)) return false
    if (usesOf(instruction, account).some(({ kind }) => kind.endsWith("-write"))) return false
    return !isWeighed(
      instruction,
      (fact) => fact.kind !== "succeeded" && mentions(fact, (one) => one === state || one === key),
    )
  })
}
