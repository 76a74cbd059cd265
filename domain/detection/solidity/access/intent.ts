import type { Fact, Relation } from "../flow/facts/facts.ts"
import { chosenByCaller, has, type Origins, Source } from "../flow/graph/origins.ts"
import { isPartOf } from "../flow/graph/storagePlace.ts"
import { type Deed, isLent, isOwn, isPayout, isWrite } from "./deeds.ts"
import { type Entry, isFixed, isNamed } from "./entries.ts"

// What a deed is meant for, as far as its conditions and values tell.

/** Sources that are the caller's word. */
export const told = Source.parameter | Source.calldata

const sidesOf = ({ left, right }: Relation): ReadonlyArray<Origins> => (right === undefined ? [left] : [left, right])

/** The caller's word is in it, also through a function whose source is not available. */
export const isWord = (value: Origins): boolean =>
  has(value, told) || (has(value, Source.unknown) && value.keyParameters.length > 0)

/** The caller has paid, or somebody has signed. */
export const isDue = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some(isDue))
    : !fact.withZero && sidesOf(fact).some((side) => has(side, Source.value | Source.recovered))

/** What the caller names is held against what the contract knows of it, another contract says of it, or the time. */
export const isVetted = (deed: Deed): boolean => deed.demands.facts.some((fact) => vets(fact, deed))

const vets = (fact: Fact, deed: Deed): boolean => {
  if (fact.kind === "any") return fact.options.every((option) => option.some((f) => vets(f, deed)))
  // that it went well is not a condition of doing it
  if (deed.reached.event.kind === "call" && deed.reached.event.node === fact.expression) return false
  // that the value changes is not a condition
  if (fact.operator !== "==" && isAboutChange(fact, deed)) return false
  if (asksExistence(fact, deed)) return false
  const sides = sidesOf(fact)
  const times = sides.filter((side) => has(side, Source.timestamp | Source.blockNumber))
  // a time that has come lets a thing be done, not whatever the caller wants; of two times one is the sum of the other
  if (times.length === 1 && !isNamed(deed.value) && sides.some((side) => has(side, Source.state))) return true
  const named = [...deed.value.parameters, ...deed.keys.parameters]
  return sides.some(
    (side) =>
      (has(side, Source.state | Source.external | Source.unknown) &&
        (side.targets & chosenByCaller) === 0 &&
        side.keyParameters.some((p) => named.includes(p)) &&
        !asksKind(fact)) ||
      (has(side, Source.hash) && side.parameters.some((p) => named.includes(p))),
  )
}

/** What the caller says was laid down before, under a hash of it. */
export const isAnnounced = ({ demands, value }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      sidesOf(fact).some(
        ({ keys, keyParameters }) =>
          (keys & Source.hash) !== 0 && keyParameters.some((p) => value.parameters.includes(p)),
      ),
  )

const isAboutChange = (fact: Relation, { variable }: Deed): boolean =>
  variable !== undefined &&
  sidesOf(fact).some(({ state }) => state.some((v) => isPartOf(v, variable))) &&
  (fact.right === undefined || sidesOf(fact).some((side) => has(side, Source.parameter)))

/** Whether there is an entry yet, in the table that is written: who may make or remove one is another question. */
const asksExistence = (fact: Relation, { variable }: Deed): boolean =>
  variable !== undefined &&
  (fact.right === undefined || fact.withZero) &&
  sidesOf(fact).some(({ sources, state }) => only(sources) && state.some((v) => isPartOf(v, variable)))

const only = (sources: number): boolean => (sources & ~(Source.state | Source.hash | Source.parameter)) === 0

/** Whether there is code at an address, or what interface it has, by a library that is not among the sources. */
const asksKind = ({ expression }: Fact): boolean =>
  expression.kind === "FunctionCall" &&
  expression.callee.kind === "MemberAccess" &&
  /^(isContract|supports\w*)$/.test(expression.callee.member)

/** Calls that give something to the account they name, or only tell it. */
const handsOut = /^((safe)?(transfer|transferETH|sendValue|mint|call)|on[A-Z]\w*)$/i

/** Payments of one function of which is asked whether they are loans. */
const loanLimit = 16

/** Ether or tokens come in from the sender, or an own record of theirs changes, or lends: the function serves whoever calls. */
export const servesCaller = ({ deeds, flow }: Entry): boolean =>
  deeds
    .filter(({ variable }) => variable === undefined)
    .slice(0, loanLimit)
    .some(isLent) ||
  deeds.some((deed) => {
    // ether that is handed on pays for what is called, not for what the function does
    if (deed.variable !== undefined && ((deed.value.sources | deed.value.keys) & Source.value) !== 0) return true
    if (!isOwn(deed)) return false
    const { event, via } = deed.reached
    if (event.kind !== "call") return true
    const [first] = event.args
    const givesOwn = via.length === 0 && first !== undefined && flow.origins(first, event.at).sources === Source.self
    return !givesOwn && !handsOut.test(event.name)
  })

/**
 * Whoever calls decides only when: what is due is brought up to date, or leaves for a receiver that is set, also with the
 * entry that the caller names.
 */
export const decidesOnlyWhen = ({ open }: Entry): boolean => {
  const isPaid = open.some((deed) => isPayout(deed) && has(deed.value, Source.state))
  return (
    open.length > 0 &&
    open.every(
      (deed) =>
        (deed.value.sources & (told | Source.sender)) === 0 &&
        (deed.keys.sources & (isPaid && isWrite(deed) ? Source.sender : told | Source.sender)) === 0 &&
        !isWord(deed.value) &&
        (isPayout(deed) || (isWrite(deed) && (isPaid || (deed.value.sources !== 0 && !isFixed(deed.value))))),
    )
  )
}

/** Nothing but the caller's word decides what is written or handed over, or where. */
export const isChosen = ({ value, keys, variable, entryName, reached }: Deed): boolean => {
  if (variable === undefined && entryName === undefined) return has(value, told)
  if (reached.event.kind === "write" && reached.event.value === undefined) return has(keys, told)
  return isNamed(value) || (isFixed(value) && has(keys, told))
}

/** A setting: what is told is written where it is told. */
export const isSetting = (deed: Deed): boolean => {
  // a hash of what is told selects as it does
  const keys = { ...deed.keys, sources: deed.keys.sources & ~Source.hash }
  return isWrite(deed) && isChosen(deed) && (keys.sources === 0 || isNamed(keys) || isFixed(keys))
}

/** A variable of the whole contract, set to what the caller says. */
export const isGlobal = ({ variable, keys, value }: Deed): boolean =>
  variable !== undefined && keys.sources === 0 && isNamed(value)
