import { oncePer } from "../../../oncePer.ts"
import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel, ModifierModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { misnamedConstructors } from "../../questions/authority/misnamedConstructor.ts"
import { reversedAllowance, unspentAllowance } from "../entries/allowances.ts"
import { chargesOtherAccount, clearsOtherRecord, takesOverRecord } from "../entries/charges.ts"
import { type Deed, isMade, isOwn, isPayout, isSingle, isTakeover, isWrite } from "../entries/deeds.ts"
import {
  type Access,
  accessOf,
  type Entry,
  isDoneOnce,
  isFixed,
  isNamed,
  isCallerControlled,
} from "../entries/entries.ts"
import { changesOthers, accountOwnedTables } from "./holders.ts"
import { uncheckedParty } from "./idleParties.ts"
import {
  isAnnounced,
  isChosen,
  isDue,
  isGlobal,
  isSetting,
  setsUpOnce,
  isSwitched,
  isVetted,
  isWord,
  servesCaller,
  told,
} from "../entries/intent.ts"
import { appointsCaller } from "./appointments.ts"
import { functionsAwaitingFlag } from "./consents.ts"
import { isDictated } from "./dictated.ts"
import { openMembership } from "./memberships.ts"
import { changesOwnerOrApproval } from "./rights.ts"
import { toggles } from "../../demands/toggles.ts"
import { type Lack, lackOf, leavesOpen } from "./lacking.ts"
import { isSelfAttested } from "./selfAttested.ts"
import { changesDelegate } from "./delegates.ts"
import { openTally, repeatedTally } from "../entries/tallies.ts"
import type { Alike } from "../siblings/alike.ts"
import { comparisonsOf } from "../siblings/comparisons.ts"
import { type Family, familyOf } from "../siblings/family.ts"
import { isForwardedElsewhere, peersOf } from "../siblings/namesakes.ts"
import { sameCalleeFunctions, takes } from "../siblings/sameSubject.ts"

/**
 * Why a deed open to anyone looks as if it should not be. `same`: others do it to the same variable behind a check ·
 * `setter`: other setters of the contract have a check · `global`: it is a contract-wide setting, and the contract has
 * privileged callers · `twin`: the function of that signature in other contracts has a check · `person`: it lowers or
 * sets the entry of an account that the caller names, while others only touch the sender's · `holder`: a value from the
 * caller is written to an entry that was made out to another account · `right`: it changes who owns any item, or who
 * may act for any account · `standIn`: it replaces who is paid, or votes, for any account · `consent`: it raises a flag
 * that others wait for · `party`: an entry names an account that nobody is compared with · `tally`: it counts accounts,
 * any account, and the count decides · `repeat`: or one account repeatedly · `peer`: the called function admits only
 * some callers, including this contract · `most`: nearly all functions of the contract have a check · `alone`: it calls
 * somebody, and all other functions of the contract have a check, or most that make this
 * call of the same account; for the others, which concern named checks, see `Lack`.
 */
export type Reason =
  | "same"
  | "setter"
  | "global"
  | "twin"
  | "person"
  | "holder"
  | "right"
  | "standIn"
  | "repeat"
  | "consent"
  | "tally"
  | "unspent"
  | "reversed"
  | "charged"
  | "cleared"
  | "party"
  | "members"
  | "peer"
  | "most"
  | "alone"
  | "dictated"
  | Lack["reason"]

export interface Deviation {
  readonly entry: Entry
  readonly deed: Deed
  readonly reason: Reason
  /** Similar entry points behind a check, and the number of similar ones in total, including this one. */
  readonly guarded: ReadonlyArray<Entry>
  readonly of: number
  /** The check that is never used. */
  readonly check?: ModifierModel | FunctionModel | StateVariable
  /** The account that an entry names. */
  readonly member?: string
}

/** For each entry point, the deed that deviates most, if any does. */
export const deviations = oncePer((program: Program): ReadonlyArray<Deviation> => {
  const access = accessOf(program)
  const misnamed = misnamedConstructors(program)
  return access.entries.flatMap((entry) => (misnamed.has(entry.fn) ? [] : (deviationOf(program, access, entry) ?? [])))
})

const order: ReadonlyArray<Reason> = [
  "same",
  "setter",
  "global",
  "twin",
  "person",
  "holder",
  "right",
  "standIn",
  "peer",
  "consent",
  "most",
]

const deviationOf = (program: Program, access: Access, entry: Entry): Deviation | undefined => {
  if (entry.fn.role !== "function") return undefined
  return (
    (entry.guarded ? undefined : (byDeeds(access, entry) ?? byTally(access, entry) ?? bySender(access, entry))) ??
    lackIn(program, access, entry) ??
    byReversal(entry) ??
    byRepetition(access, entry) ??
    alone(access, entry) ??
    byWord(access, entry)
  )
}

/** Nothing else suggests a check, except that anyone sets what the contract goes by. */
const byWord = (access: Access, entry: Entry): Deviation | undefined => {
  if (entry.guarded || setsUpOnce(access, entry) || servesCaller(entry)) return undefined
  const deed = entry.open
    .slice(0, comparedDeeds)
    .find((each) => !each.demands.facts.some(isDue) && isDictated(access, entry, each))
  return deed === undefined ? undefined : since(entry, deed, "dictated", familyOf(access, entry))
}

/** Somebody is called by a function that is nearly the only one of its kind for everyone. */
const alone = (access: Access, entry: Entry): Deviation | undefined => {
  if (setsUpOnce(access, entry)) return undefined
  if (servesCaller(entry)) return favorsCaller(access, entry)
  const calls = entry.open
    .slice(0, comparedDeeds)
    .filter(({ variable, demands }) => variable === undefined && !demands.facts.some(isDue))
  const family = familyOf(access, entry)
  const [first] = calls
  if (first === undefined)
    return family.closed &&
      entry.open.length > 0 &&
      ((family.guarded.length > 1 && entry.open.every(isUnconditional)) ||
        (family.guarded.length >= aloneAmong && entry.open.some(isAdopted)))
      ? since(entry, entry.open[0]!, "alone", family)
      : undefined
  if (family.open === 0 && family.guarded.length >= aloneAmong) return since(entry, first, "alone", family)
  for (const deed of calls) {
    const fellows = sameCalleeFunctions(access, entry, deed)
    if (prevails(fellows, 3, 2)) return since(entry, deed, "alone", fellows)
  }
  return undefined
}

/** A time, or a bit, that is kept along with something else is not a switch. */
const isSwitch = ({ open }: Entry, deed: Deed): boolean =>
  isSwitched(deed) && (isFixed(deed.value) || open.every(isSwitched))

/** `open = !open`: whoever comes next undoes it, so that it cannot be meant for everyone. */
const isFlipped = (deed: Deed): boolean => isUnconditional(deed) && has(deed.value, Source.state)

/** Whether it switches the contract, in any state and at any time. */
const isUnconditional = (deed: Deed): boolean => isSwitched(deed) && deed.demands.facts.length === 0

/** `fee = nextFee`: what somebody has proposed takes effect, whenever the caller says so. */
const isAdopted = (deed: Deed): boolean =>
  isSingle(deed) &&
  deed.value.sources === Source.state &&
  deed.value.keys === 0 &&
  deed.value.state.length === 1 &&
  deed.value.state[0] !== deed.variable &&
  !deed.demands.facts.some(isAboutTime)

const isAboutTime = (fact: Fact): boolean =>
  fact.kind === "relation" && sidesOf(fact).some((side) => has(side, Source.timestamp | Source.blockNumber))

/** All other functions keep strangers out; this one does something for any caller, who gives nothing in return. */
const favorsCaller = (access: Access, entry: Entry): Deviation | undefined => {
  const family = familyOf(access, entry)
  const deed = entry.deeds.find(isOwn)
  if (entry.guarded || !family.closed || family.guarded.length < aloneAmong || deed === undefined) return undefined
  return entry.fn.mutability === "payable" || entry.deeds.some(isGiven)
    ? undefined
    : since(entry, deed, "alone", family)
}

/** Whether it changes a record of the sender's, or takes something from them. */
const isGiven = (deed: Deed): boolean =>
  isOwn(deed) &&
  (isWrite(deed) ||
    has(deed.value, Source.self) ||
    [...deed.reached.via, deed.reached.event].some(
      (step) => "name" in step && /burn|pull|transferFrom/i.test(step.name),
    ))

const byTally = (access: Access, entry: Entry): Deviation | undefined => {
  const deed = openTally(access, entry)
  return deed === undefined ? undefined : { entry, deed, reason: "tally", guarded: [], of: 1 }
}

const byRepetition = (access: Access, entry: Entry): Deviation | undefined => {
  const deed = repeatedTally(access, entry)
  return deed === undefined ? undefined : { entry, deed, reason: "repeat", guarded: [], of: 1 }
}

const byReversal = (entry: Entry): Deviation | undefined => {
  const reversed = reversedAllowance(entry)
  return reversed === undefined ? undefined : { entry, ...reversed, reason: "reversed", guarded: [], of: 1 }
}

/** What the sender may do, or leaves in their own name. */
const bySender = (access: Access, entry: Entry): Deviation | undefined => {
  const unspent = unspentAllowance(entry)
  if (unspent !== undefined) return { entry, ...unspent, reason: "unspent", guarded: [], of: 1 }
  const appointed = appointsCaller(access, entry)
  if (appointed !== undefined) return { entry, ...appointed, reason: "peer", of: appointed.guarded.length + 1 }
  const charged = chargesOtherAccount(entry) ?? takesOverRecord(entry)
  if (charged !== undefined) return { entry, deed: charged, reason: "charged", guarded: [], of: 1 }
  const cleared = clearsOtherRecord(entry)
  if (cleared !== undefined) return { entry, deed: cleared, reason: "cleared", guarded: [], of: 1 }
  const party = uncheckedParty(entry.flow.program, entry)
  if (party !== undefined) return { entry, ...party, reason: "party", guarded: [], of: 1 }
  const members = openMembership(access, entry)
  if (members === undefined) return undefined
  return { entry, ...members, reason: "members", of: members.guarded.length + 1 }
}

const lackIn = (program: Program, access: Access, entry: Entry): Deviation | undefined => {
  const lack = lackOf(program, access, entry)
  return lack === undefined ? undefined : { entry, ...lack }
}

/** Limit: deeds of one function that are compared with those of all others. */
const comparedDeeds = 64

const byDeeds = (access: Access, entry: Entry): Deviation | undefined => {
  const family = familyOf(access, entry)
  const comparisons = comparisonsOf(access, entry)
  let best: Deviation | undefined
  for (const deed of entry.open.slice(0, comparedDeeds)) {
    if (isOpenItself(access, deed)) continue
    for (const found of reasonsFor(access, entry, deed, family, comparisons)) {
      if (best === undefined || order.indexOf(found.reason) < order.indexOf(best.reason)) best = found
    }
  }
  return best ?? allDoneElsewhere(access, entry, comparisons)
}

/** Whether anyone can do it by calling the called function themselves: the check is missing there. */
const isOpenItself = (access: Access, { reached: { via, event } }: Deed): boolean => {
  const target = via[0]?.target
  return target !== undefined && access.entryOf.get(target)?.open.some((deed) => deed.reached.event === event) === true
}

/** Whatever it does, on no condition, functions of the contract do as well, and each of them behind a check. */
const allDoneElsewhere = (
  access: Access,
  entry: Entry,
  comparisons: ReturnType<typeof comparisonsOf>,
): Deviation | undefined => {
  const [first] = entry.open
  if (first === undefined || servesCaller(entry) || setsUpOnce(access, entry)) return undefined
  const guarded = new Set<Entry>()
  for (const deed of entry.open.slice(0, comparedDeeds)) {
    const same = comparisons.same(deed)
    if (same.open > 0 || same.guarded.length === 0 || deed.demands.facts.length > 0 || !isFixed(deed.value))
      return undefined
    for (const other of same.guarded) guarded.add(other)
  }
  return guarded.size < 2 ? undefined : since(entry, first, "same", { guarded: [...guarded], open: 0 })
}

const since = (entry: Entry, deed: Deed, reason: Reason, { guarded, open }: Alike): Deviation => ({
  entry,
  deed,
  reason,
  guarded,
  of: guarded.length + open + 1,
})

function* reasonsFor(
  access: Access,
  entry: Entry,
  deed: Deed,
  family: Family,
  comparisons: ReturnType<typeof comparisonsOf>,
): Iterable<Deviation> {
  const because = (reason: Reason, alike: Alike): Deviation => since(entry, deed, reason, alike)
  const due = deed.demands.facts.some(isDue)
  const vetted = due || (isVetted(deed) && !isSelfAttested(access, entry, deed))
  const twins = comparisons.twins(deed)
  const namesakes = comparisons.namesakes(deed)
  if (twins.open * 4 <= twins.guarded.length && twins.guarded.length > (vetted ? 1 : 0)) yield because("twin", twins)
  else if (!due && namesakes.open === 0 && namesakes.guarded.length > (vetted ? 2 : 1) && !servesCaller(entry))
    yield because("twin", namesakes)
  else if (!vetted && !entry.test && isInText(entry, deed) && !servesCaller(entry)) {
    const implementations = comparisons.implementations()
    if (prevails(implementations, 2, 4)) yield because("twin", implementations)
  }
  const otherPositions = comparisons.positions(deed)
  if (otherPositions.open === 0 && otherPositions.guarded.length > 0) yield because("same", otherPositions)
  if (setsUpOnce(access, entry) || (isDoneOnce(access, entry, deed) && !isSwitched(deed))) return
  if (servesCaller(entry)) {
    // The caller is recorded together with the request, and everything else is kept from strangers.
    if (isRecorded(entry) && family.open === 0 && family.guarded.length >= aloneAmong && isChosen(deed) && !due)
      yield because("most", family)
    return
  }
  const chosen = isChosen(deed)
  const same = comparisons.same(deed)
  const touches = isWord(deed.value) || has(deed.keys, told)
  const only = same.open === 0
  if (
    (only && same.guarded.length > 2 && touches) ||
    (only && same.guarded.length > 1 && chosen && !due) ||
    (same.guarded.length > 2 * same.open &&
      !vetted &&
      (chosen ||
        (isWrite(deed) &&
          (touches ||
            isFixed(deed.value) ||
            isSwitch(entry, deed) ||
            (deed.variable !== undefined && isAccount(deed.variable))))))
  )
    yield because("same", same)
  if (due) return
  if (takesFromNamed(deed) || isTakeover(deed)) {
    const owners = comparisons.owners(deed)
    if (owners.open === 0 && owners.guarded.length > 0) yield because("person", owners)
  }
  if (changesOthers(access, entry, deed))
    yield because("holder", { guarded: [accountOwnedTables(access).get(deed.variable!)!], open: 0 })
  const asks = changesOwnerOrApproval(access, deed)
  if (asks !== undefined) yield because("right", { guarded: [asks], open: 0 })
  const shows = changesDelegate(access, deed)
  if (shows !== undefined) yield because("standIn", { guarded: [shows], open: 0 })
  const { setters } = family
  // everything else that the contract does is kept from strangers
  if (family.open === 0 && family.guarded.length >= aloneAmong && isPayout(deed)) yield because("most", family)
  const isPlain = entry.deeds.every(({ variable }) => variable !== undefined)
  if (isPlain && isSetting(deed) && (isSpoken(deed.value) ? !isAnnounced(deed) : !vetted) && prevails(setters, 1, 2))
    yield because("setter", setters)
  if (isPlain && isSetting(deed) && isNamed(deed.value) && !vetted) {
    const own = comparisons.setters()
    if (prevails(own, 1, 4)) yield because("setter", own)
  }
  if (vetted) {
    if ((chosen || isWord(deed.value)) && prevails(family, 5, 6)) yield because("most", family)
    return
  }
  // A contract that guards nothing itself belongs to a test, or is meant to be open.
  const knowsCallers = family.guarded.some(({ contract }) => !entry.contract.linearization.slice(1).includes(contract))
  const decides = knowsCallers || (family.guarded.length > 0 && !entry.test && isAddress(deed))
  if (isGlobal(deed) && access.used.has(deed.variable!) && decides) yield because("global", family)
  if (isFlipped(deed) && family.guarded.length > 0 && !entry.test) yield because("global", family)
  if (isSwitch(entry, deed) && !asksOther(deed) && prevails(family, 4, 4)) yield because("most", family)
  if (isUnconditional(deed) && family.guarded.length > 0) {
    const guarded = functionsAwaitingFlag(access, deed)
    if (guarded.length > 0) yield because("consent", { guarded, open: 0 })
  }
  // value leaves a contract whose other functions all keep strangers out
  if (isPayout(deed) && family.open <= 1 && prevails(family, 4, 4)) yield because("most", family)
  if (!chosen && !isWord(deed.value)) return
  if (deed.variable === undefined && (family.guarded.length > 0 || leavesOpen(access, entry))) {
    // a store that others write to is no more than the entry in it
    const isStored = deed.entryName !== undefined
    const guarded = isStored || isForwardedElsewhere(access, entry, deed) ? [] : peersOf(access, entry, deed)
    if (guarded.length > 0) yield because("peer", { guarded, open: 0 })
  }
  const passing = comparisons.passing()
  if (prevails(passing, 1, 4)) yield because("most", passing)
  // somebody receives what the caller specifies, without any check
  if (isMade(deed) && deed.demands.facts.length === 0 && prevails(family, 1, 4)) yield because("most", family)
  if (prevails(family, 2, 2)) yield because("most", family)
}

/** Whether the function itself does it, not a modifier. */
const isInText = ({ fn }: Entry, { reached: { via, event } }: Deed): boolean => (via[0] ?? event).at.callable === fn

/** Whether the caller passes the value itself, instead of a contract to query for it. */
const isSpoken = (value: Origins): boolean => isNamed(value) && !isCallerControlled(value)

/** The number of guarded functions beside which a single open one stands out, whatever it does. */
const aloneAmong = 5

/** Whether nothing of the sender's changes except that something new is created for them. */
const isRecorded = ({ deeds, flow }: Entry): boolean =>
  flow.fn.mutability !== "payable" &&
  deeds.every(
    (deed) =>
      !isOwn(deed) ||
      (deed.variable !== undefined &&
        deed.value.sources === Source.sender &&
        ((deed.keys.sources | deed.keys.keys) & Source.sender) === 0),
  )

/**
 * Whether the entry of an account that the caller names is lowered or set to the caller's value; paying an account
 * clears entries, too.
 */
const takesFromNamed = (deed: Deed): boolean =>
  deed.path?.includes("[]") === true &&
  deed.keys.parameters.some(({ type }) => type.kind === "address") &&
  takes(deed) &&
  (isNamed(deed.value) ||
    (deed.reached.event.kind === "write" &&
      (deed.reached.event.operation !== "assign" || isLowered(deed.flow.program, deed.reached.event))))

/** Whether other stored state, apart from a lock, decides whether it may be done. */
const asksOther = ({ demands, variable, flow }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "any" ||
      [fact.left, fact.right].some((side) =>
        side?.state.some((v) => v !== variable && !v.constant && !toggles(flow.program).all.has(v)),
      ),
  )

const isAddress = ({ variable }: Deed): boolean => variable !== undefined && isAccount(variable)

const isAccount = ({ type }: StateVariable): boolean => type.kind === "address" || type.kind === "contract"

/** The minimum number that have a check, and the minimum ratio to those that have none. */
const prevails = ({ guarded, open }: Alike, atLeast: number, times: number): boolean =>
  guarded.length >= atLeast && open * times <= guarded.length
