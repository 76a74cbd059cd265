import type { Module, StructDefinition } from "../rust/crate/crate.ts"
import type { Field, TypeNode } from "../rust/syntax/syntax.ts"
import { rootOf, type Term } from "../rust/terms/terms.ts"
import { definitionOf } from "../rust/crate/types.ts"
import type { Span } from "../SourceFile.ts"
import { comparedIn } from "./comparisons.ts"
import type { Account, Instruction } from "./model.ts"
import { keyOf } from "./semantics.ts"

/** Types of the framework and the token program, whose accounts belong to anybody. */
const frameworks =
  /^(anchor_lang|anchor_spl|anchor_client|spl_\w+|solana_program|pinocchio\w*)(::|$)|^(TokenAccount|Mint)$/

/** The path of an account's type if its source is not in the project. */
const pathWithoutSource = ({ state, wrapper }: Account): string | undefined => {
  if ((wrapper !== "state" && wrapper !== "loader") || state?.kind !== "named") return undefined
  return definitionOf(state) !== undefined || frameworks.test(state.path) || frameworks.test(state.name)
    ? undefined
    : state.path
}

/** The name of a field of a record's own, not of something nested in it. */
const ownField = (term: Term, states: ReadonlyMap<Term, string>): readonly [string, string] | undefined => {
  if (term.kind !== "field") return undefined
  const path = states.get(term.base)
  return path === undefined ? undefined : [path, term.name]
}

interface Learned {
  /** By the path of the type, the fields that some instruction compares with an account's address, or sets to one. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Types of which the program makes or changes records: they are its own. */
  readonly own: ReadonlySet<string>
}

const learn = (instructions: ReadonlyArray<Instruction>): Learned => {
  const addresses = new Map<string, Set<string>>()
  const own = new Set<string>()
  for (const instruction of instructions) {
    const { terms } = instruction.walk
    const states = new Map<Term, string>()
    for (const account of instruction.accounts) {
      const path = pathWithoutSource(account)
      if (path === undefined) continue
      states.set(terms.call("state", "", [account.term]), path)
      if (account.constraints?.init === true || account.constraints?.zero === true) own.add(path)
    }
    if (states.size === 0) continue
    const keys = new Set(instruction.accounts.map(({ term }) => keyOf(terms, term)))
    const add = (place: Term, value: Term): void => {
      const field = keys.has(value) ? ownField(place, states) : undefined
      if (field === undefined) return
      const known = addresses.get(field[0])
      if (known === undefined) addresses.set(field[0], new Set([field[1]]))
      else known.add(field[1])
    }
    for (const { left, right } of comparedIn(instruction)) {
      add(left, right)
      add(right, left)
    }
    for (const event of instruction.events) {
      if (event.kind !== "assign") continue
      const path = states.get(rootOf(event.target.term))
      if (path !== undefined) own.add(path)
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
 * that the program says they store: `has_one = admin` in one accounts struct says so for all.
 */
export const withLearnedRecords = (instructions: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> => {
  const { addresses, own } = learn(instructions)
  if (addresses.size === 0) return instructions
  const structs = new Map<string, StructDefinition>()
  const learned = (instruction: Instruction, account: Account): Account => {
    const path = pathWithoutSource(account)
    const fields = path === undefined ? undefined : addresses.get(path)
    if (path === undefined || fields === undefined || account.state?.kind !== "named") return account
    let definition = structs.get(path)
    if (definition === undefined)
      structs.set(path, (definition = structFrom(path, fields, instruction.handler.module, account)))
    return own.has(path)
      ? { ...account, state: { ...account.state, definition } }
      : { ...account, foreignRecord: definition }
  }
  return instructions.map((one) => ({ ...one, accounts: one.accounts.map((account) => learned(one, account)) }))
}
