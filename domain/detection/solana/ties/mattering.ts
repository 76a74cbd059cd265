import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import { mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { linksOf } from "./links.ts"
import type { Account, Instruction } from "../program/model.ts"
import { cpiOf, movesValue } from "../questions/cpi.ts"
import { accountsByKey, checksWhenDone, isUnseenCall, neutral, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { isSigned, roleOf } from "../questions/signedCpi.ts"
import { isAnchored, isSetAtCreation, isTokenType, tiesOf } from "./ties.ts"

/** Accounts that receive the lamports of closed ones. */
const closeReceivers = ({ accounts }: Instruction): ReadonlySet<Account> => {
  const names = new Set(
    accounts.flatMap(({ constraints }) =>
      constraints?.close?.kind === "path" ? [constraints.close.path.segments.at(-1)!.name] : [],
    ),
  )
  return new Set(accounts.filter(({ name }) => names.has(name.slice(name.lastIndexOf(".") + 1))))
}

/** Whoever may close a record chooses who receives its rent. */
export const receivesRent = (instruction: Instruction, account: Account, signers: ReadonlyArray<Account>): boolean =>
  closeReceivers(instruction).has(account) && signers.some((one) => isAnchored(instruction, one))

/** A list of accounts for a call, which the called program checks. */
const isMetas = (term: Term): boolean => term.kind === "call" && term.name === "to_account_metas"

/** All arguments of calls, addresses that are stored, and the beneficiaries of closed accounts. */
const mentioned = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const { events } = instruction
  const keys = accountsByKey(instruction)
  const given = events.flatMap((event) =>
    event.kind === "call" && !neutral.test(event.name) && isUnseenCall(instruction, event)
      ? event.args.map(({ term }) => term)
      : event.kind === "assign" && keys.has(event.value.term)
        ? [event.value.term]
        : [],
  )
  const parts = new Set([...given, ...[...closeReceivers(instruction)].map(({ term }) => term)])
  // A set also iterates over what is added in the meantime.
  for (const one of parts) if (!isMetas(one)) for (const part of subterms(one)) parts.add(part)
  return parts
})

/** Whether its address is not among the seeds of the other one's, or the other one is not derived from any. */
const isApart = (instruction: Instruction, account: Account, from: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return !checksWhenDone(instruction, from).some(
    ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === key),
  )
}

/**
 * Whether it is the mint or owner of a token account that another program is given, or that is created here at an
 * address that does not depend on it: it decides what moves where.
 */
const isNamedByMoved = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (one) =>
      isTokenType(one) &&
      tiesOf(instruction)
        .of(one)
        .some(({ slot, other }) => slot.startsWith("own ") && other === account) &&
      (usesOf(instruction, one).some(({ kind }) => kind === "cpi-account") ||
        (one.constraints?.seeds !== undefined && isSetAtCreation(one) && isApart(instruction, account, one))),
  )

/**
 * Whether something is done with it, or on its authority. Programs are left to other rules, and if the signing address
 * is derived from the holder's, the called program accepts no other account.
 */
export const matters = (
  instruction: Instruction,
  account: Account,
  holder: Account | undefined,
  signers: ReadonlyArray<Account>,
): boolean => {
  if (signers.includes(account)) return true
  const uses = usesOf(instruction, account)
  if (uses.some(({ kind }) => kind === "cpi-program")) return false
  // Whether the program's seeds determine a single address: the call fails for any other.
  const { terms } = instruction.walk
  if (uses.some(({ event }) => isOwnAuthority(event, account, stateOf(terms, account.term)))) return false
  // Reading that it holds something only shows that it exists: nothing is done with it.
  if (uses.length > 0 && uses.every(({ kind }) => kind === "lamports-read")) {
    const held = lamportsOf(terms, account.term)
    return instruction.events.some(
      (event) => event.kind === "assign" && mentions(event.value.term, (one) => one === held),
    )
  }
  if (uses.length === 0)
    return (
      // What is declared and never touched: nothing can happen to bytes that no call receives.
      (account.constraints?.mutable === true && account.wrapper !== "raw") ||
      mentioned(instruction).has(account.term) ||
      isNamedByMoved(instruction, account)
    )
  if (holder === undefined || uses.some(({ kind }) => kind !== "cpi-account")) return true
  const key = keyOf(terms, holder.term)
  return !uses.every(({ event }) => {
    const cpi = event.kind === "call" ? cpiOf(event) : undefined
    // Whoever may pay chooses the recipient.
    if (
      cpi?.accounts.some(({ name, term }) => term === account.term && /^(recipient|receiver|beneficiary)$/.test(name))
    )
      return false
    const isMadeFrom =
      cpi?.signerSeeds !== undefined && movesValue(cpi) && mentions(cpi.signerSeeds, (one) => one === key)
    // Whether a function that receives both compares them.
    return isMadeFrom || cpi?.accounts.some(({ term }) => mentions(term, (one) => one === holder.term)) === true
  })
}

/** Whether the program signs for it; seeds that it stores itself fit every account of its kind. */
const isOwnAuthority = (event: Event, account: Account, state: Term): boolean => {
  const cpi = event.kind === "call" ? cpiOf(event) : undefined
  return (
    cpi !== undefined &&
    isSigned(cpi) &&
    roleOf(cpi, "authority") === account.term &&
    (cpi.signerSeeds === undefined || !mentions(cpi.signerSeeds, (one) => one === state))
  )
}

/** Whether something is done to it: it is written, paid from or into, closed, or given to another program. */
const isActedOn = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.mutable === true ||
  usesOf(instruction, account).some(({ kind }) => kind.endsWith("-write") || kind === "cpi-account")

/**
 * Whether an account that is itself not used is all that connects what is done to the holder, or to what belongs to it,
 * with who signs or with what else is done: with another's in its place, a stranger acts on the holder, or records of
 * two wholes are mixed.
 */
export const isBetween = (
  instruction: Instruction,
  account: Account,
  holder: Account,
  signers: ReadonlyArray<Account>,
): boolean => {
  const { belongTogether, determinedBy } = linksOf(instruction)
  const areLinked = (one: Account, other: Account): boolean =>
    determinedBy(one).has(other) || determinedBy(other).has(one)
  const done = instruction.accounts.filter((one) => one !== account && isActedOn(instruction, one))
  const own = done.filter((one) => areLinked(one, holder) && !areLinked(one, account))
  if (own.length === 0) return false
  const vouched = determinedBy(account)
  return (
    signers.some((one) => vouched.has(one)) ||
    done.some(
      (one) => structOf(instruction, one) !== undefined && belongTogether(one, account) && !belongTogether(one, holder),
    )
  )
}

/** Whether another program is given its signature: to mint, to move tokens, to update metadata. */
export const signsForOther = (instruction: Instruction, signer: Account): boolean =>
  [signer.term, keyOf(instruction.walk.terms, signer.term)].some((term) => mentioned(instruction).has(term))
