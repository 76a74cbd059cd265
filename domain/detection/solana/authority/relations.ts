import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { ofKind } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import { signersOf } from "./authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isTokenAccountType, readType } from "../questions/identity.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { cpisOf, usesOf } from "../questions/questions.ts"
import { keyOf } from "../program/semantics.ts"
import { roleOf } from "../questions/signedCpi.ts"

/** The role of an account in an instruction: a signer, a place where value is kept, or the state of a struct. */
export type Part = "signer" | "value" | StructDefinition

/**
 * The struct that an account's data is read as: the declared one, or in native programs the first one read.
 */
export const structOf = (instruction: Instruction, account: Account): StructDefinition | undefined => {
  const read =
    instruction.kind === "native"
      ? usesOf(instruction, account).flatMap(({ kind, event }) =>
          kind === "deserialize" ? (readType(event) ?? []) : [],
        )
      : []
  const [first = account.state, ...later] = read
  const known = first === undefined ? undefined : definitionOf(first)
  // A reader for any type does not say which it is. Its caller does, unless there are several.
  const [named, other] = new Set(known === undefined ? later.flatMap((one) => definitionOf(one) ?? []) : [])
  const definition = other === undefined ? (known ?? named) : undefined
  return definition?.kind === "struct" ? definition : account.foreignRecord
}

/** Whether tokens or lamports are taken from, or sent to, an account other than a signer's own wallet. */
const holdsValue = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).some(
    ({ kind, event }) => kind === "lamports-write" || (kind === "deserialize" && isTokenAccountType(readType(event))),
  ) ||
  cpisOf(instruction).some(
    (cpi) => movesValue(cpi) && [roleOf(cpi, "from"), roleOf(cpi, "to")].some((term) => term === account.term),
  )

export const partsOf = oncePer((instruction: Instruction): ReadonlyMap<Account, ReadonlySet<Part>> => {
  const signers = signersOf(instruction)
  const found = new Map<Account, ReadonlySet<Part>>()
  for (const account of instruction.accounts) {
    const own = new Set<Part>()
    const struct = structOf(instruction, account)
    if (struct !== undefined) own.add(struct)
    if (signers.includes(account)) own.add("signer")
    else if (struct === undefined && holdsValue(instruction, account)) own.add("value")
    found.set(account, own)
  }
  return found
})

type Stored = ReadonlyMap<StructDefinition, ReadonlyMap<string, ReadonlySet<Part>>>

/**
 * Whose address each field of a program's structs stores, according to its instructions: an address is written to the
 * field, or compared with it.
 */
export const storedParts = oncePer((crate: SolanaCrate): Stored => {
  const found = new Map<StructDefinition, Map<string, Set<Part>>>()
  const add = (struct: StructDefinition, field: string, roles: ReadonlySet<Part> | undefined): void => {
    if (roles === undefined || roles.size === 0) return
    const fields = found.get(struct) ?? new Map<string, Set<Part>>()
    found.set(struct, fields)
    const all = fields.get(field) ?? new Set<Part>()
    fields.set(field, all)
    for (const role of roles) all.add(role)
  }
  for (const instruction of crate.instructions) {
    const { terms, success } = instruction.walk
    const roles = partsOf(instruction)
    const byKey = new Map<Term, Account>(instruction.accounts.map((one) => [keyOf(terms, one.term), one]))
    const rolesOfKey = (term: Term): ReadonlySet<Part> | undefined => {
      const account = byKey.get(term)
      return account === undefined ? undefined : roles.get(account)
    }
    const holders = new Map<Term, StructDefinition>()
    for (const one of instruction.accounts) {
      const struct = structOf(instruction, one)
      if (struct !== undefined) holders.set(terms.call("state", "", [one.term]), struct)
    }
    const relate = (place: Term, key: Term): void => {
      const struct = place.kind === "field" ? holders.get(place.base) : undefined
      if (struct !== undefined && place.kind === "field") add(struct, place.name, rolesOfKey(key))
    }
    for (const fact of success)
      if (fact.kind === "binary" && fact.operator === "==") {
        relate(fact.left, fact.right)
        relate(fact.right, fact.left)
      }
    for (const { target, value } of ofKind(instruction.events, "assign")) relate(target.term, value.term)
    for (const { value } of ofKind(instruction.events, "struct")) {
      const struct = value.term
      if (struct.kind !== "struct" || struct.definition?.kind !== "struct") continue
      for (const [field, one] of struct.fields) add(struct.definition, field, rolesOfKey(one))
    }
  }
  return found
})
