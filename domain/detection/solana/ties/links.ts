import { oncePer } from "../../oncePer.ts"
import { mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { ensuredByCalled } from "./ensuredByCalled.ts"
import { isNew } from "./freshness.ts"
import { isMintType, isTokenAccountType, readType } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { usesOf } from "../questions/questions.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"
import { bare, equalitiesIn, isBump, isMade, isTokenType, wholesIn } from "./ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Terms that are equal, as far as an instruction compares them, over any number of comparisons. */
class Equals {
  readonly #of = new Map<Term, Term>()

  find(term: Term): Term {
    let root = term
    for (let next = this.#of.get(root); next !== undefined; next = this.#of.get(root)) root = next
    // Paths are compressed, so that long chains stay cheap.
    for (let one = term; one !== root;) {
      const next = this.#of.get(one)!
      this.#of.set(one, root)
      one = next
    }
    return root
  }

  join(one: Term, other: Term): void {
    const [from, to] = [this.find(one), this.find(other)]
    if (from !== to) this.#of.set(from, to)
  }
}

/** An address derived from other accounts and values. */
interface Made {
  readonly account: Account
  /** For each part, the accounts of which any tells it. If only the caller or the account itself does, it is one of many. */
  readonly parts: ReadonlyArray<ReadonlySet<Account>>
}

/** The instruction's arguments from which an address is derived, and whether nothing else distinguishes it from many. */
interface Argued {
  readonly args: ReadonlySet<Term>
  readonly alone: boolean
}

export interface Links {
  /** Whether a constant, or seeds without a choice, determine its address. */
  readonly isFixed: (account: Account) => boolean
  /** The accounts whose address a stored one is, or may be if it is one of several. */
  readonly atAddress: (stored: Term) => ReadonlyArray<Account>
  readonly surelyAt: (stored: Term) => ReadonlyArray<Account>
  /** The accounts that one determines: those whose addresses it stores or is made from, and so on. */
  readonly determinedBy: (account: Account) => ReadonlySet<Account>
  /** Whether some account, or the same arguments, determine both, so that neither can be exchanged for another's. */
  readonly belongTogether: (one: Account, other: Account) => boolean
}

/** The sides of an equality; an optional account has several. */
const sidesOf = (term: Term): ReadonlyArray<Term> => {
  const one = bare(term)
  return one.kind === "choice" ? one.alternatives.map(bare) : [one]
}

/** What must hold, also in programs that are called, and what is checked on some paths only. */
const factsOf = (instruction: Instruction): ReadonlySet<Term> => {
  const asked = ofKind(instruction.events, "check").flatMap((event) => event.conditions)
  return new Set([...instruction.walk.success, ...ensuredByCalled(instruction), ...asked])
}

const isAssociated = (address: Term): boolean =>
  mentions(address, (one) => one.kind === "call" && /associated_token_address/.test(one.name))

/** What an address is derived from: Anchor's call has the bump separate from the seeds. */
const inside = (term: Term): ReadonlyArray<Term> =>
  term.kind === "call" && term.path === "anchor::create_program_address"
    ? term.args.filter((_, index) => index !== 1)
    : [...subterms(term)]

/** The values from which an address is derived: whole keys and stored fields, not what they are parts of. */
const partsOf = (address: Term, isPart: (term: Term) => boolean): ReadonlyArray<Term> => {
  const found: Array<Term> = []
  const seen = new Set([address])
  for (const one of seen) {
    if (isBump(one)) continue
    if (isPart(one)) found.push(one)
    else for (const inner of inside(one)) seen.add(inner)
  }
  return found
}

/** Token accounts and mints can belong to anyone. */
const isToken = (instruction: Instruction, account: Account): boolean =>
  isTokenType(account) ||
  usesOf(instruction, account).some(({ event }) => isTokenAccountType(readType(event)) || isMintType(readType(event)))

const isStored = (instruction: Instruction, { wrapper, term }: Account): boolean =>
  wrapper === "state" ||
  wrapper === "loader" ||
  usesOf(instruction, { term }).some(({ kind }) => kind === "deserialize" || /^(state|data)-/.test(kind))

type Edges = ReadonlyMap<Account, ReadonlySet<Account>>

interface Graph {
  readonly atAddress: Links["atAddress"]
  readonly surelyAt: Links["surelyAt"]
  /** By account, those whose addresses it stores, or is an associated token account of. */
  readonly stores: Edges
  /** By account, those with the same address. */
  readonly same: ReadonlyMap<Account, ReadonlyArray<Account>>
  /** By account, those from which its address is derived. */
  readonly seeds: Edges
  readonly made: ReadonlyArray<Made>
  readonly argued: ReadonlyMap<Account, Argued>
  readonly fixed: ReadonlySet<Account>
}

/** Equalities over the terms of an instruction, and which accounts they are about. */
const equalitiesOf = (instruction: Instruction) => {
  const { terms } = instruction.walk
  const equals = new Equals()
  const sure = new Equals()
  const compared = new Set<Term>()
  const byTerm = new Map(instruction.accounts.map((one) => [one.term, one]))
  const byKey = new Map(instruction.accounts.map((one) => [keyOf(terms, one.term), one]))
  /** An account represents its address. */
  const address = (term: Term): Term => (byTerm.has(term) ? keyOf(terms, term) : term)
  const storedIn = (term: Term): Account | undefined => {
    const holder = byKey.has(term) ? undefined : accountOfState(term)
    return holder === undefined ? undefined : byTerm.get(holder)
  }
  /** `record.payer.unwrap_or(record.owner)`: which of the two it is depends. */
  const isOneOfTwo = (term: Term): boolean => sidesOf(term).filter((one) => storedIn(one) !== undefined).length > 1
  for (const fact of factsOf(instruction))
    for (const [left, right] of equalitiesIn(fact)) {
      const isSure = !isOneOfTwo(left) && !isOneOfTwo(right)
      for (const one of sidesOf(left).map(address))
        for (const other of sidesOf(right).map(address)) {
          equals.join(one, other)
          if (isSure) sure.join(one, other)
          compared.add(one).add(other)
        }
    }
  const at = Map.groupBy(byKey.keys(), (key) => equals.find(key))
  const surelyAt = Map.groupBy(byKey.keys(), (key) => sure.find(key))
  const chosen = new Set(instruction.arguments.map(({ term }) => term))
  return {
    compared,
    storedIn,
    /** The accounts of which a term is, or may be, the address. */
    atAddress: (term: Term) => (at.get(equals.find(address(term))) ?? []).map((key) => byKey.get(key)!),
    surelyAt: (term: Term) => (surelyAt.get(sure.find(address(term))) ?? []).map((key) => byKey.get(key)!),
    isArgument: (term: Term) => chosen.has(term),
    isPart: (term: Term) => byKey.has(address(term)) || chosen.has(term) || storedIn(term) !== undefined,
  }
}

const isElement = (term: Term): boolean =>
  term.kind === "element" || ((term.kind === "field" || term.kind === "payload") && isElement(term.base))

/** Whether its address is stored here: its membership in a list is then no evidence. */
const isPutInto = ({ events }: Instruction, holder: Account, account: Account): boolean =>
  ofKind(events, "assign").some(
    (event) => accountOfState(event.target.term) === holder.term && wholesIn(event.value.term).has(account.term),
  )

const graphOf = (instruction: Instruction): Graph => {
  const { compared, storedIn, atAddress, surelyAt, isArgument, isPart } = equalitiesOf(instruction)
  const stores = new Map<Account, Set<Account>>()
  const seeds = new Map<Account, Set<Account>>()
  const add = (edges: Map<Account, Set<Account>>, from: Account, to: Account): void => {
    if (from === to || fresh.has(from)) return
    const known = edges.get(from)
    if (known === undefined) edges.set(from, new Set([to]))
    else known.add(to)
  }
  const same = new Map<Account, ReadonlyArray<Account>>()
  const fixed = new Set<Account>()
  const made: Array<Made> = []
  const argued = new Map<Account, Argued>()
  // A new record that names two accounts does not make them belong together.
  const fresh = new Set(instruction.accounts.filter((one) => isNew(instruction, one)))
  for (const term of compared) {
    const at = atAddress(term)
    if (at.length === 0) continue
    const holder = storedIn(term)
    if (holder !== undefined)
      for (const one of at) if (!isElement(term) || !isPutInto(instruction, holder, one)) add(stores, holder, one)
    // Two accounts with equal addresses are one.
    if (at.length > 1 && !same.has(at[0]!)) for (const one of at) same.set(one, at)
    if (term.kind === "constant") for (const one of at) fixed.add(one)
    if (!isMade(term)) continue
    const told = partsOf(term, isPart)
    const args = new Set(told.filter(isArgument))
    if (args.size > 0) for (const one of at) argued.set(one, { args, alone: told.every(isArgument) })
    const parts = told.map((part) => ({ by: storedIn(part), at: atAddress(part) }))
    // Anyone can open the associated account of any owner for any mint.
    const edges = isAssociated(term) ? stores : seeds
    for (const account of at) {
      if (parts.length === 0) fixed.add(account)
      for (const part of parts)
        for (const one of part.at.length === 0 && part.by !== undefined ? [part.by] : part.at) add(edges, account, one)
      const tellers = parts.map((part) => new Set([...part.at, part.by ?? account]))
      for (const one of tellers) one.delete(account)
      if (parts.length > 0 && tellers.every(({ size }) => size > 0)) made.push({ account, parts: tellers })
    }
  }
  return { atAddress, surelyAt, stores, same, seeds, made, argued, fixed }
}

/** What one account determines, over any number of steps. */
const closureOf = (
  instruction: Instruction,
  { stores, same, seeds, made, fixed }: Graph,
  root: Account,
): Set<Account> => {
  const found = new Set([root])
  const implied = new Set<Account>()
  const follow = (from: Account, to: Iterable<Account>): void => {
    for (const one of to)
      // What is derived from this and something fixed does not lead back to the fixed one.
      if (!implied.has(from) || !fixed.has(one)) found.add(one)
  }
  /** Accounts at one address that were followed already, from something implied or not. */
  const followed = new Map<ReadonlyArray<Account>, boolean>()
  const followSame = (from: Account): void => {
    const all = same.get(from)
    const isImplied = implied.has(from)
    if (all === undefined || isNew(instruction, from) || followed.get(all) === false || followed.get(all) === isImplied)
      return
    followed.set(all, isImplied)
    follow(from, all)
  }
  const isTold = (part: ReadonlySet<Account>): boolean => {
    for (const one of part) if (found.has(one) || fixed.has(one)) return true
    return false
  }
  for (let size = 0; size !== found.size;) {
    size = found.size
    // A set also iterates over what is added in the meantime.
    for (const one of found) {
      // Any addresses yield another one: what counts is that something is stored there.
      if (one !== root || isStored(instruction, one)) follow(one, seeds.get(one) ?? [])
      // Anyone can create a token account for a mint or owner; one that something else determines is identified.
      if (one === root && isToken(instruction, one)) continue
      follow(one, stores.get(one) ?? [])
      followSame(one)
    }
    for (const { account, parts } of made)
      if (!found.has(account) && parts.every(isTold)) {
        found.add(account)
        implied.add(account)
      }
  }
  return found
}

/** Whether the arguments that choose one also choose the other: `[b"market", index]` and `[b"vault", index]`. */
const haveSameArguments = (one: Argued | undefined, other: Argued | undefined): boolean => {
  if (one === undefined || other === undefined) return false
  const [fewer, more] = one.args.size < other.args.size ? [one, other] : [other, one]
  const areAlone = fewer.alone || (one.alone && one.args.size === other.args.size)
  return areAlone && [...fewer.args].every((argument) => more.args.has(argument))
}

/** Which accounts of an instruction belong together, as far as it compares them. */
export const linksOf = oncePer((instruction: Instruction): Links => {
  const graph = graphOf(instruction)
  const closures = new Map<Account, ReadonlySet<Account>>()
  const determinedBy = (account: Account): ReadonlySet<Account> => {
    const found = closures.get(account) ?? closureOf(instruction, graph, account)
    closures.set(account, found)
    return found
  }
  const known = new Set([...graph.fixed].flatMap((one) => [...determinedBy(one)]))
  let containing: ReadonlyMap<Account, ReadonlyArray<ReadonlySet<Account>>> | undefined
  return {
    atAddress: graph.atAddress,
    surelyAt: graph.surelyAt,
    isFixed: (account) => known.has(account),
    determinedBy,
    belongTogether: (one, other) => {
      if (haveSameArguments(graph.argued.get(one), graph.argued.get(other))) return true
      containing ??= byMember(instruction.accounts.map(determinedBy))
      const [of, ofOther] = [containing.get(one) ?? [], containing.get(other) ?? []]
      return of.length < ofOther.length ? of.some((all) => all.has(other)) : ofOther.some((all) => all.has(one))
    },
  }
})

/** By account, the sets that contain it. */
const byMember = (
  sets: ReadonlyArray<ReadonlySet<Account>>,
): ReadonlyMap<Account, ReadonlyArray<ReadonlySet<Account>>> => {
  const found = new Map<Account, Array<ReadonlySet<Account>>>()
  for (const all of sets)
    for (const one of all) {
      const known = found.get(one)
      if (known === undefined) found.set(one, [all])
      else known.push(all)
    }
  return found
}
