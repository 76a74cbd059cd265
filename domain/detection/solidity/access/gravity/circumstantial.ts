import { type Deed, isPayout, isWrite } from "../entries/deeds.ts"
import { type Entry, isFixed } from "../entries/entries.ts"
import { isGlobal, isSwitched } from "../entries/intent.ts"
import type { Deviation, Reason } from "../lacking/deviations.ts"
import { has, Source } from "../../flow/graph/origins.ts"

/**
 * Evidence about other functions alone, which may do something different by the same means: of 86 such findings on audited
 * and contest code, two were flaws.
 */
export const circumstantial: ReadonlySet<Reason> = new Set([
  "same",
  "twin",
  "peer",
  "most",
  "lacking",
  "item",
  "unused",
])

/** Why only other functions suggest a check, in a sentence for readers: nothing in the function shows what is at stake. */
export const whyUncertain = ({ entry, deed, guarded, reason }: Deviation): string | undefined => {
  if (reason === "dictated" && guarded.length === 0) return "No function of the contract checks its caller."
  if (!circumstantial.has(reason)) return undefined
  // The function of another contract that does at the caller's word what only this one may ask for.
  const isAsked = reason === "peer" && has(deed.value, Source.parameter | Source.sender)
  if (isAsked && guarded.some(({ deeds }) => deeds.some(showsStake))) return undefined
  // What trusted accounts have set is taken back, and nothing else, or the contract switched.
  const isRevoked = reason === "same" && entry.open.every((each) => isWrite(each) && isFixed(each.value))
  const isDecided = isRevoked || (isSwitched(deed) && !(entry.fn.parameters.length === 0 && isNext(deed)))
  if (isWrite(deed) && isFixed(deed.value) && isDecided) return undefined
  return entry.open.some((each) => showsStake(each) && !paysOwner(entry, each))
    ? undefined
    : "The only evidence is that similar functions perform a check."
}

/** The next number, or the last item of a list: without an argument, the caller chooses nothing. */
const isNext = ({ reached: { event } }: Deed): boolean =>
  event.kind === "write" && (event.operation === "increment" || event.operation === "pop")

/** `due[who] = 0; pay(who)`: the account that is paid is the one whose record changes. */
const paysOwner = ({ open }: Entry, { value, variable }: Deed): boolean =>
  variable === undefined &&
  open.some(
    (each) =>
      each.variable !== undefined &&
      value.parameters.every((p) => p.type.kind !== "address" || each.keys.parameters.includes(p)),
  )

/** Whether it shows itself what is at stake: the caller sets a value for the whole contract, or names who is paid. */
const showsStake = (deed: Deed): boolean =>
  isGlobal(deed) || (isPayout(deed) && deed.value.parameters.some(({ type }) => type.kind === "address"))
