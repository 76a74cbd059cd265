import { mentions } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import { isPinned } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksAround, checksWhenDone, cpisOf, isFromCaller, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { isOwnProgramId, keyOf } from "../program/semantics.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isDue, isUpkeep, paysOut } from "../payments/stakes.ts"
import { linksOf } from "../ties/links.ts"
import { isTokenType, mustHold, tiesOf } from "../ties/ties.ts"

/**
 * Whether it owns the token that stands for a record: whoever holds the token of a position, a ticket or a name decides
 * about it, and what is done here is more than bringing the record up to date.
 */
export const holdsTokenOfRecord = (instruction: Instruction, account: Account): boolean => {
  if (isUpkeep(instruction) || (instruction.arguments.length === 0 && !paysOut(instruction))) return false
  const ties = tiesOf(instruction)
  const { determinedBy, isFixed } = linksOf(instruction)
  const records = instruction.accounts.filter(
    (one) =>
      structOf(instruction, one) !== undefined &&
      one.constraints?.init !== true &&
      usesOf(instruction, one).some(({ kind }) => kind === "state-write" || kind === "cpi-account"),
  )
  return instruction.accounts.some((token) => {
    if (!isTokenType(token) || !mustHold(instruction, token)) return false
    const own = ties.of(token)
    return (
      own.some(({ slot, other }) => slot === "own owner" && other === account) &&
      own.some(
        ({ slot, other }) =>
          slot === "own mint" &&
          other !== undefined &&
          !isFixed(other) &&
          records.some((one) => one === other || determinedBy(one).has(other)),
      )
    )
  })
}

/**
 * Whether the program signs in its name: for an address made from this one's, a call of which the caller says what is
 * done, or who receives something.
 */
export const isSignedInItsName = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  // Whatever else is done with it says what it is, and whoever pays in makes an exchange.
  if (usesOf(instruction, account).length > 0) return false
  if (cpisOf(instruction).some((cpi) => movesValue(cpi) && !isSignedFor(instruction, cpi))) return false
  const isChosen = (term: Account): boolean =>
    term.constraints?.mutable === true && term.wrapper === "raw" && !isPinned(checksWhenDone(instruction, term))
  return signedCpisOf(instruction).some(
    (cpi) =>
      mentions(cpi.signerSeeds, (one) => one === key) &&
      (cpi.args.some((one) => isFromCaller(instruction, one)) ||
        instruction.accounts.some((one) => isChosen(one) && cpi.accounts.some(({ term }) => term === one.term))),
  )
}

/** Whether the program pays what it signs for to an account of which nothing is known. */
export const paysAnyone = (instruction: Instruction): boolean =>
  signedCpisOf(instruction).some((cpi) => {
    const to = movesValue(cpi) ? roleOf(cpi, "to") : undefined
    return to !== undefined && !isPinned(checksAround(cpi.event, { term: to }))
  })

/**
 * Whether it is at an address of another program, which alone can sign for it, and nothing else is done with it: it can
 * only be there to show that the other program is the caller.
 */
export const standsForProgram = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.seedsProgram !== undefined &&
  !isDue(instruction) &&
  usesOf(instruction, account).length === 0 &&
  checksWhenDone(instruction, account).every(
    ({ kind, against }) => kind === "pda" && against !== undefined && !mentions(against, (one) => isOwnProgramId(one)),
  ) &&
  tiesOf(instruction)
    .of(account)
    .every(({ slot }) => slot.startsWith("seeds "))
