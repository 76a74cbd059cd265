import { oncePer } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel, ModifierModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { shutsOut } from "../../demands/demands.ts"
import { isAboutNobody } from "../../flow/facts/unseenGuards.ts"
import { asksSender, declaredChecks, inheritsRestriction } from "../checks/declaredChecks.ts"
import { askedBy } from "../entries/asked.ts"
import { type Deed, isOwn, isPayout, isWrite } from "../entries/deeds.ts"
import { type Access, type Entry, isFixed, isNamed, runsOnce } from "../entries/entries.ts"
import {
  isChosen,
  isDue,
  isSetting,
  isSwitched,
  isVetted,
  isWord,
  servesCaller,
  setsUpOnce,
} from "../entries/intent.ts"
import { idleAccounts } from "../checks/idleAccounts.ts"
import { callsInitializer } from "../../questions/deployment/initializer.ts"
import { uncheckedItem } from "./items.ts"
import { changesHeld } from "./rights.ts"
import { uncheckedState } from "./itemStates.ts"
import { uncheckedMessageOrigin } from "./messengers.ts"
import { otherEntriesOf, besidesWriting } from "../siblings/family.ts"
import { sameSignatureFunctions } from "../siblings/namesakes.ts"
import { asksStatus, type Phase, stateAsked, statusIn } from "../entries/phases.ts"

// Named checks that functions perform: modifiers, and helpers called only because they may revert.

/**
 * `lacking`: nearly all siblings perform a check, or all that share one check with this function also perform another ·
 * `phase`: nearly all require the contract to be in a state, such as not paused · `override`: the overridden function
 * performs the check · `alike`: the function of that signature in other contracts performs it · `item`: the functions
 * that act on the same item check it · `unused`: the contract declares or inherits a check that none of its functions
 * performs, or stores an account that none checks · `origin`: the account on whose behalf a messenger calls.
 */
export interface Lack {
  readonly reason: "lacking" | "phase" | "override" | "alike" | "item" | "unused" | "origin"
  readonly deed: Deed
  readonly guarded: ReadonlyArray<Entry>
  readonly of: number
  /** The check that is never performed. */
  readonly check?: ModifierModel | FunctionModel | StateVariable
}

/** Minimum number of entry points with the same check before one without it is reported. */
const alikeAtLeast = 3

export const lackOf = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  if (setsUpOnce(access, entry)) return entry.guarded ? undefined : onlyOnce(program, access, entry)
  const company =
    inCompany(access, entry) ??
    uncheckedItem(program, access, entry) ??
    ofHolder(access, entry) ??
    inPhase(access, entry) ??
    fromAnyState(access, entry) ??
    uncheckedState(access, entry) ??
    uncheckedMessageOrigin(program, access, entry)
  if (company !== undefined || entry.guarded) return company
  return (
    overridden(access, entry) ??
    beside(access, entry) ??
    forMembers(access, entry) ??
    forSame(access, entry) ??
    alike(access, entry) ??
    unused(program, access, entry)
  )
}

const ofHolder = (access: Access, entry: Entry): Lack | undefined => {
  const held = changesHeld(access, entry)
  return held === undefined ? undefined : { ...held, reason: "item", of: held.guarded.length + 1 }
}

/** `onlyLatest("pool", address(this))`: it does not check a caller. */
const isAboutItself = (check: string): boolean => check.endsWith("(fixed,this)")

const isOpenTo = (entry: Entry): boolean => entry.open.some((deed) => isChosen(deed) || isWord(deed.value))

/** Whether an argument is written or passed, or a fixed value is written to the place an argument selects. */
const obeys = (deed: Deed): boolean =>
  (isSetting(deed) && isNamed(deed.value)) || ((isChosen(deed) || isWord(deed.value)) && !isVetted(deed))

/** A check that the other functions of the contract perform, while this one performs neither it nor any other. */
const beside = (access: Access, entry: Entry): Lack | undefined => {
  const others = otherEntriesOf(access, entry)
  if (others.length < alikeAtLeast) return undefined
  const count = new Map<string, number>()
  for (const { asked } of others) for (const check of asked) count.set(check, (count.get(check) ?? 0) + 1)
  const together = asIfForAll(entry, others)
  if (together !== undefined) return together
  const own = servesCaller(entry) || [...entry.asked].some((check) => !isAboutItself(check))
  const sets = entry.open.some(obeys)
  for (const [check, times] of count) {
    if (times < alikeAtLeast || entry.asked.has(check)) continue
    // A function with a different check has its reason, unless the check is about the contract itself.
    if (isAboutItself(check) ? times * 10 < others.length * 9 : own || times * 10 < others.length * (sets ? 6 : 9))
      continue
    const guarded = others.filter(({ asked }) => asked.has(check))
    return { deed: entry.deeds[0]!, reason: "lacking", guarded, of: others.length + 1 }
  }
  return undefined
}

/** The others all ask who calls, by whatever check; what this one asks is about the item, not the caller. */
const asIfForAll = (entry: Entry, others: ReadonlyArray<Entry>): Lack | undefined => {
  if (entry.asked.size === 0 || asksWho(entry) || servesCaller(entry)) return undefined
  const deed = entry.open.find(isChosen)
  const guarded = others.filter(asksWho)
  return deed === undefined || guarded.length < others.length
    ? undefined
    : { deed, reason: "lacking", guarded, of: others.length + 1 }
}

/** Whether a check may be about the caller; one without source may. */
const asksWho = oncePer(
  ({ guarded, fn, flow: { program } }: Entry): boolean =>
    guarded ||
    askedBy(program, fn).some(
      ({ check, target }) =>
        !isAboutItself(check) && (target === undefined || check.includes("sender") || asksSender(program, target, 0)),
    ),
)

/** The other functions that serve their caller perform a check first: they serve members only. */
const forMembers = (access: Access, entry: Entry): Lack | undefined => {
  if (!servesCaller(entry) || [...entry.asked].some((check) => !isAboutItself(check))) return undefined
  const others = otherEntriesOf(access, entry).filter(servesCaller)
  if (others.length < alikeAtLeast || others.some(({ fn }) => steps(entry).has(fn))) return undefined
  const check = sharedCheck(others)
  // `until(deadline)` is about an argument, not about the caller
  if (check === undefined || (!check.endsWith("()") && !check.includes("sender"))) return undefined
  const deed = entry.deeds.find(isOwn) ?? entry.deeds[0]! // an entry has deeds
  return { deed, reason: "lacking", guarded: others, of: others.length + 1 }
}

/** A check that all of them perform. */
const sharedCheck = (others: ReadonlyArray<Entry>): string | undefined =>
  [...others[0]!.asked].find((each) => !isAboutItself(each) && others.every(({ asked }) => asked.has(each)))

/** Limit: writes of one function whose other writers are compared, state by state; for checks, four times as many. */
const subjectLimit = 12

/** All sibling functions that write a variable perform a check first; this one performs none. */
const forSame = (access: Access, entry: Entry): Lack | undefined => {
  if ([...entry.asked].some((check) => !isAboutItself(check))) return undefined
  const serves = servesCaller(entry)
  for (const deed of entry.deeds.slice(0, 4 * subjectLimit)) {
    const { variable, demands } = deed
    if (
      variable === undefined ||
      (isOwn(deed) ? false : serves || demands.standing !== "open") ||
      !(isChosen(deed) || isWord(deed.value))
    )
      continue
    const others = besidesWriting(access, entry, variable)
    // The sender may do with their own entry what only some may do with another's.
    if (isOwn(deed) && besidesWriting(access, entry, variable, true).length < others.length) continue
    if (others.length < 2) continue
    if (sharedCheck(others) !== undefined) return { deed, reason: "lacking", guarded: others, of: others.length + 1 }
  }
  return undefined
}

/** All other functions with this function's check perform one more check. */
const inCompany = (access: Access, entry: Entry): Lack | undefined => {
  if (entry.asked.size === 0) return undefined
  const company = otherEntriesOf(access, entry).filter(({ asked }) =>
    [...entry.asked].every((check) => asked.has(check)),
  )
  const pair = inPair(access, entry, company)
  if (pair !== undefined) return pair
  // Both the first and the later steps of a process share a single check.
  if (company.length < (entry.asked.size < 2 ? 2 * alikeAtLeast : alikeAtLeast)) return undefined
  const phase = [...company[0]!.phases].find((each) => company.every(({ phases }) => phases.has(each)))
  if (phase !== undefined && entry.phases.size === 0)
    return { deed: entry.deeds[0]!, reason: "lacking", guarded: company, of: company.length + 1 }
  if (entry.asked.size < 2) return undefined
  for (const more of company[0]!.asked) {
    if (entry.asked.has(more) || isAboutItself(more) || !company.every(({ asked }) => asked.has(more))) continue
    return { deed: entry.deeds[0]!, reason: "lacking", guarded: company, of: company.length + 1 }
  }
  return undefined
}

/** The others perform two checks together or not at all; this function does not ask who calls, which is one of them. */
const inPair = (access: Access, entry: Entry, company: ReadonlyArray<Entry>): Lack | undefined => {
  const [first] = company
  if (first === undefined || entry.asked.size > 1 || company.length < alikeAtLeast) return undefined
  const pair = [...first.asked]
  if (pair.length !== 2 || company.some(({ asked }) => asked.size !== 2 || !pair.every((check) => asked.has(check))))
    return undefined
  if (pair.some((check) => isAboutItself(check) || isAboutNobody(check.split("(")[0]!))) return undefined
  const { program } = entry.flow
  const missing = askedBy(program, first.fn).find(({ check }) => !entry.asked.has(check))!
  if (missing.target !== undefined && !asksSender(program, missing.target, 0)) return undefined
  if (otherEntriesOf(access, entry).some((other) => other.asked.has(missing.check) && !company.includes(other)))
    return undefined
  return { deed: entry.deeds[0]!, reason: "lacking", guarded: company, of: company.length + 1 }
}

const writtenBy = oncePer(({ deeds }: Entry) => new Set(deeds.map(({ variable }) => variable)))

/**
 * All siblings that are as open, or as guarded, as this one, or that call somebody as well, require the same contract
 * state: not paused, or the round has begun. Of many, some are excepted.
 */
const inPhase = (access: Access, entry: Entry): Lack | undefined => {
  // settings may be changed in any state
  if (entry.guarded && entry.deeds.every(isSetting)) return undefined
  const near = otherEntriesOf(access, entry).filter((other) => !steps(other).has(entry.fn))
  if (near.every(({ phases }) => phases.size === 0)) return undefined
  const alike = near.filter(({ guarded }) => guarded === entry.guarded)
  const company = near.filter(({ asked }) =>
    [...entry.asked].some((check) => !isAboutItself(check) && asked.has(check)),
  )
  const acting = actsOnOthers(entry) ? near.filter(actsOnOthers) : []
  // two are enough if they write the same variable
  const touched = new Set(entry.deeds.slice(0, subjectLimit).flatMap(({ variable }) => variable ?? []))
  const same = [...touched].map((variable) => alike.filter((other) => writtenBy(other).has(variable)))
  for (const [i, others] of [alike, company, acting, ...same].entries()) {
    if (others.length < (i < 3 ? alikeAtLeast : 2)) continue
    const exceptions = others.length > 2 * alikeAtLeast ? 1 : 0
    const phase = commonPhase(entry, others, exceptions)
    if (phase === undefined) continue
    const guarded = others.filter(({ phases }) => phases.has(phase))
    // trusted accounts may act in any state, unless one of them may not
    if (!guarded.some((other) => other.guarded === entry.guarded)) continue
    // a function that requires a different state, in the same way, has its reason
    const isOther = (own: Phase): boolean =>
      typeof own === typeof phase && !guarded.some(({ phases }) => phases.has(own))
    if ([...entry.phases].some(isOther)) continue
    return { deed: entry.deeds[0]!, reason: "phase", guarded, of: others.length + 1 }
  }
  return undefined
}

const actsOnOthers = ({ deeds }: Entry): boolean => deeds.some(({ variable }) => variable === undefined)

/** The others that change a status check it first; this one sets it from any state. */
const fromAnyState = (access: Access, entry: Entry): Lack | undefined => {
  for (const deed of entry.deeds.slice(0, subjectLimit)) {
    const member = statusIn(deed)
    if (member === undefined || asksStatus(deed, member)) continue
    const isAlike = (each: Deed): boolean => each.variable === deed.variable && statusIn(each) === member
    const others = besidesWriting(access, entry, deed.variable!).filter(({ deeds }) => deeds.some(isAlike))
    if (
      others.length > 0 &&
      others.every(({ deeds }) => deeds.every((each) => !isAlike(each) || asksStatus(each, member)))
    )
      return { deed, reason: "phase", guarded: others, of: others.length + 1 }
  }
  return undefined
}

/** A phase that all but some of the others require, and this one does not. */
const commonPhase = (entry: Entry, others: ReadonlyArray<Entry>, exceptions: number): Phase | undefined => {
  const count = new Map<Phase, number>()
  for (const other of others)
    for (const phase of other.phases) if (requires(other, phase)) count.set(phase, (count.get(phase) ?? 0) + 1)
  for (const [phase, times] of count) if (times >= others.length - exceptions && !asks(entry, phase)) return phase
  return undefined
}

const asks = (entry: Entry, phase: Phase): boolean =>
  entry.phases.has(phase) || (typeof phase !== "string" && stateAsked(entry.flow).has(phase))

/** What a function changes itself it may use up, or bring up to date. */
const requires = (entry: Entry, phase: Phase): boolean =>
  entry.phases.has(phase) && (typeof phase === "string" || !writtenBy(entry).has(phase))

/** The functions that it calls itself. */
const steps = oncePer(({ flow }: Entry) => new Set(flow.calls().map(({ target }) => target)))

/** The base function performs a check; the one that overrides it does not, and does not call it. */
const overridden = (access: Access, entry: Entry): Lack | undefined => {
  const deed = entry.open[0]
  if (deed === undefined) return undefined
  for (const base of entry.contract.linearization.slice(1)) {
    const found = (access.own.get(base) ?? []).find(({ fn }) => fn.signature === entry.fn.signature)
    if (found === undefined) {
      const idle = base.functions.find((fn) => fn.signature === entry.fn.signature && fn.implemented)
      if (idle === undefined) continue
      return refusesStrangers(entry, idle) ? { deed, reason: "override", guarded: [], of: 2, check: idle } : undefined
    }
    const asks = found.guarded || [...found.asked].some((check) => !isAboutItself(check))
    if (!asks || [...found.asked].some((check) => entry.asked.has(check))) return undefined
    if (entry.flow.calls().some(({ target }) => target === found.fn)) return undefined
    return { deed, reason: "override", guarded: [found], of: 2 }
  }
  return undefined
}

/** Whether the base function does nothing but keep strangers out, and the one that overrides it does not call it. */
const refusesStrangers = ({ flow }: Entry, base: FunctionModel): boolean => {
  const own = flow.program.flowIfBuilt(base)
  return (
    own !== undefined &&
    own.isReachable(own.exit) &&
    shutsOut(own, own.exit) &&
    !flow.calls().some(({ target }) => target === base)
  )
}

/** Whether any function of a signature performs a check. */
const isAskedAmong = oncePer(({ entries }: Access) => {
  const found = new Set(entries.flatMap(({ asked, fn }) => (asked.size === 0 ? [] : [fn.signature])))
  return (signature: string): boolean => found.has(signature)
})

/** The functions of that signature in other contracts do the same and perform the same check. */
const alike = (access: Access, entry: Entry): Lack | undefined => {
  if (servesCaller(entry) || !isOpenTo(entry) || !isAskedAmong(access)(entry.fn.signature)) return undefined
  const others = sameSignatureFunctions(access, entry)
  if (others.length < 2) return undefined
  for (const check of others[0]!.asked) {
    if (entry.asked.has(check) || isAboutItself(check) || !others.every(({ asked }) => asked.has(check))) continue
    return { deed: entry.open[0]!, reason: "alike", guarded: others, of: others.length + 1 }
  }
  return undefined
}

/** It can only be done once, and an account that the contract has known from its creation may be the one to do it. */
const onlyOnce = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const idle = idleAccounts(program).get(entry.contract)
  return idle?.kind !== "StateVariable" || !isBuiltIn(idle) || callsInitializer(entry.flow)
    ? undefined
    : unknownTo(access, entry, entry.open, idle)
}

const isBuiltIn = ({ immutable, constant }: StateVariable): boolean => immutable || constant

/** Limit: open functions of a contract, one of which an unchecked account may be meant for. */
const idleAmong = 3

/** The contract declares or inherits a check of who may act, and none of its functions performs it. */
const unused = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const { contract } = entry
  const idle = idleAccounts(program).get(contract)
  const open = entry.open.filter(({ demands }) => !demands.facts.some(isDue))
  if (servesCaller(entry)) {
    // members of a list are admitted to serve themselves
    const isList = idle?.kind === "StateVariable" && idle.type.kind === "mapping"
    const named = entry.deeds.filter(
      (deed) => deed.demands.standing !== "guarded" && !isOwn(deed) && isWrite(deed) && deed.keys.parameters.length > 0,
    )
    if (isList) return entry.fn.mutability === "payable" ? undefined : unknownTo(access, entry, named, idle)
    const told = open.filter((deed) => deed.variable === undefined && isChosen(deed) && !isVetted(deed))
    return idle?.kind === "StateVariable" && isBuiltIn(idle) ? unknownTo(access, entry, told, idle) : undefined
  }
  const checks = declaredChecks(program)
  const own = checks.get(contract)?.unused
  const obeyed = open.find(isObeyed)
  if (own !== undefined && obeyed !== undefined)
    return { deed: obeyed, reason: "unused", guarded: [], of: 1, check: own }
  const unknown = idle === undefined ? undefined : unknownTo(access, entry, open, idle)
  if (unknown !== undefined) return unknown
  const inherited = contract.linearization.slice(1).flatMap((base) => checks.get(base)?.first ?? [])[0]
  const isSet = (each: Deed): boolean => isSetting(each) || (isSwitched(each) && each.value.sources !== 0)
  const deed = open.find((each) => (isChosen(each) || isSet(each)) && !isVetted(each))
  // A base without source is restrictive by its name, and useless to a contract that only sets values from its
  // arguments.
  if (deed === undefined || (inherited === undefined && !(inheritsRestriction(contract) && isSetting(deed))))
    return undefined
  if (checksCallers(access, contract, isSet(deed))) return undefined
  return { deed, reason: "unused", guarded: [], of: 1, ...(inherited === undefined ? {} : { check: inherited }) }
}

/** Whether any function of the contract itself performs a check, which has to be about the caller if it is a `setting`. */
const checksCallers = (access: Access, contract: ContractModel, setting: boolean): boolean =>
  (access.own.get(contract) ?? []).some(
    (other) => (setting ? asksWho(other) : other.guarded || other.asked.size > 0) && !runsOnce(access, other),
  )

/** Whether it inherits a base that is there to restrict callers, and restricts none. */
export const leavesOpen = (access: Access, { contract }: Entry): boolean =>
  inheritsRestriction(contract) && !checksCallers(access, contract, false)

const isObeyed = (deed: Deed): boolean => isChosen(deed) || isWord(deed.value) || isFixed(deed.value)

/**
 * An account, a list, or a helper's lookup is never used, and this function is one of few that it could be meant for.
 */
const unknownTo = (
  { own, bySubject }: Access,
  { contract }: Entry,
  open: ReadonlyArray<Deed>,
  check: StateVariable | FunctionModel,
): Lack | undefined => {
  if ((own.get(contract) ?? []).filter((other) => other.open.length > 0).length > idleAmong) return undefined
  // a list that anyone may add to records what exists, not who may act
  if (check.kind === "StateVariable" && check.type.kind === "mapping")
    for (const { deed } of bySubject.get(check) ?? [])
      if (deed.demands.standing !== "guarded" && !isOwn(deed)) return undefined
  // Helpers are unused, too: a lookup of theirs matters where the caller's word is passed on.
  const deed =
    check.kind === "Function"
      ? open.find((each) => each.variable === undefined && isChosen(each) && !isVetted(each))
      : open.find((each) => isObeyed(each) || isPayout(each))
  return deed === undefined ? undefined : { deed, reason: "unused", guarded: [], of: 1, check }
}
