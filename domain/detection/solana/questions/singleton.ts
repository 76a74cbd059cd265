import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { checksWhenDone } from "./questions.ts"

const isFixedSeed = (term: Term): boolean =>
  term.kind === "list" ? term.elements.every(isFixedSeed) : term.kind === "literal" || term.kind === "constant"

/** There can be only one such account: no part of its address varies. */
export const isGlobal = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind, against }) => {
    if (kind !== "pda" || against === undefined) return false
    const call = against.kind === "field" ? against.base : against
    return call.kind === "call" && call.args[0] !== undefined && isFixedSeed(call.args[0])
  })

/**
 * State types with a single instance, according to the instructions that create it: all of them use a fixed address.
 */
export const singletonsOf = oncePer((crate: SolanaCrate): ReadonlySet<StructDefinition> => {
  const global = new Set<StructDefinition>()
  const several = new Set<StructDefinition>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts) {
      const { constraints, state } = account
      const struct = state === undefined ? undefined : definitionOf(state)
      if (struct?.kind !== "struct" || !(constraints?.init || constraints?.initIfNeeded || constraints?.zero)) continue
      if (isGlobal(instruction, account)) global.add(struct)
      else several.add(struct)
    }
  for (const struct of several) global.delete(struct)
  return global
})
