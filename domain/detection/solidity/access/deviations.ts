import { has } from "../flow/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Program } from "../program.ts"
import { misnamedConstructors } from "../questions/misnamedConstructor.ts"
import type { Deed } from "./deeds.ts"
import { type Access, accessOf, type Entry, isFixed, isNamed, runsOnce, subjectOf } from "./entries.ts"
import { isChosen, isDue, isGlobal, isSetting, isVetted, isWord, servesCaller, told } from "./intent.ts"
import { type Alike, besides, familyOf, noneAlike, peersOf, sameSubject, twinsOf } from "./siblings.ts"

/**
 * Why a deed that anyone can have done looks like one that only some should. `same`: others do it to the same variable
 * behind a check · `setter`: others of the contract set what they are told behind a check · `global`: it is a setting of
 * the whole contract, which knows privileged callers · `twin`: the function of that signature in other contracts has a
 * check · `peer`: what is called lets in only some, this contract among them · `most`: nearly all functions of the
 * contract have a check · `lacking`: nearly all ask for one check, whatever it finds out.
 */
export type Reason = "same" | "setter" | "global" | "twin" | "peer" | "most" | "lacking"

export interface Deviation {
  readonly entry: Entry
  readonly deed: Deed
  readonly reason: Reason
  /** Entry points that do the like behind a check, and how many do it in all, this one among them. */
  readonly guarded: ReadonlyArray<Entry>
  readonly of: number
}

const memo = new WeakMap<Program, ReadonlyArray<Deviation>>()

/** Of each entry point the deed that deviates most, if any does. */
export const deviations = (program: Program): ReadonlyArray<Deviation> => {
  let found = memo.get(program)
  if (found === undefined) {
    const access = accessOf(program)
    const misnamed = misnamedConstructors(program)
    found = access.entries.flatMap((entry) => (misnamed.has(entry.fn) ? [] : (deviationOf(access, entry) ?? [])))
    memo.set(program, found)
  }
  return found
}

const order: ReadonlyArray<Reason> = ["same", "setter", "global", "twin", "peer", "most"]

const deviationOf = (access: Access, entry: Entry): Deviation | undefined => {
  if (entry.fn.role !== "function" || entry.guarded) return undefined
  const family = familyOf(access, entry)
  let best: Deviation | undefined
  for (const deed of entry.open) {
    for (const found of reasonsFor(access, entry, deed, family)) {
      if (best === undefined || order.indexOf(found.reason) < order.indexOf(best.reason)) best = found
    }
  }
  return best ?? lacking(access, entry)
}

function* reasonsFor(
  access: Access,
  entry: Entry,
  deed: Deed,
  family: ReturnType<typeof familyOf>,
): Iterable<Deviation> {
  const subject = subjectOf(deed)
  const because = (reason: Reason, { guarded, open }: Alike): Deviation => ({
    entry,
    deed,
    reason,
    guarded,
    of: guarded.length + open + 1,
  })
  const due = deed.demands.facts.some(isDue)
  const vetted = due || isVetted(deed)
  const twins = subject === undefined ? noneAlike : twinsOf(access, entry, subject)
  if (twins.open === 0 && twins.guarded.length > (vetted ? 1 : 0)) yield because("twin", twins)
  if (runsOnce(access, entry) || servesCaller(entry)) return
  const chosen = isChosen(deed)
  if (subject !== undefined) {
    const same = sameSubject(access, entry, deed, subject)
    const touches = isWord(deed.value) || has(deed.keys, told)
    const only = same.open === 0
    if (
      (only && same.guarded.length > 2 && touches) ||
      (only && same.guarded.length > 1 && chosen && !due) ||
      (same.guarded.length > 2 * same.open &&
        !vetted &&
        (chosen || (deed.variable !== undefined && (touches || isFixed(deed.value) || isAccount(deed.variable)))))
    )
      yield because("same", same)
  }
  if (due) return
  const { setters } = family
  const isPlain = entry.deeds.every(({ variable }) => variable !== undefined)
  if (isPlain && isSetting(deed) && (isNamed(deed.value) || !vetted) && prevails(setters, 1, 2))
    yield because("setter", setters)
  if (vetted) {
    if ((chosen || isWord(deed.value)) && prevails(family, 5, 6)) yield because("most", family)
    return
  }
  // a contract that guards nothing itself is a test's, or means to be open
  const knowsCallers = family.guarded.some(({ contract }) => !entry.contract.linearization.slice(1).includes(contract))
  if (isGlobal(deed) && access.used.has(deed.variable!) && knowsCallers) yield because("global", family)
  const isFlag = deed.variable !== undefined && deed.keys.sources === 0 && isFixed(deed.value)
  if (isFlag && !asksOther(deed) && prevails(family, 4, 4)) yield because("most", family)
  if (!chosen && !isWord(deed.value)) return
  if (deed.variable === undefined && family.guarded.length > 0) {
    const guarded = peersOf(access, entry, deed)
    if (guarded.length > 0) yield because("peer", { guarded, open: 0 })
  }
  if (prevails(family, 2, 2)) yield because("most", family)
}

/** Something else that is stored decides whether it may be done. */
const asksOther = ({ demands, variable }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "any" ||
      [fact.left, fact.right].some((side) => side !== undefined && side.state.some((v) => v !== variable)),
  )

const isAccount = ({ type }: StateVariable): boolean => type.kind === "address" || type.kind === "contract"

/** At least so many have a check, and so many times as many as have none. */
const prevails = ({ guarded, open }: Alike, atLeast: number, times: number): boolean =>
  guarded.length >= atLeast && open * times <= guarded.length

/** Entry points that must ask for the same before one that does not is worth telling. */
const alikeAtLeast = 3

/** A check that the other functions of the contract ask for, and this one does not, nor any other. */
const lacking = (access: Access, entry: Entry): Deviation | undefined => {
  const others = besides(access, entry)
  if (others.length < alikeAtLeast || runsOnce(access, entry)) return undefined
  const count = new Map<string, number>()
  for (const { asked } of others) for (const check of asked) count.set(check, (count.get(check) ?? 0) + 1)
  const own = servesCaller(entry) || [...entry.asked].some((check) => !isAboutItself(check))
  const sets = entry.open.some((deed) => isSetting(deed) && (isNamed(deed.value) || !isVetted(deed)))
  for (const [check, times] of count) {
    if (times < alikeAtLeast || entry.asked.has(check)) continue
    // one that asks for something else has its reason, unless the check is about the contract itself
    if (isAboutItself(check) ? times * 10 < others.length * 9 : own || times * 10 < others.length * (sets ? 6 : 9))
      continue
    const guarded = others.filter(({ asked }) => asked.has(check))
    return { entry, deed: entry.deeds[0]!, reason: "lacking", guarded, of: others.length + 1 }
  }
  return undefined
}

/** `onlyLatest("pool", address(this))`: no caller is asked for. */
const isAboutItself = (check: string): boolean => check.endsWith("(fixed,this)")
