import { subterms, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksWhenDone } from "../questions/questions.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isBump } from "./ties.ts"

/** What the address of an account determines. */
export interface Determined {
  /**
   * Whether a value is the same whenever the account is: its seeds contain it, or what they contain leads to it, such
   * as the pool that a position in the seeds stores. What changes by itself, such as the time, is asked for apart.
   */
  readonly has: (term: Term, changes?: (part: Term) => boolean) => boolean
  /** Whether an argument other than those in its seeds is part of a value. */
  readonly isSaid: (term: Term) => boolean
}

/** Whether no part of a term is barred, except within those that end the search. */
const isFree = (term: Term, ends: (part: Term) => boolean, isBarred: (part: Term) => boolean): boolean => {
  const parts = new Set([term])
  // A set also iterates over what is added in the meantime.
  for (const part of parts) {
    if (ends(part)) continue
    if (isBarred(part)) return false
    for (const inner of subterms(part)) parts.add(inner)
  }
  return true
}

/** Built on first use. */
export const determinedBy = (instruction: Instruction, account: Account): Determined => {
  let found: Determined | undefined
  const built = (): Determined => (found ??= build(instruction, account))
  return { has: (term, changes) => built().has(term, changes), isSaid: (term) => built().isSaid(term) }
}

/** The parts of addresses. If one field of an argument is a seed, that implies nothing about the others. */
const seedsIn = (addresses: ReadonlyArray<Term>, given: ReadonlySet<Term>): ReadonlySet<Term> => {
  const found = new Set(addresses)
  // A set also iterates over what is added in the meantime.
  for (const part of found) {
    let root = part
    while (root.kind === "field") root = root.base
    if (root === part || !given.has(root)) for (const inner of subterms(part)) found.add(inner)
  }
  return found
}

const build = (instruction: Instruction, account: Account): Determined => {
  const addresses = checksWhenDone(instruction, account).flatMap(({ kind, against }) =>
    kind === "pda" && against !== undefined ? [against] : [],
  )
  const given = new Set(instruction.arguments.map(({ term }) => term))
  const seeds = seedsIn(addresses, given)
  const { terms, success } = instruction.walk
  const keys = new Map(instruction.accounts.map(({ term }) => [keyOf(terms, term), term] as const))
  const accounts = new Set(keys.values())
  // If one field of an account is a seed, that implies nothing about the others.
  const wholes = new Set([...accounts].flatMap((one) => [one, stateOf(terms, one)]))
  const known = new Set<Term>([account.term, ...[...keys].flatMap(([key, one]) => (seeds.has(key) ? [one] : []))])
  const isSeed = (part: Term): boolean => seeds.has(part) && !wholes.has(part)
  const has = (term: Term, changes?: (part: Term) => boolean): boolean =>
    isFree(
      term,
      (part) => known.has(part) || isSeed(part) || isBump(part),
      (part) =>
        accounts.has(part) ||
        given.has(part) ||
        part.kind === "opaque" ||
        part.kind === "parameter" ||
        changes?.(part) === true,
    )
  const equalities = [...success].flatMap((fact) =>
    fact.kind === "binary" && fact.operator === "=="
      ? [[fact.left, fact.right] as const, [fact.right, fact.left] as const]
      : [],
  )
  for (let size = addresses.length === 0 ? known.size : 0; size !== known.size;) {
    size = known.size
    for (const [key, value] of equalities) {
      const one = keys.get(key)
      if (one !== undefined && !known.has(one) && has(value)) known.add(one)
    }
  }
  return {
    has: (term, changes) => addresses.length > 0 && has(term, changes),
    isSaid: (term) => !isFree(term, isSeed, (part) => given.has(part)),
  }
}
