import { mentions } from "../../rust/terms/terms.ts"
import { comparedWith } from "../questions/comparisons.ts"
import { placeIn } from "./freshness.ts"
import { linksOf } from "./links.ts"
import type { Account, Instruction } from "../program/model.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { checksWhenDone } from "../questions/questions.ts"
import { lastName, tiesOf } from "./ties.ts"

/** Whether they are compared on some path, or to decide which path is taken. */
const isWeighed = (instruction: Instruction, account: Account, holder: Account): boolean => {
  const { terms } = instruction.walk
  const key = keyOf(terms, account.term)
  const state = stateOf(terms, holder.term)
  return comparedWith(instruction, state).some((one) =>
    // The sum of amounts of both does not identify either account.
    [one.left, one.right].some((side) => side === account.term || mentions(side, (part) => part === key)),
  )
}

/** Whether it is a record of another program, which keeps one for each mint, of what the holder determines. */
const isOneForEach = (instruction: Instruction, account: Account, holder: Account): boolean => {
  const { determinedBy } = linksOf(instruction)
  const own = determinedBy(holder)
  return account.isForeign === true && [...determinedBy(account)].some((one) => own.has(one))
}

/** Whether it is at a constant address on the paths that take it at all. */
const isFixedWhereTaken = (instruction: Instruction, account: Account): boolean =>
  account.taken !== undefined &&
  checksWhenDone(instruction, account).some(({ kind, against }) => kind === "key" && against?.kind === "constant")

/** Whether the two cannot be exchanged for another's without the other. */
export const isTied = (instruction: Instruction, account: Account, holder: Account): boolean => {
  const links = linksOf(instruction)
  return (
    links.isFixed(account) ||
    isFixedWhereTaken(instruction, account) ||
    links.belongTogether(account, holder) ||
    isOneForEach(instruction, account, holder) ||
    tiesOf(instruction).isAskedWith(account, holder) ||
    isWeighed(instruction, account, holder)
  )
}

/** Whether it pays the rent of what is created here: whoever paid for the record is somebody else. */
export const paysForNew = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    ({ constraints }) =>
      constraints?.payer?.kind === "path" && constraints.payer.path.segments.at(-1)?.name === lastName(account),
  )

/** Whether the address that a record stores is known to be that of another account: it is not this one that is meant. */
export const isAddressOfOther = (
  instruction: Instruction,
  account: Account,
  holder: Account,
  path: string,
): boolean => {
  const { atAddress, surelyAt } = linksOf(instruction)
  const place = placeIn(instruction, holder, path)
  return (paysForNew(instruction, account) ? atAddress(place) : surelyAt(place)).some((one) => one !== account)
}
