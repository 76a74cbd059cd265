import { oncePer, oncePerPair } from "../../oncePer.ts"
import { signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import type { Account, Cpi, Instruction, SolanaCrate } from "../program/model.ts"
import { accountAt, cpisOf } from "../questions/questions.ts"
import { isSigned, isSignedFor, roleOf } from "../questions/signedCpi.ts"
import { isTokenType, tiesOf } from "./ties.ts"

/** Slots, except those that do not identify the account. */
const slotsOf = (instruction: Instruction, account: Account): ReadonlyArray<string> =>
  tiesOf(instruction)
    .of(account)
    .filter(({ pins, struct, slot }) => pins && struct !== undefined && !slot.startsWith("seed"))
    .map(({ slot }) => slot)

/** Stored addresses that some instruction compares with a signer: `Vault.owner`. */
export const signersSlots = oncePer(
  (crate: SolanaCrate): ReadonlySet<string> =>
    new Set(
      crate.instructions.flatMap((instruction) =>
        signersOf(instruction).flatMap((one) =>
          tiesOf(instruction)
            .of(one)
            .map(({ slot }) => slot),
        ),
      ),
    ),
)

/** The types of records whose stored addresses some instruction compares with a signer. */
export const signersRecords = oncePer(
  (crate: SolanaCrate): ReadonlySet<string> =>
    new Set(
      [...signersSlots(crate)].flatMap((slot) => (/^\w+\./.test(slot) ? [slot.slice(0, slot.indexOf("."))] : [])),
    ),
)

/** Accounts on whose behalf the program signs, and owners of token accounts that never sign. */
const isOwnHere = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some((cpi) => isSigned(cpi) && roleOf(cpi, "authority") === account.term) ||
  (!signersOf(instruction).includes(account) &&
    instruction.accounts.some(
      (one) =>
        isTokenType(one) &&
        // Who is paid may be anybody.
        !cpisOf(instruction).some((cpi) => isSigned(cpi) && roleOf(cpi, "to") === one.term) &&
        tiesOf(instruction)
          .of(one)
          .some(({ slot, other }) => slot === "own owner" && other === account),
    ))

/** Stored addresses for which the program itself signs: `State.exchange_authority`. */
const ownSlots = oncePer((crate: SolanaCrate): ReadonlySet<string> => {
  const all = new Set<string>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts)
      if (isOwnHere(instruction, account)) for (const slot of slotsOf(instruction, account)) all.add(slot)
  for (const slot of signersSlots(crate)) all.delete(slot)
  return all
})

/** Accounts at addresses that the program signs for: nobody else can. */
export const ownAddresses = oncePerPair((crate: SolanaCrate, instruction: Instruction): ReadonlySet<Account> => {
  const slots = ownSlots(crate)
  const authorities = new Set(
    cpisOf(instruction).flatMap((cpi) => (isSignedFor(instruction, cpi) ? [roleOf(cpi, "authority")] : [])),
  )
  return new Set(
    instruction.accounts.filter(
      (account) => authorities.has(account.term) || slotsOf(instruction, account).some((slot) => slots.has(slot)),
    ),
  )
})

/**
 * Whether everything that moves belongs to the signer: others may receive something, and nothing is taken from them.
 */
export const onlyPaysIn = (instruction: Instruction, signer: Account): boolean => {
  const moving = cpisOf(instruction).filter(movesValue)
  return moving.length > 0 && moving.every((cpi) => takesFrom(instruction, cpi, signer))
}

const takesFrom = (instruction: Instruction, cpi: Cpi, signer: Account): boolean => {
  if (!isSigned(cpi) && roleOf(cpi, "authority") === signer.term) return true
  const from = roleOf(cpi, "from")
  const account = accountAt(instruction, from)
  return (
    account !== undefined &&
    tiesOf(instruction)
      .of(account)
      .some(({ slot, other }) => slot === "own owner" && other === signer)
  )
}

/** Whether the signer's own tokens are taken or burned in exchange. */
export const paysIn = (instruction: Instruction, signer: Account): boolean =>
  cpisOf(instruction).some((cpi) => movesValue(cpi) && takesFrom(instruction, cpi, signer))
