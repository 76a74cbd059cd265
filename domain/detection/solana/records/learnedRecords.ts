import type { Module, StructDefinition } from "../../rust/crate/crate.ts"
import type { Field, TypeNode } from "../../rust/syntax/syntax.ts"
import { rootOf, type Term } from "../../rust/terms/terms.ts"
import type { Span } from "../../SourceFile.ts"
import { comparedIn } from "../questions/comparisons.ts"
import type { Account, Instruction } from "../program/model.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isTokenType } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** A type declared in another crate: its struct, or its path if the source is not in the project. */
type Imported = StructDefinition | string

/** The type of a record that another crate declares. */
const importedType = ({ handler }: Instruction, account: Account): Imported | undefined => {
  const { state, wrapper } = account
  if ((wrapper !== "state" && wrapper !== "loader") || state?.kind !== "named" || isTokenType(account)) return undefined
  const { definition } = state
  if (definition === undefined) return state.path
  return definition.kind === "struct" && definition.module.crate !== handler.module.crate ? definition : undefined
}

interface Learned {
  /** By the path of the type, the fields that some instruction compares with an account's address, or sets to one. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Imported types whose records the program creates or changes: they are its own. */
  readonly own: ReadonlySet<Imported>
}

const learn = (instructions: ReadonlyArray<Instruction>): Learned => {
  const addresses = new Map<string, Set<string>>()
  const own = new Set<Imported>()
  for (const instruction of instructions) {
    const { terms } = instruction.walk
    const states = new Map<Term, Imported>()
    for (const account of instruction.accounts) {
      const type = importedType(instruction, account)
      if (type === undefined) continue
      states.set(stateOf(terms, account.term), type)
      const { init, initIfNeeded, zero, close } = account.constraints ?? {}
      if (init || initIfNeeded || zero || close !== undefined) own.add(type)
    }
    if (states.size === 0) continue
    const keys = new Set(instruction.accounts.map(({ term }) => keyOf(terms, term)))
    const add = (place: Term, value: Term): void => {
      const type = place.kind === "field" && keys.has(value) ? states.get(place.base) : undefined
      if (place.kind !== "field" || typeof type !== "string") return
      const known = addresses.get(type)
      if (known === undefined) addresses.set(type, new Set([place.name]))
      else known.add(place.name)
    }
    for (const { left, right } of comparedIn(instruction)) {
      add(left, right)
      add(right, left)
    }
    for (const event of ofKind(instruction.events, "assign")) {
      const type = states.get(rootOf(event.target.term))
      if (type !== undefined) own.add(type)
      add(event.target.term, event.value.term)
    }
  }
  return { addresses, own }
}

const addressType = (at: Span): TypeNode => ({
  ...at,
  kind: "path",
  path: { ...at, segments: [{ ...at, name: "Pubkey", generics: [] }] },
})

/** A struct of which only the fields with addresses are known. */
const structFrom = (
  path: string,
  fields: ReadonlySet<string>,
  module: Module,
  { place }: Account,
): StructDefinition => {
  const at: Span = { start: place.span.start, end: place.span.end }
  const name = path.split("::").at(-1)!
  const own = { attributes: [], visibility: "public", nameSpan: at } as const
  return {
    kind: "struct",
    name,
    module,
    item: {
      ...at,
      ...own,
      kind: "struct",
      name,
      generics: [],
      tuple: false,
      fields: [...fields].map((field): Field => ({ ...at, ...own, name: field, type: addressType(at) })),
    },
  }
}

/**
 * Instructions whose accounts of types without source, such as those of a crate outside the project, have the addresses
 * that the program says they store: `has_one = admin` in one accounts struct says so for all. Records that the program
 * never makes or changes are another program's, whichever crate declares them.
 */
export const withLearnedRecords = (instructions: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> => {
  const { addresses, own } = learn(instructions)
  const structs = new Map<string, StructDefinition>()
  const learned = (instruction: Instruction, account: Account): Account => {
    const type = importedType(instruction, account)
    if (type === undefined) return account
    const fields = typeof type === "string" ? addresses.get(type) : undefined
    const isForeign = !own.has(type)
    if (typeof type !== "string" || fields === undefined || account.state?.kind !== "named")
      return { ...account, isForeign }
    let definition = structs.get(type)
    if (definition === undefined)
      structs.set(type, (definition = structFrom(type, fields, instruction.handler.module, account)))
    return isForeign
      ? { ...account, isForeign, foreignRecord: definition }
      : { ...account, state: { ...account.state, definition } }
  }
  return instructions.map((one) => ({ ...one, accounts: one.accounts.map((account) => learned(one, account)) }))
}
