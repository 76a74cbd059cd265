import { isSignedMessage } from "../authority/signedMessages.ts"
import { signedCpisOf } from "../questions/signedCpi.ts"
import { isClock } from "../questions/quantities.ts"
import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { type Event, ofKind, knownAt } from "../../rust/terms/events.ts"
import { mentioning } from "../../rust/terms/mentioning.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isAuthorized, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import { looksIn } from "../questions/introspection.ts"
import { structOf } from "../authority/relations.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { isFromCaller, isMutating, isUnseenCall, usesOf } from "../questions/questions.ts"
import { stateOf } from "../program/semantics.ts"
import { isDue, isUpkeep, movesWithin, paysOut } from "../payments/stakes.ts"
import { isGlobal } from "../questions/singleton.ts"
import { signersRecords } from "../ties/parties.ts"
import { tiesOf } from "../ties/ties.ts"
import { stateWritesOf } from "../questions/writes.ts"
import { lastPart, outsider, payer } from "./names.ts"

/** Calls that only hand an account on, or look at it. */
const neutral =
  /^(key|address|to_account_info|as_ref|clone|(try_)?borrow\w*|next_account_info|next|into|iter|deref|load|load_mut|is_signer|is_writable|is_owned_by|owner|lamports|data_len|data_is_empty)$/

/** That somebody signed, or that a list has such an account. */
const isMereSignature = (term: Term): boolean =>
  (term.kind === "field" && term.name === "is_signer") || (term.kind === "is" && term.value.kind === "element")

/** What is compared, stored, derived from or passed to code without source. */
const valuesUsed = oncePer((instruction: Instruction): ReadonlyArray<Term> => {
  // Which path is taken, if no path is refused.
  const values = new Set([...instruction.walk.success, ...knownAt(instruction.events)])
  const add = (terms: ReadonlyArray<Term>): void => {
    for (const one of terms) values.add(one)
  }
  for (const { conditions } of ofKind(instruction.events, "check")) add(conditions)
  for (const { target, value } of ofKind(instruction.events, "assign")) add([target.term, value.term])
  for (const event of ofKind(instruction.events, "call"))
    if (isUnseenCall(instruction, event) && !neutral.test(event.name))
      for (const { term } of event.args) {
        values.add(term)
        // Passing on a list or struct of accounts as a whole passes on each of them.
        add(accountsBelow(instruction).get(term) ?? [])
      }
  return [...values]
})

/** The instructions of a program have most of their terms and signers in common. */
const mentionsAccount = oncePer((account: Term) => mentioning((one) => one === account, isMereSignature))

/** Whether an account, or anything of it, is used; not whether it signed. */
const isReferredTo = (instruction: Instruction, account: Term): boolean =>
  valuesUsed(instruction).some(mentionsAccount(account))

/** The accounts in each list or struct. */
const accountsBelow = oncePer(({ accounts }: Instruction) =>
  indexBy(
    accounts.map(({ term }) => term),
    function* (term) {
      for (let at = term; at.kind === "field" || at.kind === "element" || at.kind === "call";) {
        const base: Term | undefined = at.kind === "call" ? at.args[0] : at.base
        if (base === undefined) return
        yield base
        at = base
      }
    },
  ),
)

/** Whether it pays for an account that Anchor creates or enlarges, or receives what a closed one held. */
const isParty = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(({ constraints }) =>
    [constraints?.payer, constraints?.realloc?.payer, constraints?.close].some(
      (node) => node?.kind === "path" && node.path.segments.at(-1)?.name === lastPart(account.name),
    ),
  )

/** Who claims a power of their own. */
const power = /(^|_)(authority|owner|admin|manager|operator|guardian|governor|governance)$/

/** A signature that proves nothing, and what hangs on it. */
export interface IdleSignature {
  readonly account: Account
  /** Whether someone loses if anyone may sign. */
  readonly weight: "high" | "medium" | "low"
}

/** Whether more happens than the creation of records, which takes nothing from anyone. */
const changesExisting = (instruction: Instruction): boolean =>
  instruction.accounts.some(
    (one) =>
      one.constraints?.init !== true &&
      !isCreated(instruction, one) &&
      usesOf(instruction, one).some(({ kind }) => kind === "state-write" || kind === "data-write"),
  )

/** Whether the caller decides what an existing record contains from now on, or value leaves the program. */
const decidesAboutExisting = (instruction: Instruction): boolean =>
  paysOut(instruction) ||
  instruction.accounts.some(
    (one) =>
      one.constraints?.init !== true &&
      !isCreated(instruction, one) &&
      stateWritesOf(instruction, one).some(({ value }) => isFromCaller(instruction, value.term)),
  )

/**
 * Whether what the caller picks is changed in a record that names who signs elsewhere: an order of somebody's is
 * canceled, although nothing that the caller says is written.
 */
const picksFromOthers = (crate: SolanaCrate, instruction: Instruction): boolean => {
  const { success } = instruction.walk
  return instruction.accounts.some((one) => {
    const struct = structOf(instruction, one)
    if (struct === undefined || !signersRecords(crate).has(struct.name) || isGlobal(instruction, one)) return false
    if (stateWritesOf(instruction, one).length === 0 || one.constraints?.init === true) return false
    const state = stateOf(instruction.walk.terms, one.term)
    const about = [...success].filter((fact) => mentions(fact, (part) => part === state))
    // What is over may be cleared away by anyone.
    return about.some((fact) => isFromCaller(instruction, fact)) && !about.some((fact) => mentions(fact, isClock))
  })
}

/** Who acts for the program as a whole. */
const administrator = /(^|_)(admin|governor|governance|guardian)$/

/** Whether signers of this name are compared with a stored address by most instructions that ask for one. */
const isAdministratorsElsewhere = (crate: SolanaCrate, name: string): boolean => {
  if (!administrator.test(name)) return false
  const known = signersByName(crate).get(name) ?? []
  const tied = known.filter(Boolean).length
  return tied >= 2 && tied >= 0.6 * known.length
}

/** For each name of a signer, whether anything ties it, in all instructions that it signs. */
const signersByName = oncePer((crate: SolanaCrate): ReadonlyMap<string, ReadonlyArray<boolean>> => {
  const found = new Map<string, Array<boolean>>()
  for (const instruction of crate.instructions)
    for (const one of signersOf(instruction)) {
      const name = lastPart(one.name)
      const all = found.get(name) ?? []
      all.push(tiesOf(instruction).of(one).length > 0)
      found.set(name, all)
    }
  return found
})

const weightOf = oncePer((instruction: Instruction): IdleSignature["weight"] =>
  isDue(instruction) || movesWithin(instruction)
    ? "low"
    : signersOf(instruction).some((one) => tiesOf(instruction).of(one).length > 0) ||
        instruction.accounts.some((one) => isAuthorized(instruction, one))
      ? "low"
      : changesExisting(instruction) || paysOut(instruction)
        ? "high"
        : "low",
)

/**
 * What is a required signature for? The signer pays, moves what belongs to it, is compared with a known address, or is
 * remembered. If its address is not used at all, anyone can provide the required signature.
 */
export const idleSignatures = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<IdleSignature> => {
  // The other instructions of the transaction may have to be those of the signer.
  if (!isMutating(instruction) || looksIn(instruction).length > 0 || isSignedMessage(instruction)) return []
  return signersOf(instruction).flatMap((account): ReadonlyArray<IdleSignature> => {
    const name = lastPart(account.name)
    if (isReferredTo(instruction, account.term)) return []
    if (account.optional || payer.test(name) || outsider.test(name)) return []
    if (tiesOf(instruction).isAsked(account)) return []
    const weight = weightOf(instruction)
    if (isAdministratorsElsewhere(crate, name)) return [{ account, weight: weight === "high" ? weight : "medium" }]
    // Anyone may pay for something new, but not decide about existing things in the name of an authority.
    if (isParty(instruction, account) && !(power.test(name) && weight === "high" && decidesAboutExisting(instruction)))
      return []
    // Upkeep that anyone may request, unless the account's name claims an authority.
    const picks = (weight === "low" || isUpkeep(instruction)) && picksFromOthers(crate, instruction)
    if (isUpkeep(instruction) && !picks && !power.test(name)) return []
    // Whoever claims no power may be anyone, as keepers are, unless others' value leaves or the program acts elsewhere.
    const acts = paysOut(instruction) || signedCpisOf(instruction).length > 0
    const isKeeper = weight === "high" && !power.test(name) && !acts
    return [{ account, weight: picks && weight === "low" ? "medium" : isKeeper ? "low" : weight }]
  })
}

/** Calls that only find an account in a list. */
const looksUp = /^(len|is_empty|iter|first|last|get|next|peekable|split_first|as_ref|clone|to_vec)$/

/** The list that a remaining account is taken from. */
const remainingList = (term: Term): Term | undefined =>
  term.kind === "element" && term.base.kind === "field" && term.base.name === "remaining_accounts"
    ? term.base
    : undefined

/** Remaining accounts that have to sign, although whose signature it is does not matter to anything. */
export const idleRemaining = (instruction: Instruction): ReadonlyArray<Event> => {
  if (!isMutating(instruction) || looksIn(instruction).length > 0) return []
  const found = new Map<Term, Event>()
  for (const event of ofKind(instruction.events, "check"))
    for (const one of event.conditions)
      if (one.kind === "field" && one.name === "is_signer" && remainingList(one.base) !== undefined)
        found.set(one.base, event)
  if (found.size === 0) return []
  const handed = new Set<Term>()
  for (const event of ofKind(instruction.events, "call"))
    if (![looksUp, neutral].some((one) => one.test(event.name)))
      if (isUnseenCall(instruction, event)) for (const { term } of event.args) handed.add(term)
  return [...found].flatMap(([account, event]) =>
    isReferredTo(instruction, account) || handed.has(remainingList(account)!) ? [] : [event],
  )
}
