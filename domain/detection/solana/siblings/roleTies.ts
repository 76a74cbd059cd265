import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { structOf } from "../authority/relations.ts"
import { partner } from "../payments/chosenPayees.ts"
import type { Account, Cpi, Instruction, SolanaCrate } from "../program/model.ts"
import { accountAt, cpisOf } from "../questions/questions.ts"
import { keyOf } from "../program/semantics.ts"
import { isSigned, roleOf } from "../questions/signedCpi.ts"
import { isNew } from "../ties/freshness.ts"
import type { Missing } from "../ties/missingTie.ts"
import { isTied } from "../ties/tied.ts"
import { isFullyDetermined, lastName, tiesOf } from "../ties/ties.ts"

/** The share of accounts in a role that must belong to a record for the others to stand out: a role is weaker evidence than a name. */
const minShare = 0.75

/** The role of what a program mints in its own name. */
export const minted = "that they mint"

const roleIn = (cpi: Cpi): readonly [role: string, account: Term | undefined] => {
  const mint = cpi.accounts.find(({ name }) => name === "mint")?.term
  if (/burn/i.test(cpi.instruction)) return ["that they burn", mint]
  if (/mint_?to/i.test(cpi.instruction) && isSigned(cpi)) return [minted, mint]
  return isSigned(cpi) ? ["that they pay from", roleOf(cpi, "from")] : ["that callers pay to", roleOf(cpi, "to")]
}

/** The accounts that decide what a movement of tokens is worth to the program, and how they do. */
const rolesIn = (instruction: Instruction): ReadonlyArray<readonly [account: Account, role: string]> =>
  cpisOf(instruction).flatMap((cpi) => {
    // Whoever closes an account of their own chooses who receives its rent.
    if (/close/i.test(cpi.instruction) && !isSigned(cpi)) return []
    const [role, term] = roleIn(cpi)
    const account = accountAt(instruction, term)
    return account === undefined || partner.test(lastName(account)) ? [] : [[account, role] as const]
  })

/** An account in a role, beside records of one kind. */
interface Member {
  readonly instruction: Instruction
  readonly account: Account
  readonly holder: Account
  readonly isKnown: boolean
}

const seedsOf = oncePer((instruction: Instruction): ReadonlySet<Term> =>
  everySubterm(cpisOf(instruction).flatMap(({ signerSeeds }) => signerSeeds ?? [])),
)

/** Whether the signing address is derived from the record's: it has no say over accounts of other records. */
const isSignedBy = (instruction: Instruction, holder: Account): boolean =>
  seedsOf(instruction).has(keyOf(instruction.walk.terms, holder.term))

const memberOf = (instruction: Instruction, account: Account, holders: ReadonlyArray<Account>): Member => ({
  instruction,
  account,
  holder: holders[0]!,
  isKnown:
    // What a signer pays is their own.
    signersOf(instruction).includes(account) ||
    isFullyDetermined(instruction, account) ||
    tiesOf(instruction).isAsked(account) ||
    // The caller's own, which the program may spend from.
    tiesOf(instruction)
      .of(account)
      .some(({ other }) => other !== undefined && signersOf(instruction).includes(other)) ||
    holders.some((holder) => isTied(instruction, account, holder) || isSignedBy(instruction, holder)),
})

/** The accounts in each role beside records of each kind. */
const membersOf = (crate: SolanaCrate): ReadonlyMap<StructDefinition, ReadonlyMap<string, ReadonlyArray<Member>>> => {
  const found = new Map<StructDefinition, Map<string, Array<Member>>>()
  for (const instruction of crate.instructions) {
    const accounts = new Map(rolesIn(instruction).filter(([one]) => !isNew(instruction, one)))
    const records = instruction.accounts.filter((one) => !isNew(instruction, one))
    for (const [struct, holders] of Map.groupBy(records, (one) => structOf(instruction, one))) {
      if (struct === undefined) continue
      const roles = found.get(struct) ?? new Map<string, Array<Member>>()
      found.set(struct, roles)
      for (const [account, role] of accounts) {
        const members = roles.get(role) ?? []
        roles.set(role, members)
        members.push(memberOf(instruction, account, holders))
      }
    }
  }
  return found
}

/** Accounts that nothing identifies, in a role that is otherwise only given to accounts that something identifies. */
export const againstRoles = (crate: SolanaCrate): ReadonlyArray<Missing> =>
  [...membersOf(crate)].flatMap(([struct, roles]) =>
    [...roles].flatMap(([role, members]): ReadonlyArray<Missing> => {
      const known = members.filter(({ isKnown }) => isKnown)
      const siblings = [...new Set(known.map(({ instruction }) => instruction))]
      if (known.length < minShare * members.length) return []
      return members.flatMap(({ instruction, account, holder, isKnown }) =>
        isKnown ? [] : [{ instruction, account, holder, slot: struct.name, siblings, role, signs: false }],
      )
    }),
  )
