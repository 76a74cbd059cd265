import { oncePerPair } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { definitionOf, isNamed, resolveType, type RustType, successType } from "../../rust/crate/types.ts"
import { isAddressType } from "../program/accountTypes.ts"
import type { SolanaCrate } from "../program/model.ts"

/** Structs are nested in the state of large programs. */
const maxNesting = 3

/** The fields of a struct that store addresses, by path: `liq_pool.lp_mint`. */
const addressesIn = (crate: SolanaCrate, struct: StructDefinition, depth = 0): ReadonlyArray<string> =>
  struct.item.fields.flatMap((field): ReadonlyArray<string> => {
    const type: RustType = resolveType({ resolver: crate.project.resolver, module: struct.module }, field.type)
    if (isAddressType(isNamed(type, "Option") ? successType(type) : type)) return [field.name]
    const inner = definitionOf(type)
    if (inner?.kind !== "struct" || depth >= maxNesting) return []
    return addressesIn(crate, inner, depth + 1).map((path) => `${field.name}.${path}`)
  })

/** The names that accounts at the stored addresses would have, with the paths. */
export const storedNames = oncePerPair((crate: SolanaCrate, struct: StructDefinition): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const path of addressesIn(crate, struct)) {
    const parts = path.split(".")
    const last = parts.at(-1)!
    const own = /^(account|key|address|pubkey|id)$/.test(last) && parts.length > 1 ? parts.at(-2)! : last
    for (const name of new Set([plainName(own), plainName(parts.join("_"))])) {
      if (found.has(name)) ambiguous.add(name)
      found.set(name, path)
    }
  }
  for (const name of ambiguous) found.delete(name)
  return found
})

export const plainName = (name: string): string =>
  name.replace(/_(info|account|acc|ai|acct|key|pubkey|address|id)$/, "")

/** `RebateManager` as accounts are named: `rebate_manager`. */
export const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (one) => `_${one}`).toLowerCase()
