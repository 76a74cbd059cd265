import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { SolanaCrate } from "../program/model.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"
import { accountAt } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** The fields in which records store their own address, `vault.seed = vault.key()`, by what they are. */
export const selfAddresses = oncePer((crate: SolanaCrate): ReadonlyMap<StructDefinition, ReadonlySet<string>> => {
  const found = new Map<StructDefinition, Set<string>>()
  for (const instruction of crate.instructions)
    for (const event of ofKind(instruction.events, "assign")) {
      const [target, value] = [event.target.term, event.value.term]
      const account = accountAt(instruction, accountOfState(target))
      const struct = account === undefined ? undefined : structOf(instruction, account)
      if (account === undefined || struct === undefined) continue
      const key = keyOf(instruction.walk.terms, account.term)
      const set =
        value.kind === "struct" ? value.fields : target.kind === "field" ? [[target.name, value] as const] : []
      for (const [name, one] of set) if (one === key) found.set(struct, (found.get(struct) ?? new Set()).add(name))
    }
  return found
})
