import { oncePer } from "../../oncePer.ts"
import { signersOf } from "../authority/authorization.ts"
import { isNew } from "../ties/freshness.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import type { Missing } from "../ties/missingTie.ts"
import { isPaid } from "../payments/payees.ts"
import { isMutating, usesOf } from "../questions/questions.ts"
import { groupsOf, minShare, type Unlike } from "./siblingTies.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { isAnchored, type Tie, tiesOf } from "../ties/ties.ts"

/** Why somebody need not sign who does elsewhere: somebody else is asked, or the called program asks. */
const isExplained = (instruction: Instruction, account: Account, ties: ReadonlyArray<Tie>): boolean => {
  const isAuthority =
    ties.some(({ struct, pins, slot }) => struct !== undefined && pins && !slot.startsWith("seed of ")) ||
    tiesOf(instruction).isAsked(account)
  if (!isAuthority && instruction.kind === "anchor") return true
  // Whether something is created or enlarged for it, and paid for by another account.
  if (instruction.accounts.some((one) => isNew(instruction, one) || one.constraints?.realloc !== undefined)) return true
  // The called program requires the signatures that it needs.
  if (usesOf(instruction, account).some(({ kind }) => kind === "cpi-account")) return true
  return isPaid(instruction, account) || (signersOf(instruction).length > 0 && isUpkeep(instruction))
}

/** Whether somebody else is asked whom a record of the program knows. */
const isAnotherAsked = (instruction: Instruction): boolean =>
  signersOf(instruction).some((one) => isAnchored(instruction, one) || tiesOf(instruction).isAsked(one))

/** Accounts that sign in most other instructions of the program, but not here. */
export const unlikeSigners = oncePer((crate: SolanaCrate): ReadonlyArray<Unlike> => {
  const found: Array<Unlike> = []
  for (const { members } of groupsOf(crate).values()) {
    const signing = members.filter(({ instruction, account }) => signersOf(instruction).includes(account))
    // A single signer is never most of them: the account that does not sign counts as well.
    if (signing.length < minShare * members.length) continue
    const siblings = signing.map((one) => one.instruction)
    for (const { instruction, account, ties } of members) {
      if (signersOf(instruction).includes(account) || !isMutating(instruction) || isNew(instruction, account)) continue
      if (isAnotherAsked(instruction)) continue
      const explained = isExplained(instruction, account, ties)
      found.push({ instruction, account, holder: undefined, slot: "signature", siblings, signs: true, explained })
    }
  }
  return found
})

/** The accounts among them that are identified here and whose missing signature nothing explains. */
export const againstSigners = (crate: SolanaCrate): ReadonlyArray<Missing> =>
  unlikeSigners(crate).filter(({ explained }) => !explained)
