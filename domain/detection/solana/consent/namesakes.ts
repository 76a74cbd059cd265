import { mentions } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import { isPinned } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksAround, cpisOf, isFromCaller, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf } from "../program/semantics.ts"
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
          records.some((one) => determinedBy(one).has(other)),
      )
    )
  })
}

/**
 * Whether the program signs in its name: for an address made from this one's, a call of which the caller says what is
 * done.
 */
export const isSignedInItsName = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  // An account that pays in takes part in an exchange.
  if (cpisOf(instruction).some((cpi) => movesValue(cpi) && !isSignedFor(instruction, cpi))) return false
  return signedCpisOf(instruction).some(
    (cpi) => mentions(cpi.signerSeeds, (one) => one === key) && cpi.args.some((one) => isFromCaller(instruction, one)),
  )
}

/** Whether the program pays what it signs for to an account about which nothing is known. */
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
  account.constraints?.seedsProgram !== undefined && !isDue(instruction) && usesOf(instruction, account).length === 0
