import { oncePer } from "../../../oncePer.ts"
import { type AnyOf, type Fact, type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { calledOperators } from "../../questions/value/calledOperators.ts"
import { walkedLists } from "../../questions/value/walkedLists.ts"
import { boundedRecord } from "../../demands/demands.ts"
import { isPartOf } from "../../flow/graph/storagePlace.ts"
import { type Deed, isRepaidInCall, isNotification, isOwn, isPayout, isSingle, isWrite } from "./deeds.ts"
import {
  type Access,
  accessOf,
  type Entry,
  isFixed,
  isNamed,
  isCallerControlled,
  onceFlags,
  runsOnce,
} from "./entries.ts"

// The purpose of a deed, as far as its conditions and values show.

/** Sources that are the caller's word. */
export const told = Source.parameter | Source.calldata

/** Whether the caller's word contributes to it, including through a function without source. */
export const isWord = (value: Origins): boolean =>
  has(value, told) || (has(value, Source.unknown) && value.keyParameters.length > 0)

/** Whether the caller has paid, or somebody has signed. */
export const isDue = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some(isDue))
    : !fact.withZero && sidesOf(fact).some((side) => has(side, Source.value | Source.recovered))

/** Whether the caller's argument is compared with the contract's state, another contract's answer, or the time. */
export const isVetted = (deed: Deed): boolean => deed.demands.facts.some((fact) => vets(fact, deed))

const vets = (fact: Fact, deed: Deed, isOption = false): boolean => {
  if (fact.kind === "any")
    return !isEitherWay(fact, deed) && fact.options.every((option) => option.some((f) => vets(f, deed, true)))
  // that it succeeded is not a condition of doing it
  if (deed.reached.event.kind === "call" && deed.reached.event.node === fact.expression) return false
  // that the value changes is not a condition
  if (fact.operator !== "==" && isAboutChange(fact, deed)) return false
  if (excludesOne(fact)) return false
  if (isBarred(fact, deed) || asksExistence(fact, deed) || asksSet(fact, deed) || boundedRecord(fact) !== undefined)
    return false
  const sides = sidesOf(fact)
  const times = sides.filter((side) => has(side, Source.timestamp | Source.blockNumber))
  // An elapsed time permits an action, not any action the caller wants; if two times are compared, one is the sum of
  // the other. One that must not have come yet permits nothing.
  const [now] = times
  const isAhead =
    !isOption &&
    now !== undefined &&
    only(now, time) &&
    /^[<>]/.test(fact.operator) &&
    fact.operator.startsWith("<") === (now === fact.left)
  if (times.length === 1 && !isAhead && !isNamed(deed.value) && sides.some((side) => has(side, Source.state)))
    return true
  const named = [
    ...deed.value.parameters,
    ...(isCallerControlled(deed.value) ? deed.value.keyParameters : []),
    ...deed.keys.parameters,
  ]
  return sides.some(
    (side) =>
      (has(side, Source.state | Source.external | Source.unknown) &&
        (side.targets & chosenByCaller) === 0 &&
        side.keyParameters.some((p) => named.includes(p)) &&
        !asksKind(fact)) ||
      (has(side, Source.hash) && side.parameters.some((p) => named.includes(p))),
  )
}

/** Whether both outcomes of one comparison lead on; in a helper they may decide the answer. */
const isEitherWay = ({ options, at }: AnyOf, { flow }: Deed): boolean => {
  const alone = options.flatMap(([first, ...more]) =>
    first === undefined || more.length > 0 ? [] : [first.expression],
  )
  return at.callable === flow.fn && new Set(alone).size < alone.length
}

/** `!locked[item]`: what only some accounts can put on a list is not on it yet. */
const isBarred = (fact: Relation, { flow }: Deed): boolean => {
  const [variable] = fact.left.state
  if (fact.operator !== "false" || variable === undefined || variable.type.kind !== "mapping") return false
  const writers = accessOf(flow.program).bySubject.get(variable) ?? []
  return writers.length > 0 && writers.every(({ deed }) => deed.demands.standing === "guarded")
}

/** `to != owners[item]`: every other argument is as good. */
const excludesOne = ({ operator, left, right }: Relation): boolean =>
  operator === "!=" && right !== undefined && [left, right].some((side) => only(side, Source.parameter))

/** Whether the caller's argument was stored before, as a hash. */
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

/**
 * Whether it tests for the existence of an entry in the written table: who may create or remove one is a different
 * question.
 */
const asksExistence = (fact: Relation, { variable }: Deed): boolean =>
  variable !== undefined &&
  (fact.right === undefined || fact.withZero) &&
  sidesOf(fact).some(({ sources, state }) => isLookup(sources) && state.some((v) => isPartOf(v, variable)))

/** The same of a set without source: `items.contains(item)` before `items.remove(item)`, and before what goes with it. */
const asksSet = ({ expression, right }: Relation, deed: Deed): boolean => {
  const { program, fn } = deed.flow
  if (right !== undefined || expression.kind !== "FunctionCall" || expression.callee.kind !== "MemberAccess")
    return false
  const set = program.referenceOf(expression.callee.object)
  return (
    set?.kind === "StateVariable" &&
    set.type.kind === "unknown" &&
    (isWrite(deed) || deed.keys.state.includes(set)) &&
    accessOf(program)
      .entryOf.get(fn)!
      .deeds.some(({ variable, keys }) => variable === undefined && keys.state.includes(set))
  )
}

const isLookup = (sources: number): boolean => (sources & ~(Source.state | Source.hash | Source.parameter)) === 0

/** Whether it tests for code at an address, or for its interface, through a library without source. */
const asksKind = ({ expression }: Fact): boolean =>
  expression.kind === "FunctionCall" &&
  expression.callee.kind === "MemberAccess" &&
  /^(isContract|supports\w*)$/.test(expression.callee.member)

/** Calls that give something to the account they name, or only inform it. */
const handsOut = /^((safe)?(transfer|transferETH|sendValue|mint|call)|on[A-Z]\w*)$/i

/** Limit: payments of one function for which loans are considered. */
const loanLimit = 16

/**
 * Whether ether or tokens come in from the sender, one of the sender's own records changes, or it lends: the function
 * serves its caller.
 */
export const servesCaller = oncePer(
  ({ deeds, flow, guarded }: Entry): boolean =>
    deeds.some((deed) => {
      // what it does for some callers besides
      if (!guarded && deed.demands.standing === "guarded") return false
      // Ether that is passed on pays for the called function, not for this one.
      if (deed.variable !== undefined && ((deed.value.sources | deed.value.keys) & Source.value) !== 0) return true
      if (movesOwnTokens(deed)) return true
      if (!isOwn(deed) || isNotification(deed)) return false
      const { event, via } = deed.reached
      if (event.kind !== "call") return !isLimit(deed)
      const [first] = event.args
      const givesOwn = via.length === 0 && first !== undefined && flow.origins(first, event.at).sources === Source.self
      // a library makes the transfer by a call of its own, to which it passes both accounts
      const isTaken =
        event.callKind === "call" &&
        (has(deed.value, Source.self) || via.some(({ name }) => /^(safe)?transferFrom$/i.test(name)))
      return !givesOwn && (isTaken || !handsOut.test(event.name))
    }) ||
    deeds
      .filter(({ variable }) => variable === undefined)
      .slice(0, loanLimit)
      .some(isRepaidInCall),
)

/** `ERC20.transfer(to, n)`, `super.burn(n)`: the sender's tokens move, as a base without source books them. */
const movesOwnTokens = ({ flow, reached: { event } }: Deed): boolean => {
  if (event.kind !== "call" || event.target !== undefined || !ownTokens.test(event.name)) return false
  const { receiver } = event
  const base = receiver?.kind === "Identifier" ? receiver.name : undefined
  return (
    flow.context?.linearization.some(
      ({ missingBases }) =>
        missingBases.length > 0 && (receiver === undefined || base === "super" || missingBases.includes(base ?? "")),
    ) === true
  )
}

const ownTokens = /^(?:transfer|approve|burn)$/

/**
 * Whether it only counts the messages of a signer, or records when, or how often, the sender has called, so that they
 * have to wait or stop.
 */
const isLimit = ({ demands, variable, value, keys, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  ((event.operation === "increment" && keys.sources === Source.recovered) ||
    ((event.operation === "increment" || only(value, Source.timestamp | Source.blockNumber)) &&
      demands.facts.some(
        (fact) => fact.kind === "relation" && boundedRecord(fact)?.state.includes(variable!) === true,
      )))

/**
 * Whether the caller decides only the time: accounts are brought up to date, or a balance leaves for a stored
 * recipient, possibly with an entry that the caller names.
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

const lookedUp = Source.state | Source.external | Source.unknown
const time = Source.timestamp | Source.blockNumber

/**
 * Whether the caller only names an item whose numbers, or whose time, permit what is done to it: anyone may liquidate
 * what is worth too little, or settle what has ended. Which stage it is in says nothing about who may do that.
 */
export const picksRipeItem = ({ open }: Entry): boolean =>
  open.length > 0 &&
  open.every((deed) => {
    const asked = deed.demands.facts.filter(
      (fact): fact is Relation => fact.kind === "relation" && fact.right !== undefined && /^[<>]/.test(fact.operator),
    )
    const items = new Set(
      asked.flatMap((fact) => sidesOf(fact).flatMap((side) => (has(side, lookedUp) ? side.keyParameters : []))),
    )
    return (
      items.size > 0 &&
      !has(deed.value, Source.sender | Source.calldata) &&
      (deed.keys.sources & Source.sender) === 0 &&
      asked.some((fact) => !fact.withZero || sidesOf(fact).some((side) => has(side, time))) &&
      [...deed.value.parameters, ...deed.keys.parameters].every((p) => items.has(p))
    )
  })

/** Whether the caller's word alone decides what is written or passed, or where. */
export const isChosen = ({ value, keys, variable, entryName, reached }: Deed): boolean => {
  if (variable === undefined && entryName === undefined) return has(value, told)
  if (reached.event.kind === "write" && reached.event.value === undefined) return has(keys, told)
  return (isNamed(value) && !isOfItself(value, keys)) || (isFixed(value) && has(keys, told))
}

/** `rates[book] = book.rate()`: what a contract says is recorded as its own, and nothing that the caller says besides. */
const isOfItself = (value: Origins, keys: Origins): boolean =>
  isCallerControlled(value) &&
  value.keyParameters.some((p) => keys.parameters.includes(p)) &&
  value.parameters.every((p) => keys.parameters.includes(p))

/** Whether it is a setter: an argument is written to the place that an argument selects. */
export const isSetting = (deed: Deed): boolean => {
  // a hash of an argument selects like the argument itself
  const keys = { ...deed.keys, sources: deed.keys.sources & ~Source.hash }
  return isWrite(deed) && isChosen(deed) && !countsItems(deed) && (keys.sources === 0 || isNamed(keys) || isFixed(keys))
}

/** `left -= ids.length`: what is done to each item decides who may do it. */
const countsItems = ({ reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  event.operation === "compound" &&
  event.value?.kind === "MemberAccess" &&
  event.value.member === "length"

/** Whether a contract-wide variable is set to the caller's value. */
export const isGlobal = (deed: Deed): boolean =>
  isSingle(deed) && isNamed(deed.value) && !isFiled(deed) && !countsItems(deed)

/** Whether a record is added to a list that no loop walks: nothing but the record itself depends on it. */
const isFiled = ({ flow: { program }, variable, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  event.operation === "push" &&
  variable?.type.kind === "array" &&
  variable.type.base.kind === "struct" &&
  !walkedLists(program).has(variable)

/** Whether the contract is switched: to a fixed value, or to the time, or by single bits of what it keeps. */
export const isSwitched = (deed: Deed): boolean =>
  isSingle(deed) &&
  (deed.value.sources & ~(fixedOrNow | Source.state)) === 0 &&
  (!has(deed.value, Source.state) ||
    (deed.value.state.every((v) => v === deed.variable || v.constant) && setsBits(deed)))

/** Whether it sets the contract up: it runs once, and does more than to switch for good what says that it has run. */
export const setsUpOnce = (access: Access, entry: Entry): boolean => {
  if (!runsOnce(access, entry)) return false
  const flags = onceFlags(access, entry)
  return entry.open.length === 0 || !entry.open.every((deed) => isSwitched(deed) && flags.includes(deed.variable!))
}

const fixedOrNow = Source.literal | Source.constant | Source.immutable | Source.timestamp | Source.blockNumber

const bitwise = /^[|&^]$/

/** `flags & ~PAUSED`, `state.insertBool(false, BIT)`, `!paused`. */
const setsBits = ({ flow: { program }, reached: { event } }: Deed): boolean => {
  const value = event.kind === "call" ? undefined : event.value
  if (value?.kind === "UnaryOperation") return value.operator === "!"
  if (value?.kind === "BinaryOperation") return bitwise.test(value.operator)
  return (
    value?.kind === "FunctionCall" && [...calledOperators(program, value)].some((operator) => bitwise.test(operator))
  )
}
