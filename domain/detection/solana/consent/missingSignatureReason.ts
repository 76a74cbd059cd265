import { mentions } from "../../rust/terms/terms.ts"
import type { Account, AccountCheck, Instruction, SolanaCrate } from "../program/model.ts"
import { isBeneficiary, isPaid, isPathTo, isServed, payeeSlots } from "../payments/payees.ts"
import { followsOwn, isCalledByOther } from "../questions/introspection.ts"
import { ownAddresses, signersSlots } from "../ties/parties.ts"
import {
  checksAround,
  checksSomewhere,
  checksWhenDone,
  cpisOf,
  isMutating,
  isTrusted,
  usesOf,
} from "../questions/questions.ts"
import { accountOfState } from "../program/semantics.ts"
import { askedToSign } from "../questions/signatures.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { isAnchored, tiesOf } from "../ties/ties.ts"
import { isActedOn, takesEffectWithoutCall, signersIn, signsForCpi } from "./signers.ts"
import { authority, party, lastPart, thing } from "./names.ts"
import { servesAsIdentity, isRecordedOnly } from "./identityOnly.ts"
import { isMember, isListed } from "./lists.ts"
import { isOwnState, isForeign } from "./storedKeys.ts"
import {
  namesPayer,
  emptiesRecord,
  setsRecord,
  isOpenedElsewhere,
  isOpenedFor,
  isSeed,
  isVouchedFor,
} from "./recordsOf.ts"
import { isLetThrough, takesLeftovers } from "./openPaths.ts"
import { holdsTokenOfRecord, isSignedInItsName, paysAnyone, standsForProgram } from "./namesakes.ts"
import { isAskedElsewhere } from "./siblings.ts"
import { isSettledByTime } from "./settledByTime.ts"
import { isDataAccount, signsElsewhere } from "./dataAccounts.ts"
import { ofKind } from "../../rust/terms/events.ts"

const isUnchecked = ({ wrapper }: Account): boolean => wrapper === "raw" || wrapper === "system"

/** Whether it is a program that is called, or that is to own something: it cannot sign. */
const isProgram = (instruction: Instruction, account: Account): boolean =>
  instruction.kind === "native" &&
  (/program(_id)?$/.test(lastPart(account.name)) ||
    usesOf(instruction, account).some(({ kind }) => kind === "cpi-program"))

/** Whether it is required at a fixed address that must sign in another instruction, and is only passed here. */
const signsUnderItsAddress = (crate: SolanaCrate, instruction: Instruction, account: Account): boolean =>
  isMutating(instruction) &&
  servesAsIdentity(instruction, account) &&
  tiesOf(instruction)
    .of(account)
    .some(({ slot, other }) => other === undefined && signersSlots(crate).has(slot))

/** Whether a constant of the program says which account it is. */
const hasFixedKey = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction)
    .of(account)
    .some(({ slot, other }) => other === undefined && slot.startsWith("="))

const prescribed = "named as an authority and identified by a constant"

/** Whether each change of a record is for one that is compared: `match params { Add => { require!(is_admin); … } … }`. */
const isAskedForWrites = (
  instruction: Instruction,
  account: Account,
  isAsked: (check: AccountCheck) => boolean,
): boolean => {
  if (!checksSomewhere(instruction, account).some(({ kind }) => kind === "key")) return false
  const writes = ofKind(instruction.events, "assign").filter(({ target }) => accountOfState(target.term) !== undefined)
  const asked = writes.map((event) => checksAround(event, account).filter(isAsked))
  // A record that is compared there belongs to what is changed; it is nobody who could sign.
  const isNamed = asked.flat().some(({ against }) => against?.kind === "field" && authority.test(against.name))
  return isNamed && asked.every((checks) => checks.length > 0)
}

/** Why an unsigned account appears to authorize; undefined if nothing suggests it. */
const evidence = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
  hasSigner: boolean,
): string | undefined => {
  if (isBeneficiary(instruction, account) || isServed(instruction, account)) return undefined
  const alone = !hasSigner && servesAsIdentity(instruction, account)
  const isStored = ({ kind, against }: AccountCheck): boolean =>
    kind === "key" &&
    against?.kind === "field" &&
    (authority.test(against.name) ||
      (!hasSigner && party.test(against.name)) ||
      (alone && isMutating(instruction) && !thing.test(against.name))) &&
    isTrusted(against) &&
    isOwnState(instruction, against) &&
    !(isForeign(instruction, against) && (isGivenAway(instruction, account) || isUpkeep(instruction)))
  const compared =
    checksWhenDone(instruction, account).some(isStored) ||
    (!hasSigner && isAskedForWrites(instruction, account, isStored))
  const isPayee = (): boolean =>
    isPaid(instruction, account) ||
    tiesOf(instruction)
      .of(account)
      .some(({ slot }) => payeeSlots(crate).has(slot))
  // Whoever only receives the rent of what is closed here has nothing to consent to.
  const receivesRent = (): boolean =>
    instruction.accounts.some(({ constraints }) => isPathTo(constraints?.close, account)) &&
    /rent|refund|receiver|recipient|destination/.test(lastPart(account.name))
  if (compared && !(hasSigner && isPayee()) && !receivesRent()) return "compared with a stored key"
  if (!(hasSigner && account.constraints?.mutable === true) && signsUnderItsAddress(crate, instruction, account))
    return "at an address that signs elsewhere"
  if (!hasSigner && isMutating(instruction) && isMember(instruction, account)) return "in a stored list"
  if (!hasSigner && isAskedElsewhere(crate, instruction, account))
    return "required to sign by every other instruction that changes the same field"
  if (!hasSigner && namesPayer(instruction, account)) return "part of the seeds that sign the payment"
  if (!isPaid(instruction, account)) {
    if (holdsTokenOfRecord(instruction, account)) return "the holder of the token that stands for the record"
    if (!hasSigner && isSignedInItsName(instruction, account)) return "the account on whose behalf the program signs"
  }
  if (!hasSigner && emptiesRecord(instruction, account)) return "part of the seeds of the record that is paid out"
  if (isOverwritten(crate, instruction, account)) return overwritten
  const isParty = signsElsewhere(crate, account) || (!hasSigner && authority.test(lastPart(account.name)))
  if (isParty && isMutating(instruction) && !isPaid(instruction, account))
    if (isVouchedFor(instruction, account)) return "the account whose record states its rights"
  if (!authority.test(lastPart(account.name)) || isRecordedOnly(instruction, account)) return undefined
  const used = instruction.events.some(
    (event) =>
      (event.kind === "call" && event.args.some(({ term }) => mentions(term, (one) => one === account.term))) ||
      (event.kind === "assign" && mentions(event.value.term, (one) => one === account.term)),
  )
  if (!hasSigner && isMutating(instruction) && hasFixedKey(instruction, account)) return prescribed
  return used || isMutating(instruction) ? "named as an authority" : undefined
}

/** Whether it is passed to a function that the walk had no steps left for. */
const isOutOfSight = (instruction: Instruction, account: Account): boolean =>
  instruction.walk.truncated &&
  ofKind(instruction.events, "call").some(
    (event) =>
      event.target?.item.body !== undefined &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

/**
 * Whether it is derived from seeds, so that only the program signs for it, or a constant that says who holds the tokens
 * of another account. The key of any other constant belongs to somebody.
 */
const isNobodys = (instruction: Instruction, account: Account): boolean => {
  const ties = tiesOf(instruction)
  return (
    ties.of(account).some(({ slot }) => slot.startsWith("seeds ")) ||
    (hasFixedKey(instruction, account) &&
      instruction.accounts.some((one) => one !== account && ties.of(one).some(({ other }) => other === account)))
  )
}

/** The role of an account that is paid: no program requires its signature. */
const payeeRole = /^(to|destination)$/

/** Whether it is passed to another program, which requires the signature if it needs one. */
const isGivenAway = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(({ accounts }) =>
    accounts.some(({ name, term }) => term === account.term && !payeeRole.test(name)),
  ) ||
  instruction.events.some(
    (event) =>
      (event.kind === "struct" &&
        event.value.term.kind === "struct" &&
        event.value.term.definition === undefined &&
        event.value.term.fields.some(([name, value]) => value === account.term && !payeeRole.test(name))) ||
      // A library's `onchain::invoke_transfer_checked(program, from, mint, to, authority, …)`.
      (event.kind === "call" &&
        event.target === undefined &&
        /^invoke_\w*(transfer|burn|mint|approve|close)/.test(event.name) &&
        event.args.some(({ term }) => term === account.term)),
  )

/** Whether the called program receives it in a role that requires no signature. */
const isNamedIn = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(
    (cpi) =>
      !takesEffectWithoutCall(instruction, cpi) &&
      cpi.accounts.some(({ name, term }) => term === account.term && name !== "" && !authority.test(name)),
  )

const overwritten = "part of the seeds of a record that the caller overwrites"

/** Whether the caller says what the record at an address derived from an account contains, which signs elsewhere. */
const isOverwritten = (crate: SolanaCrate, instruction: Instruction, account: Account): boolean =>
  signsElsewhere(crate, account) && !isPaid(instruction, account) && setsRecord(instruction, account)

export const leftovers = "paid the remaining lamports of a closed record"

/** What suggests that an account that is not required to sign should be; undefined for all others. */
export const missingSignatureReason = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
): string | undefined => {
  const signers = signersIn(instruction)
  if (!isUnchecked(account) || signers.has(account) || signsForCpi(instruction, account)) return undefined
  if (checksWhenDone(instruction, account).some(({ kind }) => kind === "pda"))
    return signers.size === 0 && isMutating(instruction) && standsForProgram(instruction, account)
      ? "at an address that another program signs for"
      : undefined
  if (isProgram(instruction, account) || isDataAccount(crate, account)) return undefined
  // What the program signs for may have to sign itself, for what only a call by the program is to change.
  if (ownAddresses(crate, instruction).has(account) && !signsElsewhere(crate, account)) return undefined
  // Membership in a list is stronger evidence than a name, and than who pays.
  const listed =
    isMutating(instruction) &&
    isListed(instruction, account) &&
    !isBeneficiary(instruction, account) &&
    ![...signers].some(
      (one) => isAnchored(instruction, one) || tiesOf(instruction).isAsked(one) || isListed(instruction, one),
    )
  if ((!listed && isActedOn(instruction, signers)) || isSettledByTime(instruction, account)) return undefined
  // Another instruction of the transaction has the authority.
  if (isCalledByOther(instruction) || followsOwn(instruction)) return undefined
  if (takesLeftovers(instruction, account)) return leftovers
  if (isLetThrough(instruction, account)) return "compared with a stored key and let through if it matches"
  const why = listed ? "in a stored list" : evidence(crate, instruction, account, signers.size > 0)
  if (
    why === undefined ||
    (why === "compared with a stored key" && isNamedIn(instruction, account) && !paysAnyone(instruction))
  )
    return undefined
  // Asked for on some paths only: the others are meant to be open.
  if (askedToSign(instruction).has(account)) return undefined
  // What only brings records of one owner together takes nothing from them.
  if (signers.size > 0 && isUpkeep(instruction))
    if (servesAsIdentity(instruction, account) || isOpenedElsewhere(instruction, account, signers)) return undefined
  if (why === "named as an authority" || why === prescribed) {
    // Nothing can be taken from a payer without a signature that the runtime requires.
    if (/^(new|next|pending|to)_|payer$/.test(lastPart(account.name))) return undefined
    // If there is only the name, another signer may well be the one who authorizes.
    if (signers.size > 0 || isNobodys(instruction, account) || isGivenAway(instruction, account)) return undefined
    // What is not taken on every path is looked at where it is there.
    if (why !== prescribed && account.taken !== undefined) return undefined
    // A record created for an account, at an address derived from it, can be created by anyone.
    if (isSeed(instruction, account) && !setsRecord(instruction, account)) return undefined
  }
  // Created for the account and paid for by the signer.
  if (why !== "in a stored list" && why !== overwritten && signers.size > 0 && isOpenedFor(instruction, account))
    return undefined
  return isOutOfSight(instruction, account) ? undefined : why
}
