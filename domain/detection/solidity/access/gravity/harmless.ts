import { decidesOnlyHowMuch, isConfirmed } from "../entries/confined.ts"
import { type Deed, isOwn, isPayout, isWrite } from "../entries/deeds.ts"
import { type Access, type Entry, isFixed, runsOnce } from "../entries/entries.ts"
import { decidesOnlyWhen, isSwitched, picksRipeItem } from "../entries/intent.ts"
import type { Deviation } from "../lacking/deviations.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import { circumstantial } from "./circumstantial.ts"
import { decides, isCallerDetermined } from "./decides.ts"
import { isPrepared } from "./prepared.ts"

/** Why it matters little that anyone can do it, in a sentence for readers. */
export const whyHarmless = (access: Access, deviation: Deviation): string | undefined => {
  const { entry, deed, reason } = deviation
  // Withdrawals are often meant to work while everything else is paused.
  if (reason === "phase") return "This may be intended."
  if (reason === "alone") return "It may be intended for anyone to call."
  if (isPrepared(access, entry, deed)) return "A function that checks its caller has already determined what it does."
  if (isForOtherChain(deed)) return "It runs on another chain only."
  if (picksRipeItem(entry)) return "The caller only selects the item, which has to meet a condition."
  if (decidesOnlyWhen(entry)) return "The caller decides only when it happens."
  if (decidesOnlyHowMuch(entry)) return "The caller decides only the amount, within what is available."
  if (isConfirmed(entry)) return "Another contract verifies the caller's input."
  if (reason === "setter" && runsOnce(access, entry)) return "It can run only once."
  return circumstantial.has(reason) && !isOwn(deed) ? whyOrdinary(access, deviation) : undefined
}

/** `require(block.chainid != 1)`: for test networks, or after a fork. */
export const isForOtherChain = ({ demands }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      fact.operator === "!=" &&
      sidesOf(fact).some(({ sources }) => sources === Source.chainId),
  )

/** Why it matters little where nothing but the functions around it suggests a check. */
const whyOrdinary = (access: Access, { entry, deed, reason, guarded }: Deviation): string | undefined => {
  if (runsOnce(access, entry)) return "It can run only once."
  if (reason === "most" && isRequest(deed)) return "The called contract may check the caller itself."
  // Whose item it is matters where others ask for its holder.
  const isHeld = reason !== "most" && guarded.some(asksHolder)
  if (!isHeld && !decides(access, entry)) return "The caller decides only when, and for which item."
  // What trusted accounts have set is taken back, or the contract switched.
  if (isFixed(deed.value) && (isSwitched(deed) || reason === "same")) return undefined
  const isChosenBy = (each: Deed): boolean =>
    isCallerDetermined(each) && !isAboutNew(each) && (isWrite(each) || isPayout(each) || reason !== "most")
  return entry.open.some(isChosenBy) ? undefined : "The caller does not choose what it does."
}

/** Whether a contract is created, or one that was created here is told something. */
const isAboutNew = ({ keys, reached: { event } }: Deed): boolean =>
  has(keys, Source.created) || (event.kind === "call" && event.callKind === "create")

/** Whether another contract is called, and pays nobody: what that means, only its own source says. */
const isRequest = (deed: Deed): boolean => {
  const { event } = deed.reached
  return event.kind === "call" && event.callKind === "external" && !isWrite(deed) && !isPayout(deed)
}

/** Whether the caller has to be the account that is stored with the item. */
const asksHolder = ({ deeds }: Entry): boolean =>
  deeds.some(({ demands }) =>
    demands.facts.some(
      (fact) =>
        fact.kind === "relation" &&
        fact.operator === "==" &&
        sidesOf(fact).some(({ sources }) => sources === Source.sender) &&
        sidesOf(fact).some(({ state, keyParameters }) => state.length > 0 && keyParameters.length > 0),
    ),
  )
