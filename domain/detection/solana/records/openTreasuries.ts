import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { looksIn } from "../questions/introspection.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import { accountAt, cpisOf, isFromCaller } from "../questions/questions.ts"
import { flattenSeeds, isSignedFor, roleOf } from "../questions/signedCpi.ts"
import { isFullyDetermined, isTokenType, tiesOf } from "../ties/ties.ts"

/** Whether more than token accounts determines it: a token account names whoever passed it. */
const isKnown = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction).isAsked(account) ||
  tiesOf(instruction)
    .of(account)
    .some(({ other }) => other === undefined || !isTokenType(other))

/** Whether something determines where the payment goes: what the receiver is, or who owns it. */
const isKnownReceiver = (instruction: Instruction, to: Term | undefined): boolean => {
  const account = accountAt(instruction, to)
  if (account === undefined || tiesOf(instruction).isAsked(account) || isFullyDetermined(instruction, account))
    return true
  return tiesOf(instruction)
    .of(account)
    .some(({ slot, other }) => slot === "own owner" && other !== undefined && isKnown(instruction, other))
}

/** Burns name a mint: without one, the accounts were taken for those of another call, and whose they are is unknown. */
const isUnclear = ({ instruction, accounts }: Cpi): boolean =>
  /(^|::)burn(_checked)?$/.test(instruction) && !accounts.some(({ name }) => name === "mint")

/** Whether the program, as a delegate, takes something from a signer's account: a price for what it pays. */
const isBought = (instruction: Instruction, cpi: Cpi): boolean => {
  const from = accountAt(instruction, roleOf(cpi, "from"))
  return (
    from !== undefined &&
    tiesOf(instruction)
      .of(from)
      .some(({ slot, other }) => slot === "own owner" && other !== undefined && signersOf(instruction).includes(other))
  )
}

/** Whether anything records afterwards that it was paid. */
const isRemembered = (instruction: Instruction): boolean => instruction.events.some((event) => event.kind === "assign")

/** Whether the address that signs is one for everybody. */
const isEverybodys = ({ signerSeeds }: Cpi): boolean =>
  signerSeeds !== undefined &&
  flattenSeeds(signerSeeds)
    .slice(0, -1)
    .every(({ kind }) => kind === "literal" || kind === "constant")

/** Whether it is more than a fixed amount, which a faucet gives to everybody. */
const isOpenAmount = (instruction: Instruction, amount: Term | undefined): boolean =>
  amount !== undefined &&
  (isFromCaller(instruction, amount) || mentions(amount, (one) => one.kind === "call" && one.name === "state"))

/**
 * Who can empty what the program holds for everybody? If no signer is known, nothing is given or remembered, and the
 * caller says where it goes, anyone can.
 */
export const openTreasuries = (instruction: Instruction): ReadonlyArray<Cpi> => {
  const moves = cpisOf(instruction).filter(movesValue)
  const signed = moves.filter((cpi) => isSignedFor(instruction, cpi))
  if (signed.length < moves.length || isRemembered(instruction)) return []
  // A later instruction of the transaction may pay it back.
  if (looksIn(instruction).length > 0) return []
  if (signersOf(instruction).some((one) => isKnown(instruction, one))) return []
  if (signed.some((cpi) => isUnclear(cpi) || isBought(instruction, cpi))) return []
  return signed.filter(
    (cpi) =>
      isEverybodys(cpi) &&
      roleOf(cpi, "from") !== undefined &&
      isOpenAmount(instruction, amountOf(cpi)) &&
      !isKnownReceiver(instruction, roleOf(cpi, "to")),
  )
}
