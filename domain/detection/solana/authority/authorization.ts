import { indexBy } from "../../indexBy.ts"
import { oncePer, oncePerPair } from "../../oncePer.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { resolveType, type RustType } from "../../rust/crate/types.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import { isAddressType } from "../program/accountTypes.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { isCalledByOther } from "../questions/introspection.ts"
import { checksWhenDone, isTrusted, successAbout } from "../questions/questions.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isGlobal, singletonsOf } from "../questions/singleton.ts"
import { isSignedMessage } from "./signedMessages.ts"

/** Accounts that must have signed for the instruction to succeed. */
export const signersOf = oncePer((instruction: Instruction): ReadonlyArray<Account> =>
  instruction.accounts.filter((one) => checksWhenDone(instruction, one).some(({ kind }) => kind === "signer")),
)

/** Names of a struct's fields that contain an address. */
export const addressFields = oncePerPair(
  (crate: SolanaCrate, { item, module }: StructDefinition): ReadonlyArray<string> =>
    item.fields
      .filter(({ type }) => isAddressType(resolveType({ resolver: crate.project.resolver, module }, type)))
      .map(({ name }) => name),
)

/** Where each of them is among them. */
export const addressFieldPositions = oncePerPair(
  (crate: SolanaCrate, struct: StructDefinition): ReadonlyMap<string, number> =>
    new Map(addressFields(crate, struct).map((name, at) => [name, at] as const)),
)

/** The fields of an account's state; in native programs, the type that is read. */
export const storedKeys = (
  crate: SolanaCrate,
  account: Account,
  type: RustType | undefined = account.state,
): ReadonlyArray<string> => {
  const definition = type === undefined ? undefined : definitionOf(type)
  return definition?.kind === "struct" ? addressFields(crate, definition) : []
}

/** A condition with alternatives, on the address of a signer. */
interface Alternatives {
  readonly fact: Term
  readonly own: Term
}

/** What the signers of an instruction are compared with. */
interface Ties {
  /** Something that the caller cannot choose, whichever account is asked about. */
  readonly trusted: boolean
  readonly named: ReadonlySet<Term>
  /** By each of the terms in them. */
  readonly alternatives: ReadonlyMap<Term, ReadonlyArray<Alternatives>>
}

const signerTies = oncePer((instruction: Instruction): Ties => {
  const trusted: Ties = { trusted: true, named: new Set(), alternatives: new Map() }
  // Who signed elsewhere, or the one program that can call, decides instead.
  if (isSignedMessage(instruction) || isCalledByOther(instruction)) return trusted
  const named = new Set<Term>()
  const alternatives: Array<Alternatives> = []
  for (const signer of signersOf(instruction)) {
    const own = keyOf(instruction.walk.terms, signer.term)
    const names = (term: Term): boolean => mentions(term, (one) => one === own)
    // Only the program that owns a record can sign for it.
    if (signer.wrapper === "state" || signer.wrapper === "loader") return trusted
    // `record.assert_owner_or_delegate_is_signer(signer)?`, of a library.
    if (checksWhenDone(instruction, signer).some(({ kind, fact }) => kind === "call" && isTrusted(fact))) return trusted
    for (const fact of successAbout(instruction, own)) {
      if (fact.kind === "binary" && fact.operator === "!=") continue
      // The signer compared with the account's state, its address, another account's state, or a constant.
      if (fact.kind !== "binary") return trusted
      // `signer == state.admin || signer == OPERATOR`.
      if (fact.operator === "||") {
        if (isEitherOf(fact, own, () => false)) return trusted
        alternatives.push({ fact, own })
      }
      const other = names(fact.left) ? fact.right : fact.left
      if (names(fact.left) && names(fact.right)) continue
      if (["constant", "call", "field", "list"].includes(other.kind)) return trusted
      for (const one of everySubterm([other])) {
        if (one.kind === "call" && one.name === "state") return trusted
        named.add(one)
      }
    }
  }
  return { trusted: false, named, alternatives: indexBy(alternatives, ({ fact }) => everySubterm([fact])) }
})

/**
 * Whether a signer of the instruction is tied to something that the caller cannot choose: a constant, state, or an
 * address derived from it. Chains count: the signer's record, whose mint the pool stores.
 */
export const isAuthorized = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  const { trusted, named, alternatives } = signerTies(instruction)
  if (trusted || named.has(stateOf(terms, account.term)) || named.has(keyOf(terms, account.term))) return true
  if (alternatives.size === 0) return false
  // The caller says it, and the account is at an address derived from it: `signer == params.sender`.
  const seeds = new Set(
    checksWhenDone(instruction, account).flatMap(({ kind, against }) =>
      kind === "pda" && against !== undefined ? [...everySubterm([against])] : [],
    ),
  )
  const asked = new Set([...seeds].flatMap((seed) => alternatives.get(seed) ?? []))
  return [...asked].some(({ fact, own }) => isEitherOf(fact, own, (other) => seeds.has(other)))
}

const isEitherOf = (fact: Term, own: Term, isOwn: (other: Term) => boolean): boolean => {
  // `pool.admin == signer || pool.operators.contains(signer)`.
  if (fact.kind === "call")
    return /^(contains|any)$/.test(fact.name) && isTrusted(fact) && mentions(fact, (one) => one === own)
  if (fact.kind !== "binary") return false
  if (fact.operator === "||") return isEitherOf(fact.left, own, isOwn) && isEitherOf(fact.right, own, isOwn)
  if (fact.operator === "&&") return isEitherOf(fact.left, own, isOwn) || isEitherOf(fact.right, own, isOwn)
  const other = fact.left === own ? fact.right : fact.right === own ? fact.left : undefined
  return fact.operator === "==" && other !== undefined && (isTrusted(other) || isOwn(other))
}

const granted = new WeakMap<SolanaCrate, ReadonlySet<StructDefinition>>()

/** Records that only privileged accounts can create: those of operators. */
const grantedRecords = (crate: SolanaCrate): ReadonlySet<StructDefinition> => {
  const known = granted.get(crate)
  if (known !== undefined) return known
  // Authority to create them is determined without them: no record grants it to its own kind.
  granted.set(crate, new Set())
  const creators = new Map<StructDefinition, Array<Instruction>>()
  for (const instruction of crate.instructions)
    for (const { constraints, state } of instruction.accounts) {
      const struct = state === undefined ? undefined : definitionOf(state)
      if (struct?.kind !== "struct" || !(constraints?.init || constraints?.initIfNeeded || constraints?.zero)) continue
      const own = creators.get(struct) ?? []
      creators.set(struct, [...own, instruction])
    }
  const found = new Set(
    [...creators].flatMap(([struct, all]) => (all.every((one) => isPrivileged(crate, one)) ? [struct] : [])),
  )
  granted.set(crate, found)
  return found
}

/** Whether a signer is identified by a constant, or by the state of a singleton: an operator or administrator. */
export const isPrivileged = (crate: SolanaCrate, instruction: Instruction): boolean => {
  const { terms, success } = instruction.walk
  const singletons = singletonsOf(crate)
  const grants = grantedRecords(crate)
  const isOnly = (account: Account): boolean => {
    const struct = account.state === undefined ? undefined : definitionOf(account.state)
    return (
      isGlobal(instruction, account) || (struct?.kind === "struct" && (singletons.has(struct) || grants.has(struct)))
    )
  }
  const fixed = new Set(instruction.accounts.filter(isOnly).map(({ term }) => stateOf(terms, term)))
  // Without the optional ones, everyone else may call.
  const keys = new Set(signersOf(instruction).flatMap(({ term, optional }) => (optional ? [] : [keyOf(terms, term)])))
  const isKnown = (fact: Term): boolean => mentions(fact, (one) => one.kind === "constant" || fixed.has(one))
  /** `signer == seat.holder || signer == desk.admin`: others may do it as well. */
  const admitsOthers = (fact: Term, depth = 0): boolean =>
    fact.kind === "binary" &&
    (fact.operator === "||"
      ? depth < 8 && (admitsOthers(fact.left, depth + 1) || admitsOthers(fact.right, depth + 1))
      : fact.operator === "==" && (keys.has(fact.left) || keys.has(fact.right)) && !isKnown(fact))
  for (const fact of success)
    if (
      (fact.kind === "binary"
        ? fact.operator === "==" || (fact.operator === "||" && !admitsOthers(fact))
        : fact.kind === "call" && /^(contains|any)$/.test(fact.name)) &&
      mentions(fact, (one) => keys.has(one)) &&
      isKnown(fact) &&
      !mentions(fact, (one) => one.kind === "call" && one.name.endsWith("program_address"))
    )
      return true
  return false
}
