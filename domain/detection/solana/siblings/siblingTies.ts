import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isNamedHere, isNew, isWritten } from "../ties/freshness.ts"
import { linksOf } from "../ties/links.ts"
import { receivesRent, matters } from "../ties/mattering.ts"
import type { Missing } from "../ties/missingTie.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { onlyPaysIn, paysIn } from "../ties/parties.ts"
import { cpisOf, isMutating, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { roleOf } from "../questions/signedCpi.ts"
import { isGlobal } from "../questions/singleton.ts"
import { isAddressOfOther, isTied } from "../ties/tied.ts"
import { isFullyDetermined, isTokenType, lastName, type Tie, tiesOf, typeName } from "../ties/ties.ts"

export const isProgramLike = ({ wrapper, constraints }: Account): boolean =>
  wrapper === "program" || wrapper === "sysvar" || constraints?.executable === true

/** For accounts of one name and type, what their addresses are compared with in the instructions of a crate. */
interface Group {
  readonly members: Array<{
    readonly instruction: Instruction
    readonly account: Account
    readonly ties: ReadonlyArray<Tie>
  }>
}

export const groupsOf = (crate: SolanaCrate): ReadonlyMap<string, Group> => {
  const groups = new Map<string, Group>()
  for (const instruction of crate.instructions) {
    const ties = tiesOf(instruction)
    for (const account of instruction.accounts) {
      if (isProgramLike(account)) continue
      const struct = structOf(instruction, account)
      const key = `${lastName(account)} ${struct?.name ?? (isTokenType(account) ? typeName(account) : "")}`
      let group = groups.get(key)
      if (group === undefined) groups.set(key, (group = { members: [] }))
      group.members.push({ instruction, account, ties: ties.of(account) })
    }
  }
  return groups
}

/** Whether only another program inspects it, which may own it and knows what it should be. */
export const isHandedOn = (instruction: Instruction, account: Account): boolean =>
  (account.wrapper === "raw" || account.isForeign === true) &&
  usesOf(instruction, account).every(({ kind }) => kind === "cpi-account")

const holderOf = (instruction: Instruction, struct: StructDefinition, except: Account): Account | undefined =>
  instruction.accounts.find(
    (one) => one !== except && structOf(instruction, one) === struct && !isNew(instruction, one),
  )

/** The share of instructions that must compare it for the others to stand out. */
export const minSiblings = 2
export const minShare = 0.6

/** Whether it is paid with: the token program accepts no other mint than the receiver's. */
const paysFrom = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some((cpi) => movesValue(cpi) && roleOf(cpi, "from") === account.term)

/** Whether it is constrained in another way, or tied to something that is. */
const isIdentified = (instruction: Instruction, account: Account): boolean =>
  isFullyDetermined(instruction, account) ||
  (structOf(instruction, account) !== undefined &&
    tiesOf(instruction)
      .of(account)
      .some(({ pins }) => !pins))

/**
 * Whether it is a record of the program, all other records belong to it, and any account may sign: there is nothing here
 * that another's could be confused with.
 */
const standsAlone = (instruction: Instruction, account: Account): boolean => {
  if (!/^(state|loader)$/.test(account.wrapper)) return false
  const { belongTogether } = linksOf(instruction)
  return (
    signersOf(instruction).every((one) => tiesOf(instruction).of(one).length === 0) &&
    instruction.accounts.every(
      (one) =>
        one === account ||
        (structOf(instruction, one) === undefined && !isTokenType(one)) ||
        belongTogether(one, account),
    )
  )
}

/** Why an instruction may do without a tie that the others have: it is tied otherwise, or nothing happens to it. */
const isExplained = ({ instruction, account, holder, slot }: Missing): boolean => {
  if (holder === undefined ? isIdentified(instruction, account) : isTied(instruction, account, holder)) return true
  const path = slot.slice(slot.indexOf(".") + 1)
  if (holder !== undefined && !slot.startsWith("own ") && isAddressOfOther(instruction, account, holder, path))
    return true
  const signers = signersOf(instruction)
  if (!matters(instruction, account, holder, signers)) return true
  if (/^(seeds |=)/.test(slot) && isHandedOn(instruction, account)) return true
  if (slot.startsWith("seeds ") && standsAlone(instruction, account)) return true
  if (receivesRent(instruction, account, signers)) return true
  if (slot === "own mint" && paysFrom(instruction, account)) return true
  if (slot.startsWith("own ") && isNamedHere(instruction, account, slot)) return true
  return holder !== undefined && isWritten(instruction, holder, path, account)
}

/** Whether it is only the mint of transfers and burns: the token program compares it with that of the token accounts. */
const isComparedByTokens = (instruction: Instruction, account: Account): boolean => {
  const given = cpisOf(instruction).flatMap((cpi) =>
    cpi.accounts.flatMap(({ name, term }) => (term === account.term ? [{ name, cpi }] : [])),
  )
  const isMint = given.every(({ name, cpi }) => name === "mint" && roleOf(cpi, "from") !== undefined)
  return given.length > 0 && isMint && isHandedOn(instruction, account)
}

/** Why nobody would add the tie: it is there in another form, or whoever gives something away may be anyone. */
const isNeedless = ({ instruction, account, holder, slot, signs }: Missing): boolean =>
  (slot.startsWith("seeds ") &&
    tiesOf(instruction)
      .of(account)
      .some((tie) => tie.slot.startsWith("seeds "))) ||
  isComparedByTokens(instruction, account) ||
  (signs && onlyPaysIn(instruction, account)) ||
  (holder !== undefined && isGlobal(instruction, holder) && paysIn(instruction, account))

/** A missing tie, and whether something explains that it is missing. */
export interface Unlike extends Missing {
  readonly explained: boolean
}

/** Accounts that most other instructions of the program constrain, but this one does not. */
export const unlikeSiblings = oncePer((crate: SolanaCrate): ReadonlyArray<Unlike> => {
  const found: Array<Unlike> = []
  for (const { members } of groupsOf(crate).values()) {
    if (members.length <= minSiblings) continue
    const bySlot = new Map<string, { tie: Tie; instructions: Set<Instruction> }>()
    for (const { instruction, ties } of members)
      for (const tie of ties) {
        // If several accounts may act for it, this one need not.
        if (tie.either) continue
        const known = bySlot.get(tie.slot)
        if (known === undefined) bySlot.set(tie.slot, { tie, instructions: new Set([instruction]) })
        else known.instructions.add(instruction)
      }
    for (const [slot, { tie, instructions }] of bySlot) {
      if (instructions.size < minSiblings || slot.includes("[]") || slot.startsWith("seed of ")) continue
      const isPath = slot.includes(".") && !slot.startsWith("own ")
      if (isPath && tie.struct === undefined) continue
      // If another party may act, such as a liquidator or administrator, the owner of the record is a different matter.
      if (!tie.pins && tie.struct === undefined) continue
      const could = members.filter(
        ({ instruction, account }) =>
          instructions.has(instruction) ||
          (!isNew(instruction, account) &&
            (tie.struct === undefined || holderOf(instruction, tie.struct, account) !== undefined)),
      )
      if (instructions.size < minShare * could.length) continue
      const siblings = [...instructions]
      for (const { instruction, account } of could) {
        if (instructions.has(instruction)) continue
        const missing: Missing = {
          instruction,
          account,
          holder: tie.struct === undefined ? undefined : holderOf(instruction, tie.struct, account),
          slot,
          siblings,
          signs: signersOf(instruction).includes(account),
        }
        if (isNeedless(missing)) continue
        found.push({ ...missing, explained: !isMutating(instruction) || isExplained(missing) })
      }
    }
  }
  return found
})

/** The missing ties that nothing explains. */
export const againstSiblings = (crate: SolanaCrate): ReadonlyArray<Missing> =>
  unlikeSiblings(crate).filter(({ explained }) => !explained)
