import { mentions } from "../../rust/terms/terms.ts"
import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import { isNew, isWritten, placeIn } from "../ties/freshness.ts"
import { isImplied } from "../authority/implied.ts"
import { linksOf } from "../ties/links.ts"
import { isBetween, receivesRent, matters, signsForOther } from "../ties/mattering.ts"
import type { Missing } from "../ties/missingTie.ts"
import type { Account, Cpi, Instruction, SolanaCrate } from "../program/model.ts"
import { isOneOfSeveral } from "../payments/ownPurses.ts"
import { onlyPaysIn, signersSlots } from "../ties/parties.ts"
import { comparedAs } from "../questions/comparisons.ts"
import { checksWhenDone, cpisOf, isMutating, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { accountOfState, isOwnProgramId, stateOf } from "../program/semantics.ts"
import { roleOf } from "../questions/signedCpi.ts"
import { isHandedOn, isProgramLike } from "./siblingTies.ts"
import { plainName, snake, storedNames } from "./storedNames.ts"
import { isAddressOfOther, isTied } from "../ties/tied.ts"
import { isFullyDetermined, isTokenType, lastName, tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** What accounts of one name store, if the instructions that read them agree. */
const recordTypesOf = oncePer((crate: SolanaCrate): ReadonlyMap<string, StructDefinition | undefined> => {
  const found = new Map<string, StructDefinition | undefined>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts) {
      const struct = structOf(instruction, account)
      const name = lastName(account)
      if (struct !== undefined) found.set(name, found.has(name) && found.get(name) !== struct ? undefined : struct)
    }
  return found
})

/** What an account stores: a native program that checks only its owner reads it elsewhere. */
const recordOf = (crate: SolanaCrate, instruction: Instruction, account: Account): StructDefinition | undefined => {
  const struct = structOf(instruction, account)
  if (struct !== undefined || instruction.kind !== "native") return struct
  const isOwn = checksWhenDone(instruction, account).some(
    ({ kind, against }) => kind === "owner" && against !== undefined && isOwnProgramId(against),
  )
  return isOwn ? recordTypesOf(crate).get(lastName(account)) : undefined
}

/** The composite that an account is declared in: `deposit.` of `deposit.vault`. */
const groupOf = ({ name }: Account): string => name.slice(0, name.lastIndexOf(".") + 1)

/** The accounts of an instruction by their plain names, and by what they store: a `PoolState` is a `pool`. */
interface Named {
  readonly names: ReadonlyMap<string, ReadonlyArray<Account>>
  readonly kinds: ReadonlyMap<string, ReadonlyArray<Account>>
}

const namedIn = (instruction: Instruction): Named => ({
  names: Map.groupBy(instruction.accounts, (one) => plainName(lastName(one))),
  kinds: Map.groupBy(instruction.accounts, (one) =>
    snake(structOf(instruction, one)?.name ?? "").replace(/_(state|account|data|info|record)$/, ""),
  ),
})

/** `a.` of `a.b.`. */
const groupAround = (group: string): string => group.slice(0, group.lastIndexOf(".", group.length - 2) + 1)

/** The part of the name after the type, anywhere in the name of another account: `vault_two_x` beside `pool_two`. */
const qualifiedBehind = (own: string, struct: StructDefinition, name: string): ReadonlyArray<string> => {
  const ofType = new Set(snake(struct.name).split("_"))
  const [first, ...rest] = own.split("_")
  const qualifier = rest.filter((one) => !ofType.has(one))
  if (!ofType.has(first!) || qualifier.length === 0) return []
  const words = name.split("_")
  return [...words, ""].map((_, index) => [...words.slice(0, index), ...qualifier, ...words.slice(index)].join("_"))
}

/**
 * The account that a record means by a name: the one with the record's own name (`pool_vault` beside `pool`) or
 * qualifier (`source_vault` beside `source_pool`, `vault_to` beside `pool_to`), or else the plain one; in the same
 * composite, or else in one around it. If none has the name, the only one of that kind.
 */
const meantBy = (
  { names: named, kinds }: Named,
  holder: Account,
  struct: StructDefinition,
  name: string,
): Account | undefined => {
  const own = lastName(holder)
  // What the name adds to the type: `target` of `target_line`, but nothing of `rebate_manager: RebateManager`.
  const before = own.endsWith(snake(struct.name))
    ? own.slice(0, -snake(struct.name).length)
    : own.slice(0, own.lastIndexOf("_") + 1)
  const qualifiers = before.split("_").filter((one) => one !== "")
  const names = [
    `${own}_${name}`,
    ...qualifiers.map((_, index) => [...qualifiers.slice(0, qualifiers.length - index), name].join("_")),
    ...qualifiedBehind(own, struct, name),
  ]
  for (const one of [...names, name]) {
    const found = (named.get(one) ?? []).filter((account) => account !== holder)
    for (let group = groupOf(holder); ; group = groupAround(group)) {
      const near = found.find((account) => groupOf(account) === group)
      if (near !== undefined) return near
      if (group === "") break
    }
    if (found.length === 1) return found[0]
  }
  const [only, ...others] = (kinds.get(name) ?? []).filter((account) => account !== holder)
  return others.length === 0 ? only : undefined
}

/** `treasury_ata`, `treasury_token_account`: what should belong to whoever is stored as the `treasury`, but may not. */
const tokensOf = (instruction: Instruction, { names }: Named, name: string): Account | undefined =>
  [`${name}_ata`, `${name}_token`]
    .flatMap((one) => names.get(one) ?? [])
    .find(
      (one) =>
        isTokenType(one) &&
        !tiesOf(instruction)
          .of(one)
          .some(({ slot }) => slot === "own owner"),
    )

/** The records of each kind that belong together with an account. */
const recordsWith = oncePerPair((instruction: Instruction, account: Account) => {
  const { belongTogether } = linksOf(instruction)
  return oncePer((struct: StructDefinition): ReadonlyArray<Account> =>
    instruction.accounts.filter((one) => structOf(instruction, one) === struct && belongTogether(one, account)),
  )
})

/**
 * Whether the record means another account of that name, such as the owner in another composite, or another record of
 * its kind means this one: the source's mint need not be the target's. What both belong to is a record.
 */
const isOfAnother = (instruction: Instruction, account: Account, holder: Account, named: Named): boolean => {
  const { belongTogether } = linksOf(instruction)
  const struct = structOf(instruction, holder)
  return (
    (named.names.get(plainName(lastName(account))) ?? []).some(
      (one) => one !== account && belongTogether(one, holder),
    ) ||
    (struct !== undefined &&
      structOf(instruction, account) === undefined &&
      recordsWith(instruction, account)(struct).some((one) => one !== holder))
  )
}

/**
 * Whether it is nobody's record or money, and another record says who it is: it has to do with this one only as far as
 * that one has.
 */
const isKnownOtherwise = (instruction: Instruction, account: Account): boolean =>
  structOf(instruction, account) === undefined && !isTokenType(account) && isFullyDetermined(instruction, account)

/** Whether what the account holds is written down: `pool.supply = mint.supply`. */
const isKept = ({ events, walk: { terms } }: Instruction, { term }: Account): boolean => {
  const state = stateOf(terms, term)
  return ofKind(events, "assign").some((event) => mentions(event.value.term, (one) => one === state))
}

/**
 * Whether it is a mint that the token program itself compares with that of an account of the holder's, on every path if
 * anything else depends on it.
 */
const isMintOfMoved = (instruction: Instruction, account: Account, holder: Account): boolean => {
  const { belongTogether } = linksOf(instruction)
  const cpis = cpisOf(instruction).filter(({ accounts }) => accounts.some(({ term }) => term === account.term))
  const { success, terms } = instruction.walk
  const alwaysSucceeds = ({ event }: Cpi): boolean => success.has(terms.succeeded(event.result.term))
  return (
    cpis.length > 0 &&
    usesOf(instruction, account).every(({ kind }) => /^(cpi-account|deserialize|data-read|state-read)$/.test(kind)) &&
    (!isKept(instruction, account) || cpis.some(alwaysSucceeds)) &&
    cpis.every(
      (cpi) =>
        cpi.accounts.some(({ name, term }) => name === "mint" && term === account.term) &&
        instruction.accounts.some(
          (one) => (one.term === roleOf(cpi, "from") || one.term === roleOf(cpi, "to")) && belongTogether(one, holder),
        ),
    )
  )
}

/** Whether the address is that of a token account's mint or owner, rather than its own. */
const isWhatItHolds = (instruction: Instruction, account: Account, holder: Account, path: string): boolean =>
  isTokenType(account) &&
  comparedAs(instruction, placeIn(instruction, holder, path)).some(
    ({ operator, left, right }) =>
      operator === "==" && [left, right].some((side) => accountOfState(side) === account.term),
  )

/** Accounts with the name under which another account of the instruction stores an address. */
export const againstNames = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  const found: Array<Missing> = []
  for (const instruction of crate.instructions) {
    if (!isMutating(instruction)) continue
    const signers = signersOf(instruction)
    const named = namedIn(instruction)
    for (const holder of instruction.accounts) {
      const struct = recordOf(crate, instruction, holder)
      const isRead = structOf(instruction, holder) !== undefined
      // An account that is neither read nor written exists already, even if others are created.
      const isFresh = isRead ? isNew : isCreated
      if (struct === undefined || isFresh(instruction, holder)) continue
      for (const [name, path] of storedNames(crate, struct)) {
        const account =
          meantBy(named, holder, struct, name) ??
          (signersSlots(crate).has(`${struct.name}.${path}`)
            ? signers.find((one) => plainName(lastName(one)).endsWith(`_${name}`) && !signsForOther(instruction, one))
            : undefined) ??
          tokensOf(instruction, named, name)
        if (account === undefined || account === holder || isProgramLike(account)) continue
        const signs = signers.includes(account)
        if ((isRead || !signs) && isFresh(instruction, account)) continue
        if (isTied(instruction, account, holder)) continue
        if (isAddressOfOther(instruction, account, holder, path) || isOfAnother(instruction, account, holder, named))
          continue
        if (isKnownOtherwise(instruction, account)) continue
        const slot = `${struct.name}.${path}`
        if (!matters(instruction, account, holder, signers) && !isBetween(instruction, account, holder, signers))
          if (!isOneOfSeveral(crate, instruction, account, holder, slot)) continue
        if (isWritten(instruction, holder, path, account)) continue
        if (isWhatItHolds(instruction, account, holder, path)) continue
        if (isImplied(instruction, account, placeIn(instruction, holder, path))) continue
        if (isMintOfMoved(instruction, account, holder)) continue
        // Only the program that receives both knows what its record means.
        if (holder.isForeign === true && usesOf(instruction, account).length > 0 && isHandedOn(instruction, account))
          continue
        if (signs && onlyPaysIn(instruction, account)) continue
        if (receivesRent(instruction, account, signers)) continue
        found.push({ instruction, account, holder, slot, siblings: [], signs })
      }
    }
  }
  return found
}
