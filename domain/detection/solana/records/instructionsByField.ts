import type { Definition } from "../../rust/crate/crate.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"

/** By struct and field, instructions that do something with the field in accounts of the kind. */
export type InstructionsByField = ReadonlyMap<Definition, ReadonlyMap<string, ReadonlySet<Instruction>>>

type FieldTerm = Term & { readonly kind: "field" }

/** The instructions of a crate by the fields of account state that `fieldsOf` names for them. */
export const instructionsByField = (
  { instructions }: SolanaCrate,
  fieldsOf: (instruction: Instruction) => Iterable<FieldTerm>,
): InstructionsByField => {
  const found = new Map<Definition, Map<string, Set<Instruction>>>()
  for (const instruction of instructions) {
    const structs = new Map(
      instruction.accounts.map(({ term, state }) => [term, state === undefined ? undefined : definitionOf(state)]),
    )
    for (const field of fieldsOf(instruction)) {
      const holder = accountOfState(field)
      const struct = holder === undefined ? undefined : structs.get(holder)
      if (struct === undefined) continue
      const fields = found.get(struct) ?? new Map<string, Set<Instruction>>()
      found.set(struct, fields)
      fields.set(field.name, (fields.get(field.name) ?? new Set()).add(instruction))
    }
  }
  return found
}
