import { oncePer } from "../../oncePer.ts"
import { indexBy } from "../../indexBy.ts"
import {
  type CallEvent,
  type Event,
  type Frame,
  guaranteed,
  ofKind,
  passedAt,
  siteIn,
} from "../../rust/terms/events.ts"
import { dividersOf } from "../../rust/terms/otherBranch.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { checksOf } from "../questions/checks.ts"
import type { Account, AccountCheck, Instruction } from "../program/model.ts"
import { accountAt, isFromCaller, isTrusted, neutral } from "../questions/questions.ts"
import { accountOfState } from "../program/semantics.ts"
import { isRemaining, remainingIn } from "../records/remainingRecords.ts"

/** Limit: uses of one account, or writes of one place, that are held against each other. */
const maxUses = 16

/** An account about which nothing is known before the body checks it. */
const replayableIn = (instruction: Instruction, term: Term): ReadonlyArray<Term> => {
  const one = remainingIn(term) ?? accountOfState(term) ?? term
  return isRemaining(one) || accountAt(instruction, one)?.wrapper === "raw" ? [one] : []
}

/** The calls that are given each loose account, or its data, to do something with it. */
const usesByAccount = (instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<CallEvent>> => {
  const replayable = new Map<Term, ReadonlyArray<Term>>()
  for (const term of passedAt(instruction.events)) {
    const found = replayableIn(instruction, term)
    if (found.length > 0) replayable.set(term, found)
  }
  return indexBy(
    ofKind(instruction.events, "call").filter(
      ({ name, args }) => args.some(({ term }) => replayable.has(term)) && !neutral.test(name),
    ),
    ({ args }) => args.flatMap(({ term }) => replayable.get(term) ?? []),
  )
}

/** Where a record is created, its address has to be the derived one; later, its contents are enough. */
const isAddressCheck = ({ kind, against }: AccountCheck): boolean =>
  kind === "key" && against !== undefined && isTrusted(against)

/** Whether its contents are those of something known: `feed.id == market.feed`. */
const saysWhose = ({ kind, fact, against }: AccountCheck): boolean =>
  kind === "state" &&
  fact.kind === "binary" &&
  fact.operator === "==" &&
  against !== undefined &&
  (accountOfState(against) !== undefined || (against.kind === "field" && against.name === "key"))

/** Where an event happens in the function that takes either path. */
const siteBeside = (event: Event, other: Event): ReturnType<typeof siteIn> => {
  const around = new Set<Frame>()
  for (let one: Frame | undefined = other.scope.frame; one !== undefined; one = one.parent) around.add(one)
  let frame: Frame | undefined = event.scope.frame
  while (frame !== undefined && !around.has(frame)) frame = frame.parent
  return siteIn(event, frame ?? event.scope.frame)
}

/** A use of an account whose address this path does not check, although another path does before it uses the account. */
export interface UnevenUse {
  readonly account: Term
  readonly site: ReturnType<typeof siteIn>
}

/** Accounts that one arm identifies and another does not. */
export const unevenUses = oncePer((instruction: Instruction): ReadonlyArray<UnevenUse> => {
  const { terms } = instruction.walk
  const found: Array<UnevenUse> = []
  for (const [account, uses] of usesByAccount(instruction)) {
    if (uses.length < 2) continue
    const checks = uses.slice(0, maxUses).map((event) => ({ event, known: checksOf(account, guaranteed(event)) }))
    const asking = checks.filter(({ known }) => known.some(isAddressCheck))
    for (const { event, known } of checks) {
      if (known.some((one) => /^(key|pda|call|signer|initialized|distinct)$/.test(one.kind) || saysWhose(one))) continue
      const beside = asking.find((one) => dividersOf(terms, one.event, event).length > 0)
      if (beside === undefined) continue
      found.push({ account, site: siteBeside(event, beside.event) })
      break
    }
  }
  return found
})

/** A signer that must be a particular account on one path but may be anyone on another that changes the same place. */
export interface UnevenSigner {
  readonly signer: Account
  readonly site: ReturnType<typeof siteIn>
}

/** Whether the caller decides which of two paths is taken. */
const isChosen = (instruction: Instruction, divider: Term): boolean =>
  isFromCaller(instruction, divider) || mentions(divider, (one) => one.kind === "field" && one.name === "key")

export const unevenSigners = (instruction: Instruction): ReadonlyArray<UnevenSigner> => {
  const { terms } = instruction.walk
  const signers = signersOf(instruction)
  const writes = Map.groupBy(ofKind(instruction.events, "assign"), ({ target }) => target.term)
  const found = new Map<Account, UnevenSigner>()
  for (const all of writes.values()) {
    if (all.length < 2) continue
    const known = all.slice(0, maxUses).map((event) => ({
      event,
      asked: signers.filter(({ term }) => checksOf(term, guaranteed(event)).some(({ kind }) => kind !== "signer")),
    }))
    for (const { event, asked } of known) {
      if (asked.length > 0) continue
      for (const one of known) {
        const signer = one.asked.find(({ term }) => checksOf(term, guaranteed(one.event)).some(isAddressCheck))
        // Arms of a dispatcher are other instructions.
        if (signer === undefined || one.event.function !== event.function) continue
        if (dividersOf(terms, one.event, event).some((divider) => isChosen(instruction, divider)))
          found.set(signer, { signer, site: siteBeside(event, one.event) })
      }
    }
  }
  return [...found.values()]
}
