import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { definitionOf, isNamed, resolveType, type RustType, successType } from "../../rust/crate/types.ts"
import { isAddressType } from "../program/accountTypes.ts"
import { signersOf } from "../authority/authorization.ts"
import type { SolanaCrate } from "../program/model.ts"
import { keyOf } from "../program/semantics.ts"
import { selfAddresses } from "../records/selfAddresses.ts"
import { lastName } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Structs are nested in the state of large programs. */
const maxNesting = 3

interface StoredAddress {
  readonly path: string
  /** What instructions call the accounts whose addresses they store there. */
  readonly names: ReadonlySet<string>
}

/** By struct and field, the names of the accounts whose addresses instructions put there. */
const writtenNames = oncePer((crate: SolanaCrate): ReadonlyMap<StructDefinition, ReadonlyMap<string, Set<string>>> => {
  const found = new Map<StructDefinition, Map<string, Set<string>>>()
  for (const instruction of crate.instructions) {
    const signers = signersOf(instruction)
    const { terms } = instruction.walk
    // Whoever signs is called by what they do, not by who they are.
    const named = new Map(
      instruction.accounts.flatMap((one) =>
        signers.includes(one) ? [] : [[keyOf(terms, one.term), plainName(lastName(one))] as const],
      ),
    )
    for (const { value } of ofKind(instruction.events, "struct")) {
      const struct = value.term
      if (struct.kind !== "struct" || struct.definition?.kind !== "struct") continue
      const fields = found.get(struct.definition) ?? new Map<string, Set<string>>()
      found.set(struct.definition, fields)
      for (const [field, value] of struct.fields) {
        const name = named.get(value)
        if (name !== undefined) fields.set(field, (fields.get(field) ?? new Set()).add(name))
      }
    }
  }
  return found
})

/** The fields of a struct that store addresses, by path: `liq_pool.lp_mint`. */
const addressesIn = (crate: SolanaCrate, struct: StructDefinition, depth = 0): ReadonlyArray<StoredAddress> =>
  struct.item.fields.flatMap((field): ReadonlyArray<StoredAddress> => {
    const type: RustType = resolveType({ resolver: crate.project.resolver, module: struct.module }, field.type)
    if (isAddressType(isNamed(type, "Option") ? successType(type) : type))
      return [{ path: field.name, names: writtenNames(crate).get(struct)?.get(field.name) ?? new Set() }]
    const inner = definitionOf(type)
    if (inner?.kind !== "struct" || depth >= maxNesting) return []
    return addressesIn(crate, inner, depth + 1).map(({ path, names }) => ({ path: `${field.name}.${path}`, names }))
  })

/** The names that accounts at the stored addresses would have, with the paths. */
export const storedNames = oncePerPair((crate: SolanaCrate, struct: StructDefinition): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  const add = (path: string, names: Iterable<string>): void => {
    for (const name of new Set(names)) {
      if (found.has(name)) ambiguous.add(name)
      found.set(name, path)
    }
  }
  const itself = selfAddresses(crate).get(struct)
  const addresses = addressesIn(crate, struct).filter(({ path }) => itself?.has(path) !== true)
  for (const { path } of addresses) {
    const parts = path.split(".")
    const last = parts.at(-1)!
    const own = /^(account|key|address|pubkey|id)$/.test(last) && parts.length > 1 ? parts.at(-2)! : last
    add(path, [plainName(own), plainName(parts.join("_"))])
  }
  for (const { path, names } of addresses)
    add(
      path,
      [...names].filter((name) => found.get(name) !== path),
    )
  for (const name of ambiguous) found.delete(name)
  return found
})

export const plainName = (name: string): string =>
  name.replace(/_(info|account|acc|ai|acct|key|pubkey|address|id)$/, "")

/** `RebateManager` as accounts are named: `rebate_manager`. */
export const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (one) => `_${one}`).toLowerCase()
