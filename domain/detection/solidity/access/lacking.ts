import type { FunctionModel, ModifierModel, StateVariable } from "../model.ts"
import type { Program } from "../program.ts"
import { declaredChecks } from "./declaredChecks.ts"
import { type Deed, isOwn, isWrite } from "./deeds.ts"
import { type Access, type Entry, isFixed, isNamed, runsOnce } from "./entries.ts"
import { isChosen, isDue, isSetting, isVetted, isWord, servesCaller } from "./intent.ts"
import { idleAccounts } from "./idleAccounts.ts"
import { uncheckedItem } from "./items.ts"
import { unaskedOrigin } from "./messengers.ts"
import { besides, besidesWriting, samesOf } from "./siblings.ts"

// Checks that functions ask for by name: modifiers, and helpers called for nothing but that they may revert.

/**
 * `lacking`: nearly all functions beside it ask for one check, or all that ask for what it asks for · `phase`: nearly all
 * ask that the contract be in one state, as not paused · `override`: the
 * function that it overrides asks · `alike`: the function of that signature in other contracts asks · `item`: the functions
 * about the same item ask for a check of it · `unused`: the contract declares or inherits a check that none of its functions
 * asks for, or knows an account about which none does · `origin`: on whose behalf a messenger calls.
 */
export interface Lack {
  readonly reason: "lacking" | "phase" | "override" | "alike" | "item" | "unused" | "origin"
  readonly deed: Deed
  readonly guarded: ReadonlyArray<Entry>
  readonly of: number
  /** The check that nothing asks for. */
  readonly check?: ModifierModel | FunctionModel | StateVariable
}

/** Entry points that must ask for the same before one that does not is worth telling. */
const alikeAtLeast = 3

export const lackOf = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  if (runsOnce(access, entry)) return undefined
  const company =
    inCompany(access, entry) ??
    uncheckedItem(program, access, entry) ??
    inPhase(access, entry) ??
    unaskedOrigin(program, access, entry)
  if (company !== undefined || entry.guarded) return company
  return (
    overridden(access, entry) ??
    beside(access, entry) ??
    forSame(access, entry) ??
    alike(access, entry) ??
    unused(program, access, entry)
  )
}

/** `onlyLatest("pool", address(this))`: no caller is asked for. */
const isAboutItself = (check: string): boolean => check.endsWith("(fixed,this)")

const isOpenTo = (entry: Entry): boolean => entry.open.some((deed) => isChosen(deed) || isWord(deed.value))

/** What is told is written or handed over, or something fixed where it is told. */
const obeys = (deed: Deed): boolean =>
  (isSetting(deed) && isNamed(deed.value)) || ((isChosen(deed) || isWord(deed.value)) && !isVetted(deed))

/** A check that the other functions of the contract ask for, and this one does not, nor any other. */
const beside = (access: Access, entry: Entry): Lack | undefined => {
  const others = besides(access, entry)
  if (others.length < alikeAtLeast) return undefined
  const count = new Map<string, number>()
  for (const { asked } of others) for (const check of asked) count.set(check, (count.get(check) ?? 0) + 1)
  const own = servesCaller(entry) || [...entry.asked].some((check) => !isAboutItself(check))
  const sets = entry.open.some(obeys)
  for (const [check, times] of count) {
    if (times < alikeAtLeast || entry.asked.has(check)) continue
    // one that asks for something else has its reason, unless the check is about the contract itself
    if (isAboutItself(check) ? times * 10 < others.length * 9 : own || times * 10 < others.length * (sets ? 6 : 9))
      continue
    const guarded = others.filter(({ asked }) => asked.has(check))
    return { deed: entry.deeds[0]!, reason: "lacking", guarded, of: others.length + 1 }
  }
  return undefined
}

/** Writes of one function whose other writers are looked at, state by state; check by check four times as many are. */
const subjectLimit = 12

/** All functions beside this one that write a variable ask for one check before; this one asks for none. */
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
    // the sender may do with their own what only some may do with another's
    if (isOwn(deed) && besidesWriting(access, entry, variable, true).length < others.length) continue
    if (others.length < 2) continue
    const check = [...others[0]!.asked].find(
      (each) => !isAboutItself(each) && others.every(({ asked }) => asked.has(each)),
    )
    if (check !== undefined) return { deed, reason: "lacking", guarded: others, of: others.length + 1 }
  }
  return undefined
}

/** All other functions that ask for what this one asks for ask for one check more. */
const inCompany = (access: Access, entry: Entry): Lack | undefined => {
  if (entry.asked.size === 0) return undefined
  const company = besides(access, entry).filter(({ asked }) => [...entry.asked].every((check) => asked.has(check)))
  // one check alone is asked by what begins as well as by what goes on
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

/**
 * Functions beside it that are as open, or as closed, as this one ask for the same state of the contract, all but one of
 * many: that it is not paused, that the round has begun.
 */
const inPhase = (access: Access, entry: Entry): Lack | undefined => {
  // settings are made in any state
  if (entry.guarded && entry.deeds.every(isSetting)) return undefined
  const near = besides(access, entry)
  const alike = near.filter(({ guarded }) => guarded === entry.guarded)
  const company = near.filter(({ asked }) =>
    [...entry.asked].some((check) => !isAboutItself(check) && asked.has(check)),
  )
  // of those that write the same two are enough
  const touched = new Set(entry.deeds.slice(0, subjectLimit).flatMap(({ variable }) => variable ?? []))
  const same = [...touched].map((variable) => alike.filter(({ deeds }) => deeds.some((d) => d.variable === variable)))
  for (const [i, others] of [alike, company, ...same].entries()) {
    if (others.length < (i < 2 ? alikeAtLeast : 2)) continue
    const exceptions = others.length > 2 * alikeAtLeast ? 1 : 0
    const phase = [...others[0]!.phases, ...others[1]!.phases].find(
      (each) => !entry.phases.has(each) && others.filter(({ phases }) => !phases.has(each)).length <= exceptions,
    )
    if (phase === undefined) continue
    const guarded = others.filter(({ phases }) => phases.has(phase))
    // one that asks for another state has its reason
    if ([...entry.phases].some((own) => !guarded.some(({ phases }) => phases.has(own)))) continue
    return { deed: entry.deeds[0]!, reason: "phase", guarded, of: others.length + 1 }
  }
  return undefined
}

/** The function of a base asks; the one that takes its place does not, and does not call it. */
const overridden = (access: Access, entry: Entry): Lack | undefined => {
  const deed = entry.open[0]
  if (deed === undefined) return undefined
  for (const base of entry.contract.linearization.slice(1)) {
    const found = (access.own.get(base) ?? []).find(({ fn }) => fn.signature === entry.fn.signature)
    if (found === undefined) continue
    const asks = found.guarded || [...found.asked].some((check) => !isAboutItself(check))
    if (!asks || [...found.asked].some((check) => entry.asked.has(check))) return undefined
    if (entry.flow.calls().some(({ target }) => target === found.fn)) return undefined
    return { deed, reason: "override", guarded: [found], of: 2 }
  }
  return undefined
}

/** The functions of that signature in other contracts do the same thing and ask for one and the same check. */
const alike = (access: Access, entry: Entry): Lack | undefined => {
  if (servesCaller(entry) || !isOpenTo(entry)) return undefined
  const others = samesOf(access, entry)
  if (others.length < 2) return undefined
  for (const check of others[0]!.asked) {
    if (entry.asked.has(check) || isAboutItself(check) || !others.every(({ asked }) => asked.has(check))) continue
    return { deed: entry.open[0]!, reason: "alike", guarded: others, of: others.length + 1 }
  }
  return undefined
}

/** Open functions of a contract for one of which an account may be that nothing asks about. */
const idleAmong = 3

/** The contract declares who may do things, or inherits it, and none of its functions asks for it. */
const unused = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const { contract } = entry
  const idle = idleAccounts(program).get(contract)
  const open = entry.open.filter(({ demands }) => !demands.facts.some(isDue))
  if (servesCaller(entry)) {
    // who is on a list is let in to serve themselves
    const isList = idle?.kind === "StateVariable" && idle.type.kind === "mapping"
    const named = entry.deeds.filter(
      (deed) => deed.demands.standing !== "guarded" && !isOwn(deed) && isWrite(deed) && deed.keys.parameters.length > 0,
    )
    return isList && entry.fn.mutability !== "payable" ? unknownTo(access, entry, named, idle) : undefined
  }
  const checks = declaredChecks(program)
  const own = checks.get(contract)?.unused
  const obeyed = open.find(isObeyed)
  if (own !== undefined && obeyed !== undefined)
    return { deed: obeyed, reason: "unused", guarded: [], of: 1, check: own }
  const unknown = idle === undefined ? undefined : unknownTo(access, entry, open, idle)
  if (unknown !== undefined) return unknown
  const inherited = contract.linearization.slice(1).flatMap((base) => checks.get(base)?.first ?? [])[0]
  const deed = open.find((each) => isChosen(each) && !isVetted(each))
  // a base that is not among the sources restricts by its name, and is of no use to a contract that only sets what it is told
  const isUnseen = contract.linearization.some(({ missingBases }) => missingBases.some((name) => restricts.test(name)))
  if (deed === undefined || (inherited === undefined && !(isUnseen && isSetting(deed)))) return undefined
  const others = (access.own.get(contract) ?? []).filter((other) => !runsOnce(access, other))
  if (others.some((other) => other.guarded || other.asked.size > 0)) return undefined
  return { deed, reason: "unused", guarded: [], of: 1, ...(inherited === undefined ? {} : { check: inherited }) }
}

/** What bases that let in only some callers are called in the libraries that contracts get them from. */
const restricts = /^(Ownable|OwnableRoles|Owned|Auth|RolesAuthority|DSAuth|AccessControl|AccessManaged)/

const isObeyed = (deed: Deed): boolean => isChosen(deed) || isWord(deed.value) || isFixed(deed.value)

/** Nothing asks for an account, a list, or what a helper looks up, and this function is one of few that it could be for. */
const unknownTo = (
  { own, bySubject }: Access,
  { contract }: Entry,
  open: ReadonlyArray<Deed>,
  check: StateVariable | FunctionModel,
): Lack | undefined => {
  if ((own.get(contract) ?? []).filter((other) => other.open.length > 0).length > idleAmong) return undefined
  // what anyone may add to lists what there is, not who may
  if (check.kind === "StateVariable" && check.type.kind === "mapping")
    for (const { deed } of bySubject.get(check) ?? [])
      if (deed.demands.standing !== "guarded" && !isOwn(deed)) return undefined
  // helpers are also left over: what one of them looks up counts where the caller's word is handed on
  const deed =
    check.kind === "Function"
      ? open.find((each) => each.variable === undefined && isChosen(each) && !isVetted(each))
      : open.find(isObeyed)
  return deed === undefined ? undefined : { deed, reason: "unused", guarded: [], of: 1, check }
}
