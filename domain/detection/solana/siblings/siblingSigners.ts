import { signersOf } from "../authority/authorization.ts"
import { isNew } from "../ties/freshness.ts"
import type { Missing } from "../ties/missingTie.ts"
import type { SolanaCrate } from "../program/model.ts"
import { isPaid } from "../payments/payees.ts"
import { isMutating, usesOf } from "../questions/questions.ts"
import { groupsOf, minShare, minSiblings } from "./siblingTies.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { isAnchored, tiesOf } from "../ties/ties.ts"

/** Accounts that sign in the program's other instructions and are identified here, but not required to sign. */
export const againstSigners = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  const found: Array<Missing> = []
  for (const { members } of groupsOf(crate).values()) {
    const signing = members.filter(({ instruction, account }) => signersOf(instruction).includes(account))
    if (signing.length < minSiblings || signing.length < minShare * members.length) continue
    for (const { instruction, account, ties } of members) {
      const signers = signersOf(instruction)
      if (signers.includes(account) || !isMutating(instruction) || isNew(instruction, account)) continue
      const isAuthority =
        ties.some(({ struct, pins, slot }) => struct !== undefined && pins && !slot.startsWith("seed of ")) ||
        tiesOf(instruction).isAsked(account)
      if (!isAuthority && instruction.kind === "anchor") continue
      // Whether something is created or enlarged for it, and paid for by another account.
      if (instruction.accounts.some((one) => isNew(instruction, one) || one.constraints?.realloc !== undefined))
        continue
      // The called program requires the signatures that it needs.
      if (usesOf(instruction, account).some(({ kind }) => kind === "cpi-account")) continue
      if (isPaid(instruction, account) || signers.some((one) => isAnchored(instruction, one))) continue
      if (signers.some((one) => tiesOf(instruction).isAsked(one))) continue
      if (signers.length > 0 && isUpkeep(instruction)) continue
      found.push({
        instruction,
        account,
        holder: undefined,
        slot: "signature",
        siblings: signing.map((one) => one.instruction),
        signs: true,
      })
    }
  }
  return found
}
